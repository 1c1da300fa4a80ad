//! Batched self-play: many games at once, searched with a net that the caller evaluates, as samples to learn from.
//!
//! * [`SelfPlay`] plays two halves of games in its own threads: while the caller evaluates the positions of one half, the other half
//!   walks its trees. Nothing calls back, so any language can drive it.
//! * [`Config`] says how: Gumbel AlphaZero or PUCT, how many simulations, how games begin and end.
//! * [`Samples`] are what comes out of finished games: positions, policies and values.
//!
//! Positions and actions are those of [`quintet_eval::encode`]. The same seed and the same answers give the same samples in the same order,
//! whatever the number of threads.
//!
//! ```
//! use quintet_game::GameSpec;
//! use quintet_selfplay::{Config, SelfPlay};
//! let spec = GameSpec::parse("pathwayz(rows=2,cols=3)").unwrap();
//! let mut play = SelfPlay::new(&spec, Config { games: 16, simulations: 8, ..Config::default() }, None).unwrap();
//! let mut words = vec![0; play.batch() * play.cells()];
//! // A net would answer with a logit for each action and a value for the side to move.
//! let (logits, values) = (vec![0.0; play.batch() * play.actions()], vec![0.0; play.batch()]);
//! while play.ready() < 50 {
//!     play.step(&mut words).unwrap();
//!     play.answer(&logits, &values).unwrap();
//! }
//! let samples = play.take(50);
//! assert_eq!(samples.len(), 50);
//! assert!(samples.results.iter().all(|result| [-1.0, 0.0, 1.0].contains(result)));
//! ```

mod config;
mod engine;
mod gumbel;
mod math;
mod puct;
mod samples;
mod slot;
mod tree;

pub use config::{Config, Fast, Gumbel, MOST_GAMES, MOST_SIMULATIONS, MOST_THREADS, MOST_WIDTH, Puct, Search};
pub use engine::{EndingHook, SelfPlay, SelfPlayError, Stats};
pub use samples::Samples;
