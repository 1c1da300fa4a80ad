//! Numbers as Python has them: integers of any size, and arrays whose elements may lie anywhere.

use std::borrow::Cow;
use std::fmt;

use numpy::ndarray::Dimension;
use numpy::{Element, PyReadonlyArray};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyInt;

use crate::errors::value_error;

/// A whole number; one beyond `i128` is its nearest end, which lies outside every range.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Whole(pub i128);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        let too_large = |error: &PyErr| error.is_instance_of::<PyOverflowError>(object.py());
        match object.extract::<i64>() {
            Err(error) if too_large(&error) => {}
            number => return Ok(Whole(number?.into())),
        }
        match object.extract::<i128>() {
            Err(error) if too_large(&error) => Ok(Whole(if object.lt(0)? { i128::MIN } else { i128::MAX })),
            number => Ok(Whole(number?)),
        }
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            i128::MIN => f.write_str("below -10^38"),
            i128::MAX => f.write_str("above 10^38"),
            number => number.fmt(f),
        }
    }
}

/// For `from_py_with`: a [`Whole`] as a plain number, so that its default is a literal, which Python shows.
pub fn whole(object: &Bound<'_, PyAny>) -> PyResult<i128> {
    object.extract().map(|Whole(number)| number)
}

/// The number of an argument, if it is in its range, ends included.
pub fn within<T>(name: &str, number: i128, least: T, most: T) -> PyResult<T>
where
    T: TryFrom<i128> + PartialOrd + fmt::Display,
{
    let found = T::try_from(number).ok().filter(|number| (&least..=&most).contains(&number));
    found.ok_or_else(|| value_error(format!("{name} is {}: it must be from {least} to {most}.", Whole(number))))
}

/// The same where None is allowed.
pub fn within_or_none<T>(name: &str, number: Option<Whole>, least: T, most: T) -> PyResult<Option<T>>
where
    T: TryFrom<i128> + PartialOrd + fmt::Display,
{
    number.map(|Whole(number)| within(name, number, least, most)).transpose()
}

/// The elements of an array, copied only if they do not stand one after another.
pub fn contiguous<'a, T: Element + Copy, D: Dimension>(array: &'a PyReadonlyArray<'_, T, D>) -> Cow<'a, [T]> {
    match array.as_slice() {
        Ok(numbers) => Cow::Borrowed(numbers),
        Err(_) => Cow::Owned(array.as_array().iter().copied().collect()),
    }
}

/// The numbers of actions as integers of Python, which are made once; no game has more than these.
pub fn integers(py: Python<'_>) -> &[Py<PyInt>] {
    static INTEGERS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
    INTEGERS.get_or_init(py, || (0..1024u16).map(|number| PyInt::new(py, number).unbind()).collect())
}
