//! What a search reports while it runs, and at the end.

use std::time::Duration;

use quintet_game::{Game, Proof, Stop, Value};

/// What a search has chosen, with moves of type `M`: the game's own, or their text.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The search's own number for it, larger is better for the side to move.
    pub value: f64,
    /// The exact value of the position for the side to move, if proven.
    pub known: Option<Value>,
    /// Shares of wins and draws for the side to move, from searches that count them.
    pub chances: Option<[f64; 2]>,
    /// The expected line, starting with the chosen move.
    pub line: Vec<M>,
    /// Positions searched.
    pub nodes: u64,
    /// Plies searched in full.
    pub depth: u32,
    /// Time used.
    pub elapsed: Duration,
}

impl<M: Copy> Choice<M> {
    /// A move of which only the value is known.
    #[must_use]
    pub fn plain(mv: M, value: f64) -> Choice<M> {
        let (known, chances, line) = (None, None, vec![mv]);
        Choice { mv, value, known, chances, line, nodes: 0, depth: 0, elapsed: Duration::ZERO }
    }
}

impl<M> Choice<M> {
    /// How the game must end for the side to move, if proven.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        self.known.map(|value| value.proof)
    }

    /// Plies to the end with best play of both sides, if known.
    #[must_use]
    pub fn plies(&self) -> Option<u32> {
        self.known?.plies
    }

    /// What the side to move may expect, from 0 for a loss over 1/2 for a draw to 1 for a win: proven, or by the chances if the search counts them.
    ///
    /// ```
    /// use quintet_game::Value;
    /// use quintet_search::Choice;
    /// let choice = Choice::plain('a', 3.5);
    /// assert_eq!(choice.expectation(), None);
    /// assert_eq!(Choice { chances: Some([0.5, 0.25]), ..choice.clone() }.expectation(), Some(0.625));
    /// assert_eq!(Choice { known: Some(Value::win_in(3)), ..choice }.expectation(), Some(1.0));
    /// ```
    #[must_use]
    pub fn expectation(&self) -> Option<f64> {
        let proven = self.proof().map(|proof| match proof {
            Proof::Win => 1.0,
            Proof::Draw => 0.5,
            Proof::Loss => 0.0,
        });
        proven.or_else(|| self.chances.map(|[win, draw]| win + draw / 2.0))
    }

    /// The report of a finished search whose choice this is: how far it came, its value and line, and the moves of the root.
    pub(crate) fn report(&self, roots: Vec<RootMove<M>>) -> Report<M>
    where
        M: Clone,
    {
        let (depth, nodes, elapsed, line) = (self.depth, self.nodes, self.elapsed, self.line.clone());
        Report { depth, nodes, elapsed, value: Some(self.value), line, roots, ..Report::default() }
    }

    /// The same with the moves converted, for example to text.
    pub fn map<N>(self, mut name: impl FnMut(M) -> N) -> Choice<N> {
        let Choice { mv, value, known, chances, line, nodes, depth, elapsed } = self;
        let (mv, line) = (name(mv), line.into_iter().map(name).collect());
        Choice { mv, value, known, chances, line, nodes, depth, elapsed }
    }
}

/// A move of the root and the search's rating of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RootMove<M> {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: M,
    /// The search's own number for it, larger is better for the side to move.
    pub value: f64,
    /// How often it was visited, in searches that count visits.
    pub visits: Option<u64>,
    /// The share of the search's attention that it had before anything was searched, in searches that go by priors.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub prior: Option<f64>,
    /// What is proven of it for the side that makes it, where a prover was asked.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "crate::wire::proven"))]
    pub known: Option<Value>,
}

impl<M> RootMove<M> {
    /// A move with its value alone.
    pub fn valued(mv: M, value: f64) -> RootMove<M> {
        RootMove { mv, value, visits: None, prior: None, known: None }
    }
}

