//! A game: the rules in one variant and size.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use numpy::{IntoPyArray as _, PyArray2, PyArray4, PyArrayMethods as _, PyReadonlyArray3, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quintet_eval::encode::{Encode as _, Output, cells, unpack, views};
use quintet_game::registry::Values;
use quintet_game::{GAMES, GameSpec, with_game};

use crate::errors::value_error;
use crate::numbers::contiguous;
use crate::state::State;
use crate::symmetry::Symmetry;

/// A game in one variant and size. Made by :func:`load`.
///
/// >>> import quintet
/// >>> game = quintet.load("twixt(size=8)")
/// >>> game
/// quintet.load('twixt(size=8)')
/// >>> game.title, game.sides, game.options["swap"]
/// ('TwixT', ('red', 'black'), 'mirror')
/// >>> game == quintet.load("twixt(size=8,swap=mirror)")
/// True
#[pyclass(module = "quintet", frozen)]
#[derive(Clone, Copy)]
pub struct Game {
    pub spec: GameSpec,
}

/// A plane with its name.
type NamedPlane<'py> = (&'static str, Bound<'py, PyArray2<f32>>);

/// The game that a spec names: a name, or a name with options in brackets.
///
/// >>> import quintet
/// >>> quintet.load("pylos(rules=expert)").start().legal_moves()[:3]
/// ['1a1', '1b1', '1c1']
/// >>> quintet.load("chess")
/// Traceback (most recent call last):
///     ...
/// ValueError: "chess" is not a game; the games are pathwayz, pylos, twixt, pentago-twist, pentago.
#[pyfunction]
pub fn load(spec: &str) -> PyResult<Game> {
    Ok(Game { spec: GameSpec::parse(spec).map_err(value_error)? })
}

/// The names of all games.
///
/// >>> import quintet
/// >>> quintet.games()
/// ['pathwayz', 'pylos', 'twixt', 'pentago-twist', 'pentago']
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    GAMES.iter().map(|info| info.name).collect()
}

impl Game {
    /// Channels, rows, columns.
    pub fn shape(&self) -> [usize; 3] {
        with_game!(self.spec, |game| {
            let (rows, columns) = game.grid();
            [game.planes().len() + game.fixed().len(), rows, columns]
        })
    }
}

