//! TwixT: the agents of "TwixT Alive".

use std::collections::HashMap;
use std::sync::OnceLock;

use quintet_game::{AnyLine, Outcome, Player, Proof};

use crate::chance::random;
use crate::common::{Spot, Tally, Twin, after, best, near, printed, random_spots, spots_where};
use crate::search::{Ends, Judge, deepening, minimax};

pub const TWINS: &[Twin] = &[
    printed("twixt:random", check_random),
    printed("twixt:greedy", check_greedy),
    printed("twixt:minimax", check_fixed),
    printed("twixt:id-minimax", check_deepening),
    printed("twixt:alphabeta", check_fixed),
    printed("twixt:id-alphabeta", check_deepening),
    printed("twixt:best-first", check_deepening),
    printed("twixt:perfect", |tally| check_perfect(tally, "nodes=2000000")),
    // A few visits suffice to choose among draws.
    printed("twixt:champion", |tally| check_champion(tally, "nodes=2000000,visits=100")),
];

const JUDGE: Judge = Judge { eval: &distance, ends: Ends::Quick };

// ---- A plain board ----

/// A hole as column and row.
type Hole = (i32, i32);

struct Board {
    rows: Vec<Vec<char>>,
    links: Vec<(Hole, Hole)>,
}

impl Board {
    fn read(text: &str) -> Board {
        let parts: Vec<&str> = text.split(' ').collect();
        let rows = parts[0].split('/').map(|row| row.chars().collect()).collect();
        let links = if parts[1] == "-" { Vec::new() } else { parts[1].split(',').map(read_link).collect() };
        Board { rows, links }
    }

    fn size(&self) -> i32 {
        self.rows.len() as i32
    }

    fn at(&self, (column, row): Hole) -> char {
        self.rows[row as usize][column as usize]
    }

    /// Is the hole's line one of the two that the player must connect?
    fn on_border(&self, player: Player, (column, row): Hole) -> bool {
        let along = if player == Player::First { row } else { column };
        along == 0 || along == self.size() - 1
    }

    /// The player's cost of entering a hole: nothing for an own peg, one move for an empty hole that the player may use.
    fn cost(&self, player: Player, hole: Hole) -> Option<u32> {
        let own = ['r', 'b'][player.index()];
        match self.at(hole) {
            peg if peg == own => Some(0),
            // Corners belong to the lines of both.
            '.' if self.on_border(player.other(), hole) && !self.on_border(player, hole) => None,
            '.' => Some(1),
            _ => None,
        }
    }

    /// May the player's way use this link? It must exist in the player's colour, or be crossed by no existing link.
    fn usable(&self, player: Player, a: Hole, b: Hole) -> bool {
        let stands = self.links.contains(&(a, b)) || self.links.contains(&(b, a));
        if stands {
            return self.at(a) == ['r', 'b'][player.index()];
        }
        !self.links.iter().any(|&(c, d)| crosses(a, b, c, d))
    }

    /// The fewest pegs that the player still needs to connect both sides.
    fn needs(&self, player: Player) -> Option<u32> {
        let size = self.size();
        let holes: Vec<Hole> = (0..size).flat_map(|row| (0..size).map(move |column| (column, row))).collect();
        let along = |hole: Hole| if player == Player::First { hole.1 } else { hole.0 };
        let index = |hole: Hole| (hole.1 * size + hole.0) as usize;
        let mut best: Vec<Option<u32>> = vec![None; holes.len()];
        let mut done = vec![false; holes.len()];
        for &hole in holes.iter().filter(|hole| along(**hole) == 0) {
            best[index(hole)] = self.cost(player, hole);
        }
        loop {
            let open = holes.iter().filter(|hole| !done[index(**hole)] && best[index(**hole)].is_some());
            let &near = open.min_by_key(|hole| best[index(**hole)])?;
            let so_far = best[index(near)].unwrap();
            if along(near) == size - 1 {
                return Some(so_far);
            }
            done[index(near)] = true;
            for (dx, dy) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
                let next = (near.0 + dx, near.1 + dy);
                if !(0..size).contains(&next.0) || !(0..size).contains(&next.1) || done[index(next)] {
                    continue;
                }
                let Some(cost) = self.cost(player, next).filter(|_| self.usable(player, near, next)) else { continue };
                let new = so_far + cost;
                if best[index(next)].is_none_or(|old| new < old) {
                    best[index(next)] = Some(new);
                }
            }
        }
    }
}

