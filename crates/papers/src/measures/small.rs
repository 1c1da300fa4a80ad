//! TwixT on small boards: the result of perfect play, how often the paper's searches give a result away, and what the first seat is worth.

use std::cmp::Ordering;

use quintet_agent::{Catalogue, Prover as _, SmallBoardProver};
use quintet_arena::stats::{Interval, Verdict, Wdl, holm, judge_claim, middle, resample, sign_test, wilson};
use quintet_game::bits::mix;
use quintet_game::{AnyLine, GameSpec, Limit, Outcome, Player, Proof, Rng, SeedableRng as _, Stop};

use super::{Effort, Follower, Measured, judged, row, spread};

/// Nodes for the solver per position; positions it does not solve are left out.
const NODES: u64 = 300_000;

/// Boards of the paper, the search, its claim, and the largest share of moves that may give a result away. The sentence about 6x6 is on minimax, the others are on its fastest search.
const CLAIMS: [(u32, &str, &str, f64); 4] = [
    (6, "minimax(depth=4)", "optimal", 0.0),
    (7, "best-first(depth=6)", "optimal", 0.0),
    (7, "best-first(depth=4)", "nearly perfect", 0.1),
    (8, "best-first(depth=4)", "nearly perfect", 0.1),
];

/// Sizes on which the first seat is scored, and the search on both seats.
const SEATS: (std::ops::RangeInclusive<u32>, &str) = (6..=12, "best-first(depth=3)");

/// One game: on which board, between which searches, its number, and whether its moves are judged.
struct Task {
    size: u32,
    search: &'static str,
    number: u64,
    judged: bool,
}

/// What came of a game: its moves by what they gave away, and its end.
#[derive(Clone, Copy, Default)]
struct Followed {
    /// Moves that could give a result away.
    moves: u64,
    /// Those that did.
    lost: u64,
    /// Those before or after which the solver could not tell.
    unknown: u64,
    /// The game as the first seat's win, draw or loss.
    first: Wdl,
}

fn spec(size: u32) -> Option<GameSpec> {
    GameSpec::parse(&format!("twixt(size={size},rules=paper)")).ok()
}

/// How a game in progress must end for its side to move, as 1, 0 or -1, if the solver can tell.
fn value(table: &dyn AnyLine, stop: &Stop) -> Option<i32> {
    let exact = match table.end() {
        Some(_) => quintet_agent::exact(&[], table, &Limit::default(), stop),
        None => SmallBoardProver::new(NODES).prove(table, &Limit::default(), stop),
    };
    Some(match exact.ok()?.value.proof {
        Proof::Win => 1,
        Proof::Draw => 0,
        Proof::Loss => -1,
    })
}

/// A search plays both sides. Where moves are judged, games of even number begin from the start and the others after two random plies; else all from the start.
fn follow(agents: &Catalogue, task: &Task, seed: u64, stop: &Stop) -> Option<Followed> {
    let spec = spec(task.size)?;
    let mut table = spec.line();
    let mut rng = Rng::seed_from_u64(mix(seed ^ mix(task.number)));
    for _ in 0..2 * (task.number % 2) * u64::from(task.judged) {
        let mv = table.random_move(&mut rng)?;
        table.try_play(&mv).ok()?;
    }
    let mut seat = agents.seat(&spec, &format!("twixt:{}", task.search), mix(seed ^ task.number)).ok()?;
    let known = |table: &dyn AnyLine| task.judged.then(|| value(table, stop)).flatten();
    let mut followed = Followed::default();
    let mut before = known(&*table);
    while table.end().is_none() {
        let mv = seat.think(&*table, &Limit::default(), stop, &mut |_| {}).ok()?.mv;
        if stop.stopped() {
            return None;
        }
        table.try_play(&mv).ok()?;
        let after = known(&*table);
        match (before, after) {
            // A lost side has nothing to give away.
            (Some(-1), _) => {}
            (Some(before), Some(after)) => {
                followed.moves += 1;
                followed.lost += u64::from(-after < before);
            }
            _ => followed.unknown += 1,
        }
        before = after;
    }
    followed.first = match table.end()?.0 {
        Outcome::Win(Player::First) => Wdl { wins: 1, ..Wdl::default() },
        Outcome::Win(Player::Second) => Wdl { losses: 1, ..Wdl::default() },
        Outcome::Draw => Wdl { draws: 1, ..Wdl::default() },
    };
    Some(followed)
}

