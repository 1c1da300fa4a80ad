//! Outside engines, most of them bad: each failure has its reason, and nothing is left of the process.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintet_agent::{Seat, ThinkError, seat};
use quintet_game::{AnyLine, Forfeit, GameSpec, Limit, Stop};
use quintet_search::{Choice, Report};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A script as an engine of Pylos. `{dir}` in it is a folder for its files.
fn engine(name: &str, arguments: &str, script: &str) -> Box<dyn Seat> {
    let file = path(&format!("{name}.sh"));
    std::fs::write(&file, script.replace("{dir}", env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let agent = format!("ugi(cmd=\"sh '{}'\"{arguments})", file.display());
    seat(&GameSpec::parse("pylos").unwrap(), &agent, 7).unwrap()
}

/// A script that behaves, except at `go`.
fn at_go(go: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in
            ugi) echo 'A banner'; echo id name test; echo ugiok;; isready) echo readyok;; quit) exit 0;;
            go*) {go};;
        esac; done"
    )
}

/// A game of Pylos after some moves.
fn pylos(moves: &[&str]) -> Box<dyn AnyLine> {
    let mut line = GameSpec::parse("pylos").unwrap().line();
    for mv in moves {
        line.try_play(mv).unwrap();
    }
    line
}

fn think(seat: &mut dyn Seat, moves: &[&str]) -> Result<Choice<String>, ThinkError> {
    seat.think(&*pylos(moves), &Limit::default(), &Stop::never(), &mut |_| {})
}

fn fault(mut seat: Box<dyn Seat>) -> (Forfeit, String) {
    match think(&mut *seat, &["1a1"]) {
        Err(ThinkError::Engine { reason, detail }) => (reason, detail),
        other => panic!("{other:?}"),
    }
}

/// Long enough for any machine: good answers come at once.
const PATIENT: &str = ",start=60s,time=60s,grace=60s";

#[test]
fn every_failure_has_its_reason_and_says_what_happened() {
    let go = |name: &str, go: &str| engine(name, PATIENT, &at_go(go));
    for (seat, reason, says) in [
        (
            engine("exits", PATIENT, "echo boom >&2; exit 3"),
            Forfeit::Crash,
            "(exit status: 3); its last words: \"boom\".",
        ),
        (go("killed", "kill -9 $$"), Forfeit::Crash, "ended before it had answered; it said \"readyok\" (signal: 9"),
        (engine("mute", ",start=300ms", "exec sleep 1000"), Forfeit::NotStarted, "has not said ugiok in time."),
        (engine("babble", ",start=1s", "echo hello; exec sleep 1000"), Forfeit::NotStarted, "it said \"hello\"."),
        (engine("sleeps", ",start=60s,time=50ms,grace=50ms", &at_go(":")), Forfeit::TimeOut, "has not moved after "),
        (go("occupied", "echo bestmove 1a1"), Forfeit::IllegalMove, "move 2 \"1a1\": 1a1 is taken"),
        (go("strange", "echo bestmove e2e4"), Forfeit::Garbage, "move 2 \"e2e4\": "),
        (go("empty", "echo bestmove"), Forfeit::Garbage, "answered with a bad move"),
        (go("binary", "printf '\\377\\376\\n'"), Forfeit::Garbage, "not UTF-8"),
        (go("floods", "yes info depth 1"), Forfeit::TooMuchOutput, "wrote more than"),
        (go("long", "head -c 100000 /dev/zero | tr '\\0' x"), Forfeit::TooMuchOutput, "a line longer than"),
    ] {
        let (found, detail) = fault(seat);
        assert_eq!(found, reason, "{detail}");
        assert!(detail.contains(says), "{detail}");
        assert!(detail.starts_with("\"sh ") && detail.ends_with('.'), "{detail}");
    }
    let pylos = GameSpec::parse("pylos").unwrap();
    let (reason, detail) = fault(seat(&pylos, "ugi(cmd=\"no-such-engine-at-all\")", 1).unwrap());
    assert_eq!(reason, Forfeit::NotStarted);
    assert!(detail.starts_with("\"no-such-engine-at-all\" cannot be run: "), "{detail}");
}

