//! Symmetries of what a net reads and answers.

use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2,
    PyReadonlyArray3,
};
use pyo3::prelude::*;
use quintet_eval::encode::View;

use crate::errors::value_error;
use crate::numbers::contiguous;

/// A symmetry of tensors, packed positions and policies. Its tables hold sources: the image at ``i`` is what stood at ``table[i]``.
#[pyclass(module = "quintet", frozen)]
pub struct Symmetry {
    pub view: View,
    /// Channels, rows, columns of a tensor.
    pub shape: [usize; 3],
}

#[pymethods]
impl Symmetry {
    /// Are rows and columns exchanged first?
    #[getter]
    fn transpose(&self) -> bool {
        self.view.symmetry.transpose
    }

    /// Is the board then mirrored left-right?
    #[getter]
    fn flip_x(&self) -> bool {
        self.view.symmetry.flip_x
    }

    /// Is it then mirrored top-bottom?
    #[getter]
    fn flip_y(&self) -> bool {
        self.view.symmetry.flip_y
    }

    /// The source of each cell of the grid, row by row.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        self.view.cells.clone().into_pyarray(py)
    }

    /// The source of each channel of a tensor.
    #[getter]
    fn channels<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        self.sources().into_pyarray(py)
    }

    /// The source of each action.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        self.view.actions.clone().into_pyarray(py)
    }

    /// The image of a tensor.
    fn map_tensor<'py>(&self, tensor: PyReadonlyArray3<'py, f32>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let numbers = contiguous(&tensor);
        let cells = self.view.cells.len();
        if numbers.len() != self.shape.iter().product::<usize>() {
            return Err(value_error(format!("a tensor of this game has the shape {:?}.", self.shape)));
        }
        let plane = |channel: u16| &numbers[usize::from(channel) * cells..][..cells];
        let image = self
            .sources()
            .into_iter()
            .flat_map(|channel| self.view.cells.iter().map(move |cell| plane(channel)[usize::from(*cell)]));
        image.collect::<Vec<f32>>().into_pyarray(tensor.py()).reshape(self.shape)
    }

    /// The image of a packed position.
    fn map_packed<'py>(&self, words: PyReadonlyArray2<'py, u32>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let given = contiguous(&words);
        let [_, rows, columns] = self.shape;
        if given.len() != rows * columns {
            return Err(value_error(format!("a packed position of this game has {rows} rows and {columns} columns.")));
        }
        let mut image = vec![0; given.len()];
        self.view.map_words(&given, &mut image);
        image.into_pyarray(words.py()).reshape([rows, columns])
    }

    /// The image of numbers for all actions, such as a policy or a mask.
    fn map_policy<'py>(&self, policy: PyReadonlyArray1<'py, f32>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let given = contiguous(&policy);
        if given.len() != self.view.actions.len() {
            return Err(value_error(format!("this game has {} actions.", self.view.actions.len())));
        }
        let mut image = vec![0.0; given.len()];
        self.view.map_policy(&given, &mut image);
        Ok(image.into_pyarray(policy.py()))
    }

    fn __repr__(&self) -> String {
        let names = [(self.transpose(), "transpose"), (self.flip_x(), "flip_x"), (self.flip_y(), "flip_y")];
        let names: Vec<&str> = names.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        format!("<quintet.Symmetry {}>", if names.is_empty() { "identity".into() } else { names.join(" ") })
    }
}

impl Symmetry {
    /// The source of each channel; the fixed ones stay where they are.
    fn sources(&self) -> Vec<u16> {
        let moving = self.view.planes.len() as u16;
        self.view.planes.iter().copied().chain(moving..self.shape[0] as u16).collect()
    }
}
