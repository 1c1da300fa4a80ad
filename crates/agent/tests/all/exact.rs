//! Exact values.

use std::sync::Arc;

use quintet_agent::{Catalogue, EndgameProver, Exact, MidgameProver, Prover, Unproven, exact, provers};
use quintet_game::{AnyLine, GameSpec, Limit, Outcome, Player, Proof, Stop, Value};

/// Gives the same answer for every position.
#[derive(Debug)]
struct Sure(Option<Proof>);

impl Prover for Sure {
    fn name(&self) -> &str {
        "sure"
    }

    fn prove(&self, _: &dyn AnyLine, _: &Limit, _: &Stop) -> Result<Exact, Unproven> {
        let proof = self.0.ok_or_else(|| Unproven("not sure".into()))?;
        Ok(Exact { value: proof.into(), by: "sure".into(), moves: Vec::new(), complete: false, all_best: false })
    }
}

#[test]
fn provers_are_asked_in_their_order_and_the_rules_before_them() {
    let line = GameSpec::parse("pentago").unwrap().line();
    let ask = |provers: &[Arc<dyn Prover>], line: &dyn AnyLine| exact(provers, line, &Limit::default(), &Stop::never());
    assert!(ask(&[], &*line).unwrap_err().0.contains("no prover"));
    assert!(ask(&provers(), &*line).unwrap_err().0.contains("too far"));
    let list: [Arc<dyn Prover>; 3] =
        [Arc::new(Sure(None)), Arc::new(Sure(Some(Proof::Draw))), Arc::new(Sure(Some(Proof::Win)))];
    assert_eq!(ask(&list, &*line).unwrap().value.proof, Proof::Draw);
    assert_eq!(ask(&list[..1], &*line).unwrap_err().0, "not sure");
    let mut over = GameSpec::parse("pathwayz(rows=2,cols=2)").unwrap().line();
    for mv in ["a1", "a2", "b1"] {
        over.try_play(mv).unwrap();
    }
    let known = ask(&list, &*over).unwrap();
    assert_eq!((known.value, known.by.as_str()), (Value::loss_in(0), "the rules"));
}

#[test]
fn moves_come_the_best_first() {
    let position = "xxxx../oooo../....../....../....../...... x";
    let line = GameSpec::parse("pentago").unwrap().line_at(position).unwrap();
    let known = exact(&provers(), &*line, &Limit::default(), &Stop::never()).unwrap();
    assert_eq!((known.moves[0].0.as_str(), known.complete), ("e1", false));
    let merits: Vec<i64> = known.moves.iter().map(|(_, value)| value.merit()).collect();
    assert!(merits.is_sorted_by(|a, b| a >= b));
    assert!(known.moves.iter().any(|(_, value)| value.proof == Proof::Loss));
}

/// The rest of a game of Pentago, by brute force of one prover and by the other: the same results, move by move.
#[test]
fn two_provers_of_the_middle_game_agree() {
    for (game, plies) in [("pentago", 33), ("pentago(rules=turn-first)", 33), ("pentago-twist", 33)] {
        let spec = GameSpec::parse(game).unwrap();
        let mut compared = 0;
        for seed in 1..40 {
            let (mut line, mut player) = (spec.line(), quintet_agent::seat(&spec, "random", seed).unwrap());
            while line.end().is_none() && line.plies() < plies {
                let choice = player.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
                line.try_play(&choice.mv).unwrap();
            }
            if line.end().is_some() {
                continue;
            }
            let slow = EndgameProver::new(20_000_000).prove(&*line, &Limit::default(), &Stop::never()).unwrap();
            let fast = MidgameProver.prove(&*line, &Limit::default(), &Stop::never()).unwrap();
            assert_eq!(slow.value.proof, fast.value.proof, "{game} {:?}", line.moves());
            for (mv, value) in &slow.moves {
                let other = fast.moves.iter().find(|(other, _)| other == mv).unwrap();
                assert_eq!(value.proof, other.1.proof, "{game} {mv} {:?}", line.moves());
            }
            // The agent keeps the value and reports it.
            let mut exact = quintet_agent::seat(&spec, "exact(agent=random)", 1).unwrap();
            let choice = exact.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
            assert_eq!(choice.proof(), Some(fast.value.proof));
            assert!(fast.moves.iter().any(|(mv, value)| *mv == choice.mv && value.proof == fast.value.proof));
            compared += 1;
        }
        assert!(compared >= 3, "{game}: {compared}");
    }
}

