//! Evaluations of TwixT: the paper's distance and its variant for the centre, two more variants, and a richer one of ours.
//!
//! A side's distance is the fewest pegs that it still needs to connect its border lines, over existing links or ones that no
//! existing link crosses; that two future links might cross is ignored.

mod candidates;
mod centre;
mod flow;
mod lanes;
mod set;
mod variants;

use quintet_game::Player;
use quintet_game::twixt::{Position, Twixt};

use crate::evaluated::unknown;
use crate::model::not_linear;
use crate::net::{NetChoice, NetError, NetGuide};
use crate::weights::unusable;
use crate::{
    Arguments, EvalInfo, Evaluate, Evaluated, Features, Guide, Linear, Model, Sieve, Spec, SpecError, WeightStore,
};
use flow::Frame;
pub use set::Holes;
use set::{Bitboard, Large, Small};
use variants::{Beside, variant};

/// The evaluations.
pub const EVALUATIONS: &[EvalInfo] = &[
    EvalInfo {
        name: "distance",
        about: "the fewest pegs that the opponent still needs to connect the border lines, minus one's own",
    },
    EvalInfo {
        name: "centre",
        about: "like distance, but a peg costs 1 + w times its distance from the centre over the size",
    },
    EvalInfo { name: "links", about: "like distance, and w pegs for each link more than the opponent has" },
    EvalInfo {
        name: "choices",
        about: "like distance, and w pegs for each hole more on one's own cheapest chains than on the opponent's",
    },
    EvalInfo {
        name: "rich",
        about: "distance, holes that every cheapest chain needs, and the share of holes cheaper for oneself; weights=",
    },
];

impl<const W: usize, const B: usize> Evaluated for Twixt<W, B> {
    const EVALUATIONS: &'static [EvalInfo] = EVALUATIONS;

    fn evaluation(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        evaluation(spec, store)
    }

    fn model(spec: &Spec, store: &WeightStore) -> Result<Model<Self>, SpecError> {
        model(spec, store)
    }

    fn sieve(word: &str) -> Result<Box<dyn Sieve<Self>>, SpecError> {
        candidates::sieve(word)
    }

    fn net_guide(&self, net: NetChoice) -> Result<Box<dyn Guide<Self>>, NetError> {
        Ok(Box::new(NetGuide::chosen(net, self)?))
    }

    fn tiny(&self, spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        store.tiny(self, "twixt", spec)
    }
}

/// Builds the evaluation that `spec` names.
fn evaluation<const W: usize, const B: usize>(
    spec: &Spec,
    store: &WeightStore,
) -> Result<Box<dyn Evaluate<Twixt<W, B>>>, SpecError> {
    let mut arguments = spec.arguments();
    let built: Box<dyn Evaluate<Twixt<W, B>>> = match spec.kind.as_str() {
        "distance" => {
            let features = Distance { names: NAMES.map(String::from) };
            Box::new(Linear::new::<Twixt<W, B>>(features, LEAD.to_vec()).declared_antisymmetric())
        }
        "centre" => Box::new(centre::centre::<W, B>(weight(&mut arguments, 0.1)?)),
        "links" => Box::new(variant::<W, B>(Beside::Links, weight(&mut arguments, 0.1)?)),
        "choices" => Box::new(variant::<W, B>(Beside::Choices, weight(&mut arguments, 0.02)?)),
        "rich" => {
            let (features, weights) = weighed(spec, &mut arguments, store)?;
            Box::new(Linear::new::<Twixt<W, B>>(features, weights))
        }
        _ => return Err(unknown("TwixT", spec, EVALUATIONS)),
    };
    arguments.finish()?;
    Ok(built)
}

/// The argument `w`.
fn weight(arguments: &mut Arguments, default: f64) -> Result<f64, SpecError> {
    let w = arguments.number("w", default)?;
    if (0.0..=1.0).contains(&w) {
        return Ok(w);
    }
    Err(SpecError::BadValue { key: "w".into(), value: w.to_string(), wanted: "a number from 0 to 1".into() })
}

/// The linear evaluation that `spec` names, with accessible weights.
fn model<const W: usize, const B: usize>(spec: &Spec, store: &WeightStore) -> Result<Model<Twixt<W, B>>, SpecError> {
    if spec.kind != "rich" {
        return Err(not_linear(spec));
    }
    let mut arguments = spec.arguments();
    let (features, weights) = weighed(spec, &mut arguments, store)?;
    arguments.finish()?;
    Ok(Model::new(&spec.kind, features, weights))
}

/// The terms of `rich` with their weights: those that `spec` names, or the hand-set ones.
fn weighed(spec: &Spec, arguments: &mut Arguments, store: &WeightStore) -> Result<(Rich, Vec<f64>), SpecError> {
    let rich = Rich { names: RICH.map(|(name, _)| name.to_owned()) };
    let weights = match store.asked(arguments, &spec.kind)? {
        Some(learned) => learned.in_order(&rich.names).map_err(|why| unusable(&spec.to_string(), why))?,
        None => RICH.map(|(_, weight)| weight).to_vec(),
    };
    Ok((rich, weights))
}

/// Evaluates an expression on the position as sets of the type for the board's size.
macro_rules! with_frame {
    ($game:expr, $pos:expr, |$frame:ident| $result:expr) => {{
        match $game.size() {
            // Small position types have small boards, so the compiler can drop the other branches.
            size if W == 16 || size <= 8 => {
                let $frame = Frame::<Small, B>::new($game, $pos);
                $result
            }
            size if W == 20 || size <= 16 => {
                let $frame = Frame::<Large<2>, B>::new($game, $pos);
                $result
            }
            _ => {
                let $frame = Frame::<Large<3>, B>::new($game, $pos);
                $result
            }
        }
    }};
}

