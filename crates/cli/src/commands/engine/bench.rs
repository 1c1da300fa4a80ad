//! The command `bench`: a few fixed searches, with a signature that changes only when a search does.

use std::time::Instant;

use quintet_game::bits::mix;
use quintet_game::{GameSpec, Limit, Rng, SeedableRng, Stop};

use super::work::{Done, News};

/// A game and two agents: one that looks ahead by depth, one that counts visits.
const ROWS: &[(&str, [&str; 2])] = &[
    ("pathwayz", ["alphabeta(eval=pathwayz-9,depth=2)", "mcts(visits=1000)"]),
    ("pylos", ["best-first(eval=difference,depth=4)", "mcts(visits=1000)"]),
    ("twixt(size=8)", ["alphabeta(eval=distance,depth=2)", "mcts(visits=1000)"]),
    ("pentago-twist", ["alphabeta(eval=e2,depth=2)", "mcts(visits=1000)"]),
    ("pentago", ["alphabeta(eval=e2,depth=2)", "mcts(visits=1000)"]),
];

/// Random moves before the search: starting positions are too even to tell searches apart.
const PLIES: usize = 6;

/// Runs all rows.
pub fn run(news: &News, stop: &Stop) -> Done {
    match rows(news, stop) {
        Ok(line) => Done::lines(vec![line]),
        Err(why) => Done::lines(vec![format!("info string error bench: {why}")]),
    }
}

fn rows(news: &News, stop: &Stop) -> Result<String, String> {
    let (mut nodes, mut signature) = (0, 0);
    let start = Instant::now();
    for (game, agents) in ROWS {
        let spec = GameSpec::parse(game).map_err(|error| error.to_string())?;
        let mut line = spec.line();
        let mut rng = Rng::seed_from_u64(1);
        for _ in 0..PLIES {
            if let Some(mv) = line.random_move(&mut rng) {
                line.try_play(&mv).map_err(|error| error.to_string())?;
            }
        }
        for agent in agents {
            let mut seat = quintet_agent::seat(&spec, agent, 1).map_err(|error| error.to_string())?;
            let choice = seat.think(&*line, &Limit::default(), stop, &mut |_| {}).map_err(|error| error.to_string())?;
            if stop.stopped() {
                return Err("stopped; there is no signature.".into());
            }
            nodes += choice.nodes;
            let text = format!("{} {}", choice.nodes, choice.mv);
            signature = text.bytes().fold(signature, |hash, byte| mix(hash ^ u64::from(byte)));
            news.say(format!("info string bench {game} {agent} nodes {} move {}", choice.nodes, choice.mv));
        }
    }
    let elapsed = start.elapsed();
    let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-6);
    Ok(format!("response bench nodes {nodes} nps {rate:.0} time {} signature {signature:016x}", elapsed.as_millis()))
}
