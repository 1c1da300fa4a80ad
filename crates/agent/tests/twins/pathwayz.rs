//! Pathwayz: the agents of "Life of PAI".

use std::sync::OnceLock;

use quintet_game::pathwayz::Pathwayz;
use quintet_game::playout::Playouts;
use quintet_game::{AnyLine, Game, Line, Notation, Outcome, Player, Rng, SeedableRng};

use crate::chance::{agrees_when_clear, keeps_values, knows_values, mostly_takes_wins, random, takes_wins};
use crate::common::{
    Spot, Tally, Twin, after, agent_spots, best, dice, near, printed, programmed, random_spots, spec, spots_where,
    walk, wins_in_one,
};
use crate::search::{Ends, Judge, Replies, beam, expectimax, line_search, minimax};
use crate::trained::{PROGRAMMED_53, by};

mod values;

pub use values::*;

pub const TWINS: &[Twin] = &[
    printed("pathwayz:random", check_random),
    programmed("pathwayz:random", check_random),
    printed("pathwayz:baseline", |tally| check_reflex(tally, longest_path)),
    programmed("pathwayz:baseline", |tally| check_reflex(tally, longest_path)),
    printed("pathwayz:adv-baseline", |tally| check_reflex(tally, longest_path_less)),
    programmed("pathwayz:adv-baseline", check_adv_baseline_programmed),
    printed("pathwayz:mcs", |tally| check_mcs(tally, 10, 1e6)),
    programmed("pathwayz:mcs", |tally| check_mcs(tally, 5, 1e10)),
    printed("pathwayz:mcts", check_mcts),
    programmed("pathwayz:mcts", check_mcts_programmed),
    printed("pathwayz:minimax", |tally| check_minimax(tally, 1e6)),
    programmed("pathwayz:minimax", |tally| check_minimax(tally, 1e10)),
    programmed("pathwayz:minimax2", check_minimax2),
    printed("pathwayz:champion", check_champion),
    printed("pathwayz:expectimax", check_expectimax),
    programmed("pathwayz:expectimax", check_expectimax_programmed),
    printed("pathwayz:beam-fixed", |tally| check_beam(tally, &[10, 10, 10], Replies::Worst)),
    programmed("pathwayz:beam-fixed", |tally| check_line(tally, &[10, 10, 10])),
    printed("pathwayz:beam-expectimax", |tally| check_beam(tally, &[10, 5, 1], Replies::Mean)),
    programmed("pathwayz:beam-expectimax", check_beam_expectimax_programmed),
    printed("pathwayz:beam", |tally| check_beam(tally, &[10, 5, 1], Replies::Worst)),
    programmed("pathwayz:beam", |tally| check_line(tally, &[10, 5, 1])),
];

/// More than the number of moves.
const FULL: usize = usize::MAX;

// ---- Positions ----

const FULL_BOARD: &str = "pathwayz";

/// Positions with long paths, the late ones with threats.
fn keen_spots(game: &str, seed: u64, plies: impl IntoIterator<Item = usize>) -> Vec<Spot> {
    agent_spots(game, "pathwayz:adv-baseline", seed, plies)
}

/// Such positions in which the side to move is threatened.
fn threat_spots(game: &str, seed: u64, plies: &[usize]) -> Vec<Spot> {
    let one = |plies: usize| {
        (0..100)
            .flat_map(|more| keen_spots(game, seed + 1000 * more, [plies]))
            .find(threatened)
            .unwrap_or_else(|| panic!("no threats at {plies}"))
    };
    plies.iter().map(|&plies| one(plies)).collect()
}