/// 256 MiB do not fit into 64.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_eats_memory_comes_to_its_limit() {
    let eat = "x=0123456789abcdef; for i in $(seq 24); do x=$x$x; done; echo bestmove 1b1";
    let seat = engine("eats", ",memory=64,start=60s,time=60s,grace=60s", &at_go(eat));
    assert_eq!(fault(seat).0, Forfeit::Crash);
}

#[test]
fn a_bad_question_is_refused_before_the_engine_is_asked() {
    let mut seat = engine("unasked", PATIENT, "exit 1");
    let mut ask = |line: &dyn AnyLine| seat.think(line, &Limit::default(), &Stop::never(), &mut |_| {});
    let other = GameSpec::parse("pylos(rules=children)").unwrap().line();
    assert!(matches!(ask(&*other), Err(ThinkError::Refused(_))));
    let over = GameSpec::parse("pylos").unwrap().line_at("DDDDDDLLLLLLLLLL/LLLLDDDLD/.DDD/. l").unwrap();
    assert!(ask(&*over).unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn after_a_failure_a_fresh_engine_is_asked() {
    let _ = std::fs::remove_file(path("fell.mark"));
    let go = "if [ -e '{dir}/fell.mark' ]; then echo bestmove 1b1; else : > '{dir}/fell.mark'; exit 1; fi";
    let mut seat = engine("fell", PATIENT, &at_go(go));
    assert!(matches!(think(&mut *seat, &[]), Err(ThinkError::Engine { reason: Forfeit::Crash, .. })));
    assert_eq!(think(&mut *seat, &[]).unwrap().mv, "1b1");
}

#[test]
fn what_an_engine_says_is_heard() {
    let go = "echo info depth 3 nodes 42 score value 1.5 pv 1A1 1b1 zz; echo info wdl 500 300 200;
        echo info string depth 9; echo nonsense; echo bestmove 1A1 ponder 1b1";
    let mut seat = engine("talks", PATIENT, &at_go(go));
    let mut heard: Vec<Report<String>> = Vec::new();
    let mut hear = |report: &Report<String>| heard.push(report.clone());
    let choice = seat.think(&*pylos(&[]), &Limit::default(), &Stop::never(), &mut hear).unwrap();
    assert_eq!(heard.len(), 1);
    assert_eq!((heard[0].depth, heard[0].nodes, heard[0].value), (3, 42, Some(1.5)));
    assert_eq!(heard[0].line, ["1a1", "1b1"]);
    assert_eq!((choice.mv.as_str(), choice.value, choice.proof()), ("1a1", 1.5, None));
    assert_eq!((choice.line, choice.chances), (heard[0].line.clone(), Some([0.5, 0.3])));
}

#[test]
fn an_engine_hears_the_game_and_the_limits() {
    let script = |option: &str| {
        format!(
            "while read -r line; do echo \"$line\" >> '{{dir}}/hears.log'; case \"$line\" in
                ugi) {option} echo ugiok;; isready) echo readyok;; quit) exit 0;; go*) echo bestmove 1d4;;
            esac; done"
        )
    };
    let log = |option: &str| {
        let _ = std::fs::remove_file(path("hears.log"));
        let mut seat = engine("hears", PATIENT, &script(option));
        let limit = Limit { depth: Some(3), visits: Some(9), ..Limit::nodes(500) };
        let mut line = GameSpec::parse("pylos").unwrap().line_at("LD............../........./..../. l").unwrap();
        line.try_play("1c1").unwrap();
        seat.think(&*line, &limit, &Stop::never(), &mut |_| {}).unwrap();
        think(&mut *seat, &[]).unwrap();
        drop(seat);
        std::fs::read_to_string(path("hears.log")).unwrap()
    };
    let game = "isready\nposition fen LD............../........./..../. l moves 1c1\n\
        go movetime 60000 nodes 500 depth 3 visits 9\nisready\nposition startpos\ngo movetime 60000\nquit\n";
    assert_eq!(log(""), format!("ugi\nuginewgame\nisready\n{game}"));
    let options =
        "setoption name Game value pylos(rules=standard,end=stuck,takeback=forced)\nsetoption name Seed value 7\n";
    let announced = "echo option name Game type string default go; echo option name Seed type spin;";
    assert_eq!(log(announced), format!("ugi\n{options}uginewgame\nisready\n{game}"));
}

#[test]
fn an_engine_may_resign() {
    let mut seat = engine("resigns", PATIENT, &at_go("echo bestmove resign"));
    assert_eq!(think(&mut *seat, &[]), Err(ThinkError::Resigned));
}

