//! Sources of exact values. A [`Prover`] is given a position of any game and either knows how it must end or says why it does
//! not; [`EndgameProver`] serves all games, and the solver of one game is another.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quintet_data::Data;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::{
    AnyLine, Game as _, GameSpec, Limit, Line, Notation as _, Playable, Stop, Value, with_game, with_line,
};
use quintet_search::solve;
use quintet_solve::{Solvable, pentago, pylos as solved};

use crate::exact::{strategy_for, strategy_win};
use crate::forward::ForwardProver;

/// Knows exact values of some positions. Object safe, so that provers of different games fit in one list.
///
/// ```
/// use quintet_agent::{EndgameProver, Prover};
/// use quintet_game::{GameSpec, Limit, Stop, Value};
/// let line = GameSpec::parse("pentago").unwrap().line_at("xxxx../oooo../....../....../....../...... x").unwrap();
/// let known = EndgameProver::default().prove(&*line, &Limit::default(), &Stop::never()).unwrap();
/// assert_eq!(known.value, Value::win_in(1));
/// ```
pub trait Prover: fmt::Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// How a game in progress must end. The game must not be over; a stop ends the work.
    ///
    /// # Errors
    /// With a sentence if it does not know.
    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven>;
}

/// How a position must end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The value for the side to move.
    pub value: Value,
    /// The name of the prover.
    pub by: String,
    /// The known moves, the best first, each with its value for the side that makes it. A move that is not listed wins no
    /// sooner than the best.
    pub moves: Vec<(String, Value)>,
    /// Is every legal move among them?
    pub complete: bool,
    /// Is every move that is as good as the best among them?
    pub all_best: bool,
}

/// Why the value is not known: a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unproven(pub String);

/// A list of provers, in the order in which they are asked.
///
/// ```
/// use std::sync::Arc;
/// use quintet_agent::{EndgameProver, Provers, exact};
/// use quintet_game::{GameSpec, Limit, Stop, Value};
/// let provers: Provers = vec![Arc::new(EndgameProver::new(10_000))];
/// let line = GameSpec::parse("pentago").unwrap().line_at("xxxx../oooo../....../....../....../...... x").unwrap();
/// let known = exact(&provers, &*line, &Limit::default(), &Stop::never()).unwrap();
/// assert_eq!(known.value, Value::win_in(1));
/// ```
pub type Provers = Vec<Arc<dyn Prover>>;

/// The provers that need no files.
#[must_use]
pub fn provers() -> Provers {
    provers_with(&Data::embedded())
}

/// The same, with the strategies of this data.
#[must_use]
pub fn provers_with(data: &Data) -> Provers {
    vec![
        Arc::new(SmallBoardProver::default()),
        Arc::new(EndgameProver::default()),
        Arc::new(StrategyProver { data: data.clone() }),
        Arc::new(MidgameProver),
        Arc::new(ForwardProver::default()),
    ]
}

/// Asks provers one after another; the first one that knows decides. A finished game needs none.
///
/// ```
/// use quintet_agent::{exact, provers};
/// use quintet_game::{GameSpec, Limit, Stop, Value};
/// let mut line = GameSpec::parse("pathwayz(rows=2,cols=2)").unwrap().line();
/// line.try_play("a1").unwrap();
/// let known = exact(&provers(), &*line, &Limit::default(), &Stop::never()).unwrap();
/// // On two columns a path is two pieces long, and black can stop only one of white's two.
/// assert_eq!(known.value, Value::loss_in(2));
/// ```
///
/// # Errors
/// With the last prover's sentence if none knows.
pub fn exact(provers: &[Arc<dyn Prover>], line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
    if let Some((outcome, _)) = line.end() {
        let value = Value { proof: outcome.proof_for(line.to_move()), plies: Some(0) };
        return Ok(Exact { value, by: "the rules".into(), moves: Vec::new(), complete: true, all_best: true });
    }
    let mut last = Unproven("no prover is available here.".into());
    let began = limit.start();
    for prover in provers {
        match prover.prove(line, &limit.after(&began), stop) {
            Ok(exact) => return Ok(exact),
            Err(why) => last = why,
        }
    }
    Err(last)
}

