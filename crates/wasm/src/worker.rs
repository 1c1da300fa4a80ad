//! What a worker of the browser is asked.

use quintet_agent::Seat;
use quintet_api::{Analyse, Answer, Api, ApiError, GameReview, Pace, Question, ReviewEvent, shown_report};
use quintet_data::Data;
use quintet_game::clock::Instant;
use quintet_game::playout::random_games;
use quintet_game::{GameSpec, Limit, Player, Stop};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::files::Files;
use crate::matches::Contest;
use crate::rooms::{RoomRequest, StoredRoom};

/// Answers requests one at a time. An answer is `{"ok": …}`, `{"status": …, "refused": {"error": …}}` with HTTP's number, or `{"needs": NAME}`: then
/// the request is to be repeated when that file has been supplied or withheld.
pub struct Worker {
    api: Api,
    files: Files,
    /// The agent that moved last, with its tree and tables: in which room and seat, and what it was made from.
    seated: Option<(String, Player, String, Box<dyn Seat>)>,
    /// The review that is under way.
    review: Option<GameReview>,
}

/// A question as it arrives.
#[derive(Deserialize)]
struct Asks {
    name: String,
    game: Option<String>,
    #[serde(default)]
    posted: Value,
}

/// A search as it arrives.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Search {
    Analyse(Analyse),
    Think(Box<StoredRoom>),
}

/// What is measured.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
enum Measure {
    /// The sequences of moves of a length.
    Perft { game: String, depth: u32 },
    /// Random games, at least this many and for at least this long.
    Games { game: String, seed: u64, least: u64, ms: u64 },
}

