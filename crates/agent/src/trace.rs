//! A search recorded step by step, for replay at any speed.

use quintet_game::{Game, Playable, Stop};
use quintet_search::{Choice, Report, Watch};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// One step of a search. Values and windows are those of the side to move at the root. Serialised in short form, since there are thousands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// A move is tried; outside of the window its value does not matter.
    Enter {
        /// The move.
        #[serde(rename = "enter")]
        mv: String,
        /// From and to.
        window: [f64; 2],
    },
    /// The move tried last is finished; this is its value, or a bound.
    Leave {
        /// For the side to move at the root.
        #[serde(rename = "leave")]
        value: f64,
    },
    /// The other moves of the position to which the search has returned need not be searched.
    #[serde(serialize_with = "cut")]
    Cut,
    /// A depth is finished.
    Depth {
        /// Plies searched.
        depth: u32,
        /// The value of the root.
        value: f64,
    },
}

/// A cut-off has nothing but its name.
fn cut<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(Some(1))?;
    out.serialize_entry("cut", &true)?;
    out.end()
}

/// A search from its first step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The recorded steps, from the first on.
    pub steps: Vec<Step>,
    /// The number of all steps, including those not recorded.
    pub total: u64,
    /// Moves tried, among all steps.
    pub entered: u64,
    /// Cut-offs, among all steps.
    pub cuts: u64,
    /// The result.
    #[serde(rename = "done")]
    pub choice: Choice<String>,
}

/// Records what a search does.
pub(crate) struct Recorder<'a, G> {
    game: &'a G,
    stop: &'a Stop,
    most: usize,
    pub steps: Vec<Step>,
    pub total: u64,
    pub entered: u64,
    pub cuts: u64,
}

impl<'a, G: Playable> Recorder<'a, G> {
    /// At most `most` steps are kept; all are counted.
    pub fn new(game: &'a G, stop: &'a Stop, most: usize) -> Recorder<'a, G> {
        Recorder { game, stop, most, steps: Vec::new(), total: 0, entered: 0, cuts: 0 }
    }

    fn note(&mut self, step: impl FnOnce(&G) -> Step) {
        self.total += 1;
        if self.steps.len() < self.most {
            self.steps.push(step(self.game));
        }
    }
}

impl<G: Playable> Watch<G> for Recorder<'_, G> {
    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn depth_done(&mut self, report: Report<G::Move>) {
        let Some(value) = report.value else { return };
        self.note(|_| Step::Depth { depth: report.depth, value });
    }

    fn wants_steps(&self) -> bool {
        true
    }

    fn entered(&mut self, mv: <G as Game>::Move, _ply: u32, window: [f64; 2]) {
        self.entered += 1;
        self.note(|game| Step::Enter { mv: game.write_move(mv), window });
    }

    fn left(&mut self, _ply: u32, value: f64) {
        self.note(|_| Step::Leave { value });
    }

    fn cut_off(&mut self, _ply: u32) {
        self.cuts += 1;
        self.note(|_| Step::Cut);
    }
}
