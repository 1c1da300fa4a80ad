//! The evaluations of TwixT against slow twins that follow the definitions literally.

use std::sync::Arc;

use quintet_eval::twixt::{bottlenecks, cheapest, distances};
use quintet_eval::{Evaluate, Evaluated, Spec, WeightStore, evaluation, evaluation_with};
use quintet_game::bits::mix;
use quintet_game::twixt::{Position, Swap, Twixt};
use quintet_game::{Game, Line, Notation, Outcome, Player, Rng, SeedableRng, Symmetric};

mod twin;

use twin::{Cell, Twin};

/// A check on positions of boards of all types.
trait Check {
    fn check<const W: usize, const B: usize>(&mut self, game: &Twixt<W, B>, corners: bool, pos: &Position<W, B>);
}

/// Plays games, half of them at random, the others by the best of a few random moves by distance, and checks about `each`
/// positions of each, always including the last.
fn play<const W: usize, const B: usize>(
    game: Twixt<W, B>,
    corners: bool,
    games: usize,
    each: usize,
    check: &mut impl Check,
) {
    let game = Arc::new(game);
    let mut rng = Rng::seed_from_u64((W * 100 + B * 10000 + game.size()) as u64);
    let about = game.size() * game.size() * 3 / 4;
    for number in 0..games {
        let mut line = Line::new(Arc::clone(&game));
        while line.outcome().is_none() {
            if line.plies() % (about / each).max(1) == number % (about / each).max(1) {
                check.check(&game, corners, line.position());
            }
            let tries = (0..if number % 2 == 0 { 1 } else { 6 }).map(|_| game.random_move(line.position(), &mut rng));
            let lead = |pos: &Position<W, B>, player: Player| {
                let pegs = distances(&game, pos).map(|pegs| pegs.map_or(1000, |pegs| pegs as i32));
                pegs[player.other().index()] - pegs[player.index()]
            };
            let best = tries.max_by_key(|mv| {
                let mut after = line.position().clone();
                game.play(&mut after, *mv);
                lead(&after, line.to_move())
            });
            line.play(best.unwrap());
        }
        check.check(&game, corners, line.position());
    }
}

/// All sizes and rules, as the registry builds them, and boards with more margin than they need.
fn everywhere(games: impl Fn(usize) -> usize, each: usize, check: &mut impl Check) {
    for size in 3..=24 {
        let games = games(size);
        for (corners, swap) in [(false, Swap::Mirror), (true, Swap::Off), (false, Swap::Off)] {
            match size {
                3..=8 => play(Twixt::<16, 1>::new(size, corners, swap), corners, games, each, check),
                9..=12 => play(Twixt::<20, 1>::new(size, corners, swap), corners, games, each, check),
                _ => play(Twixt::<32, 1>::new(size, corners, swap), corners, games, each, check),
            }
        }
        play(Twixt::<32, 2>::new(size, false, Swap::Mirror), false, games, each, check);
        if size <= 12 {
            play(Twixt::<32, 1>::new(size, false, Swap::Off), false, games.div_ceil(3), each, check);
        }
    }
}

fn infinite(pegs: Option<u32>) -> f64 {
    pegs.map_or(f64::INFINITY, f64::from)
}

#[derive(Default)]
struct Distances {
    positions: usize,
    blocked: usize,
    won: usize,
}

impl Check for Distances {
    fn check<const W: usize, const B: usize>(&mut self, game: &Twixt<W, B>, corners: bool, pos: &Position<W, B>) {
        let found = distances(game, pos);
        for player in Player::BOTH {
            let pegs = found[player.index()];
            let twin = Twin::new(game, corners, pos, player);
            assert_eq!(infinite(pegs), twin.distance(), "{player}: {}", game.write_position(pos));
            let won = game.outcome(pos) == Some(Outcome::Win(player));
            assert_eq!(pegs == Some(0), won, "{player}: {}", game.write_position(pos));
            self.blocked += usize::from(pegs.is_none());
            self.won += usize::from(won);
            assert!(!won || found[player.other().index()].is_none(), "two ways cannot pass each other");
        }
        self.positions += 1;
    }
}

#[test]
fn distance_agrees_with_its_twin_and_is_0_for_winners_only() {
    let mut check = Distances::default();
    everywhere(|size| if size <= 12 { 9 } else { 3 }, 14, &mut check);
    println!("{} positions, {} without a way, {} won", check.positions, check.blocked, check.won);
    assert!(check.positions > 5000 && check.blocked > 500 && check.won > 200);
}

struct Chains {
    found: usize,
}