/// Nearly full boards that are not over: columns of mostly one colour keep the paths short.
fn striped_spots(rows: usize, columns: usize, seed: u64, empties: &[usize]) -> Vec<Spot> {
    let game = spec(&format!("pathwayz(rows={rows},cols={columns})"));
    let mut draw = dice(seed);
    let mut one = |empty: usize| {
        for _ in 0..2000 {
            let mut cells: Vec<char> = Vec::new();
            let white: Vec<bool> = (0..columns).map(|_| draw(2) == 0).collect();
            for _ in 0..rows {
                for white in &white {
                    let piece = if *white == (draw(8) > 0) { 'w' } else { 'b' };
                    cells.push(if draw(4) == 0 { piece.to_ascii_uppercase() } else { piece });
                }
            }
            while cells.iter().filter(|&&cell| cell == '.').count() < empty {
                cells[draw(rows * columns)] = '.';
            }
            let text: Vec<String> = cells.chunks(columns).map(|row| row.iter().collect()).collect();
            let side = if (rows * columns - empty).is_multiple_of(2) { 'w' } else { 'b' };
            let text = format!("{} {side}", text.join("/"));
            if let Ok(line) = game.line_at(&text)
                && line.end().is_none()
            {
                return Spot(line);
            }
        }
        panic!("no such board");
    };
    empties.iter().map(|&empty| one(empty)).collect()
}

/// The game that led to a spot.
fn played(spot: &Spot) -> &Line<Pathwayz> {
    spot.0.typed().unwrap()
}

/// Does the side that is not to move threaten to win?
fn threatened(spot: &Spot) -> bool {
    let line = spot.line();
    threatens(&line.position(), line.to_move().other())
}

/// Positions of every stage of the game, with and without threats.
pub fn all_stages() -> &'static [Spot] {
    static SPOTS: OnceLock<Vec<Spot>> = OnceLock::new();
    SPOTS.get_or_init(find_all_stages)
}

fn find_all_stages() -> Vec<Spot> {
    let mut spots = random_spots(FULL_BOARD, 1, [0, 1, 5, 12, 23, 34, 45, 52, 58]);
    spots.extend(keen_spots(FULL_BOARD, 2, [8, 15, 20, 26, 33]));
    spots.extend(threat_spots(FULL_BOARD, 2, &[36, 40, 43, 46, 49]));
    spots.extend(keen_spots("pathwayz(rows=5,cols=6)", 3, [5, 7, 9]));
    spots.extend(threat_spots("pathwayz(rows=5,cols=6)", 3, &[10, 11, 12]));
    spots.extend(striped_spots(8, 12, 4, &[14, 9, 5]));
    spots.extend(striped_spots(4, 7, 5, &[6, 3]));
    let threats = spots.iter().filter(|spot| threatened(spot)).count();
    assert!(threats >= 8 && spots.len() >= threats + 10, "{threats} threats in {} positions", spots.len());
    spots
}

// ---- Agents ----

/// It knows the values of small boards.
fn check_champion(tally: &mut Tally) {
    knows_values(tally, &random_spots("pathwayz(rows=3,cols=3)", 31, [2, 3, 4, 5].repeat(6)), "nodes=1000000");
}

fn check_random(tally: &mut Tally) {
    random(tally, &striped_spots(4, 6, 1, &[1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 6, 7]));
}

fn check_reflex(tally: &mut Tally, eval: fn(&str, Player) -> f64) {
    let judge = Judge { eval: &eval, ends: Ends::Value };
    for spot in all_stages() {
        let mut line = spot.line();
        let view = line.to_move();
        let scored = judge.scored(&mut *line, view);
        if tally.name().contains("as-programmed") && best(&scored).1 < 0.0 {
            continue;
        }
        tally.compare(spot, "", &scored);
    }
}

