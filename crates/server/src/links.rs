//! Links to rooms: the page, with a title and a description for whoever is shown the link before it is opened. The page itself moves on to the room.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use quintet_api::{Room, SeatConfig};
use quintet_game::{EndReason, Outcome, Player};

use crate::App;
use crate::client::Client;
use crate::error::Path;

/// The page for an address that is one level deeper: its files have absolute addresses. None if the page has lost its title or its description.
static PAGE: LazyLock<Option<[String; 3]>> = LazyLock::new(|| {
    let (_, bytes) = quintet_web::files().find(|(path, _)| path == "index.html")?;
    let mut page = String::from_utf8_lossy(bytes).into_owned();
    for folder in ["css/", "bundle/", "icon.svg"] {
        page = page.replace(&format!("=\"{folder}"), &format!("=\"/{folder}"));
    }
    let (head, rest) = page.split_once("<meta name=\"description\"")?;
    let (described, rest) = rest.split_once("<title>")?;
    let (_, rest) = rest.split_once("</title>")?;
    Some([head.to_owned(), format!("<meta name=\"description\"{described}<title>quintet</title>"), rest.to_owned()])
});

/// The page of a room.
pub async fn room(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> Response {
    let about = app.rooms.told(client, &id, About::of).await;
    // The page says itself that there is no such game.
    let status = if about.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let Some([head, plain, rest]) = &*PAGE else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let middle = about.map_or_else(|| plain.clone(), |about| about.tags());
    let page = format!("{head}{middle}{rest}");
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")], page).into_response()
}

/// What a link says of a room.
struct About {
    title: String,
    description: String,
}

impl About {
    fn of(room: &Room) -> About {
        let record = room.record();
        let line = room.line();
        let (spec, sides) = (line.spec(), line.spec().info().sides);
        let name = |player: Player| match &record.seats[player.index()] {
            SeatConfig::Person { name } if name.is_empty() => capital(sides[player.index()]),
            SeatConfig::Person { name } => name.clone(),
            SeatConfig::Agent { agent } => {
                agent.strip_prefix("level:").map_or(agent.clone(), |level| format!("Level {level}"))
            }
        };
        let [first, second] = Player::BOTH.map(name);
        let ended = room.game_record();
        let how = match ended.reason {
            Some(EndReason::Time) => " on time",
            Some(EndReason::Resigned) => " by resignation",
            _ => "",
        };
        let count = line.plies();
        let moves = if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
        let stands = match ended.result {
            Some(Outcome::Win(Player::First)) => format!("{first} won{how} after {moves}."),
            Some(Outcome::Win(Player::Second)) => format!("{second} won{how} after {moves}."),
            Some(Outcome::Draw) => format!("A draw after {moves}."),
            None if count == 0 => "The game has not begun yet.".to_owned(),
            None => {
                format!("{} to move after {moves}.", if line.to_move() == Player::First { &first } else { &second })
            }
        };
        let about = spec.info().about.trim_end_matches('.');
        About { title: format!("{}: {first} v {second}", spec.info().title), description: format!("{stands} {about}.") }
    }

    /// Title, description and Open Graph's tags.
    fn tags(&self) -> String {
        let (title, description) = (escaped(&self.title), escaped(&self.description));
        let mut tags =
            format!("<meta name=\"description\" content=\"{description}\">\n  <title>{title} – quintet</title>");
        let graph =
            [("title", title.as_str()), ("description", &description), ("type", "website"), ("site_name", "quintet")];
        for (property, content) in graph {
            let _ = write!(tags, "\n  <meta property=\"og:{property}\" content=\"{content}\">");
        }
        tags
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Text that cannot be taken for HTML, in elements and in attributes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