/// A link such as `c2d4`.
fn read_link(text: &str) -> (Hole, Hole) {
    let second = 1 + text[1..].find(|c: char| c.is_ascii_alphabetic()).unwrap();
    let hole = |text: &str| (i32::from(text.as_bytes()[0] - b'a'), text[1..].parse::<i32>().unwrap() - 1);
    (hole(&text[..second]), hole(&text[second..]))
}

/// Do two links cross? Links that share a hole do not.
fn crosses(a: Hole, b: Hole, c: Hole, d: Hole) -> bool {
    let side = |p: Hole, q: Hole, r: Hole| ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum();
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// The pegs that the opponent still needs minus those that we need.
fn distance(text: &str, view: Player) -> f64 {
    let board = Board::read(text);
    let far = f64::from(board.size() * board.size());
    match (board.needs(view), board.needs(view.other())) {
        (Some(mine), Some(yours)) => f64::from(yours) - f64::from(mine),
        (Some(_), None) => far,
        (None, Some(_)) => -far,
        (None, None) => 0.0,
    }
}

// ---- Agents ----

/// A position, a depth, and the moves with their values at that depth and by deepening to it.
struct Case {
    spot: Spot,
    depth: u32,
    fixed: Vec<(String, f64)>,
    deepened: Vec<(String, f64)>,
}

/// The cases that all agents share.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let mut spots: Vec<(Spot, u32)> = Vec::new();
        let mut add = |game: &str, seed: u64, depth: u32, plies: &[usize]| {
            spots.extend(random_spots(game, seed, plies.iter().copied()).into_iter().map(|spot| (spot, depth)));
        };
        add("twixt(size=5,rules=paper)", 1, 3, &[0, 3, 5, 7, 9, 11, 13, 15]);
        add("twixt(size=5,rules=standard)", 2, 3, &[1, 4, 6, 8, 10, 12, 14, 16]);
        add("twixt(size=6,rules=paper)", 3, 3, &[10, 14, 17, 20, 22]);
        add("twixt(size=6,rules=standard)", 4, 2, &[0, 1, 2, 7, 13, 18]);
        add("twixt(size=8,rules=paper)", 5, 2, &[3, 16, 24, 30]);
        add("twixt(size=8,rules=standard)", 6, 2, &[1, 12, 20, 28]);
        let case = |(spot, depth): (Spot, u32)| Case {
            depth,
            fixed: minimax(&mut *spot.line(), &JUDGE, depth),
            deepened: deepening(&mut *spot.line(), &JUDGE, depth),
            spot,
        };
        let cases: Vec<Case> = spots.into_iter().map(case).collect();
        // Wins, losses and closed ways must be among them.
        let some =
            |wanted: std::ops::RangeInclusive<f64>| cases.iter().any(|case| wanted.contains(&best(&case.fixed).1));
        assert!(some(9e5..=1e6) && some(-1e6..=-9e5) && (some(25.0..=64.0) || some(-64.0..=-25.0)));
        cases
    })
}

fn check_random(tally: &mut Tally) {
    let plies = [12, 14, 16, 18];
    random(tally, &spots_where("twixt(size=5)", 7, &plies, 20, |spot| spot.line().count_moves() <= 12));
}

