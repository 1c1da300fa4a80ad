//! Random agents: random moves, and tree search over random games.

use std::collections::HashMap;

use quintet_game::playout::Playouts;
use quintet_game::{AnyLine, Game, Line, Outcome, Playable, Player, Proof, Rng, SeedableRng, with_line};

use crate::common::{Spot, Tally, after, dice, wins_in_one};

/// A random player eventually chooses every legal move, and nothing else.
pub fn random(tally: &mut Tally, spots: &[Spot]) {
    for spot in spots {
        let legal = spot.line().legal_moves();
        let tries = 20 * legal.len() as u64;
        let mut seen: Vec<String> = (0..tries).map(|seed| tally.ask(spot, "", seed).mv).collect();
        seen.sort();
        seen.dedup();
        let mut wanted = legal;
        wanted.sort();
        tally.count(spot, seen == wanted, || format!("{seen:?} in {tries} games, not {wanted:?}"));
    }
}

/// The true value of every move, 1, 0 or -1 for the side to move, by trying everything.
pub fn solve(line: &mut dyn AnyLine, known: &mut HashMap<String, i32>) -> Vec<(String, i32)> {
    let moves = line.legal_moves();
    moves
        .into_iter()
        .map(|mv| {
            let value = after(line, &mv, |next| -value(next, known));
            (mv, value)
        })
        .collect()
}

/// The true value for the side to move.
fn value(line: &mut dyn AnyLine, known: &mut HashMap<String, i32>) -> i32 {
    if let Some((outcome, _)) = line.end() {
        return outcome.winner().map_or(0, |winner| if winner == line.to_move() { 1 } else { -1 });
    }
    let here = line.position();
    if let Some(&value) = known.get(&here) {
        return value;
    }
    let value = solve(line, known).into_iter().map(|(_, value)| value).max().unwrap();
    known.insert(here, value);
    value
}

/// A win in one is played.
pub fn takes_wins(tally: &mut Tally, spots: &[Spot], extra: &str) {
    for spot in spots {
        let wins = wins_in_one(&mut *spot.line());
        let chosen = tally.ask(spot, extra, 1).mv;
        tally.count(spot, wins.contains(&chosen), || format!("{chosen} is not one of the wins {wins:?}"));
    }
}

/// A win in one is played in at least nine of ten positions: plain tree search plays the most visited move, which may be one that wins as
/// surely but later.
pub fn mostly_takes_wins(tally: &mut Tally, spots: &[Spot], extra: &str) {
    let mut others = Vec::new();
    for spot in spots {
        let wins = wins_in_one(&mut *spot.line());
        let chosen = tally.ask(spot, extra, 1).mv;
        tally.count(spot, true, String::new);
        if !wins.contains(&chosen) {
            others.push(format!("{chosen}, not one of {wins:?}, at {}", spot.line().position()));
        }
    }
    if others.len() * 10 > spots.len() {
        tally.faults.push(format!("{}: in {} won positions {others:#?}", tally.name(), spots.len()));
    }
}

/// Where the whole game can be searched, its value is kept.
pub fn keeps_values(tally: &mut Tally, spots: &[Spot], extra: &str) {
    for spot in spots {
        let solved = solve(&mut *spot.line(), &mut HashMap::new());
        let best = solved.iter().map(|(_, value)| *value).max().unwrap();
        let chosen = tally.ask(spot, extra, 1).mv;
        let agrees = solved.iter().any(|(mv, value)| *mv == chosen && *value == best);
        tally.count(spot, agrees, || format!("{chosen} does not keep the value {best} in {solved:?}"));
    }
}

/// Where the whole game can be searched, the agent knows its value and keeps it.
pub fn knows_values(tally: &mut Tally, spots: &[Spot], extra: &str) {
    for spot in spots {
        let solved = solve(&mut *spot.line(), &mut HashMap::new());
        let best = solved.iter().map(|(_, value)| *value).max().unwrap();
        let choice = tally.ask(spot, extra, 1);
        let says = choice.proof().map(|proof| match proof {
            Proof::Win => 1,
            Proof::Draw => 0,
            Proof::Loss => -1,
        });
        let agrees = says == Some(best) && solved.iter().any(|(mv, value)| *mv == choice.mv && *value == best);
        tally.count(spot, agrees, || format!("{} ({says:?}), not {best} in {solved:?}", choice.mv));
    }
}