/// Who wins each board, what the searches give away on them, and what the first seat is worth.
pub fn small_boards(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let mut rows = Vec::new();
    for size in 3..=7 {
        let Some(table) = spec(size).map(|spec| spec.line()) else { continue };
        let ours = match SmallBoardProver::new(NODES).prove(&*table, &Limit::default(), follower.stop) {
            Err(why) => why.to_string(),
            Ok(exact) => match (exact.value.proof, exact.value.plies.unwrap_or(0)) {
                (Proof::Win, plies) => format!("the first player wins with {} pegs", plies.div_ceil(2)),
                (Proof::Draw, _) => "a draw".into(),
                (Proof::Loss, plies) => format!("the second player wins with {} pegs", plies / 2),
            },
        };
        let (paper, holds) =
            if size == 6 { ("the first player wins", Some(ours.contains("first"))) } else { ("-", None) };
        rows.push(row(format!("{size}x{size}, perfect play"), paper, ours, 1, holds, "exact, by the published map"));
        if follower.sample() {
            return Vec::new();
        }
    }
    let games = |size, search, judged| (0..effort.samples).map(move |number| Task { size, search, number, judged });
    let mut tasks: Vec<Task> = CLAIMS.iter().flat_map(|&(size, search, ..)| games(size, search, true)).collect();
    tasks.extend(SEATS.0.flat_map(|size| games(size, SEATS.1, false)));
    let stop = follower.stop;
    let work = |task: &Task| if stop.stopped() { None } else { follow(agents, task, effort.seed, stop) };
    let followed = spread(&tasks, work, &mut || {
        // The work looks at the flag itself.
        let _ = follower.sample();
    });
    let of = |size: u32, search: &str, judged: bool| -> Vec<(u64, Followed)> {
        let own = tasks.iter().zip(&followed);
        let own = own.filter(|(task, _)| (task.size, task.search, task.judged) == (size, search, judged));
        own.filter_map(|(task, followed)| Some((task.number, (*followed)?))).collect()
    };
    for (size, search, paper, most) in CLAIMS {
        let (from_start, later): (Vec<_>, Vec<_>) =
            of(size, search, true).into_iter().partition(|(number, _)| number % 2 == 0);
        let [from_start, later] =
            [from_start, later].map(|games| games.into_iter().map(|(_, game)| game).collect::<Vec<_>>());
        rows.push(given_away(format!("{size}x{size}, {search}, from the start"), paper, &from_start, Some(most)));
        rows.push(given_away(format!("{size}x{size}, {search}, after two random plies"), "-", &later, None));
    }
    let seats: Vec<(u32, Wdl)> = SEATS
        .0
        .map(|size| (size, of(size, SEATS.1, false).iter().map(|(_, game)| game.first).fold(Wdl::default(), add)))
        .collect();
    rows.extend(seats.iter().map(|(size, wdl)| first_seat(*size, *wdl)));
    rows.push(advantage(&seats));
    rows
}

fn add(a: Wdl, b: Wdl) -> Wdl {
    Wdl { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses }
}

/// Moves that give a result away; `most` is the largest share with which the paper's word holds.
fn given_away(what: String, paper: &str, games: &[Followed], most: Option<f64>) -> Measured {
    let sum = |of: fn(&Followed) -> u64| games.iter().map(of).sum::<u64>();
    let (moves, lost, unknown) = (sum(|game| game.moves), sum(|game| game.lost), sum(|game| game.unknown));
    let first = games.iter().map(|game| game.first).fold(Wdl::default(), add);
    let asked = most.map_or(String::new(), |most| format!("holds if at most {:.0} % do; ", 100.0 * most));
    let reason = format!(
        "{asked}{unknown} moves left out, not solved in {NODES} positions; the first seat {}-{}-{}",
        first.wins, first.draws, first.losses
    );
    let ours = format!("{lost} of {moves} moves give a result away");
    let interval = share(games, lost, moves);
    let verdict = match (most, lost, unknown) {
        (None, ..) => Verdict::OursOnly,
        // One move is enough to refute "never", and a move that nobody can judge is too many to show it.
        (Some(0.0), 0, 0) => Verdict::SameDirection,
        (Some(0.0), 0, _) => Verdict::NotShown,
        (Some(0.0), ..) => Verdict::Differs,
        (Some(most), ..) => judge_claim(Ordering::Less, most, interval).0,
    };
    Measured { interval, ..judged(what, paper, ours, moves, verdict, &reason) }
}

/// The interval of the share of moves. Moves of one game are not independent, so games are drawn again, and the wider ends count.
fn share(games: &[Followed], lost: u64, moves: u64) -> Option<Interval> {
    let of_moves = wilson(lost, moves)?;
    let counts: Vec<[f64; 2]> = games.iter().map(|game| [game.lost as f64, game.moves as f64]).collect();
    let drawn = resample(&counts, 1).into_iter().map(|[lost, moves]| if moves > 0.0 { lost / moves } else { 0.0 });
    let of_games = middle(drawn.collect())?;
    Some(Interval { low: of_moves.low.min(of_games.low), high: of_moves.high.max(of_games.high) })
}

