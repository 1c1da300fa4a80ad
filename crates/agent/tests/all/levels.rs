//! Levels: eight per game, with the same names everywhere; and slips, which make the weak ones.

use quintet_agent::{Catalogue, seat};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::{GAMES, GameSpec, Limit, Outcome, Rng, SeedableRng as _, Stop};

fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

#[test]
fn every_game_has_eight_and_each_plays() {
    for info in GAMES {
        let game = spec(info.name);
        let levels: Vec<_> = Catalogue::embedded().levels().filter(|level| level.game == info.name).collect();
        assert_eq!(levels.iter().map(|level| level.level).collect::<Vec<_>>(), (1..=8).collect::<Vec<u32>>());
        for level in levels {
            let mut seat = seat(&game, &level.token(), 1).unwrap_or_else(|error| panic!("{}: {error}", info.name));
            let limit = Limit { visits: Some(10), ..Limit::nodes(10) };
            let mut line = game.line();
            let choice = seat.think(&*line, &limit, &Stop::never(), &mut |_| {}).unwrap();
            line.try_play(&choice.mv).unwrap();
        }
    }
}

/// A time limit would play differently on every machine, and visitors of the page get neither several threads nor much memory.
#[test]
fn budgets_are_fixed_and_modest() {
    for level in Catalogue::embedded().levels() {
        let of = |key: &str| level.spec.arguments.iter().find(|(known, _)| known == key).map(|(_, value)| value);
        assert!(of("time").is_none() && of("threads").is_none(), "{} {}", level.game, level.token());
        // People slip to moves that look good; and from the fourth level on nobody misses a win in one.
        assert!(of("slips").is_some() || level.level > 4, "{} {}", level.game, level.token());
        assert!(of("slips").is_none() || level.level <= 5, "{} {}", level.game, level.token());
        assert_eq!(of("slips").is_some(), of("slip-temperature").is_some(), "{} {}", level.game, level.token());
        assert_eq!(of("sees-wins").is_some(), level.level >= 4, "{} {}", level.game, level.token());
    }
}

#[test]
fn no_clock_ends_the_thought_of_a_level() {
    let agents = Catalogue::embedded();
    for level in 1..=8 {
        let name = format!("level:{level}");
        let limits = [
            agents.search::<Pathwayz>(&spec("pathwayz"), &name, 1).unwrap().1,
            agents.search::<Pylos>(&spec("pylos"), &name, 1).unwrap().1,
            agents.search::<Pentago>(&spec("pentago"), &name, 1).unwrap().1,
        ];
        assert!(limits.iter().all(|limit| limit.time.is_none()), "{name}: {limits:?}");
    }
}

#[test]
fn levels_are_built_in_every_variant() {
    let variants = [
        "pathwayz(rows=2,cols=12)",
        "pathwayz(rows=8,cols=2)",
        "pylos(rules=children)",
        "pylos(rules=expert-diag,takeback=free)",
        "pylos(end=spent)",
        "twixt(size=3)",
        "twixt(size=24,swap=off)",
        "twixt(size=18,rules=paper)",
        "twixt(size=8,rules=pp,swap=turn)",
        "pentago(rules=turn-first)",
    ];
    for game in variants.map(spec) {
        for level in 1..=8 {
            seat(&game, &format!("level:{level}"), 1).unwrap_or_else(|error| panic!("{game}: {error}"));
        }
    }
}

/// Positions at the end of random games in which the side to move can win at once.
#[test]
fn no_win_in_one_is_missed_from_level_four_on() {
    for game in ["pathwayz", "pylos", "twixt(size=6)", "twixt", "pentago-twist", "pentago"].map(spec) {
        let mut seats: Vec<_> = (4..=8).map(|level| seat(&game, &format!("level:{level}"), 1).unwrap()).collect();
        let mut found = 0;
        for seed in 0..400 {
            let (mut line, mut rng) = (game.line(), Rng::seed_from_u64(seed));
            while line.end().is_none() {
                let mv = line.random_move(&mut rng).unwrap();
                line.try_play(&mv).unwrap();
            }
            let winner = line.end().unwrap().0;
            line.undo().unwrap();
            if winner != Outcome::Win(line.to_move()) {
                continue;
            }
            for seat in &mut seats {
                let choice = seat.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
                let mut after = line.clone();
                after.try_play(&choice.mv).unwrap();
                assert_eq!(after.end().map(|end| end.0), Some(winner), "{game}: {}", line.position());
            }
            found += 1;
            if found == 10 {
                break;
            }
        }
        assert_eq!(found, 10, "{game}");
    }
}

