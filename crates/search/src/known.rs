//! Proven results, as tree searches back them up.

use quintet_game::{Outcome, Player, Proof};

/// A proven result, and how many plies away it is with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub outcome: Outcome,
    pub plies: u16,
}

impl Known {
    /// What it means to `mover`.
    pub fn proof(self, mover: Player) -> Proof {
        match self.outcome {
            Outcome::Draw => Proof::Draw,
            Outcome::Win(player) if player == mover => Proof::Win,
            Outcome::Win(_) => Proof::Loss,
        }
    }

    /// How good it is for `mover` among proven results of one kind: wins should be near, everything else far.
    pub fn merit(self, mover: Player) -> i64 {
        if self.proof(mover) == Proof::Win { -i64::from(self.plies) } else { i64::from(self.plies) }
    }

    /// What the children's results prove about their parent, in which `mover` is to move: it is won with a won child, otherwise known
    /// when all are.
    pub fn conclude(children: impl Iterator<Item = Option<Known>>, mover: Player) -> Option<Known> {
        let (mut best, mut all) = (None::<Known>, true);
        let order = |known: Known| (value(known.proof(mover)), known.merit(mover));
        for child in children {
            match child {
                Some(known) if best.is_none_or(|best| order(known) > order(best)) => best = Some(known),
                Some(_) => {}
                None => all = false,
            }
        }
        let best = best.filter(|best| all || best.proof(mover) == Proof::Win)?;
        Some(Known { outcome: best.outcome, plies: best.plies.saturating_add(1) })
    }
}

/// A proof in half points.
fn value(proof: Proof) -> i32 {
    match proof {
        Proof::Win => 2,
        Proof::Draw => 1,
        Proof::Loss => 0,
    }
}

/// The shares of wins and draws of a proven result.
pub(crate) fn chances(proof: Proof) -> [f64; 2] {
    match proof {
        Proof::Win => [1.0, 0.0],
        Proof::Draw => [0.0, 1.0],
        Proof::Loss => [0.0, 0.0],
    }
}
