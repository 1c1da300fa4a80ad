//! The first peg of TwixT and the swap, which go by a map.

use quintet_agent::seat;
use quintet_game::{GameSpec, Limit, Stop};

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
