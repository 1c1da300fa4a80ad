//! Every experiment has a report that is the one its file asks for, or a line that says what it would cost.

use std::collections::HashMap;
use std::fs;

use quintet_agent::Catalogue;
use quintet_papers::experiments::{Games, Kind, Library, Meta, Report, Schedule, Size, markdown};
use serde::Deserialize;

use super::shipped::{GAMES, Shipped, docs, pages, same, with_table};

/// An experiment without a current report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Pending {
    id: String,
    size: Size,
    cpu_seconds: u64,
    why: String,
    /// The report that is shown is current, in a smaller size.
    #[serde(default)]
    larger: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    pending: Vec<Pending>,
}

/// The table of costs.
fn pending() -> Vec<Pending> {
    let text = fs::read_to_string(docs().join("pending.toml")).unwrap();
    toml::from_str::<File>(&text).unwrap().pending
}

/// What stands in a report under a heading.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let rest = text.split_once(heading).map_or("", |(_, rest)| rest);
    rest.split("\n## ").next().unwrap_or_default().trim()
}

/// The lines of a table by what they are about: their names, the paper's numbers, and their modes.
fn asked(text: &str) -> Vec<[String; 3]> {
    Shipped::lines_of(text).into_iter().map(|line| [line.what, line.paper, line.mode]).collect()
}

