//! The HTTP routes: one list, from which the router is built and against which `openapi.json` is tested.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{delete, get, post};

use crate::{App, api, experiments, people, reports, tournaments, training};

/// The routes under `/api`, and a list of them.
pub struct Routes {
    /// Answers them.
    pub router: Router<Arc<App>>,
    /// Method and path.
    pub list: Vec<(&'static str, &'static str)>,
}

impl Routes {
    /// All of them.
    pub fn new() -> Routes {
        Routes { router: Router::new(), list: Vec::new() }
            .get("/openapi.json", api::openapi)
            .get("/games", api::games)
            .get("/agents", api::agents)
            .get("/levels", api::levels)
            .get("/evaluations", api::evaluations)
            .post("/position", api::position)
            .post("/explain", api::explain)
            .post("/picture", api::picture)
            .post("/import", api::import)
            .post("/export", api::export)
            .post("/exact", api::exact)
            .post("/trace", api::trace)
            .get("/puzzles", api::puzzles)
            .post("/rooms", api::make_room)
            .post("/rooms/mine", api::my_rooms)
            .get("/rooms/{id}", api::show_room)
            .delete("/rooms/{id}", api::delete_room)
            .post("/rooms/{id}/claim", api::claim_seat)
            .get("/people", people::results)
            .get("/tournaments", tournaments::list)
            .post("/tournaments", tournaments::begin)
            .get("/tournaments/{run}", tournaments::show)
            .get("/tournaments/{run}/games", tournaments::games)
            .post("/tournaments/{run}/stop", tournaments::stop)
            .post("/tournaments/{run}/resume", tournaments::resume)
            .get("/recipes", training::recipes)
            .get("/training", training::list)
            .post("/training", training::begin)
            .get("/training/{name}", training::show)
            .get("/training/{name}/{file}", training::file)
            .post("/training/{name}/stop", training::stop)
            .post("/training/{name}/resume", training::resume)
            .post("/training/{name}/snapshots/{file}", training::use_snapshot)
            .get("/experiments", experiments::list)
            .post("/experiments", experiments::begin)
            .post("/experiments/{name}/stop", experiments::stop)
            .get("/reports", reports::list)
            .get("/reports/{name}", reports::show)
            .get("/reports/{name}/{file}", reports::file)
            .get("/maps", reports::maps)
    }

    fn get<T: 'static>(mut self, path: &'static str, handler: impl Handler<T, Arc<App>>) -> Routes {
        self.list.push(("get", path));
        Routes { router: self.router.route(path, get(handler)), ..self }
    }

    fn post<T: 'static>(mut self, path: &'static str, handler: impl Handler<T, Arc<App>>) -> Routes {
        self.list.push(("post", path));
        Routes { router: self.router.route(path, post(handler)), ..self }
    }

    fn delete<T: 'static>(mut self, path: &'static str, handler: impl Handler<T, Arc<App>>) -> Routes {
        self.list.push(("delete", path));
        Routes { router: self.router.route(path, delete(handler)), ..self }
    }
}

/// All endpoints: method and path, as in `openapi.json`.
///
/// ```
/// assert!(quintet_server::endpoints().contains(&("get", "/api/games".into())));
/// ```
#[must_use]
pub fn endpoints() -> Vec<(&'static str, String)> {
    Routes::new().list.into_iter().map(|(method, path)| (method, format!("/api{path}"))).collect()
}
