//! The games of a plan as a job.

use std::ops::ControlFlow;

use quintet_agent::Catalogue;
use quintet_arena::{Missing, Openings, Plan, Played, verify};
use quintet_game::GameSpec;
use quintet_game::bits::mix;

use crate::job::Job;
use crate::message::{Outcome, Unit, Work};
use crate::units::{Units, is_repeatable};

/// One pair of games in this many is played again.
const AGAIN: u64 = 50;

/// The missing games of a plan.
pub(crate) struct Games<'a> {
    plan: &'a Plan,
    spec: GameSpec,
    units: Units<'a>,
    repeatable: bool,
    done: u64,
    finished: &'a mut dyn FnMut(Played) -> ControlFlow<()>,
}

impl<'a> Games<'a> {
    /// This many games are there already; each of the others is given to `finished`.
    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one run")]
    pub fn new(
        run: &'a str,
        plan: &'a Plan,
        spec: GameSpec,
        agents: &Catalogue,
        openings: &'a Openings,
        missing: Missing<'a>,
        done: u64,
        finished: &'a mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Games<'a> {
        let repeatable = is_repeatable(plan, &spec, agents);
        Games { plan, spec, units: Units::new(run, plan, openings, missing, repeatable), repeatable, done, finished }
    }

    fn is_chosen(&self, number: u64) -> bool {
        mix((number / 2) ^ self.plan.seed).is_multiple_of(AGAIN)
    }
}

fn games(outcome: &Outcome) -> &[Played] {
    match outcome {
        Outcome::Played(games) => games,
        _ => &[],
    }
}

impl Job for Games<'_> {
    fn next(&mut self, hands: usize) -> Option<Unit> {
        self.units.next(hands)
    }

    /// The games must be those of the unit, by the rules.
    fn check(&self, unit: &Unit, outcome: &Outcome) -> Result<(), String> {
        let (asked, games) = (unit.games(), games(outcome));
        if games.len() != asked.len() {
            return Err(format!("{} games, and {} were asked for", games.len(), asked.len()));
        }
        for (asked, played) in asked.iter().zip(games) {
            let fixture = self.plan.fixture(asked.number).ok_or("no game of the plan")?;
            verify(self.plan, &self.spec, &fixture, &asked.opening, played)?;
        }
        Ok(())
    }

    fn count(&mut self, _unit: &Unit, outcome: Outcome, worker: &str, ms: u64) -> ControlFlow<()> {
        let Outcome::Played(games) = outcome else { return ControlFlow::Continue(()) };
        self.units.measured(games.len(), ms);
        let mut wanted = ControlFlow::Continue(());
        for played in games {
            self.done += 1;
            if (self.finished)(Played { worker: Some(worker.to_owned()), ..played }).is_break() {
                wanted = ControlFlow::Break(());
            }
        }
        wanted
    }

    fn again(&self, unit: &Unit, outcome: &Outcome, worker: &str) -> Option<(Unit, Vec<String>)> {
        let again = unit.games().iter().filter(|game| self.repeatable && self.is_chosen(game.number));
        let work = Work::Games(again.cloned().collect());
        let again = Unit { work, again: Some(worker.to_owned()), ..unit.clone() };
        let chosen = games(outcome).iter().filter(|played| self.is_chosen(played.number));
        let records = chosen.map(|played| played.record.clone()).collect();
        (!again.games().is_empty()).then_some((again, records))
    }

    fn compare(&mut self, first: &str, records: &[String], second: &str, outcome: &Outcome) -> Option<String> {
        let differs = records.iter().zip(games(outcome)).find(|(record, played)| **record != played.record);
        let (record, played) = differs?;
        Some(format!(
            "the game {} was played again and came out differently, though no clock decides it: one of two workers is not to be trusted. \
             {first} sent {record}; {second} sent {}. Find out which of them is wrong, then go on with: quintet resume RUN --without-worker NAME, which drops its games",
            played.number, played.record
        ))
    }

    fn done(&self) -> u64 {
        self.done
    }

    fn name(&self, unit: &Unit) -> String {
        let numbers: Vec<String> = unit.games().iter().map(|game| game.number.to_string()).collect();
        format!("games {}", numbers.join(", "))
    }

    fn missing(&self, aside: &[(Unit, String)], first: &Unit, why: &str) -> String {
        let count: usize = aside.iter().map(|(unit, _)| unit.games().len()).sum();
        let first = self.name(first);
        format!(
            "{count} games are missing, since no worker could play them, the first of them {first}: {why}. Repair that, then resume the run"
        )
    }
}
