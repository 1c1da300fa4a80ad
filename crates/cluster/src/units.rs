//! Units of work: pairs of games, and how many of them.

use std::iter::{Fuse, Peekable};

use quintet_agent::Catalogue;
use quintet_arena::{Fixture, Openings, Plan};
use quintet_game::GameSpec;

use crate::message::{LONGEST, MOST_PAIRS, Unit, UnitGame, Work};

/// Units of shorter pairs hold several, so that they take at least about this many seconds.
const LEAST: f64 = 0.2;

/// Cuts the missing games of a plan into units.
pub(crate) struct Units<'a> {
    run: &'a str,
    plan: &'a Plan,
    openings: &'a Openings,
    missing: Peekable<Fuse<&'a mut (dyn Iterator<Item = Fixture> + Send)>>,
    /// The mean seconds of a pair, as measured.
    pair: Option<f64>,
}

impl<'a> Units<'a> {
    pub fn new(
        run: &'a str,
        plan: &'a Plan,
        openings: &'a Openings,
        missing: &'a mut (dyn Iterator<Item = Fixture> + Send),
    ) -> Units<'a> {
        Units { run, plan, openings, missing: missing.fuse().peekable(), pair: None }
    }

    /// Hears how long a unit took.
    pub fn measured(&mut self, games: usize, ms: u64) {
        let pair = 2e-3 * ms as f64 / games.max(1) as f64;
        self.pair = Some(self.pair.map_or(pair, |mean| 0.9 * mean + 0.1 * pair));
    }

    /// Both games of the next pair; one, if the other is there already or there is none.
    fn pair(&mut self) -> Option<Vec<Fixture>> {
        let first = self.missing.next()?;
        let is_twin = |other: &Fixture| {
            other.number == first.number + 1
                && other.opening == first.opening
                && other.seats == [first.seats[1], first.seats[0]]
        };
        Some(std::iter::once(first).chain(self.missing.next_if(is_twin)).collect())
    }

    /// The next unit.
    pub fn next(&mut self) -> Option<Unit> {
        let pairs = self.pair.map_or(1, |pair| (LEAST / pair.max(1e-6)).ceil() as usize).clamp(1, MOST_PAIRS);
        let fixtures: Vec<Fixture> = (0..pairs).map_while(|_| self.pair()).flatten().collect();
        if fixtures.is_empty() {
            return None;
        }
        let game = |fixture: &Fixture| UnitGame { number: fixture.number, opening: self.openings.get(fixture.opening) };
        let games: Vec<UnitGame> = fixtures.iter().map(game).collect();
        let seconds = self.seconds(games.len());
        Some(Unit { run: self.run.to_owned(), work: Work::Games(games), seconds, again: None })
    }

    /// How long some games may take at most: twice their time, if the plan says one. Agents may have limits of their own.
    fn seconds(&self, games: usize) -> u32 {
        let Some(time) = self.plan.budget.time else { return LONGEST };
        let most = 2.0 * time.as_secs_f64() * f64::from(self.plan.max_plies) * games as f64;
        ((most as u32).saturating_add(60)).min(LONGEST)
    }
}

/// Does the plan give the same games wherever it is played? Not if somebody looks at a clock, searches with several threads, or is another program.
pub(crate) fn is_repeatable(plan: &Plan, spec: &GameSpec, agents: &Catalogue) -> bool {
    plan.players.iter().all(|player| match agents.seat(spec, &player.agent, 0) {
        Ok(seat) => seat.is_repeatable(&plan.limit()),
        // It cannot play this variant, and loses its games everywhere.
        Err(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use quintet_arena::Length;
    use quintet_game::Limit;

    use super::*;

    #[test]
    fn pairs_stay_together_and_short_ones_are_batched() {
        let plan = Plan::duel("pylos", ["random", "random"], Length::Games(201)).unwrap();
        let openings = Openings::new(GameSpec::parse("pylos").unwrap(), 0, 1);
        // Game 3 is there already.
        let mut missing = plan.fixtures().filter(|fixture| fixture.number != 3);
        let mut units = Units::new("r", &plan, &openings, &mut missing);
        let numbers = |unit: Option<Unit>| -> Vec<u64> {
            unit.map(|unit| unit.games().iter().map(|game| game.number).collect()).unwrap_or_default()
        };
        assert_eq!(numbers(units.next()), [0, 1]);
        assert_eq!(numbers(units.next()), [2]);
        units.measured(2, 50);
        assert_eq!(numbers(units.next()), [4, 5, 6, 7, 8, 9, 10, 11]);
        units.measured(2, 0);
        let rest: Vec<Vec<u64>> =
            std::iter::from_fn(|| Some(numbers(units.next())).filter(|n| !n.is_empty())).collect();
        assert!(rest.iter().all(|games| games.len() <= 2 * MOST_PAIRS));
        assert_eq!(rest.concat(), (12..201).collect::<Vec<u64>>());
    }

    #[test]
    fn units_without_a_budget_of_time_may_take_long() {
        let plan = Plan::duel("pylos", ["mcts(time=1h)", "random"], Length::Games(4)).unwrap();
        let timed = Plan { budget: Limit::time(Duration::from_secs(1)), ..plan.clone() };
        for (plan, seconds) in [(&plan, LONGEST), (&timed, 2 * 2 * timed.max_plies + 60)] {
            let openings = Openings::new(GameSpec::parse("pylos").unwrap(), 0, 1);
            let mut missing = plan.fixtures();
            assert_eq!(Units::new("r", plan, &openings, &mut missing).next().unwrap().seconds, seconds);
        }
    }

    /// A word in a spec decides nothing, and a limit that an agent ignores leaves it its second by the clock.
    #[test]
    fn only_what_comes_out_the_same_is_played_again() {
        let spec = GameSpec::parse("pylos").unwrap();
        let repeatable = |agents: [&str; 2], budget: Limit| {
            let plan = Plan { budget, ..Plan::duel("pylos", agents, Length::Games(2)).unwrap() };
            is_repeatable(&plan, &spec, Catalogue::embedded())
        };
        assert!(repeatable(["mcts(visits=5)", "random"], Limit::default()));
        assert!(repeatable(["pvs(eval=height)", "mcts"], Limit::nodes(100)));
        assert!(repeatable(["pvs(eval=no-such)", "random"], Limit::default()), "it forfeits everywhere");
        for agent in ["pvs(eval=height)", "pvs(eval=height,ties=random)", "best-first(eval=height,order=random)"] {
            assert!(!repeatable([agent, "random"], Limit::visits(100)), "{agent}");
        }
        assert!(!repeatable(["mcts", "random"], Limit::time(Duration::from_secs(1))));
        assert!(!repeatable(["ugi(cmd=\"x\")", "random"], Limit::nodes(100)));
    }
}
