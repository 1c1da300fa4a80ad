//! PUCT: against a twin written by definition, against exhaustive search, and what it promises about limits, memory and the kept tree.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use quintet_eval::{Batch, EvalGuide, Evaluated, Guide, PlayoutGuide, Spec, evaluation, evaluations};
use quintet_game::bits::mix;
use quintet_game::pentago::Pentago;
use quintet_game::{Game, GameSpec, Limit, Line, Playable, Rng, SeedableRng, Stop, with_game};
use quintet_search::{Puct, Quiet, Report, Search, Watch};

use crate::common::{Log, Noise, SPECS, late, line_is_legal, proof_holds, solved, specs_without_loops};

/// Meaningless priors and chances, but always the same for a position.
struct NoiseGuide;

fn share(key: u64) -> f32 {
    (mix(key) >> 40) as f32 / (1 << 24) as f32
}

impl<G: Game> Guide<G> for NoiseGuide {
    fn guide(&self, game: &G, batch: &mut Batch<G>) {
        for leaf in batch.leaves() {
            let key = game.key(leaf.pos);
            let (win, draw) = (0.25 + 0.3 * share(key), 0.2 * share(key ^ 1));
            *leaf.chances = [win, draw, 1.0 - win - draw];
            for (number, prior) in leaf.priors.iter_mut().enumerate() {
                // All different, because the twin does not break ties by seed.
                *prior = (mix(key ^ mix(number as u64)) % 4096 * 1024 + 1 + number as u64) as f32;
            }
            let sum: f32 = leaf.priors.iter().sum();
            leaf.priors.iter_mut().for_each(|prior| *prior /= sum);
        }
    }
}

/// Remembers the last report's visits, in the order of the moves.
struct Visits<G: Game>(Vec<(G::Move, u64)>);

impl<G: Game> Watch<G> for Visits<G> {
    fn depth_done(&mut self, report: Report<G::Move>) {
        self.0 = report.roots.iter().map(|root| (root.mv, root.visits.unwrap())).collect();
        self.0.sort();
    }
}

impl<G: Game> Visits<G> {
    /// Thinks, and gives the sum of the root's children's visits and the count of nodes.
    fn sum(search: &mut Puct<G>, line: &Line<G>, limit: &Limit) -> (u64, u64) {
        let mut visits = Visits(Vec::new());
        let choice = search.think(line, limit, &mut visits);
        (visits.0.iter().map(|root| root.1).sum(), choice.nodes)
    }
}

/// PUCT by definition: every legal move that leads somewhere else is a child, and all are compared, in the order of the rules.
struct Twin<M> {
    prior: f32,
    visits: u32,
    /// For the side to move.
    sum: f64,
    children: Vec<(M, Twin<M>)>,
}

impl<M: Copy> Twin<M> {
    fn new(prior: f32) -> Twin<M> {
        Twin { prior, visits: 0, sum: 0.0, children: Vec::new() }
    }