/// Where a naive tree search is sure of its move, so is the agent, in at least nine of ten cases, since both are random.
pub fn agrees_when_clear(tally: &mut Tally, spots: impl IntoIterator<Item = Spot>, visits: u32, count: usize) {
    let mut compared = 0;
    let mut others = Vec::new();
    for spot in spots.into_iter().filter(|spot| wins_in_one(&mut *spot.line()).is_empty()) {
        let mut line = spot.line();
        let clear = clear_choice(&mut *line, &spot, visits, 98);
        if clear.is_none() || clear != clear_choice(&mut *line, &spot, visits, 99) {
            continue;
        }
        let choice = tally.ask(&spot, &format!("visits={visits}"), 1);
        compared += 1;
        tally.count(&spot, choice.known.is_none(), || {
            format!("{:?}, but plain tree search proves nothing", choice.known)
        });
        let leads_to = after(&mut *line, &choice.mv, |next| next.position());
        if clear.as_ref() != Some(&leads_to) {
            others.push(format!("{}, not to {clear:?}, at {}", choice.mv, line.position()));
        }
        if compared == count {
            break;
        }
    }
    if compared < count || others.len() * 10 > count {
        tally.faults.push(format!("{}: in {compared} clear positions of {count} {others:#?}", tally.name()));
    }
}

/// The position that a naive tree search prefers, if it has twice as many visits as any other.
fn clear_choice(line: &mut dyn AnyLine, spot: &Spot, visits: u32, seed: u64) -> Option<String> {
    let mut roots = with_line!(spot.0, |line| uct(line, visits, seed)).unwrap();
    roots.sort_by_key(|root| std::cmp::Reverse(root.1));
    let mut leads_to = |mv: &str| after(line, mv, |next| next.position());
    // Moves that lead to the same position count as one.
    let first = leads_to(&roots.first()?.0);
    let second = roots.iter().find(|root| leads_to(&root.0) != first)?;
    (roots[0].1 >= 2 * second.1).then_some(first)
}

struct Node<G: Game> {
    pos: G::Pos,
    /// Who moved here.
    mover: Player,
    untried: Vec<G::Move>,
    children: Vec<(G::Move, Node<G>)>,
    visits: f64,
    wins: f64,
}

/// Textbook tree search: the bound mean + sqrt(2 ln N / n), one new node and one random game per walk; the end of a game counts as
/// a random game of no moves. Returns the moves with their visits.
fn uct<G: Playable>(line: &Line<G>, visits: u32, seed: u64) -> Vec<(String, u32)> {
    let (mut rng, mut draw) = (Rng::seed_from_u64(seed), dice(seed));
    let game = line.game();
    let mut root = Node::new(game, line.position().clone());
    for _ in 0..visits {
        root.walk(game, &mut rng, &mut draw);
    }
    root.children.iter().map(|(mv, child)| (game.write_move(*mv), child.visits as u32)).collect()
}

impl<G: Game> Node<G> {
    fn new(game: &G, pos: G::Pos) -> Node<G> {
        let mut untried = Vec::new();
        game.moves(&pos, &mut untried);
        let mover = game.to_move(&pos).other();
        Node { pos, mover, untried, children: Vec::new(), visits: 0.0, wins: 0.0 }
    }

    fn walk(&mut self, game: &G, rng: &mut Rng, draw: &mut impl FnMut(usize) -> usize) -> Outcome {
        let outcome = if let Some(outcome) = game.outcome(&self.pos) {
            outcome
        } else if !self.untried.is_empty() {
            let mv = self.untried.swap_remove(draw(self.untried.len()));
            let mut pos = self.pos.clone();
            game.play(&mut pos, mv);
            let mut child = Node::new(game, pos.clone());
            let outcome = Playouts::new(game).run(pos, rng).0.unwrap();
            child.learn(outcome);
            self.children.push((mv, child));
            outcome
        } else {
            let all = self.visits.ln();
            let bound = |child: &Node<G>| child.wins / child.visits + (2.0 * all / child.visits).sqrt();
            let children = self.children.iter_mut().map(|(_, child)| child);
            children.max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap().walk(game, rng, draw)
        };
        self.learn(outcome);
        outcome
    }

    fn learn(&mut self, outcome: Outcome) {
        self.visits += 1.0;
        self.wins += worth(outcome, self.mover);
    }
}

fn worth(outcome: Outcome, player: Player) -> f64 {
    outcome.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
}