#[pymethods]
impl Game {
    /// The spec, as short as it can be written.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The name in specs, without options.
    #[getter]
    fn name(&self) -> &'static str {
        self.spec.info().name
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.spec.info().title
    }

    /// What the game is about, in one sentence.
    #[getter]
    fn about(&self) -> &'static str {
        self.spec.info().about
    }

    /// What the two sides are called, the first player's first.
    #[getter]
    fn sides(&self) -> (&'static str, &'static str) {
        let [first, second] = self.spec.info().sides;
        (first, second)
    }

    /// Every option with its value.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for option in self.spec.info().options {
            match option.values {
                Values::Range(..) => options.set_item(option.key, self.spec.number(option.key))?,
                Values::Words(_) => options.set_item(option.key, self.spec.word(option.key))?,
            }
        }
        Ok(options)
    }

    /// The number of different actions: moves, or in Pylos parts of moves, as numbers.
    #[getter]
    fn num_actions(&self) -> usize {
        with_game!(self.spec, |game| game.actions())
    }

    /// The shape of :meth:`State.tensor`: channels, rows, columns.
    #[getter]
    fn tensor_shape(&self) -> (usize, usize, usize) {
        self.shape().into()
    }

    /// The channels of a tensor that change with the position: (name, mask, value). In a packed word the channel is 1 where
    /// ``word & mask == value``; where value is None it is ``(word & mask) / mask``. Fixed channels follow them: :attr:`fixed_planes`.
    ///
    /// >>> import quintet
    /// >>> [name for name, mask, value in quintet.load("pentago").planes][:3]
    /// ['own', 'opponent', 'empty']
    #[getter]
    fn planes(&self) -> Vec<(&'static str, u32, Option<u32>)> {
        with_game!(self.spec, |game| game.planes().iter().map(|plane| (plane.name, plane.mask, plane.value)).collect())
    }

    /// The last channels of a tensor, which are the same in every position: (name, numbers).
    #[getter]
    fn fixed_planes<'py>(&self, py: Python<'py>) -> PyResult<Vec<NamedPlane<'py>>> {
        let [_, rows, columns] = self.shape();
        let fixed = with_game!(self.spec, |game| game.fixed());
        fixed
            .into_iter()
            .map(|(name, numbers)| Ok((name, numbers.into_pyarray(py).reshape([rows, columns])?)))
            .collect()
    }

    /// What a net answers: the numbers per cell, those that belong to no cell, and for each action which two of them are added to its logit, int32
    /// (actions, 2). They are counted channel by channel, cell by cell, then those without a cell; one more stands for 0.
    ///
    /// >>> import quintet
    /// >>> channels, extra, numbers = quintet.load("twixt(size=8)").net_outputs()
    /// >>> channels, extra, numbers[64].tolist()
    /// (1, 1, [64, 65])
    fn net_outputs<'py>(&self, py: Python<'py>) -> PyResult<(usize, usize, Bound<'py, PyArray2<i32>>)> {
        let (channels, extra, numbers) = with_game!(self.spec, |game| {
            let ((channels, extra), cells) = (game.outputs(), cells(&game));
            let number = |output| match output {
                Output::Cell { channel, cell } => channel * cells + cell,
                Output::Extra(number) => channels * cells + number,
            };
            let pair = |action| {
                let (first, second) = game.output(action);
                [number(first) as i32, second.map_or(channels * cells + extra, number) as i32]
            };
            (channels, extra, (0..game.actions() as u16).flat_map(pair).collect::<Vec<i32>>())
        });
        let count = numbers.len() / 2;
        Ok((channels, extra, numbers.into_pyarray(py).reshape([count, 2])?))
    }

    /// Tensors of packed positions: from an array of uint32 of shape (N, rows, columns) to one of float32 of shape (N, channels, rows, columns).
    fn unpack<'py>(&self, words: PyReadonlyArray3<'py, u32>) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let py = words.py();
        let [channels, rows, columns] = self.shape();
        let (count, given) = (words.shape()[0], [words.shape()[1], words.shape()[2]]);
        if given != [rows, columns] {
            return Err(value_error(format!("{} has {rows} rows and {columns} columns, not {given:?}.", self.spec)));
        }
        let all = contiguous(&words);
        let cells = rows * columns;
        let mut out = vec![0.0; count * channels * cells];
        py.detach(|| {
            with_game!(self.spec, |game| {
                let fixed: Vec<f32> = game.fixed().into_iter().flat_map(|(_, numbers)| numbers).collect();
                for (words, out) in all.chunks_exact(cells).zip(out.chunks_exact_mut(channels * cells)) {
                    let (planes, rest) = out.split_at_mut(channels * cells - fixed.len());
                    unpack(&game, words, planes);
                    rest.copy_from_slice(&fixed);
                }
            });
        });
        out.into_pyarray(py).reshape([count, channels, rows, columns])
    }

    /// The symmetries of tensors and policies, the identity first, for training on all images of a sample.
    ///
    /// >>> import numpy as np
    /// >>> import quintet
    /// >>> game = quintet.load("pentago")
    /// >>> half_turn = game.symmetries()[1]
    /// >>> state = game.start()
    /// >>> _ = state.play("a1q2r")
    /// >>> image = game.from_text("....../....../....../....../....../.....x o")
    /// >>> bool(np.array_equal(half_turn.map_tensor(state.tensor()), image.tensor()))
    /// True
    fn symmetries(&self) -> Vec<Symmetry> {
        let shape = self.shape();
        with_game!(self.spec, |game| views(&game).into_iter().map(|view| Symmetry { view, shape }).collect())
    }

    /// The starting position.
    fn start(&self) -> State {
        State::new(self.spec.line())
    }

    /// The position that a text describes; it has no history. The text is that of :meth:`State.to_text`.
    ///
    /// >>> import quintet
    /// >>> state = quintet.load("pentago").from_text("xxxx../oooo../....../....../....../...... x")
    /// >>> quintet.solve(state).value
    /// 'win'
    #[pyo3(name = "from_text")]
    fn read_position(&self, text: &str) -> PyResult<State> {
        Ok(State::new(self.spec.line_at(text).map_err(value_error)?))
    }

    fn __repr__(&self) -> String {
        format!("quintet.load('{}')", self.spec)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.spec.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("quintet")?.getattr("load")?, (self.spec(),)))
    }
}