    /// One simulation: the value for the side to move.
    fn simulate<G: Game<Move = M>>(&mut self, game: &G, pos: &G::Pos, c: f64, reduction: f64) -> f64 {
        assert_eq!(game.outcome(pos), None, "the twin knows no endings");
        let value = if self.visits == 0 {
            let mut batch = Batch::default();
            batch.push(game, pos.clone(), true);
            NoiseGuide.guide(game, &mut batch);
            let leaf = batch.leaves().next().unwrap();
            let mut reached: Vec<G::Pos> = Vec::new();
            for (mv, prior) in leaf.moves.iter().zip(leaf.priors) {
                let mut next = pos.clone();
                game.play(&mut next, *mv);
                // Of moves that lead to equal positions, the first one counts for all.
                match reached.iter().position(|other| *other == next) {
                    Some(first) => self.children[first].1.prior += *prior,
                    None => {
                        reached.push(next);
                        self.children.push((*mv, Twin::new(*prior)));
                    }
                }
            }
            f64::from(leaf.chances[0]) + f64::from(leaf.chances[1]) / 2.0
        } else {
            let own = self.sum / f64::from(self.visits);
            let tried: f64 = self.children.iter().filter(|c| c.1.visits > 0).map(|c| f64::from(c.1.prior)).sum();
            let bound = |child: &Twin<M>| {
                let mean = match child.visits {
                    0 => own - reduction * tried.sqrt(),
                    visits => 1.0 - child.sum / f64::from(visits),
                };
                mean + c * f64::from(child.prior) * f64::from(self.visits).sqrt() / (1.0 + f64::from(child.visits))
            };
            let best = self.children.iter().map(|child| bound(&child.1)).enumerate();
            let best = best.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
            let (mv, child) = &mut self.children[best];
            let mut next = pos.clone();
            game.play(&mut next, *mv);
            1.0 - child.simulate(game, &next, c, reduction)
        };
        self.visits += 1;
        self.sum += value;
        value
    }
}

struct EqualsTwin(&'static str);

impl EqualsTwin {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(4);
        for round in 0..4 {
            let mut line = Line::new(game.clone());
            for _ in 0..round {
                line.play(game.random_move(line.position(), &mut rng));
            }
            let (c, reduction) = ([3.0, 1.5][round % 2], [0.1, 0.02][round / 2]);
            let mut twin = Twin::new(1.0);
            (0..400).for_each(|_| _ = twin.simulate(&*game, line.position(), c, reduction));
            let mut wanted: Vec<_> = twin.children.iter().map(|(mv, child)| (*mv, u64::from(child.visits))).collect();
            wanted.sort();
            let mut search = Puct::new(Box::new(NoiseGuide), 1).with_exploration(c).with_reduction(reduction);
            let mut visits = Visits(Vec::new());
            let choice = search.think(&line, &Limit::nodes(400), &mut visits);
            assert_eq!(visits.0, wanted, "{} round {round}", self.0);
            let best = wanted.iter().max_by_key(|child| child.1).unwrap();
            assert_eq!(wanted.iter().find(|child| child.0 == choice.mv).unwrap().1, best.1, "{}", self.0);
        }
    }
}

#[test]
fn visits_equal_those_of_the_twin() {
    for text in ["pathwayz", "pylos", "twixt(size=10)", "twixt(size=24)", "pentago", "pentago-twist"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| EqualsTwin(text).visit(game));
    }
}

/// Searches of all kinds.
fn kinds<G: Game>(game: &G, seed: u64) -> Vec<(&'static str, Puct<G>)> {
    let eval = || EvalGuide::new(Box::new(Noise), game);
    vec![
        ("noise", Puct::new(Box::new(NoiseGuide), seed)),
        ("playouts", Puct::new(Box::new(PlayoutGuide::new(1, seed)), seed)),
        ("eval", Puct::new(Box::new(eval()), seed).with_reuse(false)),
        ("eval batch", Puct::new(Box::new(eval().with_scale(3.0).with_temperature(2.0)), seed).with_batch(5)),
    ]
}

/// The same with two threads, whose results depend on chance.
fn threaded<G: Game>(seed: u64) -> (&'static str, Puct<G>) {
    ("threads", Puct::new(Box::new(NoiseGuide), seed).with_threads(2).with_batch(2))
}

struct ProofsAreTrue(&'static str);

impl ProofsAreTrue {
    fn visit<G: Playable>(self, game: G) -> u32 {
        let game = Arc::new(game);
        let mut proofs = [0; 5];
        for (round, (line, outcome)) in solved(&game, 30).into_iter().enumerate() {
            let searches = kinds(&*game, round as u64).into_iter().chain([threaded(round as u64)]);
            for ((name, mut search), proofs) in searches.zip(&mut proofs) {
                let choice = search.think(&line, &Limit::nodes(20_000), &mut Quiet);
                let context = format!("{} {name}", self.0);
                line_is_legal(&line, &choice, &context);
                if proof_holds(&line, outcome, &choice, &context) {
                    *proofs += 1;
                    let chances = choice.proof().map(|proof| [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]][proof as usize]);
                    assert_eq!(choice.chances, chances, "{context}");
                }
            }
        }
        proofs.into_iter().min().unwrap()
    }
}

