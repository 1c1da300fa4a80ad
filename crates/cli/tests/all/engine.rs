//! `quintet engine` through pipes, as another program uses it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use quintet_game::{AnyLine, GAMES, GameSpec, Limit, Outcome, Player, Rng, SeedableRng, Stop};
use serde_json::Value;

/// No answer for this long is a hang. Nothing here measures time.
const WATCHDOG: Duration = Duration::from_secs(120);

/// A running engine.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
            .arg("engine")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Engine { input: child.stdin.take(), child, lines }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).unwrap();
    }

    fn tell(&mut self, line: &str) {
        self.write(line.as_bytes());
    }

    fn hear(&mut self) -> String {
        self.lines.recv_timeout(WATCHDOG).expect("the engine answers")
    }

    /// Sends a line and returns the first answer.
    fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        self.hear()
    }

    fn query(&mut self, what: &str) -> String {
        let line = self.ask(&format!("query {what}"));
        line.strip_prefix("response ").unwrap_or_else(|| panic!("{what}: {line}")).to_owned()
    }

    /// All lines up to the one that begins with `word`, which is the last.
    fn hear_until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if lines.last().is_some_and(|line| line.starts_with(word)) {
                return lines;
            }
        }
    }

    fn best_move(&mut self) -> String {
        self.hear_until("bestmove ").last().unwrap()["bestmove ".len()..].to_owned()
    }

    /// Everything sent so far is done, without any output.
    fn is_silent(&mut self) {
        assert_eq!(self.ask("isready"), "readyok");
    }

    /// The process ends by itself, with success.
    fn ends(mut self) {
        let watchdog = Instant::now() + WATCHDOG;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0));
                return;
            }
            assert!(Instant::now() < watchdog, "the engine goes on");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn position(line: &dyn AnyLine) -> String {
    format!("position startpos moves {}", line.moves().join(" "))
}

