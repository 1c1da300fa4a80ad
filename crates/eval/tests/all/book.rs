//! Opening books: symmetric positions, and damaged files.

use std::collections::BTreeMap;
use std::fs;

use quintet_data::Data;
use quintet_eval::{Book, Spec, WeightStore, write_book};
use quintet_game::pentago::Pentago;
use quintet_game::{GameSpec, Notation, Playable, Rng, SeedableRng, canonical, carry_over, with_game};

/// Random representative positions with a random move each.
struct Fold<'a>(&'a GameSpec);

impl Fold<'_> {
    fn visit<G: Playable>(self, game: G) {
        let mut rng = Rng::seed_from_u64(11);
        let (mut moves, mut places) = (BTreeMap::new(), Vec::new());
        for plies in [0, 1, 1, 2, 2, 3, 3, 4, 5, 6] {
            let mut pos = game.start();
            for _ in 0..plies {
                if game.outcome(&pos).is_none() {
                    let mv = game.random_move(&pos, &mut rng);
                    game.play(&mut pos, mv);
                }
            }
            if game.outcome(&pos).is_some() {
                continue;
            }
            let (text, stands) = canonical(&game, &pos);
            assert_eq!(canonical(&game, &stands), (text.clone(), stands.clone()));
            let mv = game.random_move(&stands, &mut rng);
            if moves.insert(text, game.write_move(mv)).is_none() {
                places.push((stands, mv));
            }
        }
        let book = Book::parse(self.0, &game, &write_book(self.0, &[], &moves)).unwrap();
        assert_eq!(book.len(), places.len());
        for (stands, mv) in places {
            let after = |pos: &G::Pos, mv| {
                let mut next = pos.clone();
                game.play(&mut next, mv);
                next
            };
            for &symmetry in game.symmetries(&stands) {
                let image = game.map_position(symmetry, &stands);
                let found = book.find(&game, &image).expect("the book knows every image");
                assert_eq!(game.check(&image, found), Ok(()));
                assert!(carry_over(&game, &stands, mv, &image).is_some());
                // An image of a symmetric position can be mapped in several ways; they lead to the same place.
                let (there, here) = (after(&image, found), after(&stands, mv));
                assert_eq!(canonical(&game, &there).0, canonical(&game, &here).0, "{symmetry:?} of {stands:?}");
            }
        }
    }
}

#[test]
fn a_position_and_its_images_get_corresponding_moves() {
    for spec in ["pathwayz", "pylos", "twixt(size=6)", "twixt(size=8,swap=off)", "pentago-twist", "pentago"] {
        let spec = GameSpec::parse(spec).unwrap();
        with_game!(spec, |game| Fold(&spec).visit(game));
    }
}

const START: &str = "....../....../....../....../....../...... x";
const SECOND: &str = "....../....../....../....../....../.....x o";

fn twist() -> (GameSpec, Pentago) {
    (GameSpec::parse("pentago-twist").unwrap(), Pentago::twist())
}

fn some() -> String {
    let moves = [(START, "b2q1r"), (SECOND, "e5q4f")].map(|(position, mv)| (position.to_owned(), mv.to_owned()));
    write_book(&twist().0, &[("command", "by\nhand".into())], &BTreeMap::from(moves))
}

