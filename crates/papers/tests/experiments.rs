//! The experiment files are complete and readable, and name known agents.

use quintet_agent::Catalogue;
use quintet_arena::Threads;
use quintet_game::clock::ClockKind;
use quintet_game::{GameSpec, Stop};
use quintet_papers::experiments::{
    Chart, Folder, Games, Kind, Library, Meta, Readiness, Repeat, Report, Schedule, Size, Work, perform, state,
};

/// Both play tree search against minimax: with one seed and size these are the same games.
#[test]
fn random_sampling_plays_a_match_of_the_bracket() {
    let of = |id: &str, size| {
        let schedule = Schedule::new(Library::embedded().get(id).unwrap(), size, 1, Catalogue::embedded()).unwrap();
        let own = schedule.jobs.into_iter().filter(|job| job.what == "minimax v mcts");
        own.map(|job| (job.key, job.work)).collect::<Vec<_>>()
    };
    for size in [Size::Paper, Size::Full] {
        let games = of("pathwayz/random-sampling", size);
        assert_eq!((games.len(), &games), (2, &of("pathwayz/bracket-mcts", size)));
    }
}

/// Every table, figure and claim of the papers, by hand.
const IDS: &[(&str, &[&str])] = &[
    (
        "pathwayz",
        &[
            "bracket",
            "bracket-mcts",
            "first-player",
            "first-player-openings",
            "td-52",
            "td-440",
            "training-seeds",
            "td-sweep",
            "other-agents",
            "top-weights",
            "complexity",
            "sample-size",
            "overfit",
            "random-sampling",
            "style",
            "minimax-cost",
            "people",
            "train-people",
            "mcts-eval",
            "feature-count",
            "net",
        ],
    ),
    (
        "pylos",
        &[
            "agents",
            "figures-4-6",
            "depths",
            "evaluators",
            "key-speed",
            "svm",
            "svm-maps",
            "svm-match",
            "svm-others",
            "svm-rounds",
            "branching",
            "parity",
            "kernels",
            "svm-patterns",
            "pruning",
            "people",
            "perfect",
            "mcts",
        ],
    ),
    (
        "twixt",
        &[
            "depth-times",
            "size-times",
            "id-effect",
            "best-first",
            "depth-ladder",
            "small-boards",
            "heuristics",
            "complexity",
            "setups",
            "people",
            "live",
            "promising",
            "zero",
            "candidates",
        ],
    ),
    (
        "pentago-twist",
        &[
            "eval-ladder",
            "patterns",
            "mcts",
            "mcts-clock",
            "own-mate2",
            "their-mate2",
            "middle-plan",
            "pattern-truth",
            "ablation",
            "deterministic",
            "style",
            "blockers",
            "novice",
            "depth-time",
            "book",
            "dedup",
            "ordering",
            "mcts-pruned",
            "depth4",
            "logical",
        ],
    ),
    (
        "pentago",
        &[
            "greedy-random",
            "weights",
            "minimax-cost",
            "mdp-best",
            "mdp-sweep",
            "hash",
            "efficiency",
            "memory",
            "more-compute",
            "people",
            "hash-learned",
        ],
    ),
];

const SIZES: [Size; 3] = [Size::Quick, Size::Paper, Size::Full];

#[test]
fn every_experiment_of_the_papers_is_there() {
    let library = Library::embedded();
    let mut wanted: Vec<String> =
        IDS.iter().flat_map(|(game, ids)| ids.iter().map(move |id| format!("{game}/{id}"))).collect();
    let mut there: Vec<String> = library.all().map(|experiment| experiment.id.clone()).collect();
    wanted.sort();
    there.sort();
    assert_eq!(there, wanted);
    for (game, ids) in IDS {
        assert_eq!(library.choose(game).unwrap().len(), ids.len(), "{game}");
    }
    assert_eq!(library.choose("all").unwrap().len(), wanted.len());
}

#[test]
fn every_experiment_can_be_scheduled_or_says_what_it_waits_for() {
    let (library, agents) = (Library::embedded(), Catalogue::embedded());
    for id in library.all().map(|experiment| &experiment.id) {
        let experiment = library.get(id).unwrap();
        assert!(!experiment.claim.is_empty() && !experiment.title.is_empty(), "{id}");
        if experiment.kind == Kind::Unbuilt {
            assert!(experiment.needs.is_some(), "{id} says nothing");
            assert!(matches!(state(&experiment, agents), Readiness::Waits(_)), "{id}");
            continue;
        }
        assert!(experiment.minutes.is_some(), "{id}");
        for size in SIZES {
            let schedule = Schedule::new(experiment.clone(), size, 1, agents).unwrap_or_else(|why| panic!("{why}"));
            let mut keys: Vec<&str> =
                schedule.jobs.iter().filter(|job| job.games() > 0).map(|job| job.key.as_str()).collect();
            let count = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), count, "{id}: two rows have one name");
            for job in &schedule.jobs {
                let (game, names): (&str, Vec<&str>) = match &job.work {
                    Work::Match(plan) => {
                        (&plan.game, plan.players.iter().map(|player| player.agent.as_str()).collect())
                    }
                    Work::Solo(solo) => (&solo.game, vec![&solo.agent]),
                    Work::Waits(why) => {
                        assert!(!why.is_empty(), "{id}");
                        continue;
                    }
                    Work::Nothing => continue,
                };
                let spec = GameSpec::parse(game).unwrap();
                for name in names {
                    assert!(agents.seat(&spec, name, 1).is_ok(), "{id}: {name}");
                }
            }
        }
    }
}