/// As printed if a move has a value of 0 or more, otherwise any move.
fn check_adv_baseline_programmed(tally: &mut Tally) {
    check_reflex(tally, longest_path_less);
    let judge = Judge { eval: &longest_path_less, ends: Ends::Value };
    let mut draw = dice(6);
    for length in (5..10).cycle().take(20) {
        // White gives black a path of permanents along the top, black scatters pieces below.
        let mut choose = |line: &dyn AnyLine| {
            let ply = line.plies();
            if ply.is_multiple_of(2) {
                return format!("{}1p", (b'b' + (ply / 2) as u8) as char);
            }
            let mut moves = line.legal_moves();
            moves.retain(|mv| !mv.ends_with('p') && mv.as_bytes()[1] > b'3' && mv.as_bytes()[0] % 3 == 0);
            moves[draw(moves.len())].clone()
        };
        let spot = walk(spec(FULL_BOARD), 2 * length, &mut choose).unwrap();
        let mut line = spot.line();
        let scored = judge.scored(&mut *line, Player::First);
        assert!(best(&scored).1 < 0.0, "{}", line.position());
        let chosen: Vec<String> = (0..6).map(|seed| tally.ask(&spot, "", seed).mv).collect();
        let legal = chosen.iter().all(|mv| scored.iter().any(|(known, _)| known == mv));
        let random = chosen.iter().any(|mv| *mv != chosen[0]);
        tally.count(&spot, legal && random, || format!("six random moves are {chosen:?}"));
    }
}

fn check_mcs(tally: &mut Tally, width: usize, utility: f64) {
    let judge = nine_on_top(utility);
    // Never a move outside the beam; any of equally promising ones may be the last in it.
    for spot in all_stages() {
        let mut line = spot.line();
        let view = line.to_move();
        let scored = judge.scored(&mut *line, view);
        let top = judge.top(&mut *line, view, width);
        let least = scored.iter().find(|(mv, _)| Some(mv) == top.last()).unwrap().1;
        let chosen = tally.ask(spot, "games=10", 1).mv;
        let agrees = scored.iter().any(|(mv, value)| *mv == chosen && *value >= least);
        tally.count(spot, agrees, || format!("{chosen} is not in the beam {top:?}"));
    }
    let winning =
        spots_where("pathwayz(rows=5,cols=6)", 7, &[10, 13, 16], 20, |spot| !wins_in_one(&mut *spot.line()).is_empty());
    takes_wins(tally, &winning, "games=10");
    // The best share of wins, as far as random games can tell.
    let game = Pathwayz::new(5, 6);
    let (ours, theirs) = (2000, 500);
    let mut rng = Rng::seed_from_u64(8);
    let three = spots_where("pathwayz(rows=5,cols=6)", 9, &[8, 9, 10, 11, 12, 13, 14, 15, 16, 17], 20, |spot| {
        let mut line = spot.line();
        let view = line.to_move();
        let mut values: Vec<f64> = judge.scored(&mut *line, view).into_iter().map(|(_, value)| value).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values[2] > values[3]
    });
    for spot in three {
        let mut line = spot.line();
        let view = line.to_move();
        let mut value = |mv: &String| {
            let mut start = *played(&spot).position();
            game.play(&mut start, game.read_move(mv).unwrap());
            let outcomes = (0..ours).map(|_| Playouts::new(&game).run(start, &mut rng).0);
            outcomes.map(|outcome| worth(outcome, view, utility > 1e6)).sum::<f64>() / f64::from(ours)
        };
        let scored: Vec<(String, f64)> =
            judge.top(&mut *line, view, 3).into_iter().map(|mv| (mv.clone(), value(&mv))).collect();
        let chosen = tally.ask(&spot, &format!("top=3,games={theirs}"), 1).mv;
        // The value of a game lies between -1 or 0 and 1, so its variance is at most a quarter of the squared span; two shares are compared.
        let span = if utility > 1e6 { 2.0 } else { 1.0 };
        let error = span * (0.5 / f64::from(ours) + 0.5 / f64::from(theirs)).sqrt();
        let agrees = scored.iter().any(|(mv, value)| *mv == chosen && *value >= best(&scored).1 - 4.0 * error);
        tally.count(&spot, agrees, || format!("{chosen} has not the best share of {scored:?}"));
    }
}

