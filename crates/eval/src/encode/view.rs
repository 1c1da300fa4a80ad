//! Symmetries of packed positions as tables.

use quintet_game::Symmetry;

use super::{Encode, cells};

/// A symmetry of packed positions, planes and policies as tables of sources: the image at `i` is what stood at `table[i]`.
#[derive(Clone, Debug)]
pub struct View {
    /// The symmetry.
    pub symmetry: Symmetry,
    /// For each cell of the grid.
    pub cells: Vec<u16>,
    /// For each of [`Encode::planes`].
    pub planes: Vec<u16>,
    /// For each action.
    pub actions: Vec<u16>,
    /// The image of each action, the inverse of `actions`.
    images: Vec<u16>,
    /// The image of each byte of a word.
    bytes: Box<[[u32; 256]; 4]>,
}

/// The symmetries of a game's packed positions, the identity first.
///
/// ```
/// use quintet_eval::encode::views;
/// use quintet_game::pentago::Pentago;
/// let views = views(&Pentago::standard());
/// assert_eq!(views.len(), 8);
/// assert_eq!(views[1].cells[0], 35); // the half turn
/// ```
pub fn views<G: Encode>(game: &G) -> Vec<View> {
    game.views().iter().map(|symmetry| View::new(game, *symmetry)).collect()
}

impl View {
    fn new<G: Encode>(game: &G, symmetry: Symmetry) -> View {
        let (rows, columns) = game.grid();
        let mut sources = vec![0; cells(game)];
        for cell in 0..sources.len() {
            let (x, y) = symmetry.cell((cell % columns, cell / columns), (columns, rows));
            sources[columns * y + x] = cell as u16;
        }
        let images: Vec<u16> = (0..game.actions() as u16).map(|action| game.map_action(symmetry, action)).collect();
        let mut actions = vec![0; images.len()];
        for (action, image) in images.iter().enumerate() {
            actions[usize::from(*image)] = action as u16;
        }
        let image = |mask| game.map_word(symmetry, mask);
        let source = |to: &super::Plane| {
            let from = |plane: &super::Plane| image(plane.mask) == to.mask && plane.value.map(image) == to.value;
            game.planes().iter().position(from).expect("the planes have the symmetries of the words") as u16
        };
        let planes = game.planes().iter().map(source).collect();
        let mut bytes = Box::new([[0; 256]; 4]);
        for (place, table) in bytes.iter_mut().enumerate() {
            for (byte, word) in table.iter_mut().enumerate() {
                *word = image((byte as u32) << (8 * place));
            }
        }
        View { symmetry, cells: sources, planes, actions, images, bytes }
    }

    /// The image of a packed position.
    pub fn map_words(&self, words: &[u32], out: &mut [u32]) {
        for (image, source) in out.iter_mut().zip(&self.cells) {
            let bytes = words[usize::from(*source)].to_le_bytes();
            *image = bytes.iter().zip(&*self.bytes).fold(0, |word, (byte, table)| word | table[usize::from(*byte)]);
        }
    }

    /// The image of an action.
    #[inline]
    #[must_use]
    pub fn map_action(&self, action: u16) -> u16 {
        self.images[usize::from(action)]
    }

    /// The image of numbers for all actions, such as a policy.
    pub fn map_policy<T: Copy>(&self, policy: &[T], out: &mut [T]) {
        for (image, source) in out.iter_mut().zip(&self.actions) {
            *image = policy[usize::from(*source)];
        }
    }
}
