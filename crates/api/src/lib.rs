//! What programs ask and what they are told: requests in, answers out. No sockets, no files, no threads.
//!
//! * [`jsonl`] is the frame of every question that comes as a line of JSON.
//! * [`replay`] answers with how a whole game went.
//!
//! ```
//! let answer = quintet_api::replay::answer(br#"{"id":1,"game":"pylos","moves":["1b2"]}"#);
//! assert!(answer.starts_with(r#"{"id":1,"legal_counts":[16,15]"#));
//! ```

pub mod jsonl;
pub mod replay;