/// The value of a random game: as printed, wins count; as programmed, the utility outweighs everything, so losses count too.
fn worth(outcome: Option<Outcome>, view: Player, losses: bool) -> f64 {
    match outcome.and_then(Outcome::winner) {
        Some(player) if player == view => 1.0,
        Some(_) if losses => -1.0,
        _ => 0.0,
    }
}

fn check_mcts(tally: &mut Tally) {
    let winning = spots_where("pathwayz(rows=5,cols=6)", 10, &[10, 13, 16], 20, |spot| {
        !wins_in_one(&mut *spot.line()).is_empty()
    });
    mostly_takes_wins(tally, &winning, "visits=1000");
    keeps_values(tally, &striped_spots(3, 4, 11, &[3, 4, 5].repeat(7)), "visits=10000");
    agrees_when_clear(tally, random_spots("pathwayz(rows=4,cols=5)", 12, [8, 9, 10].repeat(300)), 5000, 20);
}

/// The tree search of the program, with the same random stream.
fn check_mcts_programmed(tally: &mut Tally) {
    let visits = 300;
    let mut spots = random_spots(FULL_BOARD, 13, [0, 30, 50]);
    spots.extend(keen_spots(FULL_BOARD, 14, [21, 36, 44]));
    spots.extend(keen_spots("pathwayz(rows=5,cols=6)", 15, [2, 7, 10, 11, 12, 13, 14]));
    spots.extend(random_spots("pathwayz(rows=3,cols=5)", 16, [0, 3, 5, 6, 7]));
    spots.extend(striped_spots(5, 7, 17, &[3, 5, 7, 9]));
    for spot in spots {
        for seed in [1, 2] {
            let chosen = tally.ask(&spot, &format!("visits={visits}"), seed).mv;
            let twin = pai(&spot, visits, seed);
            tally.count(&spot, chosen == twin, || format!("the agent plays {chosen}, the twin {twin}"));
        }
    }
}

struct PaiNode {
    pos: quintet_game::pathwayz::Position,
    mv: String,
    /// Who moved here.
    mover: Player,
    parent: usize,
    children: Vec<usize>,
    visits: f64,
    wins: f64,
}

fn pai(spot: &Spot, visits: usize, seed: u64) -> String {
    let wins = wins_in_one(&mut *spot.line());
    if let Some(win) = wins.first() {
        return win.clone();
    }
    let played = played(spot);
    let (game, pos) = (played.game(), *played.position());
    let mut rng = Rng::seed_from_u64(seed);
    let mover = game.to_move(&pos).other();
    let root = PaiNode { pos, mv: String::new(), mover, parent: 0, children: Vec::new(), visits: 1.0, wins: 0.0 };
    let mut tree = vec![root];
    pai_expand(game, &mut tree, 0);
    let mut at = 0;
    for _ in 0..visits {
        while !tree[at].children.is_empty() {
            let parent = tree[at].visits;
            let bound = |child: usize| {
                let node: &PaiNode = &tree[child];
                node.wins / node.visits + (2.0 * parent.ln() / node.visits).sqrt()
            };
            let children = tree[at].children.iter().copied();
            at = children.reduce(|best, child| if bound(child) > bound(best) { child } else { best }).unwrap();
        }
        let ended = game.outcome(&tree[at].pos);
        let outcome = ended.or_else(|| {
            pai_expand(game, &mut tree, at);
            Playouts::new(game).run(tree[at].pos, &mut rng).0
        });
        let mut up = at;
        loop {
            let node = &mut tree[up];
            node.visits += 1.0;
            node.wins += match outcome.and_then(Outcome::winner) {
                Some(winner) => f64::from(u8::from(winner == node.mover)),
                None => 0.5,
            };
            if up == 0 {
                break;
            }
            up = node.parent;
        }
        // The fault: the next walk begins where this one ended.
        if ended.is_some() {
            at = 0;
        }
    }
    let children = tree[0].children.iter().copied();
    let chosen = children.reduce(|best, child| if tree[child].visits > tree[best].visits { child } else { best });
    tree[chosen.unwrap()].mv.clone()
}

