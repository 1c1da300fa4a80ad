//! Puzzles: the built-in ones, and new ones.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use quintet_agent::{
    Catalogue, Complaint, EndgameProver, Exact, Making, MakingProgress, Prover, Provers, Puzzle, PuzzleKind, Unproven,
    make_puzzles, provers, puzzles, puzzles_with,
};
use quintet_data::Data;
use quintet_game::{AnyLine, GameSpec, Limit, Outcome, Player, Stop, Value, canonical, with_line};

/// Every built-in puzzle is right, and not an image of another. Exactly those that only a table proves have an answer.
#[test]
fn what_is_shipped_is_true_and_distinct() {
    let (all, provers) = (puzzles(), provers());
    let (mut ids, mut positions) = (BTreeSet::new(), BTreeSet::new());
    for puzzle in &all {
        match (puzzle.complaint(&provers), &puzzle.answer) {
            (None, None) => {}
            (Some(Complaint::Unchecked(why)), Some(_)) => {
                assert!(why.contains(&format!("quintet solve '{}'", puzzle.game)), "{}: {why}", puzzle.id);
            }
            (complaint, answer) => panic!("{}: {complaint:?}, answer {answer:?}", puzzle.id),
        }
        let line = puzzle.line().unwrap();
        assert!(ids.insert(&puzzle.id), "{}", puzzle.id);
        // The text of the representative of a position and all its images.
        let image = with_line!(line, |line| canonical(line.game(), line.position()).0).unwrap();
        let image = (puzzle.game.clone(), image);
        assert!(positions.insert(image), "{} has a twin", puzzle.id);
        let written = serde_json::to_string(puzzle).unwrap();
        assert_eq!(serde_json::from_str::<Puzzle>(&written).unwrap(), *puzzle);
    }
}

/// The puzzles of Pylos by the tables of the data directory.
#[test]
#[ignore = "needs tables of Pylos in $QUINTET_DATA"]
fn what_needs_a_table_is_true_by_it() {
    let data = PathBuf::from(std::env::var_os("QUINTET_DATA").expect("$QUINTET_DATA names a data directory"));
    assert!(data.join("tables").is_dir(), "no tables in {}: `quintet solve pylos` makes one", data.display());
    let provers = Catalogue::with_folder(&data).unwrap().provers();
    let (mut checked, mut left) = (0, 0);
    for puzzle in puzzles().iter().filter(|puzzle| puzzle.game.starts_with("pylos")) {
        match puzzle.complaint(&provers) {
            None => checked += 1,
            Some(Complaint::Unchecked(why)) => {
                eprintln!("{}: {why}", puzzle.id);
                left += 1;
            }
            Some(wrong) => panic!("{}: {wrong}", puzzle.id),
        }
    }
    eprintln!("{checked} puzzles checked, {left} not");
    assert!(checked > 0);
}

/// The user's puzzles are added to the built-in ones, and replace those of the same name.
#[test]
fn puzzles_are_read_from_the_data_directory_too() {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own-puzzles");
    std::fs::create_dir_all(data.join("puzzles")).unwrap();
    let (file, shipped) = (data.join("puzzles/twixt.jsonl"), puzzles());
    let renamed = Puzzle { title: "renamed".into(), ..shipped[0].clone() };
    let new = Puzzle { id: "mine-1".into(), ..shipped[0].clone() };
    let line = |puzzle: &Puzzle| serde_json::to_string(puzzle).unwrap();
    std::fs::write(&file, format!("{}\n{}\n", line(&renamed), line(&new))).unwrap();
    let all = puzzles_with(&Data::with_directory(&data)).unwrap();
    assert_eq!((&all[0], &all[1..shipped.len()], &all[shipped.len()..]), (&renamed, &shipped[1..], &[new][..]));
    std::fs::write(&file, format!("{}\n{{}}\n", line(&renamed))).unwrap();
    let error = puzzles_with(&Data::with_directory(&data)).unwrap_err().to_string();
    assert!(error.contains("twixt.jsonl: line 2: missing field"), "{error}");
}

