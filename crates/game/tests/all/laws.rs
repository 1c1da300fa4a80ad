//! Laws that every game in every variant obeys, on random positions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::common::{rng, specs};
use proptest::prelude::*;
use quintet_game::playout::{MOST_PLIES, Playouts, move_by_move};
use quintet_game::{EndReason, GAMES, GameSpec, Line, Outcome, Playable, Player, Rng, can_win_now, with_game};

/// Plays `plies` random moves (or to the end) from the start.
fn random_line<G: Playable>(game: G, rng: &mut Rng, plies: usize) -> Line<G> {
    let mut line = Line::new(Arc::new(game));
    while line.plies() < plies && line.outcome().is_none() {
        line.play(line.game().random_move(line.position(), rng));
    }
    line
}

fn legal<G: Playable>(game: &G, pos: &G::Pos) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    moves
}

fn after<G: Playable>(game: &G, pos: &G::Pos, mv: G::Move) -> G::Pos {
    let mut next = pos.clone();
    game.play(&mut next, mv);
    next
}

struct Laws {
    spec: GameSpec,
    seed: u64,
    plies: usize,
}

impl Laws {
    fn visit<G: Playable>(self, game: G) {
        let mut rng = rng(self.seed);
        let mut line = random_line(game, &mut rng, self.plies);
        let context = format!("{} seed {} plies {}", self.spec, self.seed, self.plies);
        text_round_trips(&line, &context);
        counting_is_listing(&line, &context);
        threats_are_wins_next(&line, &context);
        dead_games_are_drawn(&line, &mut rng, &context);
        the_end_is_the_end(&mut line, &context);
        symmetries_hold(&line, &mut rng, &context);
        strangers_are_refused(&line, &mut rng, &context);
        undo_goes_back(&mut line, &context);
    }
}

/// Copy-and-play agrees with rebuild-from-text, in the position, its key, its moves and the moves after it.
fn text_round_trips<G: Playable>(line: &Line<G>, context: &str) {
    let game = line.game();
    let pos = line.position();
    let text = game.write_position(pos);
    let rebuilt = game.read_position(&text).unwrap_or_else(|e| panic!("{context}: {text}: {e}"));
    assert_eq!(rebuilt, *pos, "{context}: {text}");
    assert_eq!(game.key(&rebuilt), game.key(pos), "{context}: {text}");
    assert_eq!(game.write_position(&rebuilt), text, "{context}");
    assert_eq!(game.outcome(&rebuilt), game.outcome(pos), "{context}: {text}");
    let moves = legal(game, pos);
    assert_eq!(legal(game, &rebuilt), moves, "{context}: {text}");
    for &mv in moves.iter().step_by(moves.len() / 10 + 1) {
        let (a, b) = (after(game, pos, mv), after(game, &rebuilt, mv));
        assert_eq!(a, b, "{context}: {text} {mv:?}");
        assert_eq!(
            game.key(&a),
            game.key(&game.read_position(&game.write_position(&b)).unwrap()),
            "{context}: {text} {mv:?}"
        );
        assert_ne!(game.key(&a), game.key(pos), "{context}: a move changes the key");
    }
    for &mv in &moves {
        let token = game.write_move(mv);
        assert_eq!(token, token.to_ascii_lowercase(), "{context}");
        for spelling in [token.clone(), token.to_ascii_uppercase()] {
            assert_eq!(game.read_move(&spelling), Ok(mv), "{context}: {spelling}");
        }
    }
}

fn counting_is_listing<G: Playable>(line: &Line<G>, context: &str) {
    let game = line.game();
    let moves = legal(game, line.position());
    assert_eq!(game.count_moves(line.position()), moves.len(), "{context}");
    let tokens: HashSet<String> = moves.iter().map(|mv| game.write_move(*mv)).collect();
    assert_eq!(tokens.len(), moves.len(), "{context}: a token names one move");
    for &mv in &moves {
        assert_eq!(game.check(line.position(), mv), Ok(()), "{context}: {mv:?}");
    }
}

