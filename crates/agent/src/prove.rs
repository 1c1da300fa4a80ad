//! Who knows exact values. A [`Prover`] is asked about a position of any game and either knows how it must end or says why it does not; [`NearEnd`] serves all games, and a
//! solver of one game is another.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quintet_data::Data;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::{Game as _, GameSpec, Line, Notation as _, Outcome, Playable, Table, Visitor};
use quintet_search::{Limit, Proof, Verdict, solve};
use quintet_solve::{Budget, pentago, pylos as solved};

use crate::ahead::Ahead;
use crate::exact::{carried, carried_win, proof as proof_of, turned};
use crate::seat::line;
use crate::small;

/// Knows exact values of some positions. Object safe, so that provers of different games stand in one list.
pub trait Prover: fmt::Debug + Send + Sync {
    /// What it is called.
    fn name(&self) -> &str;

    /// How the game at the table must end. The game goes on; a stop in the limit ends the work.
    ///
    /// # Errors
    /// With a sentence when it does not know.
    fn prove(&self, table: &dyn Table, limit: &Limit) -> Result<Exact, Unproven>;
}

/// How a position must end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// For the side to move.
    pub verdict: Verdict,
    /// Who knows it.
    pub by: String,
    /// The moves that are known, the best first, each for who makes it. One that is not here wins no sooner than the best.
    pub moves: Vec<(String, Verdict)>,
    /// Is every legal move among them?
    pub complete: bool,
    /// Is every move among them that is as good as the best?
    pub all_best: bool,
}

/// Why nobody knows: a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unproven(pub String);

/// A list of provers, in the order in which they are asked.
pub type Provers = Vec<Arc<dyn Prover>>;

/// The provers that need no files.
#[must_use]
pub fn provers() -> Provers {
    provers_with(&Data::embedded())
}

/// The same, with the user's strategies.
pub(crate) fn provers_with(data: &Data) -> Provers {
    vec![
        Arc::new(Small::default()),
        Arc::new(NearEnd::default()),
        Arc::new(Carried { data: data.clone() }),
        Arc::new(Middle),
        Arc::new(Ahead::default()),
    ]
}

/// Asks provers one after another; the first that knows has the word. A game that is over needs none.
///
/// ```
/// use quintet_agent::{exact, provers};
/// use quintet_game::GameSpec;
/// use quintet_search::{Limit, Proof};
/// let mut table = GameSpec::parse("pathwayz(rows=2,cols=2)").unwrap().table();
/// table.try_play("a1").unwrap();
/// let known = exact(&provers(), &*table, &Limit::default()).unwrap();
/// // On two columns a path is two pieces long, and black can stop one of white's two only.
/// assert_eq!((known.verdict.proof, known.verdict.plies), (Proof::Loss, Some(2)));
/// ```
///
/// # Errors
/// With the last prover's sentence when none knows.
pub fn exact(provers: &[Arc<dyn Prover>], table: &dyn Table, limit: &Limit) -> Result<Exact, Unproven> {
    if let Some((outcome, _)) = table.end() {
        let verdict = Verdict { proof: proof(outcome, table), plies: Some(0) };
        return Ok(Exact { verdict, by: "the rules".into(), moves: Vec::new(), complete: true, all_best: true });
    }
    let mut last = Unproven("there is nobody here who knows exact values.".into());
    for prover in provers {
        match prover.prove(table, limit) {
            Ok(exact) => return Ok(exact),
            Err(why) => last = why,
        }
    }
    Err(last)
}

fn proof(outcome: Outcome, table: &dyn Table) -> Proof {
    match outcome {
        Outcome::Draw => Proof::Draw,
        Outcome::Win(player) if player == table.to_move() => Proof::Win,
        Outcome::Win(_) => Proof::Loss,
    }
}

/// Proves positions near the end of any game, and wins that are a few plies away, by looking at everything: see [`solve`].
#[derive(Clone, Debug)]
pub struct NearEnd {
    nodes: u64,
}

/// Positions that it looks at when nobody says: a fraction of a second.
const NODES: u64 = 300_000;

impl Default for NearEnd {
    fn default() -> NearEnd {
        NearEnd::new(NODES)
    }
}

impl NearEnd {
    /// Looks at so many positions at most.
    #[must_use]
    pub fn new(nodes: u64) -> NearEnd {
        NearEnd { nodes }
    }
}

impl Prover for NearEnd {
    fn name(&self) -> &str {
        "search to the end"
    }