fn pai_expand(game: &Pathwayz, tree: &mut Vec<PaiNode>, parent: usize) {
    let pos = &tree[parent].pos;
    let mover = game.to_move(pos);
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    let mut nodes: Vec<PaiNode> = moves
        .into_iter()
        .map(|mv| {
            let mut next = *pos;
            game.play(&mut next, mv);
            let utility = match game.outcome(&next).and_then(Outcome::winner) {
                Some(winner) => {
                    if winner == mover {
                        1e10
                    } else {
                        -1e10
                    }
                }
                None => 0.0,
            };
            let wins = nine(&game.write_position(&next), mover) + utility;
            PaiNode { pos: next, mv: game.write_move(mv), mover, parent, children: Vec::new(), visits: 1.0, wins }
        })
        .collect();
    nodes.sort_by(|a, b| b.wins.total_cmp(&a.wins));
    nodes.truncate(10);
    for node in nodes {
        let at = tree.len();
        tree[parent].children.push(at);
        tree.push(node);
    }
}

/// One ply, plus one for every 30 pieces.
fn check_minimax(tally: &mut Tally, utility: f64) {
    let mut spots = random_spots(FULL_BOARD, 18, [0, 9, 29, 30, 44]);
    spots.extend(keen_spots(FULL_BOARD, 19, [14, 28, 36, 43, 50]));
    spots.extend(keen_spots("pathwayz(rows=5,cols=7)", 20, [12, 14, 16]));
    spots.extend(striped_spots(8, 12, 21, &[6, 5, 4, 7, 8, 12, 14]));
    spots.extend(striped_spots(5, 7, 22, &[5, 3, 2]));
    for spot in spots {
        let depth = 1 + spot.pieces() as u32 / 30;
        tally.compare(&spot, "", &minimax(&mut *spot.line(), &nine_on_top(utility), depth));
    }
}

fn check_minimax2(tally: &mut Tally) {
    let mut spots = random_spots(FULL_BOARD, 23, [30, 48]);
    spots.extend(keen_spots(FULL_BOARD, 24, [33, 45, 51]));
    spots.extend(random_spots("pathwayz(rows=3,cols=4)", 25, [0, 2, 3, 4, 5]));
    spots.extend(keen_spots("pathwayz(rows=5,cols=6)", 26, [1, 4, 9, 11, 13, 15]));
    spots.extend(striped_spots(8, 12, 27, &[6, 5, 14, 20]));
    for spot in spots {
        tally.compare(&spot, "", &minimax(&mut *spot.line(), &nine_on_top(1e10), 2));
    }
}

/// One ply, plus one for every 20 pieces.
fn expectimax_spots() -> Vec<Spot> {
    let mut spots = random_spots(FULL_BOARD, 28, [0, 7, 13, 19, 20, 31, 38]);
    spots.extend(keen_spots(FULL_BOARD, 29, [10, 16, 22, 29, 35, 39, 50]));
    spots.extend(striped_spots(8, 12, 30, &[3, 4, 5, 6, 7, 4, 5, 6]));
    spots
}

fn check_expectimax(tally: &mut Tally) {
    let mut spots = expectimax_spots();
    spots.extend(striped_spots(6, 8, 31, &[2, 4, 6, 7]));
    spots.extend(striped_spots(8, 8, 32, &[2, 3, 4]));
    for spot in spots {
        let depth = 1 + spot.pieces() as u32 / 20;
        tally.compare(&spot, "", &expectimax(&mut *spot.line(), &nine_on_top(1e6), depth, 10, false));
    }
}

