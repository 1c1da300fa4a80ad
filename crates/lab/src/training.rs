//! Training: from a recipe to weights whose strength is measured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quintet_arena::{Length, Plan};
use quintet_eval::{Argument, Weights};
use quintet_game::GameSpecError;
use quintet_learn::{LearnError, Progress, Recipe, Run, TrainContext, Trial, replace};

use crate::lock::{Lock, LockError};
use crate::store_games::StoreGames;

/// The strength of weights that have not been tried.
pub(crate) const NOT_MEASURED: &str = "not measured";

/// A recipe with the changes that are asked for. They name the folder of the run and the command that repeats it, whoever asks: so each face continues the runs of the others.
///
/// ```
/// use quintet_lab::TrainingRequest;
/// use quintet_learn::Recipes;
///
/// let recipe = Recipes::embedded().find("pathwayz:td52").unwrap().clone();
/// let request = TrainingRequest::new(recipe, 7).games(100)?.set("eta", "0.0005")?;
/// assert_eq!(request.folder_name(), "train-pathwayz-td52-7-eta=0.0005-games=100");
/// assert_eq!(request.command(), "quintet train pathwayz:td52 --games 100 --set eta=0.0005 --seed 7");
/// # Ok::<(), quintet_learn::LearnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrainingRequest {
    recipe: Recipe,
    seed: u64,
    games: Option<u64>,
    set: Vec<(String, String)>,
    from_store: Option<StoreGames>,
    commit: String,
}

impl TrainingRequest {
    /// A recipe as it stands.
    #[must_use]
    pub fn new(recipe: Recipe, seed: u64) -> TrainingRequest {
        TrainingRequest { recipe, seed, games: None, set: Vec::new(), from_store: None, commit: String::new() }
    }

    /// This many games, in place of the recipe's own number.
    ///
    /// # Errors
    /// When that makes no sense to the pipeline.
    pub fn games(self, games: u64) -> Result<TrainingRequest, LearnError> {
        let recipe = self.recipe.with("games", &games.to_string())?;
        Ok(TrainingRequest { recipe, games: Some(games), ..self })
    }

    /// Another parameter of the recipe.
    ///
    /// # Errors
    /// When that makes no sense to the pipeline.
    pub fn set(mut self, key: &str, value: &str) -> Result<TrainingRequest, LearnError> {
        self.set.push((key.to_owned(), value.to_owned()));
        Ok(TrainingRequest { recipe: self.recipe.with(key, value)?, ..self })
    }

    /// Learn from games of the store: [`StoreGames::copy`] puts them into the folder of the run.
    #[must_use]
    pub fn from_store(self, games: StoreGames) -> TrainingRequest {
        TrainingRequest { from_store: Some(games), ..self }
    }

    /// The commit of the program, which the weights name.
    #[must_use]
    pub fn commit(self, commit: String) -> TrainingRequest {
        TrainingRequest { commit, ..self }
    }

    /// The folder of the run in `runs/` of a data directory.
    #[must_use]
    pub fn folder_name(&self) -> String {
        let mut name = format!("train-{}-{}-{}", self.recipe.game, self.recipe.name, self.seed);
        let mut changes: Vec<String> = self.set.iter().map(|(key, value)| format!("{key}={value}")).collect();
        changes.extend(self.games.map(|games| format!("games={games}")));
        changes.extend(self.from_store.map(|games| format!("from={games}")));
        for change in changes {
            name.push('-');
            name.extend(change.chars().map(|c| if c.is_ascii_alphanumeric() || ".=".contains(c) { c } else { '_' }));
        }
        name
    }

    /// The command that repeats it.
    #[must_use]
    pub fn command(&self) -> String {
        let mut command = format!("quintet train {}", self.recipe.token());
        if let Some(games) = self.games {
            command += &format!(" --games {games}");
        }
        for (key, value) in &self.set {
            command += &format!(" --set {key}={value}");
        }
        if let Some(games) = self.from_store {
            command += &format!(" --from-store={games}");
        }
        command + &format!(" --seed {}", self.seed)
    }
}

/// A training run in its folder: it learns step by step, and then plays the trials of its recipe.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_game::Stop;
/// use quintet_lab::{Training, TrainingRequest};
/// use quintet_learn::{Recipes, TrainContext};
///
/// let folder = std::env::temp_dir().join(format!("quintet-training-doc-{}", std::process::id()));
/// let request = TrainingRequest::new(Recipes::embedded().find("pathwayz:td52").unwrap().clone(), 1).games(50)?;
/// let mut training = Training::begin(request, &folder)?;
/// let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &Stop::never() };
/// assert!(training.learn(&context, &mut |_| {})?);
/// assert!(training.write()?.ends_with("td52.toml"));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Training {
    recipe: Recipe,
    run: Run,
    /// Held as long as it may write.
    _lock: Lock,
}

