//! What experiments, reports and pages quote from a paper is in the table of the papers' numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::shipped::{GAMES, Shipped, docs};
use quintet_data::Data;
use quintet_papers::experiments::{Library, PaperNumber, paper_numbers};
use serde::Deserialize;

fn table() -> Vec<PaperNumber> {
    paper_numbers(&Data::embedded()).unwrap()
}

/// The number of this name that an experiment quotes.
fn named<'a>(table: &'a [PaperNumber], id: &str, what: &str) -> &'a str {
    let found = table.iter().find(|number| number.what == what && number.used.iter().any(|used| used == id));
    found.map_or_else(|| panic!("{id}: \"{what}\" is not in numbers.toml"), |number| &number.value)
}

/// The numbers in a text, without signs and commas. A digit that belongs to a word, as in `tdl52` or `e3`, does not count.
fn numbers(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '.');
        if !chars[at].is_ascii_digit() || word {
            at += 1;
            continue;
        }
        let mut number = String::new();
        while at < chars.len() && (chars[at].is_ascii_digit() || ",.e".contains(chars[at])) {
            let inside = chars.get(at + 1).is_some_and(char::is_ascii_digit);
            if !chars[at].is_ascii_digit() && !inside {
                break;
            }
            if chars[at] != ',' {
                number.push(chars[at]);
            }
            at += 1;
        }
        all.push(number);
    }
    all
}

/// `80.0` and `80` are the same number.
fn plain(number: &str) -> String {
    number.parse::<f64>().map_or_else(|_| number.to_owned(), |value| value.to_string())
}

#[test]
fn numbers_of_a_text() {
    assert_eq!(numbers("tdl52 wins 1,000 of 6.60e127, 4/5; e3 on 8x8."), ["1000", "6.60e127", "4", "5", "8"]);
}

/// A text without the numbers of the figures and tables that it refers to.
fn without_references(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let referred = |at: usize| at > 0 && ["Fig.", "Table"].contains(&words[at - 1]);
    let kept: Vec<&str> = words.iter().enumerate().filter(|(at, _)| !referred(*at)).map(|(_, word)| *word).collect();
    kept.join(" ")
}

#[test]
fn references_are_no_numbers() {
    assert_eq!(without_references("Fig. 6 shows a 53rd, 1604 ms in Table 1."), "Fig. shows a 53rd, 1604 ms in Table");
}

/// Every number of a text is one that the experiment quotes.
fn check(table: &[PaperNumber], id: &str, place: &str, text: &str) {
    let own = table.iter().filter(|number| number.used.iter().any(|used| used == id));
    let known: Vec<String> = own.flat_map(|number| numbers(&number.value)).map(|number| plain(&number)).collect();
    for number in numbers(text) {
        assert!(known.contains(&plain(&number)), "{place}: {number} in \"{text}\" is not a number that {id} quotes");
    }
}

#[test]
fn every_number_has_a_place_and_is_quoted_by_an_experiment() {
    let library = Library::embedded();
    for number in table() {
        assert!(!number.at.is_empty() && !number.words.is_empty() && !number.used.is_empty(), "{number:?}");
        assert!(number.words.split(' ').count() <= 6, "{number:?}");
        assert!(number.used.iter().all(|id| library.get(id).is_ok()), "{number:?}");
    }
}

