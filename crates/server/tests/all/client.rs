//! A client that sends exactly what a test wants.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quintet_agent::{Catalogue, Provers, provers};
use quintet_api::Seats;
use quintet_server::{Config, Limits, ServeError, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

/// A server in its own folder, which is removed with it.
pub struct TestServer {
    pub address: SocketAddr,
    pub data: PathBuf,
    task: JoinHandle<()>,
}

impl TestServer {
    pub async fn new() -> TestServer {
        TestServer::at(TestServer::folder()).await
    }

    /// A new folder.
    pub fn folder() -> PathBuf {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        std::env::temp_dir().join(format!("quintet-server-{}-{number}", std::process::id()))
    }

    pub async fn at(data: PathBuf) -> TestServer {
        TestServer::with(data, Limits::default()).await
    }

    pub async fn with(data: PathBuf, limits: Limits) -> TestServer {
        TestServer::knowing(data, limits, provers()).await
    }

    pub async fn knowing(data: PathBuf, limits: Limits, provers: Provers) -> TestServer {
        TestServer::seating(data, limits, provers, Seats::default()).await
    }

    pub async fn seating(data: PathBuf, limits: Limits, provers: Provers, seats: Seats) -> TestServer {
        let bind = "127.0.0.1:0".parse().unwrap();
        let (allowed_hosts, trusted_proxies) = (vec!["games.example".into()], vec!["127.0.0.9".parse().unwrap()]);
        let config = Config { bind, allowed_hosts, trusted_proxies, data: data.clone(), limits, provers, seats };
        let server = loop {
            match Server::bind(&config, Catalogue::embedded().clone()).await {
                // A server that was killed a moment ago may still be ending its searches.
                Err(ServeError::Locked(_)) => tokio::time::sleep(Duration::from_millis(10)).await,
                bound => break bound.unwrap(),
            }
        };
        let address = server.address().unwrap();
        let task = tokio::spawn(server.run(std::future::pending()));
        TestServer { address, data, task }
    }

    /// Ends abruptly, as when it is killed; the folder stays.
    pub async fn kill(self) -> PathBuf {
        self.task.abort();
        let data = self.data.clone();
        drop(self);
        data
    }

    /// A connection from one of this machine's own addresses, 127.0.0.0 to 127.255.255.255.
    pub async fn connect(&self, from: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// Sends a request as it is written. Returns status, head and body of the answer.
    pub async fn raw(&self, request: &[u8]) -> (u16, String, String) {
        self.raw_from("127.0.0.1", request).await
    }

    pub async fn raw_from(&self, from: &str, request: &[u8]) -> (u16, String, String) {
        let mut stream = self.connect(from).await;
        stream.write_all(request).await.unwrap();
        let mut bytes = Vec::new();
        // A server that refuses may close before it has read everything.
        let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await;
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    pub async fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String, String) {
        self.ask_from("127.0.0.1", method, path, headers, body).await
    }

    pub async fn ask_from(
        &self,
        from: &str,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String, String) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        );
        self.raw_from(from, request.as_bytes()).await
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let (status, _, body) = self.ask("GET", path, "", "").await;
        (status, serde_json::from_str(&body).unwrap_or_default())
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, _, body) = self.ask("POST", path, "", &body.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or_default())
    }

    pub async fn socket(&self) -> Socket {
        self.socket_of("127.0.0.1").await
    }

    /// A WebSocket from one of this machine's own addresses.
    pub async fn socket_of(&self, from: &str) -> Socket {
        let stream = MaybeTlsStream::Plain(self.connect(from).await);
        let (socket, _) = client_async(format!("ws://{}/ws", self.address), stream).await.unwrap();
        Socket(socket)
    }

    /// The status of an upgrade from another origin.
    pub async fn socket_from(&self, origin: &str) -> u16 {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        match connect_async(request).await {
            Ok((_, response)) => response.status().as_u16(),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => response.status().as_u16(),
            Err(error) => panic!("{error}"),
        }
    }

    /// A game of a person, who begins, against another seat: its name, the tokens of the seats, and that of the owner.
    pub async fn room(&self, game: &str, other: Value) -> (String, [String; 3]) {
        let seats = json!([{ "who": "person", "name": "anna" }, other]);
        let (status, made) = self.post("/api/rooms", json!({ "game": game, "seats": seats })).await;
        assert_eq!(status, 201, "{made}");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let of_person = |token: &Value| token.as_str().unwrap_or_default().to_owned();
        (text(&made["room"]), [of_person(&made["tokens"][0]), of_person(&made["tokens"][1]), text(&made["owner"])])
    }
}

/// A WebSocket.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn say(&mut self, request: Value) {
        self.text(&request.to_string()).await;
    }

    pub async fn text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// The next answer; `None` when the server has closed.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            let message =
                tokio::time::timeout(Duration::from_secs(30), self.0.next()).await.expect("an answer in time");
            match message {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    }

    /// The next answer that `wanted` accepts.
    pub async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let answer = self.hear().await.expect("the server is there");
            if wanted(&answer) {
                return answer;
            }
        }
    }
}
