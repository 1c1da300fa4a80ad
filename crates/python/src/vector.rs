//! Many games stepped at once.

use numpy::{AllowTypeChange, IntoPyArray as _, PyArray1, PyArray2, PyArrayLike1, PyArrayMethods as _};
use pyo3::exceptions::{PyMemoryError, PyOverflowError};
use pyo3::prelude::*;
use quintet_eval::encode::{Encode, Partial, Step as Stepped, cells, unpack};
use quintet_game::bits::{mix, scale};
use quintet_game::{Outcome, Player, Rng, SeedableRng as _, with_game};
use quintet_selfplay::{MOST_GAMES, MOST_THREADS};
use rand_core::Rng as _;

use crate::errors::{illegal, value_error};
use crate::game::Game;
use crate::game_of;
use crate::numbers::{Whole, whole, within, within_or_none};

/// Many games of one kind, stepped in one call: arrays in, arrays out. A game that ends begins again at once.
///
/// Rewards are given when a game ends, and belong to the players of that game; ``observation``, ``legal_mask`` and ``to_move`` are then those
/// of the new game. Observations are tensors as :meth:`State.tensor` has them, or with ``packed=True`` words as :meth:`State.packed`, which
/// take a fraction of the memory and are unpacked where they are needed. A game of ``max_plies`` moves is a draw.
///
/// >>> import quintet
/// >>> env = quintet.VectorEnv("pentago", 64, seed=1)
/// >>> step = env.reset()
/// >>> step.observation.shape, step.legal_mask.shape
/// ((64, 7, 6, 6), (64, 324))
/// >>> finished = 0
/// >>> for _ in range(100):
/// ...     step = env.step(env.sample())
/// ...     finished += int(step.done.sum())
/// >>> finished > 64
/// True
#[pyclass(module = "quintet")]
pub struct VectorEnv {
    game: Game,
    games: Box<dyn Games>,
    packed: bool,
    threads: usize,
}

/// What all games of a :class:`VectorEnv` look like after a step.
#[pyclass(module = "quintet", frozen, get_all)]
pub struct Step {
    /// float32 (N, channels, rows, columns), or uint32 (N, rows, columns) if packed; seen by the side to move.
    observation: Py<PyAny>,
    /// bool (N, actions).
    legal_mask: Py<PyArray2<bool>>,
    /// int8 (N): the side to move, 0 or 1.
    to_move: Py<PyArray1<i8>>,
    /// float32 (N, 2): what each player got for the step: 1 for a win, -1 for a loss, 0 for a draw and while a game goes on.
    rewards: Py<PyArray2<f32>>,
    /// bool (N): has the game ended, and another one begun?
    done: Py<PyArray1<bool>>,
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, n, *, seed=1, packed=false, max_plies=None, threads=1))]
    fn new(
        game: &Bound<'_, PyAny>,
        n: Whole,
        #[pyo3(from_py_with = whole)] seed: i128,
        packed: bool,
        max_plies: Option<Whole>,
        #[pyo3(from_py_with = whole)] threads: i128,
    ) -> PyResult<VectorEnv> {
        let n = within("n", n.0, 1, MOST_GAMES)?;
        let seed = within("seed", seed, 0, u64::MAX)?;
        let max_plies = within_or_none("max_plies", max_plies, 1, u32::MAX)?;
        let threads = within("threads", threads, 1, MOST_THREADS)?;
        let game = Game { spec: game_of(game)? };
        let [channels, rows, columns] = game.shape();
        let numbers = n * (if packed { 1 } else { channels }) * rows * columns;
        // An allocation that fails in a step would end the process.
        if Vec::<f32>::new().try_reserve_exact(numbers).is_err() {
            let most = numbers * size_of::<f32>() / 1_000_000;
            return Err(PyMemoryError::new_err(format!("the observations of {n} games take {most} MB.")));
        }
        let games: Box<dyn Games> = with_game!(game.spec, |game| Box::new(Typed::new(game, n, seed, max_plies)));
        Ok(VectorEnv { game, games, packed, threads: threads.min(n) })
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game
    }

    fn __len__(&self) -> usize {
        self.games.count()
    }

    /// Begins all games again; with a seed, :meth:`sample` begins its random numbers again too.
    #[pyo3(signature = (*, seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<Whole>) -> PyResult<Step> {
        self.games.reset(within_or_none("seed", seed, 0, u64::MAX)?);
        self.look(py, &[])
    }

    /// Takes an action in every game: an array of N integers. Raises :class:`IllegalMove`, and changes nothing, if one of them is not legal.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Step> {
        let actions: PyResult<PyArrayLike1<'_, i64, AllowTypeChange>> = actions.extract();
        let actions = actions.and_then(|actions| Ok(actions.to_vec()?)).map_err(|error| {
            let too_large = error.is_instance_of::<PyOverflowError>(py);
            if too_large { illegal("one of the actions is far beyond all actions of the game.") } else { error }
        })?;
        if actions.len() != self.games.count() {
            return Err(value_error(format!("there are {} games, but {} actions.", self.games.count(), actions.len())));
        }
        let given = |(game, action): (usize, &i64)| {
            let legal = u16::try_from(*action).ok().filter(|action| self.games.legal(game).contains(action));
            legal.ok_or_else(|| illegal(format!("game {game}: action {action} is not legal here; see legal_mask.")))
        };
        let actions: Vec<u16> = actions.iter().enumerate().map(given).collect::<PyResult<_>>()?;
        self.look(py, &actions)
    }

    /// A random legal action for every game.
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.games.sample().into_pyarray(py)
    }

    fn __repr__(&self) -> String {
        format!("<quintet.VectorEnv {}, {} games>", self.game.spec, self.games.count())
    }
}

