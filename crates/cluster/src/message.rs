//! What machines tell each other: data, bounded and checked like any stranger's text.

mod unit;

use quintet_arena::{Identity, Plan};
use quintet_game::GameSpec;
use quintet_game::text::quote;
use quintet_solve::twixt::LARGEST;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use unit::{Answer, Outcome, SolvedPeg, Unit, UnitGame, UnitPeg, Work};

/// The most bytes of a message. The server's own limit is 1 MiB, unless it is told otherwise.
pub const MOST_BYTES: usize = 1 << 20;
/// The most pairs of games in a unit.
pub const MOST_PAIRS: usize = 32;
/// The longest that a unit may take, in seconds.
pub const LONGEST: u32 = 6 * 3600;
/// The most players of a plan, and characters of a player's name or spec.
const MOST_PLAYERS: usize = 1024;
const LONGEST_AGENT: usize = 2000;
/// The most characters of a name, and of a sentence.
const LONGEST_NAME: usize = 64;
const LONGEST_SENTENCE: usize = 4000;
/// The most plies of a game, and of its opening.
const MOST_PLIES: u32 = 10_000;
const MOST_OPENING: usize = 200;

/// The most memory of a solver, in MiB: whatever is allowed here, a worker grants less.
const MOST_MEMORY: u64 = 1 << 20;

/// Why a message is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not usable: {why}")]
pub struct MessageError {
    /// Which kind of message.
    pub what: &'static str,
    /// What is wrong with it.
    pub why: String,
}

/// A message: what it is called, and what must hold beyond its form.
pub trait Message: Serialize + DeserializeOwned {
    /// What it is called in errors.
    const NAME: &'static str;

    /// Checks sizes and names.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self) -> Result<(), String>;
}

/// Reads a message and checks it.
///
/// ```
/// use quintet_cluster::message::{Unit, read};
/// assert!(read::<Unit>(b"{}").is_err());
/// ```
///
/// # Errors
/// When it is too long, is not of this form, or says what cannot be.
pub fn read<M: Message>(bytes: &[u8]) -> Result<M, MessageError> {
    let wrong = |why: String| MessageError { what: M::NAME, why };
    if bytes.len() > MOST_BYTES {
        return Err(wrong(format!("it has {} bytes, and {MOST_BYTES} are allowed", bytes.len())));
    }
    let message: M = serde_json::from_slice(bytes).map_err(|error| wrong(quote(&error.to_string(), 200)))?;
    message.check().map_err(wrong)?;
    Ok(message)
}

/// Writes a message.
///
/// # Errors
/// When it is longer than a message may be.
pub fn write<M: Message>(message: &M) -> Result<Vec<u8>, MessageError> {
    let wrong = |why: String| MessageError { what: M::NAME, why };
    let bytes = serde_json::to_vec(message).map_err(|error| wrong(error.to_string()))?;
    if bytes.len() > MOST_BYTES {
        return Err(wrong(format!("it has {} bytes, and {MOST_BYTES} are allowed", bytes.len())));
    }
    Ok(bytes)
}

/// What a run is to find out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// How the games of a plan end.
    Games(Plan),
    /// What every first peg is worth.
    Map(MapPlan),
}

/// A map of first pegs on a board of TwixT.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapPlan {
    /// The game, as a spec.
    pub game: String,
    /// The memory for each first peg, in MiB.
    pub memory: u64,
}

impl Task {
    /// The game, as a spec.
    #[must_use]
    pub fn game(&self) -> &str {
        match self {
            Task::Games(plan) => &plan.game,
            Task::Map(map) => &map.game,
        }
    }

    /// What it has many of.
    #[must_use]
    pub fn of(&self) -> &'static str {
        match self {
            Task::Games(_) => "games",
            Task::Map(_) => "first pegs",
        }
    }
}