/// One process serves game after game, is told of each, and one that has ended in between is started again.
#[test]
fn an_engine_is_kept_between_games_and_started_again_after_its_end() {
    let script = "echo start >> '{dir}/kept.log'
        while read -r line; do case \"$line\" in
            ugi) echo option name Seed type spin; echo ugiok;; isready) echo readyok;; quit) exit 0;;
            setoption*|uginewgame) echo \"$line\" >> '{dir}/kept.log';;
            go*) last=; [ -e '{dir}/kept.end' ] && last=yes; echo bestmove 1d4; [ -n \"$last\" ] && exit 0;;
        esac; done";
    let log = || std::fs::read_to_string(path("kept.log")).unwrap();
    let game = |seed: u64| format!("setoption name Seed value {seed}\nuginewgame\n");
    for file in ["kept.log", "kept.end"] {
        let _ = std::fs::remove_file(path(file));
    }
    let mut seat = engine("kept", PATIENT, script);
    think(&mut *seat, &[]).unwrap();
    think(&mut *seat, &["1a1", "1a2"]).unwrap();
    assert!(seat.new_game(8));
    std::fs::write(path("kept.end"), "").unwrap();
    think(&mut *seat, &[]).unwrap();
    assert_eq!(log(), format!("start\n{}{}", game(7), game(8)));
    assert!(seat.new_game(9));
    think(&mut *seat, &[]).unwrap();
    assert!(log().ends_with(&format!("start\n{}", game(9))), "{}", log());
    assert!(!engine("unkept", ",keep=no", script).new_game(8));
}

#[test]
fn what_was_said_too_late_is_forgotten() {
    let go = "n=$((n+1)); [ $n = 1 ] && printf 'bestmove 1a1\\nbestmove 1a1\\n' || echo bestmove 1b1";
    let mut seat = engine("twice", PATIENT, &at_go(go));
    assert_eq!(think(&mut *seat, &[]).unwrap().mv, "1a1");
    assert_eq!(think(&mut *seat, &["1a1"]).unwrap().mv, "1b1");
}

#[test]
fn the_stop_flag_is_handed_on() {
    let script = at_go(":").replace("quit)", "stop) echo bestmove 1c1;; quit)");
    let mut seat = engine("stops", PATIENT, &script);
    let stop = Stop::new();
    stop.stop();
    assert_eq!(seat.think(&*pylos(&[]), &Limit::default(), &stop, &mut |_| {}).unwrap().mv, "1c1");
    // An engine that ignores `stop` is given its grace time.
    let mut seat = engine("goes-on", ",start=60s,time=600s,grace=50ms", &at_go(":"));
    let error = seat.think(&*pylos(&[]), &Limit::default(), &stop, &mut |_| {}).unwrap_err();
    assert!(matches!(error, ThinkError::Engine { reason: Forfeit::TimeOut, .. }), "{error}");
}

/// Is a process gone, or only waiting for its new parent to notice?
#[cfg(target_os = "linux")]
fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
}

/// An engine and its child, whether it exits by itself, must be killed, or has failed.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_an_engine() {
    for (name, script, fails) in [
        ("leaves", at_go("echo bestmove 1b1"), false),
        ("clings", at_go("echo bestmove 1b1").replace("exit 0", "exec sleep 1000"), false),
        ("cheats", at_go("echo bestmove 1a1"), true),
        ("falls", at_go("exit 1"), true),
    ] {
        let family = path(&format!("{name}.family"));
        let script = format!("sleep 1000 > '{{dir}}/{name}.out' & echo $! $$ > '{}'\n{script}", family.display());
        let mut seat = engine(name, PATIENT, &script);
        assert_eq!(think(&mut *seat, &["1a1"]).is_err(), fails, "{name}");
        let family = std::fs::read_to_string(family).unwrap();
        let [child, parent] = family.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{family}") };
        if !fails {
            assert!(!is_gone(child) && !is_gone(parent), "{name}");
            drop(seat);
        }
        // The parent is reaped at once; its child is killed with it, which may take a moment.
        assert!(!PathBuf::from(format!("/proc/{parent}")).exists(), "{name}");
        let watchdog = Instant::now() + Duration::from_secs(60);
        while !is_gone(child) {
            assert!(Instant::now() < watchdog, "{name} has left {child}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
