//! The WebSocket: requests with ids, answers as they arrive.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use quintet_api::{Analyse, ApiError, ReviewEvent, shown_report};
use quintet_game::Stop;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::App;
use crate::pool::{Busy, Ticket};
use crate::search::{BETWEEN_REPORTS, Pace, limited, stop_after};

/// The longest frame.
const LONGEST_FRAME: usize = 8 << 10;

/// The most answers on their way to one client; a client that does not read them is disconnected.
const BACKLOG: usize = 64;
const PATIENCE: Duration = Duration::from_secs(10);

/// The most requests of one client at once.
const AT_ONCE: usize = 16;

/// Takes a client in.
pub async fn upgrade(State(app): State<Arc<App>>, socket: WebSocketUpgrade) -> Response {
    socket.max_message_size(LONGEST_FRAME).max_frame_size(LONGEST_FRAME).on_upgrade(move |socket| serve(app, socket))
}

/// A client's request.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    Analyse(Analyse),
    Review(Analyse),
    Stop {
        what: Value,
    },
    Watch {
        room: String,
        token: Option<String>,
    },
    Move {
        room: String,
        token: String,
        ply: usize,
        #[serde(rename = "move")]
        mv: String,
    },
    Undo {
        room: String,
        token: String,
        other: Option<String>,
    },
    Resign {
        room: String,
        token: String,
    },
    Hurry {
        room: String,
        token: String,
    },
}

/// A running request: dropping it cancels it.
enum Under {
    Search(Ticket),
    Watch(AbortHandle),
}

impl Drop for Under {
    fn drop(&mut self) {
        if let Under::Watch(task) = self {
            task.abort();
        }
    }
}

/// A client. Its requests end with it.
struct Client {
    app: Arc<App>,
    out: mpsc::Sender<Value>,
    under: HashMap<String, Under>,
    over: mpsc::Sender<String>,
}

