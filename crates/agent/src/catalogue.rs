//! The catalogue of named agents: `pathwayz:beam` stands for a spec that is written in `data/agents/pathwayz.toml`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use quintet_data::{Data, DataError};
use quintet_eval::{Argument, Spec, SpecError, WeightStore};
use quintet_game::{GAMES, GameSpec, Limit};
use quintet_search::Search;
use serde::Deserialize;

use crate::build::{Built, built_of, read_limit};
use crate::game::AgentGame;
use crate::kinds::LIMITS;
use crate::levels::{self, Level};
use crate::prove::{Prover, Provers, TableProver, provers_with};
use crate::seat::{Seat, seat_for, seat_of};
use crate::{book, memory_cap};

/// Which reading of a paper.
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
    /// What it does, in a sentence.
    pub about: String,
    /// What the name stands for, by mode; the default mode first.
    pub specs: Vec<ModeSpec>,
    /// The command that makes what it still needs before it can play.
    pub needs: Option<String>,
    /// The file that it was read from; none for those that come with the program.
    pub source: Option<PathBuf>,
}

/// What a name stands for in one mode.
#[derive(Clone, Debug)]
pub struct ModeSpec {
    /// The mode.
    pub mode: Mode,
    /// The agent.
    pub call: Spec,
    /// How long it thinks when nobody says.
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
        &self.specs[0].call.kind
    }

    /// Its evaluation, in its default mode.
    #[must_use]
    pub fn eval(&self) -> Option<String> {
        let eval = self.specs[0].call.arguments.iter().find(|(key, _)| key == "eval")?;
        Some(eval.1.to_string())
    }
}

/// An agent whose names have been looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedAgent {
    /// Its spec.
    pub call: Spec,
    /// The limit that the catalogue gives it where nothing else limits it.
    default: Option<Limit>,
}

impl ResolvedAgent {
    /// The same with at most so many MiB for tables and trees, whatever the spec asks for.
    #[must_use]
    pub fn within(self, most: u64) -> ResolvedAgent {
        ResolvedAgent { call: memory_cap::within(self.call, most), ..self }
    }