impl Check for Chains {
    fn check<const W: usize, const B: usize>(&mut self, game: &Twixt<W, B>, corners: bool, pos: &Position<W, B>) {
        // The slow definitions take one search per hole, so large boards get only few positions.
        let cells = (game.size() * game.size()) as u64;
        if game.size() > 9 && mix(game.key(pos)) % cells > 60 {
            return;
        }
        for player in Player::BOTH {
            let twin = Twin::new(game, corners, pos, player);
            let raised = twin.holes_where(f64::INFINITY, |before, after| after > before);
            let saved = twin.holes_where(0.0, |before, after| before < f64::INFINITY && after == before - 1.0);
            let [necks, chains] = [bottlenecks(game, pos, player), cheapest(game, pos, player)];
            assert_eq!(necks.iter().collect::<Vec<_>>(), raised, "{player}: {}", game.write_position(pos));
            // A hole is on a cheapest chain if making it free saves one of the pegs needed.
            assert_eq!(chains.iter().collect::<Vec<_>>(), saved, "{player}: {}", game.write_position(pos));
            assert!(necks.iter().all(|(x, y)| chains.contains(x, y)));
            self.found += necks.len();
        }
    }
}

#[test]
fn bottlenecks_and_cheapest_chains_are_what_their_slow_definitions_say() {
    let mut check = Chains { found: 0 };
    everywhere(|_| 2, 6, &mut check);
    assert!(check.found > 200, "{}", check.found);
}

fn build<const W: usize, const B: usize>(game: &Twixt<W, B>, spec: &str) -> Box<dyn Evaluate<Twixt<W, B>>> {
    evaluation(game, &Spec::parse(spec).unwrap()).unwrap()
}

fn term<const W: usize, const B: usize>(
    eval: &dyn Evaluate<Twixt<W, B>>,
    game: &Twixt<W, B>,
    pos: &Position<W, B>,
    (view, name): (Player, &str),
) -> f64 {
    eval.terms(game, pos, view).into_iter().find(|term| term.name == name).expect(name).value
}

struct Values;

impl Check for Values {
    fn check<const W: usize, const B: usize>(&mut self, game: &Twixt<W, B>, corners: bool, pos: &Position<W, B>) {
        let size = game.size();
        let square = (size * size) as f64;
        let twins = Player::BOTH.map(|player| Twin::new(game, corners, pos, player));
        let middle = (size as f64 - 1.0) / 2.0;
        let away = |at: usize| ((at % size) as f64 - middle).hypot((at / size) as f64 - middle);
        let specs = ["distance", "centre(w=0)", "centre", "centre(w=0.7)", "rich"];
        for (spec, w) in specs.into_iter().zip([0.0, 0.0, 0.1, 0.7, 0.0]) {
            let eval = build(game, spec);
            assert_eq!(eval.antisymmetric(), spec != "rich");
            for view in Player::BOTH {
                let value = eval.value(game, pos, view);
                let terms = eval.terms(game, pos, view);
                assert_eq!(value, terms.iter().map(|term| term.value * term.weight).sum::<f64>(), "{spec}");
                if eval.antisymmetric() {
                    assert_eq!(value, -eval.value(game, pos, view.other()), "{spec}");
                }
                let cost = |player: Player| twins[player.index()].cost(&|at| 1.0 + w * away(at) / size as f64);
                let (my, your) = (cost(view), cost(view.other()));
                let lead = match (my.is_finite(), your.is_finite()) {
                    (true, true) => your - my,
                    (false, false) => 0.0,
                    (true, false) => square,
                    (false, true) => -square,
                };
                let named = |name| term(&*eval, game, pos, (view, name));
                let near = |a: f64, b: f64| (a - b).abs() < if w == 0.0 { 1e-300 } else { 1e-6 };
                assert!(near(named("lead"), lead), "{spec} {}", game.write_position(pos));
                if spec != "rich" {
                    assert_eq!(value, named("lead"));
                    assert!(
                        near(named("myPegs"), my.min(square)) && near(named("yourPegs"), your.min(square)),
                        "{spec}"
                    );
                    continue;
                }
                assert_eq!(named("myBottlenecks"), bottlenecks(game, pos, view).len() as f64);
                assert_eq!(named("yourBottlenecks"), bottlenecks(game, pos, view.other()).len() as f64);
                let [mine, yours] = [view, view.other()].map(|player| twins[player.index()].through());
                let empty = |at: &usize| twins.iter().any(|twin| twin.holes[*at] == Some(false));
                let empty: Vec<usize> = (0..size * size).filter(empty).collect();
                let through = |costs: &[f64], twin: &Twin, at: usize| match twin.holes[at] {
                    Some(false) => costs[at],
                    _ => f64::INFINITY,
                };
                let cheaper = empty.iter().filter(|at| {
                    through(&mine, &twins[view.index()], **at) < through(&yours, &twins[view.other().index()], **at)
                });
                assert_eq!(named("cheaper"), cheaper.count() as f64 / empty.len().max(1) as f64);
            }
        }
    }
}

