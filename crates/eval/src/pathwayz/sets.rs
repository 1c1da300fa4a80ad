//! The feature sets of 9, 52, 53 and 440, with the weights from which training starts.

use quintet_game::Player;
use quintet_game::pathwayz::{Pathwayz, Position};

use super::Mode;
use super::sides::{Board, Few, More, Side};
use crate::{Evaluate, Features, Term};

/// The sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetSize {
    /// Nine raw counts.
    Nine,
    /// The paper's 52 features.
    FiftyTwo,
    /// The 52, and `diffLongestFuturePath`.
    FiftyThree,
    /// 108 features and their copies for three stages, and eight that are always 0.
    FourForty,
}

/// The features of a set. On 8 x 12, counts are divided by 96, columns and path lengths by 12, squares by 144; on other boards
/// by rows x columns, columns, and columns squared. The nine are raw.
///
/// ```
/// use quintet_eval::{Features, pathwayz::{FeatureSet, Mode, SetSize}};
/// use quintet_game::{Notation, Player, pathwayz::Pathwayz};
/// let game = Pathwayz::new(2, 4);
/// let pos = game.read_position("ww../b... b").unwrap();
/// let set = FeatureSet::new(SetSize::FiftyThree, Mode::Printed);
/// let mut values = [0.0; 53];
/// set.extract(&game, &pos, Player::First, &mut values);
/// let at = set.names().iter().position(|name| name == "myLongestPath").unwrap();
/// assert_eq!(values[at], 0.5);
/// ```
#[derive(Clone, Debug)]
pub struct FeatureSet {
    set: SetSize,
    mode: Mode,
    names: Vec<String>,
}

/// Features of the 440 set before the copies.
const PLAIN: usize = 108;
const STAGES: [&str; 3] = ["Early", "Mid", "End"];
const OF: [&str; 2] = ["my", "your"];

const NINE: [(&str, f64); 9] = [
    ("myLongestPath", 20.0),
    ("yourLongestPath", -8.0),
    ("myPerm", 3.0),
    ("yourPerm", -6.0),
    ("my1Empty", -0.2),
    ("your1Empty", 0.2),
    ("my2Empty", 0.1),
    ("your2Empty", -0.1),
    ("diffTotal", 1.0),
];

/// Starting weights of the larger sets; all others are 0.
const START: [(&str, f64); 19] = [
    ("myLongestPath", 10.0),
    ("yourLongestPath", -5.0),
    ("diffLongestPath", 15.0),
    ("myCols", 2.0),
    ("yourCols", -2.0),
    ("myPerm", 3.0),
    ("yourPerm", -3.0),
    ("diffPerm", 1.0),
    ("myTotal", 0.5),
    ("yourTotal", -0.5),
    ("diffTotal", 1.0),
    ("my1Empty", -0.1),
    ("your1Empty", 0.1),
    ("my2Empty", 0.2),
    ("your2Empty", -0.2),
    ("my3Flip", 0.1),
    ("your3Flip", -0.1),
    ("my4Flip", 0.1),
    ("your4Flip", -0.1),
];

fn small_names() -> Vec<String> {
    let shared = "ahead futureAhead onlyTurnAway blockedMe blockedYou diffLongestPath diffPerm diffTotal";
    let each = "LongestPath LongestPathSquared LongestFuturePath LongestFuturePathSquared LongestPermPath OneTurnAway PathFlex \
                Perm Total Cols 1Empty 2Empty 3Empty 4Empty 5Empty 6Empty 7Empty 8Empty 1Flip 2Flip 3Flip 4Flip";
    let mut names: Vec<String> = shared.split_whitespace().map(String::from).collect();
    for of in OF {
        names.extend(each.split_whitespace().map(|name| format!("{of}{name}")));
    }
    names.push("diffLongestFuturePath".into());
    names
}

fn large_names() -> Vec<String> {
    let triples = "Perm Total Cols 1Empty 2Empty 3Empty 4Empty 1EdgeEmpty 2EdgeEmpty 3EdgeEmpty 4EdgeEmpty \
                   1Flip 2Flip 3Flip 4Flip";
    let paths = "LongestPath LongestFuturePath LongestPermPath LongestEvenPath LongestSafePath";
    let pairs = "OneTurnAway TurnsAway TurnsAwaySquared OpenPathFlex ClosedPathFlex \
                 1PathExtension 2PathExtension 3PathExtension LongestExtension";
    let shared = "blockedMe blockedMyLeft blockedMyRight blockedYou blockedYourLeft blockedYourRight ahead behind futureAhead \
                  futureBehind onlyTurnAway turnsAhead turnsAheadSquared amTurnsAhead amTurnsBehind";
    let three = ["my", "your", "diff"];
    let mut names: Vec<String> = Vec::new();
    for name in triples.split_whitespace() {
        names.extend(three.map(|of| format!("{of}{name}")));
    }
    for name in paths.split_whitespace() {
        names.extend(three.map(|of| format!("{of}{name}")));
        names.extend(three.map(|of| format!("{of}{name}Squared")));
    }
    for name in pairs.split_whitespace() {
        names.extend(OF.map(|of| format!("{of}{name}")));
    }
    names.extend(shared.split_whitespace().map(String::from));
    let plain = names.clone();
    assert_eq!(plain.len(), PLAIN);
    for stage in STAGES {
        names.extend(plain.iter().map(|name| format!("{name}{stage}")));
    }
    names.extend((5..=8).flat_map(|n| OF.map(|of| format!("{of}{n}Empty"))));
    names
}