/// What was learned, and how strong it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    /// The file that holds it.
    pub file: PathBuf,
    /// Its score against each opponent, in words.
    pub strength: String,
}

impl Trained {
    /// The score of the last trial, in percent; none where nothing was tried.
    ///
    /// ```
    /// use quintet_lab::Trained;
    /// let strength = "after stage 1 61.2 % (56.4-66.0) of 400 games against a; 72.5 % (68.0-77.0) of 400 games against b";
    /// assert_eq!(Trained { file: "x.toml".into(), strength: strength.into() }.score(), Some(72.5));
    /// ```
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.strength.rsplit("; ").next()?.split_once(" %")?.0.parse().ok()
    }
}

/// Of several trainings of one recipe, the one whose last score is the median, the lower one of two in the middle; the first of equals. Its place in the list.
///
/// ```
/// use quintet_lab::median;
/// assert_eq!(median(&[Some(60.0), Some(75.0), Some(55.5), Some(62.0), Some(60.0)]), Some(0));
/// assert_eq!(median(&[Some(60.0), None]), None);
/// ```
#[must_use]
pub fn median(scores: &[Option<f64>]) -> Option<usize> {
    let mut ranked: Vec<(f64, usize)> =
        scores.iter().enumerate().map(|(at, score)| score.map(|score| (score, at))).collect::<Option<_>>()?;
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middle = ranked.get(ranked.len().checked_sub(1)? / 2)?.0;
    scores.iter().position(|score| *score == Some(middle))
}