impl VectorEnv {
    /// Takes the actions, if there are any, and looks at all games.
    fn look(&mut self, py: Python<'_>, actions: &[u16]) -> PyResult<Step> {
        let (count, all) = (self.games.count(), self.games.actions());
        let [channels, rows, columns] = self.game.shape();
        let mut planes = if self.packed { Vec::new() } else { vec![0.0; count * channels * rows * columns] };
        let mut words = if self.packed { vec![0; count * rows * columns] } else { Vec::new() };
        let (mut mask, mut to_move) = (vec![false; count * all], vec![0; count]);
        let (mut rewards, mut done) = (vec![0.0; 2 * count], vec![false; count]);
        let observed = if self.packed { Observed::Words(&mut words) } else { Observed::Planes(&mut planes) };
        let out = Out { observed, mask: &mut mask, to_move: &mut to_move, rewards: &mut rewards, done: &mut done };
        py.detach(|| self.games.step(actions, out, self.threads));
        let observation = if self.packed {
            words.into_pyarray(py).reshape([count, rows, columns])?.into_any()
        } else {
            planes.into_pyarray(py).reshape([count, channels, rows, columns])?.into_any()
        };
        Ok(Step {
            observation: observation.unbind(),
            legal_mask: mask.into_pyarray(py).reshape([count, all])?.unbind(),
            to_move: to_move.into_pyarray(py).unbind(),
            rewards: rewards.into_pyarray(py).reshape([count, 2])?.unbind(),
            done: done.into_pyarray(py).unbind(),
        })
    }
}

/// Games of one type.
trait Games: Send + Sync {
    fn count(&self) -> usize;
    fn actions(&self) -> usize;
    fn legal(&self, game: usize) -> &[u16];
    fn reset(&mut self, seed: Option<u64>);
    fn sample(&mut self) -> Vec<i64>;
    /// Takes a legal action in each game, unless there are none, and fills the rows of all games.
    fn step(&mut self, actions: &[u16], out: Out<'_>, threads: usize);
}

enum Observed<'a> {
    Planes(&'a mut [f32]),
    Words(&'a mut [u32]),
}

/// Rows of arrays, one per game.
struct Out<'a> {
    observed: Observed<'a>,
    mask: &'a mut [bool],
    to_move: &'a mut [i8],
    rewards: &'a mut [f32],
    done: &'a mut [bool],
}

impl<'a> Out<'a> {
    /// The rows of the first `games` of `count` games, and the others.
    fn split(self, games: usize, count: usize) -> (Out<'a>, Out<'a>) {
        fn cut<T>(rows: &mut [T], games: usize, count: usize) -> (&mut [T], &mut [T]) {
            let size = rows.len() / count;
            rows.split_at_mut(games * size)
        }
        let (first, rest) = match self.observed {
            Observed::Planes(rows) => {
                let (first, rest) = cut(rows, games, count);
                (Observed::Planes(first), Observed::Planes(rest))
            }
            Observed::Words(rows) => {
                let (first, rest) = cut(rows, games, count);
                (Observed::Words(first), Observed::Words(rest))
            }
        };
        let (mask, masks) = cut(self.mask, games, count);
        let (to_move, to_moves) = cut(self.to_move, games, count);
        let (rewards, more_rewards) = cut(self.rewards, games, count);
        let (done, dones) = cut(self.done, games, count);
        (
            Out { observed: first, mask, to_move, rewards, done },
            Out { observed: rest, mask: masks, to_move: to_moves, rewards: more_rewards, done: dones },
        )
    }
}

struct Typed<G: Encode> {
    rules: Rules<G>,
    games: Vec<One<G>>,
}

/// What all games share.
struct Rules<G: Encode> {
    game: G,
    start: G::Pos,
    start_legal: Vec<u16>,
    fixed: Vec<f32>,
    max_plies: u32,
}

/// One game.
struct One<G: Encode> {
    pos: G::Pos,
    partial: Partial,
    plies: u32,
    /// The keys of all positions, in games in which they can recur.
    keys: Vec<u64>,
    legal: Vec<u16>,
    rng: Rng,
}

impl<G: Encode> Typed<G> {
    fn new(game: G, count: usize, seed: u64, max_plies: Option<u32>) -> Typed<G> {
        let start = game.start();
        let mut start_legal = Vec::new();
        game.legal(&start, Partial::NONE, &mut start_legal);
        let fixed = game.fixed().into_iter().flat_map(|(_, numbers)| numbers).collect();
        let one = |number: usize| One {
            pos: start.clone(),
            partial: Partial::NONE,
            plies: 0,
            keys: Vec::new(),
            legal: start_legal.clone(),
            rng: stream(seed, number),
        };
        let games = (0..count).map(one).collect();
        let max_plies = max_plies.unwrap_or(u32::MAX);
        Typed { rules: Rules { game, start, start_legal, fixed, max_plies }, games }
    }
}

/// The random numbers of a game.
fn stream(seed: u64, number: usize) -> Rng {
    Rng::seed_from_u64(mix(seed ^ mix(number as u64)))
}

impl<G: Encode> Games for Typed<G> {
    fn count(&self) -> usize {
        self.games.len()
    }