/// Proves positions near the end of any game, and wins that are a few plies away, by full search: see [`solve`].
#[derive(Clone, Debug)]
pub struct EndgameProver {
    nodes: u64,
}

/// The default number of positions: a fraction of a second.
const NODES: u64 = 300_000;

impl Default for EndgameProver {
    fn default() -> EndgameProver {
        EndgameProver::new(NODES)
    }
}

impl EndgameProver {
    /// Searches at most this many positions.
    #[must_use]
    pub fn new(nodes: u64) -> EndgameProver {
        EndgameProver { nodes }
    }
}

impl Prover for EndgameProver {
    fn name(&self) -> &str {
        "search to the end"
    }

    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
        let limit = Limit::nodes(self.nodes).smaller(limit);
        with_line!(line, |line| to_the_end(line, &limit, stop, self.name())).unwrap_or_else(|| Err(unregistered()))
    }
}

/// Pylos by the tables that `quintet solve` has made. An opened table stays open; one that is made later is found then.
#[derive(Clone)]
pub struct TableProver {
    folder: PathBuf,
    open: Arc<Mutex<BTreeMap<String, Arc<solved::Table>>>>,
}

impl fmt::Debug for TableProver {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("TableProver").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl TableProver {
    /// The tables of a folder.
    #[must_use]
    pub fn new(folder: &Path) -> TableProver {
        TableProver { folder: folder.to_owned(), open: Arc::default() }
    }

    fn of(&self, game: &GameSpec) -> Result<Arc<solved::Table>, Unproven> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&game.to_string()) {
            return Ok(Arc::clone(table));
        }
        let table = solved::Table::open(&self.folder, game).map_err(|error| Unproven(error.to_string()))?;
        Ok(Arc::clone(open.entry(game.to_string()).or_insert(Arc::new(table))))
    }
}

impl Prover for TableProver {
    fn name(&self) -> &str {
        "the solved table"
    }

    fn prove(&self, line: &dyn AnyLine, _limit: &Limit, _stop: &Stop) -> Result<Exact, Unproven> {
        let spec = line.spec();
        let line = line.typed::<Pylos>().ok_or_else(|| Unproven("there are tables only for pylos.".into()))?;
        let (solved, game) = (self.of(&spec)?, line.game());
        let mut moves = Vec::new();
        game.moves(line.position(), &mut moves);
        let rated = moves.into_iter().map(|mv| {
            let mut after = *line.position();
            game.play(&mut after, mv);
            Ok((game.write_move(mv), solved.value(&after)?.before()))
        });
        let rated: Result<Vec<(String, Value)>, solved::TableError> = rated.collect();
        let rated = rated.map_err(|error| {
            // It may be made again meanwhile, so the next request opens it again.
            self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&spec.to_string());
            Unproven(error.to_string())
        })?;
        Ok(known(rated, self.name()))
    }
}

/// Pylos by the built-in strategies, or the user's: the winner's way from the start, and near wins.
#[derive(Clone, Debug, Default)]
pub struct StrategyProver {
    data: Data,
}

impl Prover for StrategyProver {
    fn name(&self) -> &str {
        "the built-in winning strategy"
    }

    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
        let spec = line.spec();
        let strategy = strategy_for(&spec, &self.data).map_err(|error| Unproven(error.to_string()))?;
        let none = || Unproven(format!("there is no built-in strategy for {spec}."));
        let (strategy, line) = strategy.zip(line.typed::<Pylos>()).ok_or_else(none)?;
        let mut near = solved::Near::beside(&strategy);
        let (mv, plies) = strategy_win(&strategy, &mut near, line.position(), limit, stop).ok_or_else(|| {
            Unproven("no win is near, and the winning strategy from the start does not reach this position.".into())
        })?;
        let value = Value::win_in(plies.into());
        let moves = vec![(line.game().write_move(mv), value)];
        Ok(Exact { value, by: self.name().into(), moves, complete: false, all_best: false })
    }
}

/// Pentago and Pentago-Twist by solving the rest of the game, where that takes a fraction of a second. It does not find distances.
#[derive(Clone, Copy, Debug, Default)]
pub struct MidgameProver;

/// The most bytes it may use.
const MOST: u64 = 80 << 20;
/// The most patterns it may search, in each of the two games.
const PATTERNS: [u64; 2] = [21_000_000, 1_000_000];

