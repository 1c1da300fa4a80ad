//! The experiment files.

use serde::{Deserialize, Serialize};

/// One table, figure or claim of a paper, with its numbers, and how we repeat it.
///
/// ```
/// use quintet_papers::experiments::Library;
/// let library = Library::embedded();
/// let experiment = library.get("pylos/agents").unwrap();
/// assert_eq!(experiment.rows.len(), 10);
/// assert_eq!(experiment.rows[1].wdl, Some([24, 68, 8]));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// `GAME/NAME`.
    pub id: String,
    /// A few words.
    pub title: String,
    /// The section of the paper.
    #[serde(default)]
    pub section: String,
    /// What the paper says, in our words.
    pub claim: String,
    /// How it is measured.
    #[serde(default)]
    pub kind: Kind,
    /// The game's spec; in `times`, `{}` stands for what a series varies.
    #[serde(default)]
    pub game: String,
    /// What it needs before it can run.
    pub needs: Option<String>,
    /// What the reader should know about modes and scope.
    pub note: Option<String>,
    /// Where the paper contradicts itself.
    #[serde(default)]
    pub contradictions: Vec<String>,
    /// Our choices where the paper says nothing.
    #[serde(default)]
    pub chosen: Vec<String>,
    /// The modes in which every row is played.
    #[serde(default = "printed")]
    pub modes: Vec<String>,
    /// Expected minutes on two cores: quick, paper, full.
    pub minutes: Option<[f64; 3]>,
    /// How it is drawn.
    #[serde(default)]
    pub chart: Chart,
    /// The id of the experiment whose players, rows and designs it shares.
    pub like: Option<String>,
    /// Whether the paper's draw rule is unknown: a row that fails only by its draws is marked.
    #[serde(default)]
    pub draw_rule: bool,
    /// Games behind each percentage of the paper.
    pub n: Option<u64>,
    /// Ends within two minutes.
    pub quick: Option<Design>,
    /// The paper's own size.
    pub paper: Option<Design>,
    /// Our size.
    pub full: Option<Design>,
    /// Agents with names and budgets.
    #[serde(default)]
    pub players: Vec<NamedAgent>,
    /// What is compared, one by one.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// The paper's order of mean win rates: groups of players, the best first. Within a group there is no order.
    #[serde(default)]
    pub order: Vec<Vec<String>>,
    /// The same rows under other rules or openings; ours only.
    #[serde(default)]
    pub repeats: Vec<Repeat>,
    /// Whole games that are timed.
    #[serde(default)]
    pub series: Vec<Series>,
    /// The milliseconds after which the paper gave up: printed times end there.
    pub paper_cut_ms: Option<u64>,
    /// Compare all ratios of neighbours, within a factor of two.
    #[serde(default)]
    pub all_ratios: bool,
    /// Cells up to this depth are overhead by the paper's own words: their ratios are shown apart, and not judged.
    pub overhead_up_to: Option<u32>,
    /// Where the order of the series is compared.
    #[serde(default)]
    pub orders: Vec<u32>,
    /// Single ratios that are compared.
    #[serde(default)]
    pub ratios: Vec<Ratio>,
    /// Growth that is compared.
    #[serde(default)]
    pub growths: Vec<Growth>,
}

fn printed() -> Vec<String> {
    vec!["printed".into()]
}

/// How an experiment is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Matches of pairs.
    Matches,
    /// Whole games of agents against themselves, timed.
    Times,
    /// A measurement other than matches: one of [`crate::measures`].
    Measure,
    /// Not yet: `needs` says what is missing.
    #[default]
    Unbuilt,
}

/// How an experiment is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chart {
    /// Scores side by side with their intervals.
    #[default]
    Bars,
    /// Wins, draws and losses, stacked.
    Outcomes,
    /// A cross table in colours.
    Heat,
    /// A number for each cell of Pylos' pyramid, in colours.
    Pyramid,
}

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Design {
    /// Games per row or timed cell; positions or games of a measurement.
    pub games: u64,
    /// Samples of a measurement beside matches.
    pub samples: Option<u64>,
    /// Games per row with a slow player, or per timed cell for which the paper prints no time.
    pub slow_games: Option<u64>,
    /// Random plies before the players take over.
    #[serde(default)]
    pub openings: u32,
    /// A timed game of more nodes is cut.
    pub cut: Option<u64>,
    /// Timed cells beyond this depth or size are left out.
    pub up_to: Option<u32>,
}