impl FeatureSet {
    /// A set in one of its versions; the nine are the same in both.
    #[must_use]
    pub fn new(set: SetSize, mode: Mode) -> FeatureSet {
        let names = match set {
            SetSize::Nine => NINE.map(|(name, _)| name.into()).into(),
            SetSize::FiftyTwo => small_names()[..52].to_vec(),
            SetSize::FiftyThree => small_names(),
            SetSize::FourForty => large_names(),
        };
        FeatureSet { set, mode, names }
    }

    /// Which set.
    #[must_use]
    pub fn set(&self) -> SetSize {
        self.set
    }

    /// The hand-set weights, in the order of the names. Those of the 440 set are those of the 53 under their plain names.
    #[must_use]
    pub fn starting_weights(&self) -> Vec<f64> {
        let table: &[(&str, f64)] = if self.set == SetSize::Nine { &NINE } else { &START };
        let weight = |name: &String| table.iter().find(|(known, _)| known == name).map_or(0.0, |known| known.1);
        self.names.iter().map(weight).collect()
    }

    /// The values of the 108, and the current stage.
    fn plain(&self, game: &Pathwayz, pos: &Position, view: Player, out: &mut [f64]) -> usize {
        let board = Board::new(game, pos);
        let sides = Side::both(&board, view, self.mode);
        let more = [view, view.other()].map(|player| More::of(&board, player));
        large_values(&Scale::new(game), &sides, &more, &mut Writer { out, at: 0 });
        // Early up to a third of the columns (4 of 12), Mid up to two thirds.
        let (longest, width) = (sides[0].longest.max(sides[1].longest) as usize, game.columns());
        usize::from(3 * longest > width) + usize::from(3 * longest > 2 * width)
    }
}

impl Features<Pathwayz> for FeatureSet {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, game: &Pathwayz, pos: &Position, view: Player, out: &mut [f64]) {
        match self.set {
            SetSize::Nine => {
                let board = Board::new(game, pos);
                let [my, your] = [view, view.other()].map(|player| Few::of(&board, player));
                let pairs = [
                    (my.longest, your.longest),
                    (my.perm, your.perm),
                    (my.empty[0], your.empty[0]),
                    (my.empty[1], your.empty[1]),
                ];
                for (out, (my, your)) in out.chunks_exact_mut(2).zip(pairs) {
                    out.copy_from_slice(&[f64::from(my), f64::from(your)]);
                }
                out[8] = f64::from(my.total) - f64::from(your.total);
            }
            SetSize::FiftyTwo | SetSize::FiftyThree => {
                let sides = Side::both(&Board::new(game, pos), view, self.mode);
                let scale = Scale::new(game);
                small_values(&scale, &sides, &mut Writer { out, at: 0 });
                if let Some(last) = out.get_mut(52) {
                    *last = scale.length(sides[0].growth.future) - scale.length(sides[1].growth.future);
                }
            }
            SetSize::FourForty => {
                let (plain, copies) = out.split_at_mut(PLAIN);
                let stage = self.plain(game, pos, view, plain);
                copies[stage * PLAIN..][..PLAIN].copy_from_slice(plain);
            }
        }
    }
}

/// The divisors of the values.
struct Scale {
    squares: f64,
    columns: f64,
}

impl Scale {
    fn new(game: &Pathwayz) -> Scale {
        Scale { squares: (game.rows() * game.columns()) as f64, columns: game.columns() as f64 }
    }

    fn count(&self, n: u32) -> f64 {
        f64::from(n) / self.squares
    }

    fn length(&self, n: u32) -> f64 {
        f64::from(n) / self.columns
    }
}

struct Writer<'a> {
    out: &'a mut [f64],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, value: f64) {
        self.out[self.at] = value;
        self.at += 1;
    }

    fn flag(&mut self, is: bool) {
        self.put(f64::from(u8::from(is)));
    }

    fn triple(&mut self, [my, your]: [f64; 2]) {
        [my, your, my - your].into_iter().for_each(|value| self.put(value));
    }
}

/// The square with the sign of the number.
fn squared(value: f64) -> f64 {
    value * value.abs()
}