impl Worker {
    /// A worker with the list of files that the host has beside the module.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub fn new(files: &str) -> Result<Worker, String> {
        let files = Files::listed(files)?;
        let api = Api::with_data(Data::with_source(files.clone())).map_err(|error| error.to_string())?;
        Ok(Worker { api, files, seated: None, review: None })
    }

    /// Takes a file that was needed.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn supply(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.files.supply(name, bytes)
    }

    /// Notes that a file that was needed cannot be had: agents do without it as far as they can.
    pub fn withhold(&mut self, name: &str) {
        self.files.withhold(name);
    }

    /// Does what a request asks for, and answers as JSON.
    fn answer<T>(&mut self, asked: &str, work: impl FnOnce(&mut Worker, T, &Stop) -> Result<Value, ApiError>) -> String
    where
        T: for<'de> Deserialize<'de>,
    {
        let stop = Stop::new();
        self.files.begin(&stop);
        let done = serde_json::from_str(asked).map_err(ApiError::invalid).and_then(|asked| work(self, asked, &stop));
        let answer = match (self.files.needed(), done) {
            (Some(name), _) => json!({ "needs": name }),
            (None, Ok(answer)) => json!({ "ok": answer }),
            (None, Err(ApiError { kind, body })) => json!({ "status": kind.status(), "refused": body }),
        };
        answer.to_string()
    }

    /// A question without state, as `{"name": …, "game": …, "posted": …}`; a picture is answered as text.
    pub fn question(&mut self, asked: &str) -> String {
        self.answer(asked, |worker, Asks { name, game, posted }, stop| {
            let asked = Question::read(&name, game, posted)?;
            Ok(match worker.api.answer(&asked, &Limit::default(), stop)? {
                Answer::Json(answer) => answer,
                Answer::Svg(picture) => Value::String(picture),
            })
        })
    }

    /// Something about a room, which the page keeps: see `rooms.rs`.
    pub fn room(&mut self, asked: &str) -> String {
        self.answer(asked, |worker, asked: RoomRequest, _| asked.answer(&worker.api))
    }

    /// A search: an analysis as the WebSocket takes it, or the move of a room's agent. Events come as they arise, each as JSON; the
    /// last answer is the result.
    pub fn search(&mut self, asked: &str, heard: &mut dyn FnMut(String)) -> String {
        self.answer(asked, |worker, asked, stop| match asked {
            Search::Analyse(asked) => worker.analyse(&asked, stop, heard),
            Search::Think(kept) => worker.think(*kept, stop, heard),
        })
    }

    fn analyse(&self, asked: &Analyse, stop: &Stop, heard: &mut dyn FnMut(String)) -> Result<Value, ApiError> {
        let mut analysis = self.api.analysis(asked)?;
        analysis.adviser.watch_closely(Pace::BETWEEN);
        let (mut pace, mut unsent) = (Pace::new(), None);
        let choice = analysis.think(stop, &mut |report| {
            if pace.due() {
                unsent = None;
                heard(json!({ "report": shown_report(report) }).to_string());
            } else {
                unsent = Some(report.clone());
            }
        })?;
        // The last one agrees with the result.
        if let Some(report) = unsent {
            heard(json!({ "report": shown_report(&report) }).to_string());
        }
        Ok(json!(choice))
    }

    /// Begins a review; [`Worker::step`] goes on with it.
    pub fn review(&mut self, asked: &str) -> String {
        self.answer(asked, |worker, asked: Analyse, _| {
            worker.review = Some(worker.api.review(&asked)?.review()?);
            Ok(Value::Null)
        })
    }

    /// One step of the review that was begun: `{"ply": …}`, `{"done": …}`, or null for another proof that was looked up. `stopped` ends it with what it has.
    pub fn step(&mut self, stopped: bool) -> String {
        self.answer("null", |worker, (): (), stop| {
            if stopped {
                stop.stop();
            }
            let review = worker.review.as_mut().ok_or_else(|| ApiError::invalid("no review has begun"))?;
            let event = review.step(stop)?;
            if matches!(event, ReviewEvent::Done(_)) {
                worker.review = None;
            }
            Ok(if event == ReviewEvent::Proof { Value::Null } else { json!(event) })
        })
    }

    fn think(&mut self, kept: StoredRoom, stop: &Stop, heard: &mut dyn FnMut(String)) -> Result<Value, ApiError> {
        let (room, ..) = kept.room()?;
        let (began, time) = (Instant::now(), room.time_to_think());
        let (id, line) = (room.record().id.clone(), room.line());
        let (seat, name) = room.agent_to_move().ok_or_else(|| ApiError::invalid("it is not an agent's turn"))?;
        let known = self.seated.take().filter(|(of, player, text, _)| (of, *player, &**text) == (&id, seat, name));
        let mut agent = match known {
            Some((.., agent)) => agent,
            None => self.api.seats.make(&self.api.agents, &line.spec(), name, room.agent_seed(seat))?,
        };
        agent.watch_closely(Pace::BETWEEN);
        let mut pace = Pace::new();
        let choice = agent.think(line, &Limit::default(), stop, &mut |report| {
            // Within its clock: its own limits hold besides.
            if time.is_some_and(|time| began.elapsed() >= time) {
                stop.stop();
            }
            if pace.due() {
                heard(json!({ "thinking": { "ply": line.plies(), "report": shown_report(report) } }).to_string());
            }
        });
        let choice = choice.map_err(ApiError::invalid)?;
        self.seated = Some((id, seat, name.to_owned(), agent));
        Ok(json!(choice))
    }

    /// Something about a short tournament, which the page keeps: see `matches.rs`.
    pub fn play(&mut self, asked: &str) -> String {
        self.answer(asked, |worker, asked: Contest, stop| asked.answer(&worker.api, stop))
    }

    /// Figures for comparisons with other builds: `{"what":"perft","game":…,"depth":…}` or `{"what":"games","game":…,"seed":…,"least":…,"ms":…}`.
    pub fn measure(&mut self, asked: &str) -> String {
        self.answer(asked, |_, asked, _| {
            let read = |game: &str| GameSpec::parse(game).map_err(ApiError::invalid);
            let begun = Instant::now();
            let took = || begun.elapsed().as_secs_f64() * 1e3;
            Ok(match asked {
                Measure::Perft { game, depth } => {
                    let nodes = read(&game)?.line().perft(depth, &mut |_, _| {});
                    json!({ "nodes": nodes, "ms": took() })
                }
                Measure::Games { game, seed, least, ms } => {
                    let played =
                        random_games(&read(&game)?, seed, &mut |so_far| so_far.games < least || took() < ms as f64);
                    json!({ "games": played.games, "plies": played.plies, "outcomes": played.outcomes, "ms": took() })
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_searches_know_what_was_proven() {
        let mut worker = Worker::new("{}").unwrap();
        let place = r#""game":"pathwayz(rows=2,cols=3)","moves":[]"#;
        let search = format!(r#"{{"do":"analyse",{place},"agent":"random","proofs":true,"limit":{{"nodes":1}}}}"#);
        let proven = |worker: &mut Worker| worker.search(&search, &mut |_| {}).contains(r#""proven":"win""#);
        assert!(!proven(&mut worker), "one node proves nothing");
        let exact = worker.question(&format!(r#"{{"name":"exact","posted":{{{place}}}}}"#));
        assert!(exact.contains(r#""known":true"#), "{exact}");
        assert!(proven(&mut worker));
    }
}
