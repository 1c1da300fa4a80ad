//! The store against what was put into it.

use quintet_game::Player;

use super::*;
use crate::{Cost, Length};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("quintet-store-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn played(number: u64, record: &str) -> Played {
    let (result, reason) = (Some(Outcome::Win(Player::First)), EndReason::Apex);
    Played {
        number,
        seats: [0, 1],
        result,
        reason,
        fault: Some("it ended.".into()),
        plies: 1,
        record: record.to_owned(),
        cost: Cost::default(),
        worker: None,
    }
}

#[test]
fn games_come_back_as_they_were_kept() {
    let folder = folder("back");
    let plan = Plan::duel("pylos", ["random", "mcts"], Length::Games(4)).unwrap();
    let mut store = Store::open(&folder.join("deep").join("games.sqlite")).unwrap();
    let run = store.begin(&plan, "match").unwrap();
    let identity = |spec: &str| Identity { spec: spec.into(), ..Identity::default() };
    store.name_players(run, &plan, &[identity("random"), identity("mcts")]).unwrap();
    let game = played(0, "pylos; 1.1b2; first; apex; random, mcts; seed 1");
    for _ in 0..2 {
        // A game that two resumed runs both store is there once.
        store.keep(run, &plan, &game).unwrap();
    }
    drop(store);
    let mut store = Store::open(&folder.join("deep").join("games.sqlite")).unwrap();
    assert_eq!(store.played(run).unwrap(), std::slice::from_ref(&game));
    assert_eq!((store.runs().unwrap()[0].games, store.runs().unwrap()[0].ended.is_none()), ([1, 4], true));
    store.keep(run, &plan, &played(3, "late")).unwrap();
    store.end(run, &Results::new(plan.clone(), vec![game])).unwrap();
    assert_eq!(store.played(run).unwrap().len(), 1, "what came after the end is deleted");
    assert_eq!(store.games(None, Some("pylos")).unwrap().len(), 1);
    assert_eq!(store.games(None, Some("pyl")).unwrap().len(), 0);
    assert!(matches!(store.plan(99), Err(StoreError::Missing { id: 99, .. })));
    assert!(matches!(store.game(99), Err(StoreError::Missing { id: 99, .. })));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_full_disk_says_how_to_go_on() {
    let folder = folder("full");
    let plan = Plan::duel("pylos", ["random", "random"], Length::Games(2)).unwrap();
    let mut store = Store::open(&folder.join("games.sqlite")).unwrap();
    let run = store.begin(&plan, "match").unwrap();
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    store.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let error = store.keep(run, &plan, &played(0, &"x".repeat(100_000))).unwrap_err();
    let file = folder.join("games.sqlite");
    assert_eq!(
        error.to_string(),
        format!(
            "the store {} cannot be written: the disk is full. The last game was not stored, all before it are. Make room, then continue with `quintet resume {run}`.",
            file.display()
        )
    );
    // What belongs to no run names none.
    let record = Record::read(&format!("pylos; 1.1b2; *; ; {}; ", "x".repeat(100_000))).unwrap();
    let error = store.import(&[record], "a file").unwrap_err().to_string();
    assert!(error.contains("Nothing was stored. Make room, then try again.") && !error.contains("resume"), "{error}");
    // Nothing was lost, and what fits is still kept.
    store.keep(run, &plan, &played(1, "short")).unwrap();
    assert_eq!(store.played(run).unwrap().len(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_store_says_what_to_do() {
    let folder = folder("damaged");
    let path = folder.join("games.sqlite");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(&path, "this is not a database, and it is long enough to be looked at as one".repeat(100)).unwrap();
    let error = Store::open(&path).err().unwrap().to_string();
    assert!(error.contains("is damaged") && error.contains("Move it away"), "{error}");
    std::fs::remove_file(&path).unwrap();
    Store::open(&path).unwrap().connection.pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::TooNew { has: 99, .. })));
    // A folder where the file should be.
    let error = Store::open(&folder).err().unwrap().to_string();
    assert!(error.contains("--data DIR"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A run without the games of a worker can go on, even if it had come to its end.
#[test]
fn the_games_of_a_worker_can_be_dropped() {
    let folder = folder("dropped");
    let plan = Plan::duel("pylos", ["random", "random"], Length::Games(3)).unwrap();
    let mut store = Store::open(&folder.join("games.sqlite")).unwrap();
    let run = store.begin(&plan, "match").unwrap();
    let by = |number, worker: Option<&str>| Played { worker: worker.map(str::to_owned), ..played(number, "x") };
    for game in [by(0, Some("a-1")), by(1, Some("a-10")), by(2, None)] {
        store.keep(run, &plan, &game).unwrap();
    }
    store.end(run, &Results::new(plan.clone(), store.played(run).unwrap())).unwrap();
    assert_eq!(store.drop_worker(run, "a").unwrap(), 0);
    assert!(store.run(run).unwrap().ended.is_some());
    assert_eq!(store.drop_worker(run, "a-1").unwrap(), 1);
    let left: Vec<u64> = store.played(run).unwrap().iter().map(|played| played.number).collect();
    assert_eq!((left, store.run(run).unwrap().ended), (vec![1, 2], None));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_player_uses_is_kept() {
    let folder = folder("weights");
    let plan = Plan::duel("pylos", ["random", "mcts"], Length::Games(2)).unwrap();
    let mut store = Store::open(&folder.join("games.sqlite")).unwrap();
    let run = store.begin(&plan, "match").unwrap();
    let weights = vec![("pylos:b".into(), "ab\"12".into()), ("pylos:a".into(), "cd34".into())];
    let identity = |spec: &str| Identity { spec: spec.into(), ..Identity::default() };
    let identities = [Identity { weights, ..identity("random") }, identity("mcts")];
    store.name_players(run, &plan, &identities).unwrap();
    for (number, seats) in [(0, [0, 1]), (1, [1, 0])] {
        store.keep(run, &plan, &Played { seats, ..played(number, "x") }).unwrap();
    }
    let kept = store.games(Some(run), None).unwrap();
    let object = Some(r#"{"pylos:a":"cd34","pylos:b":"ab\"12"}"#.to_owned());
    assert_eq!(kept[0].weights, [object.clone(), None]);
    assert_eq!(kept[1].weights, [None, object]);
    // Games from elsewhere have unknown players.
    let record = quintet_game::record::Record::read("pylos; 1.1b2; *; unfinished; random, mcts; seed 1").unwrap();
    store.import(&[record], "a file").unwrap();
    assert_eq!(store.games(None, None).unwrap()[0].weights, [None, None]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A store of the first version is migrated with its games, and a game with a name is stored once.
#[test]
fn a_game_with_a_name_is_kept_once_also_in_an_old_store() {
    let folder = folder("once");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("games.sqlite");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(TABLES).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    old.execute_batch("INSERT INTO games (game, first, second, result, reason, plies, record) VALUES ('pylos', 'a', 'b', 'first', 'apex', 1, 'old')")
        .unwrap();
    drop(old);
    let mut store = Store::open(&path).unwrap();
    let record = Record::read("pylos; 1.1b2; second; resigned; anna, ben").unwrap();
    assert!(store.import_once(&record, "page", "room x").unwrap());
    assert!(!store.import_once(&record, "page", "room x").unwrap());
    assert!(store.import_once(&record, "page", "room y").unwrap());
    // Games without a name are not compared.
    assert_eq!(store.import(&[record.clone(), record], "file").unwrap(), 2);
    drop(store);
    let kept = Store::open(&path).unwrap().games(None, None).unwrap();
    assert_eq!((kept.len(), kept[0].record.as_str()), (5, "old"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// What a column cannot mean is an error that says so, and no draw.
#[test]
fn an_unknown_result_is_named() {
    let folder = folder("unknown");
    let store = Store::open(&folder.join("games.sqlite")).unwrap();
    let game = "INSERT INTO games (game, first, second, result, reason, plies, record) VALUES ('pylos', 'a', 'b', ?1, 'agreed', 1, '')";
    store.connection.execute(game, ["draw"]).unwrap();
    let kept = store.games(None, None).unwrap();
    assert_eq!((kept[0].result, &kept[0].reason), (Some(Outcome::Draw), &Some(EndReason::Other("agreed".into()))));
    store.connection.execute(game, ["lost"]).unwrap();
    let error = store.games(None, None).unwrap_err().to_string();
    assert!(error.contains("\"lost\" is not first, second, draw or *"), "{error}");
    drop(store);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn who_looks_does_not_wait_for_who_writes() {
    let folder = folder("look");
    let path = folder.join("games.sqlite");
    let writer = Store::open(&path).unwrap();
    writer.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(Store::open(&path).unwrap().runs().unwrap().is_empty());
    writer.connection.execute_batch("COMMIT").unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

/// The files beside a store cannot be made where a folder has their names, as on a medium that cannot be written.
#[test]
#[cfg(unix)]
fn a_store_can_be_read_where_nothing_can_be_written() {
    let folder = folder("read only");
    let file = folder.join("games?.sqlite");
    let plan = Plan::duel("pylos", ["random", "random"], Length::Games(2)).unwrap();
    let mut store = Store::open(&file).unwrap();
    let run = store.begin(&plan, "match").unwrap();
    store.keep(run, &plan, &played(0, "kept")).unwrap();
    drop(store);
    let [log, index] = ["games?.sqlite-wal", "games?.sqlite-shm"].map(|name| folder.join(name));
    for name in [&log, &index] {
        std::fs::create_dir(name).unwrap();
    }
    assert!(matches!(Store::open(&file), Err(StoreError::Closed { .. })));
    let mut store = Store::read(&file).unwrap();
    assert_eq!((store.runs().unwrap().len(), store.games(Some(run), None).unwrap()[0].record.as_str()), (1, "kept"));
    assert!(matches!(store.keep(run, &plan, &played(1, "refused")), Err(StoreError::Closed { .. })));
    drop(store);
    // What was never moved into the store itself would be missing, if it cannot be found either.
    std::fs::remove_dir(&log).unwrap();
    std::fs::remove_dir(&index).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", &index).unwrap();
    std::fs::write(&log, "left behind").unwrap();
    let error = Store::read(&file).err().unwrap().to_string();
    assert!(error.contains("-wal") && error.contains("copy it"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
