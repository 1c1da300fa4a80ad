//! One game: the arbiter owns the rules and checks what agents do.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use quintet_agent::{Catalogue, Seat, ThinkError};
use quintet_eval::SpecError;
use quintet_game::clock::{ClockKind, Stopwatch};
use quintet_game::record::Record;
use quintet_game::text::quote;
use quintet_game::{AnyLine, EndReason, Forfeit, GameSpec, Limit, Outcome, Player, Stop};
use quintet_search::Choice;
use serde::{Deserialize, Serialize};

use crate::adjudication::{Adjudication, Opinions};
use crate::plan::{Fixture, Plan};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its place in the plan.
    pub number: u64,
    /// The players who moved first and second.
    pub seats: [usize; 2],
    /// How it ended; none if it was given up.
    #[serde(with = "quintet_game::serde_result")]
    pub result: Option<Outcome>,
    /// Why it ended.
    pub reason: EndReason,
    /// What the loser did wrong, as a sentence, if it was forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Plies, including the opening.
    pub plies: usize,
    /// The canonical record: the same for the same plan, whatever the machine.
    pub record: String,
    /// Kept apart from the record, since it is never the same twice.
    pub cost: Cost,
    /// The worker that played it, if it was not played here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}

/// What a game took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Milliseconds of thought of each seat.
    pub ms: [f64; 2],
    /// Positions looked at by each seat.
    pub nodes: [u64; 2],
    /// Moves that took longer than the budget.
    pub overruns: u32,
    /// The longest overrun in milliseconds.
    pub worst_overrun_ms: f64,
}

impl Played {
    /// The outcome; a game that was given up counts as a draw.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.result.unwrap_or(Outcome::Draw)
    }

    /// Half points of the first seat: 2 for a win, 1 for a draw.
    #[must_use]
    pub fn first_half_points(&self) -> u32 {
        match self.outcome() {
            Outcome::Win(Player::First) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Player::Second) => 0,
        }
    }

    /// Whether it was lost by a fault, not by the rules.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.reason.is_forfeit()
    }

    /// Whether it was lost before it began, since an engine did not start: that says something about the machine, and nothing about its player.
    #[must_use]
    pub fn never_started(&self) -> bool {
        self.reason == EndReason::Forfeit(Forfeit::NotStarted)
    }

    /// Who lost it by a fault: one of its players, or both if neither could play.
    pub fn forfeiters(&self) -> impl Iterator<Item = usize> {
        let at_fault = match self.outcome() {
            _ if !self.is_forfeit() => [false, false],
            Outcome::Win(winner) => [Player::First, Player::Second].map(|player| player != winner),
            Outcome::Draw => [true, true],
        };
        self.seats.into_iter().zip(at_fault).filter_map(|(player, at_fault)| at_fault.then_some(player))
    }
}

/// Time above the budget after which a move of our own agents loses: processor time, since a busy machine is not their fault. They overrun by a few milliseconds; this
/// catches one that hangs.
const GRACE: Duration = Duration::from_secs(2);

/// Plays one game of a plan. Whatever an agent does, there is a result.
///
/// # Errors
/// When an agent cannot be built.
pub fn play(
    plan: &Plan,
    spec: &GameSpec,
    agents: &Catalogue,
    fixture: &Fixture,
    opening: &[String],
) -> Result<Played, SpecError> {
    Arbiter::new(plan, spec, agents).play(fixture, opening)
}

/// Plays games of a plan, one after the other. The players of the last game stay if they can play another: outside engines need not be started again.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Arbiter, Length, Plan};
/// use quintet_game::GameSpec;
/// let plan = Plan::duel("pylos", ["random", "random"], Length::Games(2)).unwrap();
/// let spec = GameSpec::parse(&plan.game).unwrap();
/// let mut arbiter = Arbiter::new(&plan, &spec, Catalogue::embedded());
/// let played = arbiter.play(&plan.fixture(1).unwrap(), &[]).unwrap();
/// assert_eq!((played.number, played.seats), (1, [1, 0]));
/// ```
pub struct Arbiter<'a> {
    plan: &'a Plan,
    spec: &'a GameSpec,
    agents: &'a Catalogue,
    last: Vec<(usize, Box<dyn Seat>)>,
    stop: Stop,
    cores: Option<usize>,
}

