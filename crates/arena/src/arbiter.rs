//! One game: the arbiter owns the rules and checks what agents do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use quintet_agent::{Catalogue, Seat, ThinkError};
use quintet_game::record::Record;
use quintet_game::{AnyLine, GameSpec, Limit, Outcome, Player, Stop};
use serde::{Deserialize, Serialize};

use crate::plan::{Fixture, Plan};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its place in the plan.
    pub number: u64,
    /// The players who moved first and second.
    pub seats: [usize; 2],
    /// `first`, `second` or `draw`.
    pub result: String,
    /// Why it ended: the rules' own word, `cap`, or `forfeit: …`.
    pub reason: String,
    /// Plies, including the opening.
    pub plies: usize,
    /// The canonical record: the same for the same plan, whatever the machine.
    pub record: String,
    /// Kept apart from the record, since it is never the same twice.
    pub cost: Cost,
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
    /// The outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.result.parse().unwrap_or(Outcome::Draw)
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
        self.reason.starts_with(FORFEIT)
    }
}

const FORFEIT: &str = "forfeit: ";

/// Time above the budget after which a move of our own agents loses. They overrun by a few milliseconds; this catches one that hangs.
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
) -> Result<Played, quintet_eval::SpecError> {
    let seat = |i: usize| agents.seat(spec, &plan.players[fixture.seats[i]].agent, plan.seed_of(fixture, i));
    let seats = [seat(0)?, seat(1)?];
    let mut line = spec.line();
    for mv in opening {
        // Openings are made by the rules; a refused move is skipped and nobody loses by it.
        let _ = line.try_play(mv);
    }
    let game = referee(line, seats, &plan.budget, plan.max_plies);
    let names = fixture.seats.map(|player| plan.players[player].name.as_str());
    let mut record = Record::of(&*game.line, names, Some(plan.seed));
    (record.result, record.reason) = (game.outcome.name().to_owned(), game.reason.clone());
    Ok(Played {
        number: fixture.number,
        seats: fixture.seats,
        result: game.outcome.name().to_owned(),
        reason: game.reason,
        plies: game.line.plies(),
        record: record.to_string(),
        cost: game.cost,
    })
}

/// A game that has been played to its end.
#[derive(Debug)]
pub struct Refereed {
    /// The game.
    pub line: Box<dyn AnyLine>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why: the rules' own word, `cap`, or `forfeit: …`.
    pub reason: String,
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
pub fn referee(mut line: Box<dyn AnyLine>, mut seats: [Box<dyn Seat>; 2], limit: &Limit, max_plies: u32) -> Refereed {
    let mut cost = Cost::default();
    let (outcome, reason) = loop {
        if let Some((outcome, reason)) = line.end() {
            break (outcome, reason.to_owned());
        }
        if line.plies() >= max_plies as usize {
            break (Outcome::Draw, "cap".to_owned());
        }
        let mover = line.to_move();
        if let Err(why) = turn(&mut *line, &mut *seats[mover.index()], limit, mover, &mut cost) {
            break (Outcome::Win(mover.other()), format!("{FORFEIT}{why}"));
        }
    };
    Refereed { line, outcome, reason, cost }
}

/// One move, or why the mover loses.
fn turn(
    line: &mut dyn AnyLine,
    seat: &mut dyn Seat,
    limit: &Limit,
    mover: Player,
    cost: &mut Cost,
) -> Result<(), String> {
    let start = Instant::now();
    // An agent of ours that panics loses like a program that crashes.
    let choice = catch_unwind(AssertUnwindSafe(|| seat.think(line, limit, &Stop::never(), &mut |_| {})));
    let elapsed = start.elapsed();
    cost.ms[mover.index()] += elapsed.as_secs_f64() * 1e3;
    if let Some(over) = limit.time.and_then(|time| elapsed.checked_sub(time)).filter(|over| !over.is_zero()) {
        cost.overruns += 1;
        cost.worst_overrun_ms = cost.worst_overrun_ms.max(over.as_secs_f64() * 1e3);
        if over > GRACE {
            return Err("time-out".into());
        }
    }
    let choice = match choice {
        Ok(Ok(choice)) => choice,
        Ok(Err(ThinkError::Engine { reason, .. })) => return Err(reason.name().into()),
        Ok(Err(ThinkError::Refused(_) | ThinkError::Failed(_) | ThinkError::NoSteps)) => {
            return Err("refused to play".into());
        }
        Err(_) => return Err("crash".into()),
    };
    cost.nodes[mover.index()] += choice.nodes;
    line.try_play(&choice.mv).map(|_| ()).map_err(|_| "illegal-move".into())
}