/// The fewest pegs that each player, in seat order, still needs to connect the border lines; `None` where there is no way left.
///
/// ```
/// use quintet_eval::twixt::distances;
/// use quintet_game::{Game, Notation, twixt::{Swap, Twixt}};
/// let game = Twixt::<16, 1>::new(8, false, Swap::Off);
/// let mut pos = game.start();
/// assert_eq!(distances(&game, &pos), [Some(5), Some(5)]);
/// game.play(&mut pos, game.read_move("d4").unwrap());
/// assert_eq!(distances(&game, &pos), [Some(4), Some(5)]);
/// ```
#[must_use]
pub fn distances<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>) -> [Option<u32>; 2] {
    with_frame!(game, pos, |frame| Player::BOTH.map(|player| frame.distance(player)))
}

/// The empty holes on the cheapest chains of `player`: those that a way with as few pegs as possible may use. Empty if there is
/// no way, or if the player has won.
///
/// ```
/// use quintet_eval::twixt::cheapest;
/// use quintet_game::{Game, Notation, Player, twixt::{Swap, Twixt}};
/// let game = Twixt::<16, 1>::new(5, false, Swap::Off);
/// let pos = game.read_position("#.r.#/...../...../...b./#...# - r").unwrap();
/// // Red needs two more pegs: c1 b3 c5 or c1 d3 c5.
/// let holes: Vec<_> = cheapest(&game, &pos, Player::First).iter().collect();
/// assert_eq!(holes, [(1, 2), (3, 2), (2, 4)]);
/// ```
#[must_use]
pub fn cheapest<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, player: Player) -> Holes {
    with_frame!(game, pos, |frame| frame.layers(player, false).cheapest())
}

/// The empty holes that are on every cheapest chain of `player`: with an enemy peg in one of them, its links not counted, the
/// player needs more pegs, or has no way.
///
/// ```
/// use quintet_eval::twixt::bottlenecks;
/// use quintet_game::{Game, Notation, Player, twixt::{Swap, Twixt}};
/// let game = Twixt::<16, 1>::new(5, false, Swap::Off);
/// let pos = game.read_position("#.r.#/...../...../...b./#...# - r").unwrap();
/// let holes: Vec<_> = bottlenecks(&game, &pos, Player::First).iter().collect();
/// assert_eq!(holes, [(2, 4)]);
/// ```
#[must_use]
pub fn bottlenecks<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, player: Player) -> Holes {
    with_frame!(game, pos, |frame| frame.layers(player, false).bottlenecks())
}

/// The terms of `distance` and `centre`.
const NAMES: [&str; 3] = ["lead", "myPegs", "yourPegs"];
/// Their weights; the pegs are listed only as information.
const LEAD: [f64; 3] = [1.0, 0.0, 0.0];

/// The opponent's distance minus one's own; if only one player has no way left, more than any distance.
fn lead(size: usize, my: Option<f64>, your: Option<f64>) -> f64 {
    match (my, your) {
        (Some(my), Some(your)) => your - my,
        (None, None) => 0.0,
        (Some(_), None) => (size * size) as f64,
        (None, Some(_)) => -((size * size) as f64),
    }
}

/// A distance as a term's value.
fn shown(size: usize, pegs: Option<f64>) -> f64 {
    pegs.unwrap_or((size * size) as f64)
}

/// The three values of [`NAMES`].
struct Distance {
    names: [String; 3],
}

impl<const W: usize, const B: usize> Features<Twixt<W, B>> for Distance {
    fn names(&self) -> &[String] {
        &self.names
    }

    #[inline]
    fn extract(&self, game: &Twixt<W, B>, pos: &Position<W, B>, view: Player, out: &mut [f64]) {
        let pegs = distances(game, pos).map(|pegs| pegs.map(f64::from));
        let [my, your] = [view, view.other()].map(|player| pegs[player.index()]);
        out.copy_from_slice(&[lead(game.size(), my, your), shown(game.size(), my), shown(game.size(), your)]);
    }
}

/// The terms of `rich` and their weights. `cheaper` is the share of all empty holes through which a way costs oneself fewer pegs
/// than the opponent; holes that cost both the same belong to neither, so `rich` is not antisymmetric. The weights are our
/// choice: an indispensable hole counts a twentieth of a peg, all holes of the board together half a peg.
const RICH: [(&str, f64); 4] = [("lead", 1.0), ("myBottlenecks", -0.05), ("yourBottlenecks", 0.05), ("cheaper", 0.5)];

/// The four values of [`RICH`].
struct Rich {
    names: [String; 4],
}

impl<const W: usize, const B: usize> Features<Twixt<W, B>> for Rich {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, game: &Twixt<W, B>, pos: &Position<W, B>, view: Player, out: &mut [f64]) {
        fn values<S: Bitboard, const B: usize>(frame: &Frame<S, B>, size: usize, view: Player) -> [f64; 4] {
            let both = [view, view.other()].map(|player| frame.layers(player, true));
            let [my, your] = both.each_ref().map(|layers| layers.pegs.map(f64::from));
            let [my_necks, your_necks] = both.each_ref().map(|layers| layers.bottlenecks().len() as f64);
            let [my_costs, your_costs] = both.map(|layers| layers.costs());
            let empty = frame.empty();
            let cheaper = empty.iter().filter(|&(x, y)| my_costs[y][x] < your_costs[y][x]).count();
            // On a full board the share of empty holes is 0.
            [lead(size, my, your), my_necks, your_necks, cheaper as f64 / empty.len().max(1) as f64]
        }
        out.copy_from_slice(&with_frame!(game, pos, |frame| values(&frame, game.size(), view)));
    }
}