/// A limit of time is the same on a busy machine as on an idle one.
#[test]
fn matches_count_processor_time() {
    for experiment in Library::embedded().choose("all").unwrap() {
        for job in Schedule::new(experiment, Size::Paper, 1, Catalogue::embedded()).unwrap().jobs {
            let Work::Match(plan) = &job.work else { continue };
            assert_eq!(plan.limit().clock, ClockKind::Cpu, "{}", job.key);
        }
    }
}

/// The quick size is fixed by the seed, not by the clock.
#[test]
fn quick_runs_have_no_clock() {
    let (library, agents) = (Library::embedded(), Catalogue::embedded());
    for experiment in library.choose("all").unwrap() {
        let schedule = Schedule::new(experiment, Size::Quick, 1, agents).unwrap_or_else(|why| panic!("{why}"));
        for job in &schedule.jobs {
            let Work::Match(plan) = &job.work else { continue };
            for player in &plan.players {
                let kind = player.agent.split('(').next().unwrap();
                let entry = agents.entries().find(|entry| entry.token() == kind);
                let timed = entry.is_some_and(|entry| {
                    entry.specs.iter().any(|spec| format!("{:?}", spec.limit).contains("time: Some"))
                });
                let limited = player.agent.contains("nodes=") || player.agent.contains("visits=");
                assert!(!player.agent.contains("time=") && (!timed || limited), "{}: {}", job.key, player.agent);
            }
        }
    }
}

#[test]
fn all_pairs_of_the_bracket() {
    let jobs_of = |id| {
        let part = Library::embedded().get(id).unwrap();
        Schedule::new(part, Size::Quick, 1, Catalogue::embedded()).unwrap().jobs
    };
    let [others, jobs] = ["pathwayz/bracket", "pathwayz/bracket-mcts"].map(jobs_of);
    // Both modes of 36 pairs, and every pair plays.
    assert_eq!([others.len(), jobs.len()], [56, 16]);
    assert!(others.iter().chain(&jobs).all(|job| job.games() > 0));
    assert!(others.iter().all(|job| !job.scaled) && jobs.iter().all(|job| job.key.contains("mcts")));
    let programmed = jobs.iter().find(|job| job.mode == "as-programmed" && job.scaled).unwrap();
    let Work::Match(plan) = &programmed.work else { panic!("{programmed:?}") };
    assert!(
        plan.players.iter().any(|player| player.agent == "pathwayz:mcts(mode=as-programmed,visits=1000)"),
        "{plan:?}"
    );
}

/// The paper's player "may return" balls; the rules of the box come once more.
#[test]
fn pylos_is_played_by_the_papers_rule() {
    for experiment in Library::embedded().choose("pylos").unwrap() {
        let id = &experiment.id;
        if experiment.kind != Kind::Matches || experiment.rows.iter().all(|row| row.a.is_empty()) {
            continue;
        }
        assert_eq!(experiment.game, "pylos(rules=expert-diag,takeback=free)", "{id}");
        let boxed = |repeat: &Repeat| repeat.game.as_deref() == Some("pylos(rules=expert-diag)");
        // Both rounds learned by the paper's rule.
        assert!(experiment.repeats.iter().any(boxed) || id == "pylos/svm-rounds", "{id}");
        assert!(experiment.chosen.iter().all(|text| !text.contains("compulsory")), "{id}");
    }
}

/// Table I's column of agent 4 at each depth, agent 5 against each of the others, Fig. 9 as bars.
#[test]
fn pylos_rows_by_the_paper() {
    let get = |id| Library::embedded().get(id).unwrap();
    let (agents, depths) = (get("pylos/agents"), get("pylos/depths"));
    let column: Vec<_> = agents.rows.iter().filter(|row| row.a == "ordered").map(|row| row.wdl).collect();
    assert_eq!(column.len(), 4);
    for depth in 1..=4 {
        let name = format!("ordered, depth {depth}");
        let player = depths.players.iter().find(|player| player.name == name).unwrap();
        assert_eq!(player.agent, format!("ordered(eval=difference,depth={depth})"));
        let rows: Vec<_> = depths.rows.iter().filter(|row| row.a == name).map(|row| row.wdl).collect();
        assert_eq!(rows, column, "{name}");
    }
    let others: Vec<String> = get("pylos/svm-others").rows.iter().map(|row| row.b.clone()).collect();
    assert_eq!(others, ["random", "maximizing", "minimax", "ordered"]);
    assert_eq!(get("pylos/svm-match").chart, Chart::Outcomes);
    assert_eq!(get("pylos/svm-rounds").full.unwrap().games, 400);
}

