//! Games of other programs, read back: every format by hand, faults, swaps in all meanings, and round trips of random games.

mod round_trips;

use quintet_game::record::Record;
use quintet_game::{AnyLine, GameSpec, Outcome, Player, Rng, SeedableRng};
use quintet_records::{
    Crossing, Format, ImportError, Imported, LONGEST_TEXT, MOST_GAMES, MOST_MOVES, Options, SwapAs, detect, import,
};

fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

fn read(text: &str, format: Format) -> Vec<Imported> {
    read_as(text, format, &Options::default())
}

fn read_as(text: &str, format: Format, options: &Options) -> Vec<Imported> {
    if format != Format::Plain || options.game.is_some() {
        assert_eq!(detect(text, options), Ok(format), "{text}");
    }
    import(text, Some(format), options).unwrap()
}

fn game(spec_text: &str) -> Options {
    Options { game: Some(spec(spec_text)), ..Options::default() }
}

fn swap(swap: SwapAs) -> Options {
    Options { swap: Some(swap), ..Options::default() }
}

/// The record of a game without faults.
#[track_caller]
fn clean(game: &Imported) -> String {
    assert_eq!(game.fault, None);
    record(game).to_string()
}

#[track_caller]
fn record(game: &Imported) -> &Record {
    game.record.as_ref().unwrap()
}

#[track_caller]
fn fault(game: &Imported) -> String {
    game.fault.as_ref().unwrap().to_string()
}

#[track_caller]
fn noted(game: &Imported, says: &str) {
    assert!(game.notes.iter().any(|note| note.contains(says)), "{says}: {:?}", game.notes);
}

#[test]
fn own_records_a_line_each() {
    let text =
        "\u{feff}# my games\r\n\r\ntwixt(size=6); 1.b3 2.swap 3.c5; *; ; anna, random; seed 7\r\nPENTAGO; c4q2r\r\n";
    let games = read(text, Format::Own);
    assert_eq!(games.len(), 2);
    assert_eq!(clean(&games[0]), "twixt(size=6); 1.b3 2.swap 3.c5; *; ; anna, random; seed 7");
    assert_eq!(clean(&games[1]), "pentago; 1.c4q2r; *; ; ");
    assert_eq!((games[0].line, games[1].line), (3, 4));
    assert!(games.iter().all(|game| game.notes.is_empty()));
}

#[test]
fn a_bad_record_spoils_no_other() {
    let text = "pathwayz; 1.e5 2.e5p 3.a1; first; path; a, b\n\
                chess; e4\n\
                pathwayz; from nonsense; e5\n\
                pathwayz(rows=2,cols=2); a1 a2p b1 b2 a1; second; path; a, b\n\
                pathwayz; e5; second; resigned; a, b\n\
                pathwayz; e5; banana; ; a, b";
    let games = import(text, None, &Options::default()).unwrap();
    assert_eq!(fault(&games[0]), "line 1, move 2 \"e5p\": e5 is taken (w).");
    assert_eq!(record(&games[0]).to_string(), "pathwayz; 1.e5; *; ; a, b");
    noted(&games[0], "the result, first, is left out");
    assert_eq!(games[1].record, None);
    assert!(fault(&games[1]).starts_with("line 2: record, game: \"chess\" is not a game"));
    assert_eq!(games[2].record, None);
    assert!(fault(&games[2]).starts_with("line 3: position: "), "{}", fault(&games[2]));
    // Moves after the end: the game stands as it ended on the board.
    assert!(fault(&games[3]).contains("the game is over"), "{}", fault(&games[3]));
    assert_eq!(record(&games[3]).result, Some(Outcome::Win(Player::First)));
    noted(&games[3], "on the board it is first");
    assert_eq!(clean(&games[4]), "pathwayz; 1.e5; second; resigned; a, b");
    assert_eq!(record(&games[5]).result, None);
    noted(&games[5], "result \"banana\" is not first");
}

