//! Agents by their specs, in every game.

use std::time::Duration;

use quintet_agent::{Catalogue, KINDS, seat};
use quintet_eval::evaluations;
use quintet_game::{AnyLine, GAMES, GameSpec, Limit, Stop};
use quintet_search::Choice;

fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

/// The choice of an agent in a game.
fn think(agent: &str, seed: u64, line: &dyn AnyLine, limit: &Limit) -> Choice<String> {
    seat(&line.spec(), agent, seed).unwrap().think(line, limit, &Stop::never(), &mut |_| {}).unwrap()
}

/// The kind with an evaluation if it needs one.
fn with_eval(kind: &str, game: &GameSpec) -> Option<String> {
    if ["random", "mcts", "middle-plan", "puct"].contains(&kind) {
        return Some(kind.to_owned());
    }
    if kind == "exact" {
        return Some("exact(agent=random)".into());
    }
    if kind == "book" {
        return Some("book(agent=random,book=pentago-twist:book)".into());
    }
    Some(format!("{kind}(eval={})", evaluations(game).first()?.name))
}

#[test]
fn every_kind_plays_legal_games_of_every_game() {
    for info in GAMES {
        let spec = spec(info.name);
        // Outside engines have tests of their own.
        for kind in KINDS.iter().filter(|kind| kind.name != "ugi") {
            // Pylos by its table is tested where there is one.
            if ["middle-plan", "exact"].contains(&kind.name) && !info.name.starts_with("pentago") {
                continue;
            }
            if kind.name == "book" && info.name != "pentago-twist" {
                continue;
            }
            let agent = with_eval(kind.name, &spec).unwrap_or_else(|| panic!("{} has no evaluation", info.name));
            let mut line = spec.line();
            let mut seat = seat(&spec, &agent, 5).unwrap();
            let limit = Limit { depth: Some(2), ..Limit::nodes(300) };
            while line.end().is_none() && line.plies() < 20 {
                let choice = seat.think(&*line, &limit, &Stop::never(), &mut |_| {}).unwrap();
                assert_eq!(choice.line[0], choice.mv);
                line.try_play(&choice.mv).unwrap_or_else(|e| panic!("{agent} of {spec}: {e}"));
            }
        }
    }
}

/// Both seats, every mode; and an agent that is not ready says what would make it ready.
#[test]
fn every_named_agent_plays_whole_games_against_random() {
    for entry in Catalogue::embedded().entries() {
        let game = spec(entry.game);
        for (number, mode) in entry.specs.iter().map(|spec| spec.mode).enumerate() {
            let agent = format!("{}(mode={mode})", entry.token());
            if let Some(needs) = &entry.needs {
                let error = seat(&game, &agent, 1).err().unwrap().to_string();
                assert!(error.contains(&entry.token()) && error.contains(needs), "{error}");
                continue;
            }
            for own in [0, 1] {
                let mut line = game.line();
                let mut seats = [seat(&game, "random", 7).unwrap(), seat(&game, "random", 8).unwrap()];
                seats[own] = seat(&game, &agent, number as u64).unwrap();
                let limit = Limit { depth: Some(2), ..Limit::nodes(200) };
                while line.end().is_none() {
                    let mover = line.to_move().index();
                    let choice = seats[mover].think(&*line, &limit, &Stop::never(), &mut |_| {}).unwrap();
                    line.try_play(&choice.mv).unwrap_or_else(|e| panic!("{agent}: {e}"));
                }
            }
        }
    }
}

#[test]
fn names_take_arguments_and_modes() {
    let pathwayz = spec("pathwayz");
    let nodes = |agent: &str, limit: &Limit| think(agent, 1, &*pathwayz.line(), limit).nodes;
    // The catalogue's limits are defaults: a limit with the name, or in the request, replaces them.
    assert_eq!(nodes("pathwayz:mcts(visits=300)", &Limit::default()), 300);
    assert_eq!(nodes("pathwayz:mcts(mode=as-programmed,visits=200)", &Limit::default()), 200);
    assert_eq!(nodes("pathwayz:mcts", &Limit::nodes(150)), 150);
    assert_eq!(nodes("pathwayz:mcs(games=20)", &Limit::default()), 200);
    for (agent, says) in [
        ("pathwayz:beam(mode=printd)", "mode=printd: it must be printed or as-programmed."),
        ("pathwayz:minimax2(mode=printed)", "mode=printed: it must be as-programmed."),
        ("pathwayz:beam(width=3)", "beam takes no \"width\"; it takes eval, ends, utility, ties, widths,"),
        ("pathwayz:beans", "\"pathwayz:beans\" is not an agent; choose one of pathwayz:random, pathwayz:baseline,"),
        ("pylos:ordered", "pylos:ordered plays pylos, not pathwayz."),
        ("go:katago", "\"go:katago\" is not an agent; choose one of pathwayz:random,"),
        ("greedy(eval=pathwayz-52(weights=pathwayz:nobody))", "make them: quintet train pathwayz:nobody"),
    ] {
        let error = seat(&pathwayz, agent, 1).err().unwrap_or_else(|| panic!("{agent}")).to_string();
        assert!(error.contains(says), "{agent}: {error}");
    }
}

