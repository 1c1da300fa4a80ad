//! Forward proof search: wins and losses before the middle of the game, as far as time allows.
//!
//! One side attacks, the other defends, and the attacker has a number of moves left. A node is a pattern; its answer is the
//! set of all orientations of its quadrants in which the attacker wins, so spins cost no branching. One bound needs no look at
//! the board: a *five* is a set of five cells that some spins bring onto a line, and the attacker cannot win with fewer moves
//! than are missing from the best five that is free of the other side's marbles.

use quintet_game::bits::each_bit;
use quintet_game::clock::Stopwatch;
use quintet_game::pentago::{CELLS, LINES, Move, Pentago, Position};
use quintet_game::{Game as _, Limit, Outcome, Proof, Symmetric as _};

use super::answers::{Answer, Answers};
use super::forms::{Carry, Forms, states};
use super::ways::Ways;
use super::{Turns, Twists};
use crate::Halt;

/// What a proof search found about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The least value for the side to move.
    pub least: Proof,
    /// The greatest value for the side to move; if both are equal, that is the value.
    pub most: Proof,
    /// Moves that win, if it is won: those that were found, at least one.
    pub wins: Vec<Move>,
    /// An upper bound on the winner's moves until the end, of a win or a loss.
    pub moves: Option<u32>,
    /// Patterns searched.
    pub nodes: u64,
}

impl Proven {
    /// The value, if it is known.
    #[must_use]
    pub fn value(&self) -> Option<Proof> {
        (self.least == self.most).then_some(self.least)
    }
}

/// Proves what it can about a position that is not over: whether the side to move can force a win, and whether the other side can.
///
/// ```
/// use quintet_game::{Limit, Notation, Proof, pentago::Pentago};
/// use quintet_solve::pentago::prove;
/// let game = Pentago::standard();
/// let pos = game.read_position("xxxx../ooo.../....../....../....../o..... x").unwrap();
/// let proven = prove(&game, &pos, &Limit::nodes(100_000), 1 << 20, &|| false);
/// assert_eq!(proven.value(), Some(Proof::Win));
/// ```
#[must_use]
pub fn prove(game: &Pentago, position: &Position, limit: &Limit, memory: u64, halt: Halt) -> Proven {
    if game.mirrors() {
        Forward::<Twists>::new(game, position, limit, memory, halt).prove(position)
    } else {
        Forward::<Turns>::new(game, position, limit, memory, halt).prove(position)
    }
}

/// Five cells that some spins bring onto a line, and the ways in which they lie on one, even and odd ones.
struct Five<W> {
    cells: u64,
    ways: [W; 2],
}

/// All fives.
fn fives<W: Ways>(game: &Pentago) -> Vec<Five<W>> {
    let states = states::<W>(game);
    let mut found = Vec::new();
    for line in LINES {
        let mut sets = vec![0u64];
        for quadrant in (0..4).filter(|quadrant| line >> (16 * quadrant) & 0x1ff != 0) {
            let brings = |state: &[usize; 9]| {
                let on = (0..9).filter(|&cell| line >> (16 * quadrant + state[cell]) & 1 == 1);
                on.fold(0, |part, cell| part | 1 << (16 * quadrant + cell))
            };
            let parts: Vec<u64> = states.iter().map(brings).collect();
            sets = sets.iter().flat_map(|set| parts.iter().map(move |part| set | part)).collect();
        }
        found.append(&mut sets);
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|cells| Five { cells, ways: W::fives().of(cells) }).collect()
}

/// A pattern: marbles of the side to move and of the other one, the fives that each has, and the parity of its ways.
#[derive(Clone, Copy)]
struct Spot<W> {
    sides: [u64; 2],
    held: [[W; 2]; 2],
    now: usize,
}

impl<W: Ways> Spot<W> {
    fn empty(&self) -> u64 {
        CELLS & !(self.sides[0] | self.sides[1])
    }

    /// The pattern after a marble of the side to move on `cell`, which then has the fives `held`.
    fn after(&self, cell: u64, held: [W; 2]) -> Spot<W> {
        Spot { sides: [self.sides[1], self.sides[0] | cell], held: [self.held[1], held], now: 1 - self.now }
    }
}

