//! Ratings of a game's levels and named agents: who met whom with which results, and what follows from it.

use serde::Deserialize;

use crate::stats::{Davidson, Encounter, Rating, Wdl};

/// A file of measured matches, `data/ratings/GAME.toml`. Ratings are not kept beside the games but follow from them.
///
/// ```
/// use quintet_arena::RatingFile;
/// let text = r#"{"game": "pylos", "anchor": "pylos:minimax", "elo": 1500, "openings": 2, "match": [
///     {"players": ["level:1", "pylos:minimax"], "specs": ["random", "minimax(eval=difference)"], "seed": 1, "first": [2, 0, 8], "second": [1, 1, 8]}
/// ]}"#;
/// let list = serde_json::from_str::<RatingFile>(text).unwrap().ratings();
/// assert_eq!((list[0].name.as_str(), list[0].rating.elo, list[0].games), ("pylos:minimax", 1500.0, 20));
/// assert!(list[1].rating.elo < 1400.0);
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingFile {
    /// The spec of the game that was played.
    pub game: String,
    /// The player whose rating is known: the best of the paper that was measured.
    pub anchor: String,
    /// Its rating.
    pub elo: f64,
    /// Random plies before the players took over.
    pub openings: u32,
    /// Were only openings drawn that are near even by the game's net?
    #[serde(default)]
    pub even: bool,
    /// The matches.
    #[serde(rename = "match")]
    pub matches: Vec<MeasuredMatch>,
}

/// The results of a match by who moved first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredMatch {
    /// The names of the two players.
    pub players: [String; 2],
    /// What they were, with all names resolved.
    pub specs: [String; 2],
    /// The seed of openings and players.
    pub seed: u64,
    /// Wins, draws and losses of the first of the two where it moved first.
    pub first: [u64; 3],
    /// The same where it moved second.
    pub second: [u64; 3],
}

/// A player of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// Its name, such as `level:4`.
    pub name: String,
    /// Its rating; the error is that of the distance from the anchor.
    pub rating: Rating,
    /// How much stronger it is than the level below it, for levels from 2 on.
    pub step: Option<Rating>,
    /// Its games.
    pub games: u64,
}

impl RatingFile {
    /// All players with their ratings, the strongest first.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rated> {
        let names = self.names();
        let model = self.model();
        let number = |name: &str| names.iter().position(|known| *known == name);
        let mut list: Vec<Rated> = names
            .iter()
            .enumerate()
            .map(|(player, name)| {
                let below = name.strip_prefix("level:").and_then(|level| level.parse::<u32>().ok()?.checked_sub(1));
                let below = below.and_then(|below| number(&format!("level:{below}")));
                let rating = model.rating(player);
                let own = self.matches.iter().filter(|met| met.players.iter().any(|met| met == name));
                Rated {
                    name: (*name).to_owned(),
                    rating: Rating { elo: self.elo + rating.elo, ..rating },
                    step: below.map(|below| model.difference(player, below)),
                    games: own.flat_map(|met| met.first.iter().chain(&met.second)).sum(),
                }
            })
            .collect();
        list.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        list
    }

    /// The model of all games.
    #[must_use]
    pub fn model(&self) -> Davidson {
        let names = self.names();
        let number = |name: &str| names.iter().position(|known| *known == name).unwrap_or(0);
        let mut games = Vec::new();
        for met in &self.matches {
            let [one, other] = [number(&met.players[0]), number(&met.players[1])];
            let [wins, draws, losses] = met.first;
            games.push(Encounter { first: one, second: other, games: Wdl { wins, draws, losses } });
            // Seen by the one who moved first.
            let [losses, draws, wins] = met.second;
            games.push(Encounter { first: other, second: one, games: Wdl { wins, draws, losses } });
        }
        Davidson::fit(names.len(), 0, &games)
    }

    /// All players, the anchor first.
    fn names(&self) -> Vec<&str> {
        let mut names = vec![self.anchor.as_str()];
        for name in self.matches.iter().flat_map(|met| &met.players) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}