/// A move of a search tree: what is known of it, and the moves after it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Branch<M> {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: M,
    /// How often it was visited.
    pub visits: u64,
    /// The mean result for the side that makes it.
    pub value: f64,
    /// What is proven, for the side that makes it.
    #[cfg_attr(feature = "serde", serde(rename = "proven"))]
    pub proof: Option<Proof>,
    /// The answers to it, as far as they are reported.
    pub children: Vec<Branch<M>>,
}

impl<M: Copy> Branch<M> {
    fn map<N>(&self, name: &mut dyn FnMut(M) -> N) -> Branch<N> {
        let children = self.children.iter().map(|child| child.map(name)).collect();
        Branch { mv: name(self.mv), visits: self.visits, value: self.value, proof: self.proof, children }
    }
}

/// How many branches are reported at each ply, because a tree has too many.
pub(crate) const BRANCHES: [usize; 3] = [5, 3, 2];

/// The window that excludes nothing.
pub(crate) const OPEN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// How far a search has come, with moves of type `M`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report<M> {
    /// Plies searched in full.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time since the start.
    #[cfg_attr(feature = "serde", serde(rename = "ms", serialize_with = "crate::wire::milliseconds"))]
    pub elapsed: Duration,
    /// The value of the best move so far, for the side to move; `None` before the first depth is done.
    pub value: Option<f64>,
    /// The best line so far.
    #[cfg_attr(feature = "serde", serde(rename = "pv"))]
    pub line: Vec<M>,
    /// The moves of the root with their values, as far as they are known. With pruning, the values of moves after the best are bounds.
    pub roots: Vec<RootMove<M>>,
    /// The line being searched, between two depths.
    pub now: Vec<M>,
    /// The last line that caused a cut-off, if there was one since the last report.
    pub cut: Vec<M>,
    /// Cut-offs so far, if they are counted.
    pub cuts: u64,
    /// The used share of the search's table, if it has one.
    pub fill: Option<f64>,
    /// The top of its tree, if it has one.
    pub tree: Vec<Branch<M>>,
}

// Written by hand because moves need no default.
impl<M> Default for Report<M> {
    fn default() -> Report<M> {
        Report {
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            value: None,
            line: Vec::new(),
            roots: Vec::new(),
            now: Vec::new(),
            cut: Vec::new(),
            cuts: 0,
            fill: None,
            tree: Vec::new(),
        }
    }
}

impl<M: Copy> Report<M> {
    /// The same with the moves converted, for example to text.
    pub fn map<N>(&self, mut name: impl FnMut(M) -> N) -> Report<N> {
        let mut all = |moves: &[M]| moves.iter().map(|mv| name(*mv)).collect();
        let (line, now, cut) = (all(&self.line), all(&self.now), all(&self.cut));
        let root = |root: &RootMove<M>| {
            let RootMove { mv, value, visits, prior, known } = *root;
            RootMove { mv: name(mv), value, visits, prior, known }
        };
        let roots = self.roots.iter().map(root).collect();
        let tree = self.tree.iter().map(|branch| branch.map(&mut name)).collect();
        let Report { depth, nodes, elapsed, value, cuts, fill, .. } = *self;
        Report { depth, nodes, elapsed, value, line, roots, now, cut, cuts, fill, tree }
    }
}

/// Is told what a search does, and may end it. Live views, protocols and logs all implement it.
pub trait Watch<G: Game> {
    /// The flag that ends the search from outside; a search asks for it once, at the start.
    fn stop(&self) -> Stop {
        Stop::never()
    }