/// In what a report is not the one that the experiment's file asks for.
fn staleness(report: &Shipped) -> Vec<String> {
    let mut found = Vec::new();
    let optional = |name: &str| report.text.lines().find_map(|line| line.strip_prefix(&format!("* {name}: ")));
    let fact = |name: &str| optional(name).unwrap_or_else(|| panic!("{}: no line of its {name}", report.id));
    let (size, games) = fact("design").split_once(", ").unwrap();
    let size = [Size::Quick, Size::Paper, Size::Full].into_iter().find(|known| known.name() == size).unwrap();
    let experiment = Library::embedded().get(&report.id).unwrap();
    let matches = experiment.kind == Kind::Matches;
    let schedule = Schedule::new(experiment, size, fact("seed").parse().unwrap(), Catalogue::embedded()).unwrap();
    let wanted = markdown(&Report::new(&schedule, &Games::new(), &[], Meta::new(&schedule, 1)));
    let head = |text: &str| text.split("\n| ").next().unwrap_or_default().to_owned();
    if head(&report.text) != head(&wanted) {
        found.push("its title, claim or note is another".into());
    }
    for heading in ["## Contradictions in the paper", "## Chosen by us, since the paper does not say"] {
        if section(&report.text, heading) != section(&wanted, heading) {
            found.push(format!("its \"{heading}\" is another"));
        }
    }
    let there = asked(&report.text);
    let mut rest = there.iter();
    if let Some(line) = asked(&wanted).iter().find(|line| !rest.any(|known| known == *line)) {
        found.push(format!("it lacks the line {line:?}"));
    }
    if matches && games != format!("{} games", schedule.games()) {
        found.push(format!("it has {games}, not {}", schedule.games()));
    }
    if size == Size::Quick {
        found.push("it is of the quick size".into());
    }
    if fact("program").contains("+changes") {
        found.push("its program had changes that no commit has".into());
    }
    found.extend(wrong_weights(optional("weights"), &schedule));
    if let Some(line) = report.lines.iter().find(|line| line.verdict == "agrees" && !has_digit(&line.paper)) {
        found.push(format!("\"{}\" agrees with a claim without numbers", line.what));
    }
    if report.lines.iter().any(|line| line.verdict == "waiting") {
        found.push("a line of it waits".into());
    }
    found
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// In what the weights that a report names are not those of the data: those of its players, and whatever else it has read.
fn wrong_weights(named: Option<&str>, schedule: &Schedule) -> Option<String> {
    let Some(named) = named else { return Some("it does not name its weights".into()) };
    let agents = Catalogue::embedded();
    let short = |(name, checksum): (String, String)| format!("{name} {}", &checksum[..12]);
    let of_players: Vec<String> = schedule.weights(agents).unwrap().into_iter().map(short).collect();
    let current = |named: &str| {
        let of_name = |name: &str| agents.weight_store().weights(name).map(|weights| weights.checksum());
        let name = named.split(' ').next().unwrap_or_default();
        of_name(name).is_ok_and(|checksum| short((name.into(), checksum)) == named)
    };
    let named: Vec<&str> = named.split(", ").filter(|named| *named != "none").collect();
    let other = named.iter().find(|named| of_players.iter().all(|known| known != *named) && !current(named));
    let missing = of_players.iter().find(|known| !named.contains(&known.as_str()));
    match (other, missing) {
        (Some(other), _) => Some(format!("its weights {other} are not those of the data")),
        (None, Some(missing)) => Some(format!("it does not name the weights {missing}")),
        (None, None) => None,
    }
}

#[test]
fn weights_are_compared_by_name_and_checksum() {
    let experiment = Library::embedded().get("pathwayz/td-52").unwrap();
    let schedule = Schedule::new(experiment, Size::Full, 1, Catalogue::embedded()).unwrap();
    let players: Vec<String> =
        schedule.weights(Catalogue::embedded()).unwrap().iter().map(|(name, _)| name.clone()).collect();
    assert!(players.contains(&"pathwayz:tdl52".to_owned()), "{players:?}");
    let checksum = |name: &str| Catalogue::embedded().weight_store().weights(name).unwrap().checksum();
    let all: Vec<String> = players.iter().map(|name| format!("{name} {}", &checksum(name)[..12])).collect();
    let line = all.join(", ");
    assert_eq!(wrong_weights(Some(&line), &schedule), None);
    let more = format!("{line}, pylos:svm {}", &checksum("pylos:svm")[..12]);
    assert_eq!(wrong_weights(Some(&more), &schedule), None);
    assert!(wrong_weights(Some(&format!("{line}, pylos:svm 0123456789ab")), &schedule).is_some());
    assert!(wrong_weights(Some(&all[0]), &schedule).is_some() && wrong_weights(None, &schedule).is_some());
}

/// A report that is not what its experiment asks for is listed with the cost of a new one.
#[test]
fn reports_are_current_or_have_a_cost() {
    let pending = pending();
    let mut missing = Vec::new();
    for report in Shipped::all() {
        let found = staleness(&report);
        if !found.is_empty() && pending.iter().all(|entry| entry.larger || entry.id != report.id) {
            missing.push(format!("{}: {}", report.id, found.join("; ")));
        }
    }
    assert!(missing.is_empty(), "not in docs/papers/pending.toml:\n{}", missing.join("\n"));
}

#[test]
fn experiments_without_a_report_have_a_cost() {
    let (pending, reports) = (pending(), Shipped::all());
    let listed = |id: &str| pending.iter().any(|entry| entry.id == id);
    for experiment in Library::embedded().all() {
        // People play no games of ours, and a chart of another's games needs none.
        let plays = experiment.minutes.is_some_and(|[.., full]| full > 0.0) && experiment.like.is_none();
        let reported = reports.iter().any(|report| report.id == experiment.id);
        assert!(!plays || reported || listed(&experiment.id), "{} has neither a report nor a cost", experiment.id);
    }
    for entry in &pending {
        let known = Library::embedded().get(&entry.id).unwrap();
        assert!(known.design(entry.size).is_some() && entry.cpu_seconds > 0 && !entry.why.is_empty(), "{}", entry.id);
    }
    let ids: HashMap<&str, ()> = pending.iter().map(|entry| (entry.id.as_str(), ())).collect();
    assert_eq!(ids.len(), pending.len(), "an experiment is listed twice");
}

/// `12,345`.
fn thousands(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", thousands(number / 1000), number % 1000) }
}

#[test]
fn pages_list_what_has_no_current_report() {
    let (all, reports) = (pending(), Shipped::all());
    let _pages = pages();
    for game in GAMES {
        let path = docs().join(format!("{game}.md"));
        let page = fs::read_to_string(&path).unwrap();
        let of_game = all.iter().filter(|entry| entry.id.split('/').next() == Some(game));
        let mut rows: Vec<String> = of_game
            .map(|entry| {
                let has = reports.iter().any(|report| report.id == entry.id);
                let report = match (has, entry.larger) {
                    (true, true) => "smaller",
                    (true, false) => "older",
                    (false, _) => "none",
                };
                let cost = thousands(entry.cpu_seconds);
                format!("| `{} --{}` | {report} | {cost} | {} |", entry.id, entry.size.name(), entry.why)
            })
            .collect();
        if rows.is_empty() {
            rows.push("| - | - | - | every report is current |".into());
        }
        let head = "| experiment | report | CPU seconds | why |";
        same(&path, &with_table(&page, "## Without a current report", head, &rows));
    }
}