fn check_greedy(tally: &mut Tally) {
    for case in cases() {
        tally.compare(&case.spot, "", &minimax(&mut *case.spot.line(), &JUDGE, 1));
    }
    for spot in random_spots("twixt", 8, [0, 1, 20, 45, 60]) {
        tally.compare(&spot, "", &minimax(&mut *spot.line(), &JUDGE, 1));
    }
}

fn check_fixed(tally: &mut Tally) {
    for case in cases() {
        tally.compare(&case.spot, &format!("depth={}", case.depth), &case.fixed);
    }
}

fn check_deepening(tally: &mut Tally) {
    for case in cases() {
        tally.compare_value(&case.spot, &format!("depth={}", case.depth), &case.deepened);
    }
}

/// Every line of play to its end: for the side to move a million minus the plies to a win, the opposite for a loss, 0 for a draw.
fn perfect(line: &mut dyn AnyLine, known: &mut HashMap<String, f64>) -> f64 {
    if let Some((outcome, _)) = line.end() {
        return match outcome {
            Outcome::Draw => 0.0,
            Outcome::Win(player) if player == line.to_move() => 1e6,
            Outcome::Win(_) => -1e6,
        };
    }
    let text = line.position();
    if let Some(value) = known.get(&text) {
        return *value;
    }
    let value = by_all_moves(line, known).into_iter().map(|(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
    known.insert(text, value);
    value
}

fn by_all_moves(line: &mut dyn AnyLine, known: &mut HashMap<String, f64>) -> Vec<(String, f64)> {
    let moves = line.legal_moves();
    let mut value = |mv: String| {
        let theirs = after(line, &mv, |next| perfect(next, known));
        (mv, if theirs == 0.0 { 0.0 } else { -theirs + theirs.signum() })
    };
    moves.into_iter().map(&mut value).collect()
}

/// The moves of a position with their values.
type Scored = Vec<(String, f64)>;

/// The smallest boards from the start, including swaps, and late positions of larger ones, each with the values of all its moves: every win in as few plies, every loss in as many.
fn solved() -> &'static [(Spot, Scored)] {
    static SOLVED: OnceLock<Vec<(Spot, Scored)>> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let mut solved = Vec::new();
        let mut add = |game: &str, seed: u64, plies: std::ops::Range<usize>| {
            // Games from the same start meet the same positions.
            let mut known = HashMap::new();
            let spots = random_spots(game, seed, plies).into_iter();
            solved.extend(spots.map(|spot| {
                let scored = by_all_moves(&mut *spot.line(), &mut known);
                (spot, scored)
            }));
        };
        for game in ["twixt(size=3)", "twixt(size=3,swap=turn)", "twixt(size=3,rules=paper)", "twixt(size=4,rules=pp)"]
        {
            add(game, 9, 0..4);
        }
        for game in ["twixt(size=5)", "twixt(size=5,rules=pp)", "twixt(size=5,rules=paper)"] {
            add(game, 10, 12..17);
        }
        add("twixt(size=6,rules=paper)", 11, 22..26);
        solved
    })
}

/// The champion sees wins in one before it searches, so what it knows is compared, not its number.
fn check_champion(tally: &mut Tally, limit: &str) {
    for (spot, scored) in solved() {
        let (moves, value) = best(scored);
        let chosen = tally.ask(spot, limit, 1);
        let known = chosen.known.map(|known| match (known.proof, known.plies) {
            (Proof::Draw, _) => 0.0,
            (Proof::Win, plies) => 1e6 - f64::from(plies.unwrap_or(u32::MAX)),
            (Proof::Loss, plies) => f64::from(plies.unwrap_or(u32::MAX)) - 1e6,
        });
        tally.count(spot, moves.contains(&chosen.mv.as_str()) && known.is_some_and(|known| near(known, value)), || {
            format!("the agent plays {} ({:?}), the twin one of {moves:?} ({value})", chosen.mv, chosen.known)
        });
    }
}

fn check_perfect(tally: &mut Tally, limit: &str) {
    for (spot, scored) in solved() {
        tally.compare_value(spot, limit, scored);
    }
}
