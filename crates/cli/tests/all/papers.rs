//! `docs/papers` covers the papers: nothing that can be repeated is missing, and no link is broken.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn reports() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/reports")
}

fn quintet(args: &[&str]) -> String {
    let data = std::env::temp_dir().join("quintet-papers-no-data");
    let output = Command::new(env!("CARGO_BIN_EXE_quintet")).args(args).env("QUINTET_DATA", data).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn page(game: &str) -> String {
    fs::read_to_string(docs().join(format!("papers/{game}.md"))).unwrap_or_else(|why| panic!("{game}.md: {why}"))
}

#[test]
fn every_experiment_has_a_row_with_its_command() {
    let list: Value = serde_json::from_str(&quintet(&["reproduce", "--list", "--json"])).unwrap();
    let ids: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert!(ids.len() > 50, "{ids:?}");
    for id in ids {
        let page = page(id.split_once('/').unwrap().0);
        let mut commands = page.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`'));
        let found = commands.any(|code| code.split(' ').take(3).eq(["quintet", "reproduce", id]));
        assert!(found, "no row of docs/papers repeats {id}");
    }
}

#[test]
fn every_number_of_a_paper_is_printed_with_its_place() {
    let numbers: Value = serde_json::from_str(&quintet(&["reproduce", "--numbers", "--json"])).unwrap();
    let numbers = numbers.as_array().unwrap();
    let white = numbers.iter().find(|number| number["value"] == "487-14-499").unwrap();
    assert_eq!((&white["place"], &white["words"]), (&"V.B".into(), &"White won 487 games".into()));
    assert!(numbers.iter().all(|number| number["place"] != "" && number["words"] != ""));
    let some = quintet(&["reproduce", "pentago/mdp-best", "--numbers"]);
    assert!(some.contains("96") && some.contains("Performance against a baseline") && !some.contains("487"), "{some}");
}

#[test]
fn every_agent_of_the_catalogue_is_named() {
    let text = quintet(&["agents"]);
    let games = ["pathwayz:", "pylos:", "twixt:", "pentago-twist:", "pentago:"];
    let first_words = text.lines().filter_map(|line| line.split_whitespace().next());
    let tokens: Vec<&str> = first_words.filter(|word| games.iter().any(|game| word.starts_with(game))).collect();
    assert!(tokens.len() > 30, "{tokens:?}");
    for token in tokens {
        let page = page(token.split_once(':').unwrap().0);
        let named = page.split('`').any(|code| code.split('(').next() == Some(token));
        assert!(named, "docs/papers does not name {token}");
    }
}

/// Targets of the links and pictures of a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages: Vec<PathBuf> =
        fs::read_dir(docs().join("papers")).unwrap().map(|file| file.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|end| end == "md"));
    pages.push(reports().join("README.md"));
    assert_eq!(pages.len(), 7);
    for path in pages {
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = path.parent().unwrap().join(file);
            assert!(target.exists(), "{}: {link}", path.display());
            if !place.is_empty() {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter_map(|line| line.strip_prefix("## "));
                assert!(headings.any(|heading| anchor(heading) == place), "{}: {link}", path.display());
            }
        }
    }
}

#[test]
fn every_report_is_linked_from_its_papers_page() {
    for folder in fs::read_dir(reports()).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(report) = fs::read_to_string(folder.join("report.md")) else { continue };
        let name = folder.file_name().unwrap().to_str().unwrap();
        // The longer name first: pentago-twist is not pentago.
        let games = ["pathwayz", "pylos", "twixt", "pentago-twist", "pentago"];
        let game = games.into_iter().find(|game| name.starts_with(game)).unwrap_or_else(|| panic!("{name}: whose?"));
        let link = format!("../../crates/server/reports/{name}/");
        assert!(page(game).contains(&link), "no link to {link}");
        assert!(!report.contains("--out"), "{name}: the command names a folder of its own");
    }
}

#[test]
fn every_figure_is_drawn_by_the_script() {
    let script = fs::read_to_string(docs().join("../scripts/figures")).unwrap();
    let drawn: Vec<&str> = script.lines().filter_map(|line| line.strip_prefix("draw ")?.split(' ').next()).collect();
    for file in fs::read_dir(docs().join("papers/figures")).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(drawn.contains(&name), "{name} is drawn by nothing");
    }
    for name in drawn {
        assert!(docs().join(format!("papers/figures/{name}.svg")).exists(), "{name} was not drawn");
    }
}
