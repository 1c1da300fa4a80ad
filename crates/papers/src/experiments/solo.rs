//! Whole games of an agent against itself, timed.

use cpu_time::ThreadTime;
use quintet_agent::Catalogue;
use quintet_arena::{Cost, Played, RunError};
use quintet_game::bits::mix;
use quintet_game::record::Record;
use quintet_game::{EndReason, GameSpec, Limit, Stop};

/// Games of one agent on both seats, each with a limit of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solo {
    /// The game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// How many games.
    pub games: u64,
    /// A game of more nodes than this is given up.
    pub cut: u64,
    /// The seed of all random streams.
    pub seed: u64,
}

impl Solo {
    /// Plays one game; none if it was stopped.
    pub(super) fn play(&self, agents: &Catalogue, number: u64, stop: &Stop) -> Result<Option<Played>, RunError> {
        let wrong = |why: String| RunError::Plan(format!("{}: {why}", self.agent));
        let spec = GameSpec::parse(&self.game).map_err(|error| wrong(error.to_string()))?;
        let seed = |seat: u64| mix(self.seed ^ mix(2 * number + seat));
        let seat = |i| agents.seat(&spec, &self.agent, seed(i)).map_err(|error| wrong(error.to_string()));
        let mut seats = [seat(0)?, seat(1)?];
        let mut line = spec.line();
        let mut cost = Cost::default();
        let mut cut = false;
        while line.end().is_none() && !cut {
            let mover = line.to_move().index();
            let left = self.cut.saturating_sub(cost.nodes[0] + cost.nodes[1]);
            // The thread's own time: what else runs on the machine does not count.
            let start = ThreadTime::now();
            let choice = seats[mover].think(&*line, &Limit::nodes(left), stop, &mut |_| {});
            cost.ms[mover] += start.elapsed().as_secs_f64() * 1e3;
            if stop.stopped() {
                return Ok(None);
            }
            let choice = choice.map_err(|error| wrong(error.to_string()))?;
            cost.nodes[mover] += choice.nodes;
            cut = choice.nodes >= left;
            line.try_play(&choice.mv).map_err(|error| wrong(error.to_string()))?;
        }
        let mut record = Record::of(line.as_ref(), [&self.agent, &self.agent], Some(self.seed));
        let (result, reason) = match line.end() {
            Some((outcome, reason)) if !cut => (Some(outcome), reason),
            _ => (None, EndReason::Cut),
        };
        (record.result, record.reason) = (result, Some(reason.clone()));
        Ok(Some(Played {
            number,
            seats: [0, 0],
            result,
            reason,
            fault: None,
            plies: line.plies(),
            record: record.to_string(),
            cost,
            worker: None,
        }))
    }
}
