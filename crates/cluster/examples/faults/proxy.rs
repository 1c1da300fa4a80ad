//! A proxy in front of the server, which can stop: then nothing passes, and no connection is closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

use crate::Result;

pub struct Proxy {
    pub port: u16,
    /// Where the server is.
    pub to: Arc<AtomicU16>,
    pub stopped: Arc<AtomicBool>,
}

impl Proxy {
    pub fn start(runtime: &Runtime) -> Result<Proxy> {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let port = listener.local_addr()?.port();
        let (to, stopped) = (Arc::new(AtomicU16::new(0)), Arc::new(AtomicBool::new(false)));
        let proxy = Proxy { port, to: Arc::clone(&to), stopped: Arc::clone(&stopped) };
        runtime.spawn(async move {
            while let Ok((inside, _)) = listener.accept().await {
                let (to, stopped) = (Arc::clone(&to), Arc::clone(&stopped));
                tokio::spawn(async move {
                    let Ok(outside) = TcpStream::connect(("127.0.0.1", to.load(Ordering::Relaxed))).await else {
                        return;
                    };
                    let ((from, into), (from_server, into_server)) = (inside.into_split(), outside.into_split());
                    let other = Arc::clone(&stopped);
                    let there = tokio::spawn(async move { pass(from, into_server, &stopped).await });
                    let back = tokio::spawn(async move { pass(from_server, into, &other).await });
                    let _ = tokio::join!(there, back);
                });
            }
        });
        Ok(proxy)
    }
}

async fn pass(mut from: impl AsyncReadExt + Unpin, mut to: impl AsyncWriteExt + Unpin, stopped: &AtomicBool) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        while stopped.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            break;
        }
    }
    let _ = to.shutdown().await;
}
