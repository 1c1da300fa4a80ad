//! An experiment in one size with one seed: everything that decides its games.

use quintet_agent::Catalogue;
use quintet_arena::{Contestant, Length, Plan};
use quintet_eval::{Argument, Spec, SpecError};
use quintet_game::GameSpec;
use quintet_game::bits::mix;
use quintet_game::clock::ClockKind;

use super::file::{Design, Experiment, Kind, Repeat, Row, Size};
use super::solo::Solo;

/// The games of a row, or of a timed cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Identifies it within the experiment; part of every stored game.
    pub key: String,
    /// What it is called.
    pub what: String,
    /// The row, or the series.
    pub row: usize,
    /// The mode of its agents.
    pub mode: String,
    /// The repeat that it belongs to; none for the paper's own conditions.
    pub repeat: Option<String>,
    /// A player has a smaller budget than the paper's.
    pub scaled: bool,
    /// What is played.
    pub work: Work,
}

/// What a job plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// A match.
    Match(Plan),
    /// Timed games of one agent against itself.
    Solo(Solo),
    /// Nothing: the reason.
    Waits(String),
    /// Nothing, ever: the row is of people or of impossible numbers.
    Nothing,
}

/// An experiment in one size with one seed.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_papers::experiments::{Library, Schedule, Size};
/// let experiment = Library::embedded().get("pylos/agents").unwrap();
/// let schedule = Schedule::new(experiment, Size::Paper, 1, Catalogue::embedded()).unwrap();
/// assert_eq!(schedule.jobs[0].games(), 100);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The experiment.
    pub experiment: Experiment,
    /// Which of its designs.
    pub size: Size,
    /// The seed of all random streams.
    pub seed: u64,
    /// What is played, in order.
    pub jobs: Vec<Job>,
}

impl Job {
    /// Its games.
    #[must_use]
    pub fn games(&self) -> u64 {
        match &self.work {
            Work::Match(plan) => plan.games(),
            Work::Solo(solo) => solo.games,
            Work::Waits(_) | Work::Nothing => 0,
        }
    }
}

/// How a row says that its agents are not trained.
const WEIGHTS: &str = "weights of ";
const AND: &str = " and ";

/// Whether an experiment can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// All of it.
    Ready,
    /// Some rows wait.
    Partly(String),
    /// None of it.
    Waits(String),
}

/// Whether an experiment can run with these agents.
#[must_use]
pub fn state(experiment: &Experiment, agents: &Catalogue) -> Readiness {
    if let Some(needs) = experiment.needs.as_ref().filter(|_| experiment.kind == Kind::Unbuilt) {
        return Readiness::Waits(needs.clone());
    }
    let schedule = match Schedule::new(experiment.clone(), Size::Quick, 1, agents) {
        Ok(schedule) => schedule,
        Err(why) => return Readiness::Waits(why),
    };
    let (mut agents, mut others): (Vec<&str>, Vec<&str>) = Default::default();
    for job in &schedule.jobs {
        let Work::Waits(why) = &job.work else { continue };
        match why.strip_prefix(WEIGHTS) {
            Some(names) => agents.extend(names.split(AND)),
            None => others.push(why),
        }
    }
    for list in [&mut agents, &mut others] {
        list.sort_unstable();
        list.dedup();
    }
    let weights = (!agents.is_empty()).then(|| format!("{WEIGHTS}{}", agents.join(", ")));
    let reasons: Vec<String> = weights.into_iter().chain(others.iter().map(|&why| why.to_owned())).collect();
    let reason = reasons.join("; ");
    if reasons.is_empty() {
        Readiness::Ready
    } else if schedule.jobs.iter().all(|job| matches!(job.work, Work::Waits(_))) {
        Readiness::Waits(reason)
    } else {
        Readiness::Partly(reason)
    }
}

impl Schedule {
    /// Resolves the games of an experiment.
    ///
    /// # Errors
    /// When the experiment has no such design, or names an unknown game or agent.
    pub fn new(experiment: Experiment, size: Size, seed: u64, agents: &Catalogue) -> Result<Schedule, String> {
        let mut schedule = Schedule { experiment, size, seed, jobs: Vec::new() };
        schedule.jobs = match schedule.experiment.kind {
            Kind::Measure | Kind::Unbuilt => Vec::new(),
            Kind::Matches => schedule.matches(agents)?,
            Kind::Times => schedule.solos()?,
        };
        Ok(schedule)
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.jobs.iter().map(Job::games).sum()
    }

