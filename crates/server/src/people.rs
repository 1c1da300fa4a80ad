//! People's results against agents, from finished games of the page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use quintet_arena::stats::Wdl;
use quintet_arena::{Kept, Store, wdl_json};
use quintet_game::GameSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use quintet_api::ApiError;

use crate::blocking::blocking;
use crate::error::Answer;

/// The store's source of a game of the page, by which seats are people. A name alone is not enough: anyone may call themselves `random`.
const SOURCES: [[&str; 2]; 2] =
    [["page", "page, the second a person"], ["page, the first a person", "page, two people"]];

/// The source of a game in which these seats are people.
pub fn source(people: [bool; 2]) -> &'static str {
    SOURCES[usize::from(people[0])][usize::from(people[1])]
}

/// The seat of the one person in a game against an agent.
fn person(kept: &Kept) -> Option<usize> {
    let source_of = |seat: usize| source([seat == 0, seat == 1]);
    (0..2).find(|seat| kept.source.as_deref() == Some(source_of(*seat)))
}

/// Results of people against one agent.
#[derive(Default)]
struct Row {
    wdl: Wdl,
    names: BTreeSet<String>,
    last: String,
}

fn rows(games: Vec<Kept>) -> Vec<Value> {
    let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
    for kept in games {
        let Some(seat) = person(&kept) else { continue };
        let [first, second] = kept.players;
        let (name, agent) = if seat == 0 { (first, second) } else { (second, first) };
        let row = rows.entry((kept.game, agent)).or_default();
        match kept.result.as_str() {
            "draw" => row.wdl.draws += 1,
            winner if winner == ["first", "second"][seat] => row.wdl.wins += 1,
            _ => row.wdl.losses += 1,
        }
        row.names.insert(name);
        row.last = row.last.clone().max(kept.kept);
    }
    let described = rows.into_iter().map(|((game, agent), row)| {
        json!({ "game": game, "agent": agent, "people": wdl_json(row.wdl), "names": row.names.len(), "last": row.last })
    });
    described.collect()
}

/// Which game.
#[derive(Deserialize)]
pub struct Of {
    game: Option<String>,
}

/// Results of people against agents, agent by agent.
pub async fn results(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    let game = of.game.as_deref().map(GameSpec::parse).transpose().map_err(ApiError::invalid)?;
    let rows = blocking(&app, move |app| {
        let store = Store::open(&app.data.join("games.sqlite")).map_err(ApiError::invalid)?;
        Ok(rows(store.games(None, game.map(|spec| spec.info().name)).map_err(ApiError::invalid)?))
    });
    Ok(Json(json!({ "people": rows.await? })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(players: [&str; 2], result: &str, source: &str) -> Kept {
        Kept {
            id: 1,
            run: None,
            game: "pylos".into(),
            players: players.map(str::to_owned),
            weights: [None, None],
            result: result.into(),
            reason: "apex".into(),
            plies: 1,
            record: String::new(),
            source: Some(source.into()),
            kept: "2026-01-01".into(),
        }
    }

    #[test]
    fn only_games_of_one_person_against_an_agent_count() {
        let found = rows(vec![
            kept(["anna", "level:4"], "first", source([true, false])),
            kept(["level:4", "random"], "second", source([false, true])),
            kept(["anna", "level:4"], "draw", source([true, false])),
            kept(["level:4", "ben"], "first", source([false, true])),
            kept(["anna", "ben"], "first", source([true, true])),
            kept(["level:4", "level:5"], "first", source([false, false])),
            kept(["anna", "level:4"], "first", "elsewhere"),
        ]);
        assert_eq!(found.len(), 1);
        let row = &found[0];
        assert_eq!((&row["agent"], &row["names"]), (&json!("level:4"), &json!(3)));
        let counts = [&row["people"]["wins"], &row["people"]["draws"], &row["people"]["losses"]];
        assert_eq!(counts, [&json!(2), &json!(1), &json!(1)]);
        assert_eq!(row["people"]["score"], json!(0.625));
    }
}
