//! What a search says while it works, and at the end.

use std::time::Duration;

use quintet_game::Game;

/// A fact about a position, for the side to move, that rests on no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// The side to move wins.
    Win,
    /// Nobody can force a win.
    Draw,
    /// The side to move loses.
    Loss,
}

impl Proof {
    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Proof::Win => "win",
            Proof::Draw => "draw",
            Proof::Loss => "loss",
        }
    }
}

/// What a search has chosen.
#[derive(Debug)]
pub struct Choice<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The search's own number for it, larger is better for the side to move.
    pub value: f64,
    /// The truth, where it is known.
    pub proof: Option<Proof>,
    /// Plies to the end with best play of both sides, where they are known.
    pub plies: Option<u32>,
    /// Shares of wins and draws for the side to move, from searches that count them.
    pub chances: Option<[f64; 2]>,
    /// The line expected, the chosen move first.
    pub line: Vec<G::Move>,
    /// Positions looked at.
    pub nodes: u64,
    /// Plies looked ahead in full.
    pub depth: u32,
}

/// A move of the root and what a search thinks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The search's own number for it, larger is better for the side to move.
    pub value: f64,
    /// How often it was visited, in searches that count visits.
    pub visits: Option<u64>,
}

/// A move of a search tree: what is known of it, and the moves after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<M> {
    /// The move.
    pub mv: M,
    /// How often it was visited.
    pub visits: u64,
    /// The mean result for the side that makes it.
    pub value: f64,
    /// What is proven, for the side that makes it.
    pub proof: Option<Proof>,
    /// The moves that answer it, as far as they are told of.
    pub children: Vec<Branch<M>>,
}

/// How many branches are told of at each ply: a tree has too many to tell all.
pub(crate) const BRANCHES: [usize; 3] = [5, 3, 2];

/// A window that leaves nothing out.
pub(crate) const OPEN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// How far a search has come.
#[derive(Debug)]
pub struct Report<'a, G: Game> {
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// The value of the best move so far, for the side to move.
    pub value: f64,
    /// The best line so far.
    pub line: &'a [G::Move],
    /// The moves of the root with their values, as far as they are known.
    pub roots: &'a [RootMove<G::Move>],
}

/// Hears what a search does. Live views, protocols and logs are all listeners.
pub trait Watch<G: Game> {
    /// A depth is finished.
    fn depth_done(&mut self, _report: &Report<G>) {}

    /// A position is being looked at, this many plies ahead.
    fn looking_at(&mut self, _pos: &G::Pos, _ply: u32) {}

    /// A position has been searched, `depth` plies below it: its value for the side to move at the root. Where branches were cut off it may
    /// be a bound. Leaves, and what ran out of time, are not told of.
    fn scored(&mut self, _pos: &G::Pos, _depth: u32, _value: f64) {}

    /// The rest of a node's moves need not be looked at, this many plies ahead.
    fn cut_off(&mut self, _ply: u32) {}

    /// Are steps to be told of: [`Watch::entered`] and [`Watch::left`]? Searches that go from move to move ask once, so that steps which nobody
    /// wants to hear of cost nothing.
    fn wants_steps(&self) -> bool {
        false
    }

    /// A move is tried, after which the line is `ply` plies long. Its value counts inside the window only, which is for the side to move at the root.
    fn entered(&mut self, _mv: G::Move, _ply: u32, _window: [f64; 2]) {}

    /// The move that was tried at this ply is done with: its value for the side to move at the root, or a bound outside of the window.
    fn left(&mut self, _ply: u32, _value: f64) {}

    /// Would a report be welcome now? Tree searches, which know something at any time, ask now and then.
    fn is_due(&mut self) -> bool {
        false
    }

    /// The top of the tree, before a report of it.
    fn grown(&mut self, _tree: &[Branch<G::Move>]) {}

    /// The part of its table that a search uses, before a report; told to those who want steps.
    fn filled(&mut self, _part: f64) {}
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl<G: Game> Watch<G> for Quiet {}
