//! The queue between a coordinator and its workers: two streams of a NATS server, both bounded. Nothing in them is the truth, so all of it may be lost.

use std::collections::HashSet;
use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream::consumer::{self, AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::ConsumerInfoErrorKind;
use async_nats::jetstream::stream::{self, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, AckKind, Context, Message as Delivered};
use async_nats::{Client, ConnectOptions, ServerAddr, Subscriber};
use futures_util::TryStreamExt;
use percent_encoding::percent_decode_str;

use crate::message::{MOST_BYTES, Message, Unit, write};

/// A unit whose worker is silent for this long is given to another. Workers that are at work say so more often.
pub(crate) const SILENCE: Duration = Duration::from_secs(10);
/// How often workers at work say so, and how often all say who they are.
pub(crate) const SIGN: Duration = Duration::from_secs(2);
/// What is left of an abandoned run goes after a day.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// An answer that is not acknowledged in this time counts as not given.
const PATIENCE: Duration = Duration::from_secs(5);

/// A stream and its subjects.
struct Lane {
    stream: &'static str,
    subject: &'static str,
    /// The most messages of a subject.
    most: i64,
}

impl Lane {
    /// Units of work, each of them once.
    const WORK: Lane = Lane { stream: "quintet-work", subject: "quintet.work", most: 1 };
    const ANSWERS: Lane = Lane { stream: "quintet-answers", subject: "quintet.answer", most: -1 };
    const ALL: [Lane; 2] = [Lane::WORK, Lane::ANSWERS];
}

/// The most units and answers that wait, of all runs together.
const MOST_WAITING: i64 = 100_000;
/// The most bytes of each stream. Where the server has less room, half of it, and so on.
const ROOM: i64 = 1 << 28;
const LEAST_ROOM: i64 = 1 << 20;
/// What a server says whose files were deleted.
const LOST: &str = "no such file or directory";

/// Where the server is, and how to be let in: the client's own options.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// Its address: `nats://HOST:PORT`, or `tls://HOST:PORT`; user and password may stand before the host.
    pub url: String,
    /// A file of NATS credentials.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of the authority that signed the server's.
    pub authority: Option<PathBuf>,
    /// Files with a certificate and its key, where the server asks for them.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why the server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// It is not there, or does not let us in.
    #[error("cannot connect to {url}: {why}. Is `nats-server -js` running there?")]
    Connect {
        /// Its address, without a password.
        url: String,
        /// Why.
        why: String,
    },
    /// It does not do what is asked.
    #[error("the NATS server does not {what}: {why}")]
    Refused {
        /// What was asked.
        what: &'static str,
        /// Its answer.
        why: String,
    },
}

fn refused<E: std::fmt::Display>(what: &'static str) -> impl Fn(E) -> QueueError {
    move |why| QueueError::Refused { what, why: why.to_string() }
}

/// The address of a NATS server without user, password or token: what may be printed and stored.
///
/// ```
/// assert_eq!(quintet_cluster::public("nats://lab:secret@localhost:4222"), "nats://localhost:4222");
/// ```
#[must_use]
pub fn public(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => url.to_owned(),
    }
}

/// User and password of an address. Characters that mean something there are written as `%40` and the like.
fn user_and_password(url: &str) -> Option<(String, String)> {
    let address: ServerAddr = url.parse().ok()?;
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    Some((plain(address.username()?), plain(address.password().unwrap_or_default())))
}

/// What the client takes over at once, unless the server has been away for so long that the client's own queue is full: then nothing is waited for.
async fn within<T>(
    time: Duration,
    what: &'static str,
    work: impl Future<Output = Result<T, QueueError>>,
) -> Result<T, QueueError> {
    let done = tokio::time::timeout(time, work).await;
    done.unwrap_or_else(|_| Err(QueueError::Refused { what, why: "it is away".into() }))
}

/// Acknowledges a message. Without that it comes again, so nobody waits until it is known.
pub(crate) async fn acknowledge(message: &Delivered, kind: AckKind) {
    let _ = tokio::time::timeout(SIGN, message.ack_with(kind)).await;
}