/// A folder of files as people write them.
#[test]
fn agents_of_a_folder_add_to_the_catalogue() {
    let folder = std::env::temp_dir().join(format!("quintet-agents-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("agents")).unwrap();
    let write = |text: &str| std::fs::write(folder.join("agents/pylos.toml"), text).unwrap();
    write(
        "[[agent]]\nname = \"mine\"\nprinted = \"pylos:ordered(depth=2)\"\n[[agent]]\nname = \"random\"\nprinted = \"greedy(eval=height,ties=first)\"\n",
    );
    let catalogue = Catalogue::with_folder(&folder).unwrap();
    assert_eq!(catalogue.entries().count(), Catalogue::embedded().entries().count() + 1);
    let think = |agent: &str| {
        let mut agent = catalogue.seat(&spec("pylos"), agent, 1).unwrap();
        agent.think(&*spec("pylos").line(), &Limit::default(), &Stop::never(), &mut |_| {}).unwrap()
    };
    assert_eq!((think("pylos:mine").depth, think("pylos:random").mv.as_str()), (2, "1a1"));
    for (text, says) in [
        ("[[agent]]\nname = \"x\"\n", "x: it needs a spec"),
        ("[[agent]]\nname = \"x y\"\nprinted = \"random\"\n", "a name has only letters"),
        ("[[agent]]\nname = \"x\"\nprinted = \"greedy(\"\n", "expected a word"),
        ("[[agent]]\nname = \"x\"\nprint = \"random\"\n", "unknown field `print`"),
        ("[[agent]]\nname = \"x\"\nprinted = \"random\"\nlimit = { printed = \"time=5\" }\n", "a time such as 2s"),
        ("name = ", "pylos.toml"),
    ] {
        write(text);
        let error = Catalogue::with_folder(&folder).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("pylos.toml"), "{error}");
    }
    // An agent that needs something says what to do.
    write("[[agent]]\nname = \"later\"\nprinted = \"random\"\nneeds = \"quintet train pylos:later\"\n");
    let error = Catalogue::with_folder(&folder).unwrap().seat(&spec("pylos"), "pylos:later", 1).err().unwrap();
    assert!(error.to_string().ends_with("Make what it needs with: quintet train pylos:later"), "{error}");
    // An agent that refers to itself is detected.
    write("[[agent]]\nname = \"loop\"\nprinted = \"pylos:loop\"\n");
    let error = Catalogue::with_folder(&folder).unwrap().seat(&spec("pylos"), "pylos:loop", 1).err().unwrap();
    assert_eq!(error.to_string(), "pylos:loop refers to itself.");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_same_spec_and_seed_choose_the_same() {
    for agent in [
        "random",
        "mcts(nodes=500)",
        "puct(nodes=500,batch=3)",
        "puct(eval=height,nodes=500,c=2,temperature=1,scale=3,reuse=no,memory=1)",
        "greedy(eval=height)",
        "alphabeta(eval=difference,depth=2)",
    ] {
        let [one, two] = [(); 2].map(|()| think(agent, 3, &*spec("pylos").line(), &Limit::default()));
        assert_eq!((&one.mv, one.value, one.nodes), (&two.mv, two.value, two.nodes), "{agent}");
    }
    // Ties: the first of equal moves, or one by seed.
    let first = |seed| think("greedy(eval=height,ties=first)", seed, &*spec("pylos").line(), &Limit::default()).mv;
    assert_eq!([first(1), first(2)], ["1a1", "1a1"]);
}

/// The papers describe plain tree search; proofs are ours.
#[test]
fn the_papers_tree_searches_prove_nothing() {
    let twist = spec("pentago-twist").line_at("xxxx../oooo../....../....../....../...... x").unwrap();
    let ours = think("mcts(nodes=5000)", 3, &*twist, &Limit::default());
    assert!(ours.known.is_some() && ours.nodes < 5000, "{ours:?}");
    let asked = think("mcts(proofs=yes,nodes=5000)", 3, &*twist, &Limit::default());
    assert_eq!((&asked.mv, asked.value, asked.nodes), (&ours.mv, ours.value, ours.nodes));
    for agent in ["pentago-twist:mcts", "pentago-twist:mcts(width=20,eval=e3)", "mcts(proofs=no)"] {
        let plain = think(agent, 3, &*twist, &Limit::nodes(5000));
        assert_eq!((plain.known, plain.nodes), (None, 5000), "{agent}");
    }
    for game in ["pathwayz", "pylos", "pentago-twist"] {
        let agent = Catalogue::embedded().resolved(&spec(game), &format!("{game}:mcts")).unwrap();
        assert!(agent.contains("proofs=no"), "{agent}");
    }
}

#[test]
fn limits_of_spec_and_request_the_smaller_holds() {
    let nodes = |agent: &str, limit: &Limit| think(agent, 1, &*spec("pylos").line(), limit).nodes;
    assert_eq!(nodes("mcts(nodes=700)", &Limit::default()), 700);
    assert_eq!(nodes("mcts(nodes=700)", &Limit::nodes(300)), 300);
    assert_eq!(nodes("mcts(nodes=200)", &Limit::nodes(300)), 200);
    assert_eq!(nodes("mcts", &Limit::default()), 10_000);
    assert_eq!(nodes("mcts(visits=50)", &Limit::default()), 50);
    assert_eq!(nodes("puct(threads=2)", &Limit::default()), 10_000);
    assert_eq!(nodes("puct(eval=difference,visits=50)", &Limit::depth(3)), 50);
    // A limit that does not apply to the agent leaves it its default.
    assert_eq!(nodes("mcts", &Limit::depth(3)), 10_000);
    assert!(nodes("alphabeta(eval=height)", &Limit { visits: Some(5), ..Limit::default() }) > 100);
}

/// An agent within another obeys its own limits, not what the outer one has left; where both are limited, that is refused.
#[test]
fn limits_within_a_spec_are_obeyed_or_refused() {
    let (twixt, twist) = (spec("twixt(size=12)"), spec("pentago-twist"));
    let agent = "exact(agent=mcts(visits=300))";
    assert_eq!(think(agent, 1, &*twixt.line(), &Limit::default()).nodes, 300);
    let one_second = Limit::time(Duration::from_secs(1));
    let asked = seat(&twixt, agent, 1).unwrap().think(&*twixt.line(), &one_second, &Stop::never(), &mut |_| {});
    assert!(asked.unwrap_err().to_string().contains("agent=mcts(visits=300) has a limit of its own"));
    for (game, agent) in [(twixt, agent), (twist, "book(agent=mcts(visits=70),book=pentago-twist:book)")] {
        let seat = seat(&game, agent, 1).unwrap();
        assert!(seat.accepts(&Limit::nodes(5)).is_err() && seat.accepts(&Limit::default()).is_ok(), "{agent}");
    }
    let both = seat(&twixt, "exact(agent=mcts(visits=300),time=1s)", 1).err().unwrap();
    assert!(both.to_string().contains("without limits of its own"), "{both}");
}

/// A limit that an agent ignores leaves it its second by the clock; words of a spec decide nothing.
#[test]
fn only_agents_without_clock_and_threads_play_the_same_everywhere() {
    let (none, visits) = (Limit::default(), Limit::visits(100));
    for (agent, limit, expected) in [
        ("random", none, true),
        ("greedy(eval=height)", none, true),
        ("mcts", none, true),
        ("mcts(visits=5,time=1s)", none, false),
        ("mcts", Limit::time(Duration::from_secs(1)), false),
        ("pvs(eval=height)", none, false),
        ("pvs(eval=height)", visits, false),
        ("pvs(eval=height,nodes=500)", visits, true),
        ("pvs(eval=height)", Limit::depth(3), true),
        ("pvs(eval=height,ties=random)", none, false),
        ("best-first(eval=height,order=random)", visits, false),
        ("alphabeta(eval=height,order=random)", none, true),
        ("pvs(eval=height,nodes=500,threads=2)", none, false),
        ("puct(threads=1)", none, true),
        ("puct(threads=2)", none, false),
        ("exact(agent=mcts(visits=5))", none, false),
        ("exact(agent=mcts(time=1s))", none, false),
        ("exact(agent=pvs(eval=height,time=1s),nodes=100)", none, false),
        ("exact(agent=mcts)", visits, true),
        ("ugi(cmd=\"engine\",nodes=100)", none, false),
    ] {
        let Ok(seat) = seat(&spec("pylos"), agent, 1) else {
            // Limits on both sides are refused.
            assert!(agent.starts_with("exact(agent=pvs"), "{agent}");
            continue;
        };
        assert_eq!(seat.is_repeatable(&limit), expected, "{agent} {limit:?}");
    }
}

#[test]
fn bad_specs_list_what_there_is() {
    for (agent, says) in [
        ("", "expected a word"),
        ("alphazero", "\"alphazero\" is not an agent; choose one of random, greedy,"),
        ("alphazero", ", champion, and the names that `quintet agents` lists"),
        ("greedy", "greedy(eval=: it must be the name of an evaluation"),
        (
            "greedy(eval=fast)",
            "is not an evaluation of Pylos; choose one of difference, height, position, pylos-20, pylos-svr.",
        ),
        ("greedy(eval=\"height\")", "it must be the name of an evaluation"),
        (
            "greedy(eval=height,deep=3)",
            "greedy takes no \"deep\"; it takes eval, ends, utility, ties, floor, random-first, variety, variety-plies, slips, sees-wins, time, nodes, depth, visits.",
        ),
        ("minimax(eval=height,depth=-1)", "depth=-1: it must be a whole number."),
        ("mcts(time=5)", "time=5: it must be a time such as 2s or 50ms."),
        ("mcts(eval=height)", "mcts takes no \"eval\"; it takes c, memory, width,"),
        ("mcts(width=5)", "mcts(eval=: it must be the name of an evaluation"),
        ("alphabeta(eval=height,order=worst)", "order=worst: it must be one of natural, random, best."),
        ("alphabeta(eval=height,candidates=near)", "candidates exist only for twixt."),
        ("puct(eval=fast)", "is not an evaluation of Pylos"),
        ("puct(eval=height,scale=0)", "scale=0: it must be a number above 0."),
        ("puct(threads=lots)", "threads=lots: it must be a whole number, or all."),
        ("puct(temperature=2)", "puct takes no \"temperature\"; it takes eval, slip-temperature, c, threads,"),
        ("greedy(eval=height,ties=last)", "ties=last: it must be one of random, first."),
        ("ugi", "cmd=: it must be a command in double quotes, as in cmd=\"./engine --flag\"."),
        ("ugi(cmd=engine)", "cmd=engine: it must be a command in double quotes"),
        ("ugi(cmd=\" \")", "cmd= : it must be a command, as"),
        ("ugi(cmd=\"a 'b\")", "cmd=a 'b: it must be a command with a closing quote, as"),
        ("ugi(cmd=\"a\",speed=1)", "it takes cmd, start, grace, memory, keep, time, nodes, depth, visits."),
    ] {
        let error = seat(&spec("pylos"), agent, 1).err().unwrap_or_else(|| panic!("{agent}")).to_string();
        assert!(error.contains(says), "{agent}: {error}");
    }
}

#[test]
fn bad_positions_are_refused_and_the_next_is_served() {
    let spec = spec("pylos");
    assert!(spec.line_at("nonsense").unwrap_err().to_string().starts_with("position: "));
    let mut line = spec.line();
    line.try_play("1a1").unwrap();
    assert!(line.try_play("1a1").unwrap_err().to_string().starts_with("move 2 \"1a1\""));
    let mut agent = seat(&spec, "random", 1).unwrap();
    let mut think = |line: &dyn AnyLine| {
        agent.think(line, &Limit::default(), &Stop::never(), &mut |_| {}).map_err(|error| error.to_string())
    };
    let over = spec.line_at("DDDDDDLLLLLLLLLL/LLLLDDDLD/.DDD/. l").unwrap();
    assert!(think(&*over).unwrap_err().contains("the game is over"));
    assert!(think(&*GameSpec::parse("pylos(end=spent)").unwrap().line()).unwrap_err().contains("plays pylos, not"));
    assert!(think(&*line).is_ok());
}

/// The first moves of a game are random, the others the agent's; also with a name of the catalogue.
#[test]
fn random_first_moves() {
    let spec = spec("pylos");
    let think = |agent: &str, seed: u64, line: &dyn AnyLine| think(agent, seed, line, &Limit::default());
    for agent in ["greedy(eval=height,ties=first", "pylos:maximizing(eval=height,ties=first"] {
        let (plain, random) = (format!("{agent})"), format!("{agent},random-first=2)"));
        let mut line = spec.line();
        for ply in 0..8 {
            let wanted = think(&plain, 1, &*line).mv;
            let choices: Vec<_> = (0..20).map(|seed| think(&random, seed, &*line)).collect();
            // Two moves of each side are random: four plies.
            let by_chance = ply < 4;
            assert_eq!(choices.iter().all(|choice| choice.mv == wanted), !by_chance, "{agent}, ply {ply}");
            assert!(choices.iter().all(|choice| (choice.nodes == 0) == by_chance), "{agent}, ply {ply}");
            assert_eq!(choices[3].mv, think(&random, 3, &*line).mv);
            line.try_play(&choices[0].mv).unwrap();
        }
    }
}
