//! Pentago and Pentago-Twist before the middle of the game: wins and losses proven by a search of patterns.

use quintet_game::{AnyLine, Game as _, Limit, Notation as _, Proof, Stop};
use quintet_solve::pentago::prove;

use crate::prove::{Exact, Prover, Unproven, known, pentago_line};

/// Proves wins and losses of Pentago and Pentago-Twist forward, with a limited number of patterns.
#[derive(Clone, Copy, Debug)]
pub struct ForwardProver {
    nodes: u64,
}

/// The default number of patterns: a fraction of a second.
const NODES: u64 = 100_000;
/// Bytes of its table.
const TABLE: u64 = 16 << 20;

impl Default for ForwardProver {
    fn default() -> ForwardProver {
        ForwardProver { nodes: NODES }
    }
}

impl Prover for ForwardProver {
    fn name(&self) -> &str {
        "proof search"
    }

    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
        let line = pentago_line(line)?;
        let game = line.game();
        let limit = Limit { depth: None, ..limit.smaller(&Limit::nodes(self.nodes)) };
        let proven = prove(game, line.position(), &limit, TABLE, &|| stop.stopped());
        match proven.value() {
            Some(Proof::Win) => {
                let value = Proof::Win.into();
                let moves = proven.wins.iter().map(|mv| (game.write_move(*mv), value)).collect();
                Ok(Exact { value, by: self.name().to_owned(), moves, complete: false, all_best: false })
            }
            Some(Proof::Loss) => {
                let mut all = Vec::new();
                game.moves(line.position(), &mut all);
                let moves = all.into_iter().map(|mv| (game.write_move(mv), Proof::Loss.into())).collect();
                Ok(known(moves, self.name()))
            }
            _ => Err(Unproven(format!("it is too far from the end: {} patterns were not enough.", proven.nodes))),
        }
    }
}
