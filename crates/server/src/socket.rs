//! The WebSocket: requests with ids, answers as they arrive.
//!
//! One task reads and another writes. Answers wait in a short queue; while it is full nothing more is read, so that a client that sends faster than it
//! reads is slowed down by its own connection, and none of its requests is left unanswered.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use quintet_agent::Seat as _;
use quintet_api::{Analyse, ApiError, ErrorKind, Message, Pace, ReviewEvent, shown_report};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{interval, timeout};

use crate::App;
use crate::client::Client;
use crate::connections::{BusyConnection, Connection, told_to_end};
use crate::error::HttpError;
use crate::pool::{Busy, Next, Ticket, unless_it_panics};
use crate::search::{capped, cut_off};

/// The longest frame.
const LONGEST_FRAME: usize = 8 << 10;

/// The most answers on their way to one client.
const BACKLOG: usize = 8;

/// The most events of one request that wait for the client: all moves of the longest review, and its end.
const EVENTS: usize = quintet_api::LONGEST_GAME + 8;

/// The most requests of one client at once.
const AT_ONCE: usize = 16;

/// How often the server asks whether the client is still there.
const BETWEEN_PINGS: Duration = Duration::from_secs(25);

/// The sockets of each address.
#[derive(Default)]
pub struct Sockets {
    next: AtomicU64,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An open socket; dropping it counts it as closed.
struct OpenSocket {
    app: Arc<App>,
    client: Client,
    /// While it is open, its connection is not closed in favour of another.
    _busy: BusyConnection,
}

impl Sockets {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenSocket {
    fn new(app: Arc<App>, client: Client, connection: &Connection) -> Result<OpenSocket, ApiError> {
        let most = app.limits.sockets_per_address;
        {
            let mut open = app.sockets.lock();
            let own = open.entry(client.address).or_default();
            if *own >= most {
                let why = format!("{most} WebSockets are open from your address; close one first");
                return Err(ApiError::new(ErrorKind::Busy, why).with("code", "busy").with("retry_after", 1));
            }
            *own += 1;
        }
        let session = 1 + app.sockets.next.fetch_add(1, Ordering::Relaxed);
        Ok(OpenSocket { app, client: Client { session, ..client }, _busy: connection.busy() })
    }
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        let mut open = self.app.sockets.lock();
        if let Some(own) = open.get_mut(&self.client.address) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.client.address);
            }
        }
    }
}

/// Takes a client in.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    client: Client,
    Extension(connection): Extension<Connection>,
    socket: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let socket = match socket {
        Ok(socket) => socket,
        Err(error) => return HttpError::Unreadable(error.status(), error.body_text()).into_response(),
    };
    match OpenSocket::new(app, client, &connection) {
        Ok(open) => socket
            .max_message_size(LONGEST_FRAME)
            .max_frame_size(LONGEST_FRAME)
            .on_upgrade(move |socket| serve(open, socket)),
        Err(full) => HttpError::from(full).into_response(),
    }
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

/// The requests of a client that are running, by id.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<HashMap<String, Under>>>);

impl Running {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Under>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, key: &str) {
        // Cancelling looks at the queues, so it is not done while others wait for this.
        let ended = self.lock().remove(key);
        drop(ended);
    }
}

/// A client. Its requests end with it.
struct Session {
    socket: OpenSocket,
    out: mpsc::Sender<Frame>,
    running: Running,
}

async fn serve(socket: OpenSocket, stream: WebSocket) {
    let (out, answers) = mpsc::channel::<Frame>(BACKLOG);
    let (app, (sink, frames)) = (Arc::clone(&socket.app), stream.split());
    let mut writing = tokio::spawn(write(sink, answers, app.connections.closing()));
    let session = Session { socket, out, running: Running::default() };
    let mut closing = app.connections.closing();
    let gone = tokio::select! {
        () = session.read(frames) => false,
        _ = &mut writing => true,
        () = told_to_end(&mut closing) => false,
    };
    let running = std::mem::take(&mut *session.running.lock());
    drop(running);
    drop(session);
    if !gone {
        // What was answered is still sent, unless the client does not read: that has a limit of its own.
        let _ = timeout(app.limits.unread, writing).await;
    }
}

/// Sends answers until there are no more, the client does not read them, or the server ends.
async fn write(
    mut sink: SplitSink<WebSocket, Frame>,
    mut answers: mpsc::Receiver<Frame>,
    mut closing: watch::Receiver<bool>,
) {
    let mut pings = interval(BETWEEN_PINGS);
    loop {
        let message = tokio::select! {
            answer = answers.recv() => match answer {
                Some(answer) => answer,
                None => break,
            },
            _ = pings.tick() => Frame::Ping(Vec::new().into()),
            () = told_to_end(&mut closing) => {
                let close = CloseFrame { code: 1001, reason: Utf8Bytes::from_static("the server ends") };
                let _ = sink.send(Frame::Close(Some(close))).await;
                return;
            }
        };
        // The connection itself ends a client that does not read.
        if sink.send(message).await.is_err() {
            return;
        }
    }
    let _ = sink.close().await;
}