/// A connection to the server. It is made again by itself when it breaks.
#[derive(Clone)]
pub(crate) struct Queue {
    client: Client,
    context: Context,
}

impl Queue {
    /// Connects as `name`.
    pub async fn connect(server: &Server, name: &str) -> Result<Queue, QueueError> {
        let failed = |why: String| QueueError::Connect { url: public(&server.url), why };
        let mut options = ConnectOptions::new().name(name).ping_interval(SIGN).connection_timeout(PATIENCE);
        options = options.reconnect_delay_callback(|attempt| Duration::from_millis(100 * attempt.clamp(1, 20) as u64));
        // The client does not look for them in the address.
        if let Some((user, password)) = user_and_password(&server.url) {
            options = options.user_and_password(user, password);
        }
        if let Some(file) = &server.credentials {
            let read = options.credentials_file(file).await;
            options = read.map_err(|why| failed(format!("{}: {why}", file.display())))?;
        }
        if let Some(file) = &server.authority {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &server.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
        }
        let client = options.connect(&server.url).await.map_err(|why| failed(why.to_string()))?;
        let context = jetstream::context::ContextBuilder::new()
            .timeout(PATIENCE)
            .ack_timeout(PATIENCE)
            .backpressure_on_inflight(true)
            .build(client.clone());
        Ok(Queue { client, context })
    }

    /// Makes the streams, if they are not there.
    pub async fn prepare(&self) -> Result<(), QueueError> {
        for lane in Lane::ALL {
            self.stream(&lane).await?;
        }
        Ok(())
    }

