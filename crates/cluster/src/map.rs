//! A map of first pegs as a job, and the solving of one of them by a worker.

use std::collections::HashMap;
use std::ops::ControlFlow;

use quintet_game::bits::mix;
use quintet_game::twixt::{Move, Twixt};
use quintet_game::{AnyGame, Game as _, GameSpec, Limit, Notation as _, Proof, Value};
use quintet_solve::Halt;
use quintet_solve::twixt::{Cell, FirstPeg, FirstPegs, Solver};

use crate::job::Job;
use crate::message::{LONGEST, MapPlan, Outcome, SolvedPeg, Unit, UnitPeg, Work};

/// One first peg in this many is solved again.
const AGAIN: u64 = 5;

/// The first pegs of a board that are not known.
pub(crate) struct Map<'a, const W: usize, const B: usize> {
    run: &'a str,
    pegs: &'a mut FirstPegs<W, B>,
    /// Those that were asked for, by the ids of their units.
    asked: HashMap<String, FirstPeg>,
    done: u64,
    heard: &'a mut dyn FnMut(Move, Option<Value>, u64),
}

impl<'a, const W: usize, const B: usize> Map<'a, W, B> {
    pub fn new(
        run: &'a str,
        pegs: &'a mut FirstPegs<W, B>,
        heard: &'a mut dyn FnMut(Move, Option<Value>, u64),
    ) -> Map<'a, W, B> {
        Map { run, pegs, asked: HashMap::new(), done: 0, heard }
    }
}

/// The first peg of a unit.
fn peg(unit: &Unit) -> Result<&UnitPeg, String> {
    match &unit.work {
        Work::Peg(peg) => Ok(peg),
        Work::Games(_) => Err("it has games, and a first peg was asked for".into()),
    }
}

fn solved(outcome: &Outcome) -> Result<&SolvedPeg, String> {
    match outcome {
        Outcome::Solved(solved) => Ok(solved),
        _ => Err("it is not the value of a first peg".into()),
    }
}

impl<const W: usize, const B: usize> Job for Map<'_, W, B> {
    fn next(&mut self, _hands: usize) -> Option<Unit> {
        let peg = self.pegs.ask()?;
        let work = Work::Peg(UnitPeg { hole: self.pegs.game().write_move(peg.mv), nodes: peg.nodes });
        let unit = Unit { run: self.run.to_owned(), work, seconds: LONGEST, again: None };
        self.asked.insert(unit.id(), peg);
        Some(unit)
    }

    /// A win or a loss comes at a ply of the winner's, on a board that has enough holes; and nothing is given up before its positions are spent.
    fn check(&self, unit: &Unit, outcome: &Outcome) -> Result<(), String> {
        let (peg, solved) = (peg(unit)?, solved(outcome)?);
        let holes = (self.pegs.game().size() * self.pegs.game().size()) as u32;
        let may_be = match solved.read()? {
            Some(Value { proof: Proof::Draw, .. }) => true,
            Some(Value { proof, plies }) => {
                let odd = u32::from(proof == Proof::Win);
                plies.is_some_and(|plies| (1..=holes).contains(&plies) && plies % 2 == odd)
            }
            None => solved.nodes == peg.nodes,
        };
        if may_be && solved.nodes <= peg.nodes {
            return Ok(());
        }
        Err(format!(
            "{} cannot be what the first peg {} gives after at most {} positions",
            solved.value, peg.hole, peg.nodes
        ))
    }

    fn count(&mut self, unit: &Unit, outcome: Outcome, _worker: &str, _ms: u64) -> ControlFlow<()> {
        if let (Ok(solved), Some(peg)) = (solved(&outcome), self.asked.remove(&unit.id())) {
            let value = solved.read().unwrap_or_default();
            if let Some(nodes) = self.pegs.answer(peg, value, solved.nodes) {
                self.done += 1;
                (self.heard)(peg.mv, value, nodes);
            }
        }
        ControlFlow::Continue(())
    }

    fn again(&self, unit: &Unit, outcome: &Outcome, worker: &str) -> Option<(Unit, Vec<String>)> {
        let (solved, (x, y)) = (solved(outcome).ok()?, self.asked.get(&unit.id())?.mv.hole()?);
        let is_known = solved.read().ok()?.is_some();
        let chosen = is_known && mix((x + y * self.pegs.game().size()) as u64).is_multiple_of(AGAIN);
        chosen.then(|| (Unit { again: Some(worker.to_owned()), ..unit.clone() }, vec![solved.value.clone()]))
    }

    /// Of a map to which somebody has lied nothing is known.
    fn compare(&mut self, first: &str, expected: &[String], second: &str, outcome: &Outcome) -> Option<String> {
        let (expected, solved) = (expected.first()?, solved(outcome).ok()?);
        let found = &solved.value;
        if expected == found || solved.read() == Ok(None) {
            return None;
        }
        self.pegs.forget();
        Some(format!(
            "a first peg was solved again and came out differently: one of two workers is not to be trusted. {first} sent {expected}; {second} sent {found}. \
             Find out which of them is wrong and end it, then solve the board again"
        ))
    }

    fn done(&self) -> u64 {
        self.done
    }

    fn name(&self, unit: &Unit) -> String {
        format!("the first peg {}", peg(unit).map_or("", |peg| &peg.hole))
    }

    fn missing(&self, aside: &[(Unit, String)], first: &Unit, why: &str) -> String {
        let (count, first) = (aside.len(), self.name(first));
        format!("{count} first pegs are not known, since no worker could solve them; {first}: {why}")
    }
}

