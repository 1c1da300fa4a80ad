//! Units of work, and the answers to them.

use quintet_arena::Played;
use quintet_game::Value;
use quintet_game::text::quote;
use quintet_solve::twixt::Cell;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{LONGEST, MOST_OPENING, MOST_PAIRS, Message, is_name, is_run, is_sentence};

/// A game of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitGame {
    /// Its place in the plan.
    pub number: u64,
    /// The moves that are played before the players take over.
    pub opening: Vec<String>,
}

/// A first peg of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitPeg {
    /// The hole, as a move is written.
    pub hole: String,
    /// The most positions that may be searched for it.
    pub nodes: u64,
}

/// What is to be done in a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Games are to be played, in their order.
    Games(Vec<UnitGame>),
    /// A first peg is to be solved.
    Peg(UnitPeg),
}

/// A unit of work: a pair of games, some pairs of short games, or a first peg.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The run, and so the hash of build, task and weights.
    pub run: String,
    /// The games, or the first peg.
    pub work: Work,
    /// Seconds after which a worker gives it up.
    pub seconds: u32,
    /// It is done again to be compared with what this worker has found; another one should do that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
}

impl Unit {
    /// Its id within the run: a function of the games, or of the first peg and the positions that may be searched for it. Units of other games have other ids: the first
    /// and the last number are for people, the hash is of all games.
    #[must_use]
    pub fn id(&self) -> String {
        let suffix = if self.again.is_some() { "-again" } else { "" };
        match &self.work {
            Work::Games(games) => {
                let number = |game: Option<&UnitGame>| game.map_or(0, |game| game.number);
                let mut hash = Sha256::new();
                for UnitGame { number, opening } in games {
                    hash.update(number.to_le_bytes());
                    hash.update((opening.len() as u64).to_le_bytes());
                    for mv in opening {
                        hash.update((mv.len() as u64).to_le_bytes());
                        hash.update(mv);
                    }
                }
                let hash: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
                format!("{}-{}-{hash}{suffix}", number(games.first()), number(games.last()))
            }
            Work::Peg(peg) => format!("{}-{}{suffix}", peg.hole, peg.nodes),
        }
    }

    /// Its games; none if it has a first peg.
    #[must_use]
    pub fn games(&self) -> &[UnitGame] {
        match &self.work {
            Work::Games(games) => games,
            Work::Peg(_) => &[],
        }
    }
}

impl Message for Unit {
    const NAME: &'static str = "a unit of work";

    fn check(&self) -> Result<(), String> {
        is_run(&self.run)?;
        self.again.as_deref().map_or(Ok(()), |worker| is_name("worker", worker))?;
        match &self.work {
            Work::Games(games) => check_games(games)?,
            Work::Peg(peg) => is_name("hole", &peg.hole)?,
        }
        if !(1..=LONGEST).contains(&self.seconds) {
            return Err(format!("it may take {} seconds, and 1 to {LONGEST} are allowed", self.seconds));
        }
        Ok(())
    }
}

fn check_games(games: &[UnitGame]) -> Result<(), String> {
    if games.is_empty() || games.len() > 2 * MOST_PAIRS {
        return Err(format!("it has {} games, and 1 to {} are allowed", games.len(), 2 * MOST_PAIRS));
    }
    if games.windows(2).any(|two| two[0].number >= two[1].number) {
        return Err("its games are not in order".into());
    }
    if games.iter().any(|game| game.opening.len() > MOST_OPENING) {
        return Err(format!("an opening has at most {MOST_OPENING} moves"));
    }
    Ok(())
}

/// What was found out about a first peg.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedPeg {
    /// Its value as in a map: `+9`, `=`, `-10`, or `?` if the positions did not suffice.
    pub value: String,
    /// The positions that were searched.
    pub nodes: u64,
}

impl SolvedPeg {
    /// The value, if it is known.
    ///
    /// # Errors
    /// When the text is not a value.
    pub fn read(&self) -> Result<Option<Value>, String> {
        match self.value.parse() {
            Ok(Cell::Known(value)) => Ok(Some(value)),
            Ok(Cell::Unknown) => Ok(None),
            _ => Err(format!("\"{}\" is not the value of a first peg", quote(&self.value, 40))),
        }
    }
}

/// What became of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The games were played.
    Played(Vec<Played>),
    /// The first peg was searched.
    Solved(SolvedPeg),
    /// It could not be done, and why.
    Failed(String),
}