#[test]
fn proofs_are_true() {
    for text in specs_without_loops() {
        let proofs = with_game!(GameSpec::parse(text).unwrap(), |game| ProofsAreTrue(text).visit(game));
        assert!(proofs >= 5, "{text}: {proofs}");
    }
}

struct Behaves(&'static str);

impl Behaves {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let line = Line::new(game.clone());
        for (number, (name, mut search)) in kinds(&*game, 5).into_iter().enumerate() {
            let context = format!("{} {name}", self.0);
            // The same seed, line of calls and node limit: the same move, value and count.
            let mut twin = kinds(&*game, 5).swap_remove(number).1;
            let mut line = line.clone();
            for nodes in [700, 300, 500] {
                let [one, two] = [&mut search, &mut twin].map(|s| s.think(&line, &Limit::nodes(nodes), &mut Quiet));
                assert_eq!((&one.line, one.value, one.nodes), (&two.line, two.value, two.nodes), "{context}");
                assert_eq!(one.nodes, nodes, "{context}");
                line_is_legal(&line, &one, &context);
                let [win, draw] = one.chances.unwrap();
                assert!(win >= 0.0 && draw >= 0.0 && win + draw <= 1.0 + 1e-6, "{context}");
                assert!((win + draw / 2.0 - one.value).abs() < 1e-9, "{context}");
                line.play(one.mv);
            }
        }
        let new = |threads| Puct::new(Box::new(NoiseGuide), 5).with_threads(threads).with_batch(3);
        let visits = |most| Limit { visits: Some(most), ..Limit::default() };
        for threads in [1, 2] {
            // No nodes allowed, or stopped before the start: still a legal move.
            let stop = Stop::new();
            stop.stop();
            line_is_legal(&line, &new(threads).think(&line, &Limit::default(), &mut stop.clone()), self.0);
            for limit in [Limit::nodes(0), Limit::nodes(1), Limit::time(Duration::ZERO), visits(0), visits(1)] {
                line_is_legal(&line, &new(threads).think(&line, &limit, &mut Quiet), self.0);
            }
            let mut search = new(threads);
            line_is_legal(&line, &search.think(&line, &Limit::time(Duration::from_millis(30)), &mut Quiet), self.0);
            assert_eq!(new(threads).think(&line, &visits(500), &mut Quiet).nodes, 500, "{}", self.0);
            assert_eq!(new(threads).think(&line, &Limit::nodes(500), &mut Quiet).nodes, 500, "{}", self.0);
        }
        let mut log = Log::default();
        let choice = new(1).think(&line, &Limit::nodes(5000), &mut log);
        assert_eq!(log.depths.iter().map(|depth| depth.1).max(), Some(choice.nodes), "{}", self.0);
        assert!(log.depths.len() >= 3 && log.looks <= choice.nodes && log.looks > 1000 && log.cuts == 0, "{}", self.0);
    }
}

#[test]
fn it_obeys_its_limits_and_repeats_itself() {
    for text in ["pathwayz", "pylos", "twixt(size=6)", "twixt(size=24)", "pentago"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| Behaves(text).visit(game));
    }
}