/// The score of the first seat.
fn first_seat(size: u32, wdl: Wdl) -> Measured {
    let Wdl { wins, draws, losses } = wdl;
    let summary = wdl.summary();
    let score = summary.as_ref().map_or(0.0, |summary| 100.0 * summary.score());
    let ours = format!("{score:.1} % ({wins}-{draws}-{losses})");
    let reason = "one size of those in the last row";
    let what = format!("{size}x{size}, first seat, {}, from the start", SEATS.1);
    let interval = if draws == 0 { wilson(wins, wdl.n()) } else { summary.map(|summary| summary.interval()) };
    Measured { interval, ..judged(what, "-", ours, wdl.n(), Verdict::OursOnly, reason) }
}

/// Whether some size gives one of the seats an advantage, with Holm's correction for looking at many.
fn advantage(seats: &[(u32, Wdl)]) -> Measured {
    let p: Vec<f64> = seats.iter().map(|(_, wdl)| sign_test(wdl.wins, wdl.losses)).collect();
    let shown = holm(&p, 0.05);
    let better = |first: bool| -> String {
        let better =
            seats.iter().zip(&shown).filter(|((_, wdl), test)| test.rejected && (wdl.wins > wdl.losses) == first);
        let sizes: Vec<String> = better.map(|((size, _), _)| size.to_string()).collect();
        if sizes.is_empty() { "no size".into() } else { sizes.join(", ") }
    };
    let any = shown.iter().any(|test| test.rejected);
    judged(
        "sizes on which a seat has an advantage",
        "of going first or second for some sizes",
        format!("first on {}; second on {}", better(true), better(false)),
        seats.iter().map(|(_, wdl)| wdl.n()).sum(),
        if any { Verdict::SameDirection } else { Verdict::NotShown },
        "sign tests at 5 % with Holm's correction for seven sizes",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: u64, lost: u64, unknown: u64) -> Followed {
        Followed { moves, lost, unknown, first: Wdl { wins: 1, ..Wdl::default() } }
    }

    fn verdict(games: &[Followed], most: f64) -> Verdict {
        given_away(String::new(), "-", games, Some(most)).verdict
    }

    #[test]
    fn never_is_refuted_by_one_move_and_not_shown_with_unknown_ones() {
        let clean = vec![game(4, 0, 0); 50];
        assert_eq!(verdict(&clean, 0.0), Verdict::SameDirection);
        assert_eq!(verdict(&[&clean[..], &[game(3, 0, 1)]].concat(), 0.0), Verdict::NotShown);
        assert_eq!(verdict(&[&clean[..], &[game(4, 1, 1)]].concat(), 0.0), Verdict::Differs);
    }

    #[test]
    fn nearly_perfect_by_the_whole_interval() {
        assert_eq!(verdict(&vec![game(10, 0, 0); 50], 0.1), Verdict::SameDirection);
        // 8 % of 500 moves is 6 to 11 %.
        let some: Vec<Followed> = (0..50).map(|i| game(10, u64::from(i % 5 > 0), 0)).collect();
        assert_eq!(verdict(&some, 0.1), Verdict::NotShown);
        assert_eq!(verdict(&vec![game(10, 3, 0); 50], 0.1), Verdict::Differs);
    }

    /// All losing moves in one game of ten say less than one in each.
    #[test]
    fn moves_of_a_game_are_one_sample() {
        let together: Vec<Followed> = (0..10).map(|i| game(10, if i == 0 { 10 } else { 0 }, 0)).collect();
        let apart = vec![game(10, 1, 0); 10];
        let [together, apart] = [together, apart].map(|games| share(&games, 10, 100).unwrap());
        assert_eq!(Some(apart), wilson(10, 100));
        assert!(together.high > apart.high + 0.05, "{together}");
    }

    #[test]
    fn an_advantage_needs_more_than_chance() {
        let wdl = |wins, losses| Wdl { wins, draws: 0, losses };
        let even = [(6, wdl(52, 48)), (7, wdl(60, 40))];
        assert_eq!(advantage(&even).verdict, Verdict::NotShown);
        let row = advantage(&[(6, wdl(90, 10)), (7, wdl(20, 80)), (8, wdl(50, 50))]);
        assert_eq!((row.verdict, row.ours.as_str()), (Verdict::SameDirection, "first on 6; second on 7"));
    }
}
