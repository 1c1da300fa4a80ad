//! The search against a plain one that tries every peg and every reply; and its proofs against their claims.

use std::collections::HashMap;

use quintet_game::twixt::{Swap, Twixt};
use quintet_game::{Game as _, Rng, SeedableRng as _};

use super::*;

/// Pegs and links, the side to move, the attacker and its pegs.
type Query = ([[u64; 2]; 2], u64, Player, Player, u8);

/// Can the attacker force a chain with this many more pegs? By definition, except for chains that are too long even if the other side
/// passes.
struct Plain<'a, S> {
    board: &'a Board<S>,
    known: HashMap<Query, bool>,
}

impl<S: HoleSet> Plain<'_, S> {
    fn forced(&mut self, state: &BoardState<S>, to_move: Player, attacker: Player, pegs: u8) -> bool {
        let distance = self.board.distance(state, attacker);
        if distance > pegs || distance == 1 && to_move == attacker {
            return distance <= pegs;
        }
        let key = (
            state.pegs().map(HoleSet::words),
            self.board.links(state).expect("few pegs stand close"),
            to_move,
            attacker,
            pegs,
        );
        if let Some(&answer) = self.known.get(&key) {
            return answer;
        }
        let left = if to_move == attacker { pegs - 1 } else { pegs };
        let empty = self.board.empty(state, to_move);
        let mut child = |hole| {
            let mut child = *state;
            self.board.put(&mut child, to_move, hole);
            self.forced(&child, to_move.other(), attacker, left)
        };
        let answer = if to_move == attacker {
            empty.holes().any(&mut child)
        } else {
            !empty.is_empty() && empty.holes().all(&mut child)
        };
        self.known.insert(key, answer);
        answer
    }
}

/// Counts of comparisons: wins, others, and pegs that do not matter by a proof: additional pegs of the defender's that leave a
/// win, additional pegs of the attacker's that do not help.
#[derive(Debug, Default)]
struct Seen {
    wins: u32,
    others: u32,
    strays: [u32; 2],
}

/// How many positions of a kind are compared; set `QUINTET_ROUNDS` for more.
fn rounds() -> u32 {
    std::env::var("QUINTET_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(10)
}

/// Random positions with this many pegs: both questions with up to this many more pegs. A peg outside of the zone of the side
/// against which something is proven must change nothing, had it been there from the beginning.
fn compare<S: HoleSet, const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    (stand, most): (u32, u8),
    seed: u64,
    seen: &mut Seen,
) {
    let board: Board<S> = Board::new(game);
    let mut rng = Rng::seed_from_u64(seed);
    let mut memory = Memory::new(1 << 22);
    for round in 0..rounds() {
        let mut pos = game.start();
        while game.outcome(&pos).is_none() && game.pieces(&pos) < stand + round % 3 {
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
        }
        if game.outcome(&pos).is_some() {
            continue;
        }
        let (state, to_move) = (board.read(&pos), game.to_move(&pos));
        let mut plain = Plain { board: &board, known: HashMap::new() };
        for (attacker, pegs) in Player::BOTH.into_iter().flat_map(|player| (1..=most).map(move |pegs| (player, pegs))) {
            let mut search = Search::new(&board, &mut memory, &Limit::default(), &|| false);
            let (answer, proof) = if attacker == to_move {
                search.attack(&state, attacker, pegs)
            } else {
                search.defend(&state, attacker, pegs, true)
            };
            let slow = plain.forced(&state, to_move, attacker, pegs);
            assert_eq!(answer == Forced::Yes, slow, "{pos:?} {attacker:?} {pegs}");
            *(if slow { &mut seen.wins } else { &mut seen.others }) += 1;
            let stray = match answer {
                Forced::Yes => attacker.other(),
                Forced::NotYet => continue,
                Forced::Never => attacker,
            };
            let room = board.empty(&state, stray);
            // An additional peg takes a hole: a win may come too late when holes run out.
            if slow && room.count() <= 2 * u32::from(pegs) {
                continue;
            }
            for hole in (room & !proof.zone).holes() {
                let mut with = state;
                board.put(&mut with, stray, hole);
                let still = plain.forced(&with, to_move, attacker, if slow { pegs } else { most });
                assert_eq!(still, slow, "{pos:?} {attacker:?} {pegs} {hole}");
                seen.strays[usize::from(slow)] += 1;
            }
        }
    }
}

#[test]
fn proofs_hold_and_answers_are_those_of_a_plain_search() {
    let mut seen = [Seen::default(), Seen::default(), Seen::default()];
    for (size, stand, most) in [(5, 4, 4), (5, 9, 5), (6, 8, 3), (6, 14, 4), (7, 14, 3), (7, 20, 4), (8, 22, 3)] {
        let (seed, kind) = (u64::from(stand), (stand, most));
        compare::<u64, 16, 1>(&Twixt::new(size, false, Swap::Off), kind, seed, &mut seen[0]);
        compare::<u64, 16, 2>(&Twixt::new(size, false, Swap::Off), kind, seed, &mut seen[1]);
        compare::<u64, 16, 1>(&Twixt::new(size, true, Swap::Off), kind, seed, &mut seen[2]);
    }
    compare::<u128, 20, 1>(&Twixt::new(9, false, Swap::Off), (32, 3), 1, &mut seen[0]);
    compare::<u128, 20, 2>(&Twixt::new(9, false, Swap::Off), (32, 3), 2, &mut seen[1]);
    compare::<u128, 20, 1>(&Twixt::new(9, true, Swap::Off), (32, 3), 3, &mut seen[2]);
    for Seen { wins, others, strays } in &seen {
        assert!(*wins >= 100 && *others >= 100 && strays.iter().all(|strays| *strays >= 1000), "{seen:?}");
    }
}