#[test]
fn values_terms_and_antisymmetry_hold_and_agree_with_the_twins() {
    everywhere(|_| 2, 5, &mut Values);
}

struct Images;

impl Check for Images {
    fn check<const W: usize, const B: usize>(&mut self, game: &Twixt<W, B>, _corners: bool, pos: &Position<W, B>) {
        for spec in ["distance", "centre", "links", "choices", "rich"] {
            let eval = build(game, spec);
            for &symmetry in game.symmetries(pos) {
                let image = game.map_position(symmetry, pos);
                for view in Player::BOTH {
                    let seen = if symmetry.colours { view.other() } else { view };
                    assert_eq!(eval.value(game, &image, seen), eval.value(game, pos, view), "{spec} {symmetry:?}");
                    if eval.antisymmetric() && symmetry.colours {
                        assert_eq!(eval.value(game, &image, view), -eval.value(game, pos, view), "{spec} {symmetry:?}");
                    }
                }
            }
        }
    }
}

/// `links` and `choices` against counts from the list of links and from the twin's chains.
struct Variants;

impl Check for Variants {
    fn check<const W: usize, const B: usize>(&mut self, game: &Twixt<W, B>, _corners: bool, pos: &Position<W, B>) {
        let distance = build(game, "distance");
        let links = |player| game.links(pos).iter().filter(|[(x, y), _]| pos.peg(*x, *y) == Some(player)).count();
        let choices = |player| cheapest(game, pos, player).iter().count();
        for view in Player::BOTH {
            let more = |count: &dyn Fn(Player) -> usize| count(view) as f64 - count(view.other()) as f64;
            let lead = distance.value(game, pos, view);
            for (spec, wanted) in [
                ("links", lead + 0.1 * more(&links)),
                ("links(w=0.5)", lead + 0.5 * more(&links)),
                ("choices", lead + 0.02 * more(&choices)),
                ("choices(w=0)", lead),
            ] {
                let eval = build(game, spec);
                assert_eq!(eval.value(game, pos, view), wanted, "{spec} {}", game.write_position(pos));
                assert_eq!(eval.value(game, pos, view.other()), -wanted, "{spec}");
            }
        }
    }
}

#[test]
fn variants_count_what_they_say() {
    everywhere(|_| 2, 6, &mut Variants);
}

#[test]
fn images_have_equal_values() {
    everywhere(|_| 2, 5, &mut Images);
}

#[test]
fn empty_boards_need_the_fewest_pegs_there_are() {
    for size in 3..=24 {
        let fewest = (size as u32 - 1).div_ceil(2) + 1;
        for corners in [false, true] {
            let game = Twixt::<32, 1>::new(size, corners, Swap::Off);
            // Without corners 3 x 3 and 4 x 4 are too narrow: red has one column, or two and only moves of two rows, which miss row 4.
            let pegs = (corners || size > 4).then_some(fewest);
            assert_eq!(distances(&game, &game.start()), [pegs; 2], "{size} {corners}");
        }
    }
}

#[test]
fn boards_with_known_distances() {
    let standard = Twixt::<16, 1>::new(6, false, Swap::Off);
    for (text, pegs) in [
        // Red: b1 or d1, c3, b5 or d5, and then sideways to row 6. Black: a4, c5, e4, f2; c3 is taken.
        ("#....#/....../..r.../....b./....../#....# - r", [Some(3), Some(3)]),
        // b1 c3 d5 b6 lacks one peg; black cannot pass below d5, since row 6 is red's.
        ("#r...#/....../..r.../b...b./...r../#....# b1c3,c3d5 b", [Some(1), None]),
        // The same with the last peg.
        ("#r...#/....../..r.../bb..b./...r../#r...# b1c3,b6d5,c3d5 b", [Some(0), None]),
    ] {
        assert_eq!(distances(&standard, &standard.read_position(text).unwrap()), pegs, "{text}");
    }
    let corners = Twixt::<16, 1>::new(3, true, Swap::Off);
    for (text, pegs) in [
        ("r../.../... - b", [Some(1), Some(2)]),
        // a1-b3 crosses all of a2-c1, a2-c3 and a3-c2.
        ("r../..b/.r. a1b3 b", [Some(0), None]),
        // Black has won: a2-c1 crosses a1-b3 and b1-c3, and red's other ways need c1.
        ("r.b/b../r.. a2c1 r", [None, Some(0)]),
    ] {
        assert_eq!(distances(&corners, &corners.read_position(text).unwrap()), pegs, "{text}");
    }
}

