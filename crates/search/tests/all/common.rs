//! What the tests of searches share: a meaningless evaluation, minimax by definition, the truth by exhaustive search.

use std::sync::Arc;

use quintet_eval::{Evaluate, Term};
use quintet_game::bits::mix;
use quintet_game::{Game, Line, Outcome, Playable, Player, Proof, Rng, SeedableRng};
use quintet_search::{Choice, Ends, Report, Watch};

/// A meaningless value, unequal for the two sides: only a correct search gets the same result from it.
pub struct Noise;

impl<G: Game> Evaluate<G> for Noise {
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64 {
        (mix(game.key(pos) ^ view.index() as u64) % 41) as f64 - 20.0
    }

    fn terms(&self, game: &G, pos: &G::Pos, view: Player) -> Vec<Term> {
        vec![Term { name: "noise".into(), value: self.value(game, pos, view), weight: 1.0 }]
    }
}

/// Small games, and every kind of rules.
pub const SPECS: &[&str] = &[
    "pathwayz(rows=2,cols=3)",
    "pathwayz(rows=3,cols=3)",
    "pylos",
    "pylos(rules=expert-diag,takeback=free)",
    "pylos(rules=children,end=spent)",
    "twixt(size=4)",
    "twixt(size=5,rules=pp,swap=turn)",
    "twixt(size=5,rules=paper)",
    "pentago",
    "pentago(rules=turn-first)",
    "pentago-twist",
];

fn ended<G: Game>(line: &Line<G>, path: &[G::Pos], pos: &G::Pos) -> Option<Outcome> {
    let again = G::REPEATS && (path.contains(pos) || line.occurrences(pos) >= 2);
    line.game().outcome(pos).or(again.then_some(Outcome::Draw))
}

/// Minimax by definition: the value `ply` plies ahead for `view`.
fn brute<G: Game>(
    line: &Line<G>,
    eval: &dyn Evaluate<G>,
    path: &mut Vec<G::Pos>,
    pos: &G::Pos,
    view: Player,
    depth: u32,
    ply: u32,
) -> f64 {
    let game = line.game();
    if let Some(outcome) = ended(line, path, pos) {
        return match outcome {
            Outcome::Draw => 0.0,
            Outcome::Win(player) => {
                (if player == view { 1.0 } else { -1.0 }) * (Ends::default().utility - f64::from(ply))
            }
        };
    }
    if depth == 0 {
        return eval.value(game, pos, view);
    }
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    path.push(pos.clone());
    let mut values: Vec<f64> = Vec::new();
    for mv in moves {
        let mut next = pos.clone();
        game.play(&mut next, mv);
        values.push(brute(line, eval, path, &next, view, depth - 1, ply + 1));
    }
    path.pop();
    let best = if game.to_move(pos) == view { f64::max } else { f64::min };
    values.into_iter().reduce(best).unwrap()
}

/// The value of each root move by definition.
pub fn brute_roots<G: Game>(line: &Line<G>, eval: &dyn Evaluate<G>, depth: u32) -> Vec<(G::Move, f64)> {
    let game = line.game();
    let mut moves = Vec::new();
    game.moves(line.position(), &mut moves);
    let mut path = vec![line.position().clone()];
    let value = |mv: G::Move, path: &mut Vec<G::Pos>| {
        let mut next = line.position().clone();
        game.play(&mut next, mv);
        brute(line, eval, path, &next, line.to_move(), depth - 1, 1)
    };
    moves.into_iter().map(|mv| (mv, value(mv, &mut path))).collect()
}

/// A position late in a random game, so that brute force is quick and endings are near.
pub fn late<G: Playable>(game: Arc<G>, rng: &mut Rng) -> Line<G> {
    let mut line = Line::new(game);
    while line.outcome().is_none() {
        line.play(line.game().random_move(line.position(), rng));
    }
    for _ in 0..1 + mix(line.plies() as u64) % 5 {
        line.undo();
    }
    while line.outcome().is_some() {
        line.undo();
    }
    line
}

/// The line begins with the move and can be played.
pub fn line_is_legal<G: Playable>(line: &Line<G>, choice: &Choice<G::Move>, context: &str) {
    assert_eq!(choice.line[0], choice.mv, "{context}");
    let mut copy = line.clone();
    for mv in &choice.line {
        let token = copy.game().write_move(*mv);
        copy.try_play(&token).unwrap_or_else(|e| panic!("{context}: {e}"));
    }
}

/// The truth by exhaustive search, without repetition; `None` if that takes too many nodes.
pub fn truth<G: Game>(game: &G, pos: &G::Pos, left: &mut u64) -> Option<Outcome> {
    if let Some(outcome) = game.outcome(pos) {
        return Some(outcome);
    }
    *left = left.checked_sub(1)?;
    let mover = game.to_move(pos);
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    let mut best = Outcome::Win(mover.other());
    for mv in moves {
        let mut next = pos.clone();
        game.play(&mut next, mv);
        match truth(game, &next, left)? {
            Outcome::Win(player) if player == mover => return Some(Outcome::Win(mover)),
            Outcome::Draw => best = Outcome::Draw,
            Outcome::Win(_) => {}
        }
    }
    Some(best)
}

/// Everything that a search returns.
#[derive(Default)]
pub struct Log {
    pub depths: Vec<(u32, u64)>,
    pub looks: u64,
    pub cuts: u64,
}

impl<G: Game> Watch<G> for Log {
    fn depth_done(&mut self, report: Report<G::Move>) {
        assert!(!report.line.is_empty());
        self.depths.push((report.depth, report.nodes));
    }
    fn looking_at(&mut self, _pos: &G::Pos, _ply: u32) {
        self.looks += 1;
    }
    fn cut_off(&mut self, _ply: u32) {
        self.cuts += 1;
    }
}

/// The specs whose truth an exhaustive search by position finds: those in which positions cannot recur.
pub fn specs_without_loops() -> impl Iterator<Item = &'static str> {
    SPECS.iter().copied().filter(|text| !text.starts_with("pylos(rules=expert") && *text != "pylos")
}

/// Late positions whose truth is known.
pub fn solved<G: Playable>(game: &Arc<G>, rounds: u64) -> Vec<(Line<G>, Outcome)> {
    let mut rng = Rng::seed_from_u64(9);
    let lines = (0..rounds).map(|_| late(game.clone(), &mut rng));
    lines.filter_map(|line| Some((line.clone(), truth(&**game, line.position(), &mut 200_000)?))).collect()
}

/// If something was proven, it is true, and the move keeps it.
pub fn proof_holds<G: Playable>(line: &Line<G>, outcome: Outcome, choice: &Choice<G::Move>, context: &str) -> bool {
    let Some(proof) = choice.proof() else { return false };
    let game = line.game();
    let wanted = match outcome {
        Outcome::Draw => Proof::Draw,
        Outcome::Win(player) if player == line.to_move() => Proof::Win,
        Outcome::Win(_) => Proof::Loss,
    };
    let context = format!("{context} {}", game.write_position(line.position()));
    assert_eq!(proof, wanted, "{context}");
    let mut next = line.position().clone();
    game.play(&mut next, choice.mv);
    assert_eq!(truth(game, &next, &mut 200_000), Some(outcome), "{context}: the move keeps the proven result");
    true
}