    fn actions(&self) -> usize {
        self.rules.game.actions()
    }

    fn legal(&self, game: usize) -> &[u16] {
        &self.games[game].legal
    }

    fn reset(&mut self, seed: Option<u64>) {
        for (number, game) in self.games.iter_mut().enumerate() {
            game.begin(&self.rules);
            if let Some(seed) = seed {
                game.rng = stream(seed, number);
            }
        }
    }

    fn sample(&mut self) -> Vec<i64> {
        let pick =
            |game: &mut One<G>| i64::from(game.legal[scale(game.rng.next_u32(), game.legal.len() as u32) as usize]);
        self.games.iter_mut().map(pick).collect()
    }

    fn step(&mut self, actions: &[u16], mut out: Out<'_>, threads: usize) {
        let (rules, mut count) = (&self.rules, self.games.len());
        let share = count.div_ceil(threads);
        let mut games = &mut self.games[..];
        let mut actions = actions;
        std::thread::scope(|scope| {
            while count > share {
                let (own, others) = games.split_at_mut(share);
                let (taken, left) = actions.split_at(share.min(actions.len()));
                let (rows, more) = out.split(share, count);
                scope.spawn(move || rules.step_all(own, taken, rows));
                (games, actions, out, count) = (others, left, more, count - share);
            }
            rules.step_all(games, actions, out);
        });
    }
}

impl<G: Encode> Rules<G> {
    fn step_all(&self, games: &mut [One<G>], actions: &[u16], mut out: Out<'_>) {
        let all = self.game.actions();
        let mut buffer = vec![0; cells(&self.game)];
        for (row, game) in games.iter_mut().enumerate() {
            if let Some(action) = actions.get(row) {
                let ended = game.step(self, *action);
                out.done[row] = ended.is_some();
                if let Some(Outcome::Win(winner)) = ended {
                    out.rewards[2 * row + winner.index()] = 1.0;
                    out.rewards[2 * row + winner.other().index()] = -1.0;
                }
            }
            out.to_move[row] = i8::from(self.game.to_move(&game.pos) == Player::Second);
            let mask = &mut out.mask[row * all..][..all];
            for action in &game.legal {
                mask[usize::from(*action)] = true;
            }
            match &mut out.observed {
                Observed::Words(rows) => {
                    let size = buffer.len();
                    self.game.pack(&game.pos, game.partial, &mut rows[row * size..][..size]);
                }
                Observed::Planes(rows) => {
                    self.game.pack(&game.pos, game.partial, &mut buffer);
                    let size = self.game.planes().len() * buffer.len();
                    let row = &mut rows[row * (size + self.fixed.len())..][..size + self.fixed.len()];
                    unpack(&self.game, &buffer, &mut row[..size]);
                    row[size..].copy_from_slice(&self.fixed);
                }
            }
        }
    }
}

impl<G: Encode> One<G> {
    fn begin(&mut self, rules: &Rules<G>) {
        self.pos = rules.start.clone();
        (self.partial, self.plies) = (Partial::NONE, 0);
        self.keys.clear();
        self.legal.clone_from(&rules.start_legal);
    }

    /// Takes a legal action; a game that ends begins again.
    fn step(&mut self, rules: &Rules<G>, action: u16) -> Option<Outcome> {
        let game = &rules.game;
        match game.step(&self.pos, self.partial, action) {
            Stepped::Partial(partial) => self.partial = partial,
            Stepped::Move(mv) => {
                if G::REPEATS {
                    self.keys.push(game.key(&self.pos));
                }
                game.play(&mut self.pos, mv);
                (self.partial, self.plies) = (Partial::NONE, self.plies + 1);
                let ended = game.outcome(&self.pos);
                let ended =
                    ended.or_else(|| (self.repeated(game) || self.plies >= rules.max_plies).then_some(Outcome::Draw));
                if ended.is_some() {
                    self.begin(rules);
                    return ended;
                }
            }
        }
        self.legal.clear();
        game.legal(&self.pos, self.partial, &mut self.legal);
        None
    }

    /// Has the position occurred twice before?
    fn repeated(&self, game: &G) -> bool {
        G::REPEATS && {
            let key = game.key(&self.pos);
            self.keys.iter().filter(|earlier| **earlier == key).count() >= 2
        }
    }
}