/// An agent with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NamedAgent {
    /// What rows call it.
    pub name: String,
    /// Its spec, or its name in the catalogue.
    pub agent: String,
    /// It takes more than a second per move.
    #[serde(default)]
    pub slow: bool,
    /// Arguments that override its own in the quick design: a row with such a player is scaled.
    pub quick: Option<String>,
    /// The same for the paper's design, where they do not count as scaling.
    pub paper: Option<String>,
    /// And for ours.
    pub full: Option<String>,
}

/// One comparison, or two when the paper prints both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Row {
    /// The player whose score it is: a name of `players`, or a spec.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The label, instead of `A v B`.
    pub what: Option<String>,
    /// The paper's wins, draws and losses.
    pub wdl: Option<[u64; 3]>,
    /// The paper's win rate of A, and of B where it prints that too.
    pub percent: Vec<f64>,
    /// Games behind them, if different from the experiment's.
    pub n: Option<u64>,
    /// The paper claims a score above this percentage without a number of its own.
    pub above: Option<f64>,
    /// A second comparison: A loses less than this percentage.
    pub loses_at_most: Option<f64>,
    /// Whether the score is that of the first seat.
    pub first_seat: bool,
    /// Why no run of ours can be compared with it.
    pub cannot: Option<String>,
    /// What this row needs before it can run.
    pub waits: Option<String>,
    /// What is odd about the paper's number.
    pub flag: Option<String>,
    /// Another game than the experiment's.
    pub game: Option<String>,
    /// Only in this mode.
    pub mode: Option<String>,
}

/// All rows again under other conditions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Repeat {
    /// What is different, in a few words.
    pub name: String,
    /// Other rules.
    pub game: Option<String>,
    /// Other openings.
    pub openings: Option<u32>,
}

/// Timed games of one agent at several depths or sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Series {
    /// Its name.
    pub name: String,
    /// The agent of both sides; `{}` stands for what is varied.
    pub agent: String,
    /// The depths or sizes.
    pub at: Vec<u32>,
    /// The paper's milliseconds per game, where it prints them.
    #[serde(default)]
    pub ms: Vec<u64>,
}

/// Two timed cells, each written `SERIES AT`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ratio {
    /// The numerator.
    pub slow: String,
    /// The one below.
    pub fast: String,
    /// The paper's ratio; our whole interval has to lie within a factor of two of it, and on the same side of 1. None for a check of ours.
    pub paper: Option<f64>,
    /// What is compared.
    #[serde(rename = "in", default)]
    pub unit: Unit,
    /// Without a ratio of the paper's: our whole interval has to lie above this.
    pub least: Option<f64>,
    /// The same, below this.
    pub most: Option<f64>,
}

/// What a timed game is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Milliseconds.
    #[default]
    Ms,
    /// Positions.
    Nodes,
}

/// How fast a series grows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Growth {
    /// The series.
    pub of: String,
    /// Growth by depth, as a share of this series' growth; without a series, the power of the size.
    pub base: Option<String>,
    /// The paper's number; our whole interval has to lie within 20 % of it.
    pub paper: f64,
    /// Three sizes: the paper says that the second step multiplies the time by less than the first.
    pub slower: Option<[u32; 3]>,
}

/// Which of an experiment's designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// Two minutes.
    Quick,
    /// As the paper.
    Paper,
    /// Ours.
    Full,
}

impl Size {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Size::Quick => "quick",
            Size::Paper => "paper",
            Size::Full => "full",
        }
    }
}

impl Experiment {
    /// The design of a size.
    #[must_use]
    pub fn design(&self, size: Size) -> Option<&Design> {
        match size {
            Size::Quick => self.quick.as_ref(),
            Size::Paper => self.paper.as_ref(),
            Size::Full => self.full.as_ref(),
        }
    }

    /// Expected minutes on two cores.
    #[must_use]
    pub fn minutes(&self, size: Size) -> Option<f64> {
        self.minutes.map(|minutes| minutes[size as usize])
    }
}

impl NamedAgent {
    /// The arguments that the size puts over the agent's own.
    pub(super) fn over(&self, size: Size) -> Option<&str> {
        match size {
            Size::Quick => self.quick.as_deref(),
            Size::Paper => self.paper.as_deref(),
            Size::Full => self.full.as_deref(),
        }
    }
}