impl<'a> Arbiter<'a> {
    /// For the games of a plan.
    #[must_use]
    pub fn new(plan: &'a Plan, spec: &'a GameSpec, agents: &'a Catalogue) -> Arbiter<'a> {
        Arbiter { plan, spec, agents, last: Vec::new(), stop: Stop::never(), cores: None }
    }

    /// The same for one of several games at once, whose agents take at most this many cores each.
    #[must_use]
    pub fn with_cores(self, cores: usize) -> Arbiter<'a> {
        Arbiter { cores: Some(cores), ..self }
    }

    /// The same, with a flag that ends a game in play. Such a game is worth nothing: whoever sets the flag throws it away.
    #[must_use]
    pub fn until(self, stop: Stop) -> Arbiter<'a> {
        Arbiter { stop, ..self }
    }

    /// The player of a seat, of the last game or new.
    fn seat(&mut self, fixture: &Fixture, seat: usize) -> Result<Box<dyn Seat>, SpecError> {
        let (player, seed) = (fixture.seats[seat], self.plan.seed_of(fixture, seat));
        if let Some(at) = self.last.iter().position(|(of, _)| *of == player) {
            let mut seat = self.last.swap_remove(at).1;
            if seat.new_game(seed) {
                return Ok(seat);
            }
        }
        self.agents.seat(self.spec, &self.plan.players[player].agent, seed)
    }

    /// Plays one game.
    ///
    /// # Errors
    /// When an agent cannot be built.
    pub fn play(&mut self, fixture: &Fixture, opening: &[String]) -> Result<Played, SpecError> {
        let mut line = self.spec.line();
        for mv in opening {
            // Openings are made by the rules; a refused move is skipped and nobody loses by it.
            let _ = line.try_play(mv);
        }
        let [first, second] = [0, 1].map(|seat| self.seat(fixture, seat));
        let game = match (first, second) {
            (Ok(first), Ok(second)) => {
                let mut seats = [first, second];
                let game = judge(line, &mut seats, &Terms::of(self.plan, self.cores), &self.stop);
                self.last = fixture.seats.into_iter().zip(seats).collect();
                game
            }
            (Err(why), other) if self.plan.is_open_to(&why) => {
                // Where neither can play, nobody is the better one.
                let outcome = if other.is_ok() { Outcome::Win(Player::Second) } else { Outcome::Draw };
                cannot_play(line, outcome, &why)
            }
            (Ok(_), Err(why)) if self.plan.is_open_to(&why) => cannot_play(line, Outcome::Win(Player::First), &why),
            (Err(why), _) | (_, Err(why)) => return Err(why),
        };
        let names = fixture.seats.map(|player| self.plan.players[player].name.as_str());
        let mut record = Record::of(&*game.line, names, Some(self.plan.seed));
        (record.result, record.reason) = (Some(game.outcome), Some(game.reason.clone()));
        Ok(Played {
            number: fixture.number,
            seats: fixture.seats,
            result: Some(game.outcome),
            reason: game.reason,
            fault: game.fault,
            plies: game.line.plies(),
            record: record.to_string(),
            cost: game.cost,
            worker: None,
        })
    }
}

fn cannot_play(line: Box<dyn AnyLine>, outcome: Outcome, why: &SpecError) -> Refereed {
    let (reason, fault) = (EndReason::Forfeit(Forfeit::CannotPlay), Some(why.to_string()));
    Refereed { line, outcome, reason, fault, cost: Cost::default() }
}

/// A game that has been played to its end.
#[derive(Debug)]
pub struct Refereed {
    /// The game.
    pub line: Box<dyn AnyLine>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why.
    pub reason: EndReason,
    /// What the loser did wrong, as a sentence, if it was forfeited.
    pub fault: Option<String>,
    /// What it took.
    pub cost: Cost,
}

