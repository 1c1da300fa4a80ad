//! From a spec to a running search.

use std::any::Any;
use std::thread;

use quintet_eval::{Arguments, EvalGuide, Evaluate, Guide, PlayoutGuide, Spec, SpecError, WeightStore};
use quintet_game::bits::mix;
use quintet_game::notation::Fault;
use quintet_game::{GameSpec, Limit, Line, with_game};
use quintet_search::{
    Backup, Beam, Choice, Ends, Greedy, Mcts, Minimax, MonteCarlo, NarrowMcts, Order, PaiMcts, PolicyMove, Promise,
    Puct, Pvs, RandomFirst, RandomMove, Search, SeesWins, Slips, TwistPaper, Varied, Watch, Widths, Worth,
};

use crate::catalogue::CHAMPION;
use crate::game::{AgentGame, ExactParts, OTHER_WANTED};
use crate::kinds::{ENGINE, KINDS, default_limit};
use crate::{book, exact, memory_cap};

/// A search with the limit of its spec.
pub(crate) struct Built<G: AgentGame> {
    pub search: Box<dyn Search<G>>,
    limit: Limit,
    /// Applies when nothing else limits the search.
    default: Limit,
    /// Does it grow a tree by visits, or look ahead by depth?
    by_visits: bool,
    /// The agent within its spec that has limits of its own, as in `exact(agent=mcts(visits=100000))`.
    limited: Option<String>,
    /// Does that agent look at a clock, or does any part search with several threads?
    unsteady: bool,
}

impl<G: AgentGame> Built<G> {
    /// Limits within a spec are obeyed, so a request may have none: it would cut them.
    pub fn accepts(&self, request: &Limit) -> Result<(), Fault> {
        match &self.limited {
            Some(inner) if request.is_any() => Err(Fault(format!(
                "agent={inner} has a limit of its own, which the limit per move of the whole would cut; leave one of them out."
            ))),
            _ => Ok(()),
        }
    }

    /// Does it play the same moves on every machine?
    pub fn is_repeatable(&self, request: &Limit) -> bool {
        self.limit(request).time.is_none() && !self.unsteady
    }

    /// A request's limit combined with the agent's own: the smaller applies, and the default where neither means anything to it.
    pub fn limit(&self, request: &Limit) -> Limit {
        let limit = self.limit.smaller(request);
        let own = if self.by_visits { limit.visits.is_some() } else { limit.depth.is_some() };
        if own || limit.time.is_some() || limit.nodes.is_some() { limit } else { limit.smaller(&self.default) }
    }
}

/// The [`Built`] of the spec's game with its type erased, so that every search is compiled for every game here and not again in other crates.
pub(crate) fn built_of(
    spec: &GameSpec,
    agent_spec: &Spec,
    default: Option<Limit>,
    seed: u64,
    store: &WeightStore,
) -> Result<Box<dyn Any>, SpecError> {
    with_game!(spec, |game| Ok(Box::new(build(spec, &game, agent_spec, default, seed, store)?)))
}

/// Builds the agent of `agent_spec`; `default` is the limit of the catalogue, which replaces the kind's own.
pub(crate) fn build<G: AgentGame>(
    spec: &GameSpec,
    game: &G,
    agent_spec: &Spec,
    default: Option<Limit>,
    seed: u64,
    store: &WeightStore,
) -> Result<Built<G>, SpecError> {
    let arguments = agent_spec.arguments();
    let parts =
        Parts { game, of: spec, spec: agent_spec, arguments, default, seed, store, slip: None, unsteady: false };
    match agent_spec.kind.as_str() {
        book::KIND => parts.book(),
        exact::KIND => parts.exact(),
        _ => parts.search(),
    }
}

/// Takes the limits out of the arguments.
pub(crate) fn read_limit(arguments: &mut Arguments) -> Result<Limit, SpecError> {
    Ok(Limit {
        time: arguments.time("time")?,
        nodes: arguments.count("nodes")?,
        depth: arguments.count("depth")?.map(|depth| depth.min(u64::from(u32::MAX)) as u32),
        visits: arguments.count("visits")?,
        ..Limit::default()
    })
}