    /// The games of the smallest match, which has the widest interval.
    #[must_use]
    pub fn fewest(&self) -> Option<u64> {
        let matches = self.jobs.iter().filter(|job| matches!(job.work, Work::Match(_)));
        matches.map(Job::games).min()
    }

    /// Names and checksums of the weights, nets and books of all players, each once, by their names.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn weights(&self, agents: &Catalogue) -> Result<Vec<(String, String)>, String> {
        let mut found = Vec::new();
        for job in &self.jobs {
            let (game, players): (&str, Vec<&str>) = match &job.work {
                Work::Match(plan) => (&plan.game, plan.players.iter().map(|player| player.agent.as_str()).collect()),
                Work::Solo(solo) => (&solo.game, vec![&solo.agent]),
                Work::Waits(_) | Work::Nothing => continue,
            };
            let spec = GameSpec::parse(game).map_err(|error| error.to_string())?;
            for player in players {
                found.extend(agents.checksums(&spec, player).map_err(|error| format!("{player}: {error}"))?);
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn design(&self) -> Result<Design, String> {
        let missing = || format!("{} has no design called \"{}\"", self.experiment.id, self.size.name());
        self.experiment.design(self.size).copied().ok_or_else(missing)
    }

    fn matches(&self, agents: &Catalogue) -> Result<Vec<Job>, String> {
        let mut jobs = Vec::new();
        let repeats = std::iter::once(None).chain(self.experiment.repeats.iter().map(Some));
        for repeat in repeats {
            for mode in &self.experiment.modes {
                for (number, row) in self.experiment.rows.iter().enumerate() {
                    if row.mode.as_ref().is_some_and(|own| own != mode) || repeat.is_some() && row.plays_nothing() {
                        continue;
                    }
                    let of_row = |why| format!("{}, row {}: {why}", self.experiment.id, number + 1);
                    jobs.extend(self.job(number, row, mode, repeat, agents).map_err(of_row)?);
                }
            }
        }
        Ok(jobs)
    }

    /// The job of a row; none where this mode has nothing of its own.
    fn job(
        &self,
        number: usize,
        row: &Row,
        mode: &str,
        repeat: Option<&Repeat>,
        agents: &Catalogue,
    ) -> Result<Option<Job>, String> {
        let own_mode = |mode: &str| self.experiment.modes.first().is_some_and(|first| first == mode);
        let mut job = Job {
            key: String::new(),
            what: row.name(),
            row: number,
            mode: mode.to_owned(),
            repeat: repeat.map(|repeat| repeat.name.clone()),
            scaled: false,
            work: Work::Nothing,
        };
        if row.plays_nothing() {
            if let Some(why) = &row.waits {
                job.work = Work::Waits(why.clone());
            }
            return Ok(own_mode(mode).then_some(job));
        }
        let game =
            repeat.and_then(|repeat| repeat.game.as_ref()).or(row.game.as_ref()).unwrap_or(&self.experiment.game);
        let spec = GameSpec::parse(game).map_err(|error| error.to_string())?;
        job.key = format!("{} | {mode} | {game}", row.name());
        if let Some(repeat) = repeat {
            job.key = format!("{} | {}", job.key, repeat.name);
        }
        let design = self.design()?;
        let (mut players, mut seated, mut slow, mut differs) = (Vec::new(), Vec::new(), false, own_mode(mode));
        for name in [&row.a, &row.b] {
            let player = self.experiment.players.iter().find(|player| player.name == *name);
            let agent = Spec::parse(player.map_or(name, |player| &player.agent)).map_err(|error| error.to_string())?;
            let has_mode = has_mode(agents, &agent, mode);
            differs |= has_mode;
            let over = player.and_then(|player| player.over(self.size));
            job.scaled |= over.is_some() && self.size == Size::Quick;
            slow |= player.is_some_and(|player| player.slow);
            let agent = put_over(agent, over.unwrap_or_default(), has_mode.then_some(mode))?;
            players.push(Contestant { name: name.clone(), agent: agent.to_string() });
            seated.push(agent);
        }
        if !differs {
            return Ok(None);
        }
        if let Some(why) = waiting(agents, &spec, &seated)? {
            job.work = Work::Waits(why);
            return Ok(Some(job));
        }
        let games = if slow { design.slow_games.unwrap_or(design.games) } else { design.games };
        let agents = [players[0].agent.as_str(), players[1].agent.as_str()];
        let mut plan = Plan::duel(game, agents, Length::Games(games)).map_err(|error| error.to_string())?;
        plan.opening_plies = repeat.and_then(|repeat| repeat.openings).unwrap_or(design.openings);
        plan.seed = self.seed_of(&job.key);
        plan.players = players;
        // Limits of time hold on a busy machine too.
        plan.clock = ClockKind::Cpu;
        job.work = Work::Match(plan);
        Ok(Some(job))
    }

    fn solos(&self) -> Result<Vec<Job>, String> {
        let design = self.design()?;
        let mut jobs = Vec::new();
        for (row, series) in self.experiment.series.iter().enumerate() {
            for (place, at) in
                series.at.iter().enumerate().filter(|(_, at)| design.up_to.is_none_or(|most| **at <= most))
            {
                let fill = |text: &str| text.replace("{}", &at.to_string());
                let game =
                    GameSpec::parse(&fill(&self.experiment.game)).map_err(|error| error.to_string())?.to_string();
                let key = format!("{} {at}", series.name);
                let unprinted = design.slow_games.filter(|_| place >= series.ms.len());
                let (games, cut) = (unprinted.unwrap_or(design.games), design.cut.unwrap_or(u64::MAX));
                let solo = Solo { game, agent: fill(&series.agent), games, cut, seed: self.seed_of(&key) };
                let (mode, what) = ("printed".into(), key.clone());
                jobs.push(Job { key, what, row, mode, repeat: None, scaled: false, work: Work::Solo(solo) });
            }
        }
        Ok(jobs)
    }

    /// The seed of a job's random streams.
    fn seed_of(&self, key: &str) -> u64 {
        // Seeds are written in records, so they should be short.
        key.bytes().fold(mix(self.seed), |seed, byte| mix(seed ^ u64::from(byte))) >> 32
    }
}

impl Row {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> String {
        let of_two = || if self.first_seat { self.a.clone() } else { format!("{} v {}", self.a, self.b) };
        self.what.clone().unwrap_or_else(of_two)
    }

    fn plays_nothing(&self) -> bool {
        self.cannot.is_some() && self.a.is_empty() || self.waits.is_some()
    }
}

/// Whether a named agent has this mode.
fn has_mode(agents: &Catalogue, agent: &Spec, mode: &str) -> bool {
    let entry = agents.entries().find(|entry| entry.token() == agent.kind);
    entry.is_some_and(|entry| entry.specs.iter().any(|spec| spec.mode.name() == mode))
}

/// An agent with arguments, and a mode, put over its own.
fn put_over(agent: Spec, over: &str, mode: Option<&str>) -> Result<Spec, String> {
    let named = |mode: &str| Argument::Spec(Spec { kind: mode.to_owned(), arguments: Vec::new() });
    let mode = mode.filter(|mode| *mode != "printed").map(|mode| ("mode".to_owned(), named(mode)));
    let agent = agent.with(mode.into_iter().collect());
    if over.is_empty() {
        return Ok(agent);
    }
    let more = Spec::parse(&format!("over({over})")).map_err(|error| error.to_string())?;
    Ok(agent.with(more.arguments))
}

/// What the players of a row lack, if it can be made.
fn waiting(agents: &Catalogue, spec: &GameSpec, players: &[Spec]) -> Result<Option<String>, String> {
    let mut lacking: Vec<String> = Vec::new();
    for player in players {
        let untrained = agents.entries().find(|entry| entry.token() == player.kind && entry.needs.is_some());
        match (untrained, agents.seat(spec, &player.to_string(), 0)) {
            (Some(_), Err(SpecError::Unusable { .. })) if !lacking.contains(&player.kind) => {
                lacking.push(player.kind.clone());
            }
            (Some(_), _) | (None, Ok(_)) => {}
            (None, Err(error)) => return Err(format!("{player}: {error}")),
        }
    }
    Ok((!lacking.is_empty()).then(|| format!("{WEIGHTS}{}", lacking.join(AND))))
}