#[test]
fn json_lines() {
    let text = "{\"game\":\"twixt(size=6)\",\"moves\":[\"B3\",\"swap\"]}\n\n\
                {\"id\":3,\"game\":\"pathwayz(rows=5,cols=6)\",\"moves\":[\"e5\"],\"position\":\"....../..b.../.W..../....../...... w\",\
                \"players\":\"a, b\",\"result\":\"draw\",\"reason\":\"agreed\",\"seed\":9,\"times\":[1]}\n\
                {\"game\":\"pylos\",\"moves\":[\"1a1\",\"2a1\"]}\n{\"game\":\"pylos\",\"moves\":[1]}\nno json";
    let games = read(text, Format::Jsonl);
    assert_eq!(clean(&games[0]), "twixt(size=6); 1.b3 2.swap; *; ; ");
    assert_eq!(
        clean(&games[1]),
        "pathwayz(rows=5,cols=6); from ....../..b.../.W..../....../...... w; 1.e5; draw; agreed; a, b; seed 9"
    );
    noted(&games[1], "unknown \"times\"");
    assert!(fault(&games[2]).starts_with("line 4, move 2 \"2a1\": "));
    assert_eq!(record(&games[2]).moves, ["1a1"]);
    assert_eq!(fault(&games[3]), "line 5: \"moves[0]\" is a number; it must be a string.");
    assert!(fault(&games[4]).starts_with("line 6: not JSON"));
}

#[test]
fn plain_lists() {
    let options = game("twixt");
    let games =
        read_as("1.f6 2.swap 3.j9 # a comment\n4.c3\n1. f6 2. g7 1-0\nf6\ng7\n\nf6\nresign\n", Format::Plain, &options);
    let records: Vec<String> = games.iter().map(clean).collect();
    assert_eq!(
        records,
        [
            "twixt; 1.f6 2.swap 3.j9 4.c3; *; ; ",
            "twixt; 1.f6 2.g7; first; recorded; ",
            "twixt; 1.f6 2.g7; *; ; ",
            "twixt; 1.f6; first; resigned; ",
        ]
    );
    noted(&games[0], "swap=mirror");
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 3, 4, 7]);

    let games = read_as("c4q2r\nc4q2r\nd4q1l", Format::Plain, &game("pentago"));
    assert!(fault(&games[0]).starts_with("line 2, move 2 \"c4q2r\": "));
    assert_eq!(record(&games[0]).moves, ["c4q2r"]);
    let games = read_as("1.1a1 2.1b1 3.Resign 4.1c1", Format::Plain, &game("pylos"));
    assert_eq!(clean(&games[0]), "pylos; 1.1a1 2.1b1; second; resigned; ");
    noted(&games[0], "1 more after the resignation");
    // The game's options say what a swap is, and whether there is one.
    assert_eq!(
        clean(&read_as("1.f6 2.swap", Format::Plain, &game("twixt(swap=turn)"))[0]),
        "twixt(swap=turn); 1.f6 2.swap; *; ; "
    );
    let games = read_as("1.f6 2.swap", Format::Plain, &game("twixt(swap=off)"));
    assert_eq!(fault(&games[0]), "line 1, move 2 \"swap\": this game has no swap (swap=off).");
}

fn t1(head: &str, starter: u8, direction: char, pie: char, over: char, moves: &str) -> String {
    format!(
        "# File created by {head}\n# a program\n1 # version of file-format\nanna# Name of Player 1\n# Name of Player 2\n\
         12# y-size\n12# x-size\nH# human or computer\nC# human or computer\n{starter}# starting player\n\
         {direction}# direction of letters\n{pie}# pierule?\n{over}# game already over?\n{}\n",
        moves.replace(' ', "\n")
    )
}

