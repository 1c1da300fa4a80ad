//! The steps that searches report, against the same search written again in the plainest way.

use std::sync::Arc;

use quintet_eval::Evaluate;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Playable, Player, Rng, SeedableRng, with_game};
use quintet_search::{Backup, Beam, Ends, Minimax, Pvs, Quiet, Report, Search, Watch, Widths};

use crate::common::{Noise, SPECS, late};

#[derive(Clone, Debug, PartialEq)]
enum Step<M> {
    Enter(M, u32, [f64; 2]),
    Leave(u32, f64),
    Cut(u32),
    Depth(u32, f64),
}

/// Records all steps.
struct Steps<G: Game>(Vec<Step<G::Move>>);

impl<G: Game> Watch<G> for Steps<G> {
    fn depth_done(&mut self, report: Report<G::Move>) {
        self.0.push(Step::Depth(report.depth, report.value.unwrap()));
    }
    fn wants_steps(&self) -> bool {
        true
    }
    fn entered(&mut self, mv: G::Move, ply: u32, window: [f64; 2]) {
        self.0.push(Step::Enter(mv, ply, window));
    }
    fn left(&mut self, ply: u32, value: f64) {
        self.0.push(Step::Leave(ply, value));
    }
    fn cut_off(&mut self, ply: u32) {
        self.0.push(Step::Cut(ply));
    }
}

/// Textbook minimax with or without pruning, which records its steps.
struct Naive<'a, G: Game> {
    line: &'a Line<G>,
    pruning: bool,
    path: Vec<G::Pos>,
    steps: Vec<Step<G::Move>>,
}

impl<G: Game> Naive<'_, G> {
    fn view(&self) -> Player {
        self.line.to_move()
    }

    fn search(&mut self, pos: &G::Pos, depth: u32, ply: u32, [mut alpha, mut beta]: [f64; 2]) -> f64 {
        let game = self.line.game();
        if ply > 0 {
            let again = G::REPEATS && (self.path.contains(pos) || self.line.occurrences(pos) >= 2);
            let win = Ends::default().utility - f64::from(ply);
            match game.outcome(pos).or(again.then_some(Outcome::Draw)) {
                Some(Outcome::Draw) => return 0.0,
                Some(Outcome::Win(player)) => return if player == self.view() { win } else { -win },
                None if depth == 0 => return Noise.value(game, pos, self.view()),
                None => {}
            }
        }
        self.path.push(pos.clone());
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        let ours = game.to_move(pos) == self.view();
        let mut best = if ours { f64::NEG_INFINITY } else { f64::INFINITY };
        for mv in moves {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            let window = if self.pruning { [alpha, beta] } else { [f64::NEG_INFINITY, f64::INFINITY] };
            self.steps.push(Step::Enter(mv, ply + 1, window));
            let value = self.search(&next, depth - 1, ply + 1, [alpha, beta]);
            self.steps.push(Step::Leave(ply + 1, value));
            best = if ours { best.max(value) } else { best.min(value) };
            if ours {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if self.pruning && alpha >= beta {
                self.steps.push(Step::Cut(ply));
                break;
            }
        }
        self.path.pop();
        best
    }
}

fn naive<G: Game>(line: &Line<G>, pruning: bool, depths: impl Iterator<Item = u32>) -> Vec<Step<G::Move>> {
    let mut naive = Naive { line, pruning, path: Vec::new(), steps: Vec::new() };
    for depth in depths {
        let value = naive.search(line.position(), depth, 0, [f64::NEG_INFINITY, f64::INFINITY]);
        naive.steps.push(Step::Depth(depth, value));
    }
    naive.steps
}

struct StepsAreTold(&'static str);

impl StepsAreTold {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(11);
        for round in 0..8 {
            let line = late(game.clone(), &mut rng);
            let depth = if line.count_moves() <= 12 { 3 } else { 2 };
            let new = || Minimax::<G>::new(Box::new(Noise), Ends::default(), depth);
            for (name, mut search, pruning) in [("minimax", new(), false), ("alphabeta", new().with_pruning(), true)] {
                let mut heard = Steps(Vec::new());
                let choice = search.think(&line, &Limit::depth(depth), &mut heard);
                let context = format!("{} {name} round {round}: {}", self.0, game.write_position(line.position()));
                assert_eq!(heard.0, naive(&line, pruning, depth..=depth), "{context}");
                let entered = heard.0.iter().filter(|step| matches!(step, Step::Enter(..))).count();
                assert_eq!(entered as u64, choice.nodes, "{context}");
            }
            let mut heard = Steps(Vec::new());
            let deep = new().with_pruning().with_deepening(false).think(&line, &Limit::depth(depth), &mut heard);
            assert_eq!(heard.0, naive(&line, true, 1..=deep.depth), "{} deepening round {round}", self.0);
        }
    }
}

#[test]
fn steps_are_those_of_the_plainest_search() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| StepsAreTold(text).visit(game));
    }
}

struct StepsNest(&'static str);

impl StepsNest {
    /// A search that reports steps reports a legal line at any time, leaves what it has entered, and returns the same as without a
    /// listener.
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let line = late(game.clone(), &mut Rng::seed_from_u64(2));
        let searches = || -> [(&str, Box<dyn Search<G>>); 2] {
            let widths = Widths::Each(vec![3, 2]);
            [
                ("pvs", Box::new(Pvs::new(Box::new(Noise)).with_table(1 << 16))),
                ("beam", Box::new(Beam::new(Box::new(Noise), Ends::default(), widths, Backup::Minimax))),
            ]
        };
        for ((name, mut told), (_, mut alone)) in searches().into_iter().zip(searches()) {
            let context = format!("{} {name}", self.0);
            let mut heard = Steps(Vec::new());
            let choice = told.think(&line, &Limit::depth(3), &mut heard);
            let quiet = alone.think(&line, &Limit::depth(3), &mut Quiet);
            assert_eq!((choice.mv, choice.value, choice.nodes), (quiet.mv, quiet.value, quiet.nodes), "{context}");
            let mut now = line.clone();
            for step in heard.0 {
                match step {
                    Step::Enter(mv, ply, [low, high]) => {
                        assert!(low < high, "{context}: {low} {high}");
                        now.try_play(&game.write_move(mv)).unwrap_or_else(|error| panic!("{context}: {error}"));
                        assert_eq!(now.plies(), line.plies() + ply as usize, "{context}");
                    }
                    Step::Leave(ply, value) => {
                        assert!(value.is_finite() && now.plies() == line.plies() + ply as usize, "{context}");
                        now.undo();
                    }
                    Step::Cut(ply) => assert_eq!(now.plies(), line.plies() + ply as usize, "{context}"),
                    Step::Depth(..) => assert_eq!(now.plies(), line.plies(), "{context}"),
                }
            }
        }
    }
}

#[test]
fn steps_of_other_searches_nest() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| StepsNest(text).visit(game));
    }
}