#[test]
fn rows_and_claims_of_experiments() {
    let table = table();
    let short = |name: &str| name.split(['(', ',']).next().unwrap().rsplit(':').next().unwrap().to_owned();
    for experiment in Library::embedded().choose("all").unwrap() {
        let id = experiment.id.as_str();
        check(&table, id, "claim", &experiment.claim);
        for text in &experiment.contradictions {
            check(&table, id, "contradiction", &without_references(text));
        }
        for row in &experiment.rows {
            check(&table, id, "flag", &without_references(row.flag.as_deref().unwrap_or_default()));
            let players = [short(&row.a), short(&row.b)];
            let what = |[a, b]: [&String; 2]| format!("{a} v {b}");
            if row.cannot.is_some() {
                let Some(percent) = row.percent.first() else { continue };
                // 33-0 and 4/5 are shares of all their games.
                let printed: Vec<f64> = named(&table, id, row.what.as_ref().unwrap())
                    .split(['-', '/'])
                    .map(|part| part.parse().unwrap())
                    .collect();
                let share = match (printed.as_slice(), row.n) {
                    ([won, _], Some(n)) => 100.0 * won / n as f64,
                    (printed, _) => printed[0],
                };
                assert_eq!(share, *percent, "{id}: {row:?}");
                continue;
            }
            for (percent, sides) in row.percent.iter().zip([[&players[0], &players[1]], [&players[1], &players[0]]]) {
                assert_eq!(named(&table, id, &what(sides)), percent.to_string(), "{id}: {row:?}");
            }
            if let Some([wins, draws, losses]) = row.wdl {
                let name = row.what.clone().unwrap_or_else(|| what([&players[0], &players[1]]));
                assert_eq!(named(&table, id, &name), format!("{wins}-{draws}-{losses}"), "{id}: {row:?}");
            }
        }
        for series in &experiment.series {
            for (at, ms) in series.at.iter().zip(&series.ms) {
                assert_eq!(named(&table, id, &format!("{} {at}", series.name)), ms.to_string(), "{id}");
            }
        }
        for ratio in experiment.ratios.iter().filter(|ratio| ratio.paper.is_some()) {
            let [slow, fast] = [&ratio.slow, &ratio.fast].map(|cell| named(&table, id, cell).parse::<f64>().unwrap());
            assert_eq!(format!("{:.2}", slow / fast), format!("{:.2}", ratio.paper.unwrap()), "{id}: {ratio:?}");
        }
        for growth in &experiment.growths {
            check(&table, id, "growth", &growth.paper.to_string());
        }
    }
}

/// Numbers in notes and choices that no paper prints, with the words around them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unprinted {
    /// In any experiment.
    all: Vec<String>,
    /// By experiment.
    of: BTreeMap<String, Vec<String>>,
}

/// A text without these words. They are cut where they stand, so that a number of which they are only the beginning leaves the rest behind.
fn without<'a>(text: &str, words: &[&'a str], met: &mut BTreeSet<&'a str>) -> String {
    words.iter().fold(text.to_owned(), |text, words| {
        if text.contains(words) {
            met.insert(words);
        }
        text.replace(words, " ")
    })
}

#[test]
fn words_that_are_cut_leave_longer_numbers_behind() {
    let mut met = BTreeSet::new();
    assert_eq!(numbers(&without("on 8x8, at 60 % of 20", &["8x8", "at 6", "of 40"], &mut met)), ["0", "20"]);
    assert_eq!(met, ["8x8", "at 6"].into());
}

/// Every number in a note or a choice is the paper's, or is listed as unprinted, and nothing is listed that is not there.
#[test]
fn notes_and_choices_of_experiments() {
    let table = table();
    let unprinted: Unprinted = toml::from_str(include_str!("unprinted.toml")).unwrap();
    let library = Library::embedded();
    let mut met_anywhere = BTreeSet::new();
    for experiment in library.choose("all").unwrap() {
        let id = experiment.id.as_str();
        let own = unprinted.of.get(id).map_or(&[][..], Vec::as_slice);
        // The longer ones first: some contain others.
        let mut words: Vec<&str> = own.iter().chain(&unprinted.all).map(String::as_str).collect();
        words.sort_by_key(|words| std::cmp::Reverse(words.len()));
        let mut met = BTreeSet::new();
        for text in experiment.note.iter().chain(&experiment.chosen) {
            check(&table, id, "note or choice", &without(&without_references(text), &words, &mut met));
        }
        assert!(own.iter().all(|words| met.contains(words.as_str())), "{id}: {own:?}, but there is only {met:?}");
        met_anywhere.extend(met);
    }
    assert!(unprinted.of.keys().all(|id| library.get(id).is_ok()));
    assert!(unprinted.all.iter().all(|words| met_anywhere.contains(words.as_str())), "{:?}", unprinted.all);
}

