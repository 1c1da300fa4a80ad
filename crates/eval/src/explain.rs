//! An evaluation of any game's position, term by term.

use quintet_game::notation::{Fault, PositionError};
use quintet_game::{Game as _, GameSpec, Notation as _, Outcome, Playable, Player, with_game};

use crate::{Batch, Evaluated as _, Guide, Spec, Term, WeightStore};

/// An evaluation of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// For whom.
    pub view: Player,
    /// The value.
    pub value: f64,
    /// The terms; the sum of their values times weights is the value.
    pub terms: Vec<Term>,
    /// The policy of a net: the legal moves of the side to move with their shares, the largest first. Other evaluations have none.
    pub policy: Vec<(String, f64)>,
}

/// Evaluates a position, given as text, for `view` or else for the side to move. A finished position is evaluated too.
///
/// ```
/// use quintet_eval::{Spec, WeightStore, explain};
/// use quintet_game::GameSpec;
/// let spec = GameSpec::parse("pylos").unwrap();
/// let position = "LD............../........./..../. l";
/// let explanation = explain(&spec, position, &Spec::parse("height").unwrap(), None, WeightStore::embedded()).unwrap();
/// assert_eq!(explanation.value, 0.0);
/// assert_eq!(explanation.terms[0].name, "myHeight");
/// ```
///
/// The terms of a net are its chances: win, draw and loss.
///
/// # Errors
/// When the position or the evaluation is invalid, with a sentence that says why.
pub fn explain(
    game: &GameSpec,
    position: &str,
    eval: &Spec,
    view: Option<Player>,
    store: &WeightStore,
) -> Result<Explanation, Fault> {
    let net = store.net(eval, game.info().name).map_err(|e| Fault(e.to_string()))?;
    with_game!(game, |game| {
        let pos = || game.read_position(position).map_err(|fault| Fault(PositionError(fault).to_string()));
        match net {
            Some(net) => {
                let guide = game.net_guide(net).map_err(|why| Fault(format!("{eval} cannot be used: {why}.")))?;
                let pos = pos()?;
                Ok(by_guide(&game, &*guide, &pos, view.unwrap_or_else(|| game.to_move(&pos))))
            }
            None => {
                let eval = store.evaluation(&game, eval).map_err(|e| Fault(e.to_string()))?;
                let pos = pos()?;
                let view = view.unwrap_or_else(|| game.to_move(&pos));
                let (value, terms) = (eval.value(&game, &pos, view), eval.terms(&game, &pos, view));
                Ok(Explanation { view, value, terms, policy: Vec::new() })
            }
        }
    })
}

/// What a guide says of a position; of a finished one, how it has ended.
fn by_guide<G: Playable>(game: &G, guide: &dyn Guide<G>, pos: &G::Pos, view: Player) -> Explanation {
    let (mut chances, mut policy) = ([0.0; 3], Vec::new());
    match game.outcome(pos) {
        Some(Outcome::Draw) => chances[1] = 1.0,
        Some(Outcome::Win(player)) => chances[if player == view { 0 } else { 2 }] = 1.0,
        None => {
            let mut batch = Batch::default();
            batch.push(game, pos.clone(), true);
            guide.guide(game, &mut batch);
            for leaf in batch.leaves() {
                chances = leaf.chances.map(f64::from);
                let shares = leaf.priors.iter().map(|prior| f64::from(*prior));
                policy = leaf.moves.iter().map(|mv| game.write_move(*mv)).zip(shares).collect();
            }
            if game.to_move(pos) != view {
                chances.reverse();
            }
        }
    }
    chances_explained(view, chances, policy)
}

/// The explanation by chances and the shares of moves: the part that is the same for every game.
fn chances_explained(view: Player, chances: [f64; 3], mut policy: Vec<(String, f64)>) -> Explanation {
    policy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let term = |(name, weight, value): (&str, f64, f64)| Term { name: name.into(), value, weight };
    let terms = [("win", 1.0, chances[0]), ("draw", 0.5, chances[1]), ("loss", 0.0, chances[2])].map(term);
    Explanation { view, value: chances[0] + chances[1] / 2.0, terms: terms.into(), policy }
}
