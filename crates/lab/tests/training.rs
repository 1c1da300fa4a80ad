//! What was trained is measured, unless somebody stops it before; then it can be measured later.

use quintet_agent::Catalogue;
use quintet_eval::Weights;
use quintet_game::Stop;
use quintet_lab::{Training, TrainingFolder, TrainingRequest, run_folder};
use quintet_learn::{Recipe, Recipes, TrainContext};

/// A recipe whose trials are short.
fn recipe() -> Recipe {
    let mut recipe = Recipes::embedded().find("pathwayz:td52").unwrap().clone();
    recipe.test.iter_mut().for_each(|trial| trial.games = 2);
    recipe
}

#[test]
fn weights_are_measured_once_and_a_stop_leaves_them_for_later() {
    let data = std::env::temp_dir().join(format!("quintet-lab-training-{}", std::process::id()));
    let request = TrainingRequest::new(recipe(), 3).games(50).unwrap();
    let (name, stop) = (request.folder_name(), Stop::new());
    let context = TrainContext { agents: Catalogue::embedded(), threads: 2, stop: &stop };
    let mut training = Training::begin(request, &run_folder(&data, &name)).unwrap();
    assert!(training.learn(&context, &mut |_| {}).unwrap());
    // Stopped in the middle of its trials: what was learned is there, and it is not over.
    let stopped = training.measure(&context, &mut |_, _| stop.stop()).unwrap();
    assert_eq!(stopped, None);
    let is_over = || TrainingFolder::find(&data, &name).unwrap().is_over(Recipes::embedded());
    let file = run_folder(&data, &name).join("td52.toml");
    let strength = || Weights::parse(&std::fs::read_to_string(&file).unwrap()).unwrap().made.strength;
    assert_eq!((strength().as_str(), is_over()), ("not measured", false));
    drop(training);
    let context = TrainContext { stop: &Stop::never(), ..context };
    let mut training = Training::resume(recipe(), &run_folder(&data, &name)).unwrap();
    assert!(training.learn(&context, &mut |_| panic!("nothing is left to learn")).unwrap());
    let mut games = Vec::new();
    let trained = training.measure(&context, &mut |_, done| games.push(done)).unwrap().unwrap();
    assert_eq!(games, [0, 1, 2, 0, 1, 2]);
    assert!(trained.strength.contains(" of 2 games against pathwayz:adv-baseline; "), "{}", trained.strength);
    assert_eq!((strength(), is_over()), (trained.strength.clone(), true));
    // Once is enough, and what is measured stays so.
    let again = training.measure(&context, &mut |_, _| panic!("it was measured before")).unwrap();
    assert_eq!(again, Some(trained.clone()));
    training.write().unwrap();
    assert_eq!(strength(), trained.strength);
    std::fs::remove_dir_all(&data).unwrap();
}

/// Every stage of a recipe is measured by itself, and its strength told with that of the end.
#[test]
fn stages_are_measured_one_by_one() {
    let folder = std::env::temp_dir().join(format!("quintet-lab-stages-{}", std::process::id()));
    let mut recipe = Recipes::embedded().find("pathwayz:tdl440").unwrap().clone();
    recipe.test.iter_mut().for_each(|trial| trial.games = 2);
    let mut request = TrainingRequest::new(recipe, 3).games(10).unwrap();
    for (key, value) in [("last-games", "2"), ("last-block", "2"), ("spec", "pathwayz(rows=4,cols=6)")] {
        request = request.set(key, value).unwrap();
    }
    let context = TrainContext { agents: Catalogue::embedded(), threads: 2, stop: &Stop::never() };
    let mut training = Training::begin(request, &folder).unwrap();
    assert!(training.learn(&context, &mut |_| {}).unwrap());
    let trained = training.measure(&context, &mut |_, _| {}).unwrap().unwrap();
    let parts: Vec<&str> = trained.strength.split("; ").collect();
    assert_eq!(parts.len(), 8, "{}", trained.strength);
    for (number, part) in parts.iter().enumerate() {
        let stage = format!("after stage {} ", number / 2 + 1);
        assert_eq!(part.starts_with(&stage), number < 6, "{part}");
        let against = ["pathwayz:adv-baseline", "pathwayz:beam"][number % 2];
        assert!(part.ends_with(&format!(" of 2 games against {against}")), "{part}");
    }
    assert!(trained.score().is_some());
    let weights = |file: &str| Weights::parse(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
    let second = weights("stages/2.toml");
    assert_eq!((second.kind.as_str(), second.made.games), ("pathwayz-52", 12));
    assert_eq!(
        format!("after stage 2 {}", second.made.strength).replace("; ", "; after stage 2 "),
        parts[2..4].join("; ")
    );
    assert_eq!(weights("stages/4.toml").values, weights("tdl440.toml").values);
    assert_eq!(weights("tdl440.toml").made.strength, trained.strength);
    std::fs::remove_dir_all(&folder).unwrap();
}