#[test]
fn rows_have_streams_of_their_own() {
    let schedule = |seed| {
        let experiment = Library::embedded().get("pylos/agents").unwrap();
        Schedule::new(experiment, Size::Quick, seed, Catalogue::embedded()).unwrap()
    };
    let seeds = |seed| -> Vec<u64> {
        let plan_seed = |work: &Work| if let Work::Match(plan) = work { Some(plan.seed) } else { None };
        schedule(seed).jobs.iter().filter_map(|job| plan_seed(&job.work)).collect()
    };
    let (one, two) = (seeds(1), seeds(2));
    assert_eq!(one, seeds(1));
    assert!(one.iter().all(|seed| !two.contains(seed)));
    assert_eq!(one.iter().collect::<std::collections::HashSet<_>>().len(), one.len());
}

/// Timed games of TwixT's growth with depth: six games per cell, of which those to depth 3 are given up.
fn timed() -> Schedule {
    let mut experiment = Library::embedded().get("twixt/complexity").unwrap();
    let quick = experiment.quick.as_mut().unwrap();
    (quick.games, quick.cut) = (6, Some(60_000));
    Schedule::new(experiment, Size::Quick, 1, Catalogue::embedded()).unwrap()
}

/// Plays a schedule in a folder, until this many games have ended; what is not of the clock.
fn play(schedule: &Schedule, name: &str, threads: usize, most: usize) -> (bool, Games) {
    let path = std::env::temp_dir().join(format!("quintet-timed-{name}-{}", std::process::id()));
    let (mut folder, mut games) = Folder::open(&path, schedule).unwrap();
    let (stop, mut ended) = (Stop::new(), 0);
    let here = Threads { agents: Catalogue::embedded(), count: threads };
    let done = perform(schedule, here, &here, &mut folder, &mut games, &stop, &mut |_, _| {
        ended += 1;
        if ended == most {
            stop.stop();
        }
    });
    for played in games.values_mut().flatten() {
        played.cost.ms = [0.0; 2];
    }
    if most == usize::MAX {
        std::fs::remove_dir_all(path).unwrap();
    }
    (done.unwrap(), games)
}

/// Several threads, and a stop on the way, change nothing but the time.
#[test]
fn timed_games_are_the_same_on_many_threads_and_after_a_stop() {
    let schedule = timed();
    let (done, alone) = play(&schedule, "alone", 1, usize::MAX);
    assert!(done);
    assert_eq!(alone["alphabeta 2"].len(), 6);
    // A cell ends with its first game that is given up.
    assert_eq!(alone["minimax 3"].iter().map(|played| played.reason.as_str()).collect::<Vec<_>>(), ["cut"]);
    assert_eq!(play(&schedule, "threads", 4, usize::MAX), (true, alone.clone()));
    assert!(!play(&schedule, "stopped", 2, 11).0);
    assert_eq!(play(&schedule, "stopped", 3, usize::MAX), (true, alone));
}

/// Six games are too few: no ratio or growth of theirs is judged, though all have values.
#[test]
fn few_timed_games_decide_nothing() {
    let schedule = timed();
    let (_, games) = play(&schedule, "few", 2, usize::MAX);
    let report = Report::new(&schedule, &games, &[], Meta::new(&schedule, 2));
    let growth = report.lines.iter().find(|line| line.what.starts_with("growth of alphabeta")).unwrap();
    assert!(growth.our_value.is_some() && growth.our_interval.is_none(), "{growth:?}");
    assert_eq!(growth.finding.to_string(), "too few games");
    assert!(report.lines.iter().all(|line| !line.finding.differs()));
}

/// Every cell of Table 1 gets the games that a ratio known to 10 % takes; fewer where the paper has no time, and games are slow.
#[test]
fn games_of_the_table_of_times() {
    let experiment = Library::embedded().get("twixt/depth-times").unwrap();
    let schedule = Schedule::new(experiment, Size::Full, 1, Catalogue::embedded()).unwrap();
    let games = |key: &str| schedule.jobs.iter().find(|job| job.key == key).unwrap().games();
    assert_eq!([games("minimax 3"), games("minimax 4"), games("best-first 5")], [500, 30, 500]);
}
