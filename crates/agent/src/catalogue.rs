//! The catalogue of named agents: `pathwayz:beam` stands for a spec in `data/agents/pathwayz.toml`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use quintet_data::{Data, DataError};
use quintet_eval::{Argument, Spec, SpecError, WeightStore};
use quintet_game::{AnyGame, GAMES, GameSpec, Limit};
use quintet_search::Search;
use serde::Deserialize;

use crate::build::{Built, built_of, read_limit};
use crate::game::AgentGame;
use crate::kinds::LIMITS;
use crate::levels::{self, Level};
use crate::prove::{Prover, Provers, TableProver, provers_with};
use crate::seat::{Seat, seat_for, seat_of};
use crate::{book, exact, memory_cap};

/// Which version of a paper's agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// What the paper says.
    Printed,
    /// What the authors' public program does.
    AsProgrammed,
}

impl Mode {
    /// `printed` or `as-programmed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Printed => "printed",
            Mode::AsProgrammed => "as-programmed",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A named agent.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The game's name.
    pub game: &'static str,
    /// The name within the game.
    pub name: String,
    /// The paper that it comes from, and where in it.
    pub paper: String,
    /// The section of the paper.
    pub section: String,
    /// What it does, in one sentence.
    pub about: String,
    /// Its specs by mode; the default mode first.
    pub specs: Vec<ModeSpec>,
    /// The command that makes what it needs before it can play, if something is missing.
    pub needs: Option<String>,
    /// The file that it was read from; `None` if it is built in.
    pub source: Option<PathBuf>,
}

/// The spec of a name in one mode.
#[derive(Clone, Debug)]
pub struct ModeSpec {
    /// The mode.
    pub mode: Mode,
    /// The agent.
    pub spec: Spec,
    /// Its default limit.
    pub limit: Option<Limit>,
}

impl Entry {
    /// The token that names it: `pathwayz:beam`.
    #[must_use]
    pub fn token(&self) -> String {
        format!("{}:{}", self.game, self.name)
    }

    /// The kind of its search, in its default mode.
    #[must_use]
    pub fn search(&self) -> &str {
        &self.specs[0].spec.kind
    }

    /// Its evaluation, in its default mode.
    #[must_use]
    pub fn eval(&self) -> Option<String> {
        let eval = self.specs[0].spec.arguments.iter().find(|(key, _)| key == "eval")?;
        Some(eval.1.to_string())
    }
}

/// An agent with all names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedAgent {
    /// Its spec.
    pub spec: Spec,
    /// The catalogue's limit, which applies when nothing else limits it.
    default: Option<Limit>,
    /// The game for which it was resolved.
    game: GameSpec,
}

impl ResolvedAgent {
    /// The same with at most this many MiB for tables and trees in all, whatever the spec says. The lists of moves and positions of
    /// single nodes come on top: a few MiB on the largest boards.
    #[must_use]
    pub fn within(self, most: u64) -> ResolvedAgent {
        ResolvedAgent { spec: memory_cap::within(self.spec, &self.game, most), ..self }
    }

    /// The catalogue's limit, which applies when nothing else limits it.
    #[must_use]
    pub fn default_limit(&self) -> Option<Limit> {
        self.default
    }

    /// The most MiB that its tables and trees may take in all, as its spec and the defaults of its kinds say.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::GameSpec;
    /// let spec = GameSpec::parse("pylos").unwrap();
    /// let most = |agent: &str| Catalogue::embedded().resolve_agent(&spec, agent).unwrap().memory();
    /// assert_eq!((most("mcts"), most("mcts(memory=64)"), most("random")), (512, 64, 0));
    /// ```
    #[must_use]
    pub fn memory(&self) -> u64 {
        memory_cap::most(&self.spec, &self.game)
    }

    /// Builds it.
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn seat(&self, agents: &Catalogue, spec: &GameSpec, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
        seat_of(spec, &self.spec, self.default, seed, &agents.store)
    }
}

/// All named agents.
///
/// ```
/// use quintet_agent::Catalogue;
/// let entry = Catalogue::embedded().entries().find(|entry| entry.token() == "pathwayz:adv-baseline").unwrap();
/// assert_eq!((entry.search(), entry.eval().unwrap().as_str()), ("greedy", "longest-path(opponent=-0.4)"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
    levels: Vec<Level>,
    store: WeightStore,
}

/// The most names that may refer to names.
const DEEPEST: u32 = 8;

/// The strongest agent of every game: alone, the name means that of the game at hand.
pub(crate) const CHAMPION: &str = "champion";