/// What a coordinator announces, again and again, while it works: the run that workers may join, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// The run: a hash of the build, the task and the players with their weights.
    pub run: String,
    /// The program: version and commit.
    pub build: String,
    /// The [`Task`] as JSON, in the very bytes that were hashed.
    pub task: String,
    /// The players of a plan, with all names resolved, and the checksums of their weights.
    pub players: Vec<Identity>,
    /// Only workers with this tag join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Games or first pegs that are stored.
    pub done: u64,
    /// Games or first pegs in all.
    pub total: u64,
    /// Games or first pegs stored per second, lately.
    pub rate: f64,
    /// Are all units in the queue? Then a worker takes none before it can play it: another may be free.
    #[serde(default, skip_serializing_if = "is_false")]
    pub last: bool,
    /// Workers whose answers do not count, and why: they leave the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub barred: Vec<(String, String)>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_false(it: &bool) -> bool {
    !it
}

/// The most barred workers that a coordinator tells of.
pub const MOST_BARRED: usize = 64;

impl Announcement {
    /// A run that is about to begin, with its number of games or first pegs.
    #[must_use]
    pub fn new(build: &str, task: &Task, players: Vec<Identity>, total: u64, tag: Option<String>) -> Announcement {
        let task = serde_json::to_string(task).unwrap_or_default();
        let run = Announcement::id(build, &task, &players);
        let build = build.to_owned();
        Announcement { run, build, task, players, tag, done: 0, total, rate: 0.0, last: false, barred: Vec::new() }
    }

    /// The id of a run: whatever decides its results decides it.
    fn id(build: &str, task: &str, players: &[Identity]) -> String {
        let players = serde_json::to_string(players).unwrap_or_default();
        let mut hash = Sha256::new();
        for part in [build, task, &players] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The task, and its game.
    ///
    /// # Errors
    /// When it cannot be read, or is larger than tasks may be.
    pub fn read_task(&self) -> Result<(Task, GameSpec), String> {
        let task: Task = serde_json::from_str(&self.task).map_err(|error| quote(&error.to_string(), 200))?;
        let spec = GameSpec::parse(task.game()).map_err(|error| error.to_string())?;
        match &task {
            Task::Games(plan) => self.check_plan(plan)?,
            Task::Map(map) => self.check_map(map, &spec)?,
        }
        Ok((task, spec))
    }

    fn check_plan(&self, plan: &Plan) -> Result<(), String> {
        if !(2..=MOST_PLAYERS).contains(&plan.players.len()) || self.players.len() != plan.players.len() {
            return Err(format!("a plan has 2 to {MOST_PLAYERS} players, each with its identity"));
        }
        for player in &plan.players {
            if player.name.len() > LONGEST_AGENT || player.agent.len() > LONGEST_AGENT {
                return Err(format!("a player's name or spec has more than {LONGEST_AGENT} characters"));
            }
        }
        if plan.max_plies > MOST_PLIES || plan.opening_plies as usize > MOST_OPENING {
            return Err(format!("a game may have at most {MOST_PLIES} plies, and its opening at most {MOST_OPENING}"));
        }
        if plan.games_per_pairing().checked_mul((MOST_PLAYERS * MOST_PLAYERS) as u64).is_none() {
            return Err("the plan has more games than can be counted".into());
        }
        Ok(())
    }

    fn check_map(&self, map: &MapPlan, spec: &GameSpec) -> Result<(), String> {
        if spec.info().name != "twixt" || spec.number("size") > LARGEST {
            return Err(format!("a map is of a board of twixt of up to {LARGEST} holes per side"));
        }
        if !(1..=MOST_MEMORY).contains(&map.memory) {
            return Err(format!("a map may take 1 to {MOST_MEMORY} MiB of memory for each first peg"));
        }
        if self.players.is_empty() { Ok(()) } else { Err("a map has no players".into()) }
    }
}

impl Message for Announcement {
    const NAME: &'static str = "an announcement";