    async fn stream(&self, lane: &Lane) -> Result<(), QueueError> {
        let mut config = stream::Config {
            name: lane.stream.to_owned(),
            subjects: vec![format!("{}.>", lane.subject)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            discard_new_per_subject: lane.most > 0,
            max_messages_per_subject: lane.most,
            max_messages: MOST_WAITING,
            max_message_size: MOST_BYTES as i32,
            max_bytes: ROOM,
            max_age: KEPT,
            ..stream::Config::default()
        };
        while let Err(why) = self.context.get_or_create_stream(&config).await {
            if !says(&why, "insufficient") {
                return Err(refused("make a stream")(with_source(&why)));
            }
            if config.max_bytes > LEAST_ROOM {
                // It has less room than that.
                config.max_bytes /= 2;
            } else if lane.stream != Lane::WORK.stream && self.share().await? {
                config.max_bytes = ROOM;
            } else {
                return Err(refused("make a stream")(with_source(&why)));
            }
        }
        Ok(())
    }

    /// Halves the room of the units, which may have taken all that there was; false if they have no more than they need.
    async fn share(&self) -> Result<bool, QueueError> {
        let stream = self.context.get_stream(Lane::WORK.stream).await.map_err(refused("find its stream"))?;
        let mut config = stream.cached_info().config.clone();
        if config.max_bytes <= LEAST_ROOM {
            return Ok(false);
        }
        config.max_bytes /= 2;
        let shared = self.context.update_stream(&config).await;
        shared.map(|_| true).map_err(|why| refused("share its room")(with_source(&why)))
    }

    /// Takes units of a run.
    pub async fn units(&self, run: &str) -> Result<PullConsumer, QueueError> {
        self.consumer(&Lane::WORK, run).await
    }

    /// Takes answers of a run.
    pub async fn answers(&self, run: &str) -> Result<PullConsumer, QueueError> {
        self.consumer(&Lane::ANSWERS, run).await
    }

    async fn consumer(&self, lane: &Lane, run: &str) -> Result<PullConsumer, QueueError> {
        let config = pull::Config {
            durable_name: Some(run.to_owned()),
            filter_subject: format!("{}.{run}.*", lane.subject),
            ack_policy: AckPolicy::Explicit,
            ack_wait: SILENCE,
            // One request for each thread of each worker may wait.
            max_waiting: 1 << 16,
            max_ack_pending: MOST_WAITING,
            inactive_threshold: KEPT,
            ..pull::Config::default()
        };
        let made = self.context.create_consumer_on_stream(config.clone(), lane.stream).await;
        match made {
            Err(why) if says(&why, LOST) => {
                self.renew(lane).await?;
                self.context.create_consumer_on_stream(config, lane.stream).await.map_err(refused("make a consumer"))
            }
            made => made.map_err(refused("make a consumer")),
        }
    }

    /// Makes a stream anew whose files were deleted while the server runs.
    async fn renew(&self, lane: &Lane) -> Result<(), QueueError> {
        // If it cannot be deleted, it cannot be made either, and that is told.
        let _ = self.context.delete_stream(lane.stream).await;
        self.stream(lane).await
    }

    /// Puts a unit into the queue. It is there at most once.
    pub async fn publish_unit(&self, unit: &Unit) -> Result<(), QueueError> {
        let subject = format!("quintet.work.{}.{}", unit.run, unit.id());
        self.store(subject, unit).await
    }

    /// Publishes a message of a stream; it is stored when this returns.
    pub async fn store<M: Message>(&self, subject: String, message: &M) -> Result<(), QueueError> {
        within(2 * PATIENCE, "store a message", self.store_at_last(subject, message)).await
    }

    async fn store_at_last<M: Message>(&self, subject: String, message: &M) -> Result<(), QueueError> {
        let bytes = write(message).map_err(refused("take such a message"))?;
        let sent = self.context.publish(subject, bytes.into()).await.map_err(refused("take a message"))?;
        match sent.await {
            Ok(_) => Ok(()),
            Err(why) if says(&why, "maximum messages per subject exceeded") => Ok(()),
            Err(why) => {
                if says(&why, LOST) {
                    for lane in Lane::ALL {
                        self.renew(&lane).await?;
                    }
                }
                Err(refused("store a message")(with_source(&why)))
            }
        }
    }

    /// Looks after the queue of a run; its units that wait or are in play, by their ids, and the number of the last unit that was ever published.
    pub async fn look(&self, run: &str) -> Result<(HashSet<String>, u64), QueueError> {
        self.mend(&Lane::ANSWERS, run).await?;
        self.mend(&Lane::WORK, run).await
    }

    /// The messages of a run in a stream, by the last part of their subjects. A server that was killed may find less of a stream than of its consumer; such a
    /// consumer waits for what has been there already, so it is made anew.
    async fn mend(&self, lane: &Lane, run: &str) -> Result<(HashSet<String>, u64), QueueError> {
        let subject = format!("{}.{run}.", lane.subject);
        let failed = |why: stream::InfoError| refused("list what waits")(why);
        let stream = self.context.get_stream_no_info(lane.stream).await.map_err(refused("find its stream"))?;
        let consumer = match stream.consumer_info(run).await {
            Ok(consumer) => Some(consumer),
            // No worker has joined the run yet.
            Err(why) if why.kind() == ConsumerInfoErrorKind::NotFound => None,
            Err(why) => return Err(refused("find a consumer")(why)),
        };
        let listed = stream.info_with_subjects(format!("{subject}*")).await.map_err(failed)?;
        let last = listed.info.state.last_sequence;
        let listed: Vec<(String, usize)> = listed.try_collect().await.map_err(failed)?;
        let is_blind = |consumer: &consumer::Info| {
            let silent = !listed.is_empty() && consumer.num_pending == 0 && consumer.num_ack_pending == 0;
            silent || consumer.delivered.stream_sequence > last
        };
        if consumer.as_ref().is_some_and(is_blind) {
            let deleted = self.context.delete_consumer_from_stream(run, lane.stream).await;
            deleted.map_err(refused("remove a consumer"))?;
            self.consumer(lane, run).await?;
        }
        let ids = listed.into_iter().filter_map(|(of, _)| of.strip_prefix(&subject).map(str::to_owned)).collect();
        Ok((ids, last))
    }

    /// The number of the last unit that was ever published.
    pub async fn last_unit(&self) -> Result<u64, QueueError> {
        let stream = self.context.get_stream(Lane::WORK.stream).await.map_err(refused("find its stream"))?;
        Ok(stream.cached_info().state.last_sequence)
    }

    /// Messages in the two streams: units, and answers.
    pub async fn lengths(&self) -> Result<[u64; 2], QueueError> {
        let mut lengths = [0; 2];
        for (length, lane) in lengths.iter_mut().zip(Lane::ALL) {
            let stream = self.context.get_stream(lane.stream).await.map_err(refused("find its stream"))?;
            *length = stream.cached_info().state.messages;
        }
        Ok(lengths)
    }

    /// Removes the units of a run that nobody needs any more.
    pub async fn withdraw(&self, run: &str) -> Result<(), QueueError> {
        within(2 * PATIENCE, "remove messages", self.remove(&Lane::WORK, run)).await
    }

    /// Removes the messages of a run, one by one: what a purge with a filter removes, nats-server 2.9 counts as stored until it is started again.
    async fn remove(&self, lane: &Lane, run: &str) -> Result<(), QueueError> {
        let stream = self.context.get_stream_no_info(lane.stream).await.map_err(refused("find its stream"))?;
        let failed = |why: stream::InfoError| refused("list what waits")(why);
        let listed = stream.info_with_subjects(format!("{}.{run}.*", lane.subject)).await.map_err(failed)?;
        let listed: Vec<(String, usize)> = listed.try_collect().await.map_err(failed)?;
        for (subject, count) in listed {
            for _ in 0..count {
                let last = match stream.get_last_raw_message_by_subject(&subject).await {
                    Ok(message) => message.sequence,
                    // Somebody else has taken it.
                    Err(why) if why.kind() == LastRawMessageErrorKind::NoMessageFound => break,
                    Err(why) => return Err(refused("find a message")(why)),
                };
                // If it cannot be removed, it has gone meanwhile, or is forgotten with its age.
                let _ = stream.delete_message(last).await;
            }
        }
        Ok(())
    }

    /// Removes all that is left of a run.
    pub async fn forget(&self, run: &str) -> Result<(), QueueError> {
        let remove = async {
            for lane in Lane::ALL {
                self.remove(&lane, run).await?;
                let deleted = self.context.delete_consumer_from_stream(run, lane.stream).await;
                deleted.map_err(refused("remove a consumer"))?;
            }
            Ok(())
        };
        within(2 * PATIENCE, "remove a run", remove).await
    }

    /// Tells whoever listens now.
    pub async fn tell<M: Message>(&self, subject: String, message: &M) -> Result<(), QueueError> {
        let bytes = write(message).map_err(refused("take such a message"))?;
        let told = self.client.publish(subject, bytes.into());
        within(SIGN, "take a message", async { told.await.map_err(refused("take a message")) }).await
    }

    /// Listens from now on.
    pub async fn listen(&self, subjects: &'static str) -> Result<Subscriber, QueueError> {
        self.client.subscribe(subjects).await.map_err(refused("let us listen"))
    }

    /// Sends what waits to be sent.
    pub async fn flush(&self) {
        // There is nobody to tell.
        let _ = tokio::time::timeout(SIGN, self.client.flush()).await;
    }
}

/// Does an error, or what caused it, say this?
fn says(error: &dyn std::error::Error, what: &str) -> bool {
    with_source(error).contains(what)
}

fn with_source(error: &dyn std::error::Error) -> String {
    let own = error.to_string();
    match error.source() {
        Some(source) if !own.contains(&source.to_string()) => format!("{own}: {}", with_source(source)),
        _ => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_user_and_password() {
        let both = |user: &str, password: &str| Some((user.to_owned(), password.to_owned()));
        assert_eq!(user_and_password("nats://lab:se%40cret@localhost:4222"), both("lab", "se@cret"));
        assert_eq!(user_and_password("tls://lab@localhost"), both("lab", ""));
        assert_eq!(user_and_password("nats://localhost:4222"), None);
        assert_eq!(user_and_password("http://"), None);
        assert_eq!(public("nats://lab:secret@localhost:4222"), "nats://localhost:4222");
    }
}
