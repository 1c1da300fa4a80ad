//! Temporal difference learning, as the Pathwayz paper has it, for the weights of any game's features.
//!
//! The student plays games as a reflex player: the best move by the value of the board after it, now and then another of the best few.
//! From each board s after a move of its own to the next s', or to the end, its weights move by eta (V(s') - V(s)) f(s), at the end by
//! eta (U - V(s)) f(s): V is the sum of weights times features, U the utility of the ending. The paper prints no formula; this is the plain
//! reading of its sentences, the mode `printed`. `boards = "before"` learns the values of the boards on which the student is to move instead.
//! The mode `as-programmed` is the update of its authors' program, eta (V(s') + 2 U - V(s)) f(s) on those boards: V of the last board counts at the end, so
//! nothing anchors the values.
//! With `lambda` above 0 older positions share in it: f(s) becomes the sum of all earlier ones, each decayed by that factor per turn.
//!
//! After a good block of games the opponent takes the student's weights, after a bad one it is a weaker agent; a last stage is played
//! against one agent and without exploration. With `then` all of that comes again with other parameters, such as more features, from the
//! weights so far. Instead of playing, it can also learn from records.

mod lesson;
mod recipe;
mod student;

use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_eval::{Made, Weights};
use quintet_game::bits::mix;
use quintet_game::{GameSpec, Player, Rng, SeedableRng, with_game};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::share::banded;
use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, Step, TrainContext};
use lesson::{Lesson, Rival};
use recipe::{Parameters, Source};
use student::{Student, Taught, student};

/// The pipeline of a recipe.
pub(crate) fn start(recipe: &Recipe, seed: u64, state: Option<Value>) -> Result<Box<dyn Pipeline>, LearnError> {
    let rounds = Parameters::rounds(recipe)?;
    let spec = rounds[0].spec.as_deref().unwrap_or(recipe.game);
    let spec = GameSpec::parse(spec).map_err(|error| LearnError::Recipe(error.to_string()))?;
    if spec.info().name != recipe.game {
        return Err(LearnError::Recipe(format!("the recipe is for {}, not for {spec}.", recipe.game)));
    }
    with_game!(spec, |game| Begin { spec, rounds, seed, state }.visit(game))
}

struct Begin {
    spec: GameSpec,
    rounds: Vec<Parameters>,
    seed: u64,
    state: Option<Value>,
}

impl Begin {
    fn visit<G: Taught>(self, game: G) -> Result<Box<dyn Pipeline>, LearnError> {
        let Begin { spec, rounds, seed, state } = self;
        // Every round is looked at, so that a mistake in the last is told before the first begins.
        let mut students = rounds.iter().map(|round| pupil(&game, round)).collect::<Result<Vec<_>, _>>()?;
        let kept: Option<SavedState> = state.map(serde_json::from_value).transpose()?;
        let round = kept.as_ref().map_or(0, |kept| kept.counts.round);
        if round >= rounds.len() {
            let why = format!("the saved state is in round {}, and there are {}.", round + 1, rounds.len());
            return Err(LearnError::Recipe(why));
        }
        let mut student = students.swap_remove(round);
        let mut rival = None;
        let counts = match kept {
            None => Counts { opponent: rounds[0].opponent.clone(), ..Counts::default() },
            Some(kept) => {
                student.restore(&kept.weights)?;
                if let Some(weights) = &kept.rival {
                    let mut twin = student.twin();
                    twin.restore(weights)?;
                    rival = Some(twin);
                }
                kept.counts
            }
        };
        let (parameters, records) = (rounds[round].clone(), Vec::new());
        Ok(Box::new(Td { spec, game: Arc::new(game), rounds, parameters, seed, student, rival, counts, records }))
    }
}

/// The student of a round, with the evaluation's own weights.
fn pupil<G: Taught>(game: &G, round: &Parameters) -> Result<Box<dyn Student<G>>, LearnError> {
    student(game, &round.features, &round.only, round.unit)
}

/// Its progress, apart from the weights.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counts {
    /// The round, and the games of those before it.
    #[serde(default)]
    round: usize,
    #[serde(default)]
    before: u64,
    /// Stages that are over.
    #[serde(default)]
    stages: u32,
    /// Games played, or read, in this round.
    games: u64,
    /// Whether it has its first weights.
    begun: bool,
    /// The opponent, in words.
    opponent: String,
    /// Games of the block so far, and wins among them.
    block: u64,
    wins: u64,
    /// Changes of the block so far, and the sum of their absolute errors.
    turns: u64,
    errors: f64,
    /// The win rate of the last whole block.
    rate: Option<f64>,
    /// Blocks of the last stage in a row that went well.
    good: u32,
    /// The last stage ended early.
    over: bool,
}