#[test]
fn an_engine_introduces_itself() {
    let mut engine = Engine::start(&["--game", "twixt(size=8)", "--agent", "mcts(c=1)", "--seed", "5"]);
    engine.tell("ugi");
    let lines = engine.hear_until("ugiok");
    assert_eq!(lines[0], concat!("id name quintet ", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("id author "));
    assert_eq!(
        lines[2..5],
        [
            "option name Game type string default twixt(size=8)",
            "option name Agent type string default mcts(c=1)",
            "option name Seed type spin default 5 min 0 max 9223372036854775807",
        ]
    );
    engine.tell("quit");
    engine.ends();
}

#[test]
fn two_engines_play_whole_games_of_every_game() {
    for info in GAMES {
        let spec = GameSpec::parse(info.name).unwrap();
        let mut engines = [Engine::start(&[]), Engine::start(&["--seed", "2"])];
        for engine in &mut engines {
            engine.tell(&format!("setoption name Game value {}", info.name));
            engine.tell("uginewgame");
        }
        let mut line = spec.line();
        while line.end().is_none() {
            let engine = &mut engines[line.to_move().index()];
            engine.tell(&position(line.as_ref()));
            engine.tell("go visits 30");
            let mv = engine.best_move();
            line.try_play(&mv).unwrap_or_else(|error| panic!("{}: {error}", info.name));
        }
        for mut engine in engines {
            engine.tell(&position(line.as_ref()));
            assert_eq!(engine.query("gameover"), "true");
            assert_eq!(engine.query("fen"), line.position());
            engine.tell("quit");
            engine.ends();
        }
    }
}

#[test]
fn every_query_is_answered_at_the_start_the_middle_and_the_end() {
    for info in GAMES {
        let mut line = GameSpec::parse(info.name).unwrap().line();
        let mut rng = Rng::seed_from_u64(3);
        let mut engine = Engine::start(&["--game", info.name]);
        loop {
            engine.tell(&position(line.as_ref()));
            assert_eq!(engine.query("p1turn"), (line.to_move() == Player::First).to_string());
            assert_eq!(engine.query("gameover"), line.end().is_some().to_string());
            let result = match line.end() {
                None => "none",
                Some((Outcome::Win(Player::First), _)) => "p1win",
                Some((Outcome::Win(Player::Second), _)) => "p2win",
                Some((Outcome::Draw, _)) => "draw",
            };
            assert_eq!(engine.query("result"), result);
            assert_eq!(engine.query("fen"), line.position());
            let moves = line.legal_moves().join(" ");
            assert_eq!(engine.query("legalmoves"), if moves.is_empty() { "none" } else { &moves });
            let full: Value = serde_json::from_str(&engine.query("fullinfo")).unwrap();
            assert_eq!((&full["game"], &full["position"]), (&info.name.into(), &line.position().into()));
            if line.end().is_some() {
                assert!(engine.ask("go nodes 5").starts_with("info string error the game is over: "));
                break;
            }
            for _ in 0..20 {
                if let Some(mv) = line.random_move(&mut rng) {
                    line.try_play(&mv).unwrap();
                }
            }
        }
    }
}

#[test]
fn perft_counts_what_the_command_counts() {
    for (game, depth, moves) in [("pylos", 5, "1b2 1c2"), ("twixt(size=5,swap=turn)", 4, ""), ("pentago", 2, "c4q2r")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
        command.args(["perft", game, &depth.to_string()]);
        if !moves.is_empty() {
            command.args(["--moves", moves]);
        }
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let mut engine = Engine::start(&["--game", game]);
        engine.tell(&format!("position startpos moves {moves}"));
        for line in output.lines() {
            let depth = line.split(' ').next().unwrap();
            assert_eq!(engine.ask(&format!("perft {depth}")), format!("response perft {line}"));
        }
    }
}

/// Wrong lines, and a part of the error message of each.
const BAD: &[(&[u8], &str)] = &[
    (b"\xff\xfe", "not UTF-8 at byte 0"),
    (b"go \xc3", "not UTF-8 at byte 3"),
    (b"\0\0", "is not a command"),
    (b"hello", "\"hello\" is not a command; the commands are ugi,"),
    (b"GO", "is not a command"),
    (b"go fast", "\"fast\" is not a limit"),
    (b"go depth", "go depth \"\": it must be a whole number"),
    (b"go movetime -5", "whole number"),
    (b"go nodes 1e9", "whole number"),
    (b"go nodes 18446744073709551616", "whole number"),
    (b"go infinite nodes 3", "cannot be combined"),
    (b"go p2time 1000", "p1time is missing"),
    (b"position", "position startpos or position fen"),
    (b"position here", "position startpos or position fen"),
    (b"position startpos 1a1", "\"moves\" must follow"),
    (b"position startpos moves 1a1 1a1", "move 2 \"1a1\": 1a1 is taken"),
    (b"position startpos moves e2e4", "move 1 \"e2e4\""),
    (b"position fen", "position: "),
    (b"position fen nonsense l", "position: "),
    (b"position fen LD............../........./..../. l moves 1a1", "move 1 \"1a1\""),
    (b"setoption", "setoption name NAME value VALUE"),
    (b"setoption name Game", "setoption name NAME value VALUE"),
    (b"setoption name Game value", "setoption name NAME value VALUE"),
    (b"setoption name Speed value 3", "\"Speed\" is not an option; the options are Game, Agent, Seed"),
    (b"setoption name Game value chess", "\"chess\" is not a game"),
    (b"setoption name Game value pentago", "cannot play pentago"),
    (b"setoption name Agent value alphazero", "is not an agent"),
    (b"setoption name Agent value greedy(eval=fast)", "is not an evaluation of Pylos"),
    (b"setoption name Seed value -1", "whole number"),
    (b"setoption name Seed value 9223372036854775808", "whole number"),
    (b"query", "cannot be queried; choose one of p1turn,"),
    (b"query weather", "\"weather\" cannot be queried"),
    (b"perft", "a depth from 1 to 100"),
    (b"perft 0", "a depth from 1 to 100"),
    (b"perft x", "a depth from 1 to 100"),
];

#[test]
fn every_bad_line_is_answered_and_the_state_is_kept() {
    let mut bad: Vec<(Vec<u8>, &str)> = BAD.iter().map(|(line, says)| (line.to_vec(), *says)).collect();
    bad.push((vec![b'x'; 4 << 20], "is not a command"));
    bad.push((vec![b' '; (4 << 20) + 1], "longer than 4 MiB"));
    bad.push(([b"position startpos moves ".to_vec(), b"1a1 ".repeat(1 << 20)].concat(), "longer than 4 MiB"));
    bad.push(([b"position startpos moves ".to_vec(), b"1a1 ".repeat(1 << 19)].concat(), "move 2 \"1a1\""));
    bad.push(([b"setoption name Agent value ".to_vec(), vec![b'('; 1 << 20]].concat(), "expected a word"));
    let mut engine = Engine::start(&["--game", "pylos", "--agent", "alphabeta(eval=difference,depth=1)"]);
    engine.tell("position startpos moves 1b2 1c2");
    let fen = engine.query("fen");
    for (line, says) in bad {
        engine.write(&line);
        let answer = engine.hear();
        let start = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        assert!(answer.starts_with("info string error ") && answer.contains(says), "{start}: {answer}");
        assert!(answer.chars().count() < 450, "{start}: {}", answer.len());
        engine.is_silent();
    }
    assert_eq!(engine.query("fen"), fen);
    engine.tell("go");
    assert_eq!(engine.best_move().len(), 3);
    // Empty lines and extra blanks are not errors.
    for line in ["", "  \t ", "\r", "stop", "position   startpos\tmoves 1a1\r"] {
        engine.tell(line);
        engine.is_silent();
    }
    assert_eq!(engine.query("p1turn"), "false");
}

#[test]
fn a_position_has_blanks_in_it() {
    let mut engine = Engine::start(&["--game", "twixt(size=6)"]);
    engine.tell("position fen #....#/..b.../....../....../....../#....# - r moves d3 e5");
    assert_eq!(engine.query("fen"), "#....#/..b.../...r../....../....b./#....# - r");
    engine.tell("position fen #....#/..b.../....../....../....../#....# - r");
    assert_eq!(engine.query("fen"), "#....#/..b.../....../....../....../#....# - r");
}

#[test]
fn a_search_reports_and_the_same_seed_chooses_the_same() {
    let searched = |seed: &str| {
        let mut engine = Engine::start(&["--game", "pentago", "--agent", "mcts"]);
        engine.tell(&format!("setoption name Seed value {seed}"));
        engine.tell("go visits 2000");
        let mut lines = engine.hear_until("bestmove ");
        let wdl = lines.iter().find_map(|line| line.strip_prefix("info wdl ")).expect("chances are told");
        assert_eq!(wdl.split(' ').map(|share| share.parse::<u32>().unwrap()).sum::<u32>(), 1000);
        assert!(lines.iter().any(|line| line.starts_with("info depth ") && line.contains(" score value ")));
        assert_eq!(lines.iter().filter(|line| line.starts_with("info visits ")).count() % 5, 0);
        // Speed and time differ from run to run.
        lines.retain(|line| !line.starts_with("info depth "));
        lines
    };
    assert_eq!(searched("4"), searched("4"));
    assert_ne!(searched("4"), searched("5"));
    let mut engine = Engine::start(&["--game", "pentago", "--agent", "alphabeta(eval=e2,depth=2)"]);
    engine.tell("position fen xxxx../oooo../....../....../....../...... x");
    engine.tell("go");
    let lines = engine.hear_until("bestmove ");
    assert!(lines.iter().any(|line| line.contains(" score win pv e1")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove e1");
}

#[test]
fn an_endless_search_hears_and_stops() {
    for agent in ["mcts", "best-first(eval=height)", "random"] {
        let mut engine = Engine::start(&["--game", "pylos", "--agent", agent]);
        engine.tell("go infinite");
        // Information may come at any time, but not a move.
        let answer = |engine: &mut Engine, word: &str| {
            let lines = engine.hear_until(word);
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{agent}: {lines:?}");
        };
        engine.tell("isready");
        answer(&mut engine, "readyok");
        for line in ["go nodes 5", "position startpos", "query fen", "perft 2", "setoption name Seed value 3"] {
            engine.tell(line);
            answer(&mut engine, "info string error busy: ");
        }
        engine.tell("isready");
        answer(&mut engine, "readyok");
        engine.tell("stop");
        assert!(engine.best_move().starts_with('1'), "{agent}");
        engine.is_silent();
        assert_eq!(engine.query("p1turn"), "true");
        engine.tell("go nodes 5");
        engine.best_move();
    }
}

#[test]
fn quit_and_the_end_of_input_end_everything() {
    for work in ["", "go infinite", "go movetime 600000", "perft 12", "bench"] {
        for quits in [true, false] {
            let mut engine = Engine::start(&["--game", "pentago"]);
            engine.tell(work);
            engine.tell("isready");
            engine.hear_until("readyok");
            match quits {
                true => engine.tell("quit"),
                false => engine.input = None,
            }
            engine.ends();
        }
    }
}

#[test]
fn a_closed_output_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(["engine", "--game", "pylos"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // The input stays open: the search itself notices the closed output.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"go infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn perft_and_bench_can_be_stopped_and_bench_has_a_signature() {
    let mut engine = Engine::start(&["--game", "pentago"]);
    engine.tell("perft 50");
    engine.tell("stop");
    assert!(engine.hear().starts_with("info string error perft was stopped"));
    let signature = |engine: &mut Engine| {
        engine.tell("bench");
        let last = engine.hear_until("response bench ").pop().unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!([words[2], words[4], words[6], words[8]], ["nodes", "nps", "time", "signature"]);
        (words[3].to_owned(), words[9].to_owned())
    };
    assert_eq!(signature(&mut engine), signature(&mut engine));
}

#[test]
fn clocks_and_other_limits_end_a_search() {
    let mut engine = Engine::start(&["--game", "pylos"]);
    for go in ["go p1time 500 p2time 500 p1inc 10 p2inc 10", "go movetime 20", "go nodes 100", "go depth 1", "go"] {
        engine.tell(go);
        assert!(engine.best_move().starts_with('1'), "{go}");
    }
}

#[test]
fn a_bad_start_is_refused() {
    for (arguments, says) in [
        (["--agent", "alphazero"], "is not an agent"),
        (["--game", "chess"], "is not a game"),
        (["--seed", "18446744073709551615"], "whole number"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_quintet")).arg("engine").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(says));
    }
}

/// Our own engine as an outside engine in a seat.
#[test]
fn the_engine_is_an_agent_too() {
    for info in GAMES {
        let spec = GameSpec::parse(info.name).unwrap();
        let agent = format!("ugi(cmd=\"'{}' engine\",start=120s,visits=30,grace=120s)", env!("CARGO_BIN_EXE_quintet"));
        let mut seats =
            [quintet_agent::seat(&spec, &agent, 1).unwrap(), quintet_agent::seat(&spec, "random", 1).unwrap()];
        let mut line = spec.line();
        let mut reports = 0;
        while line.end().is_none() {
            let seat = &mut seats[line.to_move().index()];
            let limit = Limit::default();
            let choice = seat.think(&*line, &limit, &Stop::never(), &mut |_| reports += 1).unwrap();
            line.try_play(&choice.mv).unwrap();
        }
        assert!(reports > 0, "{}", info.name);
    }
}

/// An engine's resignation goes through our own engine, and ends an agent's part of a game in the terminal.
#[cfg(unix)]
#[test]
fn a_resignation_is_passed_on() {
    let script =
        "while read l; do case $l in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove resign;; esac; done";
    let agent = format!("ugi(cmd=\"sh -c '{script}'\",start=60s)");
    let mut engine = Engine::start(&["--game", "pylos", "--agent", &agent]);
    engine.tell("go");
    assert_eq!(engine.best_move(), "resign");
    let command = Command::new(env!("CARGO_BIN_EXE_quintet")).args(["play", "pylos", "--first", &agent]).output();
    let output = command.unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("resigns: undo, new or quit"));
}
