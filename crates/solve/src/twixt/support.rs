//! Proofs: what an answer depends on, so that most moves need no search.
//!
//! A *builder* follows a strategy: an attacker up to its chain, or a defender until the attacker has no way left. The other side
//! tries to stop it. Each strategy has a *zone*, a set of holes, with this claim:
//!
//! > If the builder has a strategy against the move `h` whose zone does not contain `r`, the same strategy does against the move `r`.
//!
//! So the moves left to search are those in the zones of all strategies found so far, and the union of their proofs is the proof of all of
//! them.
//!
//! Why it is true. Consider two boards: the *plan*, on which the strategy runs, and the *game*. The builder has the same pegs on
//! both. The other side may have pegs on the plan that are missing in the game, and *strays*, which are only in the game, never
//! in the zone of what is left of the strategy. A move of the other side's that was searched is made on both boards. Any other is
//! outside of the zone of some move that was searched: the plan makes that one, and the game gets another stray. (If the plan
//! already has a peg there, it makes any of its moves.) So both boards have equally many pegs of each side, and a game of TwixT
//! that runs out of holes does so on both. If the builder's links are the same on both boards, the end is the same: its chain is
//! in the game too, and the other side cannot have been quicker, since the builder could have continued, and two chains never
//! coexist; or the other side is cut off by the builder's pegs and links ([`Board::cut`]).
//!
//! Now consider a link `k` that the builder makes on the plan. The game lacks it only if a link `c` across it exists there.
//!
//! * One peg of `c` is a stray, the other is on the plan: the empty end of each link across `k` with one peg of the other side's
//!   is in the zone.
//! * Both are strays: of each link across `k` with two empty ends, one is in the zone. (What the builder's links already cross is
//!   left out of both, because those links exist in the game.)
//! * Both pegs are on the plan, but `c` is not, because something crosses it. If the builder's links do, they do so in the game.
//!   If only links of the other side do, those may be missing in the game; likewise if `c` is a link of the builder's own. Such a
//!   `c` is a *hinge*. It is safe if it was crossed before the boards began to differ; so where a move of the other side's
//!   crosses it, in the strategy, the zone becomes the whole board, and nothing is concluded. Where own links may cross there are
//!   no hinges: what the builder does not cross exists, and `k` would not.
//!
//! The builder's pegs are in the zone, since their holes have to be free. For a last peg, only the links that complete the chain
//! count.
//!
//! A strategy against a pass is also one against every move outside of its zone, except for the number of pegs: the other side
//! has one more in the game and may run out of holes one move sooner. That does no harm where the builder wins at once, or only
//! needs the other side not to win.

use quintet_game::Player;

use super::board::{Board, BoardState, NEVER, WAYS};
use super::set::HoleSet;

/// What a strategy depends on.
#[derive(Clone, Copy, Debug)]
pub struct Support<S> {
    /// The holes that must stay free of strays.
    pub zone: S,
    /// The ends of all hinges: any crossed link between two of these has to stay crossed.
    hinges: S,
}

impl<S: HoleSet> Default for Support<S> {
    fn default() -> Support<S> {
        Support { zone: S::EMPTY, hinges: S::EMPTY }
    }
}

impl<S: HoleSet> Support<S> {
    /// A proof from which nothing else follows.
    pub fn nothing_else() -> Support<S> {
        Support { zone: !S::EMPTY, hinges: S::EMPTY }
    }

    /// Adds what another strategy depends on.
    pub fn join(&mut self, other: &Support<S>) {
        self.zone |= other.zone;
        self.hinges |= other.hinges;
    }
}

impl<S: HoleSet> Board<S> {
    /// The proof before the builder's peg, from that after it.
    pub fn before_peg(&self, state: &BoardState<S>, builder: Player, hole: usize, after: &Support<S>) -> Support<S> {
        let mut proof = *after;
        proof.zone |= S::one(hole);
        for link in self.made(state, builder, hole) {
            self.rest_on(state, builder, link, &mut proof);
        }
        proof
    }

