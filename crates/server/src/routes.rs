//! The HTTP routes: one list, from which the router is built and against which `openapi.json` is tested.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::handler::Handler;
use axum::http::HeaderMap;
use axum::routing::{delete, get, post};
use quintet_api::Question;
use serde_json::Value;

use crate::client::Client;
use crate::error::{Body, Query};
use crate::{App, api, experiments, people, reports, tournaments, training};

/// The routes under `/api`, and a list of them.
pub struct Routes {
    /// Answers them.
    pub router: Router<Arc<App>>,
    /// Method and path.
    pub list: Vec<(&'static str, String)>,
}

impl Routes {
    /// All of them.
    pub fn new() -> Routes {
        let mut routes = Routes { router: Router::new(), list: Vec::new() }.get("/openapi.json", api::openapi);
        for name in Question::LISTS {
            let list = async move |State(app): State<Arc<App>>,
                                   client: Client,
                                   headers: HeaderMap,
                                   Query(of): Query<api::Of>| {
                api::ask(app, client, name, of.game, Value::Null, &headers).await
            };
            routes = routes.get(&format!("/{name}"), list);
        }
        for name in Question::POSTED {
            let answer = async move |State(app): State<Arc<App>>,
                                     client: Client,
                                     headers: HeaderMap,
                                     Body(posted): Body<Value>| {
                api::ask(app, client, name, None, posted, &headers).await
            };
            routes = routes.post(&format!("/{name}"), answer);
        }
        routes
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

    fn get<T: 'static>(mut self, path: &str, handler: impl Handler<T, Arc<App>>) -> Routes {
        self.list.push(("get", path.to_owned()));
        Routes { router: self.router.route(path, get(handler)), ..self }
    }

    fn post<T: 'static>(mut self, path: &str, handler: impl Handler<T, Arc<App>>) -> Routes {
        self.list.push(("post", path.to_owned()));
        Routes { router: self.router.route(path, post(handler)), ..self }
    }

    fn delete<T: 'static>(mut self, path: &str, handler: impl Handler<T, Arc<App>>) -> Routes {
        self.list.push(("delete", path.to_owned()));
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