async fn serve(app: Arc<App>, mut socket: WebSocket) {
    let (out, mut answers) = mpsc::channel::<Value>(BACKLOG);
    let (over, mut ended) = mpsc::channel::<String>(BACKLOG);
    let mut client = Client { app, out, under: HashMap::new(), over };
    loop {
        tokio::select! {
            frame = socket.recv() => match frame {
                Some(Ok(Message::Text(text))) => client.hear(&text).await,
                Some(Ok(Message::Binary(_))) => client.say(json!({ "id": null, "error": "send text, not bytes" })).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_))) | None => break,
                Some(Err(error)) => {
                    let close = CloseFrame { code: 1009, reason: Utf8Bytes::from(error.to_string()) };
                    let _ = socket.send(Message::Close(Some(close))).await;
                    break;
                }
            },
            Some(answer) = answers.recv() => {
                // A client that does not read would make the answers pile up.
                let sent = timeout(PATIENCE, socket.send(Message::Text(answer.to_string().into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
            Some(id) = ended.recv() => {
                client.under.remove(&id);
            }
        }
    }
}

impl Client {
    async fn say(&self, answer: Value) {
        // The reader of this channel is our own loop; sending fails only after it has ended.
        let _ = self.out.try_send(answer);
    }

    async fn hear(&mut self, text: &str) {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return self.say(json!({ "id": null, "error": format!("not JSON: {error}") })).await,
        };
        let id = value.get("id").cloned().unwrap_or_default();
        let request = match serde_json::from_value::<Request>(value) {
            Ok(request) => request,
            Err(error) => return self.say(json!({ "id": id, "error": error.to_string() })).await,
        };
        if let Err(refused) = self.answer(&id, request).await {
            let mut body = refused.body;
            body["id"] = id;
            self.say(body).await;
        }
    }

    async fn answer(&mut self, id: &Value, request: Request) -> Result<(), ApiError> {
        let rooms = Arc::clone(&self.app.rooms);
        match request {
            Request::Analyse(asked) => return self.analyse(id, &asked),
            Request::Review(asked) => return self.review(id, &asked),
            Request::Stop { what } => match self.under.get(&what.to_string()) {
                Some(Under::Search(ticket)) => ticket.stop(),
                Some(Under::Watch(_)) => drop(self.under.remove(&what.to_string())),
                None => return Err(ApiError::missing("no request of that id is running")),
            },
            Request::Watch { room, token } => return self.watch(id, &room, token).await,
            Request::Move { room, token, ply, mv } => rooms.play(&room, &token, ply, &mv).await?,
            Request::Undo { room, token, other } => rooms.undo(&room, &token, other.as_deref()).await?,
            Request::Resign { room, token } => rooms.resign(&room, &token).await?,
            Request::Hurry { room, token } => rooms.hurry(&room, &token).await?,
        }
        self.say(json!({ "id": id, "ok": true })).await;
        Ok(())
    }

    fn begin(&self, id: &Value) -> Result<String, ApiError> {
        if self.under.contains_key(&id.to_string()) {
            return Err(ApiError::invalid("a request of this id is running already"));
        }
        if self.under.len() >= AT_ONCE {
            return Err(ApiError::invalid(format!("{AT_ONCE} requests are running already; stop one first")));
        }
        Ok(id.to_string())
    }

    fn analyse(&mut self, id: &Value, asked: &Analyse) -> Result<(), ApiError> {
        let key = self.begin(id)?;
        let mut analysis = self.app.api.analysis(asked)?;
        analysis.seat.watch_closely(BETWEEN_REPORTS);
        let (out, over, said, ended) = (self.out.clone(), self.over.clone(), id.clone(), key.clone());
        let (runtime, longest) = (Handle::current(), self.app.limits.thought);
        let ticket = self.app.pool.submit(move |signals| {
            analysis.limit = limited(analysis.limit, &signals.stop, &runtime, longest);
            let mut pace = Pace::new();
            let choice = analysis.think(&signals.stop, &mut |report| {
                if pace.due() {
                    // A report that does not fit is dropped: the next one says more.
                    let _ = out.try_send(json!({ "id": said, "report": shown_report(report) }));
                }
            });
            let answer = match choice {
                Ok(choice) => json!({ "id": said, "done": choice }),
                Err(error) => json!({ "id": said, "error": error.to_string() }),
            };
            let _ = out.blocking_send(answer);
            let _ = over.blocking_send(ended);
        });
        self.under_way(id, key, ticket)
    }

    fn review(&mut self, id: &Value, asked: &Analyse) -> Result<(), ApiError> {
        let key = self.begin(id)?;
        let mut analysis = self.app.api.review(asked)?;
        let (out, over, said, ended) = (self.out.clone(), self.over.clone(), id.clone(), key.clone());
        let (runtime, longest, in_all) = (Handle::current(), self.app.limits.thought, self.app.limits.review);
        let ticket = self.app.pool.submit(move |signals| {
            stop_after(&signals.stop, &runtime, in_all);
            analysis.limit.time = analysis.limit.time.map(|time| time.min(longest));
            let judged = Arc::new(AtomicUsize::new(0));
            stop_if_stuck(&judged, &signals.stop, &runtime, longest);
            let reviewed = analysis.review(&signals.stop, &mut |event| {
                if matches!(event, ReviewEvent::Ply(_)) {
                    judged.fetch_add(1, Ordering::Relaxed);
                    stop_if_stuck(&judged, &signals.stop, &runtime, longest);
                }
                let mut answer = json!(event);
                answer["id"] = said.clone();
                out.blocking_send(answer).is_ok()
            });
            if let Err(error) = reviewed {
                let _ = out.blocking_send(json!({ "id": said, "error": error.to_string() }));
            }
            let _ = over.blocking_send(ended);
        });
        self.under_way(id, key, ticket)
    }

    /// Notes a search that the pool has accepted, and sends its place in the queue.
    fn under_way(&mut self, id: &Value, key: String, ticket: Result<Ticket, Busy>) -> Result<(), ApiError> {
        let ticket = ticket?;
        let place = ticket.place();
        if place > 0 {
            let _ = self.out.try_send(json!({ "id": id, "queued": place }));
        }
        self.under.insert(key, Under::Search(ticket));
        Ok(())
    }

    async fn watch(&mut self, id: &Value, room: &str, token: Option<String>) -> Result<(), ApiError> {
        let key = self.begin(id)?;
        let (shown, mut events) = self.app.rooms.watch(room, token.as_deref()).await?;
        self.say(json!({ "id": id, "room": shown })).await;
        let (out, id, rooms, room) = (self.out.clone(), id.clone(), Arc::clone(&self.app.rooms), room.to_owned());
        let task = tokio::spawn(async move {
            loop {
                let event = match events.recv().await {
                    Ok(event) => event,
                    // Events were missed: the present state is enough.
                    Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => match rooms.show(&room).await {
                        Ok(shown) => shown,
                        Err(_) => break,
                    },
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => break,
                };
                // The search of an agent is not part of the room's state.
                let said = match event.get("thinking") {
                    Some(thinking) => json!({ "id": id, "thinking": thinking }),
                    None => json!({ "id": id, "room": event }),
                };
                if timeout(PATIENCE, out.send(said)).await.is_err() {
                    break;
                }
                tokio::time::sleep(BETWEEN_REPORTS / 10).await;
            }
        });
        self.under.insert(key, Under::Watch(task.abort_handle()));
        Ok(())
    }
}

/// Ends a review that is still at the same move after the longest time for a move.
fn stop_if_stuck(judged: &Arc<AtomicUsize>, stop: &Stop, runtime: &Handle, longest: Duration) {
    let (judged, stop, at) = (Arc::clone(judged), stop.clone(), judged.load(Ordering::Relaxed));
    runtime.spawn(async move {
        tokio::time::sleep(longest).await;
        if judged.load(Ordering::Relaxed) == at {
            stop.stop();
        }
    });
}
