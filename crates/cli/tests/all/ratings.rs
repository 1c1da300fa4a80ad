//! `quintet ratings`, and the levels that it rates.

use std::process::{Command, Output};

use quintet_agent::Catalogue;
use quintet_game::{GAMES, GameSpec};
use serde_json::Value;

fn quintet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quintet")).args(args).output().unwrap()
}

fn text(args: &[&str]) -> String {
    let output = quintet(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn eight_levels_of_every_game_rise_and_have_errors() {
    for info in GAMES {
        let all: Value = serde_json::from_str(&text(&["ratings", info.name, "--json"])).unwrap();
        let rows = all["ratings"].as_array().unwrap();
        let row = |name: &str| rows.iter().find(|row| row["player"] == name);
        let anchor = row(all["anchor"].as_str().unwrap()).unwrap();
        assert_eq!((anchor["elo"].as_f64(), anchor["error"].as_f64()), (Some(1500.0), Some(0.0)), "{}", info.name);
        let mut below = f64::NEG_INFINITY;
        for level in Catalogue::embedded().levels().filter(|level| level.game == info.name) {
            let rated = row(&level.token()).unwrap_or_else(|| panic!("{} {}", info.name, level.token()));
            let (elo, error) = (rated["elo"].as_f64().unwrap(), rated["error"].as_f64().unwrap());
            assert!(elo > below && error > 0.0, "{} {}", info.name, level.token());
            // What the page shows is what the games say.
            assert_eq!(level.strength, format!("{elo:.0} +- {error:.0}"), "{} {}", info.name, level.token());
            below = elo;
        }
    }
}

/// Ratings of other specs than today's would be of other players.
#[test]
fn the_players_that_were_measured_are_those_of_today() {
    for info in GAMES {
        let path = format!("ratings/{}.toml", info.name);
        let file = quintet_data::Data::embedded().find(&path).unwrap().unwrap();
        let read: quintet_arena::RatingFile = toml::from_str(file.text().unwrap()).unwrap();
        let spec = GameSpec::parse(&read.game).unwrap();
        assert_eq!(spec.info().name, info.name);
        for met in &read.matches {
            for (player, measured) in met.players.iter().zip(&met.specs) {
                assert_eq!(Catalogue::embedded().resolved(&spec, player).as_ref(), Ok(measured), "{path}: {player}");
            }
        }
    }
}

#[test]
fn a_person_reads_strengths_with_errors() {
    let printed = text(&["ratings", "pentago"]);
    assert!(printed.contains("level:8") && printed.contains("pentago:evolved has the rating 1500"), "{printed}");
    assert!(printed.contains("Davidson") && printed.contains("+-"), "{printed}");
    let listed = text(&["agents", "pentago"]);
    let strength =
        &Catalogue::embedded().levels().find(|level| level.game == "pentago" && level.level == 4).unwrap().strength;
    assert!(listed.contains(&format!("Level 4, {strength}")), "{listed}");
    let wrong = quintet(&["ratings", "chess"]);
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("chess"));
}
