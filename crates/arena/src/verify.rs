//! Games that were played elsewhere, replayed by the rules before they count.

use quintet_game::record::Record;
use quintet_game::text::quote;
use quintet_game::{EndReason, Forfeit, GameSpec, Outcome};

use crate::arbiter::Played;
use crate::plan::{Fixture, Plan};

/// Replays a game that somebody else has played: it must be this game of the plan, begin with its opening, be legal to the last move, and end as it says.
/// Which moves the players would have chosen is not checked.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Length, Plan, play, verify};
/// use quintet_game::{GameSpec, Outcome};
/// let plan = Plan::duel("pylos", ["random", "random"], Length::Games(2)).unwrap();
/// let (spec, fixture) = (GameSpec::parse("pylos").unwrap(), plan.fixture(0).unwrap());
/// let mut played = play(&plan, &spec, Catalogue::embedded(), &fixture, &[]).unwrap();
/// assert_eq!(verify(&plan, &spec, &fixture, &[], &played), Ok(()));
/// played.result = played.result.map(Outcome::swapped);
/// assert!(verify(&plan, &spec, &fixture, &[], &played).is_err());
/// ```
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn verify(
    plan: &Plan,
    spec: &GameSpec,
    fixture: &Fixture,
    opening: &[String],
    played: &Played,
) -> Result<(), String> {
    let here = format!("game {}", played.number);
    if (played.number, played.seats) != (fixture.number, fixture.seats) {
        return Err(format!("{here} is not the game {} of the plan, or other players have played it", fixture.number));
    }
    let record = Record::read(&played.record).map_err(|why| format!("{here}: {why}"))?;
    if record.spec != *spec || record.from.is_some() {
        return Err(format!("{here} is a game of {}, or begins elsewhere", record.spec));
    }
    if !record.moves.starts_with(opening) {
        return Err(format!("{here} does not begin with its opening"));
    }
    let (line, fault) = record.replay().map_err(|why| format!("{here}: {why}"))?;
    if let Some(why) = fault {
        return Err(format!("{here} has an illegal move: {why}"));
    }
    let outcome = played.result.ok_or_else(|| format!("{here} has no result"))?;
    let reason = &played.reason;
    let apart = || {
        let cut = *reason == EndReason::Cap && outcome == Outcome::Draw && line.plies() >= plan.max_plies as usize;
        let lost = outcome == Outcome::Win(line.to_move().other());
        let resigned = *reason == EndReason::Resigned && lost;
        let settled = reason.is_adjudicated() && !plan.adjudicate.is_empty();
        let cannot_play = *reason == EndReason::Forfeit(Forfeit::CannotPlay);
        let forfeited = reason.is_forfeit() && (lost || cannot_play && plan.players.len() > 2);
        cut || resigned || settled || forfeited
    };
    let is_right = match line.end() {
        Some((by_rules, why)) => (by_rules, &why) == (outcome, reason),
        None => apart(),
    };
    if !is_right {
        let reason = quote(reason.as_str(), 80);
        return Err(format!("{here} does not end by the rules as it says: {outcome}, {reason}"));
    }
    // Written anew, so that nothing but the game itself is taken over.
    let names = fixture.seats.map(|player| plan.players[player].name.as_str());
    let mut canonical = Record::of(&*line, names, Some(plan.seed));
    (canonical.result, canonical.reason) = (Some(outcome), Some(reason.clone()));
    if canonical.to_string() != played.record || played.plies != line.plies() {
        return Err(format!("{here} is not written as a record of this plan"));
    }
    let cost = &played.cost;
    let times = cost.ms.iter().chain([&cost.worst_overrun_ms]);
    if times.into_iter().any(|ms| !ms.is_finite() || *ms < 0.0) {
        return Err(format!("{here} took no time that there is"));
    }
    Ok(())
}