/// Lets two agents play a game in progress to its end, within a limit per move; after `max_plies` plies it is a draw. Whatever an agent
/// does, there is a result: one that fails, hangs or plays an illegal move loses.
///
/// ```
/// use quintet_agent::seat;
/// use quintet_arena::referee;
/// use quintet_game::{GameSpec, Limit};
/// let spec = GameSpec::parse("twixt(size=6)").unwrap();
/// let seats = [seat(&spec, "mcts", 1).unwrap(), seat(&spec, "random", 2).unwrap()];
/// let game = referee(spec.line(), seats, &Limit::visits(50), 400);
/// assert_eq!(game.line.end().map(|(outcome, _)| outcome), Some(game.outcome));
/// ```
#[must_use]
pub fn referee(line: Box<dyn AnyLine>, mut seats: [Box<dyn Seat>; 2], limit: &Limit, max_plies: u32) -> Refereed {
    judge(line, &mut seats, &Terms { limit: *limit, max_plies, adjudicate: &[] }, &Stop::never())
}

/// What is agreed for a game.
struct Terms<'a> {
    limit: Limit,
    max_plies: u32,
    adjudicate: &'a [Adjudication],
}

impl<'a> Terms<'a> {
    fn of(plan: &'a Plan, cores: Option<usize>) -> Terms<'a> {
        Terms { limit: Limit { cores, ..plan.limit() }, max_plies: plan.max_plies, adjudicate: &plan.adjudicate }
    }
}

fn judge(mut line: Box<dyn AnyLine>, seats: &mut [Box<dyn Seat>; 2], terms: &Terms, stop: &Stop) -> Refereed {
    let (mut cost, mut opinions, mut fault) = (Cost::default(), Opinions::default(), None);
    let (outcome, reason) = loop {
        if let Some(end) = line.end() {
            break end;
        }
        if line.plies() >= terms.max_plies as usize {
            break (Outcome::Draw, EndReason::Cap);
        }
        if stop.stopped() {
            break (Outcome::Draw, EndReason::Stopped);
        }
        let mover = line.to_move();
        match turn(&mut *line, &mut *seats[mover.index()], &terms.limit, mover, &mut cost, stop) {
            Ok(choice) => {
                let settled = opinions.settle(terms.adjudicate, mover, &choice);
                if let Some(end) = settled.filter(|_| line.end().is_none()) {
                    break end;
                }
            }
            Err(Lost::Resigned) => break (Outcome::Win(mover.other()), EndReason::Resigned),
            Err(Lost::Forfeit(why, said)) => {
                fault = Some(said);
                break (Outcome::Win(mover.other()), EndReason::Forfeit(why));
            }
        }
    };
    Refereed { line, outcome, reason, fault, cost }
}

/// Why the mover loses without a move.
enum Lost {
    Resigned,
    /// The fault, and what happened.
    Forfeit(Forfeit, String),
}

/// One move, or why the mover loses.
fn turn(
    line: &mut dyn AnyLine,
    seat: &mut dyn Seat,
    limit: &Limit,
    mover: Player,
    cost: &mut Cost,
    stop: &Stop,
) -> Result<Choice<String>, Lost> {
    let outside = seat.is_outside();
    let told = if outside { *limit } else { limit.with_reserve() };
    // An outside engine waits here, whichever clock counts.
    let watch = Stopwatch::start(if outside { ClockKind::Wall } else { limit.clock });
    let work = Stopwatch::start(if outside { ClockKind::Wall } else { ClockKind::Cpu });
    // An agent of ours that panics loses like a program that crashes.
    let choice = catch_unwind(AssertUnwindSafe(|| seat.think(line, &told, stop, &mut |_| {})));
    let (elapsed, worked) = (watch.elapsed(), work.elapsed());
    cost.ms[mover.index()] += elapsed.as_secs_f64() * 1e3;
    if let Some(time) = limit.time.filter(|time| elapsed > *time) {
        cost.overruns += 1;
        cost.worst_overrun_ms = cost.worst_overrun_ms.max((elapsed - time).as_secs_f64() * 1e3);
        if worked > time + GRACE {
            let said = format!("it thought for {:.2} s, and had {:.2} s.", worked.as_secs_f64(), time.as_secs_f64());
            return Err(Lost::Forfeit(Forfeit::TimeOut, said));
        }
    }
    let choice = match choice {
        Ok(Ok(choice)) => choice,
        Ok(Err(ThinkError::Resigned)) => return Err(Lost::Resigned),
        Ok(Err(ThinkError::Engine { reason, detail })) => return Err(Lost::Forfeit(reason, detail)),
        Ok(Err(error @ (ThinkError::Refused(_) | ThinkError::Failed(_) | ThinkError::NoSteps))) => {
            return Err(Lost::Forfeit(Forfeit::RefusedToPlay, error.to_string()));
        }
        Err(panic) => {
            return Err(Lost::Forfeit(Forfeit::Crash, format!("it panicked: {}", quote(panic_text(&*panic), 200))));
        }
    };
    cost.nodes[mover.index()] += choice.nodes;
    match line.try_play(&choice.mv) {
        Ok(_) => Ok(choice),
        Err(error) => Err(Lost::Forfeit(Forfeit::IllegalMove, error.to_string())),
    }
}

/// What a caught panic said.
///
/// ```
/// let panic = std::panic::catch_unwind(|| panic!("no move {}", 7)).unwrap_err();
/// assert_eq!(quintet_arena::panic_text(&*panic), "no move 7");
/// ```
#[must_use]
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it did not say why")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use quintet_game::notation::Fault;
    use quintet_search::Report;