impl Session {
    async fn read(&self, mut frames: SplitStream<WebSocket>) {
        while let Some(frame) = frames.next().await {
            let heard = match frame {
                Ok(Frame::Text(text)) => self.hear(&text).await,
                Ok(Frame::Binary(_)) => self.say(json!({ "id": null, "error": "send text, not bytes" })).await,
                Ok(Frame::Ping(_) | Frame::Pong(_)) => true,
                Ok(Frame::Close(_)) => false,
                Err(error) => {
                    let close = CloseFrame { code: 1009, reason: Utf8Bytes::from(error.to_string()) };
                    let _ = self.out.send(Frame::Close(Some(close))).await;
                    false
                }
            };
            if !heard {
                break;
            }
        }
    }

    /// Sends an answer as soon as there is room for it. False when the client has gone.
    async fn say(&self, answer: Value) -> bool {
        self.out.send(text(&answer)).await.is_ok()
    }

    async fn hear(&self, text: &str) -> bool {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return self.say(json!({ "id": null, "error": format!("not JSON: {error}") })).await,
        };
        let id = value.get("id").cloned().unwrap_or_default();
        let request = match serde_json::from_value::<Message>(value) {
            Ok(request) => request,
            Err(error) => return self.say(json!({ "id": id, "error": error.to_string() })).await,
        };
        match self.answer(&id, request).await {
            Ok(None) => true,
            Ok(Some(mut answer)) | Err(ApiError { body: mut answer, .. }) => {
                answer["id"] = id;
                self.say(answer).await
            }
        }
    }

    /// The answer to a request; `None` for one that answers later, or already has.
    async fn answer(&self, id: &Value, request: Message) -> Result<Option<Value>, ApiError> {
        let (rooms, client) = (&self.socket.app.rooms, self.socket.client);
        match request {
            Message::Analyse(asked) => return self.analyse(id, asked).await.map(|()| None),
            Message::Review(asked) => return self.review(id, asked).await.map(|()| None),
            Message::Stop { what } => self.stop(&what.to_string())?,
            Message::Watch { room, token } => return self.watch(id, &room, token).await.map(|()| None),
            Message::Hurry { room, token } => rooms.hurry(client, &room, &token).await?,
            Message::Retry { room, token } => rooms.retry(client, &room, &token).await?,
            Message::Rematch { room, token } => rooms.rematch(client, &room, token).await?,
            Message::Move { ref room, .. }
            | Message::Name { ref room, .. }
            | Message::Undo { ref room, .. }
            | Message::Decline { ref room, .. }
            | Message::Redo { ref room, .. }
            | Message::Resign { ref room, .. }
            | Message::Replace { ref room, .. } => {
                let room = room.clone();
                return rooms.obey(client, &room, request).await.map(Some);
            }
        }
        Ok(Some(json!({ "ok": true })))
    }

    fn stop(&self, key: &str) -> Result<(), ApiError> {
        let mut running = self.running.lock();
        match running.get(key) {
            Some(Under::Search(ticket)) => ticket.stop(),
            Some(Under::Watch(_)) => drop(running.remove(key)),
            None => return Err(ApiError::missing("no request of that id is running")),
        }
        Ok(())
    }

    fn begin(&self, id: &Value) -> Result<String, ApiError> {
        let (key, running) = (id.to_string(), self.running.lock());
        if running.contains_key(&key) {
            return Err(ApiError::invalid("a request of this id is running already"));
        }
        if running.len() >= AT_ONCE {
            return Err(ApiError::invalid(format!("{AT_ONCE} requests are running already; stop one first")));
        }
        Ok(key)
    }

    async fn analyse(&self, id: &Value, asked: Analyse) -> Result<(), ApiError> {
        let (key, app, client) = (self.begin(id)?, &self.socket.app, self.socket.client);
        // A request that makes no sense is refused at once. Its agent is made again when its turn comes: until then it takes no memory.
        let asked = app.quick(client, move |app| app.api.analysis(&asked).map(|_| asked)).await?;
        let longest = app.limits.thought;
        let (events, answers) = mpsc::channel(EVENTS);
        // Provers and the agent have the time one after the other.
        let cut = cut_off(&asked.limit, longest) * if asked.asks_provers() { 2 } else { 1 };
        let (own, said) = (Arc::clone(app), id.clone());
        let ticket = app.pools.searches.submit(client, cut, move |signals| {
            let choice = unless_it_panics(|| {
                let mut analysis = own.api.analysis(&asked)?;
                analysis.adviser.watch_closely(Pace::BETWEEN);
                analysis.limit = capped(analysis.limit, longest);
                let (mut pace, mut unsent) = (Pace::new(), None);
                let choice = analysis.think(&signals.stop, &mut |report| {
                    // A client that is behind gets no more reports until it has caught up: the next one says more.
                    if events.capacity() == events.max_capacity() && pace.due() {
                        unsent = None;
                        let _ = events.try_send(json!({ "id": said, "report": shown_report(report) }));
                    } else {
                        unsent = Some(report.clone());
                    }
                });
                // The last one agrees with the result.
                if let Some(report) = unsent {
                    let _ = events.try_send(json!({ "id": said, "report": shown_report(&report) }));
                }
                choice
            });
            let _ = events.try_send(match choice {
                Ok(choice) => json!({ "id": said, "done": choice }),
                Err(error) => refused(error, &said),
            });
        });
        self.under_way(id, key, ticket, answers)
    }

    async fn review(&self, id: &Value, asked: Analyse) -> Result<(), ApiError> {
        let (key, app, client) = (self.begin(id)?, &self.socket.app, self.socket.client);
        let asked = app.quick(client, move |app| app.api.review(&asked).map(|_| asked)).await?;
        let (longest, in_all, slice) = (app.limits.thought, app.limits.review, app.limits.slice);
        let (events, answers) = mpsc::channel(EVENTS);
        let (own, said, mut review, mut spent) = (Arc::clone(app), id.clone(), None, Duration::ZERO);
        let ticket = app.pools.searches.submit_steps(client, longest, move |signals| {
            let begun = std::time::Instant::now();
            loop {
                if spent + begun.elapsed() >= in_all {
                    signals.stop.stop();
                }
                let stepped = unless_it_panics(|| {
                    let review = match &mut review {
                        Some(review) => review,
                        none => {
                            let mut analysis = own.api.review(&asked)?;
                            analysis.limit = capped(analysis.limit, slice);
                            none.insert(analysis.review()?)
                        }
                    };
                    review.step(&signals.stop)
                });
                let over = !matches!(stepped, Ok(ReviewEvent::Ply(_) | ReviewEvent::Proof));
                let answer = match stepped {
                    Ok(ReviewEvent::Proof) => None,
                    Ok(event) => {
                        let mut answer = json!(event);
                        answer["id"] = said.clone();
                        Some(answer)
                    }
                    Err(error) => Some(refused(error, &said)),
                };
                if answer.is_some_and(|answer| events.try_send(answer).is_err()) || over {
                    return Next::Over;
                }
                if signals.give_way() {
                    spent += begun.elapsed();
                    return Next::Again;
                }
            }
        });
        self.under_way(id, key, ticket, answers)
    }

    /// Notes a search that the pool has accepted, and passes its events and its place in the queue on to the client.
    fn under_way(
        &self,
        id: &Value,
        key: String,
        ticket: Result<Ticket, Busy>,
        mut events: mpsc::Receiver<Value>,
    ) -> Result<(), ApiError> {
        let ticket = ticket?;
        let mut place = ticket.place();
        self.running.lock().insert(key.clone(), Under::Search(ticket));
        let (id, out, running) = (id.clone(), self.out.clone(), self.running.clone());
        tokio::spawn(async move {
            place.mark_changed();
            loop {
                let answer = tokio::select! {
                    biased;
                    event = events.recv() => match event {
                        Some(event) => event,
                        None => break,
                    },
                    changed = place.changed() => {
                        if changed.is_err() {
                            // The job is over; what it has said is still to be sent.
                            while let Some(event) = events.recv().await {
                                if out.send(text(&event)).await.is_err() {
                                    break;
                                }
                            }
                            break;
                        }
                        match *place.borrow_and_update() {
                            0 => continue,
                            queued => json!({ "id": id, "queued": queued }),
                        }
                    }
                };
                // The id is free again before the client hears the end of its request.
                if answer.get("report").is_none() && answer.get("queued").is_none() && answer.get("ply").is_none() {
                    running.end(&key);
                }
                if out.send(text(&answer)).await.is_err() {
                    break;
                }
            }
            running.end(&key);
        });
        Ok(())
    }

    async fn watch(&self, id: &Value, room: &str, token: Option<String>) -> Result<(), ApiError> {
        let (key, rooms) = (self.begin(id)?, Arc::clone(&self.socket.app.rooms));
        let (shown, mut events) = rooms.watch(self.socket.client, room, token.as_deref()).await?;
        self.say(json!({ "id": id, "room": shown })).await;
        let (out, id, room, client) = (self.out.clone(), id.clone(), room.to_owned(), self.socket.client);
        let task = tokio::spawn(async move {
            loop {
                let event = match events.recv().await {
                    Ok(event) => event,
                    // Events were missed: the present state is enough.
                    Err(RecvError::Lagged(_)) => match rooms.show(client, &room).await {
                        Ok(shown) => shown,
                        Err(_) => break,
                    },
                    Err(RecvError::Closed) => break,
                };
                // The search of an agent is not part of the room's state.
                let said = match event.get("thinking") {
                    Some(thinking) => json!({ "id": id, "thinking": thinking }),
                    None => json!({ "id": id, "room": event }),
                };
                if out.send(text(&said)).await.is_err() {
                    break;
                }
                tokio::time::sleep(Pace::BETWEEN / 10).await;
            }
        });
        self.running.lock().insert(key, Under::Watch(task.abort_handle()));
        Ok(())
    }
}

fn text(answer: &Value) -> Frame {
    Frame::Text(answer.to_string().into())
}

/// A refusal with the id of its request.
fn refused(error: ApiError, id: &Value) -> Value {
    let mut answer = error.body;
    answer["id"] = id.clone();
    answer
}
