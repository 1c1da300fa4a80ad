//! Exact values of positions, from the provers that know them:
//!
//! `cargo run -p quintet-agent --example solve_a_position`
//!
//! `… -- GAME [POSITION]` asks about another position; without one, about the start of the game.

use std::error::Error;

use quintet_agent::{exact, provers};
use quintet_game::{AnyLine, GameSpec, Limit, Stop};

/// Moves that are shown of each position.
const SHOWN: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => {
            show("A small board of TwixT from its start", &*GameSpec::parse("twixt(size=5,swap=off)")?.line());
            let mut opening = GameSpec::parse("pylos")?.line();
            opening.try_play("1b2")?;
            show("Pylos after light's first move", &*opening);
            let middle = "..xo../.o.oxo/.o..../xx..x./..ox.x/oxxxoo o";
            show("Pentago with half of the marbles played", &*GameSpec::parse("pentago")?.line_at(middle)?);
            show("Pathwayz from its start", &*GameSpec::parse("pathwayz")?.line());
        }
        [game] => show(game, &*GameSpec::parse(game)?.line()),
        [game, position, ..] => show(game, &*GameSpec::parse(game)?.line_at(position)?),
    }
    Ok(())
}

/// Asks the provers that need no files, one after another.
fn show(title: &str, line: &dyn AnyLine) {
    println!("{title}: {}", line.position());
    let side = line.spec().info().sides[line.to_move().index()];
    match exact(&provers(), line, &Limit::default(), &Stop::never()) {
        Ok(known) => {
            println!("  {side} to move {}, says {}", known.value, known.by);
            for (mv, value) in known.moves.iter().take(SHOWN) {
                println!("    {mv:10} {value}");
            }
            if known.moves.len() > SHOWN {
                println!("    … and {} more", known.moves.len() - SHOWN);
            }
        }
        Err(why) => println!("  nobody knows: {why}"),
    }
    println!();
}
