//! The results of a run. Nothing is kept beside the games: every table is derived from them.

use std::collections::BTreeMap;

use quintet_game::bits::mix;
use quintet_game::record::Record;
use quintet_game::{EndReason, Forfeit};

use crate::arbiter::Played;
use crate::plan::Plan;
use crate::stats::{Decision, Pairs, Redundancy, Wdl, redundancy};

/// The games of a plan that have been played.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The plan.
    pub plan: Plan,
    /// The games, in the order of the plan.
    pub games: Vec<Played>,
}

impl Results {
    /// The results of some games.
    #[must_use]
    pub fn new(plan: Plan, games: Vec<Played>) -> Results {
        Results { plan, games }
    }

    /// The games of two players.
    fn between(&self, a: usize, b: usize) -> impl Iterator<Item = &Played> {
        self.games.iter().filter(move |played| played.seats == [a, b] || played.seats == [b, a])
    }

    /// Wins, draws and losses of `a` against `b`.
    #[must_use]
    pub fn wdl(&self, a: usize, b: usize) -> Wdl {
        count(self.between(a, b).map(|played| half_points(played, a)))
    }

    /// Wins, draws and losses of a player against all others.
    #[must_use]
    pub fn total(&self, player: usize) -> Wdl {
        let own = self.games.iter().filter(|played| played.seats.contains(&player));
        count(own.map(|played| half_points(played, player)))
    }

    /// Wins, draws and losses of the first seat.
    #[must_use]
    pub fn first_seat(&self) -> Wdl {
        count(self.games.iter().map(Played::first_half_points))
    }

    /// Pairs of games from one opening with colours swapped, by the results of `a` against `b`. A game whose twin is missing does not count.
    #[must_use]
    pub fn pairs(&self, a: usize, b: usize) -> Pairs {
        let row = 2 * self.plan.pairings().len().max(1) as u64;
        let mut open: BTreeMap<u64, u32> = BTreeMap::new();
        let mut pairs = Pairs::default();
        for played in self.between(a, b) {
            let own = half_points(played, a);
            match open.remove(&(played.number / row)) {
                None => {
                    open.insert(played.number / row, own);
                }
                Some(other) => add_pair(&mut pairs, own, other),
            }
        }
        pairs
    }

    /// Games lost by a fault: the player, the reason, how often.
    #[must_use]
    pub fn forfeits(&self) -> BTreeMap<(usize, EndReason), u64> {
        let mut counts = BTreeMap::new();
        for played in &self.games {
            for loser in played.forfeiters() {
                *counts.entry((loser, played.reason.clone())).or_insert(0) += 1;
            }
        }
        counts
    }

    /// Wins, draws and losses of `a` against `b` without the games that one of them lost by a fault.
    #[must_use]
    pub fn on_board(&self, a: usize, b: usize) -> Wdl {
        count(self.between(a, b).filter(|played| !played.is_forfeit()).map(|played| half_points(played, a)))
    }

    /// Have all games been forfeited? Then they say nothing about strength, whoever was at fault.
    #[must_use]
    pub fn is_all_forfeits(&self) -> bool {
        !self.games.is_empty() && self.games.iter().all(Played::is_forfeit)
    }

    /// Games that ended otherwise than by the rules or a fault: `resigned`, `adjudicated: …` and `cap`, and how often.
    #[must_use]
    pub fn endings(&self) -> BTreeMap<EndReason, u64> {
        let mut counts = BTreeMap::new();
        let apart =
            |reason: &EndReason| matches!(reason, EndReason::Resigned | EndReason::Cap) || reason.is_adjudicated();
        for played in self.games.iter().filter(|played| apart(&played.reason)) {
            *counts.entry(played.reason.clone()).or_insert(0) += 1;
        }
        counts
    }

    /// The players that have forfeited every game by faults: nothing is known of their strength. With each, what it did last. Players that cannot play the variant are
    /// not among them.
    #[must_use]
    pub fn broken(&self) -> Vec<(usize, &Played)> {
        let is_broken = |player: usize| {
            let mut own = self.games.iter().filter(|played| played.seats.contains(&player));
            let last = own.clone().next_back()?;
            own.all(|played| {
                played.reason != EndReason::Forfeit(Forfeit::CannotPlay)
                    && played.forfeiters().any(|other| other == player)
            })
            .then_some((player, last))
        };
        (0..self.plan.players.len()).filter_map(is_broken).collect()
    }

    /// How many positions after the openings were new, by the moves that led to them: deterministic players repeat themselves.
    #[must_use]
    pub fn redundancy(&self) -> Redundancy {
        let mut keys = Vec::new();
        for played in &self.games {
            let Ok(record) = Record::read(&played.record) else { continue };
            let mut key = u64::from(played.seats[0] < played.seats[1]);
            for (ply, mv) in record.moves.iter().enumerate() {
                key = mv.bytes().fold(mix(key ^ ply as u64), |key, byte| mix(key ^ u64::from(byte)));
                if ply >= self.plan.opening_plies as usize {
                    keys.push(key);
                }
            }
        }
        redundancy(keys)
    }

    /// Whether all games of the plan have been played, or its sequential test has been decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let decided = match (self.plan.test(), self.pairs(0, 1).summary()) {
            (Ok(Some(test)), Some(pairs)) => test.decide(&pairs) != Decision::GoOn,
            _ => false,
        };
        decided || self.games.len() as u64 == self.plan.games()
    }

    /// Every player's wins, draws and losses against every other: the cross table.
    #[must_use]
    pub fn cross_table(&self) -> Vec<Vec<Wdl>> {
        let players = 0..self.plan.players.len();
        players
            .clone()
            .map(|a| players.clone().map(|b| if a == b { Wdl::default() } else { self.wdl(a, b) }).collect())
            .collect()
    }
}

/// Half points of a player in a game.
pub(crate) fn half_points(played: &Played, player: usize) -> u32 {
    let first = played.first_half_points();
    if played.seats[0] == player { first } else { 2 - first }
}

fn count(half_points: impl Iterator<Item = u32>) -> Wdl {
    let mut wdl = Wdl::default();
    for points in half_points {
        match points {
            2 => wdl.wins += 1,
            1 => wdl.draws += 1,
            _ => wdl.losses += 1,
        }
    }
    wdl
}

/// Counts a pair by the half points of its two games.
pub(crate) fn add_pair(pairs: &mut Pairs, one: u32, two: u32) {
    match (one.min(two), one.max(two)) {
        (0, 0) => pairs.ll += 1,
        (0, 1) => pairs.ld += 1,
        (0, 2) => pairs.wl += 1,
        (1, 1) => pairs.dd += 1,
        (1, 2) => pairs.wd += 1,
        _ => pairs.ww += 1,
    }
}