#[test]
fn pages_of_the_papers() {
    let table = table();
    for game in GAMES {
        let page = fs::read_to_string(docs().join(format!("{game}.md"))).unwrap();
        for row in page.lines().filter(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let command = row.split('`').find_map(|code| code.strip_prefix("quintet reproduce "));
            if let (Some(command), [_, _, says, ..]) = (command, cells.as_slice()) {
                check(&table, command.split(' ').next().unwrap(), game, says);
            }
        }
    }
}

/// What a page says of a paper's contradictions is the paper's.
#[test]
fn contradictions_on_the_pages() {
    let table = table();
    for game in GAMES {
        let of_game = table.iter().filter(|number| number.game == game);
        let known: Vec<String> =
            of_game.flat_map(|number| numbers(&number.value)).map(|number| plain(&number)).collect();
        let page = fs::read_to_string(docs().join(format!("{game}.md"))).unwrap();
        let (_, rest) = page.split_once("\n## Contradictions\n").unwrap();
        for line in rest.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("* ")) {
            for number in numbers(&without_references(line)) {
                assert!(known.contains(&plain(&number)), "{game}: {number} in \"{line}\" is not in numbers.toml");
            }
        }
    }
}

/// A text without its links: what is linked is a result of ours, with its report.
fn without_links(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, link)) = rest.split_once('[') {
        kept += before;
        rest = link.split_once("](").and_then(|(_, target)| target.split_once(')')).map_or("", |(_, after)| after);
    }
    kept + rest
}

#[test]
fn links_are_results_of_ours() {
    assert_eq!(without_links("14478/4334 = 3.3 and [16 times](a/b.md) here, [2](c)."), "14478/4334 = 3.3 and  here, .");
}

/// What the remarks on the page of verdicts say without a link to a report is the paper's.
#[test]
fn remarks_beside_the_verdicts() {
    let table = table();
    let page = fs::read_to_string(docs().join("README.md")).unwrap();
    let (_, remarks) = page.split_once("\n## Remarks\n").unwrap();
    let mut met = Vec::new();
    for paragraph in remarks.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
        let (name, text) = paragraph.strip_prefix("**").and_then(|text| text.split_once(".**")).unwrap();
        let game = name.to_lowercase();
        let of_game = table.iter().filter(|number| number.game == game);
        let known: Vec<String> =
            of_game.flat_map(|number| numbers(&number.value)).map(|number| plain(&number)).collect();
        for number in numbers(&without_references(&without_links(text))) {
            assert!(known.contains(&plain(&number)), "{name}: {number} is not in numbers.toml");
        }
        met.push(game);
    }
    assert_eq!(met, GAMES);
}

/// Ratios of printed times are ours to work out; all else in the paper's column is printed.
#[test]
fn the_papers_column_of_reports() {
    let table = table();
    for report in Shipped::all() {
        for line in
            report.lines.iter().filter(|line| !line.paper.starts_with("above ") && !line.paper.starts_with("below "))
        {
            if let Some((slow, fast)) = line.what.split_once(" / ").filter(|_| line.paper != "-") {
                // What the paper gave up is slower than its cut.
                let cell = |cell| named(&table, &report.id, cell).trim_start_matches('>').parse::<f64>().unwrap();
                let ratio = line.paper.trim_start_matches("over ");
                assert_eq!(format!("{:.2}", cell(slow) / cell(fast)), ratio, "{}: {}", report.id, line.what);
            } else if line.what == "order of mean win rates" || line.paper == "impossible" {
                // Means of the cells above it; a number that cannot be.
            } else {
                let score = line.paper.split_once(" % (").map_or(line.paper.as_str(), |(_, games)| games);
                check(&table, &report.id, &line.what, &score.replace("over 200,000 ms", "over 200 s"));
            }
        }
        check(&table, &report.id, "claim", &report.claim);
    }
}
