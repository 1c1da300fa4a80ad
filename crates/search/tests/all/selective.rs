//! Searches that leave moves out, against plain definitions, on small positions of every game.

use std::sync::Arc;

use quintet_eval::Evaluate;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Playable, Player, Rng, SeedableRng, with_game};
use quintet_search::{Backup, Beam, Ends, Minimax, MonteCarlo, PaiMcts, Promise, Quiet, Search, Widths, Worth};

use crate::common::{Noise, SPECS, late, line_is_legal};

const ENDS: Ends = Ends::on_top(1e6);

/// A position with the positions before it, for repetition.
struct At<G: Game> {
    pos: G::Pos,
    path: Vec<G::Pos>,
}

/// The definitions, with everything in sight.
struct Plain<'a, G: Game> {
    line: &'a Line<G>,
    view: Player,
    widths: Vec<usize>,
    backup: Backup,
    promise: Promise,
}

impl<G: Game> Plain<'_, G> {
    fn end(&self, at: &At<G>) -> Option<Outcome> {
        let again = G::REPEATS && (at.path.contains(&at.pos) || self.line.occurrences(&at.pos) >= 2);
        self.line.game().outcome(&at.pos).or(again.then_some(Outcome::Draw))
    }

    fn score(&self, at: &At<G>, view: Player) -> f64 {
        let utility = match self.end(at) {
            Some(Outcome::Win(player)) => {
                if player == view {
                    1e6
                } else {
                    -1e6
                }
            }
            _ => 0.0,
        };
        Noise.value(self.line.game(), &at.pos, view) + utility
    }

    /// The children that are searched.
    fn children(&self, at: &At<G>, ply: usize) -> Vec<(G::Move, At<G>)> {
        let game = self.line.game();
        let mut moves = Vec::new();
        game.moves(&at.pos, &mut moves);
        let child = |mv: G::Move| {
            let mut pos = at.pos.clone();
            game.play(&mut pos, mv);
            (mv, At { pos, path: at.path.iter().chain([&at.pos]).cloned().collect() })
        };
        let mut children: Vec<(G::Move, At<G>)> = moves.into_iter().map(child).collect();
        let width = self.widths[ply];
        if width > 0 {
            let judge = if self.promise == Promise::Mover { game.to_move(&at.pos) } else { self.view };
            children.sort_by(|a, b| self.score(&b.1, judge).total_cmp(&self.score(&a.1, judge)));
            children.truncate(width);
        }
        children
    }

    /// The value of a node by minimax or with means.
    fn value(&self, at: &At<G>, ply: usize) -> f64 {
        if self.end(at).is_some() || ply == self.widths.len() {
            return self.score(at, self.view);
        }
        let values: Vec<f64> = self.children(at, ply).iter().map(|(_, child)| self.value(child, ply + 1)).collect();
        if self.line.game().to_move(&at.pos) == self.view {
            values.into_iter().fold(f64::NEG_INFINITY, f64::max)
        } else if self.backup == Backup::Mean {
            values.iter().sum::<f64>() / values.len() as f64
        } else {
            values.into_iter().fold(f64::INFINITY, f64::min)
        }
    }

    /// The last position of the line that the movers prefer.
    fn last(&self, at: &At<G>, ply: usize) -> At<G> {
        if self.end(at).is_some() || ply == self.widths.len() {
            return At { pos: at.pos.clone(), path: at.path.clone() };
        }
        let mover = self.line.game().to_move(&at.pos);
        let mut best: Option<At<G>> = None;
        for (_, child) in self.children(at, ply) {
            let last = self.last(&child, ply + 1);
            if best.as_ref().is_none_or(|best| self.score(&last, mover) > self.score(best, mover)) {
                best = Some(last);
            }
        }
        best.unwrap()
    }

    /// The move and its value.
    fn choice(&self) -> (G::Move, f64) {
        let root = At { pos: self.line.position().clone(), path: Vec::new() };
        let mut best: Option<(G::Move, f64)> = None;
        for (mv, child) in self.children(&root, 0) {
            let value = match self.backup {
                Backup::Line => self.score(&self.last(&child, 1), self.view),
                _ => self.value(&child, 1),
            };
            if best.is_none_or(|best| value > best.1) {
                best = Some((mv, value));
            }
        }
        best.unwrap()
    }
}