    fn prove(&self, table: &dyn Table, limit: &Limit) -> Result<Exact, Unproven> {
        let limit = Limit::nodes(self.nodes).smaller(limit);
        table.spec().visit(Solve { table, limit: &limit, by: self.name() })
    }
}

/// Pylos by the tables that `quintet solve` has made. One that was opened stays open; one that is made later is found when it is there.
#[derive(Clone)]
pub struct Tables {
    folder: PathBuf,
    open: Arc<Mutex<BTreeMap<String, Arc<solved::Table>>>>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Tables").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Tables {
    /// Those of a folder.
    #[must_use]
    pub fn new(folder: &Path) -> Tables {
        Tables { folder: folder.to_owned(), open: Arc::default() }
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

impl Prover for Tables {
    fn name(&self) -> &str {
        "the solved table"
    }

    fn prove(&self, table: &dyn Table, _limit: &Limit) -> Result<Exact, Unproven> {
        if table.spec().info().name != "pylos" {
            return Err(Unproven("there are tables of pylos alone.".into()));
        }
        let solved = self.of(&table.spec())?;
        let game = Pylos::of(&table.spec());
        let line = line(&Arc::new(game.clone()), table.begun_from().as_deref(), &table.moves());
        let line = line.map_err(|fault| Unproven(fault.to_string()))?;
        let mut moves = Vec::new();
        game.moves(line.position(), &mut moves);
        let rated = moves.into_iter().map(|mv| {
            let mut after = *line.position();
            game.play(&mut after, mv);
            let (proof, plies) = turned(solved.worth(&after));
            (game.write_move(mv), Verdict { proof, plies })
        });
        Ok(known(rated.collect(), self.name()))
    }
}

/// Pylos by the strategies that come with the program, or the user's: the winner's way from the start, and wins that are near.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    data: Data,
}

impl Prover for Carried {
    fn name(&self) -> &str {
        "the way to win that comes with the program"
    }

    fn prove(&self, table: &dyn Table, _limit: &Limit) -> Result<Exact, Unproven> {
        let spec = table.spec();
        let strategy = carried(&spec, &self.data).map_err(|error| Unproven(error.to_string()))?;
        let strategy = strategy.ok_or_else(|| Unproven(format!("no strategy for {spec} is carried along.")))?;
        let game = Arc::new(Pylos::of(&spec));
        let line = line(&game, table.begun_from().as_deref(), &table.moves());
        let line = line.map_err(|fault| Unproven(fault.to_string()))?;
        let (mv, plies) = carried_win(&strategy, &mut solved::Near::beside(&strategy), line.position())
            .ok_or_else(|| Unproven("no win is near, and it is not on the winner's way from the start.".into()))?;
        let verdict = Verdict { proof: Proof::Win, plies: Some(plies.into()) };
        let moves = vec![(game.write_move(mv), verdict)];
        Ok(Exact { verdict, by: self.name().into(), moves, complete: false, all_best: false })
    }
}

/// Pentago and Pentago-Twist by solving the rest of the game, where that takes a fraction of a second. It knows no distances.
#[derive(Clone, Copy, Debug, Default)]
pub struct Middle;

/// Bytes that it may take.
const MOST: u64 = 80 << 20;
/// Patterns that it may look at, in each of the two games.
const PATTERNS: [u64; 2] = [21_000_000, 1_000_000];

impl Prover for Middle {
    fn name(&self) -> &str {
        "the rest of the game solved"
    }

    fn prove(&self, table: &dyn Table, limit: &Limit) -> Result<Exact, Unproven> {
        let (game, line) = pentago_line(table)?;
        let empty = game.cells() - game.pieces(line.position());
        let most = PATTERNS[usize::from(game.mirrors())];
        if empty > 20 || pentago::bytes(&game, empty) > MOST || pentago::patterns(empty) > most {
            return Err(Unproven("it is too far from the end: the board has too many empty cells.".into()));
        }
        let solved = pentago::solve(&game, line.position(), 1, &|| limit.stopped());
        let solved = solved.ok_or_else(|| Unproven("it was stopped.".into()))?;
        let rated = solved
            .moves
            .into_iter()
            .map(|(mv, value)| (game.write_move(mv), Verdict { proof: proof_of(value), plies: None }));
        Ok(known(rated.collect(), self.name()))
    }
}

/// Small boards of TwixT and Pathwayz, by solvers that know more than endings.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    nodes: u64,
}

