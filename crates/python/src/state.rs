//! A game in progress.

use std::sync::OnceLock;

use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use quintet_eval::encode::{Encode as _, Partial};
use quintet_game::record::Record;
use quintet_game::{AnyLine, Game as _, GameSpec, Outcome, Player, Symmetric as _, with_line};

use crate::actions::{self, Chosen, typed};
use crate::errors::{illegal, value_error};
use crate::game::Game;
use crate::numbers::{Whole, integers};

/// A game in progress: the position, the moves so far, and undo. Made by :meth:`Game.start`, :meth:`Game.from_text` and :func:`from_record`.
///
/// Copies and pickles keep the history, which decides draws by repetition in Pylos.
///
/// >>> import quintet
/// >>> state = quintet.load("pentago").start()
/// >>> state.play("c4q2r")
/// 'c4q2r'
/// >>> state.to_move, state.plies, len(state.legal_moves())
/// (1, 1, 280)
/// >>> print(state)
///     a b c   d e f
///  1  . . .   . . .
///  2  . . .   . . .
///  3  . . .   . . .
/// <BLANKLINE>
///  4  . .[x]  . . .
///  5  . . .   . . .
///  6  . . .   . . .
///     a b c   d e f
/// dark (o) to move, last move c4q2r
/// >>> state.undo()
/// 'c4q2r'
///
/// Moves are played as text, or as numbers between 0 and :attr:`Game.num_actions`, the actions of a net. In Pylos a move can take several
/// actions of the same player (a ball, then those that are taken back); until the last of them the move is half made.
///
/// >>> state.play(36)
/// 'a1q1r'
#[pyclass(module = "quintet")]
pub struct State {
    line: Box<dyn AnyLine>,
    partial: Partial,
    /// The legal actions, once somebody has asked for them; forgotten with every change.
    legal: OnceLock<Vec<u16>>,
}

/// One action, or the actions of a move.
#[derive(FromPyObject)]
enum Index {
    One(Whole),
    All(Vec<Whole>),
}

impl State {
    pub fn new(line: Box<dyn AnyLine>) -> State {
        State { line, partial: Partial::NONE, legal: OnceLock::new() }
    }

    fn legal(&self) -> &[u16] {
        self.legal.get_or_init(|| actions::legal(&*self.line, self.partial))
    }

    /// An action, if it is legal.
    fn checked(&self, action: Whole) -> PyResult<u16> {
        let legal = u16::try_from(action.0).ok().filter(|action| self.legal().contains(action));
        legal.ok_or_else(|| self.refused(action))
    }

    /// Whose view is wanted: by default the mover's.
    fn viewer(&self, player: Option<Whole>) -> PyResult<Player> {
        match player {
            None => Ok(self.line.to_move()),
            Some(Whole(0)) => Ok(Player::First),
            Some(Whole(1)) => Ok(Player::Second),
            Some(number) => Err(value_error(format!("player {number}: the players are 0, who moves first, and 1."))),
        }
    }

    /// The game in progress for those who think in whole moves.
    pub fn whole(&self) -> PyResult<Box<dyn AnyLine>> {
        if self.partial.is_none() {
            return Ok(self.line.clone());
        }
        Err(value_error("a move is half made; complete it, or undo its actions."))
    }

    fn act(&mut self, action: Whole) -> PyResult<Option<String>> {
        let chosen = actions::choose(&*self.line, self.partial, self.checked(action)?);
        self.legal.take();
        match chosen {
            Chosen::Partial(partial) => {
                self.partial = partial;
                Ok(None)
            }
            Chosen::Move(play) => {
                play(&mut *self.line);
                self.partial = Partial::NONE;
                Ok(self.line.last_move())
            }
        }
    }

    /// Why an action is not legal.
    fn refused(&self, action: Whole) -> PyErr {
        let all = typed!(self.line, |line| line.game().actions());
        if let Some((outcome, reason)) = self.line.end() {
            return illegal(format!("action {action}: the game is over: {outcome} ({reason})."));
        }
        if !(0..all as i128).contains(&action.0) {
            return illegal(format!("action {action}: this game has the actions 0 to {}.", all - 1));
        }
        illegal(format!("action {action} is not legal here; legal_actions() has those that are."))
    }

    /// The state with some actions on top, which must not complete a move before the last.
    fn after(&self, index: &[Whole]) -> PyResult<(State, Option<String>)> {
        let mut state = self.copy();
        for (taken, action) in index.iter().enumerate() {
            if let Some(mv) = state.act(*action)? {
                let left = index.len() - taken - 1;
                return if left == 0 {
                    Ok((state, Some(mv)))
                } else {
                    Err(illegal(format!("{mv} leaves {left} actions over.")))
                };
            }
        }
        Ok((state, None))
    }
}