#[test]
fn t1_files() {
    let games = read(&t1("T1j", 1, 'V', 'N', 'Y', "K10 C3 F6"), Format::T1);
    assert_eq!(clean(&games[0]), "twixt(swap=off); 1.k10 2.c3 3.f6; *; ; anna, ?");
    noted(&games[0], "the file says that the game is over");
    // The second player of the file joins left and right; if that player begins, the board is mirrored.
    let games = read(&t1("T1j", 2, 'V', 'Y', 'N', "A10 C3"), Format::T1);
    assert_eq!(clean(&games[0]), "twixt; 1.j1 2.c3; *; ; ?, anna");
    noted(&games[0], "moves first: the board is mirrored");
    let games = read(&t1("T1j", 1, 'H', 'Y', 'N', "A10 C4"), Format::T1);
    assert_eq!(clean(&games[0]), "twixt; 1.j1 2.d3; *; ; anna, ?");
    noted(&games[0], "letters name the rows");
    // T1j changes sides; twixtbot-ui mirrors.
    let games = read(&t1("T1j", 1, 'V', 'Y', 'N', "B4 swap D9 resign"), Format::T1);
    assert_eq!(clean(&games[0]), "twixt; 1.b4 2.swap 3.i4; first; resigned; anna, ?");
    noted(&games[0], "as in T1j. If it means something else");
    let games = read(&t1("twixtbot-ui", 1, 'V', 'Y', 'N', "B4 SWAP D9"), Format::T1);
    assert_eq!(clean(&games[0]), "twixt; 1.b4 2.swap 3.d9; *; ; anna, ?");
    noted(&games[0], "swap=mirror");
    // A file without the pie rule has no swap, unless the options say what it means.
    let text = t1("T1j", 1, 'V', 'N', 'N', "B4 swap D9");
    assert_eq!(fault(&read(&text, Format::T1)[0]), "line 15, move 2 \"swap\": this game has no swap (swap=off).");
    assert_eq!(clean(&read_as(&text, Format::T1, &swap(SwapAs::Mirror))[0]), "twixt; 1.b4 2.swap 3.d9; *; ; anna, ?");

    let games = read(&t1("T1j", 1, 'V', 'Y', 'N', "B4 swap D9 D9"), Format::T1);
    assert_eq!(fault(&games[0]), "line 17, move 4 \"D9\": (i4 here) i4 is taken (red).");
    assert_eq!(record(&games[0]).moves, ["b4", "swap", "i4"]);
    let games = read(&t1("T1j", 1, 'V', 'Y', 'N', "M1"), Format::T1);
    assert!(fault(&games[0]).contains("off the board"));

    assert!(fault(&read("1 # version\nanna#\n", Format::T1)[0]).contains("fewer than 11 lines"));
    let oblong = t1("T1j", 1, 'V', 'Y', 'N', "C3").replace("12# x", "24# x");
    let games = read(&oblong, Format::T1);
    assert_eq!((fault(&games[0]), &games[0].record), ("line 3: a board of 24 x 12 holes is not square.".into(), &None));
    let large = t1("T1j", 1, 'V', 'Y', 'N', "C3").replace("12#", "30#");
    assert_eq!(fault(&read(&large, Format::T1)[0]), "line 3: size=30: TwixT has 3 to 24 holes per side.");
    assert_eq!(
        clean(&read_as(&large, Format::T1, &game("twixt(size=24,rules=pp)"))[0]),
        "twixt(size=24,rules=pp); 1.c3; *; ; anna, ?"
    );
}

#[test]
fn little_golem_files() {
    let text = "(;FF[4]EV[cup 1]PB[anna]PW[Otto, Dr.]SZ[24]SO[http://x];b[pl];r[ps|a remark];b[pr])\n\
                (;FF[4]PB[a]PW[b]SZ[12]RE[B+];B[bd];W[swap];B[fg];W[resign])\n\
                (;FF[4]PB[a]PW[b]SZ[12];b[bd];r[bd];b[fg])\n\
                (;FF[4]PB[a]PW[b]SZ[12];b[bd];r[cc\n\
                (;FF[4]PB[a]PW[b]SZ[12]RE[0];b[bd])\n";
    let games = read(text, Format::Tsgf);
    assert_eq!(clean(&games[0]), "twixt(size=24,rules=pp); 1.p12 2.p19 3.p18; *; ; anna, Otto Dr.");
    for says in ["event: cup 1", "source: http://x", "rules=pp, as Little Golem"] {
        noted(&games[0], says);
    }
    assert_eq!(clean(&games[1]), "twixt(rules=pp); 1.b4 2.swap 3.f7; first; resigned; a, b");
    noted(&games[1], "swap=mirror");
    assert_eq!(fault(&games[2]), "line 3, move 2 \"bd\": (b4 here) b4 is taken (red).");
    assert_eq!(record(&games[2]).moves, ["b4"]);
    // A damaged line is kept as far as it can be read, and the next is read in full.
    assert_eq!(fault(&games[3]), "line 4: a value is not closed: a ] is missing.");
    assert_eq!(record(&games[3]).moves, ["b4"]);
    assert_eq!(clean(&games[4]), "twixt(rules=pp); 1.b4; draw; recorded; a, b");
    assert_eq!(games.len(), 5);

    let never = Options { crossing: Some(Crossing::Never), ..Options::default() };
    let games = read_as(text, Format::Tsgf, &never);
    assert_eq!(record(&games[0]).spec, spec("twixt(size=24)"));
    assert!(!games[0].notes.iter().any(|note| note.contains("rules=pp")));
    assert_eq!(record(&read_as(text, Format::Tsgf, &game("twixt(size=16)"))[1]).spec, spec("twixt(size=16)"));
}