/// Bytes that a solver may take.
const SMALL: usize = 16 << 20;

impl Default for Small {
    fn default() -> Small {
        Small::new(NODES)
    }
}

impl Small {
    /// Looks at so many positions at most.
    #[must_use]
    pub fn new(nodes: u64) -> Small {
        Small { nodes }
    }
}

impl Prover for Small {
    fn name(&self) -> &str {
        "the solver of small boards"
    }

    fn prove(&self, table: &dyn Table, limit: &Limit) -> Result<Exact, Unproven> {
        let limit = Limit::nodes(self.nodes).smaller(limit);
        table.spec().visit(SolveSmall { table, limit: &limit, by: self.name() })
    }
}

struct SolveSmall<'a> {
    table: &'a dyn Table,
    limit: &'a Limit,
    by: &'a str,
}

impl Visitor for SolveSmall<'_> {
    type Output = Result<Exact, Unproven>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let line = line(&Arc::new(game), self.table.begun_from().as_deref(), &self.table.moves());
        let line = line.map_err(|fault| Unproven(fault.to_string()))?;
        let budget = Budget { nodes: self.limit.nodes.unwrap_or(NODES), stop: &|| self.limit.stopped() };
        let solution = small::solve(line.game(), line.position(), SMALL, &budget);
        let solution =
            solution.ok_or_else(|| Unproven("it is too far from the end, and the board is no small one.".into()))?;
        if solution.worth.is_none() {
            let why = format!("it is too far from the end: {} positions did not tell.", solution.nodes);
            return Err(Unproven(why));
        }
        let complete = solution.moves.len() == line.count_moves();
        let rated = solution.moves.into_iter().map(|(mv, worth)| (line.game().write_move(mv), small::verdict(worth)));
        Ok(Exact { complete, ..known(rated.collect(), self.by) })
    }
}

/// The rules and the line of a table of Pentago or Pentago-Twist.
pub(crate) fn pentago_line(table: &dyn Table) -> Result<(Pentago, Line<Pentago>), Unproven> {
    let game = match (table.spec().info().name, table.spec().to_string().contains("turn-first")) {
        ("pentago", false) => Pentago::standard(),
        ("pentago", true) => Pentago::turn_first(),
        ("pentago-twist", _) => Pentago::twist(),
        _ => return Err(Unproven("it is too far from the end.".into())),
    };
    let line = line(&Arc::new(game.clone()), table.begun_from().as_deref(), &table.moves());
    Ok((game, line.map_err(|fault| Unproven(fault.to_string()))?))
}

/// What follows from the verdicts of all moves.
pub(crate) fn known(mut moves: Vec<(String, Verdict)>, by: &str) -> Exact {
    moves.sort_by_key(|(_, verdict)| Reverse(verdict.merit()));
    Exact { verdict: moves[0].1, by: by.to_owned(), moves, complete: true, all_best: true }
}

struct Solve<'a> {
    table: &'a dyn Table,
    limit: &'a Limit,
    by: &'a str,
}

impl Visitor for Solve<'_> {
    type Output = Result<Exact, Unproven>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let line = line(&Arc::new(game), self.table.begun_from().as_deref(), &self.table.moves());
        let line = line.map_err(|fault| Unproven(fault.to_string()))?;
        let solved = solve(&line, self.limit);
        let Some(verdict) = solved.whole else {
            let why = format!("it is too far from the end: {} positions did not tell.", solved.nodes);
            return Err(Unproven(why));
        };
        let complete = solved.moves.len() == line.count_moves();
        let written = solved.moves.into_iter().map(|(mv, verdict)| (line.game().write_move(mv), verdict));
        let mut moves: Vec<(String, Verdict)> = written.collect();
        // Stable: equals stay in the order of the rules.
        moves.sort_by_key(|(_, verdict)| Reverse(verdict.merit()));
        Ok(Exact { verdict, by: self.by.to_owned(), moves, complete, all_best: true })
    }
}

/// The text that stands for a position and all its images under the symmetries of the board.
#[must_use]
pub(crate) fn canonical(spec: &GameSpec, position: &str) -> String {
    struct Canonical<'a>(&'a str);
    impl Visitor for Canonical<'_> {
        type Output = String;
        fn visit<G: Playable>(self, game: G) -> String {
            let image = game.read_position(self.0).map(|pos| quintet_game::canonical(&game, &pos).0);
            image.unwrap_or_else(|_| self.0.to_owned())
        }
    }
    spec.visit(Canonical(position))
}