/// Solves a first peg, with memory of its own, so that the answer depends on nothing else.
pub(crate) fn solve(spec: &GameSpec, plan: &MapPlan, peg: &UnitPeg, halt: Halt) -> Result<SolvedPeg, String> {
    let bytes = (plan.memory << 20) as usize;
    match spec.rules() {
        AnyGame::Twixt8(game) => solve_on(&game, bytes, peg, halt),
        AnyGame::Twixt12(game) => solve_on(&game, bytes, peg, halt),
        AnyGame::Twixt24(game) => solve_on(&game, bytes, peg, halt),
        AnyGame::TwixtPencil(game) => solve_on(&game, bytes, peg, halt),
        _ => Err("there is no such map".into()),
    }
}

fn solve_on<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    bytes: usize,
    peg: &UnitPeg,
    halt: Halt,
) -> Result<SolvedPeg, String> {
    let game = game.without_swap();
    let start = game.start();
    let mv = game.read_move(&peg.hole).map_err(|why| why.to_string())?;
    game.check(&start, mv).map_err(|why| why.to_string())?;
    let (value, nodes) = Solver::new(&game, bytes).value_of(&game, &start, mv, &Limit::nodes(peg.nodes), halt);
    Ok(SolvedPeg { value: value.map_or(Cell::Unknown, Cell::Known).to_string(), nodes })
}

#[cfg(test)]
mod tests {
    use quintet_game::twixt::Swap;
    use quintet_solve::twixt::{openings, published_map};

    use super::*;

    const RUN: &str = "0123456789abcdef0123456789abcdef";

    fn plan(game: &str) -> (GameSpec, MapPlan) {
        (GameSpec::parse(game).unwrap(), MapPlan { game: game.into(), memory: 1 })
    }

    /// Solves a map unit by unit, the last that waits first.
    fn map_of<const W: usize, const B: usize>(spec: &str, game: &Twixt<W, B>) -> (FirstPegs<W, B>, u64) {
        let (mut pegs, (spec, plan), mut heard) = (FirstPegs::new(game, u64::MAX), plan(spec), 0);
        let mut hear = |_, value: Option<Value>, _| heard += u64::from(value.is_some());
        let mut map = Map::new(RUN, &mut pegs, &mut hear);
        let mut units: Vec<Unit> = std::iter::from_fn(|| map.next(1)).collect();
        while let Some(unit) = units.pop() {
            let outcome = Outcome::Solved(solve(&spec, &plan, peg(&unit).unwrap(), &|| false).unwrap());
            map.check(&unit, &outcome).unwrap();
            assert!(map.count(&unit, outcome, "a", 1).is_continue());
            units.extend(map.next(1));
        }
        (pegs, heard)
    }

    #[test]
    fn units_make_the_map_of_one_process() {
        let game = Twixt::<16, 1>::new(6, true, Swap::Mirror);
        let (pegs, heard) = map_of("twixt(size=6,rules=paper)", &game);
        assert_eq!(heard, pegs.distinct() as u64);
        assert_eq!(*pegs.map(), openings(&game, 2, 1 << 20, u64::MAX, &|| false, &|_, _, _| {}));
        assert_eq!(Some(pegs.map()), published_map(&game));
    }