fn small_values(scale: &Scale, sides: &[Side; 2], w: &mut Writer) {
    let [my, your] = sides;
    w.flag(my.longest > your.longest);
    w.flag(my.growth.future > your.growth.future);
    w.flag(my.one_turn_away() && !your.one_turn_away());
    w.flag(my.blocked.contains(&true));
    w.flag(your.blocked.contains(&true));
    w.put(scale.length(my.longest) - scale.length(your.longest));
    w.put(scale.count(my.perm) - scale.count(your.perm));
    w.put(scale.count(my.total) - scale.count(your.total));
    for side in sides {
        for length in [side.longest, side.growth.future].map(|length| scale.length(length)) {
            w.put(length);
            w.put(squared(length));
        }
        w.put(scale.length(side.perm_path));
        w.flag(side.one_turn_away());
        [side.flex(), side.perm, side.total].into_iter().for_each(|n| w.put(scale.count(n)));
        w.put(scale.length(side.cols));
        side.empty.iter().chain(&side.flips).for_each(|n| w.put(scale.count(*n)));
    }
}

fn large_values(scale: &Scale, sides: &[Side; 2], more: &[More; 2], w: &mut Writer) {
    let [my, your] = sides;
    let count = |of: fn(&Side) -> u32| [my, your].map(|side| scale.count(of(side)));
    w.triple(count(|side| side.perm));
    w.triple(count(|side| side.total));
    w.triple([my, your].map(|side| scale.length(side.cols)));
    (0..4).for_each(|n| w.triple(more.map(|more| scale.count(more.inner[n]))));
    (0..4).for_each(|n| w.triple(more.map(|more| scale.count(more.edge[n]))));
    (0..4).for_each(|n| w.triple([my, your].map(|side| scale.count(side.flips[n]))));
    let paths = [
        [my.longest, your.longest],
        [my.growth.future, your.growth.future],
        [my.perm_path, your.perm_path],
        more.map(|more| more.even_path),
        more.map(|more| more.safe_path),
    ];
    for pair in paths {
        let [my, your] = pair.map(|length| scale.length(length));
        w.triple([my, your]);
        [my, your, my - your].into_iter().for_each(|value| w.put(squared(value)));
    }
    let each = sides.map(|side| extras(scale, &side));
    (0..each[0].len()).for_each(|i| each.iter().for_each(|values| w.put(values[i])));
    for side in sides {
        w.flag(side.blocked.contains(&true));
        side.blocked.into_iter().for_each(|blocked| w.flag(blocked));
    }
    w.flag(my.longest > your.longest);
    w.flag(my.longest < your.longest);
    w.flag(my.growth.future > your.growth.future);
    w.flag(my.growth.future < your.growth.future);
    w.flag(my.one_turn_away() && !your.one_turn_away());
    let turns = scale.length(your.turns_away()) - scale.length(my.turns_away());
    w.put(turns);
    w.put(squared(turns));
    w.flag(my.turns_away() < your.turns_away());
    w.flag(my.turns_away() > your.turns_away());
}

/// What the 440 set has for each side but not as a difference, in the order of the names.
fn extras(scale: &Scale, side: &Side) -> [f64; 9] {
    let away = scale.length(side.turns_away());
    let complete = f64::from(side.longest) == scale.columns;
    let flex = if complete { 0.0 } else { scale.length(side.longest) * scale.count(side.flex()) };
    let open = !side.growth.home.contains(&true);
    let [one, two, three] = side.growth.gains;
    [
        f64::from(u8::from(side.one_turn_away())),
        away,
        squared(away),
        if open { flex } else { 0.0 },
        if open { 0.0 } else { flex },
        scale.length(side.longest + 1) * scale.count(one),
        scale.length(side.longest + 2) * scale.count(two),
        scale.length(side.growth.future) * scale.count(three),
        scale.length(side.growth.future - side.longest),
    ]
}

/// A linear model over the 440 set: the weights of a feature and of its copy for the current stage are added beforehand, so a
/// position costs 108 products and no memory.
#[derive(Clone, Debug)]
pub struct Staged {
    features: FeatureSet,
    weights: Vec<f64>,
    /// For each stage, the weights of the 108.
    sums: [Vec<f64>; 3],
}

impl Staged {
    /// A model with a weight for each of the 440.
    ///
    /// # Panics
    /// If the features are another set or the weights another number.
    #[must_use]
    pub fn new(features: FeatureSet, weights: &[f64]) -> Staged {
        assert!(
            features.set == SetSize::FourForty && weights.len() == features.names.len(),
            "a weight for each of the 440"
        );
        let sums = [1, 2, 3].map(|copy| (0..PLAIN).map(|i| weights[i] + weights[copy * PLAIN + i]).collect());
        Staged { features, weights: weights.into(), sums }
    }
}

impl Evaluate<Pathwayz> for Staged {
    fn value(&self, game: &Pathwayz, pos: &Position, view: Player) -> f64 {
        let mut values = [0.0; PLAIN];
        let stage = self.features.plain(game, pos, view, &mut values);
        values.iter().zip(&self.sums[stage]).map(|(value, weight)| value * weight).sum()
    }

    fn terms(&self, game: &Pathwayz, pos: &Position, view: Player) -> Vec<Term> {
        let mut values = vec![0.0; self.weights.len()];
        self.features.extract(game, pos, view, &mut values);
        let named = self.features.names.iter().zip(values).zip(&self.weights);
        named.map(|((name, value), &weight)| Term { name: name.clone(), value, weight }).collect()
    }
}
