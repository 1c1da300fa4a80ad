//! Plays a whole random game of any of the games and variants, move by move:
//!
//! `cargo run -p quintet-game --example play_a_game -- 'twixt(size=8)' 7`
//!
//! The first argument is the game (Pylos unless given), the second the seed of the random moves.

use std::error::Error;

use quintet_game::record::Record;
use quintet_game::{GAMES, GameSpec, Rng, SeedableRng as _};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "pylos".into());
    let seed: u64 = arguments.next().unwrap_or_else(|| "1".into()).parse()?;

    println!("The games:");
    for info in GAMES {
        println!("  {:14} {}", info.name, info.about);
    }

    // A spec names a game and its options; a line is a game in progress, here of a type that only the spec knows.
    let spec = GameSpec::parse(&game)?;
    let sides = spec.info().sides;
    let mut line = spec.line();
    println!("\n{spec}: {} begins against {} and has {} moves", sides[0], sides[1], line.count_moves());

    // Whatever is not legal is refused with a sentence, and changes nothing.
    if let Err(refusal) = line.try_play("nonsense") {
        println!("{refusal}\n");
    }

    let mut rng = Rng::seed_from_u64(seed);
    while let Some(mv) = line.random_move(&mut rng) {
        let (side, legal) = (sides[line.to_move().index()], line.count_moves());
        line.try_play(&mv)?;
        println!("{:3}. {side:6} {mv:14} of {legal:3}   {}", line.plies(), line.position());
    }

    let (outcome, reason) = line.end().expect("a random move is missing only when the game is over");
    let result = outcome.winner().map_or("a draw".into(), |player| format!("{} wins", sides[player.index()]));
    println!("\n{result} ({reason})");

    // A record is the game as text. Read again and replayed, it leads to the same position.
    let record = Record::of(&*line, ["random", "random"], Some(seed)).to_string();
    let (again, refused) = Record::read(&record)?.replay()?;
    assert!(refused.is_none() && again.position() == line.position());
    println!("\n{record}");
    Ok(())
}
