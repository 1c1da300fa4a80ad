//! Matches, tournaments, statistics, and a store of games.
//!
//! * A [`Plan`] says what is played; [`run`] plays it, with the same games on any number of threads ([`Hands`]); [`Results`] are derived from the games alone.
//! * A `Store` (the feature `store`, on by default) makes every finished game durable, so that a killed run can be resumed.
//! * [`stats`] says what the numbers mean.
//!
//! ```
//! use quintet_agent::Catalogue;
//! use quintet_arena::{Length, Plan, run};
//! use quintet_game::Stop;
//! let plan = Plan::duel("pylos", ["pylos:minimax", "random"], Length::Games(6)).unwrap();
//! let results = run(&plan, Catalogue::embedded(), Vec::new(), 2, &Stop::never(), &mut |_| Ok(())).unwrap();
//! assert_eq!(results.wdl(0, 1).n(), 6);
//! println!("{}", results.pairs(0, 1).summary().unwrap().interval());
//! ```
//!
//! # Features
//! Both are on by default.
//!
//! * `store`: the store of games. It brings SQLite, which takes minutes to compile.
//! * `threads`: several threads per search, and outside engines as players. A browser has neither.

mod adjudication;
mod arbiter;
mod hands;
mod identity;
mod openings;
mod plan;
mod rating_list;
mod results;
mod runner;
pub mod stats;
#[cfg(feature = "store")]
mod store;
mod summary;
mod tournament_file;
mod value_kept;
mod verify;

pub use adjudication::Adjudication;
pub use arbiter::{Arbiter, Cost, Played, Refereed, panic_text, play, referee};
pub use hands::{Hands, Missing, Threads};
pub use identity::Identity;
pub use openings::{Openings, OpeningsError};
pub use plan::{Contestant, Fixture, Format, Length, MAX_PLIES, Plan};
pub use rating_list::{MeasuredMatch, Rated, RatingFile};
pub use results::Results;
pub use runner::{RunError, check_players, run, run_by};
#[cfg(feature = "store")]
pub use store::{RunInfo, Store, StoreError, StoredGame};
pub use summary::wdl_json;
pub use tournament_file::{MOST, TournamentFile, TournamentFileError};
pub use value_kept::{KnownPosition, OwnGames, Part, ValueKept};
pub use verify::verify;
