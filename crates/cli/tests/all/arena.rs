//! Matches and tournaments through the binary: killed and resumed, stopped, refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use quintet_game::bits::mix;
use serde_json::Value;

struct Data(PathBuf);

impl Data {
    fn new(name: &str) -> Data {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Data(folder)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
        command.args(args).env("QUINTET_DATA", &self.0).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.run(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {error}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"))
    }

    fn fails(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        error
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

const CUP: &str = "game = \"pylos\"\nplayers = [\"mcts(visits=200)\", \"pylos:ordered(nodes=2000)\", { name = \"chance\", agent = \"random\" }]\ngames = 30\nopenings = 2\nseed = 3\n";

/// What must be the same: the games and the tables, but not times.
fn essence(data: &Data, report: &Value) -> (Value, Value, Value, Vec<u8>) {
    let run = report["run"].to_string();
    let export = data.run(&["records", "export", "--run", &run]);
    (report["players"].clone(), report["pairings"].clone(), report["redundancy"].clone(), export.stdout)
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_tournament_killed_twenty_times_ends_with_the_same_table() {
    let calm = Data::new("calm");
    let cup = calm.file("cup.toml", CUP);
    let report = calm.json(&["tournament", path(&cup), "--json", "--threads", "1"]);
    assert_eq!(report["games"], 90);
    let wanted = essence(&calm, &report);

    let stormy = Data::new("stormy");
    let cup = stormy.file("cup.toml", CUP);
    let mut kills = 0;
    for attempt in 0..200u64 {
        let begun = !stormy.json(&["records", "list", "--json"]).as_array().unwrap().is_empty();
        let args: &[&str] = if begun { &["resume", "1", "--json"] } else { &["tournament", path(&cup), "--json"] };
        let mut child = stormy.command(args).spawn().unwrap();
        thread::sleep(Duration::from_millis(5 + mix(attempt) % 60));
        if kills < 20 && child.try_wait().unwrap().is_none() {
            // SIGKILL: without a chance to clean up.
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            continue;
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        break;
    }
    let report = stormy.json(&["resume", "1", "--json"]);
    assert!(essence(&stormy, &report) == wanted, "after {kills} kills: {report}");
    assert!(kills >= 10, "it was killed only {kills} times: the run is too short for this test");
}

#[test]
fn even_openings_are_announced_or_refused() {
    let data = Data::new("even");
    let game = ["match", "twixt(size=6)", "random", "twixt:greedy", "--games", "4", "--even"];
    let output = data.run(&[&game[..], &["--openings", "2"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("even openings of 2 random plies"), "{text}");
    assert!(data.fails(&game).contains("--openings"));
    let cup = data.file(
        "even.toml",
        "game = \"pathwayz(rows=2,cols=2)\"\nplayers = [\"random\", \"mcts(visits=2)\"]\nopenings = 1\neven = true\n",
    );
    let error = data.fails(&["tournament", path(&cup)]);
    assert!(error.contains("no opening of 1 random plies") && error.contains("near even"), "{error}");
    // It is refused before a run begins.
    assert_eq!(data.json(&["records", "list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_match_says_what_the_formulas_say() {
    let data = Data::new("formulas");
    let args = ["match", "pylos", "mcts(visits=20)", "random", "--games", "40", "--openings", "1", "--seed", "4"];
    let output = data.run(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    let line =
        |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}")).to_owned();
    let pairs: Vec<String> = line("pairs").split_whitespace().skip(2).step_by(2).map(str::to_owned).collect();
    let stats = data.run(&["stats", "--pairs", &pairs.join(",")]);
    let stats = String::from_utf8(stats.stdout).unwrap();
    for start in ["Elo", "nElo", "LOS"] {
        let wanted = stats.lines().find(|line| line.starts_with(start)).unwrap();
        assert_eq!(line(start), wanted, "{text}\n{stats}");
    }
    // The same games again with other threads, and exported as they are.
    let again = data.json(&[&args[..], &["--threads", "3", "--json"]].concat());
    assert_eq!(again["games"], 40);
    let export = |run: &str, form: &str| {
        String::from_utf8(data.run(&["records", "export", "--run", run, "--form", form]).stdout).unwrap()
    };
    assert_eq!(export("1", "text"), export("2", "text"));
    assert_eq!(export("1", "text").lines().count(), 40);
    assert_eq!(export("1", "csv").lines().count(), 41);
    let game: Value = serde_json::from_str(export("1", "jsonl").lines().next().unwrap()).unwrap();
    assert_eq!((game["game"].as_str(), game["number"].as_u64()), (Some("pylos"), Some(0)));
    let shown = String::from_utf8(data.run(&["records", "show", "1"]).stdout).unwrap();
    assert!(shown.starts_with("pylos; 1."), "{shown}");
}

/// A game records the weights of its players.
#[test]
fn games_keep_the_checksums_of_what_was_learned() {
    let data = Data::new("checksums");
    data.run(&["match", "pentago-twist", "pentago-twist:book(nodes=200)", "random", "--games", "2", "--threads", "1"]);
    let book = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/weights/pentago-twist/book.csv"),
    );
    let book = book.unwrap();
    let sum = book.lines().find_map(|line| line.strip_prefix("# checksum: ")).unwrap();
    let shown = data.json(&["records", "show", "1", "--json"]);
    assert_eq!(shown["weights"], serde_json::json!({ "first": { "pentago-twist:book": sum }, "second": null }));
    let other = data.json(&["records", "show", "2", "--json"]);
    assert_eq!(other["weights"]["second"], shown["weights"]["first"]);
}

#[test]
fn players_without_chance_get_no_elo() {
    let data = Data::new("no-elo");
    let output = data.run(&["match", "pylos", "pylos:maximizing", "pylos:maximizing", "--games", "6"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("No Elo") && !text.contains("\nElo"), "{text}");
}

/// An engine that fails is an error, not a victory of the other side.
#[cfg(unix)]
#[test]
fn a_match_that_one_side_forfeits_has_no_elo() {
    let data = Data::new("forfeits");
    let engine = |go: &str| {
        let script =
            format!("while read l; do case $l in ugi) echo ugiok;; isready) echo readyok;; go*) {go};; esac; done");
        format!("ugi(cmd=\"sh -c '{script}'\")")
    };
    for (agent, says) in [
        ("ugi(cmd=\"no-such-engine\")".to_owned(), "not-started: \"no-such-engine\" cannot be run"),
        (engine("echo no luck today >&2; exit 1"), "its last words: \"no luck today\""),
    ] {
        let output = data.run(&["match", "pylos", "random", &agent, "--games", "10", "--threads", "1"]);
        let (text, error) = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).into();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(&agent) && error.contains(says) && error.contains("start again"), "{error}");
        assert!(!text.contains("Elo"), "{text}");
    }
    // Crashes of some games stand above the Elo, apart from what was won on the board.
    let sometimes = engine("n=$((n+1)); [ $n -gt 3 ] && exit 1; echo bestmove resign");
    let args = ["match", "pylos", "random", &sometimes, "--games", "12", "--threads", "1", "--openings", "2"];
    let text = String::from_utf8(data.run(&args).stdout).unwrap();
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(at("on the board: W 9 D 0 L 0") < at("forfeited 3 of 12 games, which count as lost: crash 3"), "{text}");
    assert!(at("crash 3") < at("Elo at least ") && !text.contains("inf"), "{text}");
    at("endings besides the board: resigned 9");
    // Where each forfeits some games, and no game is decided on the board, there is no Elo either.
    let [one, two] = ["zz8", "zz9"].map(|mv| engine(&format!("echo bestmove {mv}")));
    let output = data.run(&["match", "pylos", &one, &two, "--games", "4", "--threads", "1"]);
    let (text, error) = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).into();
    assert!(error.contains("every game was forfeited") && !text.contains("\nElo"), "{text}{error}");
    // In a tournament the others' games are played, and the table is printed before the error.
    let quoted = engine("exit 1").replace('"', "\\\"");
    let cup = format!(
        "game = \"pylos\"\nplayers = [\"random\", \"mcts(visits=20)\", {{ name = \"guest\", agent = \"{quoted}\" }}]\ngames = 4\nadjudicate = [\"proof\"]\n"
    );
    let cup = data.file("cup.toml", &cup);
    let output = data.run(&["tournament", path(&cup), "--threads", "1"]);
    let (text, error) = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).into();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("guest forfeited 8 of 8 games") && text.contains("0-0-4"), "{text}");
    assert!(error.contains("guest forfeited all of its games"), "{error}");
    assert!(data.fails(&["match", "pylos", "random", "mcts", "--adjudicate", "luck"]).contains("by proof or by score"));
    assert!(data.fails(&["match", "pylos", "random", "mcts", "--clock", "sun"]).contains("wall or cpu"));
    let inner = data.fails(&["match", "pentago", "exact(agent=mcts(visits=9))", "random", "--time", "1s"]);
    assert!(inner.contains("has a limit of its own"), "{inner}");
    let cpu = ["match", "pylos", "mcts", "random", "--games", "2", "--time", "20ms", "--clock", "cpu"];
    let text = String::from_utf8(data.run(&cpu).stdout).unwrap();
    assert!(text.contains("20 ms of processor time per move"), "{text}");
}

#[test]
fn bad_plans_are_explained() {
    let data = Data::new("bad-plans");
    for (text, says) in [
        ("game = \"chess\"\nplayers = [\"random\", \"mcts\"]", "chess"),
        ("game = \"pylos\"\nplayers = [\"random\"]", "at least two"),
        ("game = \"pylos\"\nplayers = [\"random\", \"random\"]", "two are called \"random\""),
        ("game = \"pylos\"\nplayers = [\"random\", \"mcts\"]\ngames = 2\nsprt = [0, 5]", "a run has one length"),
        ("game = \"pylos\"\nplayers = [\"random\", \"mcts\"]\ntime = \"5\"", "2s or 50ms"),
        ("game = \"pylos\"\nplayers = [\"random\", \"mcts\"]\nanchor = \"x\"", "no player is called \"x\""),
        ("game = \"pylos\"\nplayers = [\"random\", \"mcts\"]\nround = 2", "round"),
        ("game = \"pylos\"\nplayers = [\"random\", \"mtcs\"]", "\"mtcs\" is not an agent"),
        ("game = ", "cup.toml"),
    ] {
        let file = data.file("cup.toml", text);
        let error = data.fails(&["tournament", path(&file)]);
        assert!(error.contains(says), "{text}: {error}");
    }
    assert!(data.fails(&["tournament", "nowhere.toml"]).contains("cannot read nowhere.toml"));
    assert!(data.fails(&["resume", "77"]).contains("there is no run 77"));
    assert!(data.fails(&["records", "show", "77"]).contains("there is no game 77"));
    assert!(data.fails(&["match", "pylos", "random", "mcts", "--sprt", "5,5"]).contains("the smaller first"));
    assert!(
        data.fails(&["match", "pylos", "random", "ordered(eval=pylos-svr(weights=pylos:nobody))"])
            .contains("quintet train pylos:nobody")
    );
    // None of this started a run, and a damaged store is not taken for an empty one.
    assert_eq!(data.json(&["records", "list", "--json"]).as_array().unwrap().len(), 0);
    std::fs::write(data.0.join("games.sqlite"), "not a database at all ".repeat(300)).unwrap();
    let error = data.fails(&["records", "list"]);
    assert!(error.contains("is damaged") && error.contains("Move it away"), "{error}");
}

#[test]
fn games_of_other_programs_are_kept_up_to_their_first_fault() {
    let data = Data::new("import");
    let own = data
        .file("own.txt", "pylos; 1.1b2 2.1c2; *; ; anna, bert; seed 1\ntwixt(size=6); 1.b3 2.b3; *; ; anna, bert\n");
    let text = String::from_utf8(data.run(&["import", path(&own)]).stdout).unwrap();
    assert!(text.contains("line 2, move 2 \"b3\"") && text.contains("2 games stored"), "{text}");
    let games = data.json(&["records", "list", "--game", "twixt", "--json"]);
    assert_eq!((games[0]["plies"].as_u64(), games[0]["first"].as_str()), (Some(1), Some("anna")));
    let plain = data.file("moves.txt", "1.f6 2.swap 3.m16\n");
    assert!(data.fails(&["import", path(&plain)]).contains("game"));
    let text = String::from_utf8(data.run(&["import", path(&plain), "--game", "twixt(size=24)"]).stdout).unwrap();
    assert!(text.contains("1 games stored"), "{text}");
    assert!(data.fails(&["import", "nowhere.tsgf"]).contains("cannot read nowhere.tsgf"));
    assert!(data.fails(&["import", path(&plain), "--format", "pgn"]).contains("tsgf"));
}

/// A build without a cluster says how to get one, before anything is begun; a build with one says what is missing.
#[test]
fn a_cluster_that_is_not_there_is_told_of() {
    let data = Data::new("cluster");
    let url = "nats://127.0.0.1:9";
    let says = if cfg!(feature = "cluster") { "Is `nats-server -js` running there?" } else { "--features cluster" };
    for args in [
        &["worker", "--cluster", url][..],
        &["cluster", "status", "--cluster", url],
        &["match", "pylos", "random", "random", "--games", "2", "--cluster", url],
        &["reproduce", "pylos/agents", "--cluster", url],
        &["solve", "twixt(size=5)", "--cluster", url],
    ] {
        let said = data.fails(args);
        assert!(said.contains(says), "{args:?}: {said}");
    }
}
