//! A match of two agents, with statistics:
//!
//! `cargo run -p quintet-arena --example match_two_agents`
//!
//! `… -- GAME AGENT AGENT [GAMES]` plays another one. Games are played on all cores and are the same whatever their number.

use std::error::Error;
use std::thread::available_parallelism;

use quintet_agent::Catalogue;
use quintet_arena::{Length, Plan, run};
use quintet_game::Stop;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize, usual: &'static str| arguments.get(at).map_or(usual, String::as_str);
    let (game, games) = (argument(0, "pylos"), argument(3, "40").parse()?);
    let agents = [argument(1, "mcts(visits=200)"), argument(2, "pylos:minimax")];

    // Everything that decides the games. Each opening of two random plies is played twice, with colours swapped.
    let plan = Plan { opening_plies: 2, ..Plan::duel(game, agents, Length::Games(games))? };
    println!("{}: {} against {}, {} games", plan.game, agents[0], agents[1], plan.games());

    let threads = available_parallelism()?.get();
    let results = run(&plan, Catalogue::embedded(), Vec::new(), threads, &Stop::never(), &mut |played| {
        println!("  game {:3}, {:3} plies: {} ({})", played.number, played.plies, played.outcome(), played.reason);
        Ok(())
    })?;

    let wdl = results.wdl(0, 1);
    println!("\n{} wins, {} draws, {} losses of {}", wdl.wins, wdl.draws, wdl.losses, agents[0]);
    let first = results.first_seat();
    println!("{} wins, {} draws, {} losses of the side that moved first", first.wins, first.draws, first.losses);
    // The two games of an opening are not independent of each other: errors follow from pairs of games.
    let pairs = results.pairs(0, 1).summary().ok_or("a match has two games at least")?;
    println!("score {:.1} %, 95 % interval {} %", 100.0 * pairs.score(), pairs.interval());
    println!("Elo {}", pairs.elo());
    println!("{} is the stronger one with a likelihood of {:.1} %", agents[0], 100.0 * pairs.los());
    Ok(())
}
