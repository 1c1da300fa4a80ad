//! Why a request cannot be answered.

use std::fmt;

use serde_json::{Value, json};

/// What kind of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request makes no sense, for the reason given.
    Invalid,
    /// There is no such thing.
    NotFound,
    /// It belongs to another user.
    Forbidden,
    /// It is not possible in the present state.
    Conflict,
    /// Too much is being done already; try again later.
    Busy,
    /// It could not be stored.
    Storage,
    /// The program itself has failed.
    Broken,
}

impl ErrorKind {
    /// The status by which HTTP calls it.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            ErrorKind::Invalid => 422,
            ErrorKind::NotFound => 404,
            ErrorKind::Forbidden => 403,
            ErrorKind::Conflict => 409,
            ErrorKind::Busy => 503,
            ErrorKind::Storage => 507,
            ErrorKind::Broken => 500,
        }
    }
}

/// A refusal: a sentence, and perhaps more.
///
/// ```
/// use quintet_api::{ApiError, ErrorKind};
/// let error = ApiError::invalid("a game has at most 1000 plies here");
/// assert_eq!(error.kind, ErrorKind::Invalid);
/// assert_eq!(error.body["error"], "a game has at most 1000 plies here");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// The kind.
    pub kind: ErrorKind,
    /// A JSON object with at least the sentence, as `error`.
    pub body: Value,
}

impl ApiError {
    /// A refusal of some kind.
    pub fn new(kind: ErrorKind, why: impl fmt::Display) -> ApiError {
        ApiError { kind, body: json!({ "error": why.to_string() }) }
    }

    /// The request makes no sense, for the reason given.
    pub fn invalid(why: impl fmt::Display) -> ApiError {
        ApiError::new(ErrorKind::Invalid, why)
    }

    /// There is no such thing.
    pub fn missing(what: impl fmt::Display) -> ApiError {
        ApiError::new(ErrorKind::NotFound, what)
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> ApiError {
        self.body[key] = value.into();
        self
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.body["error"].as_str().unwrap_or_default())
    }
}

impl std::error::Error for ApiError {}
