//! Counts the positions searched for each first peg of a small TwixT board: `pegs SIZE RULES [HOLE…]`, one thread, 512 MiB.

use std::time::Instant;

use quintet_game::twixt::{Swap, Twixt};
use quintet_game::{Game as _, Limit, Notation as _, Symmetric as _};
use quintet_solve::twixt::Solver;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [size, rules, holes @ ..] = args.as_slice() else {
        return eprintln!("pegs SIZE standard|pp|paper [HOLE…]");
    };
    let size = size.parse().expect("a number of holes per side");
    match rules.as_str() {
        "pp" => count(&Twixt::<20, 2>::new(size, false, Swap::Off), holes),
        rules => count(&Twixt::<20, 1>::new(size, rules == "paper", Swap::Off), holes),
    }
}

fn count<const W: usize, const B: usize>(game: &Twixt<W, B>, holes: &[String]) {
    let (start, began, mut all) = (game.start(), Instant::now(), 0);
    let mut solver = Solver::new(game, 512 << 20);
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    let first = |mv| game.symmetries(&start).iter().map(|symmetry| game.map_move(*symmetry, mv)).min() == Some(mv);
    moves.retain(|mv| if holes.is_empty() { first(*mv) } else { holes.contains(&game.write_move(*mv)) });
    let middle = |(x, y): (usize, usize)| x.min(game.size() - 1 - x).min(y);
    moves.sort_by_key(|mv| mv.hole().map(|(x, y)| std::cmp::Reverse((middle((x, y)), x, y))));
    for mv in moves {
        let (value, nodes) = solver.value_of(game, &start, mv, &Limit::default(), &|| false);
        all += nodes;
        let value = value.map_or_else(|| "?".to_owned(), |value| value.to_string());
        println!("{} {value} {nodes} {:.1} s", game.write_move(mv), began.elapsed().as_secs_f64());
    }
    println!("{all} positions, {:.1} s", began.elapsed().as_secs_f64());
}