#[test]
fn a_puzzle_that_is_none_is_seen() {
    let wrong = |puzzle: &Puzzle, says: &str| match puzzle.complaint(&provers()) {
        Some(Complaint::Wrong(why)) => assert!(why.contains(says), "{why}"),
        other => panic!("{other:?}"),
    };
    let mut puzzle = puzzles().into_iter().find(|puzzle| puzzle.kind == PuzzleKind::WinIn(2)).unwrap();
    puzzle.distance = Some(5);
    wrong(&puzzle, "ends in 3 plies, not in 5 plies");
    puzzle.kind = PuzzleKind::WinIn(3);
    wrong(&puzzle, "not of the kind win-in-3");
    puzzle.kind = PuzzleKind::OnlyDraw;
    wrong(&puzzle, "not of the kind only-draw");
    puzzle.answer = Some("nowhere".into());
    wrong(&puzzle, "nowhere is not a legal move");
    puzzle.moves = vec!["nowhere".into()];
    wrong(&puzzle, "nowhere");
    puzzle.moves.clear();
    puzzle.answer = None;
    let nobody = puzzle.complaint(&Vec::new());
    assert!(matches!(nobody, Some(Complaint::Unchecked(why)) if why.contains("no prover")));
}

#[test]
fn kinds_have_one_name_each() {
    for name in ["only-win", "only-draw", "zugzwang", "one-peg", "win-in-2", "win-in-12"] {
        assert_eq!(name.parse::<PuzzleKind>().unwrap().to_string(), name);
        let quoted = format!("{name:?}");
        assert_eq!(serde_json::to_string(&serde_json::from_str::<PuzzleKind>(&quoted).unwrap()).unwrap(), quoted);
    }
    for bad in ["", "hard", "win-in-", "win-in-0", "win-in-1", "win-in-02", "win-in-+3", "win-in-99999999999"] {
        let why = bad.parse::<PuzzleKind>().unwrap_err();
        assert!(why.contains("win-in-N"), "{bad}: {why}");
    }
}

/// Claims for every position that one move wins in nine plies, as if by a table.
#[derive(Debug)]
struct Partial {
    /// The move's index among the legal ones.
    at: usize,
    complete: bool,
}

impl Prover for Partial {
    fn name(&self) -> &str {
        "partial"
    }

    fn prove(&self, line: &dyn AnyLine, _: &Limit, _: &Stop) -> Result<Exact, Unproven> {
        let best = Value::win_in(9);
        let rated = |(at, mv)| if at == self.at { (mv, best) } else { (mv, Value::DRAW) };
        let moves: Vec<_> = line.legal_moves().into_iter().enumerate().map(rated).collect();
        Ok(Exact { value: best, by: "partial".into(), moves, complete: self.complete, all_best: true })
    }
}

fn making(spec: &str, provers: Provers) -> Making<'static> {
    let spec = GameSpec::parse(spec).unwrap();
    let (agent, stop) = ("mcts(visits=20)", Stop::never());
    Making { spec, kind: None, count: 2, seed: 1, agent, games: 200, back: 14, provers, stop }
}

fn made(making: &Making) -> Vec<Puzzle> {
    make_puzzles(Catalogue::embedded(), making, &[], &mut |_| true).unwrap()
}