    fn check(&self) -> Result<(), String> {
        is_build(&self.build)?;
        self.tag.as_deref().map_or(Ok(()), |tag| is_name("tag", tag))?;
        if self.run != Announcement::id(&self.build, &self.task, &self.players) {
            return Err("its id is not the hash of what it announces".into());
        }
        if !self.rate.is_finite() {
            return Err("its rate is not finite".into());
        }
        if self.barred.len() > MOST_BARRED {
            return Err(format!("it bars {} workers, and {MOST_BARRED} are allowed", self.barred.len()));
        }
        for (worker, why) in &self.barred {
            is_name("worker", worker)?;
            is_sentence(why)?;
        }
        self.read_task().map(|_| ())
    }
}

/// What a worker says of itself, every other second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerState {
    /// Its name: the machine, the process, and a random number.
    pub worker: String,
    /// The program: version and commit.
    pub build: String,
    /// Units that it plays at once.
    pub threads: u32,
    /// What it offers besides.
    pub tags: Vec<String>,
    /// Units in play.
    pub playing: u32,
    /// Games played lately: in this many seconds, a minute or what there was of it, by its own clock.
    pub games: u64,
    /// Those seconds.
    pub seconds: u64,
    /// The runs that it does not join, each with the reason as a sentence.
    pub refused: Vec<(String, String)>,
}

/// The most refusals that a worker tells of.
pub const MOST_REFUSED: usize = 16;

impl Message for WorkerState {
    const NAME: &'static str = "a worker's state";

    fn check(&self) -> Result<(), String> {
        is_name("worker", &self.worker)?;
        is_build(&self.build)?;
        self.tags.iter().try_for_each(|tag| is_name("tag", tag))?;
        if self.tags.len() > 16 || self.threads > 4096 || self.refused.len() > MOST_REFUSED {
            return Err("it has too many tags, threads or refusals".into());
        }
        for (run, why) in &self.refused {
            is_run(run)?;
            is_sentence(why)?;
        }
        Ok(())
    }
}

/// What a learner of the Python package announces of its training, as far as it is shown: the rest is for its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Training {
    /// The training.
    pub run: String,
    /// The package: version and commit.
    pub build: String,
    /// The boards that are learned.
    pub variants: Vec<String>,
    /// Simulations of a move.
    pub simulations: u32,
}

impl Message for Training {
    const NAME: &'static str = "a training";

    fn check(&self) -> Result<(), String> {
        is_run(&self.run)?;
        is_build(&self.build)?;
        if self.variants.len() > 16 {
            return Err("it has too many variants".into());
        }
        self.variants.iter().try_for_each(|variant| is_sentence(variant))
    }
}

/// What a player of the Python package says of itself, every other second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerState {
    /// Its name: the machine, the process, and a random number.
    pub player: String,
    /// The package: version and commit.
    pub build: String,
    /// The training that it plays for.
    pub run: Option<String>,
    /// Bundles of samples that it has brought.
    pub bundles: u64,
}

impl Message for PlayerState {
    const NAME: &'static str = "a player's state";

    fn check(&self) -> Result<(), String> {
        is_sentence(&self.player)?;
        is_build(&self.build)?;
        self.run.as_deref().map_or(Ok(()), is_run)
    }
}

/// A sentence short enough for a message.
#[must_use]
pub fn sentence(text: &str) -> String {
    quote(text, LONGEST_SENTENCE / 4)
}

fn is_run(text: &str) -> Result<(), String> {
    let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if is_hex { Ok(()) } else { Err(format!("\"{}\" is not the id of a run", quote(text, 40))) }
}

/// Names become parts of subjects, and are printed.
fn is_name(what: &str, text: &str) -> Result<(), String> {
    let may_be = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(may_be) {
        return Ok(());
    }
    Err(format!("\"{}\" is not the name of a {what}: 1 to {LONGEST_NAME} letters, digits, - and _", quote(text, 40)))
}

fn is_build(text: &str) -> Result<(), String> {
    let is_build = (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(|byte| (b' '..0x7f).contains(&byte));
    if is_build { Ok(()) } else { Err(format!("\"{}\" is not the name of a build", quote(text, 40))) }
}

fn is_sentence(text: &str) -> Result<(), String> {
    if text.len() <= LONGEST_SENTENCE && !text.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(format!("a reason has at most {LONGEST_SENTENCE} printable characters"))
    }
}

