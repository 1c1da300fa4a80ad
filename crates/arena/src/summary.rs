//! The results of a run, for programs.

use quintet_game::EndReason;
use serde_json::{Value, json};

use crate::arbiter::Played;
use crate::results::{Results, add_pair, half_points};
use crate::stats::{CrossTable, Pairs, Ratings, Summary, Wdl, elo_is_meaningful};

/// The most points of a curve.
const POINTS: usize = 200;

impl Results {
    /// The players' ratings; the anchor's is 0. A player that has forfeited every game has none, and games against it count for nobody's.
    #[must_use]
    pub fn ratings(&self) -> Ratings {
        let played_some = |player: usize| {
            let mut own = self.games.iter().filter(|played| played.seats.contains(&player));
            own.any(|played| !played.forfeiters().any(|other| other == player))
        };
        let mut games = CrossTable::new(self.plan.players.len());
        for [a, b] in self.plan.pairings().into_iter().filter(|pair| pair.iter().all(|player| played_some(*player))) {
            games.record(a, b, self.wdl(a, b));
        }
        games.rate(self.plan.anchor, 0.0)
    }

    /// Everything that follows from the games, as JSON: players with their ratings, pairings with wins, draws and losses, scores, intervals, Elo and tests.
    /// Elo is null where the players repeat their games too much for it to mean anything, or where one won all games: then `elo_interval` has a bound.
    #[must_use]
    pub fn summary(&self) -> Value {
        let plan = &self.plan;
        let redundancy = self.redundancy();
        let meaningful = elo_is_meaningful(redundancy) && !self.is_all_forfeits();
        let pairings: Vec<Value> = plan.pairings().into_iter().map(|[a, b]| self.pairing(a, b, meaningful)).collect();
        let ratings = meaningful.then(|| self.ratings());
        let players = plan.players.iter().enumerate().map(|(number, player)| {
            let rating = ratings.as_ref().and_then(|ratings| ratings.players[number]);
            json!({
                "name": player.name, "agent": player.agent, "total": wdl_json(self.total(number)),
                "rating": rating.map(|rating| rating.elo), "rating_error": rating.map(|rating| rating.error),
            })
        });
        let said = |player: usize, reason: &EndReason| {
            let at_fault = |played: &&Played| played.reason == *reason && played.forfeiters().any(|one| one == player);
            self.games.iter().rev().find(at_fault).and_then(|played| played.fault.clone())
        };
        let forfeits = self.forfeits().into_iter().map(|((player, reason), count)| {
            json!({"player": plan.players[player].name, "reason": reason, "count": count, "said": said(player, &reason)})
        });
        let overruns: u32 = self.games.iter().map(|played| played.cost.overruns).sum();
        json!({
            "plan": plan, "games": self.games.len(), "players": players.collect::<Vec<_>>(), "pairings": pairings,
            "first_seat": wdl_json(self.first_seat()), "redundancy": redundancy.share(), "forfeits": forfeits.collect::<Vec<_>>(),
            "overruns": overruns, "endings": self.endings(),
        })
    }

    fn pairing(&self, a: usize, b: usize, meaningful: bool) -> Value {
        let plan = &self.plan;
        let pairs = self.pairs(a, b);
        // Pairs are the unit: the two games of one opening are not independent evidence.
        let summary = pairs.summary().or_else(|| self.wdl(a, b).summary()).filter(|_| meaningful);
        let (elo, nelo) = (summary.map(|summary| summary.elo()), summary.and_then(|summary| summary.normalized_elo()));
        let sprt = plan.test().ok().flatten().zip(summary).map(|(test, summary)| {
            json!({"llr": test.llr(&summary), "bounds": test.bounds(), "decision": test.decide(&summary).to_string()})
        });
        json!({
            "players": [plan.players[a].name, plan.players[b].name],
            "wdl": wdl_json(self.wdl(a, b)),
            "on_board": wdl_json(self.on_board(a, b)),
            "pairs": {"ll": pairs.ll, "ld": pairs.ld, "wl": pairs.wl, "dd": pairs.dd, "wd": pairs.wd, "ww": pairs.ww},
            "elo": elo.and_then(|elo| elo.value),
            "elo_error": elo.and_then(|elo| elo.error()),
            "elo_interval": elo.map(|elo| [elo.low, elo.high]),
            "nelo": nelo.and_then(|nelo| nelo.value),
            "nelo_error": nelo.and_then(|nelo| nelo.error()),
            "los": summary.as_ref().map(Summary::los),
            "sprt": sprt,
        })
    }

    /// The course of a sequential test: numbers of games, with the log-likelihood ratio after each. Empty without a test.
    ///
    /// ```
    /// use quintet_arena::{Length, Plan, Results};
    /// let plan = Plan::duel("pylos", ["random", "random"], Length::Games(4)).unwrap();
    /// assert!(Results::new(plan, Vec::new()).curve().is_empty());
    /// ```
    #[must_use]
    pub fn curve(&self) -> Vec<(u64, f64)> {
        let Ok(Some(test)) = self.plan.test() else { return Vec::new() };
        let mut pairs = Pairs::default();
        let mut curve = Vec::new();
        for (number, two) in self.games.chunks_exact(2).enumerate() {
            if two[0].number + 1 != two[1].number || two[0].number != 2 * number as u64 {
                break;
            }
            add_pair(&mut pairs, half_points(&two[0], 0), half_points(&two[1], 0));
            let llr = pairs.summary().map(|pairs| test.llr(&pairs)).filter(|llr| llr.is_finite());
            curve.extend(llr.map(|llr| (two[1].number + 1, llr)));
        }
        let every = curve.len().div_ceil(POINTS).max(1);
        let last = curve.len().saturating_sub(1);
        curve.into_iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last).map(|(_, point)| point).collect()
    }
}

/// Wins, draws and losses, with the score and its 95 % interval.
#[must_use]
pub fn wdl_json(wdl: Wdl) -> Value {
    let summary = wdl.summary();
    json!({
        "wins": wdl.wins, "draws": wdl.draws, "losses": wdl.losses,
        "score": summary.map(|summary| summary.score()),
        "interval": summary.map(|summary| [summary.interval().low, summary.interval().high]),
    })
}
