//! Refusals as HTTP answers.

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_api::{ApiError, ErrorKind};
use serde_json::{Value, json};

use crate::pool::Busy;

/// The result of most requests.
pub type Answer = Result<Json<Value>, HttpError>;

/// A refusal as a response.
#[derive(Debug)]
pub struct HttpError(pub ApiError);

impl From<ApiError> for HttpError {
    fn from(error: ApiError) -> HttpError {
        HttpError(error)
    }
}

impl From<Busy> for HttpError {
    fn from(busy: Busy) -> HttpError {
        HttpError(busy.into())
    }
}

impl From<Busy> for ApiError {
    fn from(busy: Busy) -> ApiError {
        ApiError::new(ErrorKind::Busy, busy).with("code", "busy").with("retry_after", 1)
    }
}

/// The status of a refusal.
pub fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Storage => StatusCode::INSUFFICIENT_STORAGE,
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let HttpError(ApiError { kind, body }) = self;
        let mut response = (status(kind), Json(body)).into_response();
        if kind == ErrorKind::Busy {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// A refusal with a status that the API has no kind for.
pub fn refuse(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}
