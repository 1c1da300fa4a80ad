//! Two agents of your own, a search and an evaluation, against agents of the catalogue:
//!
//! `cargo run -p quintet-agent --example write_an_agent`

use std::error::Error;
use std::sync::Arc;

use quintet_agent::{AgentGame, Catalogue};
use quintet_eval::{Evaluate, Term};
use quintet_game::pentago::Pentago;
use quintet_game::pylos::{Position, Pylos};
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Player, Rng, SeedableRng as _};
use quintet_search::{Choice, Ends, Minimax, Quiet, Search, Watch};

/// A search: wins if it can, else plays a random move that does not let the opponent win at once. It is written for every game.
struct Careful {
    rng: Rng,
}

impl<G: Game> Search<G> for Careful {
    fn think(&mut self, line: &Line<G>, _limit: &Limit, _watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let (game, mover) = (line.game(), line.to_move());
        let after = |mv| {
            let mut next = line.position().clone();
            game.play(&mut next, mv);
            next
        };
        let mut moves = Vec::new();
        game.moves(line.position(), &mut moves);
        if let Some(win) = moves.iter().find(|mv| game.outcome(&after(**mv)) == Some(Outcome::Win(mover))) {
            return Choice::plain(*win, 1.0);
        }
        for _ in 0..moves.len() {
            let mv = game.random_move(line.position(), &mut self.rng);
            let next = after(mv);
            if game.outcome(&next).is_none() && !game.threatens(&next, mover.other()) {
                return Choice::plain(mv, 0.0);
            }
        }
        Choice::plain(moves[0], -1.0)
    }
}

/// An evaluation of Pylos: balls that are left to play with, and balls that can be moved. Any search can look ahead with it.
struct Reserve;

/// What a ball that can be moved counts; one in the reserve counts 1.
const FREE: f64 = 0.1;

impl Reserve {
    /// Of the first kind and of the second, more than the opponent has.
    fn leads(pos: &Position, view: Player) -> [f64; 2] {
        let lead = |count: &dyn Fn(Player) -> u32| f64::from(count(view)) - f64::from(count(view.other()));
        [lead(&|player| pos.reserve(player)), lead(&|player| pos.free(player).count_ones())]
    }
}

impl Evaluate<Pylos> for Reserve {
    fn value(&self, _game: &Pylos, pos: &Position, view: Player) -> f64 {
        let [reserve, free] = Reserve::leads(pos, view);
        reserve + FREE * free
    }

    fn terms(&self, _game: &Pylos, pos: &Position, view: Player) -> Vec<Term> {
        let [reserve, free] = Reserve::leads(pos, view);
        let term = |name: &str, value, weight| Term { name: name.into(), value, weight };
        vec![term("reserve", reserve, 1.0), term("free", free, FREE)]
    }

    fn antisymmetric(&self) -> bool {
        true
    }
}

/// One game; each player is a search with its limit per move.
fn play<G: Game>(game: &Arc<G>, players: [&mut (Box<dyn Search<G>>, Limit); 2]) -> Outcome {
    let mut line = Line::new(Arc::clone(game));
    loop {
        if let Some(outcome) = line.outcome() {
            return outcome;
        }
        let (search, limit) = &mut *players[line.to_move().index()];
        let choice = search.think(&line, limit, &mut Quiet);
        line.play(choice.mv);
    }
}

/// Twenty games of your own agent, which `own` makes from a seed, against one of the catalogue; each begins every other game.
fn compare<G: AgentGame>(
    spec: &GameSpec,
    game: G,
    name: &str,
    own: impl Fn(u64) -> Box<dyn Search<G>>,
    rival: &str,
) -> Result<(), Box<dyn Error>> {
    let game = Arc::new(game);
    let mut results = [0; 3];
    for seed in 0..20 {
        let mut mine = (own(seed), Limit::default());
        let mut other = Catalogue::embedded().search(spec, rival, seed)?;
        let seat = Player::BOTH[(seed % 2) as usize];
        let outcome = match seat {
            Player::First => play(&game, [&mut mine, &mut other]),
            Player::Second => play(&game, [&mut other, &mut mine]),
        };
        results[outcome.winner().map_or(1, |winner| if winner == seat { 0 } else { 2 })] += 1;
    }
    let [won, drawn, lost] = results;
    println!("{spec}: {name} against {rival}: {won} won, {drawn} drawn, {lost} lost");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    // A spec names the rules; the type says which game it is, so that agents need no text.
    let spec = GameSpec::parse("pentago")?;
    for rival in ["random", "level:1", "level:3"] {
        let careful = |seed| Box::new(Careful { rng: Rng::seed_from_u64(seed) }) as Box<dyn Search<Pentago>>;
        compare(&spec, Pentago::standard(), "careful", careful, rival)?;
    }

    let spec = GameSpec::parse("pylos")?;
    for rival in ["pylos:maximizing", "level:2", "level:4"] {
        // Three plies of minimax, with the evaluation at the leaves.
        let reserve = |seed| -> Box<dyn Search<Pylos>> {
            Box::new(Minimax::new(Box::new(Reserve), Ends::default(), 3).with_pruning().with_seed(seed))
        };
        compare(&spec, Pylos::default(), "reserve", reserve, rival)?;
    }
    Ok(())
}
