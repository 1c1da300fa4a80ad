//! Self-play with evaluators that know little: what it finds, what it hands out, and that it is repeatable.

use std::collections::HashSet;
use std::sync::Arc;

use quintet_eval::encode::{Encode, Plane, cells, views};
use quintet_game::bits::mix;
use quintet_game::pathwayz::Pathwayz;
use quintet_game::pentago::Pentago;
use quintet_game::{GameSpec, Outcome, Player, with_game};
use quintet_selfplay::{Config, Fast, Gumbel, Puct, Samples, Search, SelfPlay, SelfPlayError};

fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

/// A logit for every action and a value by hash: the same for the same position, whoever asks.
fn by_hash(words: &[u32], logits: &mut [f32]) -> f32 {
    let key = words.iter().fold(7, |key, word| mix(key ^ u64::from(*word)));
    let number = |i: u64| (mix(key ^ i) >> 40) as f32 / (1 << 24) as f32;
    for (i, logit) in logits.iter_mut().enumerate() {
        *logit = 2.0 * number(i as u64 + 1);
    }
    number(0) - 0.5
}

/// Plays until there are this many samples, each position evaluated by `net`.
fn play(text: &str, config: Config, samples: usize, net: impl Fn(&[u32], &mut [f32]) -> f32) -> (Samples, SelfPlay) {
    let mut play = SelfPlay::new(&spec(text), config, None).unwrap();
    run(&mut play, samples, net);
    (play.take(samples), play)
}

fn run(play: &mut SelfPlay, samples: usize, net: impl Fn(&[u32], &mut [f32]) -> f32) {
    let (cells, actions) = (play.cells(), play.actions());
    let mut words = vec![0; play.batch() * cells];
    let (mut logits, mut values) = (vec![0.0; play.batch() * actions], vec![0.0; play.batch()]);
    while play.ready() < samples {
        play.step(&mut words).unwrap();
        let asked = words.chunks_exact(cells).zip(logits.chunks_exact_mut(actions));
        for ((words, logits), value) in asked.zip(&mut values) {
            *value = net(words, logits);
        }
        play.answer(&logits, &values).unwrap();
    }
}

fn uniform(_words: &[u32], logits: &mut [f32]) -> f32 {
    logits.fill(0.0);
    0.0
}

const SPECS: [&str; 8] = [
    "pathwayz(rows=3,cols=4)",
    "pylos",
    "pylos(rules=expert,takeback=free)",
    "twixt(size=5)",
    "twixt(size=9,swap=off)",
    "twixt(size=8,rules=pp)",
    "pentago",
    "pentago-twist",
];

fn searches() -> [Search; 2] {
    [Search::Gumbel(Gumbel::default()), Search::Puct(Puct::default())]
}

#[test]
fn samples_are_consistent_in_every_game() {
    for text in SPECS {
        for search in searches() {
            let fast = Some(Fast { share: 0.5, simulations: 4 });
            let config = Config { games: 12, threads: 2, simulations: 12, search, fast, ..Config::default() };
            let (samples, play) = play(text, config, 300, by_hash);
            assert_eq!(samples.len(), 300);
            let stats = play.stats();
            assert_eq!(stats.games, stats.wins[0] + stats.wins[1] + stats.draws, "{text}");
            assert!(stats.samples >= 300 && stats.moves > stats.games, "{text}");
            // About half of the searched actions are not learned from.
            assert!(text.starts_with("pylos") || stats.samples < stats.moves, "{text}");
            for number in 0..samples.len() {
                let policy = &samples.policies[number * play.actions()..][..play.actions()];
                let legal = &samples.legal[number * play.actions()..][..play.actions()];
                assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{text}: {}", policy.iter().sum::<f32>());
                assert!(policy.iter().zip(legal).all(|(share, legal)| *share >= 0.0 && (*legal || *share == 0.0)));
                assert!(legal.contains(&true));
                assert!([-1.0, 0.0, 1.0].contains(&samples.results[number]));
                assert!((-1.0..=1.0).contains(&samples.values[number]));
                assert!(samples.moves_left[number] >= 1.0, "{text}: {}", samples.moves_left[number]);
            }
        }
    }
}

/// The last position of each game, for the player who won: moves left is 1.
#[test]
fn the_winner_of_the_last_move_has_the_result() {
    let config = Config { games: 8, simulations: 16, threads: 1, ..Config::default() };
    for text in ["pathwayz(rows=3,cols=4)", "pentago", "twixt(size=5,swap=off)"] {
        let (samples, _) = play(text, config.clone(), 200, uniform);
        let mut last = 0;
        for number in 0..samples.len() {
            if samples.moves_left[number] == 1.0 {
                last += 1;
                // Whoever makes the last move wins or draws, except by a piece for the opponent in Pathwayz or a turn in Pentago.
                assert!(samples.results[number] >= 0.0 || !text.starts_with("twixt"), "{text}");
            }
        }
        assert!(last > 5, "{text}");
    }
}