struct SharesItsTree(&'static str);

impl SharesItsTree {
    fn visit<G: Playable>(self, game: G) {
        let line = Line::new(Arc::new(game));
        for batch in [1, 3] {
            let mut search = Puct::new(Box::new(NoiseGuide), 1).with_threads(8).with_batch(batch);
            let (mut sum, mut before) = (0, 0);
            for nodes in [0, 1, 7, 3000, 0, 500] {
                let (children, searched) = Visits::sum(&mut search, &line, &Limit::nodes(nodes));
                assert_eq!(searched, nodes, "{}", self.0);
                sum += nodes;
                // Only visits from before the root had moves end there: at most one batch of each thread.
                assert!(children >= before && children <= sum && children + 8 * batch as u64 >= sum, "{}", self.0);
                before = children;
            }
            assert!(search.bytes() > 3000, "{}", self.0);
        }
    }
}

#[test]
fn threads_lose_no_visit_of_the_tree_they_share() {
    for text in ["pathwayz", "pylos", "twixt(size=6)", "twixt(size=24)", "pentago"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| SharesItsTree(text).visit(game));
    }
}

/// Evaluates nothing before two threads do so at once.
struct Meeting {
    inside: Mutex<u32>,
    met: Condvar,
}

impl<G: Game> Guide<G> for Meeting {
    fn guide(&self, game: &G, batch: &mut Batch<G>) {
        let mut inside = self.inside.lock().unwrap();
        *inside += 1;
        self.met.notify_all();
        let alone = |inside: &mut u32| *inside < 2;
        let (inside, waited) = self.met.wait_timeout_while(inside, Duration::from_secs(60), alone).unwrap();
        drop(inside);
        assert!(!waited.timed_out(), "a thread evaluates while no other one can");
        NoiseGuide.guide(game, batch);
    }
}

#[test]
fn threads_evaluate_at_once() {
    let line = Line::new(Arc::new(Pentago::standard()));
    let guide = Meeting { inside: Mutex::new(0), met: Condvar::new() };
    let choice = Puct::new(Box::new(guide), 1).with_threads(2).think(&line, &Limit::nodes(400), &mut Quiet);
    assert_eq!(choice.nodes, 400);
}

struct KeepsItsTree(&'static str);

impl KeepsItsTree {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut line = Line::new(game.clone());
        let new = || Puct::new(Box::new(NoiseGuide), 3);
        let mut search = new();
        let mut visits = Visits(Vec::new());
        let choice = search.think(&line, &Limit::nodes(2000), &mut visits);
        let before = search.bytes();
        // All visits of the move that was played are kept; one of them was its own evaluation.
        let own = visits.0.iter().find(|root| root.0 == choice.mv).unwrap().1;
        line.play(choice.mv);
        assert_eq!(Visits::sum(&mut search, &line, &Limit::nodes(0)), (own - 1, 0), "{}", self.0);
        assert!(search.bytes() < before, "{}: memory is freed", self.0);
        let mut last = own;
        for mv in &choice.line[1..choice.line.len().min(4)] {
            line.play(*mv);
            let choice = search.think(&line, &Limit { visits: Some(last), ..Limit::default() }, &mut Quiet);
            line_is_legal(&line, &choice, self.0);
            assert!(choice.nodes < last, "{}: kept visits count", self.0);
            last += 100;
        }
        // After an undo, in another game by the same rules, or without reuse: a new tree.
        line.undo();
        assert_eq!(Visits::sum(&mut search, &line, &Limit::nodes(50)), (49, 50), "{}: undo", self.0);
        let other = GameSpec::parse(self.0).unwrap().line();
        let other = other.typed::<G>().unwrap();
        assert_eq!(Visits::sum(&mut search, other, &Limit::nodes(50)), (49, 50), "{}: another game", self.0);
        let mut forgets = new().with_reuse(false);
        for _ in 0..2 {
            assert_eq!(Visits::sum(&mut forgets, &line, &Limit::nodes(50)), (49, 50), "{}: no reuse", self.0);
        }
        // The same position again: the search continues.
        assert_eq!(Visits::sum(&mut search, other, &Limit::nodes(50)), (99, 50), "{}: the same again", self.0);
    }
}

#[test]
fn it_keeps_its_tree_while_the_line_goes_on() {
    for text in ["pathwayz", "pylos", "twixt(size=8)", "pentago", "pentago-twist"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| KeepsItsTree(text).visit(game));
    }
}