#[test]
fn calls_are_checked() {
    let game = Twixt::<16, 1>::new(6, false, Swap::Off);
    for (spec, says) in [
        (
            "closeness",
            "\"closeness\" is not an evaluation of TwixT; choose one of distance, centre, links, choices, rich.",
        ),
        ("distance(w=1)", "distance takes no \"w\"; it takes nothing."),
        ("centre(v=1)", "centre takes no \"v\"; it takes w."),
        ("centre(w=-0.1)", "w=-0.1: it must be a number from 0 to 1."),
        ("links(w=2)", "w=2: it must be a number from 0 to 1."),
        ("choices(v=1)", "choices takes no \"v\"; it takes w."),
    ] {
        let error = evaluation(&game, &Spec::parse(spec).unwrap()).err().expect(spec);
        assert_eq!(error.to_string(), says);
    }
}

/// `rich` takes weights, and as a model it has the same values.
#[test]
fn rich_takes_weights() {
    let game = Twixt::<16, 1>::new(7, false, Swap::Off);
    let spec = Spec::parse("rich").unwrap();
    let mut model = WeightStore::embedded().model(&game, &spec).unwrap();
    model.weights_mut().copy_from_slice(&[3.0, -0.5, 0.25, 7.0]);
    let learned = evaluation_with(&game, &spec, model.to_weights()).unwrap();
    let mut rng = Rng::seed_from_u64(4);
    let mut pos = game.start();
    while game.outcome(&pos).is_none() {
        let mv = game.random_move(&pos, &mut rng);
        game.play(&mut pos, mv);
        for view in Player::BOTH {
            let terms = build(&game, "rich").terms(&game, &pos, view);
            let wanted: f64 = terms.iter().zip([3.0, -0.5, 0.25, 7.0]).map(|(term, weight)| term.value * weight).sum();
            assert!((learned.value(&game, &pos, view) - wanted).abs() < 1e-9);
            assert!((model.value(&game, &pos, view) - wanted).abs() < 1e-9);
        }
    }
    let error = WeightStore::embedded().model(&game, &Spec::parse("distance").unwrap()).err().unwrap();
    assert!(error.to_string().contains("no weights that could be learned"));
}

/// Candidate holes by their definition: on a cheapest chain of either side, or by the offsets from a peg along both axes.
#[test]
fn candidates_are_their_definition() {
    const REACH: [[usize; 2]; 6] = [[1, 2], [1, 1], [0, 2], [1, 3], [3, 3], [0, 4]];
    let game = Twixt::<16, 1>::new(8, false, Swap::Mirror);
    let [chains, near] = ["chains", "near"].map(|word| Twixt::<16, 1>::sieve(word).unwrap());
    assert!(Twixt::<16, 1>::sieve("far").is_err());
    let (mut fewer, mut between) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::seed_from_u64(seed);
        let mut pos = game.start();
        while game.outcome(&pos).is_none() {
            let mut all = Vec::new();
            game.moves(&pos, &mut all);
            let holes = Player::BOTH.map(|player| cheapest(&game, &pos, player));
            let on_chain = |(x, y): Cell| holes.iter().any(|holes| holes.contains(x, y));
            let pegs = (0..64).map(|i| (i % 8, i / 8)).filter(|(x, y)| pos.peg(*x, *y).is_some()).collect::<Vec<_>>();
            let at_hand = |(x, y): Cell| {
                pegs.iter().any(|peg| {
                    let mut apart = [peg.0.abs_diff(x), peg.1.abs_diff(y)];
                    apart.sort_unstable();
                    REACH.contains(&apart)
                })
            };
            for (keeps, sieve) in [(false, &chains), (true, &near)] {
                let good = |cell: Cell| on_chain(cell) || keeps && at_hand(cell);
                let mut wanted = all.clone();
                wanted.retain(|mv| mv.hole().is_none_or(good));
                if !wanted.iter().any(|mv| mv.hole().is_some()) {
                    wanted.clone_from(&all);
                }
                let mut kept = all.clone();
                sieve.keep(&game, &pos, &mut kept);
                assert_eq!(kept, wanted, "{}", game.write_position(&pos));
                *(if keeps { &mut between } else { &mut fewer }) += usize::from(kept.len() < all.len());
            }
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
        }
    }
    assert!(fewer > 100 && between > 100, "{fewer} {between}");
}
