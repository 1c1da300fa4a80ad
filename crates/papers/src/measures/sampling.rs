//! Random games and sample sizes.

use quintet_arena::stats::{Verdict, half_width, wilson};
use quintet_game::bits::mix;
use quintet_game::{GameSpec, Outcome, Rng, SeedableRng};

use super::{Effort, Follower, Measured, PYLOS, row};

/// How wide intervals are: "20 games are not enough, about 100 converge".
pub fn sample_size() -> Vec<Measured> {
    let row = |games: u64, paper: &str, holds: bool| {
        let points = 100.0 * half_width(games).unwrap_or(1.0);
        Measured {
            what: format!("{games} games"),
            paper: paper.into(),
            ours: format!("+-{points:.0} points"),
            interval: None,
            samples: games,
            verdict: if holds { Verdict::SameDirection } else { Verdict::Differs },
            reason: "half of the 95 % interval of an even score".into(),
            boards: Vec::new(),
        }
    };
    let wide = |games: u64| half_width(games).unwrap_or(1.0);
    vec![row(20, "not significant", wide(20) > 0.2), row(100, "converges", wide(100) <= 0.1)]
}

/// Random moves are often terrible: how often does the last move join the opponent's path?
pub fn random_sampling(effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let games = random_games("pathwayz", effort, follower);
    let decided: Vec<_> = games.iter().filter_map(|game| game.outcome.winner().map(|winner| (winner, game))).collect();
    let joined = decided.iter().filter(|(winner, game)| *winner == game.to_move).count() as u64;
    let samples = games.len() as u64;
    vec![Measured {
        what: "random games in which the last mover joins the opponent's path".into(),
        paper: "\"often terrible\"".into(),
        ours: format!("{joined} of {samples}"),
        interval: wilson(joined, samples),
        samples,
        verdict: Verdict::OursOnly,
        reason: "no share is printed".into(),
        boards: Vec::new(),
    }]
}

/// How many moves there are in Pylos, by the paper's rules and by those of the box.
pub fn branching(effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let mut rows = Vec::new();
    for (rules, game) in PYLOS {
        let games = random_games(game, effort, follower);
        if follower.stop.stopped() {
            return rows;
        }
        let samples = games.len() as u64;
        let largest = games.iter().map(|game| game.most_moves).max().unwrap_or(0);
        let (moves, plies) = games.iter().fold((0, 0), |(moves, plies), game| (moves + game.moves, plies + game.plies));
        let what = |what: &str| format!("{what} number of moves in random games{rules}");
        // The rules of the box are not the paper's.
        let (paper, holds) = if rules.is_empty() { ("can be over 100", Some(largest > 100)) } else { ("-", None) };
        rows.push(row(what("largest"), paper, largest.to_string(), samples, holds, "whether one was seen"));
        let mean = format!("{:.1}", moves as f64 / plies.max(1) as f64);
        rows.push(row(what("mean"), "-", mean, samples, None, "the paper gives none"));
    }
    rows
}

/// Facts about a random game.
struct Random {
    outcome: Outcome,
    /// Who would move next.
    to_move: quintet_game::Player,
    plies: u64,
    moves: u64,
    most_moves: usize,
}

fn random_games(game: &str, effort: Effort, follower: &mut Follower) -> Vec<Random> {
    let Ok(spec) = GameSpec::parse(game) else { return Vec::new() };
    let play = |number: u64| {
        let mut rng = Rng::seed_from_u64(mix(effort.seed ^ mix(number)));
        let mut table = spec.line();
        let (mut moves, mut most_moves) = (0, 0);
        loop {
            if let Some((outcome, _)) = table.end() {
                let plies = table.plies() as u64;
                return Random { outcome, to_move: table.to_move(), plies, moves, most_moves };
            }
            let count = table.count_moves();
            moves += count as u64;
            most_moves = most_moves.max(count);
            if let Some(mv) = table.random_move(&mut rng) {
                // A random move is legal.
                let _ = table.try_play(&mv);
            }
        }
    };
    let mut games = Vec::new();
    for number in 0..effort.samples {
        games.push(play(number));
        if follower.sample() {
            break;
        }
    }
    games
}