/// The last state of a recorded game: ``SPEC; MOVES; RESULT``, as :meth:`State.record` writes it.
///
/// >>> import quintet
/// >>> quintet.from_record("pylos; 1.1b2 2.1c3; *").moves
/// ['1b2', '1c3']
#[pyfunction]
pub fn from_record(text: &str) -> PyResult<State> {
    let (line, wrong) = Record::read(text).and_then(|record| record.replay()).map_err(value_error)?;
    wrong.map_or_else(|| Ok(State::new(line)), |wrong| Err(illegal(wrong)))
}

/// What a pickle holds; see [`_restore`].
type Pickled = (String, Option<String>, Vec<String>, Vec<u16>);

/// From what a pickle holds: spec, first position unless it is the game's own, moves, and the actions of a half-made move.
#[pyfunction]
pub fn _restore(spec: &str, start: Option<&str>, moves: Vec<String>, pending: Vec<Whole>) -> PyResult<State> {
    let spec = GameSpec::parse(spec).map_err(value_error)?;
    let mut line = match start {
        Some(text) => spec.line_at(text).map_err(value_error)?,
        None => spec.line(),
    };
    for mv in &moves {
        line.try_play(mv).map_err(illegal)?;
    }
    Ok(State::new(line).after(&pending)?.0)
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { spec: self.line.spec() }
    }

    /// The side to move: 0 for the first player, 1 for the second.
    #[getter]
    fn to_move(&self) -> usize {
        self.line.to_move().index()
    }

    /// The number of moves played.
    #[getter]
    fn plies(&self) -> usize {
        self.line.plies()
    }

    /// The moves played.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.line.moves()
    }

    /// The actions of a half-made move; empty except in the middle of a move of Pylos.
    #[getter]
    fn pending(&self) -> Vec<u16> {
        self.partial.actions().to_vec()
    }

    /// All legal moves as text; none when the game is over. Of a half-made move, its completions.
    fn legal_moves(&self) -> Vec<String> {
        if self.partial.is_none() { self.line.legal_moves() } else { actions::completions(&*self.line, self.partial) }
    }

    /// The legal actions, in a fixed order.
    ///
    /// >>> import quintet
    /// >>> quintet.load("pylos").start().legal_actions()
    /// [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let numbers = integers(py);
        PyList::new(py, self.legal().iter().map(|action| numbers[usize::from(*action)].bind(py)))
    }

    /// For every action whether it is legal: an array of bool of length :attr:`Game.num_actions`.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; typed!(self.line, |line| line.game().actions())];
        for action in self.legal() {
            mask[usize::from(*action)] = true;
        }
        mask.into_pyarray(py)
    }

    /// Plays a move, given as text or as an action, and gives it back in its usual spelling; None if the move is still half made. A bad
    /// move raises :class:`IllegalMove` and changes nothing.
    fn play(&mut self, mv: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let Ok(text) = mv.cast::<PyString>() else { return self.act(mv.extract()?) };
        if !self.partial.is_none() {
            return Err(illegal("a move is half made; complete it by actions, or undo them."));
        }
        let played = self.line.try_play(&text.to_cow()?).map_err(illegal)?;
        self.legal.take();
        Ok(Some(played))
    }

    /// Takes the last move back and gives it; None at the start. Of a half-made move, takes the last action back and gives None.
    fn undo(&mut self) -> PyResult<Option<String>> {
        self.legal.take();
        if self.partial.is_none() {
            return Ok(self.line.undo());
        }
        let taken = self.partial;
        self.partial = Partial::NONE;
        for action in taken.actions().split_last().into_iter().flat_map(|(_, kept)| kept) {
            self.act(Whole((*action).into()))?;
        }
        Ok(None)
    }

    /// The actions of a legal move: one, in Pylos up to three.
    ///
    /// >>> import quintet
    /// >>> state = quintet.load("pentago").start()
    /// >>> state.move_to_index("a1q1r"), state.index_to_move(36)
    /// ((36,), 'a1q1r')
    fn move_to_index<'py>(&self, py: Python<'py>, mv: &str) -> PyResult<Bound<'py, PyTuple>> {
        let index = actions::sequence(&*self.whole()?, mv).map_err(illegal)?;
        PyTuple::new(py, index)
    }

    /// The move of an action, or of several that make a move.
    fn index_to_move(&self, index: Index) -> PyResult<String> {
        let index = match index {
            Index::One(action) => vec![action],
            Index::All(index) => index,
        };
        let made = self.after(&index)?.1;
        made.ok_or_else(|| {
            let index: Vec<i128> = index.iter().map(|action| action.0).collect();
            illegal(format!("the actions {index:?} are the beginning of a move: more must follow."))
        })
    }

    /// A legal action as text: the move, if it completes one.
    ///
    /// >>> import quintet
    /// >>> quintet.load("twixt(size=8)").start().action_text(9)
    /// 'b2'
    fn action_text(&self, action: Whole) -> PyResult<String> {
        Ok(actions::name(&*self.line, self.partial, self.checked(action)?))
    }

    /// What a net reads: an array of float32 of :attr:`Game.tensor_shape`, seen by the side to move, or by ``player`` (0 or 1), who may be the
    /// one that waits: own pieces are then that player's, and in TwixT the board is turned as that player sees it. :attr:`Game.planes` names its channels.
    ///
    /// >>> import quintet
    /// >>> state = quintet.load("pentago").start()
    /// >>> state.tensor().shape == quintet.load("pentago").tensor_shape
    /// True
    /// >>> state.play("a1q1r")
    /// 'a1q1r'
    /// >>> float(state.tensor(player=0)[0].sum()), float(state.tensor(player=1)[0].sum())
    /// (1.0, 0.0)
    #[pyo3(signature = (player=None))]
    fn tensor<'py>(&self, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let channels = actions::channels(&*self.line, self.partial, self.viewer(player)?);
        let numbers = Array3::from_shape_vec(self.game().shape(), channels);
        Ok(numbers.map_err(value_error)?.into_pyarray(py))
    }

    /// The same packed: an array of uint32 with a word per cell of the grid, which :meth:`Game.unpack` reads.
    #[pyo3(signature = (player=None))]
    fn packed<'py>(&self, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let [_, rows, columns] = self.game().shape();
        let words = actions::packed(&*self.line, self.partial, self.viewer(player)?);
        let words = Array2::from_shape_vec((rows, columns), words).map_err(value_error)?;
        Ok(words.into_pyarray(py))
    }

    /// A copy with its history.
    fn copy(&self) -> State {
        State { line: self.line.clone(), partial: self.partial, legal: self.legal.clone() }
    }

    /// ``'first'``, ``'second'`` or ``'draw'`` when the game is over, else None.
    fn outcome(&self) -> Option<&'static str> {
        self.line.end().map(|(outcome, _)| outcome.name())
    }

    /// Why the game is over, in a few words such as ``'five'`` or ``'third repetition'``; None while it goes on.
    fn reason(&self) -> Option<String> {
        self.line.end().map(|(_, reason)| reason.to_string())
    }

    /// Is the game over?
    fn is_over(&self) -> bool {
        self.line.end().is_some()
    }

    /// What each player gets: 1 for a win, -1 for a loss, 0 for a draw and while the game goes on.
    fn returns(&self) -> (f64, f64) {
        match self.line.end() {
            Some((Outcome::Win(Player::First), _)) => (1.0, -1.0),
            Some((Outcome::Win(Player::Second), _)) => (-1.0, 1.0),
            Some((Outcome::Draw, _)) | None => (0.0, 0.0),
        }
    }

    /// The position as text, which :meth:`Game.from_text` reads. It does not say what was played before.
    fn to_text(&self) -> String {
        self.line.position()
    }

    /// The whole game as one line of text, which :func:`from_record` reads.
    fn record(&self) -> String {
        Record::of(&*self.line, ["", ""], None).to_string()
    }

    /// A hash of the position in 64 bits, the same on every machine: a key for tables of transpositions. Equal positions have equal keys;
    /// the history does not count.
    fn key(&self) -> u64 {
        typed!(self.line, |line| line.game().key(line.position()))
    }

    /// The images of the position under the symmetries of the board that hold here, itself first. Images have no history.
    ///
    /// >>> import quintet
    /// >>> state = quintet.load("pentago").start()
    /// >>> len(state.symmetries())
    /// 8
    fn symmetries(&self) -> Vec<State> {
        let spec = self.line.spec();
        typed!(self.line, |line| {
            let (game, pos) = (line.game(), line.position());
            let images = game.symmetries(pos).iter().map(|symmetry| line.at(game.map_position(*symmetry, pos)));
            images.map(|line| State::new(<dyn AnyLine>::new(spec, line))).collect()
        })
    }

    /// The text of the representative of the position and all its symmetric images.
    ///
    /// >>> import quintet
    /// >>> state = quintet.load("pentago").start()
    /// >>> _ = state.play("a1q2r")
    /// >>> len({image.canonical() for image in state.symmetries()})
    /// 1
    fn canonical(&self) -> String {
        typed!(self.line, |line| quintet_game::canonical(line.game(), line.position()).0)
    }

    /// A picture of the position as an SVG document. Notebooks show a state by it.
    fn svg(&self) -> String {
        quintet_draw::svg(&*self.line)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        quintet_draw::text(&*self.line, false).trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("<quintet.State {}>", self.record())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<State>().is_ok_and(|other| {
            let other = other.borrow();
            self.line.spec() == other.line.spec()
                && self.line.position() == other.line.position()
                && self.line.moves() == other.line.moves()
                && self.partial == other.partial
        })
    }

    fn __copy__(&self) -> State {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let restore = py.import("quintet._quintet")?.getattr("_restore")?;
        Ok((restore, (self.line.spec().to_string(), self.line.begun_from(), self.line.moves(), self.pending())))
    }
}
