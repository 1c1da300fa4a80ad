//! The API of the page inside a browser: the second transport of `quintet_api`, beside the HTTP server.
//!
//! A [`Worker`] answers what the page would ask a server: questions, analyses, reviews, games against agents. Everything is text in and text out, so
//! that the module's edge stays small; `web/js/local` is the other side of it. Nothing is kept here but the agent that moved last and a review that is under way: the page stores rooms
//! and hands them in with each request. Files that are too large to be part of the module are named in an answer `needs`; the page fetches them,
//! [supplies](Worker::supply) them and asks again.
//!
//! ```
//! use quintet_wasm::Worker;
//! let mut worker = Worker::new("{}").unwrap();
//! let answer = worker.question(r#"{"name":"position","posted":{"game":"pylos","moves":["1b2"]}}"#);
//! assert!(answer.starts_with(r#"{"ok":{"#), "{answer}");
//! ```

mod files;
mod matches;
mod rooms;
mod worker;

pub use worker::Worker;

/// The exports of the module.
#[cfg(target_family = "wasm")]
mod exports {
    use wasm_bindgen::prelude::*;

    use crate::Worker;

    #[wasm_bindgen]
    extern "C" {
        /// What the worker's script does with an event of a search.
        fn heard(event: &str);
        /// What it does with the last words of a program that has failed.
        fn failed(words: &str);
    }

    /// See [`Worker`].
    #[wasm_bindgen]
    pub struct Engine(Worker);

    #[wasm_bindgen]
    impl Engine {
        /// See [`Worker::new`].
        #[wasm_bindgen(constructor)]
        pub fn new(files: &str) -> Result<Engine, String> {
            std::panic::set_hook(Box::new(|panic| failed(&panic.to_string())));
            Worker::new(files).map(Engine)
        }

        /// See [`Worker::supply`].
        pub fn supply(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
            self.0.supply(name, bytes)
        }

        /// See [`Worker::withhold`].
        pub fn withhold(&mut self, name: &str) {
            self.0.withhold(name);
        }

        /// See [`Worker::question`].
        pub fn question(&mut self, asked: &str) -> String {
            self.0.question(asked)
        }

        /// See [`Worker::room`].
        pub fn room(&mut self, asked: &str) -> String {
            self.0.room(asked)
        }

        /// See [`Worker::search`].
        pub fn search(&mut self, asked: &str) -> String {
            self.0.search(asked, &mut |event| heard(&event))
        }

        /// See [`Worker::review`].
        pub fn review(&mut self, asked: &str) -> String {
            self.0.review(asked)
        }

        /// See [`Worker::step`].
        pub fn step(&mut self, stopped: bool) -> String {
            self.0.step(stopped)
        }

        /// See [`Worker::play`].
        pub fn play(&mut self, asked: &str) -> String {
            self.0.play(asked)
        }

        /// See [`Worker::measure`].
        pub fn measure(&mut self, asked: &str) -> String {
            self.0.measure(asked)
        }
    }
}
