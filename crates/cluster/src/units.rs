//! Units of work: pairs of games, and how many of them.

use std::iter::{Fuse, Peekable};

use quintet_agent::Catalogue;
use quintet_arena::{Fixture, Missing, Openings, Plan};
use quintet_game::GameSpec;

use crate::message::{LONGEST, MOST_PAIRS, Unit, UnitGame, Work};

/// Units of shorter pairs hold several, so that they take at least about this many seconds.
const LEAST: f64 = 0.2;
/// The last units of a run are smaller, so that everybody has something to play until its end, but no smaller than this.
const LEAST_AT_END: f64 = 0.05;

/// Cuts the missing games of a plan into units.
pub(crate) struct Units<'a> {
    run: &'a str,
    plan: &'a Plan,
    openings: &'a Openings,
    missing: Peekable<Fuse<&'a mut (dyn Iterator<Item = Fixture> + Send)>>,
    /// How many of them are not in a unit yet.
    left: u64,
    /// May two machines play a pair? Not if a clock decides its games.
    divisible: bool,
    /// The mean seconds of a pair, as measured.
    pair: Option<f64>,
}

impl<'a> Units<'a> {
    pub fn new(
        run: &'a str,
        plan: &'a Plan,
        openings: &'a Openings,
        missing: Missing<'a>,
        divisible: bool,
    ) -> Units<'a> {
        let (left, missing) = (missing.count, missing.games.fuse().peekable());
        Units { run, plan, openings, missing, left, divisible, pair: None }
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

    /// The next unit, where this many can be played at once. What is left is shared out in ever smaller units, at last in single games: otherwise all would wait at the
    /// end for whoever has begun a unit last.
    pub fn next(&mut self, hands: usize) -> Option<Unit> {
        let hands = hands.max(1) as u64;
        let pairs_in = |seconds: f64| self.pair.map_or(1, |pair| (seconds / pair.max(1e-6)).ceil() as u64);
        let share = self.left / (4 * hands);
        let pairs = pairs_in(LEAST).min(share).max(pairs_in(LEAST_AT_END)).clamp(1, MOST_PAIRS as u64);
        let fixtures: Vec<Fixture> = if self.divisible && self.left <= 2 * hands && pairs_in(LEAST) == 1 {
            self.missing.next().into_iter().collect()
        } else {
            (0..pairs).map_while(|_| self.pair()).flatten().collect()
        };
        if fixtures.is_empty() {
            return None;
        }
        self.left = self.left.saturating_sub(fixtures.len() as u64);
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

    /// What becomes of the missing games of a plan.
    fn units<T>(plan: &Plan, is_missing: fn(u64) -> bool, divisible: bool, cut: impl FnOnce(&mut Units<'_>) -> T) -> T {
        let openings = Openings::new(GameSpec::parse("pylos").unwrap(), 0, 1);
        let mut games = plan.fixtures().filter(|fixture| is_missing(fixture.number));
        let count = plan.fixtures().filter(|fixture| is_missing(fixture.number)).count() as u64;
        cut(&mut Units::new("r", plan, &openings, Missing { count, games: &mut games }, divisible))
    }

    fn numbers(unit: Option<&Unit>) -> Vec<u64> {
        unit.map(|unit| unit.games().iter().map(|game| game.number).collect()).unwrap_or_default()
    }

    /// All that are left, by their numbers.
    fn rest(units: &mut Units<'_>, hands: usize) -> Vec<Vec<u64>> {
        std::iter::from_fn(|| units.next(hands)).map(|unit| numbers(Some(&unit))).collect()
    }

    #[test]
    fn pairs_stay_together_and_short_ones_are_batched() {
        let plan = Plan::duel("pylos", ["random", "random"], Length::Games(201)).unwrap();
        // Game 3 is there already.
        units(
            &plan,
            |number| number != 3,
            false,
            |units| {
                assert_eq!(numbers(units.next(1).as_ref()), [0, 1]);
                assert_eq!(numbers(units.next(1).as_ref()), [2]);
                units.measured(2, 50);
                assert_eq!(numbers(units.next(1).as_ref()), [4, 5, 6, 7, 8, 9, 10, 11]);
                units.measured(2, 0);
                let rest = rest(units, 1);
                assert!(rest.iter().all(|games| games.len() <= 2 * MOST_PAIRS));
                assert!(
                    rest.iter().all(|games| games[0] % 2 == 0 && (games.len() % 2 == 0 || games.last() == Some(&200)))
                );
                assert_eq!(rest.concat(), (12..201).collect::<Vec<u64>>());
            },
        );
    }

    #[test]
    fn the_last_units_are_smaller() {
        let plan = Plan::duel("pylos", ["random", "random"], Length::Games(1000)).unwrap();
        let sizes = |ms, hands, divisible| {
            units(
                &plan,
                |_| true,
                divisible,
                |units| {
                    units.measured(2, ms);
                    let all = rest(units, hands);
                    assert_eq!(all.concat(), (0..1000).collect::<Vec<u64>>());
                    all.iter().map(Vec::len).collect::<Vec<usize>>()
                },
            )
        };
        // Pairs of a second are played one by one, and the last twice eight games too, unless a clock decides them.
        assert!(sizes(1000, 8, false).iter().all(|size| *size == 2));
        let long = sizes(1000, 8, true);
        assert!(long[..492].iter().all(|size| *size == 2) && long[492..] == [1; 16]);
        // Of pairs of 20 ms ten are put together, and at the end no fewer than three.
        let short = sizes(20, 8, true);
        assert!(short[0] == 20 && short.is_sorted_by(|a, b| a >= b) && short[short.len() - 2] == 6, "{short:?}");
        // Who has more hands gets smaller units.
        assert!(sizes(20, 30, true).len() > short.len());
    }

    #[test]
    fn units_without_a_budget_of_time_may_take_long() {
        let plan = Plan::duel("pylos", ["mcts(time=1h)", "random"], Length::Games(4)).unwrap();
        let timed = Plan { budget: Limit::time(Duration::from_secs(1)), ..plan.clone() };
        for (plan, seconds) in [(&plan, LONGEST), (&timed, 2 * 2 * timed.max_plies + 60)] {
            assert_eq!(units(plan, |_| true, false, |units| units.next(1).unwrap().seconds), seconds);
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