impl Catalogue {
    /// The built-in agents.
    #[must_use]
    pub fn embedded() -> &'static Catalogue {
        static EMBEDDED_CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        EMBEDDED_CATALOGUE
            .get_or_init(|| Catalogue::with_data(Data::embedded()).expect("a test reads every embedded file"))
    }

    /// The agents, levels and weights of a data directory, and the built-in ones: see [`Catalogue::with_data`].
    ///
    /// # Errors
    /// When a file cannot be read or is invalid.
    pub fn with_folder(data: &Path) -> Result<Catalogue, DataError> {
        Catalogue::with_data(Data::with_directory(data))
    }

    /// The built-in agents and the user's of `agents/GAME.toml`, which replace built-in ones of the same name; levels of
    /// `levels/GAME.toml` likewise; the user's weights take precedence. Missing files are not errors.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use quintet_agent::Catalogue;
    /// use quintet_data::Data;
    /// let mine = "[[agent]]\nname = \"mine\"\nprinted = \"random\"\n";
    /// let data = Data::with_source(move |path: &str| Ok((path == "agents/pylos.toml").then_some(Cow::Borrowed(mine.as_bytes()))));
    /// let agents = Catalogue::with_data(data).unwrap();
    /// assert!(agents.entries().any(|entry| entry.token() == "pylos:mine"));
    /// ```
    ///
    /// # Errors
    /// When a file cannot be read or is invalid.
    pub fn with_data(data: Data) -> Result<Catalogue, DataError> {
        let mut catalogue = Catalogue::default();
        let games = GAMES.iter().map(|info| info.name);
        data.each("agents", games.clone(), "toml", |game, text, source| catalogue.add(game, text, source))?;
        data.each("levels", games, "toml", |game, text, source| {
            levels::add(&mut catalogue.levels, game, text, source)
        })?;
        catalogue.store = WeightStore::new(data);
        Ok(catalogue)
    }

    /// All agents, game by game.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The levels of all games, the weakest of a game first.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// assert_eq!(Catalogue::embedded().levels().filter(|level| level.game == "pylos").count(), 8);
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter()
    }

    /// The sources of exact values: tables of the data directory first, then those that need no files.
    #[must_use]
    pub fn provers(&self) -> Provers {
        let data = self.store.data();
        let tables = data.directory().map(|data| data.join("tables")).filter(|folder| folder.is_dir());
        let tables = tables.map(|folder| Arc::new(TableProver::new(&folder)) as Arc<dyn Prover>);
        tables.into_iter().chain(provers_with(data)).collect()
    }

    /// Builds the agent that `agent` names for a game; `seed` determines all its random choices.
    ///
    /// # Errors
    /// When the spec is malformed or names something unknown or not ready; the error lists what is known, or says what to do.
    pub fn seat(&self, spec: &GameSpec, agent: &str, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
        let (agent_spec, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        seat_of(spec, &agent_spec, default, seed, &self.store)
    }

    /// The same for a game of your own, registered or not. Outside engines play only registered games.
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn seat_for<G: AgentGame>(
        &self,
        spec: &GameSpec,
        game: Arc<G>,
        agent: &str,
        seed: u64,
    ) -> Result<Box<dyn Seat>, SpecError> {
        let (agent_spec, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        seat_for(spec, game, &agent_spec, default, seed, &self.store)
    }

    /// The agent of a spec or a name, with all names resolved: to be inspected, and perhaps changed, before it is built.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::GameSpec;
    /// let (spec, agents) = (GameSpec::parse("pylos").unwrap(), Catalogue::embedded());
    /// let agent = agents.resolve_agent(&spec, "mcts(memory=100000)").unwrap().within(64);
    /// assert_eq!(agent.spec.to_string(), "mcts(memory=64)");
    /// assert!(agent.seat(agents, &spec, 1).is_ok());
    /// ```
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn resolve_agent(&self, spec: &GameSpec, agent: &str) -> Result<ResolvedAgent, SpecError> {
        let (agent_spec, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        Ok(ResolvedAgent { spec: agent_spec, default, game: *spec })
    }

    /// The same for callers who know the type of the spec's game: a search and its default limit.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::{GameSpec, pylos::Pylos};
    /// let spec = GameSpec::parse("pylos").unwrap();
    /// let (_search, limit) = Catalogue::embedded().search::<Pylos>(&spec, "pylos:minimax", 1).unwrap();
    /// assert_eq!(limit.depth, Some(2));
    /// ```
    ///
    /// # Errors
    /// As [`Catalogue::seat`]; and for an outside engine, which is not typed.
    ///
    /// # Panics
    /// When the spec names a game of another type.
    pub fn search<G: AgentGame>(
        &self,
        spec: &GameSpec,
        agent: &str,
        seed: u64,
    ) -> Result<(Box<dyn Search<G>>, Limit), SpecError> {
        let (agent_spec, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        let built = built_of(spec, &agent_spec, default, seed, &self.store)?;
        let built: Box<Built<G>> = built.downcast().expect("the spec names a game of the requested type");
        let limit = built.limit(&Limit::default());
        Ok((built.search, limit))
    }

    /// Where its agents find their weights.
    #[must_use]
    pub fn weight_store(&self) -> &WeightStore {
        &self.store
    }

    /// The spec of `agent` with all names resolved: what a record of a game should store.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::GameSpec;
    /// let spec = GameSpec::parse("pylos").unwrap();
    /// let resolved = Catalogue::embedded().resolved(&spec, "pylos:ordered(depth=3)").unwrap();
    /// assert_eq!(resolved, "ordered(eval=difference,depth=3)");
    /// ```
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn resolved(&self, spec: &GameSpec, agent: &str) -> Result<String, SpecError> {
        Ok(self.resolve(spec, Spec::parse(agent)?, 0)?.0.to_string())
    }

    /// Names and checksums of all weights, books, tables and strategies that the agent uses: together with its spec, all that a record must store.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::GameSpec;
    /// let spec = GameSpec::parse("pylos").unwrap();
    /// assert_eq!(Catalogue::embedded().checksums(&spec, "pylos:ordered"), Ok(Vec::new()));
    /// ```
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn checksums(&self, spec: &GameSpec, agent: &str) -> Result<Vec<(String, String)>, SpecError> {
        let resolved = self.resolve(spec, Spec::parse(agent)?, 0)?.0;
        let mut found = self.store.checksums(&resolved, spec.info().name)?;
        if matches!(spec.rules(), AnyGame::Pylos(_)) && has_kind(&resolved, exact::KIND) {
            let unusable = |why: DataError| SpecError::Unusable { what: exact::KIND.into(), why: why.to_string() };
            found.extend(exact::checksums(spec, self.store.data()).map_err(unusable)?);
        }
        Ok(found)
    }

    /// Resolves a spec: names are replaced until a kind of search is left.
    fn resolve(&self, spec: &GameSpec, agent_spec: Spec, depth: u32) -> Result<(Spec, Option<Limit>), SpecError> {
        let here = spec.info();
        let (game, name) = match agent_spec.kind.split_once(':') {
            Some(named) => named,
            None if agent_spec.kind == CHAMPION => (here.name, CHAMPION),
            None => return self.resolve_asked(spec, agent_spec, depth),
        };
        if game == levels::LEVEL {
            let level = levels::find(&self.levels, spec, name)?;
            if depth == DEEPEST {
                return Err(SpecError::Unusable { what: level.token(), why: "refers to itself.".into() });
            }
            let (resolved, limit) = self.resolve(spec, level.spec.clone(), depth + 1)?;
            return Ok((resolved.with(agent_spec.arguments), limit));
        }
        if game != here.name && GAMES.iter().any(|info| info.name == game) {
            return Err(SpecError::Unusable {
                what: agent_spec.kind.clone(),
                why: format!("plays {game}, not {}.", here.name),
            });
        }
        let of_game = || self.entries.iter().filter(|entry| entry.game == here.name);
        let Some(entry) = of_game().find(|entry| entry.game == game && entry.name == name) else {
            let known: Vec<String> = of_game().map(Entry::token).collect();
            return Err(SpecError::UnknownKind {
                kind: agent_spec.kind.clone(),
                what: "an agent".into(),
                known: known.join(", "),
            });
        };
        let chosen = entry.choose(&agent_spec)?;
        if let Some(needs) = &entry.needs {
            let why = format!("has not been trained here yet. Make what it needs with: {needs}");
            return Err(SpecError::Unusable { what: entry.token(), why });
        }
        if depth == DEEPEST {
            return Err(SpecError::Unusable { what: entry.token(), why: "refers to itself.".into() });
        }
        let given = agent_spec.arguments.into_iter().filter(|(key, _)| key != "mode").collect::<Vec<_>>();
        let own_limit = !given.iter().any(|(key, _)| LIMITS.contains(&key.as_str()));
        let (agent_spec, inner) = self.resolve(spec, chosen.spec.clone(), depth + 1)?;
        Ok((agent_spec.with(given), chosen.limit.or(inner).filter(|_| own_limit)))
    }

    /// A book's other agent is resolved too, and its limit applies.
    fn resolve_asked(
        &self,
        spec: &GameSpec,
        mut agent_spec: Spec,
        depth: u32,
    ) -> Result<(Spec, Option<Limit>), SpecError> {
        let mut limit = None;
        let asks = agent_spec.kind == book::KIND;
        for (_, value) in agent_spec.arguments.iter_mut().filter(|(key, _)| asks && key == "agent") {
            if let Argument::Spec(asked) = value {
                (*asked, limit) = self.resolve(spec, asked.clone(), depth)?;
            }
        }
        Ok((agent_spec, limit))
    }

    fn add(&mut self, game: &'static str, text: &str, source: Option<&Path>) -> Result<(), String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        for written in file.agent {
            let name = written.name.clone();
            let entry = written.read(game, file.paper.as_deref(), source).map_err(|why| format!("{name}: {why}"))?;
            let namesake = self.entries.iter_mut().find(|known| known.game == game && known.name == name);
            match namesake {
                Some(known) => *known = entry,
                None => self.entries.push(entry),
            }
        }
        Ok(())
    }
}

/// Is it an agent of this kind, or is one within it?
fn has_kind(spec: &Spec, kind: &str) -> bool {
    let within = |value: &Argument| matches!(value, Argument::Spec(inner) if has_kind(inner, kind));
    spec.kind == kind || spec.arguments.iter().any(|(_, value)| within(value))
}

impl Entry {
    /// The spec of the mode that a spec asks for.
    fn choose(&self, asked: &Spec) -> Result<&ModeSpec, SpecError> {
        let Some((_, mode)) = asked.arguments.iter().find(|(key, _)| key == "mode") else { return Ok(&self.specs[0]) };
        let asked = mode.to_string();
        self.specs.iter().find(|spec| spec.mode.name() == asked).ok_or_else(|| {
            let known: Vec<&str> = self.specs.iter().map(|spec| spec.mode.name()).collect();
            SpecError::BadValue { key: format!("{}(mode", self.token()), value: asked, wanted: known.join(" or ") }
        })
    }
}

/// The format of a file of agents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    paper: Option<String>,
    #[serde(default)]
    agent: Vec<AgentEntry>,
}

/// The format of one agent in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AgentEntry {
    name: String,
    paper: Option<String>,
    #[serde(default)]
    section: String,
    #[serde(default)]
    about: String,
    printed: Option<String>,
    as_programmed: Option<String>,
    #[serde(default)]
    limit: Limits,
    needs: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Limits {
    printed: Option<String>,
    as_programmed: Option<String>,
}

impl AgentEntry {
    fn read(self, game: &'static str, paper: Option<&str>, source: Option<&Path>) -> Result<Entry, String> {
        let named = Spec::parse(&self.name).is_ok_and(|spec| spec.arguments.is_empty()) && !self.name.contains(':');
        if !named {
            return Err("a name has only letters, digits and - + . _".into());
        }
        let modes = [
            (Mode::Printed, self.printed, self.limit.printed),
            (Mode::AsProgrammed, self.as_programmed, self.limit.as_programmed),
        ];
        let mut specs = Vec::new();
        for (mode, text, limit) in modes {
            let Some(text) = text else { continue };
            let spec = Spec::parse(&text).map_err(|error| error.to_string())?;
            let limit = limit.map(|limit| read_default(&limit)).transpose().map_err(|error| error.to_string())?;
            specs.push(ModeSpec { mode, spec, limit });
        }
        if specs.is_empty() {
            return Err("it needs a spec: printed = \"…\", or as-programmed = \"…\", or both.".into());
        }
        Ok(Entry {
            game,
            name: self.name,
            paper: self.paper.or_else(|| paper.map(str::to_owned)).unwrap_or_default(),
            section: self.section,
            about: self.about,
            specs,
            needs: self.needs,
            source: source.map(Path::to_owned),
        })
    }
}

/// Reads a limit such as `time=50ms,depth=3`.
fn read_default(text: &str) -> Result<Limit, SpecError> {
    let spec = Spec::parse(&format!("limit({text})"))?;
    let mut arguments = spec.arguments();
    let limit = read_limit(&mut arguments)?;
    arguments.finish()?;
    Ok(limit)
}
