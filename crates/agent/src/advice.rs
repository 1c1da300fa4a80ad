//! Advice about a position: a proof where a prover has one, otherwise what the strongest agent thinks. Hints, analyses, reviews and the command line all ask
//! here, so that a position gets the same answer everywhere.

use std::time::Duration;

use quintet_eval::SpecError;
use quintet_game::notation::Fault;
use quintet_game::{AnyLine, GameSpec, Limit, Proof, Stop, Value};
use quintet_search::{Choice, Report, RootMove};

use crate::{Catalogue, Exact, Provers, Seat, ThinkError, Trace, exact};

/// Positions that a prover may search for each node of the agent's limit: a node of an agent with a net takes that much longer.
const PROVER_NODES: u64 = 150;

/// The most nodes of the agent where a proof has decided and only the order of equals is asked for.
const ORDER_NODES: u64 = 500;

/// The longest line that is continued by proofs.
const LONGEST_LINE: usize = 12;

impl Catalogue {
    /// The name of the strongest agent of a game: its champion, or the next best where the champion cannot play these rules.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::GameSpec;
    /// assert_eq!(Catalogue::embedded().strongest(&GameSpec::parse("pentago").unwrap()), "pentago:champion");
    /// ```
    #[must_use]
    pub fn strongest(&self, spec: &GameSpec) -> String {
        let champion = format!("{}:champion", spec.info().name);
        let usual = [champion.as_str(), "exact(agent=puct(eval=net))", "puct(eval=net)", "level:8"];
        let found = usual.into_iter().find(|agent| self.seat(spec, agent, 1).is_ok());
        found.unwrap_or("mcts").to_owned()
    }

    /// Advice by this catalogue's provers and an agent, or by its strongest agent if none is named.
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn adviser(&self, spec: &GameSpec, agent: Option<&str>, seed: u64) -> Result<Adviser, SpecError> {
        let strongest = || self.strongest(spec);
        let agent = agent.map_or_else(strongest, str::to_owned);
        Ok(Adviser::new(self.provers(), self.seat(spec, &agent, seed)?))
    }
}

/// Provers in front of an agent. Where a prover knows the value, the move keeps it: the shortest win, a draw, the longest loss, and the agent only orders
/// equals; its other moves, values and lines are reported as far as they agree. Elsewhere the agent decides alone.
///
/// A limit of nodes limits the provers in proportion; a limit of time holds for the provers and for the agent, one after the other.
///
/// ```
/// use quintet_agent::{Catalogue, Seat};
/// use quintet_game::{GameSpec, Limit, Stop, Value};
/// let spec = GameSpec::parse("pentago").unwrap();
/// let line = spec.line_at("xxxx../oooo../....../....../....../...... x").unwrap();
/// let mut adviser = Catalogue::embedded().adviser(&spec, None, 1).unwrap();
/// let choice = adviser.think(&*line, &Limit::nodes(100), &Stop::never(), &mut |_| {}).unwrap();
/// assert_eq!(choice.known, Some(Value::win_in(1)));
/// ```
pub struct Adviser {
    provers: Provers,
    seat: Box<dyn Seat>,
}

impl Adviser {
    /// These provers in front of this agent.
    #[must_use]
    pub fn new(provers: Provers, seat: Box<dyn Seat>) -> Adviser {
        Adviser { provers, seat }
    }