impl Prover for MidgameProver {
    fn name(&self) -> &str {
        "the rest of the game solved"
    }

    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
        let line = pentago_line(line)?;
        let (game, began) = (line.game(), limit.start());
        let empty = game.cells() - game.pieces(line.position());
        let most = PATTERNS[usize::from(game.mirrors())];
        if empty > 20 || pentago::bytes(game, empty) > MOST || pentago::patterns(empty) > most {
            return Err(Unproven("it is too far from the end: the board has too many empty cells.".into()));
        }
        let late = || stop.stopped() || limit.time.is_some_and(|time| began.elapsed() >= time);
        let solved = pentago::solve(game, line.position(), 1, &late);
        let solved = solved.ok_or_else(|| Unproven("it was stopped.".into()))?;
        let rated = solved.moves.into_iter().map(|(mv, proof)| (game.write_move(mv), proof.into()));
        Ok(known(rated.collect(), self.name()))
    }
}

/// Small boards of TwixT and Pathwayz, by solvers that use more than endings.
#[derive(Clone, Copy, Debug)]
pub struct SmallBoardProver {
    nodes: u64,
}

/// The memory of a solver in bytes.
const SMALL: usize = 16 << 20;

impl Default for SmallBoardProver {
    fn default() -> SmallBoardProver {
        SmallBoardProver::new(NODES)
    }
}

impl SmallBoardProver {
    /// Searches at most this many positions.
    #[must_use]
    pub fn new(nodes: u64) -> SmallBoardProver {
        SmallBoardProver { nodes }
    }
}

impl Prover for SmallBoardProver {
    fn name(&self) -> &str {
        "the solver of small boards"
    }

    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
        let limit = Limit::nodes(self.nodes).smaller(limit);
        with_line!(line, |line| small_board(line, &limit, stop, self.name())).unwrap_or_else(|| Err(unregistered()))
    }
}

fn small_board<G: Solvable>(line: &Line<G>, limit: &Limit, stop: &Stop, by: &str) -> Result<Exact, Unproven> {
    let solution = line.game().solve_small(line.position(), SMALL, limit, &|| stop.stopped());
    let solution =
        solution.ok_or_else(|| Unproven("it is too far from the end, and the board is not small.".into()))?;
    if solution.value.is_none() {
        return Err(too_far(solution.nodes));
    }
    let complete = solution.moves.len() == line.count_moves();
    let rated = solution.moves.into_iter().map(|(mv, value)| (line.game().write_move(mv), value));
    Ok(Exact { complete, ..known(rated.collect(), by) })
}

/// A line of Pentago or Pentago-Twist.
pub(crate) fn pentago_line(line: &dyn AnyLine) -> Result<&Line<Pentago>, Unproven> {
    line.typed().ok_or_else(|| Unproven("it is too far from the end.".into()))
}

fn unregistered() -> Unproven {
    Unproven("there is no prover for this game here.".into())
}

fn too_far(nodes: u64) -> Unproven {
    Unproven(format!("it is too far from the end: {nodes} positions were not enough."))
}

/// The result that follows from the values of all moves.
pub(crate) fn known(mut moves: Vec<(String, Value)>, by: &str) -> Exact {
    moves.sort_by_key(|(_, value)| Reverse(value.merit()));
    Exact { value: moves[0].1, by: by.to_owned(), moves, complete: true, all_best: true }
}

fn to_the_end<G: Playable>(line: &Line<G>, limit: &Limit, stop: &Stop, by: &str) -> Result<Exact, Unproven> {
    let solved = solve(line, limit, stop);
    let Some(value) = solved.whole else { return Err(too_far(solved.nodes)) };
    let complete = solved.moves.len() == line.count_moves();
    let written = solved.moves.into_iter().map(|(mv, value)| (line.game().write_move(mv), value));
    Ok(Exact { value, complete, ..known(written.collect(), by) })
}

/// The text of the representative of a position and all its images under the symmetries of the board.
#[must_use]
pub(crate) fn canonical(spec: &GameSpec, position: &str) -> String {
    with_game!(spec, |game| {
        let image = game.read_position(position).map(|pos| quintet_game::canonical(&game, &pos).0);
        image.unwrap_or_else(|_| position.to_owned())
    })
}