    /// A depth is finished.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use quintet_eval::{Spec, evaluation};
    /// use quintet_game::{Game, Limit, Line, pylos::Pylos};
    /// use quintet_search::{Pvs, Report, Search, Watch};
    ///
    /// #[derive(Default)]
    /// struct Depths(Vec<u32>);
    ///
    /// impl<G: Game> Watch<G> for Depths {
    ///     fn depth_done(&mut self, report: Report<G::Move>) {
    ///         self.0.push(report.depth);
    ///     }
    /// }
    ///
    /// let line = Line::new(Arc::new(Pylos::default()));
    /// let eval = evaluation(line.game(), &Spec::parse("difference").unwrap()).unwrap();
    /// let mut depths = Depths::default();
    /// Pvs::new(eval).think(&line, &Limit::depth(3), &mut depths);
    /// assert_eq!(depths.0, [1, 2, 3]);
    /// ```
    fn depth_done(&mut self, _report: Report<G::Move>) {}

    /// A position is being searched, this many plies ahead.
    fn looking_at(&mut self, _pos: &G::Pos, _ply: u32) {}

    /// A position has been searched, `depth` plies below it: its value for the side to move at the root. Where branches were cut
    /// off, it may be a bound. Leaves, and positions that ran out of time, are not reported.
    fn scored(&mut self, _pos: &G::Pos, _depth: u32, _value: f64) {}

    /// The rest of a node's moves need not be searched, this many plies ahead.
    fn cut_off(&mut self, _ply: u32) {}

    /// Should steps be reported, by [`Watch::entered`] and [`Watch::left`]? Searches that go from move to move ask once, so that
    /// unwanted steps cost nothing.
    fn wants_steps(&self) -> bool {
        false
    }

    /// A move is tried, after which the line is `ply` plies long. Its value matters only inside the window, which is for the side to move at the
    /// root.
    fn entered(&mut self, _mv: G::Move, _ply: u32, _window: [f64; 2]) {}

    /// The move that was tried at this ply is finished: its value for the side to move at the root, or a bound outside of the window.
    fn left(&mut self, _ply: u32, _value: f64) {}

    /// Is a report due now? Tree searches, which can report at any time, ask now and then.
    fn is_due(&mut self) -> bool {
        false
    }

    /// The used share of a search's table, before a report; only for watches that ask for steps.
    fn filled(&mut self, _part: f64) {}
}

/// Ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl<G: Game> Watch<G> for Quiet {}

/// Ignores everything, and ends the search when the flag is set.
impl<G: Game> Watch<G> for Stop {
    fn stop(&self) -> Stop {
        self.clone()
    }
}

/// Passes everything on to another watch, and keeps the moves of the last report.
pub struct LastRoots<'a, G: Game> {
    watch: &'a mut dyn Watch<G>,
    /// The moves of the root in the last report.
    pub roots: Vec<RootMove<G::Move>>,
}

impl<'a, G: Game> LastRoots<'a, G> {
    /// Listens for another watch.
    pub fn new(watch: &'a mut dyn Watch<G>) -> LastRoots<'a, G> {
        LastRoots { watch, roots: Vec::new() }
    }
}

impl<G: Game> Watch<G> for LastRoots<'_, G> {
    fn stop(&self) -> Stop {
        self.watch.stop()
    }

    fn depth_done(&mut self, report: Report<G::Move>) {
        self.roots.clone_from(&report.roots);
        self.watch.depth_done(report);
    }

    fn looking_at(&mut self, pos: &G::Pos, ply: u32) {
        self.watch.looking_at(pos, ply);
    }

    fn scored(&mut self, pos: &G::Pos, depth: u32, value: f64) {
        self.watch.scored(pos, depth, value);
    }

    fn cut_off(&mut self, ply: u32) {
        self.watch.cut_off(ply);
    }

    fn wants_steps(&self) -> bool {
        self.watch.wants_steps()
    }

    fn entered(&mut self, mv: G::Move, ply: u32, window: [f64; 2]) {
        self.watch.entered(mv, ply, window);
    }

    fn left(&mut self, ply: u32, value: f64) {
        self.watch.left(ply, value);
    }

    fn is_due(&mut self) -> bool {
        self.watch.is_due()
    }

    fn filled(&mut self, part: f64) {
        self.watch.filled(part);
    }
}