/// A worker's answer to a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The run.
    pub run: String,
    /// The unit's id.
    pub unit: String,
    /// Who answers.
    pub worker: String,
    /// The number of the unit's message in the queue: one that is published again has another.
    pub delivery: u64,
    /// Milliseconds that it took, by the worker's own clock.
    pub ms: u64,
    /// What became of it.
    pub outcome: Outcome,
}

impl Message for Answer {
    const NAME: &'static str = "an answer";

    fn check(&self) -> Result<(), String> {
        is_run(&self.run)?;
        is_name("unit", &self.unit)?;
        is_name("worker", &self.worker)?;
        match &self.outcome {
            Outcome::Played(games) if games.len() > 2 * MOST_PAIRS => Err("it has too many games".into()),
            Outcome::Played(games) => match games.iter().find_map(|game| game.fault.as_ref()) {
                Some(fault) => is_sentence(fault),
                None => Ok(()),
            },
            Outcome::Solved(peg) => peg.read().map(|_| ()),
            Outcome::Failed(why) => is_sentence(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MOST_BYTES, read};
    use super::*;

    #[test]
    fn what_is_too_large_or_unknown_is_refused() {
        let refused = |text: &str| read::<Unit>(text.as_bytes()).unwrap_err().to_string();
        let run = "0123456789abcdef0123456789abcdef";
        let unit = |games: &str, seconds: u64| {
            format!(r#"{{"run":"{run}","work":{{"games":[{games}]}},"seconds":{seconds}}}"#)
        };
        let game = |number: u64| format!(r#"{{"number":{number},"opening":[]}}"#);
        assert!(read::<Unit>(unit(&game(3), 60).as_bytes()).is_ok());
        assert!(refused(&unit("", 60)).contains("0 games"));
        assert!(refused(&unit(&vec![game(1); 65].join(","), 60)).contains("65 games"));
        assert!(refused(&unit(&[game(2), game(1)].join(","), 60)).contains("not in order"));
        assert!(refused(&unit(&game(1), 1 << 20)).contains("seconds"));
        assert!(refused(&unit(&game(1), 60).replace(run, "up/../here")).contains("not the id of a run"));
        assert!(refused(&unit(&game(1), 60).replace("seconds", "cmd")).contains("unknown field"));
        assert!(refused(&" ".repeat(MOST_BYTES + 1)).contains("bytes"));
        let peg =
            |hole: &str| format!(r#"{{"run":"{run}","work":{{"peg":{{"hole":"{hole}","nodes":9}}}},"seconds":9}}"#);
        assert!(read::<Unit>(peg("b3").as_bytes()).is_ok());
        assert!(refused(&peg("b3.*")).contains("not the name of a hole"));
    }

    #[test]
    fn units_of_other_games_have_other_ids() {
        let unit = |numbers: &[u64], again: Option<&str>| {
            let games = numbers.iter().map(|number| UnitGame { number: *number, opening: vec!["1b2".into()] });
            let work = Work::Games(games.collect());
            Unit { run: "r".into(), work, seconds: 9, again: again.map(str::to_owned) }
        };
        let id = |numbers: &[u64]| unit(numbers, None).id();
        assert_eq!(id(&[0, 1, 5]), id(&[0, 1, 5]));
        assert_ne!(id(&[0, 1, 5]), id(&[0, 3, 5]), "first, last and count are the same");
        let Work::Games(mut games) = unit(&[0, 1], None).work else { unreachable!() };
        games[1].opening = vec!["1c2".into()];
        assert_ne!(Unit { work: Work::Games(games), ..unit(&[0, 1], None) }.id(), id(&[0, 1]));
        // The longest is still a name.
        let longest = unit(&[u64::MAX - 1, u64::MAX], Some("a")).id();
        assert!(longest.ends_with("-again") && is_name("unit", &longest).is_ok(), "{longest}");
    }

    #[test]
    fn a_first_peg_has_a_value_or_none() {
        let value = |value: &str| SolvedPeg { value: value.into(), nodes: 1 }.read();
        assert_eq!(
            [value("-10"), value("="), value("?")],
            [Ok(Some(Value::loss_in(10))), Ok(Some(Value::DRAW)), Ok(None)]
        );
        for no_value in [".", "", "+", "9", "+-9", "+999999999999"] {
            assert!(value(no_value).unwrap_err().contains("not the value"), "{no_value}");
        }
    }
}