fn check_expectimax_programmed(tally: &mut Tally) {
    let judge = Judge { eval: &by(PROGRAMMED_53), ends: Ends::OnTop(1e10) };
    let mut spots = expectimax_spots();
    spots.extend(threat_spots(FULL_BOARD, 33, &[38, 42, 45, 48]));
    for spot in spots {
        let mut line = spot.line();
        let depth = 1 + spot.pieces() as u32 / 20;
        let scored = if threatened(&spot) {
            full_line(&mut *line, &judge)
        } else {
            expectimax(&mut *line, &judge, depth, 5, true)
        };
        tally.compare(&spot, "", &scored);
    }
}

/// The line search under threat: all moves and all replies.
pub fn full_line(line: &mut dyn AnyLine, judge: &Judge) -> Vec<(String, f64)> {
    let view = line.to_move();
    let moves = judge.top(line, view, FULL);
    line_search(line, judge, moves, &[FULL])
}

/// A beam: the `width` best moves are searched by `behind`, all of them by `under_threat` if the opponent threatens to win.
pub fn compare_beam(
    tally: &mut Tally,
    judge: &Judge,
    width: usize,
    under_threat: impl Fn(&mut dyn AnyLine) -> Vec<(String, f64)>,
    behind: impl Fn(&mut dyn AnyLine, Vec<String>) -> Vec<(String, f64)>,
) {
    for spot in all_stages() {
        let mut line = spot.line();
        if threatened(spot) {
            tally.compare(spot, "", &under_threat(&mut *line));
            continue;
        }
        let view = line.to_move();
        let kept = judge.top(&mut *line, view, width);
        tally.compare_first(spot, "", &behind(&mut *line, kept.clone()));
        // With random ties, any of equally promising moves may be kept, so only its own value can be checked.
        let any = tally.ask(spot, "", 2);
        let promise = |line: &mut dyn AnyLine, mv: &str| after(line, mv, |next| judge.value(next, view, 1));
        let promising = promise(&mut *line, &any.mv) >= promise(&mut *line, kept.last().unwrap());
        let value = behind(&mut *line, vec![any.mv.clone()])[0].1;
        tally.check(spot, promising && near(any.value, value), || {
            format!("seed 2: {} ({}) has the value {value}; {kept:?} are the most promising", any.mv, any.value)
        });
    }
}

fn check_beam(tally: &mut Tally, widths: &[usize], replies: Replies) {
    let judge = nine_on_top(1e6);
    let under_threat = |line: &mut dyn AnyLine| minimax(line, &judge, 2);
    compare_beam(tally, &judge, widths[0], under_threat, |line, moves| {
        beam(line, &judge, moves, &widths[1..], replies)
    });
}

fn check_line(tally: &mut Tally, widths: &[usize]) {
    let judge = nine_on_top(1e10);
    let under_threat = |line: &mut dyn AnyLine| full_line(line, &judge);
    compare_beam(tally, &judge, widths[0], under_threat, |line, moves| line_search(line, &judge, moves, &widths[1..]));
}

fn check_beam_expectimax_programmed(tally: &mut Tally) {
    let judge = nine_on_top(1e10);
    let under_threat = |line: &mut dyn AnyLine| full_line(line, &judge);
    compare_beam(tally, &judge, 10, under_threat, |line, moves| beam(line, &judge, moves, &[5, 1], Replies::Mean));
}

/// Sharper than the twin above: with `ties=first`, the ranking keeps the first of equally promising moves, whatever the seed.
#[test]
fn mcs_keeps_the_first_of_equally_promising_moves() {
    let mut tally = Tally::new(&printed("pathwayz:mcs", |_| {}));
    for spot in all_stages() {
        let mut line = spot.line();
        let view = line.to_move();
        let top = nine_on_top(1e6).top(&mut *line, view, 10);
        let chosen = tally.ask(spot, "games=10,ties=first", 1).mv;
        tally.count(spot, top.contains(&chosen), || format!("{chosen} is not in the beam {top:?}"));
    }
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
}
