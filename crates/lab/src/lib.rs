//! Long work, written once for the command line, the page and other programs: how it is started, resumed and followed.
//!
//! * A [`Tournament`] is a plan whose games are kept in the store.
//! * A [`Training`] is a recipe at work in a folder; it ends with weights whose strength is measured. A [`TrainingFolder`] shows one as it lies on the disk.
//! * A [`Reproduction`] is an experiment of a paper at work in a folder; it ends with a report.
//!
//! Each of them keeps what it has done before it counts, stops when it is told to, and continues where it was left. Those who follow it are called
//! at every step. What it writes has one owner at a time, by a [`Lock`]; readers need none.

mod lock;
mod reproduction;
mod run_folders;
mod store_games;
mod tournament;
mod training;
mod training_folder;

pub use lock::{Holder, Lock, LockError};
pub use reproduction::{Reproduction, ReproductionError};
pub use run_folders::{files_of, run_folder, run_folders};
pub use store_games::{CopyError, StoreGames, StoreGamesError};
pub use tournament::{Tournament, TournamentError};
pub use training::{Trained, Training, TrainingError, TrainingRequest, install, median};
pub use training_folder::{InstalledWeights, SnapshotError, TrainingFolder};