/// The whole state.
#[derive(Serialize, Deserialize)]
struct SavedState {
    counts: Counts,
    weights: Value,
    /// The weights that the opponent took over.
    rival: Option<Value>,
}

struct Td<G: Taught> {
    spec: GameSpec,
    game: Arc<G>,
    rounds: Vec<Parameters>,
    /// Those of the present round.
    parameters: Parameters,
    seed: u64,
    student: Box<dyn Student<G>>,
    /// The opponent, if it uses earlier weights of the student.
    rival: Option<Box<dyn Student<G>>>,
    counts: Counts,
    /// The lines of the file to learn from, once it is read.
    records: Vec<String>,
}

/// Games per step, which is all that a kill can lose. In the last stage the opponent takes longer.
const GAMES_PER_STEP: u64 = 50;
const GAMES_PER_LAST_STEP: u64 = 10;

/// The opponent that is an earlier version of the student.
const SELF: &str = "self";

impl<G: Taught> Td<G> {
    /// Whether it is in the last stage.
    fn last(&self) -> bool {
        self.counts.games >= self.parameters.games
    }

    /// Games of all rounds so far.
    fn done(&self) -> u64 {
        self.counts.before + self.counts.games
    }

    /// Whether the present round is over.
    fn round_is_over(&self) -> bool {
        self.counts.over || self.counts.games >= self.parameters.all_games()
    }

    /// Goes over to the next round, which begins with the weights so far.
    fn next_round(&mut self) -> Result<(), LearnError> {
        let counts = &self.counts;
        let (round, before, stages) = (counts.round + 1, self.done(), counts.stages);
        self.parameters = self.rounds[round].clone();
        let mut student = pupil(&*self.game, &self.parameters)?;
        student.begin_with(&self.student.product());
        self.student = student;
        self.rival = None;
        let opponent = self.parameters.opponent.clone();
        self.counts = Counts { round, before, stages, opponent, ..Counts::default() };
        Ok(())
    }

    fn block(&self) -> u64 {
        if self.last() { self.parameters.last_block } else { self.parameters.block }
    }

    /// The first weights, and the first opponent's.
    fn begin(&mut self, agents: &Catalogue) -> Result<(), LearnError> {
        match self.parameters.start.as_str() {
            _ if self.counts.round > 0 => {}
            "hand" => {}
            "zero" => self.student.begin_with(&Weights::new("nothing", Made::default())),
            name => self.student.begin_with(&*agents.weight_store().weights(name)?),
        }
        if self.counts.opponent == SELF {
            self.rival = Some(self.student.twin());
        }
        self.counts.begun = true;
        Ok(())
    }

    /// Plays the next game and learns from it.
    fn play(&mut self, agents: &Catalogue) -> Result<(), LearnError> {
        let number = self.done();
        let chances = |seat: u64| mix(mix(self.seed ^ mix(number)) ^ seat);
        let rival = match &self.rival {
            Some(rival) => Rival::Twin(rival.as_ref()),
            None => {
                let (search, limit) = agents.search(&self.spec, &self.counts.opponent, chances(1))?;
                Rival::Agent(search, limit)
            }
        };
        let last = self.last();
        let eta = if last { self.parameters.last_eta } else { self.parameters.eta };
        let top = if last { 1 } else { self.parameters.top };
        let mut lesson = Lesson::new(self.game.clone(), &self.parameters, eta, self.student.as_mut());
        let seat = Player::BOTH[(number % 2) as usize];
        let won = lesson.play(seat, top, rival, &mut Rng::seed_from_u64(chances(0)));
        let (turns, errors) = lesson.errors();
        self.counts.wins += u64::from(won);
        self.count(turns, errors);
        Ok(())
    }

    /// Learns from the next record.
    fn read(&mut self, source: &Source) -> Result<(), LearnError> {
        if self.records.is_empty() {
            self.records = source.read()?;
        }
        let at = (self.counts.games % self.records.len() as u64) as usize;
        let eta = self.parameters.eta;
        let mut lesson = Lesson::new(self.game.clone(), &self.parameters, eta, self.student.as_mut());
        lesson.read(&self.spec, &self.records[at]).map_err(|why| {
            LearnError::Outside(format!("{source}, game {}: {why} Remove it, or name another file.", at + 1))
        })?;
        let (turns, errors) = lesson.errors();
        self.count(turns, errors);
        Ok(())
    }

    fn count(&mut self, turns: u64, errors: f64) {
        self.counts.games += 1;
        self.counts.block += 1;
        self.counts.turns += turns;
        self.counts.errors += errors;
    }