/// A slip is drawn from the priors: at a low temperature it is the best move of the guide, at a high one almost any.
#[test]
fn slips_follow_the_priors_at_their_temperature() {
    let (game, line) = (spec("pentago"), spec("pentago").line());
    let different = |temperature: &str| {
        let agent = format!("puct(eval=net,visits=1,slips=1,slip-temperature={temperature})");
        let mut seat = seat(&game, &agent, 1).unwrap();
        let mut think = || seat.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap().mv;
        (0..60).map(|_| think()).collect::<std::collections::HashSet<_>>().len()
    };
    let [cold, warm, hot] = ["0.01", "1", "100"].map(different);
    assert!(cold < warm && warm < hot && hot > 40, "{cold} {warm} {hot}");
    for bad in ["0", "-1", "warm"] {
        let error = seat(&game, &format!("puct(eval=net,slip-temperature={bad})"), 1).err().unwrap().to_string();
        assert!(error.starts_with(&format!("slip-temperature={bad}")), "{error}");
    }
}

#[test]
fn a_name_that_is_no_level_is_refused() {
    for name in ["level:0", "level:9", "level:x", "level:", "level:4.5"] {
        let error = Catalogue::embedded().resolved(&spec("pylos"), name).unwrap_err().to_string();
        assert!(error.contains("level:1 to level:8"), "{name}: {error}");
    }
    // A level is a name like any other: arguments given with it replace its own.
    let resolved = Catalogue::embedded().resolved(&spec("pylos"), "level:8(slips=0.5)").unwrap();
    assert!(resolved.contains("slips=0.5"), "{resolved}");
}

#[test]
fn levels_of_ones_own_stand_before_those_of_the_program() {
    let data = std::env::temp_dir().join(format!("quintet-levels-{}", std::process::id()));
    std::fs::create_dir_all(data.join("levels")).unwrap();
    let file = data.join("levels").join("pylos.toml");
    std::fs::write(&file, "[[level]]\nlevel = 3\nagent = \"greedy(eval=height)\"\nstrength = \"12 +- 3\"\n").unwrap();
    let agents = Catalogue::with_folder(&data).unwrap();
    assert_eq!(agents.resolved(&spec("pylos"), "level:3").unwrap(), "greedy(eval=height)");
    assert_eq!(agents.levels().filter(|level| level.game == "pylos").count(), 8);
    assert_ne!(agents.resolved(&spec("pentago"), "level:3").unwrap(), "greedy(eval=height)");
    std::fs::write(&file, "[[level]]\nlevel = 3\nagent = \"level:3\"\n").unwrap();
    let error = Catalogue::with_folder(&data).unwrap().resolved(&spec("pylos"), "level:3").unwrap_err();
    assert_eq!(error.to_string(), "level:3 refers to itself.");
    for (text, says) in [
        ("[[level]]\nlevel = 9\nagent = \"random\"\n", "from 1 to 8"),
        ("[[level]]\nlevel = 1\nagent = \"random(\"\n", "level 1"),
        ("[[level]]\nagent = \"random\"\n", "level"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = Catalogue::with_folder(&data).unwrap_err().to_string();
        assert!(error.contains("pylos.toml") && error.contains(says), "{error}");
    }
    std::fs::remove_dir_all(data).unwrap();
}

/// Pathwayz 4 x 2: White has a win in one. A player without slips always proves it; one with slips misses it at the expected rate.
#[test]
fn slips_come_at_their_rate_and_the_same_for_the_same_seed() {
    let game = spec("pathwayz(rows=4,cols=2)");
    let mut line = game.line();
    for mv in ["a1", "a3"] {
        line.try_play(mv).unwrap();
    }
    let misses = |slips: &str, seed: u64| -> Vec<bool> {
        let mut seat = seat(&game, &format!("mcts(visits=300,slips={slips})"), seed).unwrap();
        let mut think = || seat.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
        (0..400).map(|_| think().known.is_none()).collect()
    };
    assert_eq!(misses("0", 1).iter().filter(|missed| **missed).count(), 0);
    assert_eq!(misses("1", 1).iter().filter(|missed| **missed).count(), 400);
    let half = misses("0.5", 1);
    // Five standard deviations of a fair coin.
    assert!((150..=250).contains(&half.iter().filter(|missed| **missed).count()));
    assert_eq!(half, misses("0.5", 1));
    assert_ne!(half, misses("0.5", 2));
    for bad in ["2", "-1", "much"] {
        let error = seat(&game, &format!("random(slips={bad})"), 1).err().unwrap().to_string();
        assert!(error.starts_with(&format!("slips={bad}")), "{error}");
    }
}
