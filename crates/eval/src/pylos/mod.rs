//! Evaluations of Pylos: the paper's three, the one that it learned (`pylos-svr`, in `svr.rs`), and a linear model of ours
//! (`pylos-20`, in `terms.rs`).

mod svr;
mod terms;

use quintet_game::Player;
use quintet_game::bits::each_bit;
use quintet_game::pylos::{Position, Pylos};

use crate::evaluated::unknown;
use crate::model::not_linear;
use crate::net::{NetChoice, NetError, NetGuide};
use crate::weights::unusable;
use crate::{EvalInfo, Evaluate, Evaluated, Features, Guide, Linear, Model, Spec, SpecError, WeightStore};
use terms::Terms;

pub use svr::{Kernel, Scorer, Svr};

/// The evaluations.
pub const EVALUATIONS: &[EvalInfo] = &[
    EvalInfo {
        name: "difference",
        about: "the opponent's balls on the board minus one's own: who has more in reserve",
    },
    EvalInfo { name: "height", about: "the sum of levels of one's own balls minus the opponent's" },
    EvalInfo {
        name: "position",
        about: "the values of one's own cells minus the opponent's: middle and upper ones count more",
    },
    EvalInfo {
        name: Terms::KIND,
        about: "balls by the kinds of their cells, free balls, squares, cells that allow a take-back; the hand-set weights are those of difference",
    },
    EvalInfo { name: Svr::KIND, about: "the score that a support vector machine has learned; weights=pylos:svm" },
];

/// The value of a ball by level (from 0), column and row.
type Worth = fn(usize, usize, usize) -> f64;

impl Evaluated for Pylos {
    const EVALUATIONS: &'static [EvalInfo] = EVALUATIONS;

    fn evaluation(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        evaluation(spec, store)
    }

    fn model(spec: &Spec, store: &WeightStore) -> Result<Model<Self>, SpecError> {
        model(spec, store)
    }

    fn net_guide(&self, net: NetChoice) -> Result<Box<dyn Guide<Self>>, NetError> {
        Ok(Box::new(NetGuide::chosen(net, self)?))
    }

    fn tiny(&self, spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        store.tiny(self, "pylos", spec)
    }
}

