//! What the repository says about itself.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The folders of all crates, the unpublished ones too.
fn crates() -> Vec<PathBuf> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["data", "data/strategies", "web"].map(|folder| root().join(folder));
    folders.chain(others).filter(|folder| folder.join("Cargo.toml").exists()).collect()
}

/// The files and folders below a folder, by their paths in the repository; what is built or installed is left out.
fn walk(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        if ["target", "node_modules", "bundle", ".git", "reports"].iter().any(|skipped| name == *skipped) {
            continue;
        }
        let path = entry.path();
        let text = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        if entry.file_type().unwrap().is_dir() {
            found.push(format!("/{text}/"));
            walk(&path, found);
        } else {
            found.push(format!("/{text}"));
        }
    }
}

fn tree() -> Vec<String> {
    let mut found = Vec::new();
    walk(root(), &mut found);
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path.trim_start_matches('/'))).unwrap()
}

#[test]
fn every_published_crate_has_the_licences() {
    let mut published = 0;
    for folder in crates() {
        if fs::read_to_string(folder.join("Cargo.toml")).unwrap().contains("publish = false") {
            continue;
        }
        published += 1;
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = fs::read(root().join(name)).unwrap();
            let own = fs::read(folder.join(name)).unwrap_or_default();
            assert!(own == text, "{} lacks a link to {name}", folder.display());
        }
    }
    assert!(published > 15, "{published}");
}

#[test]
fn what_the_architecture_names_exists() {
    let text = read("ARCHITECTURE.md");
    let tree = tree();
    // `arena/plan.rs` is crates/arena/src/plan.rs.
    let short: Vec<String> = tree.iter().map(|path| path.replace("/src/", "/")).collect();
    let sources: Vec<String> = tree.iter().filter(|path| path.ends_with(".rs")).map(|path| read(path)).collect();
    let (mut files, mut methods) = (0, 0);
    for name in text.split('`').skip(1).step_by(2).filter(|name| !name.starts_with('/')) {
        let endings = [".rs", ".js", ".mjs", ".css", ".md", "/"];
        if endings.iter().any(|ending| name.ends_with(ending)) && !name.contains(' ') {
            files += 1;
            let inner = format!("/{name}");
            assert!(tree.iter().chain(&short).any(|path| path.ends_with(&inner)), "{name} does not exist");
        }
        if let Some((kind, method)) = name.split_once("::") {
            methods += 1;
            let kind = kind.split('<').next().unwrap();
            let method = method.split('(').next().unwrap();
            let declared =
                ["struct ", "trait ", "enum ", "impl ", "impl dyn ", "> "].map(|word| format!("{word}{kind}"));
            let member = [format!("fn {method}("), format!("fn {method}<"), format!("pub {method}:")];
            let has = |source: &String, any: &[String]| any.iter().any(|text| source.contains(text));
            let is_there = |source: &String| kind == "quintet_cli" || has(source, &declared);
            let found = sources.iter().any(|source| is_there(source) && has(source, &member));
            assert!(found, "{name} does not exist");
        }
    }
    assert!(files > 80 && methods > 10, "{files} files and {methods} methods");
}

/// Sentences that a native speaker would not write, of kinds that came back again and again.
fn odd(line: &str) -> Option<String> {
    for verb in ["is", "are", "was", "were"] {
        let phrase = format!(" {verb} no ");
        for (at, _) in line.match_indices(&phrase) {
            let before = line[..at].to_lowercase();
            let after = &line[at + phrase.len()..];
            let usual = ["longer", "more", "less", "fewer", "such", "better", "later", "different", "way", "need"];
            if !before.ends_with("there") && !usual.iter().any(|word| after.starts_with(word)) {
                return Some(format!("\"{}\": say \"not a\"", phrase.trim()));
            }
        }
        let phrase = format!(" {verb} none");
        for (at, _) in line.match_indices(&phrase) {
            let ends = !line[at + phrase.len()..].starts_with(char::is_alphanumeric);
            if ends && !line[..at].to_lowercase().ends_with("there") {
                return Some(format!("\"{}\": say what it is instead", phrase.trim()));
            }
        }
    }
    for (phrase, instead) in [("so many ", "this many"), ("only whoever ", "only the person who")] {
        if line.to_lowercase().contains(phrase) {
            return Some(format!("\"{}\": say \"{instead}\"", phrase.trim()));
        }
    }
    // "3 s a game" and "a question a player asks" are usual; a number of countable things per thing is not.
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    words.windows(3).find_map(|three| {
        let [what, article, unit] = three else { return None };
        let bare = matches!(*article, "a" | "an") && COUNTED.contains(&what.to_lowercase().as_str());
        (bare && UNITS.contains(unit)).then(|| format!("\"{what} {article} {unit}\": say \"per {unit}\""))
    })
}

/// What is counted per something.
const COUNTED: &[&str] = &[
    "agents",
    "bits",
    "bytes",
    "cores",
    "evaluations",
    "games",
    "lines",
    "marbles",
    "milliseconds",
    "minutes",
    "moves",
    "ms",
    "nodes",
    "numbers",
    "openings",
    "pairs",
    "pegs",
    "playouts",
    "plies",
    "positions",
    "requests",
    "samples",
    "searches",
    "seconds",
    "simulations",
    "steps",
    "threads",
    "turns",
    "units",
    "visits",
    "words",
];

/// Per what it is counted. A second, a minute and a day are usual.
const UNITS: &[&str] = &[
    "action",
    "batch",
    "block",
    "cell",
    "client",
    "column",
    "core",
    "evaluation",
    "experiment",
    "file",
    "game",
    "level",
    "line",
    "machine",
    "move",
    "node",
    "opening",
    "page",
    "pair",
    "pairing",
    "player",
    "ply",
    "position",
    "request",
    "round",
    "row",
    "run",
    "search",
    "seat",
    "seed",
    "side",
    "step",
    "thread",
    "unit",
    "visitor",
    "worker",
];

/// Texts that people read: documents, sources with their comments and messages, the page, experiments and recipes, scripts.
fn is_text(path: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
    let source = ends(&[".rs", ".js", ".mjs", ".html", ".css", ".py", ".pyi"]) && path != "/data/tests/repository.rs";
    let document = path.ends_with(".md") && (path.starts_with("/docs/") || path.matches('/').count() <= 2);
    let data = path.ends_with(".toml") && path.starts_with("/data/");
    source || document || data || path.starts_with("/scripts/") && !path.ends_with('/')
}

#[test]
fn texts_are_direct_english() {
    for line in [
        "What is no number is left out.",
        "The game is none.",
        "with 8 simulations an action, after",
        "200 nodes a move, seed 1",
        "with so many MiB for each",
        "Only whoever made this game may do that.",
    ] {
        assert!(odd(line).is_some(), "{line}");
    }
    assert_eq!(
        odd("There is no game here, there are none; it is no longer stored, with 5 games per move, twice a second."),
        None
    );
    let mut wrong = Vec::new();
    let mut read_lines = 0;
    for path in tree().into_iter().filter(|path| is_text(path)) {
        let text = read(&path);
        read_lines += text.lines().count();
        let lines = text.lines().enumerate();
        wrong.extend(lines.filter_map(|(at, line)| Some(format!("{path}:{}: {}", at + 1, odd(line)?))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read_lines > 100_000, "{read_lines} lines");
}