#[test]
fn damage_is_seen_and_has_a_line() {
    let (spec, game) = twist();
    let text = some();
    let line = |number: usize| text.lines().nth(number - 1).unwrap();
    assert_eq!((line(2), line(3), line(5)), ("# game: pentago-twist", "# command: by hand", "position,move"));
    assert!(line(4).starts_with("# checksum: ") && line(6).starts_with(START) && line(7).starts_with(SECOND));
    assert_eq!(Book::parse(&spec, &game, &text).unwrap().len(), 2);
    let over = "xxxxx./oooo../....../....../....../...... o";
    for (from, to, says) in [
        ("# An opening", "# Some opening", "it is not an opening book"),
        ("# game: pentago-twist", "# game: pylos", "a book of pylos, not of pentago-twist"),
        ("# game: ", "# from: ", "it has no line \"# game: …\""),
        ("# checksum: ", "# sum: ", "it has no line \"# checksum: …\""),
        ("# checksum: ", "# checksum: 0", "line 4: it is damaged"),
        ("position,move", "boards,moves", "line 5: expected a note that begins with #"),
        ("b2q1r", "b2q2r", "line 4: it is damaged"),
        ("b2q1r", "b2q1l", "line 6: move \"b2q1l\": after the cell, expected"),
        ("e5q4f", "f6q4f", "line 7: move \"f6q4f\": f6 is taken"),
        ("e5q4f", "", "line 7: move \"\""),
        (",e5q4f", "", "line 7: expected a position, a comma and a move"),
        (SECOND, "nonsense", "line 7: position: "),
        (SECOND, "x...../....../....../....../....../...... o", "line 7: the position must be written as \"....../"),
        (SECOND, over, "line 7: the game is over there"),
        (SECOND, START, "line 7: the position has a move already"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Book::parse(&spec, &game, &text.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to}"));
        assert!(error.to_string().contains(says), "{to}: {error}");
    }
    for cut in 0..text.len() - 1 {
        assert!(Book::parse(&spec, &game, &text[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn a_book_is_found_by_name_or_path_and_read_once() {
    let folder = std::env::temp_dir().join(format!("quintet-books-{}", std::process::id()));
    let (spec, game) = twist();
    fs::create_dir_all(folder.join("weights/pentago-twist")).unwrap();
    let path = folder.join("weights/pentago-twist/mine.csv");
    fs::write(&path, some()).unwrap();
    let store = WeightStore::new(Data::with_directory(&folder));
    let ask = |book_spec: &str| {
        let book_spec = Spec::parse(book_spec).unwrap();
        let book = store.asked_book(&mut book_spec.arguments(), &spec, &game);
        book.map(|book| book.find(&game, &game.read_position(START).unwrap()).map(|mv| game.write_move(mv)))
    };
    assert_eq!(ask("book(book=pentago-twist:mine)"), Ok(Some("b2q1r".into())));
    let quoted = format!("book(book=\"{}\")", path.display());
    assert_eq!(ask(&quoted), Ok(Some("b2q1r".into())));
    let sum = some().lines().find_map(|line| line.strip_prefix("# checksum: ").map(str::to_owned)).unwrap();
    let sums = |book_spec: &str| store.checksums(&Spec::parse(book_spec).unwrap(), "pentago-twist").unwrap();
    assert_eq!(sums("book(agent=random,book=pentago-twist:mine)"), [("pentago-twist:mine".into(), sum.clone())]);
    assert_eq!(sums(&quoted), [(path.display().to_string(), sum)]);
    fs::write(&path, some().replace("b2q1r", "c3q1r")).unwrap();
    assert_eq!(ask("book(book=pentago-twist:mine)"), Ok(Some("b2q1r".into())), "it was read before");
    for (book_spec, says) in [
        (&*quoted, "mine.csv cannot be used: line 4: it is damaged"),
        ("book(book=pentago-twist:none)", "make it: quintet train pentago-twist:none"),
        ("book(book=\"/nowhere\")", "/nowhere cannot be read"),
        ("book", "book=: it must be the name of a book"),
    ] {
        let error = ask(book_spec).unwrap_err().to_string();
        assert!(error.contains(says), "{book_spec}: {error}");
    }
    // The same name in another game is another book, which is refused there.
    let (pentago, rules) = (GameSpec::parse("pentago").unwrap(), Pentago::standard());
    let book_spec = Spec::parse("book(book=pentago-twist:mine)").unwrap();
    let error = store.asked_book(&mut book_spec.arguments(), &pentago, &rules).unwrap_err().to_string();
    assert!(error.contains("it is a book of pentago-twist, not of pentago"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

/// The built-in books are intact and belong to their game.
#[test]
fn what_is_embedded_is_whole() {
    let (spec, game) = twist();
    let book_spec = Spec::parse("book(book=pentago-twist:book)").unwrap();
    let book = WeightStore::embedded().asked_book(&mut book_spec.arguments(), &spec, &game).unwrap();
    assert!(book.len() > 100);
    assert!(book.find(&game, &game.read_position(START).unwrap()).is_some());
    let (text, _) = WeightStore::embedded().text("pentago-twist:book", "csv").unwrap().unwrap();
    assert!(text.contains("\n# command: quintet train pentago-twist:book ") && text.contains("\n# strength: "));
}