/// Builds the evaluation that `spec` names.
fn evaluation(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Pylos>>, SpecError> {
    if spec.kind == Svr::KIND {
        return learned(spec, store);
    }
    if spec.kind == Terms::KIND {
        return Ok(Box::new(Linear::new(Terms::new(), weighed(spec, store)?)));
    }
    let (name, worth, weight): (&str, Worth, f64) = match spec.kind.as_str() {
        "difference" => ("Balls", |_, _, _| 1.0, -1.0),
        "height" => ("Height", |level, _, _| level as f64 + 1.0, 1.0),
        "position" => ("Position", cell_worth, 1.0),
        _ => return Err(unknown("Pylos", spec, EVALUATIONS)),
    };
    spec.arguments().finish()?;
    Ok(Box::new(Linear::new(Cells::new(name, worth), vec![weight, -weight]).declared_antisymmetric()))
}

/// The linear evaluation that `spec` names, with accessible weights.
fn model(spec: &Spec, store: &WeightStore) -> Result<Model<Pylos>, SpecError> {
    if spec.kind != Terms::KIND {
        return Err(not_linear(spec));
    }
    Ok(Model::new(&spec.kind, Terms::new(), weighed(spec, store)?))
}

/// The weights of `pylos-20`: those that `spec` names, or the hand-set ones.
fn weighed(spec: &Spec, store: &WeightStore) -> Result<Vec<f64>, SpecError> {
    let mut arguments = spec.arguments();
    let learned = store.asked(&mut arguments, &spec.kind)?;
    arguments.finish()?;
    let Some(learned) = learned else { return Ok(Terms::hand_set()) };
    learned.in_order(Terms::new().names()).map_err(|why| unusable(&spec.to_string(), why))
}

/// The default weights of `pylos-svr`.
const SHIPPED: &str = "pylos:svm";

/// The machine whose weights `spec` names.
fn learned(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Pylos>>, SpecError> {
    let mut arguments = spec.arguments();
    let weights = match store.asked(&mut arguments, &spec.kind)? {
        Some(weights) => weights,
        None => store.weights(SHIPPED)?,
    };
    arguments.finish()?;
    let machine = Svr::read(&weights).map_err(|why| unusable(&spec.to_string(), why))?;
    Ok(Box::new(Scorer::new(machine)))
}

/// Level 1: corner 1, edge 2, inner 3. Level 2: corner 2, edge 3, middle 4. Level 3: 4. Apex: 6.
fn cell_worth(level: usize, x: usize, y: usize) -> f64 {
    match level {
        0 => 3.0 - rims(level, x, y) as f64,
        1 => 4.0 - rims(level, x, y) as f64,
        2 => 4.0,
        _ => 6.0,
    }
}

/// The number of rims of its level on which a cell lies: two for a corner of the two lower levels, one for an edge cell.
fn rims(level: usize, x: usize, y: usize) -> usize {
    [x, y].into_iter().filter(|c| *c == 0 || *c == 3 - level).count()
}

/// The sum of cell values over one's own balls, and over the opponent's.
struct Cells {
    names: [String; 2],
    worth: [f64; 64],
}

impl Cells {
    fn new(name: &str, worth: Worth) -> Cells {
        // The layout of the rules: sixteen bits per level, four per row.
        let worth = std::array::from_fn(|bit| match (bit / 16, bit % 4, bit % 16 / 4) {
            (level, x, y) if x < 4 - level && y < 4 - level => worth(level, x, y),
            _ => 0.0,
        });
        Cells { names: ["my", "your"].map(|side| format!("{side}{name}")), worth }
    }

    fn sum(&self, pos: &Position, player: Player) -> f64 {
        let mut sum = 0.0;
        each_bit(pos.balls(player), |bit| sum += self.worth[bit as usize]);
        sum
    }
}

impl Features<Pylos> for Cells {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, _game: &Pylos, pos: &Position, view: Player, out: &mut [f64]) {
        out.copy_from_slice(&[self.sum(pos, view), self.sum(pos, view.other())]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::Notation;

    /// Values for light by hand: light on 1a1 (corner), 1b1 (edge), 1b2 (inner), 2a1 (a corner of level 2); dark on 1a2 (edge), 1d4 (corner).
    #[test]
    fn by_hand() {
        let game = Pylos::default();
        let pos = game.read_position("LL..DL.........D/L......../..../. d").unwrap();
        for (name, value) in
            [("difference", 2.0 - 4.0), ("height", 3.0 + 2.0 - 2.0), ("position", 1.0 + 2.0 + 3.0 + 2.0 - 2.0 - 1.0)]
        {
            let eval = evaluation(&Spec::parse(name).unwrap(), WeightStore::embedded()).unwrap();
            assert_eq!(eval.value(&game, &pos, Player::First), value, "{name}");
            assert_eq!(eval.value(&game, &pos, Player::Second), -value, "{name}");
            assert!(eval.antisymmetric());
            let sum: f64 = eval.terms(&game, &pos, Player::First).iter().map(|term| term.value * term.weight).sum();
            assert_eq!(sum, value, "{name}");
        }
    }

    /// All cells by the paper's table: 12 on the rim of level 1 (four corners), and so on.
    #[test]
    fn worths_of_all_cells() {
        let cells = Cells::new("", cell_worth);
        assert_eq!(
            cells.worth.iter().sum::<f64>(),
            (4.0 + 8.0 * 2.0 + 4.0 * 3.0) + (4.0 * 2.0 + 4.0 * 3.0 + 4.0) + 4.0 * 4.0 + 6.0
        );
        assert_eq!(cells.worth.iter().filter(|worth| **worth > 0.0).count(), 30);
    }

    #[test]
    fn errors_list_what_there_is() {
        let error = |text| evaluation(&Spec::parse(text).unwrap(), WeightStore::embedded()).err().unwrap().to_string();
        assert_eq!(
            error("e3"),
            "\"e3\" is not an evaluation of Pylos; choose one of difference, height, position, pylos-20, pylos-svr."
        );
        assert!(error("pylos-svr(weights=pylos:nobody)").contains("quintet train pylos:nobody"));
        assert_eq!(error("height(w=1)"), "height takes no \"w\"; it takes nothing.");
    }
}
