//! The sentences of the library as Python's exceptions.

use std::fmt::Display;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    quintet,
    IllegalMove,
    PyValueError,
    "A move that the rules refuse, or a text that names no move. The state is unchanged, and the sentence says why.\n\n\
     >>> import quintet\n\
     >>> state = quintet.load(\"pylos\").start()\n\
     >>> state.play(\"2a1\")\n\
     Traceback (most recent call last):\n    \
     ...\n\
     quintet.IllegalMove: move 1 \"2a1\": 2a1 needs 1a1 and 1b1 and 1a2 and 1b2, which are empty."
);

/// What is wrong with an argument.
pub fn value_error(why: impl Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// An argument of another type than is wanted.
pub fn type_error(why: impl Display) -> PyErr {
    PyTypeError::new_err(why.to_string())
}

/// What is wrong with a move.
pub fn illegal(why: impl Display) -> PyErr {
    IllegalMove::new_err(why.to_string())
}

/// What failed although the arguments were right.
pub fn failure(why: impl Display) -> PyErr {
    PyRuntimeError::new_err(why.to_string())
}