    /// Builds it.
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn seat(&self, agents: &Catalogue, spec: &GameSpec, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
        seat_of(spec, &self.call, self.default, seed, &agents.store)
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

/// Names stand for names no more often than this.
const DEEPEST: u32 = 8;

impl Catalogue {
    /// The agents that come with the program.
    #[must_use]
    pub fn embedded() -> &'static Catalogue {
        static EMBEDDED_CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        EMBEDDED_CATALOGUE
            .get_or_init(|| Catalogue::with_data(Data::embedded()).expect("a test reads every file that is embedded"))
    }

    /// The agents, levels and weights of a data directory, and those that come with the program: see [`Catalogue::with_data`].
    ///
    /// # Errors
    /// When a file cannot be read or says something that means nothing.
    pub fn with_folder(data: &Path) -> Result<Catalogue, DataError> {
        Catalogue::with_data(Data::with_directory(data))
    }

    /// The agents that come with the program and the user's of `agents/GAME.toml`, which stand in for namesakes; levels of `levels/GAME.toml`
    /// likewise; the user's weights are looked for first. What is not there is no fault.
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
    /// When a file cannot be read or says something that means nothing.
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

    /// Who knows exact values: tables of the data directory first, then those that need no files.
    #[must_use]
    pub fn provers(&self) -> Provers {
        let data = self.store.data();
        let tables = data.directory().map(|data| data.join("tables")).filter(|folder| folder.is_dir());
        let tables = tables.map(|folder| Arc::new(TableProver::new(&folder)) as Arc<dyn Prover>);
        tables.into_iter().chain(provers_with(data)).collect()
    }

    /// Builds the agent that `agent` names for a game; `seed` decides all its chances.
    ///
    /// # Errors
    /// When the spec is malformed or names something that there is not, or that is not ready; the error says what there is, or what to do.
    pub fn seat(&self, spec: &GameSpec, agent: &str, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
        let (call, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        seat_of(spec, &call, default, seed, &self.store)
    }

    /// The same for a game of your own, in the register or not. Outside engines play games of the register only.
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
        let (call, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        seat_for(spec, game, &call, default, seed, &self.store)
    }

    /// The agent that a spec or a name stands for, with all names looked up: to be looked at, and perhaps changed, before it is built.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_game::GameSpec;
    /// let (spec, agents) = (GameSpec::parse("pylos").unwrap(), Catalogue::embedded());
    /// let agent = agents.resolve_agent(&spec, "mcts(memory=100000)").unwrap().within(64);
    /// assert_eq!(agent.call.to_string(), "mcts(memory=64)");
    /// assert!(agent.seat(agents, &spec, 1).is_ok());
    /// ```
    ///
    /// # Errors
    /// As [`Catalogue::seat`].
    pub fn resolve_agent(&self, spec: &GameSpec, agent: &str) -> Result<ResolvedAgent, SpecError> {
        let (call, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        Ok(ResolvedAgent { call, default })
    }

    /// The same for callers who know the type of the spec's game: a search, and how long it thinks by itself.
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
    /// As [`Catalogue::seat`]; and for an outside engine, which knows no types.
    ///
    /// # Panics
    /// When the spec names a game of another type.
    pub fn search<G: AgentGame>(
        &self,
        spec: &GameSpec,
        agent: &str,
        seed: u64,
    ) -> Result<(Box<dyn Search<G>>, Limit), SpecError> {
        let (call, default) = self.resolve(spec, Spec::parse(agent)?, 0)?;
        let built = built_of(spec, &call, default, seed, &self.store)?;
        let built: Box<Built<G>> = built.downcast().expect("the spec names a game of the type that is asked for");
        let limit = built.limit(&Limit::default());
        Ok((built.search, limit))
    }

    /// Where its agents find their weights.
    #[must_use]
    pub fn weight_store(&self) -> &WeightStore {
        &self.store
    }

    /// The spec that `agent` stands for, with all names looked up: what a record of a game should keep.
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

    /// Name and checksum of all weights and books that the agent uses: with its spec, all that a record must keep of it.
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
        self.store.checksums(&self.resolve(spec, Spec::parse(agent)?, 0)?.0)
    }

    /// What a call stands for: names are replaced until a kind of search is left.
    fn resolve(&self, spec: &GameSpec, call: Spec, depth: u32) -> Result<(Spec, Option<Limit>), SpecError> {
        let Some((game, name)) = call.kind.split_once(':') else { return self.resolve_asked(spec, call, depth) };
        if game == levels::LEVEL {
            let level = levels::find(&self.levels, spec, name)?;
            if depth == DEEPEST {
                return Err(SpecError::Unusable { what: level.token(), why: "stands for itself.".into() });
            }
            let (resolved, limit) = self.resolve(spec, level.call.clone(), depth + 1)?;
            return Ok((resolved.with(call.arguments), limit));
        }
        let here = spec.info();
        if game != here.name && GAMES.iter().any(|info| info.name == game) {
            return Err(SpecError::Unusable {
                what: call.kind.clone(),
                why: format!("plays {game}, not {}.", here.name),
            });
        }
        let of_game = || self.entries.iter().filter(|entry| entry.game == here.name);
        let Some(entry) = of_game().find(|entry| entry.game == game && entry.name == name) else {
            let known: Vec<String> = of_game().map(Entry::token).collect();
            return Err(SpecError::UnknownKind {
                kind: call.kind.clone(),
                what: "an agent".into(),
                known: known.join(", "),
            });
        };
        let chosen = entry.choose(&call)?;
        if let Some(needs) = &entry.needs {
            let why = format!("has not been trained here yet. Make what it needs with: {needs}");
            return Err(SpecError::Unusable { what: entry.token(), why });
        }
        if depth == DEEPEST {
            return Err(SpecError::Unusable { what: entry.token(), why: "stands for itself.".into() });
        }
        let given = call.arguments.into_iter().filter(|(key, _)| key != "mode").collect::<Vec<_>>();
        let own_limit = !given.iter().any(|(key, _)| LIMITS.contains(&key.as_str()));
        let (call, inner) = self.resolve(spec, chosen.call.clone(), depth + 1)?;
        Ok((call.with(given), chosen.limit.clone().or(inner).filter(|_| own_limit)))
    }

    /// A book asks another agent: that one's name is looked up too, and its limit holds.
    fn resolve_asked(&self, spec: &GameSpec, mut call: Spec, depth: u32) -> Result<(Spec, Option<Limit>), SpecError> {
        let mut limit = None;
        let asks = call.kind == book::KIND;
        for (_, value) in call.arguments.iter_mut().filter(|(key, _)| asks && key == "agent") {
            if let Argument::Spec(asked) = value {
                (*asked, limit) = self.resolve(spec, asked.clone(), depth)?;
            }
        }
        Ok((call, limit))
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

impl Entry {
    /// The spec of the mode that a call asks for.
    fn choose(&self, call: &Spec) -> Result<&ModeSpec, SpecError> {
        let Some((_, mode)) = call.arguments.iter().find(|(key, _)| key == "mode") else { return Ok(&self.specs[0]) };
        let asked = mode.to_string();
        self.specs.iter().find(|spec| spec.mode.name() == asked).ok_or_else(|| {
            let known: Vec<&str> = self.specs.iter().map(|spec| spec.mode.name()).collect();
            SpecError::BadValue { key: format!("{}(mode", self.token()), value: asked, wanted: known.join(" or ") }
        })
    }
}

/// A file of agents, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    paper: Option<String>,
    #[serde(default)]
    agent: Vec<AgentEntry>,
}

/// An agent, as it is written.
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
        let named = Spec::parse(&self.name).is_ok_and(|call| call.arguments.is_empty()) && !self.name.contains(':');
        if !named {
            return Err("a name has letters, digits and - + . _ alone.".into());
        }
        let modes = [
            (Mode::Printed, self.printed, self.limit.printed),
            (Mode::AsProgrammed, self.as_programmed, self.limit.as_programmed),
        ];
        let mut specs = Vec::new();
        for (mode, text, limit) in modes {
            let Some(text) = text else { continue };
            let call = Spec::parse(&text).map_err(|error| error.to_string())?;
            let limit = limit.map(|limit| read_default(&limit)).transpose().map_err(|error| error.to_string())?;
            specs.push(ModeSpec { mode, call, limit });
        }
        if specs.is_empty() {
            return Err("it must say what it stands for: printed = \"…\", or as-programmed = \"…\", or both.".into());
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
    let call = Spec::parse(&format!("limit({text})"))?;
    let mut arguments = call.arguments();
    let limit = read_limit(&mut arguments)?;
    arguments.finish()?;
    Ok(limit)
}