/// Refuses limits both of an agent and of the one within it, of which one would be cut.
fn one_limit(own: &Limit, inner: Option<&str>) -> Result<(), SpecError> {
    match inner.filter(|_| own.is_any()) {
        None => Ok(()),
        Some(inner) => Err(SpecError::BadValue {
            key: "agent".into(),
            value: inner.to_owned(),
            wanted: "an agent without limits of its own, since there are limits outside of it too".into(),
        }),
    }
}

/// A search under its own limit, whatever its caller has left. Callers that only want to choose among equals limit its nodes.
struct Obeying<G: AgentGame> {
    search: Box<dyn Search<G>>,
    limit: Limit,
}

impl<G: AgentGame> Search<G> for Obeying<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let nodes = limit.nodes.map_or(Limit::default(), Limit::nodes);
        self.search.think(line, &self.limit.smaller(&nodes), watch)
    }

    quintet_search::forward_to!(search);
}

fn unknown_kind(kind: &str) -> SpecError {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).chain([CHAMPION]).collect();
    let known = format!("{}, and the names that `quintet agents` lists", names.join(", "));
    SpecError::UnknownKind { kind: kind.to_owned(), what: "an agent".into(), known }
}

/// Threads of one search: one if the number of cores is unknown.
pub(crate) const MOST_THREADS: usize = if cfg!(feature = "threads") { 256 } else { 1 };

/// The word for all cores against the wall clock, and one thread where work, or its own time, is counted: `puct(threads=all)`.
/// A [`Limit`] may leave a search fewer cores.
///
/// ```
/// use quintet_agent::{ALL_CORES, seat};
/// use quintet_game::GameSpec;
/// let spec = GameSpec::parse("pylos").unwrap();
/// assert!(seat(&spec, &format!("puct(eval=net,threads={ALL_CORES})"), 1).is_ok());
/// ```
pub const ALL_CORES: &str = "all";

/// The cores of this machine, as far as this build has threads.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)
}

/// The error of a number of threads, where the word for all cores is possible too.
fn or_all(error: SpecError) -> SpecError {
    match error {
        SpecError::BadValue { key, value, wanted } => {
            SpecError::BadValue { key, value, wanted: format!("{wanted}, or {ALL_CORES}") }
        }
        other => other,
    }
}

/// Plies that `variety` varies, if the spec does not say.
const VARIED_PLIES: u64 = 6;

/// The kinds of the minimax family. All but the two of minimax prune, and all but the first two search to growing depths.
#[derive(Clone, Copy)]
enum FullWidth {
    Minimax,
    AlphaBeta,
    DeepenedMinimax,
    DeepenedAlphaBeta,
    BestFirst,
    Ordered,
}

/// The moves that the minimax family searches.
const CANDIDATES: [&str; 3] = ["all", "chains", "near"];

const EVAL_WANTED: &str = "the name of an evaluation; `quintet explain GAME` lists them";

/// The parts of agents, read from the arguments of a spec.
struct Parts<'a, G: AgentGame> {
    game: &'a G,
    of: &'a GameSpec,
    spec: &'a Spec,
    arguments: Arguments<'a>,
    /// Replaces the kind's own default limit.
    default: Option<Limit>,
    seed: u64,
    store: &'a WeightStore,
    /// How it slips, if not uniformly.
    slip: Option<Box<dyn Search<G>>>,
    /// Does it search with several threads, or has it an agent within that looks at a clock?
    unsteady: bool,
}

