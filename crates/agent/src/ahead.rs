//! Pentago and Pentago-Twist before the middle of the game: wins and losses that a search of patterns proves.

use quintet_game::{Game as _, Notation as _, Table};
use quintet_search::{Limit, Proof, Verdict};
use quintet_solve::pentago::{Bounds, Value, prove};

use crate::prove::{Exact, Prover, Unproven, known, pentago_line};

/// Proves wins and losses of Pentago and Pentago-Twist forward, as far as a number of patterns tells.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    nodes: u64,
}

/// Patterns that it looks at when nobody says: a fraction of a second.
const NODES: u64 = 100_000;
/// Bytes of its table.
const TABLE: u64 = 16 << 20;

impl Default for Ahead {
    fn default() -> Ahead {
        Ahead { nodes: NODES }
    }
}

impl Prover for Ahead {
    fn name(&self) -> &str {
        "proof search"
    }

    fn prove(&self, table: &dyn Table, limit: &Limit) -> Result<Exact, Unproven> {
        let (game, line) = pentago_line(table)?;
        let stop = || limit.stopped();
        let nodes = limit.nodes.map_or(self.nodes, |most| most.min(self.nodes));
        let bounds = Bounds { time: limit.time, nodes: Some(nodes), moves: None, memory: TABLE, stop: &stop };
        let proven = prove(&game, line.position(), &bounds);
        let verdict = |proof| Verdict { proof, plies: None };
        match proven.value() {
            Some(Value::Win) => {
                let moves = proven.wins.iter().map(|mv| (game.write_move(*mv), verdict(Proof::Win))).collect();
                let (verdict, by) = (verdict(Proof::Win), self.name().to_owned());
                Ok(Exact { verdict, by, moves, complete: false, all_best: false })
            }
            Some(Value::Loss) => {
                let mut all = Vec::new();
                game.moves(line.position(), &mut all);
                let moves = all.into_iter().map(|mv| (game.write_move(mv), verdict(Proof::Loss))).collect();
                Ok(known(moves, self.name()))
            }
            _ => Err(Unproven(format!("it is too far from the end: {} patterns did not tell.", proven.nodes))),
        }
    }
}