    /// The proof before a move of the other side's, from that after it.
    pub fn before_move(&self, [before, after]: [&BoardState<S>; 2], other: Player, proof: &Support<S>) -> Support<S> {
        let [old, new] = [before, after].map(|state| &state.crossed);
        let opened = (0..WAYS).any(|way| {
            let crossed = new[other.index()][way] & !(old[0][way] | old[1][way]);
            (crossed & proof.hinges).meets(proof.hinges >> self.steps[way])
        });
        if opened { Support::nothing_else() } else { *proof }
    }

    /// The proof that a side has no way left. Links that only its own links cross may be open in the game; if one of those is
    /// needed to cut it off, nothing else follows.
    pub fn cut(&self, state: &BoardState<S>, other: Player) -> Support<S> {
        let mut without = *state;
        without.crossed[other.index()] = [S::EMPTY; WAYS];
        if self.own_cross || self.distance(&without, other) == NEVER {
            Support::default()
        } else {
            Support::nothing_else()
        }
    }

    /// Lists the proofs of all wins with one peg.
    pub fn finishes(&self, state: &BoardState<S>, builder: Player, mut heard: impl FnMut(Support<S>)) {
        let usable = self.usable(state, builder);
        let (own, empty) = (state.pegs[builder.index()], self.empty(state, builder));
        let borders = self.borders[builder.index()];
        let joined = borders.map(|border| {
            let (mut all, mut new) = (S::EMPTY, border & own);
            while !new.is_empty() {
                all |= new;
                new = self.spread(&usable, new) & own & !all;
            }
            all
        });
        let near = [0, 1].map(|side| (borders[side] | self.spread(&usable, joined[side])) & empty);
        for hole in (near[0] & near[1]).holes() {
            let mut proof = Support { zone: S::one(hole), hinges: S::EMPTY };
            for side in [0, 1].into_iter().filter(|side| !borders[*side].meets(S::one(hole))) {
                let links = self.made(state, builder, hole).filter(|(upper, way)| {
                    let ends = S::one(*upper) | S::one(upper + self.steps[*way] as usize);
                    ends.meets(joined[side])
                });
                let with = links.map(|link| {
                    let mut with = proof;
                    self.rest_on(state, builder, link, &mut with);
                    with
                });
                if let Some(least) = with.min_by_key(|proof| proof.zone.count()) {
                    proof = least;
                }
            }
            heard(proof);
        }
    }

    /// The smallest zone of a win with one peg; there must be one.
    pub fn finish(&self, state: &BoardState<S>, builder: Player) -> Support<S> {
        let mut least: Support<S> = Support::nothing_else();
        self.finishes(state, builder, |proof| {
            if proof.zone.count() < least.zone.count() {
                least = proof;
            }
        });
        least
    }

    /// Adds what a link that the builder is about to make depends on.
    fn rest_on(&self, state: &BoardState<S>, builder: Player, (upper, way): (usize, usize), proof: &mut Support<S>) {
        let [own, other] = [builder, builder.other()].map(|player| state.pegs[player.index()]);
        let room = self.open[builder.other().index()] & !own;
        let mut open = [S::EMPTY; WAYS];
        for (way, across) in self.crossed[upper][way].iter().enumerate() {
            let step = self.steps[way];
            let across = *across & !state.crossed[builder.index()][way];
            let ends = |uppers: S| uppers | uppers << step;
            if !self.own_cross {
                proof.hinges |= ends(across & own & own >> step) | ends(across & other & other >> step);
            }
            let across = across & room & room >> step;
            proof.zone |= (across & other) << step & !other | across & other >> step & !other;
            open[way] = across & !other & !(other >> step);
        }
        self.cover(open, &mut proof.zone);
    }

    /// Adds one end of each of these links to the zone, unless one is in it: first the holes that most of them share.
    fn cover(&self, mut links: [S; WAYS], zone: &mut S) {
        loop {
            let mut ends = S::EMPTY;
            for (links, step) in links.iter_mut().zip(self.steps) {
                *links = *links & !*zone & !(*zone >> step);
                ends |= *links | *links << step;
            }
            let shared = |hole: &usize| -> u32 {
                let one = S::one(*hole);
                links.iter().zip(self.steps).map(|(links, step)| (*links & (one | one >> step)).count()).sum()
            };
            let Some(most) = ends.holes().max_by_key(|hole| (shared(hole), usize::MAX - hole)) else { return };
            *zone |= S::one(most);
        }
    }
}
