//! Random games, written and read back.

use super::*;

const SPECS: [&str; 12] = [
    "pentago",
    "pentago(rules=turn-first)",
    "pentago-twist",
    "pathwayz",
    "pathwayz(rows=5,cols=6)",
    "pylos",
    "pylos(rules=expert-diag,end=spent,takeback=free)",
    "twixt",
    "twixt(size=5)",
    "twixt(size=24,swap=turn)",
    "twixt(size=8,rules=pp,swap=off)",
    "twixt(size=6,rules=paper)",
];

/// A random game of at most `plies` plies; with a swap if it is allowed and asked for.
fn random_game(spec: GameSpec, plies: usize, swap: bool, rng: &mut Rng) -> Box<dyn AnyLine> {
    let mut line = spec.line();
    while line.plies() < plies
        && let Some(mv) = line.random_move(rng)
    {
        let swapped = swap && line.plies() == 1 && line.try_play("swap").is_ok();
        if !swapped {
            line.try_play(&mv).unwrap();
        }
    }
    line
}

fn json(record: &Record) -> String {
    let from = record.from.as_ref().map_or("null".into(), |from| format!("\"{from}\""));
    let seed = record.seed.map_or("null".into(), |seed| seed.to_string());
    format!(
        "{{\"game\":\"{}\",\"moves\":[{}],\"position\":{from},\"players\":\"{}\",\"seed\":{seed}}}",
        record.spec,
        record.moves.iter().map(|mv| format!("\"{mv}\"")).collect::<Vec<_>>().join(","),
        record.players
    )
}

#[test]
fn our_games_come_back_as_they_were() {
    let mut rng = Rng::seed_from_u64(1);
    let mut records = Vec::new();
    for (seed, text) in (0..).zip(SPECS.repeat(3)) {
        let begun = random_game(spec(text), 5 * (seed as usize % 3), seed % 2 == 0, &mut rng);
        let mut line = if seed % 4 == 3 { spec(text).line_at(&begun.position()).unwrap() } else { begun };
        let plies = line.plies() + if seed % 3 == 0 { 7 } else { 400 };
        while line.plies() < plies
            && let Some(mv) = line.random_move(&mut rng)
        {
            line.try_play(&mv).unwrap();
        }
        records.push(Record::of(&*line, ["anna", "random"], (seed % 2 == 0).then_some(seed)));
    }
    let own: Vec<String> = records.iter().map(Record::to_string).collect();
    let lines: Vec<String> = records.iter().map(json).collect();
    for (text, format) in [(own.join("\n"), Format::Own), (lines.join("\r\n"), Format::Jsonl)] {
        let games = read(&text, format);
        assert_eq!(games.len(), records.len());
        for (game, record) in games.iter().zip(&records) {
            assert_eq!((&game.fault, game.record.as_ref()), (&None, Some(record)));
            assert!(game.notes.is_empty());
        }
    }
    // Plain lists have no names and no seeds.
    for record in records.iter().filter(|record| record.from.is_none() && !record.moves.is_empty()) {
        let numbered: String = (1..).zip(&record.moves).map(|(n, mv)| format!("{n}.{mv} ")).collect();
        let bare = Record { players: String::new(), seed: None, ..record.clone() };
        for text in [numbered, record.moves.join("\n")] {
            let options = Options { game: Some(record.spec), ..Options::default() };
            assert_eq!(read_as(&text, Format::Plain, &options)[0].record.as_ref(), Some(&bare));
        }
    }
}

/// `m12` as Little Golem writes it.
fn pair(mv: &str) -> String {
    let Ok(row) = mv[1..].parse::<u8>() else { return mv.to_owned() };
    format!("{}{}", &mv[..1], (b'a' + row - 1) as char)
}

/// Foreign texts of a game by (maybe mirrored) moves: tsgf, T1, sgf with letters by player.
fn written(size: u32, moves: &[String]) -> [(String, Format); 3] {
    let nodes = |names: [&str; 2], spell: &dyn Fn(&str) -> String| -> String {
        moves.iter().enumerate().map(|(ply, mv)| format!(";{}[{}]", names[ply % 2], spell(mv))).collect()
    };
    let tsgf = format!("(;FF[4]PB[anna]PW[otto]SZ[{size}]{})", nodes(["b", "r"], &pair));
    let upper: Vec<String> = moves.iter().map(|mv| mv.to_ascii_uppercase()).collect();
    let t1 = t1("T1j", 1, 'V', 'Y', 'N', &upper.join(" "))
        .replace("12#", &format!("{size}#"))
        .replace("# Name of Player 2", "otto# Name of Player 2");
    let sgf = format!("(;GM[21]SZ[{size}]\nPW[anna]PB[otto]{})", nodes(["W", "B"], &str::to_owned));
    [(tsgf, Format::Tsgf), (t1, Format::T1), (sgf, Format::Sgf)]
}

#[test]
fn foreign_twixt_games_come_back_as_they_were() {
    let mut rng = Rng::seed_from_u64(2);
    for round in 0..120 {
        let (size, wanted) = ([5, 8, 12, 24][round % 4], round % 3 > 0);
        let meaning = [SwapAs::Mirror, SwapAs::Turn][round % 2];
        let given = spec(&format!("twixt(size={size},swap={meaning})"));
        let line = random_game(given, if round % 5 == 0 { 6 } else { 1000 }, wanted, &mut rng);
        let record = Record::of(&*line, ["anna", "otto"], None);
        for (text, format) in written(size, &record.moves) {
            let options = Options { crossing: Some(Crossing::Never), ..swap(meaning) };
            let games = read_as(&text, format, &options);
            assert_eq!((games.len(), &games[0].fault, games[0].record.as_ref()), (1, &None, Some(&record)), "{text}");
        }
    }
}

