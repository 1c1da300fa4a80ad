//! A net of random numbers, as the requests of a page show it.

use std::path::PathBuf;
use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_api::Api;
use quintet_eval::net::random_file;
use quintet_game::pentago::Pentago;
use quintet_game::{GameSpec, Limit, Stop};
use serde_json::{Value, json};

#[test]
fn a_page_is_told_the_policy_of_a_net() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("nets");
    let file = folder.join("weights/pentago/net.safetensors");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, random_file(&Pentago::standard(), "pentago", 1, 16, 1).unwrap()).unwrap();
    let api = Api { agents: Arc::new(Catalogue::with_folder(&folder).unwrap()), ..Api::embedded() };

    let asked = json!({ "game": "pentago", "moves": [], "eval": "net" });
    let explained = api.explain(&serde_json::from_value(asked).unwrap()).unwrap();
    let names: Vec<&str> = explained["terms"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["win", "draw", "loss"]);
    let policy = explained["policy"].as_array().unwrap();
    assert_eq!(policy.len(), 288);

    let spec = GameSpec::parse("pentago").unwrap();
    let mut reports = Vec::new();
    let mut seat = api.agents.seat(&spec, "puct(eval=net)", 1).unwrap();
    let mut hear = |report: &_| reports.push(serde_json::to_value(quintet_api::shown_report(report)).unwrap());
    seat.think(&*spec.line(), &Limit::visits(50), &Stop::never(), &mut hear).unwrap();
    let roots = reports.last().unwrap()["roots"].as_array().unwrap();
    let after = |mv: &Value| {
        let mut line = spec.line();
        line.try_play(mv.as_str().unwrap()).unwrap();
        line.position()
    };
    for root in roots {
        // Moves that lead to equal positions, such as turns of empty quadrants, count as one.
        let reached = after(&root["move"]);
        let same = policy.iter().filter(|row| after(&row["move"]) == reached);
        let share: f64 = same.map(|row| row["share"].as_f64().unwrap()).sum();
        assert!((root["prior"].as_f64().unwrap() - share).abs() < 1e-6, "{root}");
    }
    // Other evaluations have no policy, other searches no priors.
    let asked = json!({ "game": "pentago", "moves": [], "eval": "e3" });
    assert!(api.explain(&serde_json::from_value(asked).unwrap()).unwrap().get("policy").is_none());
    let mut seat = api.agents.seat(&spec, "mcts", 1).unwrap();
    let mut told = String::new();
    let mut hear = |report: &_| told = serde_json::to_string(&quintet_api::shown_report(report)).unwrap();
    seat.think(&*spec.line(), &Limit::visits(50), &Stop::never(), &mut hear).unwrap();
    assert!(told.contains("roots") && !told.contains("prior"), "{told}");
}