impl<G: AgentGame> Parts<'_, G> {
    /// An agent that searches.
    fn search(mut self) -> Result<Built<G>, SpecError> {
        let kind = self.spec.kind.as_str();
        let search: Box<dyn Search<G>> = match kind {
            "random" => Box::new(RandomMove::new(self.seed)),
            "greedy" => self.greedy()?,
            "minimax" => self.minimax(FullWidth::Minimax)?,
            "alphabeta" => self.minimax(FullWidth::AlphaBeta)?,
            "id-minimax" => self.minimax(FullWidth::DeepenedMinimax)?,
            "id-alphabeta" => self.minimax(FullWidth::DeepenedAlphaBeta)?,
            "best-first" => self.minimax(FullWidth::BestFirst)?,
            "ordered" => self.minimax(FullWidth::Ordered)?,
            "pvs" => self.pvs()?,
            "beam" | "expectimax" => self.beam()?,
            "monte-carlo" => self.monte_carlo()?,
            "mcts" => self.mcts()?,
            "puct" => self.puct()?,
            "caller" => {
                let eval = self.eval()?;
                let printed = self.arguments.word("mode", &["printed", "as-programmed"])? == 0;
                Box::new(if printed { TwistPaper::printed(eval) } else { TwistPaper::as_programmed(eval) })
            }
            "pai-mcts" => {
                let (eval, ends) = (self.eval()?, self.ends()?);
                let search = PaiMcts::new(eval, ends, self.whole("width", 10)?, self.seed);
                Box::new(search.with_memory(self.memory()?))
            }
            "middle-plan" => G::middle_plan().ok_or_else(|| SpecError::Unusable {
                what: kind.to_owned(),
                why: "plays only pentago and pentago-twist.".into(),
            })?,
            _ => return Err(unknown_kind(kind)),
        };
        let search = match self.whole("random-first", 0)? {
            0 => search,
            // A stream of its own, so that the search gets the same random numbers with and without.
            moves => Box::new(RandomFirst::new(search, moves, mix(self.seed))),
        };
        self.finish(search, ["mcts", "puct", "pai-mcts", "monte-carlo"].contains(&kind))
    }

    /// An agent that plays exact values, from a table or by solving the rest of the game.
    fn exact(mut self) -> Result<Built<G>, SpecError> {
        let asked = self.arguments.spec("agent", OTHER_WANTED)?;
        let inner = asked.map(|asked| self.inner(asked)).transpose()?;
        let limited = inner.as_ref().and_then(|inner| inner.limited.clone());
        self.unsteady = inner.as_ref().is_some_and(|inner| inner.unsteady);
        // What limits the other agent limits both.
        let by_visits = inner.as_ref().is_some_and(|inner| inner.by_visits);
        let other = inner.map(|inner| match limited {
            Some(_) => Box::new(Obeying { limit: inner.limit, search: inner.search }) as Box<dyn Search<G>>,
            None => inner.search,
        });
        let threads = self.arguments.count("threads")?;
        let threads = threads.map(|count| usize::try_from(count).unwrap_or(1).clamp(1, MOST_THREADS));
        let memory = self.arguments.count("memory")?;
        let search = G::exact(ExactParts { spec: self.of, store: self.store, other, threads, memory })?;
        let built = self.finish(search, by_visits)?;
        one_limit(&built.limit, limited.as_deref())?;
        Ok(Built { limited, ..built })
    }

    /// The agent within an agent, of the argument `agent`.
    fn inner(&self, asked: &Spec) -> Result<Built<G>, SpecError> {
        let inner = build(self.of, self.game, asked, self.default, self.seed, self.store)?;
        let limited = inner.limited.clone().or_else(|| inner.limit.is_any().then(|| asked.to_string()));
        let unsteady = inner.unsteady || inner.limit.time.is_some();
        Ok(Built { limited, unsteady, ..inner })
    }

    /// A book in front of another agent, whose limits apply.
    fn book(mut self) -> Result<Built<G>, SpecError> {
        let wanted = "the agent that plays where the book has no move, as in agent=pentago-twist:paper";
        let missing = || SpecError::BadValue {
            key: format!("{}(agent", self.spec.kind),
            value: String::new(),
            wanted: wanted.into(),
        };
        let asked = self.arguments.spec("agent", wanted)?.ok_or_else(missing)?;
        if asked.kind == ENGINE {
            let why = "is an outside engine, which cannot be combined with a book.".into();
            return Err(SpecError::Unusable { what: asked.kind.clone(), why });
        }
        let book = self.store.asked_book(&mut self.arguments, self.of, self.game)?;
        let limit = read_limit(&mut self.arguments)?;
        let inner = self.inner(asked)?;
        self.arguments.finish()?;
        one_limit(&limit, inner.limited.as_deref())?;
        let search = Box::new(book::ByBook::new(book, inner.search));
        Ok(Built { search, limit: inner.limit.smaller(&limit), ..inner })
    }

    /// The search with what any spec may say besides: slips and limits.
    fn finish(mut self, search: Box<dyn Search<G>>, by_visits: bool) -> Result<Built<G>, SpecError> {
        let search = self.slipping(search)?;
        let limit = read_limit(&mut self.arguments)?;
        self.arguments.finish()?;
        let default = self.default.unwrap_or_else(|| default_limit(&self.spec.kind));
        Ok(Built { search, limit, default, by_visits, limited: None, unsteady: self.unsteady })
    }

    /// The same search with the slips of its spec.
    fn slipping(&mut self, search: Box<dyn Search<G>>) -> Result<Box<dyn Search<G>>, SpecError> {
        let search = self.varied(search)?;
        let rate = self.arguments.number("slips", 0.0)?;
        let wanted = || "a probability from 0 to 1".into();
        let search: Box<dyn Search<G>> = match rate {
            0.0 => search,
            _ if (0.0..=1.0).contains(&rate) => {
                let slips = Slips::new(search, rate, self.seed);
                Box::new(match self.slip.take() {
                    None => slips,
                    Some(slip) => slips.with_slip(slip),
                })
            }
            _ => return Err(SpecError::BadValue { key: "slips".into(), value: rate.to_string(), wanted: wanted() }),
        };
        let sees_wins = self.arguments.word("sees-wins", &["no", "yes"])? == 1;
        Ok(if sees_wins { Box::new(SeesWins::new(search)) } else { search })
    }

    /// The same search with openings varied at the temperature `variety`, if it is given.
    fn varied(&mut self, search: Box<dyn Search<G>>) -> Result<Box<dyn Search<G>>, SpecError> {
        let temperature = self.arguments.number("variety", 0.0)?;
        let plies = self.whole("variety-plies", VARIED_PLIES)?;
        Ok(match temperature {
            0.0 => search,
            _ if temperature > 0.0 => Box::new(Varied::new(search, temperature, plies, self.seed)),
            _ => {
                let (key, value) = ("variety".into(), temperature.to_string());
                return Err(SpecError::BadValue { key, value, wanted: "0, or a temperature above it".into() });
            }
        })
    }

    fn eval(&mut self) -> Result<Box<dyn Evaluate<G>>, SpecError> {
        let missing = || SpecError::BadValue {
            key: format!("{}(eval", self.spec.kind),
            value: String::new(),
            wanted: EVAL_WANTED.into(),
        };
        self.any_eval()?.ok_or_else(missing)
    }

    fn any_eval(&mut self) -> Result<Option<Box<dyn Evaluate<G>>>, SpecError> {
        self.arguments.spec("eval", EVAL_WANTED)?.map(|eval| self.store.evaluation(self.game, eval)).transpose()
    }

    /// A number above 0.
    fn positive(&mut self, key: &'static str, default: f64) -> Result<f64, SpecError> {
        let number = self.arguments.number(key, default)?;
        let bad =
            || SpecError::BadValue { key: key.into(), value: number.to_string(), wanted: "a number above 0".into() };
        (number > 0.0).then_some(number).ok_or_else(bad)
    }

    /// The seed that breaks ties, `None` for the first of equal moves.
    fn ties(&mut self) -> Result<Option<u64>, SpecError> {
        Ok((self.arguments.word("ties", &["random", "first"])? == 0).then_some(self.seed))
    }

    /// The value of finished games: a utility minus one point per ply, a utility on top of the evaluation, or the evaluation alone.
    fn ends(&mut self) -> Result<Ends, SpecError> {
        let kind = self.arguments.word("ends", &["quick", "on-top", "value"])?;
        let utility = self.arguments.number("utility", Ends::default().utility)?;
        Ok([Ends { utility, ..Ends::default() }, Ends::on_top(utility), Ends::on_top(0.0)][kind])
    }

    fn whole(&mut self, key: &'static str, default: u64) -> Result<usize, SpecError> {
        Ok(usize::try_from(self.arguments.count(key)?.unwrap_or(default)).unwrap_or(usize::MAX))
    }

    /// The kind's memory in bytes: from 1 MiB to 64 GiB.
    fn memory(&mut self) -> Result<usize, SpecError> {
        let (key, usual) = memory_cap::memory(&self.spec.kind, self.of).expect("called only for kinds that have one");
        Ok(self.whole(key, usual)?.clamp(1, 1 << 16) << 20)
    }

    fn flag(&mut self, key: &'static str) -> Result<bool, SpecError> {
        Ok(self.arguments.word(key, &["yes", "no"])? == 0)
    }

    fn greedy(&mut self) -> Result<Box<dyn Search<G>>, SpecError> {
        let greedy = Greedy::new(self.eval()?, self.ends()?, self.ties()?);
        let floor = self.arguments.number("floor", f64::MIN)?;
        Ok(Box::new(if floor == f64::MIN { greedy } else { greedy.with_floor(floor) }))
    }

    fn minimax(&mut self, kind: FullWidth) -> Result<Box<dyn Search<G>>, SpecError> {
        let mut search = Minimax::new(self.eval()?, self.ends()?, 3);
        search = self.listing(search)?;
        if let Some(seed) = self.ties()? {
            search = search.with_seed(seed);
        }
        if !matches!(kind, FullWidth::Minimax | FullWidth::DeepenedMinimax) {
            search = search.with_pruning();
        }
        if matches!(kind, FullWidth::Minimax | FullWidth::AlphaBeta) {
            if let Some(pieces) = self.arguments.count("pieces-per-ply")? {
                self.default = Some(Limit::default());
                search = search.with_pieces_per_ply(pieces.min(u64::from(u32::MAX)) as u32);
            }
            return Ok(Box::new(search));
        }
        search = search.with_deepening(self.flag("early-stop")?);
        let factor = self.arguments.number("time-rule", 0.0)?;
        if factor > 0.0 {
            search = search.with_time_rule(factor / f64::from(self.game.cells()));
        }
        Ok(Box::new(match kind {
            FullWidth::BestFirst => search.with_best_first(),
            FullWidth::Ordered => search.with_memory(self.memory()?),
            _ => search,
        }))
    }

    /// Which moves are searched, and in which order.
    fn listing(&mut self, mut search: Minimax<G>) -> Result<Minimax<G>, SpecError> {
        let order = self.arguments.word("order", &["natural", "random", "best"])?;
        search = search.with_order([Order::Natural, Order::Random, Order::Best][order], mix(self.seed));
        if self.arguments.word("duplicates", &["keep", "drop"])? == 1 {
            search = search.without_duplicates();
        }
        Ok(match self.arguments.word("candidates", &CANDIDATES)? {
            0 => search,
            word => search.with_sieve(G::sieve(CANDIDATES[word])?),
        })
    }

    fn pvs(&mut self) -> Result<Box<dyn Search<G>>, SpecError> {
        let mut search = Pvs::new(self.eval()?);
        if let Some(seed) = self.ties()? {
            search = search.with_seed(seed);
        }
        search = search.with_threads(self.threads()?).with_table(self.memory()?);
        if self.arguments.word("exact", &["no", "yes"])? == 1 {
            search = search.exact();
        }
        Ok(Box::new(if self.arguments.word("reductions", &["no", "yes"])? == 1 {
            search.with_reductions()
        } else {
            search
        }))
    }

    fn beam(&mut self) -> Result<Box<dyn Search<G>>, SpecError> {
        let (eval, ends, ties) = (self.eval()?, self.ends()?, self.ties()?);
        let (widths, backup) = if self.spec.kind == "beam" {
            let widths = self.arguments.counts("widths")?.unwrap_or_else(|| vec![10, 5, 1]);
            let backup = self.arguments.word("backup", &["minimax", "mean", "line"])?;
            (Widths::Each(widths), [Backup::Minimax, Backup::Mean, Backup::Line][backup])
        } else {
            let replies = self.whole("replies", 10)?;
            let pieces_per_ply = self.whole("pieces-per-ply", 20)?.min(u32::MAX as usize) as u32;
            (Widths::Replies { replies, pieces_per_ply }, Backup::Mean)
        };
        let promise = [Promise::Mover, Promise::Root][self.arguments.word("promise", &["mover", "root"])?];
        let mut beam = Beam::new(eval, ends, widths, backup).with_promise(promise).with_memory(self.memory()?);
        if let Some(seed) = ties {
            beam = beam.with_seed(seed);
        }
        Ok(Box::new(match self.arguments.word("threat", &["none", "minimax", "line"])? {
            0 => beam,
            1 => beam.with_threat_switch(Backup::Minimax),
            _ => beam.with_threat_switch(Backup::Line),
        }))
    }

    fn monte_carlo(&mut self) -> Result<Box<dyn Search<G>>, SpecError> {
        let (eval, ends) = (self.eval()?, self.ends()?);
        let (top, games) = (self.whole("top", 10)?, self.whole("games", 1000)? as u64);
        let worth = [Worth::Win, Worth::Value][self.arguments.word("worth", &["win", "value"])?];
        let search = MonteCarlo::new(eval, ends, top, games, worth, self.seed);
        Ok(Box::new(if self.ties()?.is_some() { search } else { search.with_first_of_equals() }))
    }

    fn mcts(&mut self) -> Result<Box<dyn Search<G>>, SpecError> {
        let search = Mcts::new(self.seed).with_exploration(self.arguments.number("c", std::f64::consts::SQRT_2)?);
        let search = search.with_memory(self.memory()?);
        let width = self.arguments.count("width")?;
        let search = if self.flag("proofs")? { search } else { search.without_proofs() };
        Ok(match width {
            None => Box::new(search),
            Some(width) => {
                Box::new(NarrowMcts::new(search, self.eval()?, usize::try_from(width).unwrap_or(usize::MAX)))
            }
        })
    }

    /// What tells `puct` about positions. Without an evaluation it plays random games.
    fn guide(&mut self) -> Result<Box<dyn Guide<G>>, SpecError> {
        let spec = self.arguments.spec("eval", EVAL_WANTED)?;
        let net = spec.map(|spec| self.store.net(spec, self.of.info().name)).transpose()?.flatten();
        Ok(match (net, spec) {
            (Some(net), _) => self
                .game
                .net_guide(net)
                .map_err(|why| SpecError::Unusable { what: "net".into(), why: why.to_string() })?,
            (None, Some(spec)) => Box::new(
                EvalGuide::new(self.store.evaluation(self.game, spec)?, self.game)
                    .with_temperature(self.positive("temperature", EvalGuide::<G>::TEMPERATURE)?)
                    .with_scale(self.positive("scale", EvalGuide::<G>::SCALE)?),
            ),
            (None, None) => Box::new(PlayoutGuide::new(1, self.seed)),
        })
    }

    fn puct(&mut self) -> Result<Box<dyn Search<G>>, SpecError> {
        let guide = self.guide()?;
        // An infinite temperature is a uniform choice, which needs no guide.
        let temperature = self.positive("slip-temperature", f64::INFINITY)?;
        if temperature.is_finite() {
            self.slip = Some(Box::new(PolicyMove::new(self.guide()?, temperature, self.seed)));
        }
        let c = self.arguments.number("c", guide.exploration())?;
        let search = Puct::new(guide, self.seed).with_exploration(c);
        let search = match self.all_threads() {
            true => search.with_threads(all_cores()).with_steady_counts(),
            false => search.with_threads(self.threads().map_err(or_all)?),
        };
        let search =
            search.with_batch(self.whole("batch", 1)?).with_reuse(self.flag("reuse")?).with_memory(self.memory()?);
        Ok(Box::new(search))
    }

    /// Does it ask for all cores, by `threads=all`?
    fn all_threads(&mut self) -> bool {
        let all = self.spec.arguments.iter().any(|(key, value)| key == "threads" && value.to_string() == ALL_CORES);
        all && self.arguments.word("threads", &[ALL_CORES]).is_ok()
    }

    /// Threads of one search.
    fn threads(&mut self) -> Result<usize, SpecError> {
        let threads = self.whole("threads", 1)?.clamp(1, MOST_THREADS);
        self.unsteady |= threads > 1;
        Ok(threads)
    }
}
