//! A search's reports as text: after every depth, and in between if requested.

use std::time::Duration;

use quintet_game::clock::Instant;
use quintet_game::{Game, Playable, Stop};
use quintet_search::{Report, RootMove, Watch};

/// Steps between two checks of the wall clock.
const LOOK: u32 = 64;

/// Converts a search's reports into text.
pub(crate) struct Listener<'a, G: Game> {
    game: &'a G,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(&Report<String>),
    /// The last report.
    last: Report<String>,
    close: Option<Close<G>>,
}

/// What is kept to report the current state between depths.
struct Close<G: Game> {
    every: Duration,
    start: Instant,
    told: Instant,
    steps: u32,
    nodes: u64,
    cuts: u64,
    /// The line being searched.
    now: Vec<G::Move>,
    /// The line whose last move caused a cut-off, if there was one since the last report.
    cut: Vec<G::Move>,
}

impl<'a, G: Playable> Listener<'a, G> {
    /// Reports every depth, and with `closely` also in between, at most this often.
    pub fn new(
        game: &'a G,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(&Report<String>),
        closely: Option<Duration>,
    ) -> Listener<'a, G> {
        let now = Instant::now();
        let close = closely.map(|every| Close {
            every,
            start: now,
            told: now,
            steps: 0,
            nodes: 0,
            cuts: 0,
            now: Vec::new(),
            cut: Vec::new(),
        });
        Listener { game, stop, progress, last: Report::default(), close }
    }

    fn write(&self, moves: &[G::Move]) -> Vec<String> {
        moves.iter().map(|mv| self.game.write_move(*mv)).collect()
    }

    /// Reports the current state, with what was known at the last depth.
    fn tell(&mut self) {
        let Some(close) = &mut self.close else { return };
        close.told = Instant::now();
        let (now, cut) = (close.now.clone(), std::mem::take(&mut close.cut));
        (self.last.nodes, self.last.elapsed, self.last.cuts) = (close.nodes, close.start.elapsed(), close.cuts);
        (self.last.now, self.last.cut) = (self.write(&now), self.write(&cut));
        (self.progress)(&self.last);
    }
}

/// The best moves first: by visits where they count, otherwise by value. Apart, since it is the same for every game.
fn best_first(roots: &mut [RootMove<String>]) {
    roots.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
}

impl<G: Playable> Watch<G> for Listener<'_, G> {
    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn depth_done(&mut self, report: Report<G::Move>) {
        let mut told = report.map(|mv| self.game.write_move(mv));
        best_first(&mut told.roots);
        told.cuts = self.close.as_ref().map_or(0, |close| close.cuts);
        told.fill = self.last.fill;
        self.last = told;
        (self.progress)(&self.last);
    }

    fn looking_at(&mut self, _pos: &G::Pos, _ply: u32) {
        if let Some(close) = &mut self.close {
            close.nodes += 1;
        }
    }

    fn cut_off(&mut self, ply: u32) {
        if let Some(close) = &mut self.close {
            close.cuts += 1;
            close.cut.clear();
            // The move that caused the cut-off is the last one that was tried there.
            close.cut.extend_from_slice(&close.now[..close.now.len().min(ply as usize + 1)]);
        }
    }

    fn wants_steps(&self) -> bool {
        self.close.is_some()
    }

    fn entered(&mut self, mv: G::Move, ply: u32, _window: [f64; 2]) {
        let Some(close) = &mut self.close else { return };
        close.now.truncate(ply as usize - 1);
        close.now.push(mv);
        close.steps += 1;
        if close.steps.is_multiple_of(LOOK) && close.told.elapsed() >= close.every {
            self.tell();
        }
    }

    fn is_due(&mut self) -> bool {
        let Some(close) = &mut self.close else { return false };
        let due = close.told.elapsed() >= close.every;
        if due {
            close.told = Instant::now();
        }
        due
    }

    fn filled(&mut self, part: f64) {
        self.last.fill = Some(part);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quintet_eval::{Spec, evaluation};
    use quintet_game::pentago::Pentago;
    use quintet_game::pylos::Pylos;
    use quintet_game::{Limit, Line, Notation, Proof};
    use quintet_search::{Ends, Mcts, Minimax, Search};

    use super::*;

    fn heard<G: Playable>(
        search: &mut dyn Search<G>,
        line: &Line<G>,
        limit: &Limit,
        closely: bool,
    ) -> Vec<Report<String>> {
        let mut all = Vec::new();
        let mut hear = |progress: &Report<String>| all.push(progress.clone());
        let closely = closely.then_some(Duration::ZERO);
        search.think(line, limit, &mut Listener::new(line.game(), &Stop::never(), &mut hear, closely));
        all
    }

    #[test]
    fn lines_and_cut_offs_are_told_only_to_those_who_watch_closely() {
        let game = Arc::new(Pylos::default());
        let eval = || evaluation(&*game, &Spec::parse("difference").unwrap()).unwrap();
        let mut search = Minimax::new(eval(), Ends::default(), 3).with_pruning();
        let line = Line::new(game.clone());
        let quiet = heard(&mut search, &line, &Limit::depth(3), false);
        assert_eq!((quiet.len(), quiet[0].now.len(), quiet[0].cuts), (1, 0, 0));
        let close = heard(&mut search, &line, &Limit::depth(3), true);
        let (end, between) = close.split_last().unwrap();
        assert_eq!(Report { elapsed: quiet[0].elapsed, cuts: 0, ..end.clone() }, quiet[0], "the same result");
        assert_eq!(between.len(), (end.nodes / u64::from(LOOK)) as usize, "one report per LOOK steps");
        assert!(end.cuts > 0 && between.iter().any(|progress| !progress.cut.is_empty()));
        for progress in between {
            assert!((1..=3).contains(&progress.now.len()), "{:?}", progress.now);
            for told in [&progress.now, &progress.cut] {
                let mut line = line.clone();
                assert!(told.iter().all(|mv| line.try_play(mv).is_ok()), "{told:?} can be played");
            }
        }
        assert!(between.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes && pair[0].cuts <= pair[1].cuts));
    }

    #[test]
    fn a_tree_is_told_to_three_plies_with_what_is_proven() {
        let game = Arc::new(Pylos::default());
        let told = heard(&mut Mcts::new(1), &Line::new(game.clone()), &Limit::nodes(3000), true);
        assert_eq!(told.len() as u64, 3000 / 64 + 1, "asked every 64 simulations, and at the end");
        let tree = &told.last().unwrap().tree;
        assert_eq!((tree.len(), tree[0].children.len(), tree[0].children[0].children.len()), (5, 3, 2));
        assert!(tree.iter().all(|branch| branch.visits > 0 && branch.proof.is_none()));
        assert!(tree.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
        assert!(tree[0].children.iter().map(|child| child.visits).sum::<u64>() <= tree[0].visits);
        let game = Arc::new(Pentago::standard());
        let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
        let told = heard(&mut Mcts::new(1), &Line::from_position(game, pos), &Limit::nodes(5000), true);
        let first = &told.last().unwrap().tree[0];
        assert_eq!((first.mv.as_str(), first.proof), ("e1", Some(Proof::Win)), "a proven move comes first");
    }
}
