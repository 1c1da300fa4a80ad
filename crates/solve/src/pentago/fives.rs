//! Finds the fives of a pattern for all orientations of its quadrants at once.

use quintet_game::pentago::{LINES, Pentago};

use super::ways::{Ways, all_states};

/// Finds fives.
pub struct Fives<W> {
    /// For each line, the quadrants that it crosses: the quadrant, and for each of its 512 patterns the states (one bit
    /// each) that bring marbles onto the line's cells there.
    lines: Vec<Vec<(usize, Box<[u8; 512]>)>>,
    /// By parity, quadrant and a set of its states: all ways in which that quadrant is in one of them.
    spread: [[Vec<W>; 4]; 2],
}

impl<W: Ways> Fives<W> {
    pub fn new(game: &Pentago) -> Fives<W> {
        let crossed = |line: u64| {
            let parts =
                (0..4).map(|quadrant| (quadrant, line >> (16 * quadrant) & 0x1ff)).filter(|&(_, part)| part != 0);
            parts
                .map(|(quadrant, part)| {
                    let states = |pattern| {
                        let boards = stands::<W>(game, pattern as u64);
                        (0..W::STATES).fold(0, |set, state| set | u8::from(boards[state] & part == part) << state)
                    };
                    (quadrant, Box::new(std::array::from_fn(states)))
                })
                .collect()
        };
        let mut spread = [0, 1].map(|_| [0; 4].map(|_| vec![W::NONE; 1 << W::STATES]));
        for states in all_states(W::STATES) {
            let evenness = states.into_iter().filter(|&state| W::odd(state)).count() % 2;
            for (quadrant, state) in states.into_iter().enumerate() {
                for set in (0..1usize << W::STATES).filter(|set| set >> state & 1 == 1) {
                    spread[evenness][quadrant][set].set(states);
                }
            }
        }
        Fives { lines: LINES.into_iter().map(crossed).collect(), spread }
    }

    /// The ways in which `marbles`, in the layout of the game, hold a five: the even ones and the odd ones.
    pub fn of(&self, marbles: u64) -> [W; 2] {
        let mut found = [W::NONE; 2];
        for line in &self.lines {
            let mut sets = [(0, 0); 3];
            let mut possible = true;
            for (slot, (quadrant, table)) in sets.iter_mut().zip(line) {
                let set = table[(marbles >> (16 * quadrant) & 0x1ff) as usize];
                possible &= set != 0;
                *slot = (*quadrant, usize::from(set));
            }
            if possible {
                for (found, spread) in found.iter_mut().zip(&self.spread) {
                    let all =
                        sets[..line.len()].iter().fold(W::ALL, |all, &(quadrant, set)| all & spread[quadrant][set]);
                    *found = *found | all;
                }
            }
        }
        found
    }
}

/// A quadrant's pattern in each of its states.
pub(super) fn stands<W: Ways>(game: &Pentago, pattern: u64) -> Vec<u64> {
    let mut boards = vec![None; W::STATES];
    boards[0] = Some(pattern);
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        let board = boards[state].expect("it was reached");
        for kind in 0..2 {
            let next = W::spun(state, kind);
            if boards[next].is_none() {
                boards[next] = Some(game.spins(board)[kind]);
                open.push(next);
            }
        }
    }
    boards.into_iter().map(|board| board.expect("spins reach every state")).collect()
}

#[cfg(test)]
mod tests {
    use quintet_game::bits::mix;
    use quintet_game::pentago::{CELLS, has_five};

    use super::super::{Turns, Twists};
    use super::*;

    /// Sparse and dense sets, whose bits are compared one by one with the definition.
    fn around_is_one_spin<W: Ways>() {
        for round in 0..300u64 {
            let mut set = W::NONE;
            let evenness = round as usize / 2 % 2;
            for (number, states) in all_states(W::STATES).enumerate() {
                let odd = states.into_iter().filter(|&state| W::odd(state)).count() % 2;
                let chance = mix(round << 32 | number as u64);
                let one_in = if round % 2 == 0 { 2 } else { 200 };
                if odd != evenness && chance.is_multiple_of(one_in) {
                    set.set(states);
                }
            }
            let around = set.around(evenness);
            for states in all_states(W::STATES) {
                if states.into_iter().filter(|&state| W::odd(state)).count() % 2 != evenness {
                    continue;
                }
                let near = (0..8).any(|spin| {
                    let mut other = states;
                    other[spin / 2] = W::spun(states[spin / 2], spin % 2);
                    set.has(other)
                });
                assert_eq!(around.has(states), near, "{states:?}");
            }
        }
    }

    /// Fives of random patterns against the board spun by the rules of the game.
    fn fives_are_those_of_the_board<W: Ways>(game: &Pentago, rounds: u64) {
        for round in 0..rounds {
            let marbles = (mix(round) | if round % 2 == 0 { mix(!round) } else { 0 }) & CELLS;
            let found = W::fives().of(marbles);
            // A walk of spins over the board and its states together.
            let (mut board, mut states) = (marbles, [0; 4]);
            for step in 0..2000u64 {
                let odd = states.into_iter().filter(|&state| W::odd(state)).count() % 2;
                assert_eq!(found[odd].has(states), has_five(board), "{marbles:x} {states:?}");
                let spin = mix(round << 20 | step) as usize % 8;
                board = game.spins(board)[spin];
                states[spin / 2] = W::spun(states[spin / 2], spin % 2);
            }
        }
    }

    #[test]
    fn around_agrees_with_its_definition() {
        around_is_one_spin::<Turns>();
        around_is_one_spin::<Twists>();
    }

    #[test]
    fn fives_agree_with_the_rules() {
        fives_are_those_of_the_board::<Turns>(&Pentago::standard(), 100);
        fives_are_those_of_the_board::<Twists>(&Pentago::twist(), 100);
    }
}