#[test]
fn tt_is_a_hole_or_a_resignation() {
    let last = |size: u32, result: &str| {
        let text = format!("(;FF[4]SZ[{size}]{result};b[bd];r[dd];b[tt])");
        clean(&read(&text, Format::Tsgf)[0])
    };
    assert_eq!(last(12, ""), "twixt(rules=pp); 1.b4 2.d4; second; resigned; ");
    assert_eq!(last(24, ""), "twixt(size=24,rules=pp); 1.b4 2.d4 3.t20; *; ; ");
    assert_eq!(last(24, "RE[W+]"), "twixt(size=24,rules=pp); 1.b4 2.d4; second; resigned; ");
    assert_eq!(last(24, "RE[B+]"), "twixt(size=24,rules=pp); 1.b4 2.d4 3.t20; first; recorded; ");
}

#[test]
fn standard_game_format() {
    let text = "junk (c) 2004\n(;FF[4]GM[21]SZ[12]RU[PP]PW[Wil\\]ma]PB[b\u{202e}ob; x]RE[B+T]C[a\n;comment (;]\n;W[f6];B[G7]C[x]\n\
                (;W[h8](;B[c3])(;B[c4];W[d4]))(;W[a1]))\n(;GM[21]SZ[12:12]RU[3M];W[f6])(;GM[1];B[aa])(;GM[21]SZ[24:20];W[f6])";
    let games = import(text, Some(Format::Sgf), &Options::default()).unwrap();
    assert_eq!(games.len(), 4);
    assert_eq!(clean(&games[0]), "twixt(rules=pp); 1.f6 2.g7 3.h8 4.c3; second; time; Wil]ma, b\\u{202e}ob, x");
    noted(&games[0], "variations are left out");
    noted(&games[0], "comments left out: 2");
    assert_eq!(clean(&games[1]), "twixt; 1.f6; *; ; ");
    noted(&games[1], "RU[3M] is read as rules=standard");
    assert_eq!(fault(&games[2]), "line 6: GM[1] is another game; TwixT is GM[21].");
    assert_eq!(fault(&games[3]), "line 6: a board of 24 x 20 holes is not square.");
    assert_eq!(games[3].record, None);

    assert_eq!(detect("(;FF[4]GM[21];W[f6])", &Options::default()), Ok(Format::Sgf));
    assert_eq!(detect("(;FF[4];W[f6])", &Options::default()), Ok(Format::Sgf));
    // Black begins and joins left and right, so the board is mirrored and Black is our first player.
    let games = read("(;GM[21]SZ[12]PB[bob]PW[wilma]RE[B+R];B[a3];W[d1])", Format::Sgf);
    assert_eq!(clean(&games[0]), "twixt; 1.c1 2.a4; first; resigned; bob, wilma");
    for (moves, says) in [
        (";W[f6];W[g7]", "line 1, move 2 \"g7\": it is B's turn, but this is a move of W."),
        (";W[f6];B[]", "line 1, move 2 \"\": a pass; TwixT has none."),
        (";W[f6];B[g7-h9]", "line 1, move 2 \"g7-h9\": a move is one hole"),
        (";W[f6];B[aa1]", "line 1, move 2 \"aa1\": expected a cell"),
        ("AB[g7];W[f6]", "line 1: AB: a position set up by hand is not read"),
        (";W[f6", "line 1: a value is not closed"),
        (";W[f6]", "line 1: the text ends before the game does"),
    ] {
        let games = import(&format!("(;GM[21]SZ[12]{moves}"), None, &Options::default()).unwrap();
        assert!(fault(&games[0]).starts_with(says), "{}", fault(&games[0]));
    }
}

#[test]
fn a_swap_in_the_standard_format_shows_by_the_next_colour() {
    let text = |next: &str| format!("(;GM[21]SZ[12]PW[w]PB[b]RE[W+];W[b4];B[swap]{next})");
    let read = |next: &str, options: &Options| {
        let games = import(&text(next), None, options).unwrap();
        clean(&games[0])
    };
    let default = Options::default();
    // White stays with the first player.
    assert_eq!(read(";W[d9];B[k2]", &default), "twixt; 1.b4 2.swap 3.d9 4.k2; first; recorded; w, b");
    // Black moves again: the first player is Black now, and White, who wins, is the second.
    assert_eq!(read(";B[d9];W[k2]", &default), "twixt; 1.b4 2.swap 3.i4 4.b11; second; recorded; w, b");
    assert_eq!(read("", &swap(SwapAs::Sides)), "twixt; 1.b4 2.swap; second; recorded; w, b");
    assert_eq!(
        read(";W[d9];B[k2]", &swap(SwapAs::Turn)),
        "twixt(swap=turn); 1.b4 2.swap 3.d9 4.k2; first; recorded; w, b"
    );
    assert_eq!(read(";W[d9];B[k2]", &swap(SwapAs::Sides)), "twixt; 1.b4 2.swap 3.i4 4.b11; first; recorded; w, b");
    assert_eq!(read(";B[resign]", &default), "twixt; 1.b4 2.swap; second; resigned; w, b");
}

