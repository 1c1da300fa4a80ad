//! The experiment files are complete and readable, and name known agents.

use quintet_agent::Catalogue;
use quintet_game::GameSpec;
use quintet_papers::experiments::{Kind, Library, Readiness, Schedule, Size, Work, state};

/// Every table, figure and claim of the papers, by hand.
const IDS: &[(&str, &[&str])] = &[
    (
        "pathwayz",
        &[
            "bracket",
            "first-player",
            "td-52",
            "td-440",
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
            "evaluators",
            "key-speed",
            "svm",
            "svm-maps",
            "svm-match",
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
    let bracket = Library::embedded().get("pathwayz/bracket").unwrap();
    assert_eq!(bracket.rows.len(), 36);
    let schedule = Schedule::new(bracket, Size::Quick, 1, Catalogue::embedded()).unwrap();
    // Both modes, and every pair plays.
    assert_eq!(schedule.jobs.len(), 72);
    assert!(schedule.jobs.iter().all(|job| job.games() > 0));
    let programmed = schedule.jobs.iter().find(|job| job.mode == "as-programmed" && job.scaled).unwrap();
    let Work::Match(plan) = &programmed.work else { panic!("{programmed:?}") };
    assert!(
        plan.players.iter().any(|player| player.agent == "pathwayz:mcts(mode=as-programmed,visits=1000)"),
        "{plan:?}"
    );
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