#[test]
fn without_its_table_the_perfect_player_says_how_to_make_it() {
    let folder = std::env::temp_dir().join(format!("quintet-exact-{}", std::process::id()));
    let agents = Catalogue::with_folder(&folder).unwrap();
    let spec = GameSpec::parse("pylos(rules=expert)").unwrap();
    let error = agents.seat(&spec, "exact", 1).err().unwrap().to_string();
    assert!(error.contains("quintet solve 'pylos(rules=expert)'"), "{error}");
    for game in ["twixt", "pathwayz", "pentago"] {
        let error = agents.seat(&GameSpec::parse(game).unwrap(), "exact", 1).err().unwrap().to_string();
        assert!(error.contains("agent="), "{game}: {error}");
    }
}

/// The second player's winning strategy, against every first move, random play, and the other agents: it wins every game, says
/// from the first move on in how many plies at most, and keeps its word.
#[test]
fn pylos_perfect_wins_as_second_player_without_any_table() {
    let (mut games, mut slowest) = (0, (std::time::Duration::ZERO, 0));
    for spec in [
        "pylos(rules=children)",
        "pylos(rules=children,end=spent)",
        "pylos",
        "pylos(end=spent)",
        "pylos(takeback=free)",
        "pylos(rules=expert,takeback=free)",
    ] {
        let spec = GameSpec::parse(spec).unwrap();
        let openings = spec.line().legal_moves();
        for (seed, opening) in openings.iter().cycle().take(20).enumerate() {
            let seed = seed as u64;
            let mut second = Catalogue::embedded().seat(&spec, "pylos:perfect", seed).unwrap();
            let rival = ["random", "ordered(eval=difference,nodes=300)"][seed as usize % 2];
            let mut first = Catalogue::embedded().seat(&spec, rival, seed).unwrap();
            let mut line = spec.line();
            line.try_play(opening).unwrap();
            let mut promised = u32::MAX;
            while line.end().is_none() {
                let seat = if line.to_move() == Player::First { &mut first } else { &mut second };
                let choice = seat.think(&*line, &Limit::default(), &Stop::never(), &mut |_| ()).unwrap();
                if line.to_move() == Player::Second {
                    slowest = slowest.max((choice.elapsed, choice.depth));
                    assert_eq!(choice.proof(), Some(Proof::Win), "{:?}", line.moves());
                    assert!(choice.depth < promised, "{:?}: {} after {promised}", line.moves(), choice.depth);
                    promised = choice.depth;
                }
                line.try_play(&choice.mv).unwrap();
            }
            assert_eq!(line.end().unwrap().0, Outcome::Win(Player::Second));
            games += 1;
        }
    }
    println!("the slowest move and its distance: {slowest:?}");
    assert_eq!(games, 6 * 20);
}

/// A strategy of the user's replaces the built-in one; a damaged one is reported.
#[test]
fn a_strategy_is_read_from_the_data_directory() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own-strategies");
    std::fs::create_dir_all(folder.join("strategies")).unwrap();
    let (file, spec) =
        (folder.join("strategies/pylos-children.strategy"), GameSpec::parse("pylos(rules=children)").unwrap());
    let mut line = spec.line();
    line.try_play("1b2").unwrap();
    let ask = || {
        let agents = Catalogue::with_folder(&folder).unwrap();
        let proven = exact(&agents.provers(), &*line, &Limit::default(), &Stop::never()).map(|known| known.value.proof);
        let seat = agents.seat(&spec, "exact(agent=random)", 1);
        (proven.map_err(|why| why.0), seat.map(|_| ()).map_err(|why| why.to_string()))
    };
    let whole = quintet_data::Embedded::bytes("strategies/pylos-children.strategy").unwrap();
    std::fs::write(&file, whole).unwrap();
    assert_eq!(ask(), (Ok(Proof::Win), Ok(())));
    std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let (proven, seat) = ask();
    assert!(proven.is_err());
    let error = seat.unwrap_err();
    assert!(error.contains("pylos-children.strategy") && error.contains("checksum"), "{error}");
}