#[test]
fn a_result_that_the_board_contradicts_is_a_note() {
    let moves = ";b[ca];r[bc];b[bc]"; // The third is taken: kept without it.
    let games = read(&format!("(;SZ[5]RE[W+]{moves})"), Format::Tsgf);
    assert_eq!(record(&games[0]).result, None);
    // Red wins on the board, whatever RE says.
    let games = read("(;SZ[5]RE[W+];b[ca];r[ab];b[bc];r[ac];b[ce])", Format::Tsgf);
    assert_eq!(clean(&games[0]), "twixt(size=5,rules=pp); 1.c1 2.a2 3.b3 4.a3 5.c5; first; chain; ");
    noted(&games[0], "gives the result as second; on the board it is first (chain)");
    let games = read("(;SZ[12]RE[B+];b[ca];r[ab];b[resign];r[cc])", Format::Tsgf);
    assert_eq!(record(&games[0]).result, Some(Outcome::Win(Player::Second)));
    noted(&games[0], "contradicts the resignation of first");
}

#[test]
fn texts_that_are_refused_as_a_whole() {
    let none = Options::default();
    for text in ["", " \r\n\n", "\u{feff}", "# only\n# comments"] {
        assert_eq!(import(text, None, &none), Err(ImportError::Empty), "{text:?}");
    }
    for format in Format::ALL {
        let options = game("twixt");
        assert_eq!(import("", Some(format), &options), Err(ImportError::Empty), "{format}");
        assert_eq!(format.name().parse(), Ok(format));
    }
    let unknown = import("\n<html>", None, &none).unwrap_err();
    assert_eq!(unknown, ImportError::UnknownFormat(2));
    assert!(unknown.to_string().contains("own, jsonl, plain, t1, tsgf, sgf"), "{unknown}");
    assert_eq!(import("1.f6 2.g7", None, &none), Err(ImportError::NeedsGame));
    assert_eq!(import("f6", Some(Format::Plain), &none), Err(ImportError::NeedsGame));
    let other = import("(;GM[21];W[f6])", None, &game("pylos")).unwrap_err();
    assert_eq!(other, ImportError::NotTwixt(Format::Sgf, spec("pylos")));
    assert!("pgn".parse::<Format>().unwrap_err().to_string().ends_with("own, jsonl, plain, t1, tsgf, sgf."));
    assert!("x".parse::<SwapAs>().unwrap_err().to_string().contains("mirror, turn, sides"));
    assert_eq!("OWN".parse(), Ok(Crossing::Own));

    let long = " ".repeat(LONGEST_TEXT + 1);
    assert_eq!(import(&long, None, &none), Err(ImportError::TooLong(LONGEST_TEXT + 1)));
    let many = "(;)\n".repeat(MOST_GAMES + 1);
    assert_eq!(import(&many, None, &none), Err(ImportError::TooMany { line: MOST_GAMES + 1, most: MOST_GAMES }));
    assert_eq!(import(&many[4..], None, &none).unwrap().len(), MOST_GAMES);
}

#[test]
fn long_and_deep_texts_are_read_in_bounds() {
    let endless = format!("(;GM[21]{}", ";W[f6]".repeat(MOST_MOVES * 2));
    assert_eq!(record(&import(&endless, None, &Options::default()).unwrap()[0]).moves, ["f6"]);
    let deep = format!("(;GM[21];W[f6]{}", "(;C[x]".repeat(100_000));
    assert_eq!(record(&import(&deep, None, &Options::default()).unwrap()[0]).moves, ["f6"]);
    let list = "1a1 ".repeat(MOST_MOVES * 2);
    assert!(import(&list, None, &game("pylos")).unwrap()[0].fault.is_some());
    let line = format!("pylos; {list}").repeat(20);
    assert!(fault(&import(&line, None, &Options::default()).unwrap()[0]).contains("too long for a record"));
    let name = format!("(;GM[21]PW[{}];W[f6])", "x".repeat(1 << 20));
    assert!(record(&import(&name, None, &Options::default()).unwrap()[0]).players.chars().count() < 200);
}