/// Threats of the side to move are winning moves; symmetries preserve all threats.
fn threats_are_wins_next<G: Playable>(line: &Line<G>, context: &str) {
    let (game, pos) = (line.game(), line.position());
    if game.outcome(pos).is_some() {
        return;
    }
    assert_eq!(game.threatens(pos, line.to_move()), can_win_now(game, pos), "{context}");
    for symmetry in game.symmetries(pos) {
        let image = game.map_position(*symmetry, pos);
        assert_eq!(game.pieces(&image), game.pieces(pos), "{context}");
        for player in Player::BOTH {
            let mapped = if symmetry.colours { player.other() } else { player };
            assert_eq!(game.threatens(&image, mapped), game.threatens(pos, player), "{context}");
        }
    }
}

/// Nobody wins a dead game, however it goes on; its images are dead too.
fn dead_games_are_drawn<G: Playable>(line: &Line<G>, rng: &mut Rng, context: &str) {
    let (game, pos) = (line.game(), line.position());
    let dead = game.is_dead(pos);
    for symmetry in game.symmetries(pos) {
        assert_eq!(game.is_dead(&game.map_position(*symmetry, pos)), dead, "{context}");
    }
    for _ in 0..if dead { 20 } else { 0 } {
        let (outcome, _) = Playouts::new(game).run(pos.clone(), rng);
        assert_eq!(outcome, Some(Outcome::Draw), "{context}: {}", game.write_position(pos));
    }
}

/// Most random games that end in a draw are seen to be dead before the board is full.
#[test]
fn dead_games_are_seen() {
    fn early<G: Playable>(game: G) -> (u32, u32) {
        let (mut drawn, mut seen) = (0, 0);
        for seed in 0..400 {
            let mut rng = rng(seed);
            let (mut pos, mut dead) = (game.start(), false);
            while game.outcome(&pos).is_none() {
                dead = dead || game.is_dead(&pos);
                let mv = game.random_move(&pos, &mut rng);
                game.play(&mut pos, mv);
            }
            if game.outcome(&pos) == Some(Outcome::Draw) {
                drawn += 1;
                seen += u32::from(dead);
            }
        }
        (drawn, seen)
    }
    for text in ["twixt(size=6)", "twixt(size=12)", "pathwayz(rows=3,cols=6)"] {
        let (drawn, seen) = with_game!(GameSpec::parse(text).unwrap(), |game| early(game));
        assert!(drawn > 10 && seen * 2 >= drawn, "{text}: {seen} of {drawn}");
    }
}