struct EqualsPlain(&'static str);

impl EqualsPlain {
    fn visit<G: Playable>(self, game: G) -> [usize; 2] {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(11);
        let mut threats = [0; 2];
        for round in 0..20 {
            let line = late(game.clone(), &mut rng);
            let view = line.to_move();
            let threat = game.threatens(line.position(), view.other());
            threats[usize::from(threat)] += 1;
            for backup in [Backup::Minimax, Backup::Mean, Backup::Line] {
                for promise in [Promise::Mover, Promise::Root] {
                    for widths in [vec![10, 5, 1], vec![3, 2, 2], vec![0, 2], vec![1], vec![0, 0]] {
                        let context = format!("{} {round} {backup:?} {promise:?} {widths:?}", self.0);
                        let plain = Plain { line: &line, view, widths: widths.clone(), backup, promise };
                        let beam = || {
                            Beam::new(Box::new(Noise), ENDS, Widths::Each(widths.clone()), backup).with_promise(promise)
                        };
                        let choice = beam().think(&line, &Limit::default(), &mut Quiet);
                        assert_eq!((choice.mv, choice.value), plain.choice(), "{context}");
                        line_is_legal(&line, &choice, &context);
                        // Under threat, all moves and replies are searched.
                        let choice =
                            beam().with_threat_switch(Backup::Line).think(&line, &Limit::default(), &mut Quiet);
                        let plain =
                            if threat { Plain { widths: vec![0, 0], backup: Backup::Line, ..plain } } else { plain };
                        assert_eq!((choice.mv, choice.value), plain.choice(), "{context} under threat");
                    }
                }
            }
            self.expectimax(&line);
        }
        threats
    }
}

impl EqualsPlain {
    /// One ply, plus one for every few pieces; all own moves, some replies.
    fn expectimax<G: Playable>(&self, line: &Line<G>) {
        let pieces = line.game().pieces(line.position());
        for pieces_per_ply in [pieces + 1, pieces.max(1), (pieces / 2).max(1)] {
            let depth = (1 + pieces / pieces_per_ply) as usize;
            if line.count_moves() > 40 && depth > 2 {
                continue;
            }
            let widths = [0, 4, 0, 4, 0][..depth].to_vec();
            let plain = Plain { line, view: line.to_move(), widths, backup: Backup::Mean, promise: Promise::Mover };
            let widths = Widths::Replies { replies: 4, pieces_per_ply };
            let choice =
                Beam::new(Box::new(Noise), ENDS, widths, Backup::Mean).think(line, &Limit::default(), &mut Quiet);
            assert_eq!((choice.mv, choice.value), plain.choice(), "{} {depth}", self.0);
        }
    }
}

#[test]
fn beams_and_expectimax_are_what_they_are_defined_to_be() {
    let mut threats = [0; 2];
    for text in SPECS {
        let seen = with_game!(GameSpec::parse(text).unwrap(), |game| EqualsPlain(text).visit(game));
        threats = [threats[0] + seen[0], threats[1] + seen[1]];
    }
    assert!(threats.iter().all(|count| *count > 20), "positions without and with a threat: {threats:?}");
}

/// A beam that leaves nothing out is minimax.
struct WideIsMinimax;

impl WideIsMinimax {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(5);
        for _ in 0..10 {
            let line = late(game.clone(), &mut rng);
            let mut beam: Beam<G> = Beam::new(Box::new(Noise), ENDS, Widths::Each(vec![0, 0]), Backup::Minimax);
            let mut minimax: Minimax<G> = Minimax::new(Box::new(Noise), ENDS, 2);
            let [a, b] = [&mut beam as &mut dyn Search<G>, &mut minimax]
                .map(|search| search.think(&line, &Limit::depth(2), &mut Quiet));
            assert_eq!((a.mv, a.value, a.depth), (b.mv, b.value, 2));
        }
    }
}

#[test]
fn a_beam_that_leaves_nothing_out_is_minimax() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| WideIsMinimax.visit(game));
    }
}

struct Samples(&'static str);

impl Samples {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(23);
        for round in 0..10 {
            let line = late(game.clone(), &mut rng);
            let view = line.to_move();
            let plain = Plain { line: &line, view, widths: vec![3], backup: Backup::Minimax, promise: Promise::Mover };
            let root = At { pos: line.position().clone(), path: Vec::new() };
            // The third best by evaluation: equally good moves may be among the three.
            let scores: Vec<f64> = plain.children(&root, 0).iter().map(|(_, child)| plain.score(child, view)).collect();
            let after = |mv: G::Move| {
                let mut pos = line.position().clone();
                game.play(&mut pos, mv);
                At { pos, path: Vec::new() }
            };
            for worth in [Worth::Win, Worth::Value] {
                let mut search: MonteCarlo<G> = MonteCarlo::new(Box::new(Noise), ENDS, 3, 20, worth, round);
                let choice = search.think(&line, &Limit::default(), &mut Quiet);
                let context = format!("{} {worth:?} {round}", self.0);
                assert_eq!(choice.nodes, 20 * scores.len() as u64, "{context}");
                assert!(plain.score(&after(choice.mv), view) >= *scores.last().unwrap(), "{context}");
                let [win, draw] = choice.chances.unwrap();
                assert!(win >= 0.0 && draw >= 0.0 && win + draw <= 1.0, "{context}");
                if worth == Worth::Win {
                    assert_eq!(choice.value, win, "{context}");
                }
                // Fewer games than requested: still a move among the best.
                let choice = search.think(&line, &Limit::nodes(4), &mut Quiet);
                assert_eq!(choice.nodes, 4.min(20 * scores.len() as u64), "{context}");
            }
            let mut pai: PaiMcts<G> = PaiMcts::new(Box::new(Noise), ENDS, 3, round);
            let choice = pai.think(&line, &Limit { visits: Some(50), ..Limit::default() }, &mut Quiet);
            let wins = plain.end(&after(choice.mv)) == Some(Outcome::Win(view));
            assert!(wins == (choice.nodes == 0) && (wins || choice.nodes == 50), "{} {round}", self.0);
            line_is_legal(&line, &choice, self.0);
        }
    }
}

#[test]
fn samplers_look_at_the_best_moves_only() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| Samples(text).visit(game));
    }
}