/// What a side is missing.
struct Lacks {
    /// Its entries in the list of fives that miss one marble.
    from: usize,
    to: usize,
    /// The least number of marbles that a free five misses.
    least: u32,
    /// By number: the missing cells of fives that miss that many.
    cells: [u64; 6],
}

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Attacker,
    Defender,
}

struct Forward<'a, W> {
    game: &'a Pentago,
    limit: &'a Limit,
    halt: Halt<'a>,
    began: Stopwatch,
    fives: Vec<Five<W>>,
    forms: Forms,
    answers: Answers<W>,
    /// Cells that complete fives, with the ways of those fives: a stack, the last pattern's on top.
    lacking: Vec<(u64, [W; 2])>,
    /// Cells in the order in which they are tried: also a stack.
    order: Vec<u64>,
    nodes: u64,
    out: bool,
}

/// Nodes between two checks of the clock.
const LOOK: u64 = 256;

impl<'a, W: Ways> Forward<'a, W> {
    fn new(game: &'a Pentago, position: &Position, limit: &'a Limit, memory: u64, halt: Halt<'a>) -> Forward<'a, W> {
        Forward {
            game,
            limit,
            halt,
            began: limit.start(),
            fives: fives(game),
            forms: Forms::new::<W>(game, game.symmetries(position)),
            answers: Answers::new(memory),
            lacking: Vec::new(),
            order: Vec::new(),
            nodes: 0,
            out: false,
        }
    }

    fn prove(&mut self, position: &Position) -> Proven {
        let mover = self.game.to_move(position);
        let sides = [position.side(mover), position.side(mover.other())];
        let spot = Spot { sides, held: sides.map(|side| W::fives().of(side)), now: 0 };
        let here = here::<W>();
        let empty = spot.empty().count_ones();
        let mut proven = Proven { least: Proof::Loss, most: Proof::Win, wins: Vec::new(), moves: None, nodes: 0 };
        // One more than either side has moves left, because a last move can also lose.
        let full = empty / 2 + 1;
        for moves in 1..=self.limit.depth.map_or(full, |plies| plies.div_ceil(2).min(full)) {
            if proven.most == Proof::Win {
                proven.wins = self.wins(position, spot, moves);
                if !proven.wins.is_empty() {
                    (proven.least, proven.moves) = (Proof::Win, Some(moves));
                    break;
                }
                if !self.out && moves == full {
                    proven.most = Proof::Draw;
                }
            }
            if self.defend(spot, moves, here).has([0; 4]) {
                (proven.most, proven.moves) = (Proof::Loss, Some(moves));
                break;
            }
            if self.out {
                break;
            }
            if moves == full {
                proven.least = Proof::Draw;
            }
        }
        proven.nodes = self.nodes;
        proven
    }

    /// Moves that win within this many: those that end the game, or those of the first cell that has any.
    fn wins(&mut self, position: &Position, spot: Spot<W>, moves: u32) -> Vec<Move> {
        let mut all = Vec::new();
        self.game.moves(position, &mut all);
        let mover = self.game.to_move(position);
        let end = |mv: &Move| {
            let mut after = *position;
            self.game.play(&mut after, *mv);
            self.game.outcome(&after)
        };
        let ends: Vec<Move> = all.iter().copied().filter(|mv| end(mv) == Some(Outcome::Win(mover))).collect();
        if !ends.is_empty() || moves == 1 {
            return ends;
        }
        all.retain(|mv| end(mv).is_none());
        let here = here::<W>();
        self.rank(spot.sides[0], spot.sides[1], spot.empty());
        let cells = std::mem::take(&mut self.order);
        for cell in cells {
            let held = W::fives().of(spot.sides[0] | cell);
            let ask = here.ahead() & !held[1] & !spot.held[1][1];
            let lost = self.defend(spot.after(cell, held), moves - 1, ask) & ask;
            let wins = |mv: &&Move| {
                let spin = mv.spin().expect("a move that does not end the game spins");
                let mut states = [0; 4];
                states[spin / 2] = W::spun(0, spin % 2);
                mv.marble() == cell && lost.has(states)
            };
            let wins: Vec<Move> = all.iter().filter(wins).copied().collect();
            if !wins.is_empty() {
                return wins;
            }
        }
        Vec::new()
    }

    /// Counts a node; false when the search must end.
    fn tick(&mut self) -> bool {
        if self.limit.nodes.is_some_and(|most| self.nodes >= most) {
            self.out = true;
        } else if self.nodes.is_multiple_of(LOOK) {
            self.out |= (self.halt)() || self.limit.time.is_some_and(|time| self.began.elapsed() >= time);
        }
        self.nodes += u64::from(!self.out);
        !self.out
    }

    /// What `own` misses for a five without marbles of `other`; its fives that miss one marble are pushed on the stack.
    fn lacks(&mut self, own: u64, other: u64) -> Lacks {
        let from = self.lacking.len();
        let mut cells = [0; 6];
        let mut least = 6;
        for five in &self.fives {
            if five.cells & other != 0 {
                continue;
            }
            let lacks = five.cells & !own;
            let count = lacks.count_ones();
            cells[count as usize] |= lacks;
            least = least.min(count);
            if count == 1 {
                match self.lacking[from..].iter_mut().find(|(cell, _)| *cell == lacks) {
                    Some((_, ways)) => *ways = joined(*ways, five.ways),
                    None => self.lacking.push((lacks, five.ways)),
                }
            }
        }
        Lacks { from, to: self.lacking.len(), least, cells }
    }

    /// The fives that a marble on one of the missing cells except `without` makes.
    fn completed(&self, lacks: &Lacks, without: u64, held: [W; 2]) -> [W; 2] {
        let rest = self.lacking[lacks.from..lacks.to].iter().filter(|(cell, _)| *cell != without);
        rest.fold(held, |all, (_, ways)| joined(all, *ways))
    }

    /// The fives after a marble on `cell`.
    fn with(&self, lacks: &Lacks, cell: u64, held: [W; 2]) -> [W; 2] {
        let made = self.lacking[lacks.from..lacks.to].iter().find(|(own, _)| *own == cell);
        made.map_or(held, |(_, ways)| joined(held, *ways))
    }

    /// Fives that win before any spin.
    fn placed(&self, fives: W) -> W {
        if self.game.placement_wins() { fives } else { W::NONE }
    }

    /// Ways in which the side to move wins with this many moves left: all of those asked for, and perhaps others.
    fn attack(&mut self, spot: Spot<W>, moves: u32, want: W) -> W {
        if moves == 0 || !self.tick() {
            return W::NONE;
        }
        let top = (self.lacking.len(), self.order.len());
        let won = self.attack_here(spot, moves, want);
        self.lacking.truncate(top.0);
        self.order.truncate(top.1);
        won
    }

    fn attack_here(&mut self, spot: Spot<W>, moves: u32, want: W) -> W {
        let ([own, other], now) = (spot.sides, spot.now);
        let lacks = self.lacks(own, other);
        if lacks.least > moves || spot.empty() == 0 {
            return W::NONE;
        }
        let fives = self.completed(&lacks, 0, spot.held[0]);
        let mut won = self.placed(fives[now]) | (fives[1 - now] & !spot.held[1][1 - now]).around(now);
        let mut open = want & !won;
        if moves == 1 || open == W::NONE {
            return won;
        }
        let (key, carry) = self.key(&spot, Role::Attacker);
        let known = self.answers.known(key);
        if let Some(known) = known {
            won = won | self.forms.back(&carry, known.won);
            let not = if known.moves >= moves { self.forms.back(&carry, known.not) } else { W::NONE };
            open = open & !won & !not;
            if open == W::NONE {
                return won;
            }
        }
        // With no move to spare, only the missing cells of a five help.
        let useful = if lacks.least == moves { lacks.cells[moves as usize] } else { CELLS };
        let first = self.order.len();
        self.rank(own, other, spot.empty() & useful);
        for at in first..self.order.len() {
            let cell = self.order[at];
            let held = self.with(&lacks, cell, spot.held[0]);
            let ask = open.ahead() & !held[1 - now] & !spot.held[1][1 - now];
            if ask == W::NONE {
                continue;
            }
            won = won | (self.defend(spot.after(cell, held), moves - 1, ask) & ask).around(now);
            open = open & !won;
            if open == W::NONE || self.out {
                break;
            }
        }
        self.keep(key, &carry, moves, won, want & !won);
        won
    }

    /// Ways, of those asked for, in which the side to move loses against an attacker with this many moves left.
    fn defend(&mut self, spot: Spot<W>, moves: u32, want: W) -> W {
        if spot.empty() == 0 || !self.tick() {
            return W::NONE;
        }
        let top = (self.lacking.len(), self.order.len());
        let lost = self.defend_here(spot, moves, want);
        self.lacking.truncate(top.0);
        self.order.truncate(top.1);
        lost
    }

    fn defend_here(&mut self, spot: Spot<W>, moves: u32, want: W) -> W {
        let ([own, other], now) = (spot.sides, spot.now);
        let theirs = self.lacks(other, own);
        if theirs.least > moves {
            return W::NONE;
        }
        let against = spot.held[1][1 - now];
        if moves <= 1 {
            // What the attacker could do if nothing were in the way; in all other ways the defender is safe.
            let fives = if moves == 1 { self.completed(&theirs, 0, spot.held[1]) } else { [W::NONE; 2] };
            let threat = against | self.placed(fives[1 - now]) | fives[now].around(1 - now);
            if want & !(!threat).around(now) == W::NONE {
                return W::NONE;
            }
        }
        let mine = self.lacks(own, other);
        let fives = self.completed(&mine, 0, spot.held[0]);
        let saved = self.placed(fives[now]) | fives[1 - now].around(now);
        let mut open = want & !saved;
        if open == W::NONE {
            return W::NONE;
        }
        let key = (moves > 1).then(|| self.key(&spot, Role::Defender));
        let mut lost = W::NONE;
        if let Some((key, carry)) = &key
            && let Some(known) = self.answers.known(*key)
        {
            lost = self.forms.back(carry, known.won);
            let not = if known.moves >= moves { self.forms.back(carry, known.not) } else { W::NONE };
            open = open & !lost & !not;
            if open == W::NONE {
                return lost;
            }
        }
        let first = self.order.len();
        self.rank(other, own, spot.empty());
        for at in first..self.order.len() {
            let cell = self.order[at];
            let held = self.with(&mine, cell, spot.held[0]);
            let ask = open.ahead() & !held[1 - now] & !against;
            let won = if ask == W::NONE || spot.empty() == cell {
                W::NONE
            } else if moves == 1 {
                let fives = self.completed(&theirs, cell, spot.held[1]);
                self.placed(fives[1 - now]) | (fives[now] & !held[now]).around(1 - now)
            } else {
                self.attack(spot.after(cell, held), moves, ask)
            };
            open = open & !(!(won | against) | held[1 - now]).around(now);
            if open == W::NONE {
                break;
            }
        }
        if self.out {
            return lost;
        }
        lost = lost | open;
        if let Some((key, carry)) = key {
            self.keep(key, &carry, moves, lost, want & !lost);
        }
        lost
    }

    /// Pushes the cells on the stack in the order in which they are tried: first those missing from many fives that miss
    /// little, above all the attacker's.
    fn rank(&mut self, attacker: u64, defender: u64, cells: u64) {
        let mut merit = [0u32; 64];
        for (own, other, weight) in [(attacker, defender, 2), (defender, attacker, 1)] {
            for five in self.fives.iter().filter(|five| five.cells & other == 0) {
                let lacks = five.cells & !own;
                let count = lacks.count_ones();
                if (1..=3).contains(&count) {
                    each_bit(lacks, |cell| merit[cell as usize] += weight << (3 * (3 - count)));
                }
            }
        }
        let first = self.order.len();
        each_bit(cells, |cell| self.order.push(1 << cell));
        self.order[first..].sort_by_key(|cell| std::cmp::Reverse(merit[cell.trailing_zeros() as usize]));
    }

    fn key(&self, spot: &Spot<W>, role: Role) -> (u64, Carry) {
        let (key, carry) = self.forms.of::<W>(spot.sides[0], spot.sides[1], spot.now);
        (key | u64::from(role == Role::Attacker) << 62, carry)
    }

    /// Stores an answer. One that is not a win is stored only if nothing was cut short.
    fn keep(&mut self, key: u64, carry: &Carry, moves: u32, won: W, not: W) {
        let won = self.forms.there(carry, won);
        let not = if self.out { W::NONE } else { self.forms.there(carry, not) };
        self.answers.keep(Answer { key, moves, won, not });
    }
}

/// The position's own way.
fn here<W: Ways>() -> W {
    let mut here = W::NONE;
    here.set([0; 4]);
    here
}

fn joined<W: Ways>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    [a[0] | b[0], a[1] | b[1]]
}
