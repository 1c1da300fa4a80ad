//! People's results against agents, from finished games of the page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quintet_arena::stats::Wdl;
use quintet_arena::{Store, StoredGame, wdl_json};
use quintet_game::{GameSpec, Outcome};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use quintet_api::ApiError;

use crate::client::Client;
use crate::error::{JsonAnswer, Query};
use crate::page::page;

/// The store's source of a game of the page, by which seats are people. A name alone is not enough: anyone may call themselves `random`.
const SOURCES: [[&str; 2]; 2] =
    [["page", "page, the second a person"], ["page, the first a person", "page, two people"]];

/// The source of a game that began in the middle, or in which somebody else moved for the agent: it says nothing about either.
const SET_UP: &str = "page, set up";

/// The source of a game in which these seats are people. `counts` if all of it was played here, the agent's moves by the agent.
pub fn source(people: [bool; 2], counts: bool) -> &'static str {
    if !counts {
        return SET_UP;
    }
    SOURCES[usize::from(people[0])][usize::from(people[1])]
}

/// The seat of the one person in a game against an agent.
fn person(kept: &StoredGame) -> Option<usize> {
    let source_of = |seat: usize| source([seat == 0, seat == 1], true);
    (0..2).find(|seat| kept.source.as_deref() == Some(source_of(*seat)))
}

/// Results of people against one agent.
#[derive(Default)]
struct Row {
    wdl: Wdl,
    names: BTreeSet<String>,
    last: String,
}

/// Results by game and agent.
#[derive(Default)]
struct Rows(BTreeMap<(String, String), Row>);

impl Rows {
    fn count(&mut self, kept: StoredGame) {
        let Some(seat) = person(&kept) else { return };
        let [first, second] = kept.players;
        let (name, agent) = if seat == 0 { (first, second) } else { (second, first) };
        let row = self.0.entry((kept.game, agent)).or_default();
        match kept.result {
            Some(Outcome::Draw) => row.wdl.draws += 1,
            Some(Outcome::Win(winner)) if winner.index() == seat => row.wdl.wins += 1,
            _ => row.wdl.losses += 1,
        }
        row.names.insert(name);
        row.last = kept.kept.max(std::mem::take(&mut row.last));
    }

    fn described(self) -> Vec<Value> {
        let described = self.0.into_iter().map(|((game, agent), row)| {
            json!({ "game": game, "agent": agent, "people": wdl_json(row.wdl), "names": row.names.len(), "last": row.last })
        });
        described.collect()
    }
}

/// Which game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Of {
    game: Option<String>,
    /// The place of the page's first entry.
    #[serde(default)]
    from: usize,
}

/// Results of people against agents, agent by agent.
pub async fn results(State(app): State<Arc<App>>, client: Client, Query(of): Query<Of>) -> JsonAnswer {
    let rows = app.disk(client, move |app| {
        let game = of.game.as_deref().map(GameSpec::parse).transpose().map_err(ApiError::invalid)?;
        let store = Store::open(&app.data.join("games.sqlite")).map_err(ApiError::invalid)?;
        let (mut rows, sources) = (Rows::default(), [source([true, false], true), source([false, true], true)]);
        let name = game.map(|spec| spec.info().name);
        store.each_from(sources, name, &mut |kept| rows.count(kept)).map_err(ApiError::invalid)?;
        Ok(page("people", rows.described(), of.from))
    });
    Ok(Json(rows.await?))
}

#[cfg(test)]
mod tests {
    use quintet_game::EndReason;
    use quintet_game::record::read_result;

    use super::*;

    fn kept(players: [&str; 2], result: &str, source: &str) -> StoredGame {
        StoredGame {
            id: 1,
            run: None,
            game: "pylos".into(),
            players: players.map(str::to_owned),
            weights: [None, None],
            worker: None,
            result: read_result(result).unwrap(),
            reason: Some(EndReason::Apex),
            plies: 1,
            record: String::new(),
            source: Some(source.into()),
            kept: "2026-01-01".into(),
        }
    }

    #[test]
    fn only_games_of_one_person_against_an_agent_count() {
        let games = [
            kept(["anna", "level:4"], "first", source([true, false], true)),
            kept(["level:4", "random"], "second", source([false, true], true)),
            kept(["anna", "level:4"], "draw", source([true, false], true)),
            kept(["level:4", "ben"], "first", source([false, true], true)),
            kept(["anna", "ben"], "first", source([true, true], true)),
            kept(["level:4", "level:5"], "first", source([false, false], true)),
            kept(["anna", "level:4"], "first", "elsewhere"),
            kept(["anna", "level:4"], "first", source([true, false], false)),
        ];
        let mut rows = Rows::default();
        games.into_iter().for_each(|game| rows.count(game));
        let found = rows.described();
        assert_eq!(found.len(), 1);
        let row = &found[0];
        assert_eq!((&row["agent"], &row["names"]), (&json!("level:4"), &json!(3)));
        let counts = [&row["people"]["wins"], &row["people"]["draws"], &row["people"]["losses"]];
        assert_eq!(counts, [&json!(2), &json!(1), &json!(1)]);
        assert_eq!(row["people"]["score"], json!(0.625));
    }
}