/// A name for a tag or a machine as it may stand in a message: other characters become `-`.
#[must_use]
pub fn name(text: &str) -> String {
    let may_be = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = text.chars().take(LONGEST_NAME).map(may_be).collect();
    if name.is_empty() { "unnamed".into() } else { name }
}

#[cfg(test)]
mod tests {
    use quintet_game::Value;

    use super::*;

    /// The seeds of the fuzzer are messages of each kind.
    #[test]
    fn the_seeds_of_the_fuzzer_are_read() {
        let seed = |name: &str| {
            let file = format!("{}/../../fuzz/corpus/cluster_message/{name}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read(file).unwrap()
        };
        let task = |name: &str| read::<Announcement>(&seed(name)).unwrap().read_task().unwrap().0;
        assert!(matches!(task("announcement"), Task::Games(plan) if plan.players.len() == 2));
        assert!(matches!(task("map"), Task::Map(map) if map.memory == 512));
        assert_eq!(read::<Unit>(&seed("unit")).unwrap().id(), "0-1-78230620b9dfc343-again");
        assert_eq!(read::<Unit>(&seed("peg")).unwrap().id(), "d4-1048576");
        assert!(
            matches!(read::<Answer>(&seed("solved")).unwrap().outcome, Outcome::Solved(peg) if peg.read() == Ok(Some(Value::win_in(9))))
        );
        assert!(matches!(read::<Answer>(&seed("answer")).unwrap().outcome, Outcome::Played(games) if games.len() == 1));
        assert!(matches!(read::<Answer>(&seed("failed")).unwrap().outcome, Outcome::Failed(_)));
        assert_eq!(read::<WorkerState>(&seed("worker")).unwrap().refused.len(), 1);
    }

    #[test]
    fn what_python_says_is_read() {
        let run = "0123456789abcdef0123456789abcdef";
        let training = format!(r#"{{"run":"{run}","build":"1","variants":["pylos"],"simulations":8,"channels":64}}"#);
        assert_eq!(read::<Training>(training.as_bytes()).unwrap().variants, ["pylos"]);
        assert!(read::<Training>(training.replace("pylos", "\\n").as_bytes()).is_err());
        let player = format!(r#"{{"player":"host.name-7-ab","build":"1","run":"{run}","bundles":3}}"#);
        assert_eq!(read::<PlayerState>(player.as_bytes()).unwrap().run.as_deref(), Some(run));
        assert!(read::<PlayerState>(player.replace(run, "r").as_bytes()).is_err());
    }

    #[test]
    fn a_map_is_of_a_board_that_can_be_solved() {
        let announced = |game: &str, memory| {
            let task = Task::Map(MapPlan { game: game.into(), memory });
            read::<Announcement>(&write(&Announcement::new("1", &task, Vec::new(), 9, None)).unwrap())
        };
        assert!(announced("twixt(size=6)", 512).is_ok());
        for (game, memory) in
            [("twixt(size=12)", 512), ("pylos", 512), ("twixt(size=6)", 0), ("twixt(size=6)", 1 << 30)]
        {
            assert!(announced(game, memory).unwrap_err().to_string().contains("a map "), "{game}");
        }
    }

    /// A plan that was changed on the way is another run.
    #[test]
    fn a_run_is_the_hash_of_what_decides_it() {
        let plan = Plan::duel("pylos", ["random", "random"], quintet_arena::Length::Games(2)).unwrap();
        let players = vec![Identity::default(), Identity::default()];
        let announced = Announcement::new("1", &Task::Games(plan), players, 2, None);
        assert!(read::<Announcement>(&write(&announced).unwrap()).is_ok());
        for change in [
            Announcement { build: "2".into(), ..announced.clone() },
            Announcement { task: announced.task.replace("random", "greedy"), ..announced.clone() },
            Announcement { players: vec![Identity::default(); 3], ..announced.clone() },
        ] {
            let said = read::<Announcement>(&write(&change).unwrap()).unwrap_err().to_string();
            assert!(said.contains("not the hash"), "{said}");
        }
    }
}
