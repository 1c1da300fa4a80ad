//! Work that waits for the disk, away from the threads that answer.

use std::sync::Arc;

use quintet_api::ApiError;

use crate::App;
use crate::error::HttpError;

/// Runs `work` on a thread that may block.
pub async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, HttpError> {
    let app = Arc::clone(app);
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    Ok(done.map_err(ApiError::invalid)??)
}