/// The image of a hole in the main diagonal.
fn mirrored(mv: &str) -> String {
    let column = mv.as_bytes()[0] - b'a';
    let row: u8 = mv[1..].parse().unwrap();
    format!("{}{}", (b'a' + row - 1) as char, column + 1)
}

/// A position of TwixT mirrored, with the colours exchanged: pegs, links and the side to move.
fn exchanged(position: &str) -> String {
    let parts: Vec<&str> = position.split(' ').collect();
    let rows: Vec<Vec<char>> = parts[0].split('/').map(|row| row.chars().collect()).collect();
    let colour = |c: char| match c {
        'r' => 'b',
        'b' => 'r',
        c => c,
    };
    let board: Vec<String> = (0..rows.len()).map(|x| rows.iter().map(|row| colour(row[x])).collect()).collect();
    let hole = |mv: &str| -> (u8, u8) { (mv.as_bytes()[0] - b'a', mv[1..].parse().unwrap()) };
    let mut links: Vec<[String; 2]> = Vec::new();
    for link in parts[1].split(',').filter(|link| *link != "-") {
        let second = 1 + link[1..].find(|c: char| c.is_ascii_lowercase()).unwrap();
        let mut ends = [mirrored(&link[..second]), mirrored(&link[second..])];
        ends.sort_by_key(|end| hole(end));
        links.push(ends);
    }
    links.sort_by_key(|[a, b]| (hole(a), hole(b)));
    let links: Vec<String> = links.iter().map(|ends| ends.concat()).collect();
    let links = if links.is_empty() { "-".into() } else { links.join(",") };
    format!("{} {links} {}", board.join("/"), colour(parts[2].chars().next().unwrap()))
}

#[test]
fn players_who_change_sides_play_the_same_game() {
    let mut rng = Rng::seed_from_u64(3);
    let mut ends = [0; 3];
    for round in 0..120 {
        let size = [5, 6, 8, 12][round % 4];
        let rules = ["standard", "pp"][round / 4 % 2];
        // When the peg stays and the players change sides, the board sees a game without a swap, red and black in turn.
        let seen = random_game(spec(&format!("twixt(size={size},rules={rules},swap=off)")), 1000, false, &mut rng);
        let mut moves = seen.moves();
        moves.insert(1, "swap".into());
        let list = (moves.join(" "), Format::Plain);
        // A file of the standard format goes on with Black's letter.
        let letters: String = ["W", "B", "B", "W"]
            .iter()
            .chain(["B", "W"].iter().cycle())
            .zip(&moves)
            .map(|(by, mv)| format!(";{by}[{mv}]"))
            .collect();
        let by_colour = (format!("(;GM[21]SZ[{size}]{letters})"), Format::Sgf);
        for (text, format) in written(size, &moves).into_iter().chain([list, by_colour]) {
            let options =
                Options { game: Some(spec(&format!("twixt(size={size},rules={rules})"))), ..swap(SwapAs::Sides) };
            let games = read_as(&text, format, &options);
            clean(&games[0]);
            let (line, _) = record(&games[0]).replay().unwrap();
            assert_eq!(line.position(), exchanged(&seen.position()), "{text}");
            let (seen_end, end) = (seen.end().unwrap(), line.end().unwrap());
            assert_eq!(end, (seen_end.0.swapped(), seen_end.1));
            ends[match end.0 {
                Outcome::Win(Player::First) => 0,
                Outcome::Win(Player::Second) => 1,
                Outcome::Draw => 2,
            }] += 1;
        }
    }
    assert!(ends.iter().all(|count| *count > 0), "{ends:?}");
}

#[test]
fn whoever_begins_is_our_first() {
    // A game that Black begins is one of ours with every hole mirrored; with a quarter turn for a swap, turned round as well.
    let mut rng = Rng::seed_from_u64(4);
    for round in 0..60 {
        let size = [5, 8, 12][round % 3];
        for meaning in [SwapAs::Mirror, SwapAs::Turn] {
            let ours = random_game(spec(&format!("twixt(size={size},swap={meaning})")), 1000, round % 2 == 0, &mut rng);
            let half_turned = |mv: &str| {
                let column = mv.as_bytes()[0] - b'a';
                let row: u8 = mv[1..].parse().unwrap();
                format!("{}{}", (b'a' + size as u8 - 1 - column) as char, size as u8 + 1 - row)
            };
            let turned = meaning == SwapAs::Turn && ours.moves().get(1).is_some_and(|mv| mv == "swap");
            let theirs = ours.moves().into_iter().enumerate().map(|(ply, mv)| match mv.as_str() {
                "swap" => mv,
                _ if turned && ply >= 2 => half_turned(&mirrored(&mv)),
                _ => mirrored(&mv),
            });
            let text: String = theirs.zip(["B", "W"].iter().cycle()).map(|(mv, by)| format!(";{by}[{mv}]")).collect();
            let games = read_as(&format!("(;GM[21]SZ[{size}]{text})"), Format::Sgf, &swap(meaning));
            assert_eq!(record(&games[0]).moves, ours.moves());
            clean(&games[0]);
        }
    }
}
