//! Lists of games, agents, levels, evaluations and puzzles.

use quintet_agent::ModeSpec;
use quintet_eval::{Argument, Spec, evaluations};
use quintet_game::registry::{Info, Values};
use quintet_game::{GAMES, GameSpec};
use serde_json::{Value, json};

use crate::place::game_spec;
use crate::{Api, ApiError};

impl Api {
    /// The games with their options.
    #[must_use]
    pub fn games(&self) -> Value {
        json!(GAMES.iter().map(game).collect::<Vec<_>>())
    }

    /// The agents of the catalogue, of one game or of all.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn agents(&self, of: Option<&str>) -> Result<Value, ApiError> {
        let name = game_name(of)?;
        let entries = self.agents.entries().filter(|entry| name.is_none_or(|name| name == entry.game));
        let described = entries.map(|entry| {
            let modes: Vec<&str> = entry.specs.iter().map(|spec| spec.mode.name()).collect();
            let eval = |spec: &ModeSpec| Some(json!({ "mode": spec.mode.name(), "eval": eval_of(&spec.spec)? }));
            let evals: Vec<Value> = entry.specs.iter().filter_map(eval).collect();
            json!({
                "agent": entry.token(), "game": entry.game, "about": entry.about, "paper": entry.paper, "section": entry.section,
                "modes": modes, "needs": entry.needs, "evals": evals,
            })
        });
        Ok(json!(described.collect::<Vec<_>>()))
    }

    /// The levels of one game, or of all.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn levels(&self, of: Option<&str>) -> Result<Value, ApiError> {
        let name = game_name(of)?;
        let levels = self.agents.levels().filter(|level| name.is_none_or(|name| name == level.game));
        let described = levels.map(|level| {
            json!({
                "game": level.game, "level": level.level, "agent": level.token(), "spec": level.spec.to_string(),
                "strength": (!level.strength.is_empty()).then_some(&level.strength),
            })
        });
        Ok(json!(described.collect::<Vec<_>>()))
    }

    /// The evaluations of a game.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn evaluations(&self, of: Option<&str>) -> Result<Value, ApiError> {
        let spec = game_spec(of.unwrap_or_default())?;
        let listed = evaluations(&spec).iter().map(|info| json!({ "name": info.name, "about": info.about }));
        Ok(json!(listed.collect::<Vec<_>>()))
    }

    /// The puzzles of one game, or of all.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn puzzles(&self, of: Option<&str>) -> Result<Value, ApiError> {
        let game = game_name(of)?;
        let name = |text: &str| GameSpec::parse(text).map(|spec| spec.info().name).unwrap_or_default();
        let mut puzzles = quintet_agent::puzzles_with(self.agents.weight_store().data()).map_err(ApiError::invalid)?;
        puzzles.retain(|puzzle| game.is_none_or(|game| game == name(&puzzle.game)));
        Ok(json!({ "puzzles": puzzles }))
    }
}

fn game_name(of: Option<&str>) -> Result<Option<&'static str>, ApiError> {
    let spec = of.map(game_spec).transpose()?;
    Ok(spec.map(|spec| spec.info().name))
}

fn game(info: &'static Info) -> Value {
    let spec = GameSpec::of(info);
    let options = info.options.iter().map(|option| {
        let values = match option.values {
            Values::Words(words) => {
                words.iter().map(|(word, about)| json!({ "value": word, "about": about })).collect()
            }
            Values::Range(low, high) => json!({ "from": low, "to": high }),
        };
        json!({ "key": option.key, "about": option.about, "default": spec.word(option.key), "values": values })
    });
    json!({
        "game": info.name, "title": info.title, "about": info.about, "sides": info.sides, "example": info.example,
        "options": options.collect::<Vec<_>>(),
    })
}

/// The evaluation that a spec names, however deeply nested.
fn eval_of(spec: &Spec) -> Option<String> {
    spec.arguments.iter().find_map(|(key, value)| match value {
        Argument::Spec(inner) if key == "eval" => Some(inner.to_string()),
        Argument::Spec(inner) => eval_of(inner),
        Argument::Text(_) => None,
    })
}