    /// Closes a finished block: its metrics, and the choice of the next opponent.
    fn end_block(&mut self, stage_is_last: bool) -> Metric {
        let done = self.done();
        let counts = &mut self.counts;
        let mut values = vec![("td error".to_owned(), counts.errors / counts.turns.max(1) as f64)];
        let share = counts.wins as f64 / counts.block as f64;
        if self.parameters.from.is_none() {
            values.extend(banded("win rate", share, counts.block as f64));
            counts.rate = Some(share);
        }
        let shown = self.student.largest().into_iter();
        values.extend(shown.map(|(name, weight)| (format!("weight/{name}"), weight)));
        let mut metric = Metric::new(done, values);
        (counts.block, counts.wins, counts.turns, counts.errors) = (0, 0, 0, 0.0);
        if self.parameters.from.is_some() {
            return metric;
        }
        if stage_is_last {
            counts.good = if share >= self.parameters.rise { counts.good + 1 } else { 0 };
            counts.over = counts.good == 2;
            return metric;
        }
        let fall = self.parameters.fall.iter().rfind(|fall| self.parameters.falls(share, fall));
        if counts.games >= self.parameters.games {
            // The first stage is over.
        } else if share >= self.parameters.rise {
            counts.opponent = SELF.into();
            self.rival = Some(self.student.twin());
            metric.event = Some(format!("the opponent takes the weights of game {done}"));
        } else if let Some(fall) = fall
            && counts.opponent != fall.agent
        {
            counts.opponent.clone_from(&fall.agent);
            self.rival = None;
            metric.event = Some(format!("the opponent is {}", fall.agent));
        }
        metric
    }

    /// Goes over to the last stage's opponent.
    fn enter_last(&mut self) -> Option<Metric> {
        let agent = self.parameters.last.clone().filter(|_| self.counts.games < self.parameters.all_games())?;
        self.rival = None;
        let mut metric = Metric::new::<String>(self.done(), []);
        metric.event = Some(format!("last stage: the opponent is {agent}"));
        self.counts.opponent = agent;
        Some(metric)
    }
}

impl<G: Taught> Pipeline for Td<G> {
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError> {
        if self.round_is_over() && self.counts.round + 1 < self.rounds.len() {
            self.next_round()?;
        }
        if !self.counts.begun {
            self.begin(context.agents)?;
        }
        let was_last = self.last();
        let end = if was_last { self.parameters.all_games() } else { self.parameters.games };
        let most = if was_last { GAMES_PER_LAST_STEP } else { GAMES_PER_STEP };
        let games = most.min(self.block() - self.counts.block).min(end - self.counts.games.min(end));
        for _ in 0..games {
            context.go_on()?;
            match self.parameters.from.clone() {
                Some(source) => self.read(&source)?,
                None => self.play(context.agents)?,
            }
        }
        if !self.student.is_sane() {
            let why = "The weights have diverged. Choose a smaller eta (--set eta=…) or a smaller lambda.";
            return Err(LearnError::Outside(why.into()));
        }
        let mut step = Step::default();
        let block = if was_last { self.parameters.last_block } else { self.parameters.block };
        if self.counts.block == block || self.counts.games == end {
            step.metrics.push(self.end_block(was_last));
            step.snapshot = true;
        }
        let mut stage_is_over = self.round_is_over();
        if !was_last && self.last() {
            stage_is_over = true;
            step.metrics.extend(self.enter_last());
        }
        self.counts.stages += u32::from(stage_is_over);
        Ok(step)
    }

    fn progress(&self) -> Progress {
        let done = self.done();
        let here = if self.counts.over { self.counts.games } else { self.parameters.all_games() };
        let later: u64 = self.rounds[self.counts.round + 1..].iter().map(Parameters::all_games).sum();
        let total = self.counts.before + here + later;
        let says = match (&self.parameters.from, self.counts.rate) {
            (Some(source), _) => format!("from {source}"),
            (None, None) => format!("against {}", self.counts.opponent),
            (None, Some(rate)) => format!("win rate {:.0} %, against {}", 100.0 * rate, self.counts.opponent),
        };
        Progress { done, total, unit: "games", says }
    }

    fn save(&self) -> Value {
        let rival = self.rival.as_ref().map(|rival| rival.save());
        let kept = SavedState { counts: self.counts.clone(), weights: self.student.save(), rival };
        serde_json::to_value(kept).expect("numbers and texts always serialize")
    }

    fn stages(&self) -> u32 {
        self.counts.stages
    }

    fn product(&self) -> Product {
        let mut weights = self.student.product();
        weights.made = Made { games: self.done(), ..weights.made };
        if self.rounds.len() > 1 {
            weights.made.notes.insert("stages".into(), self.counts.stages.to_string());
        }
        Product::Weights(weights)
    }
}
