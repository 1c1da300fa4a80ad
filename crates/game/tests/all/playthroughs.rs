//! Playthroughs: every observable of a recorded random game, ply by ply, compared with the files beside this one.
//! `QUINTET_BLESS=1 cargo test -p quintet-game --test all playthroughs` rewrites them: review the difference before you commit it.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use quintet_game::{GameSpec, Line, Playable, with_game};

const GAMES: &[&str] = &[
    "pathwayz(rows=5,cols=6)",
    "pentago",
    "pentago(rules=turn-first)",
    "pentago-twist",
    "pylos",
    "pylos(rules=expert-diag,end=spent,takeback=free)",
    "twixt(size=6)",
    "twixt(size=8,rules=pp,swap=turn)",
    "twixt(size=7,rules=paper)",
];

struct Playthrough(GameSpec);

impl Playthrough {
    fn visit<G: Playable>(self, game: G) -> String {
        let mut rng = crate::common::rng(2017);
        let mut line = Line::new(Arc::new(game));
        let mut out = format!("game: {}\n", self.0);
        loop {
            let game = line.game();
            let pos = line.position();
            let mut moves = Vec::new();
            if line.outcome().is_none() {
                game.moves(pos, &mut moves);
            }
            let names: Vec<String> = moves.iter().map(|mv| game.write_move(*mv)).collect();
            let shown = quintet_game::text::some_of(&names, 12);
            let _ = write!(
                out,
                "\nply: {}\nposition: {}\nkey: {:016x}\nto move: {}\nsymmetries: {}\noccurrences: {}\nlegal: {} {shown}\n",
                line.plies(),
                game.write_position(pos),
                game.key(pos),
                line.to_move(),
                game.symmetries(pos).len(),
                line.occurrences(pos),
                line.count_moves(),
            );
            if let Some((outcome, reason)) = line.end() {
                let _ = writeln!(out, "outcome: {outcome}\nreason: {reason}\nwins: {:?}", game.wins(pos));
                return out;
            }
            let mv = game.random_move(pos, &mut rng);
            let _ = writeln!(out, "move: {}", game.write_move(mv));
            if let Some(notice) = game.notice(pos, mv) {
                let _ = writeln!(out, "notice: {notice}");
            }
            line.play(mv);
        }
    }
}

#[test]
fn playthroughs() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    for text in GAMES {
        let spec = GameSpec::parse(text).unwrap();
        let got = with_game!(spec, |game| Playthrough(spec).visit(game));
        let name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let file = folder.join(format!("{}.txt", name.trim_end_matches('_')));
        if std::env::var_os("QUINTET_BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &got).unwrap();
        }
        let wanted = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for (number, (a, b)) in (1..).zip(got.lines().zip(wanted.lines())) {
            assert_eq!(a, b, "{} line {number}", file.display());
        }
        assert_eq!(got.len(), wanted.len(), "{}", file.display());
    }
}