    use super::*;

    /// Waits far beyond its time, as an agent of ours does on a machine that has no processor for it.
    struct Starved {
        told: Vec<Duration>,
    }

    impl Seat for Starved {
        fn think(
            &mut self,
            line: &dyn AnyLine,
            limit: &Limit,
            _stop: &Stop,
            _progress: &mut dyn FnMut(&Report<String>),
        ) -> Result<Choice<String>, ThinkError> {
            let time = limit.time.ok_or_else(|| Fault("no time".into()))?;
            self.told.push(time);
            std::thread::sleep(time + GRACE + Duration::from_millis(50));
            Ok(Choice::plain(0, 0.0).map(|at| line.legal_moves().swap_remove(at)))
        }
    }

    #[test]
    fn our_agents_do_not_lose_by_a_busy_machine() {
        let mut line = GameSpec::parse("pylos").unwrap().line();
        let (mut seat, mut cost) = (Starved { told: Vec::new() }, Cost::default());
        let limit = Limit::time(Duration::from_millis(100));
        assert!(turn(&mut *line, &mut seat, &limit, Player::First, &mut cost, &Stop::never()).is_ok());
        assert_eq!((line.plies(), cost.overruns), (1, 1));
        // It is told of less than it has.
        assert_eq!(seat.told, [Duration::from_millis(98)]);
        for (ms, kept) in [(1, 0.5), (10, 1.0), (1000, 20.0), (60_000, 50.0)] {
            let (time, told) = (Duration::from_millis(ms), Limit::time(Duration::from_millis(ms)).with_reserve());
            assert_eq!((time - told.time.unwrap()).as_secs_f64() * 1e3, kept);
        }
    }

    /// Of processor time, what the machine does besides does not count.
    #[test]
    fn a_budget_of_processor_time_is_what_the_search_works() {
        let spec = GameSpec::parse("pylos").unwrap();
        let mut cost = Cost::default();
        let limit = Limit { clock: ClockKind::Cpu, ..Limit::time(Duration::from_millis(200)) };
        let began = Instant::now();
        for agent in ["mcts", "pvs(eval=height)", "puct(threads=2)", "ordered(eval=height)"] {
            let mut seat = quintet_agent::seat(&spec, agent, 1).unwrap();
            assert!(
                turn(&mut *spec.line(), &mut *seat, &limit, Player::First, &mut cost, &Stop::never()).is_ok(),
                "{agent}"
            );
        }
        // Nobody works longer than time passes.
        assert!(cost.ms[0] <= began.elapsed().as_secs_f64() * 1e3 && cost.ms[0] > 0.0);
    }
}