/// With no knowledge at all, the search sees a win in one, plays it, and says that it is won.
#[test]
fn a_win_in_one_is_found() {
    let game = Pentago::standard();
    let wins = game.planes().iter().find(|plane| plane.name == "own marble would win").unwrap();
    for search in searches() {
        let simulations = 400;
        let search = match search {
            Search::Gumbel(gumbel) => Search::Gumbel(Gumbel { considered: 324, ..gumbel }),
            // Everything is tried once before anything is tried twice.
            Search::Puct(puct) => Search::Puct(Puct { reduction: 0.0, noise: 0.0, ..puct }),
        };
        let config = Config { games: 4, simulations, threads: 2, search, ..Config::default() };
        let (samples, play) = play("pentago", config, 120, uniform);
        let (mut seen, mut taken) = (0, 0);
        for number in 0..samples.len() {
            let words = &samples.words[number * play.cells()..][..play.cells()];
            if words.iter().any(|word| wins.read(*word) == 1.0) {
                seen += 1;
                taken += usize::from(samples.moves_left[number] == 1.0 && samples.results[number] == 1.0);
            }
        }
        assert!(seen > 5 && taken == seen, "{search:?}: {taken} of {seen}");
    }
}

#[test]
fn the_same_seed_gives_the_same_samples_with_any_number_of_threads() {
    for text in ["pylos", "twixt(size=8)", "pathwayz(rows=3,cols=4)"] {
        for search in searches() {
            let of = |threads, seed| {
                let fast = Some(Fast { share: 0.3, simulations: 4 });
                let config = Config { games: 10, threads, seed, simulations: 10, search, fast, ..Config::default() };
                play(text, config, 150, by_hash).0
            };
            let first = of(1, 5);
            assert!(first == of(3, 5), "{text}");
            assert!(first != of(1, 6), "{text}");
        }
    }
}

/// The halves take turns, whether one or two of their batches are with the caller.
#[test]
fn two_batches_may_be_with_the_caller() {
    let config = Config { games: 6, threads: 2, simulations: 8, ..Config::default() };
    let one = play("twixt(size=6)", config.clone(), 100, by_hash).0;
    let mut play = SelfPlay::new(&spec("twixt(size=6)"), config, None).unwrap();
    let (cells, actions) = (play.cells(), play.actions());
    let mut words = [vec![0; 6 * cells], vec![0; 6 * cells]];
    play.step(&mut words[0]).unwrap();
    let mut oldest = 0;
    while play.ready() < 100 {
        play.step(&mut words[1 - oldest]).unwrap();
        let mut logits = vec![0.0; 6 * actions];
        let asked = words[oldest].chunks_exact(cells).zip(logits.chunks_exact_mut(actions));
        let values: Vec<f32> = asked.map(|(words, logits)| by_hash(words, logits)).collect();
        play.answer(&logits, &values).unwrap();
        oldest = 1 - oldest;
    }
    assert_ne!(words[0], words[1]);
    assert!(play.take(100) == one);
}

/// Images of a sample are samples of symmetric positions: where the board is empty, all are seen with the same policy in another order.
#[test]
fn samples_are_symmetric_images() {
    let game = Pathwayz::new(3, 4);
    let views = views(&game);
    let config = Config { games: 16, simulations: 12, threads: 2, opening: 1, seed: 3, ..Config::default() };
    let of = |symmetries| play("pathwayz(rows=3,cols=4)", Config { symmetries, ..config.clone() }, 400, uniform).0;
    let (plain, mapped) = (of(false), of(true));
    let occupied = Plane { name: "", mask: 0b11, value: Some(0) };
    let words = |samples: &Samples, number: usize| samples.words[number * 12..][..12].to_vec();
    let first = |samples: &Samples| -> HashSet<Vec<u32>> {
        let one_piece =
            |number: &usize| words(samples, *number).iter().filter(|word| occupied.read(**word) == 0.0).count() == 1;
        (0..samples.len()).filter(one_piece).map(|number| words(samples, number)).collect()
    };
    let mut all = HashSet::new();
    for words in first(&plain) {
        for view in &views {
            let mut image = vec![0; cells(&game)];
            view.map_words(&words, &mut image);
            all.insert(image);
        }
    }
    let images = first(&mapped);
    assert!(images.len() > 10 && images.iter().all(|image| all.contains(image)));
}