    /// What the provers know within the limit of a request.
    #[must_use]
    pub fn proof(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Option<Exact> {
        let nodes = limit.nodes.or(limit.visits).map(|nodes| nodes.saturating_mul(PROVER_NODES));
        exact(&self.provers, line, &Limit { nodes, depth: None, visits: None, ..*limit }, stop).ok()
    }

    /// Thinks about a position of which `known` is proven, or nothing.
    pub(crate) fn think_with(
        &mut self,
        line: &dyn AnyLine,
        known: Option<&Exact>,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError> {
        let began = limit.start();
        let mut last = Report::default();
        let Some(known) = known else {
            let choice = self.seat.think(line, limit, stop, &mut |report| {
                last = report.clone();
                progress(report);
            })?;
            let Some(value) = choice.known.filter(|_| !last.roots.is_empty()) else { return Ok(choice) };
            // The agent has found a proof itself: what it has reported on the way may not agree with it.
            let moves = vec![(choice.mv.clone(), value)];
            let known = Exact { value, by: String::new(), moves, complete: false, all_best: false };
            progress(&agreeing(last, &known, &choice.line, choice.elapsed));
            return Ok(choice);
        };
        let order = Limit::nodes(ORDER_NODES).smaller(limit);
        let order = if self.seat.accepts(&order).is_ok() { order } else { Limit::default() };
        // The proof stands without the agent, so one that fails changes nothing.
        let preferred = self.seat.think(line, &order, stop, &mut |report| last = report.clone()).ok();
        let best = best_moves(known);
        let among = |mv: &str| best.contains(&mv);
        let preferred = preferred.map(|choice| choice.mv).filter(|mv| among(mv));
        let listed = || last.roots.iter().map(|root| &root.mv).find(|mv| among(mv)).cloned();
        let first = || best.first().map(|mv| (*mv).to_owned());
        let Some(mv) = preferred.or_else(listed).or_else(first) else {
            return Err(Fault("the game is over; there is nothing to choose.".into()).into());
        };
        let pv = self.continued(line, mv.clone(), known.value, &limit.after(&began), stop);
        let (nodes, depth) = (last.nodes, known.value.plies.unwrap_or(pv.len() as u32));
        let report = agreeing(last, known, &pv, began.elapsed());
        progress(&Report { depth, ..report });
        let (chances, elapsed) = (Some(chances(known.value.proof)), began.elapsed());
        let value = share(known.value.proof);
        Ok(Choice { mv, value, known: Some(known.value), chances, line: pv, nodes, depth, elapsed })
    }

    /// The line that follows from a move by proofs, as long as there are some with distances: those become easier towards the end.
    fn continued(&self, line: &dyn AnyLine, mv: String, value: Value, limit: &Limit, stop: &Stop) -> Vec<String> {
        let began = limit.start();
        let (mut line, mut moves) = (line.boxed_clone(), vec![mv]);
        let length = value.plies.map_or(1, |plies| LONGEST_LINE.min(plies as usize));
        while line.try_play(&moves[moves.len() - 1]).is_ok() && moves.len() < length && !stop.stopped() {
            let Some(known) = self.proof(&*line, &limit.after(&began), stop) else { break };
            let Some(next) = best_moves(&known).first().map(|mv| (*mv).to_owned()) else { break };
            moves.push(next);
        }
        moves
    }
}

/// The moves that are as good as the best of those that are known.
fn best_moves(known: &Exact) -> Vec<&str> {
    let merit = known.moves.iter().map(|(_, value)| value.merit()).max();
    known.moves.iter().filter(|(_, value)| Some(value.merit()) == merit).map(|(mv, _)| mv.as_str()).collect()
}

/// An agent's report without what a proof contradicts: the moves with their proven values, the best first.
fn agreeing(last: Report<String>, known: &Exact, line: &[String], elapsed: Duration) -> Report<String> {
    let worth = share(known.value.proof);
    let mut roots = last.roots;
    for (mv, _) in &known.moves {
        if roots.iter().all(|root| root.mv != *mv) {
            roots.push(RootMove::valued(mv.clone(), worth));
        }
    }
    for root in &mut roots {
        let listed = known.moves.iter().find(|(mv, _)| *mv == root.mv).map(|(_, value)| *value);
        // All moves of a lost position lose.
        root.known = listed.or((known.value.proof == Proof::Loss).then(|| Proof::Loss.into()));
        root.value = root.known.map_or(root.value.clamp(0.0, worth), |value| share(value.proof));
    }
    let merit = |root: &RootMove<String>| root.known.map(Value::merit);
    let rank = |root: &RootMove<String>| match root.known {
        Some(value) if value.proof >= known.value.proof => 2,
        None => 1,
        Some(_) => 0,
    };
    roots.sort_by(|a, b| {
        let chosen = |root: &RootMove<String>| line.first() == Some(&root.mv);
        (chosen(b), rank(b), merit(b), b.visits).cmp(&(chosen(a), rank(a), merit(a), a.visits))
    });
    Report { value: Some(worth), line: line.to_vec(), roots, elapsed, tree: Vec::new(), now: Vec::new(), ..last }
}

/// A proven result as a share of a win.
pub(crate) fn share(proof: Proof) -> f64 {
    let [win, draw] = chances(proof);
    win + draw / 2.0
}

/// A proven result as shares of wins and draws.
pub(crate) fn chances(proof: Proof) -> [f64; 2] {
    [Proof::Win, Proof::Draw].map(|of| f64::from(u8::from(of == proof)))
}

impl Seat for Adviser {
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError> {
        let known = if line.end().is_none() { self.proof(line, limit, stop) } else { None };
        self.think_with(line, known.as_ref(), limit, stop, progress)
    }

    fn watch_closely(&mut self, every: Duration) {
        self.seat.watch_closely(every);
    }

    fn accepts(&self, limit: &Limit) -> Result<(), Fault> {
        self.seat.accepts(limit)
    }

    fn is_outside(&self) -> bool {
        self.seat.is_outside()
    }

    fn memory(&self) -> usize {
        self.seat.memory()
    }

    fn trace(&mut self, line: &dyn AnyLine, limit: &Limit, stop: &Stop, most: usize) -> Result<Trace, ThinkError> {
        self.seat.trace(line, limit, stop, most)
    }
}