struct PlaysOut(&'static str);

impl PlaysOut {
    /// Whole games with kept trees, so that proofs and repetitions meet new roots.
    fn visit<G: Playable>(self, game: G) {
        let mut line = Line::new(Arc::new(game));
        let mut search = Puct::new(Box::new(PlayoutGuide::new(1, 2)), 2).with_memory(1 << 20);
        while line.outcome().is_none() && line.plies() < 120 {
            let choice = search.think(&line, &Limit::nodes(150), &mut Quiet);
            line_is_legal(&line, &choice, self.0);
            line.play(choice.mv);
        }
    }
}

#[test]
fn it_plays_legal_games() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| PlaysOut(text).visit(game));
    }
}

struct StaysSmall(&'static str);

impl StaysSmall {
    fn visit<G: Playable>(self, game: G) {
        let line = Line::new(Arc::new(game));
        for (memory, guide) in [(64 << 10, true), (64 << 10, false), (0, true), (0, false)] {
            let guide: Box<dyn Guide<G>> = if guide { Box::new(NoiseGuide) } else { Box::new(PlayoutGuide::new(1, 1)) };
            let mut search = Puct::new(guide, 1).with_memory(memory);
            let choice = search.think(&line, &Limit::nodes(4000), &mut Quiet);
            line_is_legal(&line, &choice, self.0);
            assert_eq!(choice.nodes, 4000, "{}", self.0);
            // The root needs no more in any game, however many first moves there are.
            assert!(search.bytes() <= 64 << 10, "{}: {} bytes", self.0, search.bytes());
        }
    }
}

#[test]
fn a_full_tree_goes_on_without_growing() {
    for text in ["pathwayz", "pylos", "twixt(size=24)", "pentago"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| StaysSmall(text).visit(game));
    }
}

struct KeepsTheContract(&'static str);

impl KeepsTheContract {
    fn visit<G: Evaluated>(self, game: G) {
        let game = Arc::new(game);
        let mut guides: Vec<(&str, Box<dyn Guide<G>>)> = vec![
            ("playouts", Box::new(PlayoutGuide::new(3, 1))),
            ("noise", Box::new(EvalGuide::new(Box::new(Noise), &*game))),
        ];
        for info in evaluations(&GameSpec::parse(self.0).unwrap()) {
            // An evaluation without default weights is skipped.
            let Ok(eval) = evaluation(&*game, &Spec::parse(info.name).unwrap()) else { continue };
            guides.push((info.name, Box::new(EvalGuide::new(eval, &*game))));
        }
        let mut rng = Rng::seed_from_u64(8);
        let mut batch = Batch::default();
        for round in 0..6 {
            batch.clear();
            let lines: Vec<Line<G>> = (0..round).map(|_| late(game.clone(), &mut rng)).collect();
            for (number, line) in lines.iter().enumerate() {
                batch.push(&*game, line.position().clone(), number % 3 != 1);
            }
            for (name, guide) in &guides {
                guide.guide(&*game, &mut batch);
                assert_eq!(batch.leaves().count(), lines.len());
                for (number, (leaf, line)) in batch.leaves().zip(&lines).enumerate() {
                    let context = format!("{} {name} {}", self.0, game.write_position(leaf.pos));
                    assert_eq!(leaf.pos, line.position());
                    assert_eq!(leaf.moves.len(), if number % 3 == 1 { 0 } else { game.count_moves(leaf.pos) });
                    assert!(leaf.priors.iter().chain(&*leaf.chances).all(|p| (0.0..=1.00001).contains(p)), "{context}");
                    assert!((leaf.chances.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{context}");
                    assert!(leaf.moves.is_empty() || (leaf.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{context}");
                }
            }
        }
    }
}

#[test]
fn guides_keep_their_contract() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| KeepsTheContract(text).visit(game));
    }
}