    /// A peg that takes more positions than its unit may search comes again with more.
    #[test]
    fn a_unit_is_bounded() {
        let (spec, plan) = plan("twixt(size=7)");
        let few = |nodes| solve(&spec, &plan, &UnitPeg { hole: "d4".into(), nodes }, &|| false).unwrap();
        assert_eq!(few(10), SolvedPeg { value: "?".into(), nodes: 10 });
        assert_eq!(few(1 << 20).value, "+11");
        let game = Twixt::<16, 1>::new(7, false, Swap::Mirror);
        let mut pegs = FirstPegs::new(&game, u64::MAX);
        let mut hear = |_, _, _| panic!("nothing is known");
        let mut map = Map::new(RUN, &mut pegs, &mut hear);
        let units: Vec<Unit> = std::iter::from_fn(|| map.next(1)).collect();
        assert_eq!(units[0].id(), "d4-1048576");
        let spent = Outcome::Solved(SolvedPeg { value: "?".into(), nodes: 1 << 20 });
        assert!(map.check(&units[0], &spent).is_ok() && map.again(&units[0], &spent, "a").is_none());
        assert!(map.count(&units[0], spent, "a", 1).is_continue());
        assert_eq!((map.next(1).unwrap().id(), map.next(1), map.done()), ("d4-4194304".into(), None, 0));
    }

    #[test]
    fn only_what_can_be_is_taken() {
        let game = Twixt::<16, 1>::new(6, false, Swap::Mirror);
        let (mut pegs, mut hear) = (FirstPegs::new(&game, u64::MAX), |_, _, _| ());
        let mut map = Map::new(RUN, &mut pegs, &mut hear);
        let unit = map.next(1).unwrap();
        let check = |value: &str, nodes| map.check(&unit, &Outcome::Solved(SolvedPeg { value: value.into(), nodes }));
        assert!(["+9", "=", "-10"].iter().all(|value| check(value, 7).is_ok()) && check("?", 1 << 20).is_ok());
        for (value, nodes) in [("+8", 7), ("-9", 7), ("+37", 7), ("-0", 7), ("?", 7), (".", 7), ("=", (1 << 20) + 1)] {
            assert!(check(value, nodes).is_err(), "{value} after {nodes}");
        }
        assert!(map.check(&unit, &Outcome::Played(Vec::new())).is_err());
        let (spec, plan) = plan("twixt(size=6)");
        for hole in ["z9", "swap", "a1"] {
            assert!(solve(&spec, &plan, &UnitPeg { hole: hole.into(), nodes: 9 }, &|| false).is_err(), "{hole}");
        }
    }

    #[test]
    fn some_are_solved_again_and_compared() {
        let game = Twixt::<16, 1>::new(8, false, Swap::Off);
        let (mut pegs, mut hear) = (FirstPegs::new(&game, u64::MAX), |_, _, _| ());
        let mut map = Map::new(RUN, &mut pegs, &mut hear);
        let units: Vec<Unit> = std::iter::from_fn(|| map.next(1)).collect();
        let found = Outcome::Solved(SolvedPeg { value: "+9".into(), nodes: 7 });
        let again: Vec<_> = units.iter().filter_map(|unit| map.again(unit, &found, "a")).collect();
        assert!((1..units.len() / 2).contains(&again.len()), "{} of {}", again.len(), units.len());
        let (unit, expected) = &again[0];
        assert!(unit.id().ends_with("-again") && unit.again.as_deref() == Some("a"));
        assert_eq!(map.compare("a", expected, "b", &found), None);
        let other = Outcome::Solved(SolvedPeg { value: "-10".into(), nodes: 7 });
        let said = map.compare("a", expected, "b", &other).unwrap();
        assert!(said.contains("a sent +9; b sent -10"), "{said}");
        assert!(map.count(&units[0], found.clone(), "a", 1).is_continue() && map.pegs.map().value().is_none());
        assert!(map.compare("a", expected, "b", &other).is_some());
        assert!(map.pegs.map().holes().all(|(x, y)| map.pegs.map().cell(x, y) == Cell::Unknown));
    }
}