/// The exact value of an ending is taken where the hook knows it, and the game is over.
#[test]
fn the_ending_hook_ends_games() {
    let config = Config { games: 8, simulations: 4, threads: 2, opening: 0, solve_from: 5, ..Config::default() };
    let hook = Arc::new(|line: &dyn quintet_game::AnyLine| {
        assert!(line.plies() == 0 && line.count_moves() > 0);
        Some(Outcome::Win(Player::Second))
    });
    let mut play = SelfPlay::new(&spec("pentago"), config, Some(hook)).unwrap();
    run(&mut play, 50, by_hash);
    let stats = play.stats();
    assert_eq!((stats.wins[1], stats.moves), (stats.games, 5 * stats.games));
}

/// Games are over when neither side can win any more, and at the latest after this many moves.
#[test]
fn dead_and_long_games_are_draws() {
    let config = Config { games: 16, simulations: 4, threads: 2, most_moves: 30, ..Config::default() };
    let (_, play) = play("pylos", config.clone(), 800, by_hash);
    assert!(play.stats().draws > 0 && play.stats().moves <= 30 * play.stats().games);
    let (_, play) = self::play("twixt(size=5)", Config { most_moves: 1000, ..config }, 800, by_hash);
    // A full board has 21 pegs (the corners have no holes).
    assert!(play.stats().draws > 0 && play.stats().moves < 21 * play.stats().games);
}

/// With this threshold everyone gives up after the second search of their own that is not won.
#[test]
fn a_player_resigns_only_when_told_so() {
    let config = Config { games: 8, simulations: 4, threads: 1, opening: 0, ..Config::default() };
    let (_, to_the_end) = play("twixt(size=6,swap=off)", config.clone(), 100, by_hash);
    assert!(to_the_end.stats().moves > 5 * to_the_end.stats().games);
    let (_, play) = play("twixt(size=6,swap=off)", Config { resign: Some(1.0), ..config }, 20, by_hash);
    let stats = play.stats();
    assert_eq!((stats.wins[1], stats.moves), (stats.games, 2 * stats.games));
}

#[test]
fn wrong_calls_are_explained() {
    let config = Config { games: 2, threads: 1, simulations: 2, ..Config::default() };
    let new = |config| SelfPlay::new(&spec("pentago"), config, None);
    let error = new(Config { games: 0, ..config.clone() }).unwrap_err();
    assert_eq!(error.to_string(), "games is 0: it must be from 1 to 1048576.");
    let share = Some(Fast { share: 2.0, simulations: 1 });
    assert_eq!(
        new(Config { fast: share, ..config.clone() }).unwrap_err().to_string(),
        "fast share is 2: it must be from 0 to 1."
    );
    let mut play = new(config).unwrap();
    let (logits, mut values) = (vec![0.0; 2 * 324], vec![0.0; 2]);
    assert!(matches!(play.answer(&logits, &values), Err(SelfPlayError::Order(_))));
    assert!(matches!(play.step(&mut [0; 3]), Err(SelfPlayError::Length { found: 3, wanted: 72, .. })));
    play.step(&mut [0; 72]).unwrap();
    play.step(&mut [0; 72]).unwrap();
    assert!(matches!(play.step(&mut [0; 72]), Err(SelfPlayError::Order(_))));
    values[1] = f32::NAN;
    let error = play.answer(&logits, &values).unwrap_err();
    assert_eq!(error.to_string(), "the value of position 1 is NaN: it must be from -1 to 1.");
    values[1] = 0.5;
    play.answer(&logits, &values).unwrap();
    // Logits that are not numbers count as equal.
    play.step(&mut [0; 72]).unwrap();
    play.answer(&[f32::NAN; 648], &values).unwrap();
    play.step(&mut [0; 72]).unwrap();
}

/// A hook that panics stops the run with an error instead of a wait without end.
#[test]
fn a_panic_in_a_thread_is_an_error() {
    let config = Config { games: 4, threads: 2, simulations: 2, solve_from: 3, ..Config::default() };
    let hook = Arc::new(|_: &dyn quintet_game::AnyLine| panic!("this test's hook panics"));
    let mut play = SelfPlay::new(&spec("pentago"), config, Some(hook)).unwrap();
    let (logits, values) = (vec![0.0; 4 * 324], vec![0.0; 4]);
    let stopped = (0..200).find_map(|_| {
        let step = play.step(&mut [0; 144]);
        step.and_then(|()| play.answer(&logits, &values)).err()
    });
    assert_eq!(stopped, Some(SelfPlayError::Stopped));
}

#[test]
fn every_spec_has_the_sizes_of_its_game() {
    for text in SPECS {
        let config = Config { games: 1, threads: 1, ..Config::default() };
        let play = SelfPlay::new(&spec(text), config, None).unwrap();
        let sizes = with_game!(spec(text), |game| (cells(&game), game.actions()));
        assert_eq!((play.cells(), play.actions(), play.batch()), (sizes.0, sizes.1, 1));
    }
}