/// Why a training run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// Its folder cannot be used, or it cannot learn.
    #[error(transparent)]
    Run(#[from] quintet_learn::TrainingRunError),
    /// A trial names an unknown game.
    #[error(transparent)]
    Game(#[from] GameSpecError),
    /// A trial cannot be played.
    #[error(transparent)]
    Trial(#[from] quintet_arena::RunError),
    /// Somebody else is working in its folder.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl Training {
    /// Begins a run in a folder, or continues the same run if the folder holds it.
    ///
    /// # Errors
    /// When the folder cannot be used or holds another run, or somebody is working in it: [`TrainingError::Lock`] says who.
    pub fn begin(request: TrainingRequest, folder: &Path) -> Result<Training, TrainingError> {
        let command = request.command();
        let TrainingRequest { mut recipe, seed, from_store, commit, .. } = request;
        if from_store.is_some() {
            // What JSON takes for a text, a recipe does too.
            let file = serde_json::Value::from(StoreGames::file(folder).display().to_string());
            recipe = recipe.with("from", &file.to_string()).map_err(quintet_learn::TrainingRunError::from)?;
        }
        let lock = lock(folder, &recipe)?;
        let run = Run::open(folder, &recipe, seed, &command, &commit)?;
        Ok(Training { recipe, run, _lock: lock })
    }

    /// Continues the run that a folder holds, with the parameters that it was begun with. `recipe` is the one that its [`quintet_learn::Config`] names.
    ///
    /// # Errors
    /// When the folder holds no run, cannot be used, or somebody is working in it: [`TrainingError::Lock`] says who.
    pub fn resume(mut recipe: Recipe, folder: &Path) -> Result<Training, TrainingError> {
        let config = Run::config_of(folder)?;
        (recipe.kind, recipe.with) = (config.kind, config.with);
        let lock = lock(folder, &recipe)?;
        let run = Run::open(folder, &recipe, config.seed, &config.command, &config.commit)?;
        Ok(Training { recipe, run, _lock: lock })
    }

    /// What is learned, with the parameters of this run.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// How far learning has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.run.progress()
    }

    /// Where it works.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.run.path()
    }

    /// Learns to the end; false when it was stopped before. `heard` is called after each step, when its state is kept.
    ///
    /// # Errors
    /// When a step fails, or its state cannot be kept.
    pub fn learn(&mut self, context: &TrainContext, heard: &mut dyn FnMut(&Progress)) -> Result<bool, TrainingError> {
        while !self.run.progress().finished() {
            match self.run.step(context) {
                Ok(()) => heard(&self.run.progress()),
                Err(quintet_learn::TrainingRunError::Learning(LearnError::Stopped)) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Writes what was learned into the folder, unless it is there already; its file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self) -> Result<PathBuf, TrainingError> {
        let (file, text) = self.product(NOT_MEASURED);
        if !file.exists() {
            replace(&file, &text)?;
        }
        Ok(file)
    }

    /// Writes what was learned into the folder, plays the trials of the recipe, and writes it again with its strength; `None` when it was stopped before.
    /// Weights that were measured before are left as they are. `heard` is called when a trial begins and after each of its games, with the number of games so far.
    ///
    /// # Errors
    /// When the file cannot be written, or a trial not be played.
    pub fn measure(
        &self,
        context: &TrainContext,
        heard: &mut dyn FnMut(&Trial, u64),
    ) -> Result<Option<Trained>, TrainingError> {
        let (file, text) = self.product(NOT_MEASURED);
        if let Some(strength) = known_strength(&file, &text) {
            return Ok(Some(Trained { file, strength }));
        }
        replace(&file, &text)?;
        let (mut scores, mut of_stages) = (Vec::new(), BTreeMap::<PathBuf, Vec<String>>::new());
        for trial in &self.recipe.test {
            let stage = trial.stage.map(|stage| self.run.path().join(format!("stages/{stage}.toml")));
            if stage.as_ref().is_some_and(|stage| !stage.exists()) {
                continue;
            }
            let Some(score) = self.score(trial, stage.as_ref().unwrap_or(&file), context, heard)? else {
                return Ok(None);
            };
            if let (Some(number), Some(stage)) = (trial.stage, stage) {
                scores.push(format!("after stage {number} {score}"));
                of_stages.entry(stage).or_default().push(score);
            } else {
                scores.push(score);
            }
        }
        for (stage, scores) in of_stages {
            tell_strength(&stage, &scores.join("; "))?;
        }
        let strength = if scores.is_empty() { NOT_MEASURED.to_owned() } else { scores.join("; ") };
        replace(&file, &self.product(&strength).1)?;
        Ok(Some(Trained { file, strength }))
    }

    /// The file of what was learned, and its text.
    fn product(&self, strength: &str) -> (PathBuf, String) {
        let (ending, text) = self.run.text(strength.to_owned());
        (self.run.path().join(format!("{}.{ending}", self.recipe.name)), text)
    }

    /// Plays a trial; its result in words, `None` when it was stopped.
    fn score(
        &self,
        trial: &Trial,
        file: &Path,
        context: &TrainContext,
        heard: &mut dyn FnMut(&Trial, u64),
    ) -> Result<Option<String>, TrainingError> {
        let weights = Argument::Text(file.display().to_string()).to_string();
        let [agent, against] = [&trial.agent, &trial.against].map(|spec| spec.replace('$', &weights));
        let game = trial.spec.as_deref().unwrap_or(self.recipe.game);
        let mut plan = Plan::duel(game, [&agent, &against], Length::Games(trial.games))?;
        (plan.opening_plies, plan.seed) = (trial.openings, self.run.config().seed);
        let mut done = 0;
        heard(trial, done);
        let TrainContext { agents, threads, stop } = *context;
        let results = quintet_arena::run(&plan, agents, Vec::new(), threads, stop, &mut |_| {
            done += 1;
            heard(trial, done);
            Ok(())
        })?;
        let score = || format!("{} of {} games against {}", results.wdl(0, 1).percent(), trial.games, trial.against);
        Ok(results.is_complete().then(score))
    }
}

/// Makes this process the one that works in the folder of a run.
fn lock(folder: &Path, recipe: &Recipe) -> Result<Lock, LockError> {
    Lock::take(&folder.join("lock"), &format!("training of {}", recipe.token()))
}

/// The strength that a file of weights tells, if it holds the same weights as `text` and they were measured.
fn known_strength(file: &Path, text: &str) -> Option<String> {
    let known = Weights::parse(&std::fs::read_to_string(file).ok()?).ok()?;
    let same = Weights::parse(text).is_ok_and(|weights| weights.checksum() == known.checksum());
    (same && known.made.strength != NOT_MEASURED).then_some(known.made.strength)
}

/// Writes a file of weights again with its strength.
fn tell_strength(file: &Path, strength: &str) -> Result<(), quintet_learn::TrainingRunError> {
    let unreadable = |why| quintet_learn::TrainingRunError::File { path: file.to_owned(), why };
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    let mut weights = Weights::parse(&text).map_err(|error| unreadable(std::io::Error::other(error)))?;
    weights.made.strength = strength.to_owned();
    replace(file, &weights.to_text())
}

/// Puts a file of weights where agents find it by name, before the one that comes with the program; its path.
///
/// ```
/// let data = std::env::temp_dir().join(format!("quintet-install-{}", std::process::id()));
/// let weights = "the text of a file that a training run has left";
/// let file = quintet_lab::install(&data, "pylos", "mine.toml", weights).unwrap();
/// assert_eq!(file, data.join("weights/pylos/mine.toml")); // for agents: pylos-20(weights=pylos:mine)
/// # std::fs::remove_dir_all(&data).unwrap();
/// ```
///
/// # Errors
/// When it cannot be written.
pub fn install(data: &Path, game: &str, name: &str, text: &str) -> Result<PathBuf, quintet_learn::TrainingRunError> {
    let folder = data.join("weights").join(game);
    let unusable = |why| quintet_learn::TrainingRunError::File { path: folder.clone(), why };
    std::fs::create_dir_all(&folder).map_err(unusable)?;
    let file = folder.join(name);
    replace(&file, text)?;
    Ok(file)
}
