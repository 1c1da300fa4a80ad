//! The opening of TwixT: the first peg and the swap, which go by a map, and no pegs at the border.

use quintet_agent::seat;
use quintet_game::{AnyLine, GameSpec, Limit, Rng, SeedableRng as _, Stop};

#[test]
fn the_first_peg_and_the_swap_of_twixt_go_by_a_map() {
    let agent = "exact(agent=puct(eval=net,c=0.7))";
    let answer = |game: &str, pegs: &[&str], agent: &str| {
        let spec = GameSpec::parse(game).unwrap();
        let mut line = spec.line();
        for peg in pegs {
            line.try_play(peg).unwrap();
        }
        let mut seat = seat(&spec, agent, 1).unwrap();
        seat.think(&*line, &Limit::visits(30), &Stop::never(), &mut |_| {}).unwrap().mv
    };
    for size in [12, 14, 24] {
        let game = format!("twixt(size={size})");
        // A border peg is left, a strong one taken over, by every agent within.
        let strong = if size == 12 { "d6" } else { "g7" };
        for agent in [agent, "exact(agent=random)"] {
            assert_eq!(answer(&game, &[strong], agent), "swap", "{game}");
            assert_ne!(answer(&game, &["b1"], agent), "swap", "{game}");
        }
        // The best first peg without the swap is taken over; the one with it is near even.
        let greedy = answer(&format!("twixt(size={size},swap=off)"), &[], agent);
        assert_eq!(answer(&game, &[&greedy], agent), "swap", "{greedy} of {size}");
        let fair = answer(&game, &[], agent);
        assert_ne!(fair, greedy, "{size}");
    }
}

/// Pegs on the outermost rows and columns, of either side, join nothing this early.
#[test]
fn the_champion_of_twixt_begins_away_from_the_border() {
    for size in [12, 24] {
        let spec = GameSpec::parse(&format!("twixt(size={size})")).unwrap();
        let is_at_border = |mv: &str| {
            let (column, row) = (mv.as_bytes()[0] - b'a', mv[1..].parse::<u8>().unwrap() - 1);
            [column, row].iter().any(|place| [0, size - 1].contains(place))
        };
        let first = |rng: &mut Rng| -> Box<dyn AnyLine> {
            loop {
                let mut line = spec.line();
                let mv = line.random_move(rng).unwrap();
                if !is_at_border(&mv) {
                    line.try_play(&mv).unwrap();
                    return line;
                }
            }
        };
        let mut line = first(&mut Rng::seed_from_u64(1));
        let mut champion = seat(&spec, "twixt:champion", 1).unwrap();
        let mut pegs = 1;
        while pegs < 10 && line.end().is_none() {
            let mv = champion.think(&*line, &Limit::visits(100), &Stop::never(), &mut |_| {}).unwrap().mv;
            if mv != "swap" {
                assert!(!is_at_border(&mv), "{mv} after {}", line.position());
                pegs += 1;
            }
            line.try_play(&mv).unwrap();
        }
        assert!(pegs > 6, "{size}");
    }
}