/// Threats of the side that is not to move, on boards made by hand.
#[test]
fn threats_of_the_other_side() {
    fn both<G: Playable>(game: &G, text: &str) -> [bool; 2] {
        let pos = game.read_position(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        Player::BOTH.map(|player| game.threatens(&pos, player))
    }
    struct Both(&'static str);
    impl Both {
        fn visit<G: Playable>(self, game: G) -> [bool; 2] {
            both(&game, self.0)
        }
    }
    for (spec, text, wanted) in [
        ("pathwayz(rows=3,cols=4)", ".ww./..../bb.. w", [false, false]),
        ("pathwayz(rows=3,cols=4)", ".www/..../bbb. w", [true, true]),
        ("pathwayz(rows=3,cols=4)", ".www/..../bb.. b", [true, false]),
        ("pentago", "xxxx../oooo../....../....../....../...... x", [true, true]),
        ("pentago-twist", "xxx.../oooo../...x../....../....../...... x", [false, true]),
        ("pentago-twist", "xx.x../o.oo../....../....../....../...... x", [false, false]),
        ("pylos(rules=children)", "LDLDDLDLLDLDDLDL/LDLDLDLDL/LDL./. d", [false, true]),
        ("twixt(size=5,swap=off)", "#...#/...../...../...../#...# - r", [false, false]),
    ] {
        assert_eq!(with_game!(GameSpec::parse(spec).unwrap(), |game| Both(text).visit(game)), wanted, "{spec} {text}");
    }
}

/// A game is over exactly when there is no move; then nothing can be played, and the error says so.
fn the_end_is_the_end<G: Playable>(line: &mut Line<G>, context: &str) {
    let over = line.game().outcome(line.position()).is_some();
    assert_eq!(over, line.game().count_moves(line.position()) == 0, "{context}");
    assert_eq!(line.outcome().is_some(), line.count_moves() == 0, "{context}");
    if let Some((outcome, reason)) = line.end() {
        assert!(!reason.as_str().is_empty());
        let before = line.clone();
        let last = before.moves().next_back().map(|mv| before.game().write_move(mv)).unwrap_or_default();
        let error = line.try_play(&last).unwrap_err().to_string();
        assert!(error.contains("the game is over"), "{context}: {error}");
        assert_eq!(line.position(), before.position(), "{context}");
        let wins = before.game().wins(before.position());
        let names: Vec<&String> = wins.iter().flatten().collect();
        assert!(
            outcome != Outcome::Draw || reason == EndReason::BothHaveFive || names.is_empty(),
            "{context}: {names:?}"
        );
    }
}

/// Every symmetry maps moves to moves, commutes with play, preserves the outcome (or exchanges it with the colours), and has an inverse.
fn symmetries_hold<G: Playable>(line: &Line<G>, rng: &mut Rng, context: &str) {
    let game = line.game();
    let pos = line.position();
    let moves = legal(game, pos);
    let all = game.symmetries(pos);
    assert_eq!(game.map_position(all[0], pos), *pos, "{context}: the identity comes first");
    for &symmetry in all {
        let image = game.map_position(symmetry, pos);
        let context = format!("{context} {symmetry:?}");
        assert_eq!(
            game.outcome(&image),
            game.outcome(pos).map(|o| if symmetry.colours { o.swapped() } else { o }),
            "{context}"
        );
        assert_eq!(game.to_move(&image) == game.to_move(pos), !symmetry.colours, "{context}");
        let text = game.write_position(&image);
        assert_eq!(game.read_position(&text).as_ref(), Ok(&image), "{context}: {text}");
        assert!(all.iter().any(|back| game.map_position(*back, &image) == *pos), "{context}: no way back");
        let images: HashSet<G::Move> = moves.iter().map(|mv| game.map_move(symmetry, *mv)).collect();
        let wanted: HashSet<G::Move> = legal(game, &image).into_iter().collect();
        assert_eq!(images, wanted, "{context}");
        if moves.is_empty() {
            continue;
        }
        for _ in 0..5 {
            let mv = game.random_move(pos, rng);
            let one = game.map_position(symmetry, &after(game, pos, mv));
            let other = after(game, &image, game.map_move(symmetry, mv));
            assert_eq!(one, other, "{context}: {}", game.write_move(mv));
            assert_eq!(game.key(&one), game.key(&other), "{context}");
        }
    }
}

/// Tokens of other positions of the same game are refused unless they are legal here, and then nothing changes.
fn strangers_are_refused<G: Playable>(line: &Line<G>, rng: &mut Rng, context: &str) {
    let game = line.game();
    let tokens: HashSet<String> = legal(game, line.position()).into_iter().map(|mv| game.write_move(mv)).collect();
    let mut other = game.start();
    for _ in 0..200 {
        if game.outcome(&other).is_some() {
            other = game.start();
        }
        let mv = game.random_move(&other, rng);
        let token = game.write_move(mv);
        let mut copy = line.clone();
        assert_eq!(
            copy.try_play(&token).is_ok(),
            line.outcome().is_none() && tokens.contains(&token),
            "{context}: {token}"
        );
        if !tokens.contains(&token) {
            assert_eq!(copy.position(), line.position(), "{context}: {token}");
        }
        game.play(&mut other, mv);
    }
}

fn undo_goes_back<G: Playable>(line: &mut Line<G>, context: &str) {
    let end = line.position().clone();
    let moves: Vec<G::Move> = line.moves().collect();
    for &mv in moves.iter().rev() {
        assert_eq!(line.undo(), Some(mv), "{context}");
    }
    assert_eq!(line.undo(), None);
    assert_eq!(*line.position(), line.game().start(), "{context}");
    assert_eq!(line.occurrences(&end), u32::from(end == line.game().start() && G::REPEATS), "{context}");
    for &mv in &moves {
        line.play(mv);
    }
    assert_eq!(*line.position(), end, "{context}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn laws(spec in proptest::sample::select(specs()), seed in any::<u64>(), plies in 0usize..140) {
        with_game!(spec, |game| Laws { spec, seed, plies }.visit(game));
    }
}

/// Every token of a small alphabet of cells is legal or refused exactly as the move list says.
#[test]
fn all_tokens_of_a_board() {
    for (text, universe) in [
        ("pentago", pentago_tokens("rl")),
        ("pentago(rules=turn-first)", pentago_tokens("rl")),
        ("pentago-twist", pentago_tokens("rf")),
        ("pathwayz", cells(13, 9).into_iter().flat_map(|c| [c.clone(), c + "p"]).collect()),
        ("pylos(rules=expert)", pylos_tokens()),
        ("pylos(takeback=free)", pylos_tokens()),
        ("twixt(size=6,swap=turn)", cells(7, 7).into_iter().chain(["swap".to_owned()]).collect()),
        ("twixt(size=6,rules=paper,swap=mirror)", cells(7, 7).into_iter().chain(["swap".to_owned()]).collect()),
    ] {
        let mut rng = rng(7);
        let mut line = GameSpec::parse(text).unwrap().line();
        while line.end().is_none() {
            let legal: HashSet<String> = line.legal_moves().into_iter().collect();
            assert!(legal.iter().all(|mv| universe.contains(mv) || text.starts_with("pylos")), "{text}");
            for token in &universe {
                let played = line.try_play(token).is_ok();
                assert_eq!(played, legal.contains(token), "{text} {:?} {token}", line.moves());
                if played {
                    line.undo();
                }
            }
            let mv = line.random_move(&mut rng).unwrap();
            line.try_play(&mv).unwrap();
        }
    }
}

fn cells(columns: usize, rows: usize) -> Vec<String> {
    (0..columns * rows).map(|i| quintet_game::text::cell_name(i % columns, i / columns)).collect()
}

fn pentago_tokens(kinds: &str) -> HashSet<String> {
    let spins = (1..=4).flat_map(|q| kinds.chars().map(move |kind| format!("q{q}{kind}")));
    let spins: Vec<String> = spins.chain([String::new()]).collect();
    cells(6, 6).iter().flat_map(|cell| spins.iter().map(move |spin| format!("{cell}{spin}"))).collect()
}

/// All placements and raises with no ball or one ball taken back.
fn pylos_tokens() -> HashSet<String> {
    let cells: Vec<String> =
        (1..=4).flat_map(|level| cells(5 - level, 5 - level).into_iter().map(move |c| format!("{level}{c}"))).collect();
    let with_none = |cells: &[String], sign: &str| -> Vec<String> {
        cells.iter().map(|c| format!("{sign}{c}")).chain([String::new()]).collect()
    };
    let mut tokens = HashSet::new();
    for from in with_none(&cells, "") {
        for to in &cells {
            let step = if from.is_empty() { to.clone() } else { format!("{from}^{to}") };
            tokens.extend(with_none(&cells, "-").iter().map(|taken| format!("{step}{taken}")));
        }
    }
    tokens
}

struct Uniform(GameSpec);

impl Uniform {
    /// Chi-squared over the listed moves, at the start and along a game. With fixed seeds, six standard deviations never occur by
    /// chance.
    fn visit<G: Playable>(self, game: G) {
        let mut rng = rng(11);
        let mut pos = game.start();
        while game.outcome(&pos).is_none() {
            let moves = legal(&game, &pos);
            let draws = 60 * moves.len();
            let mut counts: HashMap<G::Move, u32> = moves.iter().map(|mv| (*mv, 0)).collect();
            for _ in 0..draws {
                let mv = game.random_move(&pos, &mut rng);
                *counts.get_mut(&mv).unwrap_or_else(|| panic!("{}: {} is not legal", self.0, game.write_move(mv))) += 1;
            }
            let expected = draws as f64 / moves.len() as f64;
            let chi: f64 = counts.values().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
            let freedom = moves.len() as f64 - 1.0;
            assert!(chi <= freedom + 6.0 * (2.0 * freedom).sqrt() + 10.0, "{}: chi {chi} for {freedom}", self.0);
            game.play(&mut pos, moves[rng_below(&mut rng, moves.len())]);
        }
    }
}

fn rng_below(rng: &mut Rng, n: usize) -> usize {
    use rand_core::Rng as _;
    (rng.next_u64() % n as u64) as usize
}

#[test]
fn random_moves_are_uniform_over_the_listed_ones() {
    for spec in specs().into_iter().filter(|spec| !spec.to_string().contains("size=24")) {
        with_game!(spec, |game| Uniform(spec).visit(game));
    }
}

/// Shares of wins by the first player and of draws, mean and variance of the length, over many random games.
fn measure(games: usize, seed: u64, mut one: impl FnMut(&mut Rng) -> (Option<Outcome>, usize)) -> ([f64; 2], f64, f64) {
    let mut rng = rng(seed);
    let (mut first, mut draws, mut plies, mut squares) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..games {
        let (outcome, length) = one(&mut rng);
        match outcome.expect("random games end") {
            Outcome::Win(Player::First) => first += 1.0,
            Outcome::Win(Player::Second) => {}
            Outcome::Draw => draws += 1.0,
        }
        plies += length as f64;
        squares += (length * length) as f64;
    }
    let n = games as f64;
    let mean = plies / n;
    ([first / n, draws / n], mean, squares / n - mean * mean)
}

struct SameGames(GameSpec);

impl SameGames {
    /// A game's own random games and the generic ones: outcomes and lengths agree within five standard errors.
    fn visit<G: Playable>(self, game: G) {
        const GAMES: usize = 20_000;
        let mut playouts = Playouts::new(&game);
        let fast = measure(GAMES, 1, |rng| playouts.run(game.start(), rng));
        let mut keys = Vec::new();
        let slow = measure(GAMES, 2, |rng| move_by_move(&game, &mut game.start(), rng, &mut keys));
        for (a, b) in fast.0.iter().zip(slow.0) {
            let error = (2.0 * a.max(0.001) * (1.0 - a) / GAMES as f64).sqrt();
            assert!((a - b).abs() < 5.0 * error, "{}: {fast:?} {slow:?}", self.0);
        }
        let error = ((fast.2 + slow.2) / GAMES as f64).sqrt() + 1e-9;
        assert!((fast.1 - slow.1).abs() < 5.0 * error, "{}: {fast:?} {slow:?}", self.0);
    }
}

#[test]
fn fast_random_games_are_the_same_games() {
    for text in [
        "twixt(size=5)",
        "twixt(size=6,swap=turn)",
        "twixt(size=8,rules=pp)",
        "twixt(size=3,rules=paper,swap=mirror)",
        "twixt(size=9,swap=off)",
        "pentago",
    ] {
        let spec = GameSpec::parse(text).unwrap();
        with_game!(spec, |game| SameGames(spec).visit(game));
    }
}

struct Ends;

impl Ends {
    fn visit<G: Playable>(self, game: G) -> usize {
        let mut rng = rng(3);
        let line = random_line(game, &mut rng, MOST_PLIES);
        assert!(line.outcome().is_some());
        line.plies()
    }
}

#[test]
fn games_end() {
    for spec in specs() {
        let plies = with_game!(spec, |game| Ends.visit(game));
        assert!(plies > 0 && plies < MOST_PLIES, "{spec}: {plies}");
    }
}

#[test]
fn the_list_of_specs_has_every_game_and_option() {
    let specs = specs();
    for info in GAMES {
        let of_game: Vec<&GameSpec> = specs.iter().filter(|spec| spec.info() == info).collect();
        assert!(!of_game.is_empty(), "{}", info.name);
        for option in info.options {
            let values: HashSet<String> = of_game.iter().map(|spec| spec.word(option.key)).collect();
            let wanted = match option.values {
                quintet_game::registry::Values::Words(words) => words.len(),
                quintet_game::registry::Values::Range(..) => 3,
            };
            assert!(values.len() >= wanted, "{} {}", info.name, option.key);
        }
    }
}
