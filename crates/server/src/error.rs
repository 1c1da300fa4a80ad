//! Refusals as HTTP answers, those of the framework too: every answer is JSON.

use axum::Json;
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::header::RETRY_AFTER;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_api::{ApiError, ErrorKind};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The result of most requests.
pub type JsonAnswer = Result<Json<Value>, HttpError>;

/// A refusal as a response.
#[derive(Debug)]
pub enum HttpError {
    /// With the status of its kind.
    Api(ApiError),
    /// A request that the framework cannot read, with its own status.
    Unreadable(StatusCode, String),
}

impl From<ApiError> for HttpError {
    fn from(error: ApiError) -> HttpError {
        HttpError::Api(error)
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        match self {
            HttpError::Unreadable(status, why) => refuse(status, &why),
            HttpError::Api(ApiError { kind, body }) => {
                let status = StatusCode::from_u16(kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let mut response = (status, Json(body)).into_response();
                if kind == ErrorKind::Busy {
                    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
                }
                response
            }
        }
    }
}

/// A refusal with a status that the API has no kind for.
pub fn refuse(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}

/// The body of a request, which must be JSON of this form.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, HttpError> {
        let read = Json::from_request(request, state).await;
        read.map(|Json(body)| Body(body)).map_err(|error| HttpError::Unreadable(error.status(), error.body_text()))
    }
}

/// The query of a request.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, HttpError> {
        let read = extract::Query::from_request_parts(parts, state).await;
        read.map(|extract::Query(query)| Query(query))
            .map_err(|error| HttpError::Unreadable(error.status(), error.body_text()))
    }
}

/// The names in the path of a request.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, HttpError> {
        let read = extract::Path::from_request_parts(parts, state).await;
        read.map(|extract::Path(path)| Path(path))
            .map_err(|error| HttpError::Unreadable(error.status(), error.body_text()))
    }
}