/// A puzzle that others cannot prove carries its answer, and is checked by a prover that knows all moves; one
/// that knows less says so.
#[test]
fn an_answer_is_carried_where_the_proof_is_not() {
    let by = |at, complete| -> Provers { vec![Arc::new(Partial { at, complete })] };
    let puzzle = made(&making("pylos", by(1, true))).remove(0);
    let moves = puzzle.line().unwrap().legal_moves();
    assert_eq!((puzzle.kind, puzzle.answer.as_ref()), (PuzzleKind::OnlyWin, Some(&moves[1])));
    assert!(puzzle.is_one_move());
    assert_eq!(puzzle.complaint(&by(1, true)), None);
    let other = puzzle.complaint(&by(0, true)).unwrap();
    assert_eq!(other, Complaint::Wrong(format!("the right move is {}, not {}", moves[0], moves[1])));
    let less = puzzle.complaint(&by(1, false)).unwrap().to_string();
    assert_eq!(less, "not checked: it needs the table of pylos (quintet solve 'pylos')");
    assert_eq!(puzzle.complaint(&Vec::new()).unwrap().to_string(), less);
    let known = puzzle.known(&*puzzle.line().unwrap(), &Vec::new()).unwrap();
    assert_eq!(known.moves, [(moves[1].clone(), Value::win_in(9))]);
}

/// Can the side to move force a win within this many plies? By the rules alone.
fn wins_within(line: &mut dyn AnyLine, plies: u32) -> bool {
    let mover = line.to_move();
    line.legal_moves().iter().any(|mv| after(line, mv, mover, plies))
}

/// The same once a move of the winner is made.
fn after(line: &mut dyn AnyLine, mv: &str, mover: Player, plies: u32) -> bool {
    line.try_play(mv).unwrap();
    let won = match line.end() {
        Some((outcome, _)) => outcome == Outcome::Win(mover),
        None if plies < 3 => false,
        None => line.legal_moves().iter().all(|reply| {
            line.try_play(reply).unwrap();
            let won = match line.end() {
                Some((outcome, _)) => outcome == Outcome::Win(mover),
                None => wins_within(line, plies - 2),
            };
            line.undo();
            won
        }),
    };
    line.undo();
    won
}

/// Wins in three: nothing wins in two, and one first move in three.
#[test]
fn a_win_in_three_is_one() {
    let kind = Some(PuzzleKind::WinIn(3));
    let found = made(&Making { kind, ..making("pathwayz(rows=3,cols=4)", provers()) });
    assert_eq!(found.len(), 2);
    for puzzle in found {
        assert_eq!((puzzle.distance, puzzle.answer.as_deref()), (Some(5), None));
        assert!(puzzle.title.contains("three moves"), "{}", puzzle.title);
        let mut line = puzzle.line().unwrap();
        assert!(!wins_within(&mut *line, 3));
        let mover = line.to_move();
        let first = line.legal_moves().iter().filter(|mv| after(&mut *line, mv, mover, 5)).count();
        assert_eq!(first, 1, "{puzzle:?}");
    }
}

#[test]
fn the_same_seed_makes_the_same_puzzles() {
    let make = |seed| {
        let near: Provers = vec![Arc::new(EndgameProver::default())];
        made(&Making { seed, ..making("pathwayz(rows=3,cols=4)", near) })
    };
    let made = make(1);
    assert_eq!(made.len(), 2);
    assert_eq!((made.clone(), made[0].id.as_str()), (make(1), "pathwayz-1"));
    assert!(made.iter().all(|puzzle| puzzle.complaint(&provers()).is_none()));
    assert_ne!(made, make(2));
}

/// Stopping early returns what was found until then.
#[test]
fn making_ends_when_it_is_told_to() {
    let making = making("pathwayz(rows=3,cols=4)", provers());
    let mut games = 0;
    let one = make_puzzles(Catalogue::embedded(), &making, &[], &mut |heard| match heard {
        MakingProgress::Games(so_far) => {
            games = so_far;
            true
        }
        MakingProgress::Found(_) => false,
    });
    assert_eq!(one.unwrap().len(), 1);
    let stop = Stop::new();
    let making = Making { count: 1000, stop: stop.clone(), ..making };
    let stopped = make_puzzles(Catalogue::embedded(), &making, &[], &mut |heard| {
        if matches!(heard, MakingProgress::Games(so_far) if so_far == games + 3) {
            stop.stop();
        }
        true
    });
    assert!((1..1000).contains(&stopped.unwrap().len()));
}
