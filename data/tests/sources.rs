//! The user's files before the embedded ones.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use quintet_data::{Data, DataError, Embedded, Source as _};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("levels")).unwrap();
    folder
}

#[test]
fn every_folder_is_embedded() {
    for folder in [
        "agents",
        "experiments",
        "levels",
        "openings",
        "puzzles",
        "ratings",
        "solved",
        "strategies",
        "training",
        "weights",
    ] {
        let files = Embedded::list(folder);
        let some = cfg!(feature = "strategies") || folder != "strategies";
        assert!(files.is_empty() != some && files.is_sorted(), "{folder}");
        for file in files {
            let path = format!("{folder}/{file}");
            assert_eq!(Embedded.read(&path).unwrap().as_deref(), Embedded::bytes(&path), "{path}");
            assert!(Embedded::bytes(&path).is_some(), "{path}");
        }
    }
    // Strategies are named in a list, which must not lack one.
    let strategies = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/strategies")).unwrap();
    let names = strategies.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".strategy")).collect();
    names.sort();
    assert_eq!(Embedded::list("strategies"), if cfg!(feature = "strategies") { names } else { Vec::new() });
    assert_eq!(Embedded::list("src"), [""; 0]);
    for nothing in ["", "agents", "agents/", "agents/nobody.toml", "agents/../Cargo.toml", "src/lib.rs", "Cargo.toml"] {
        assert_eq!(Embedded::bytes(nothing), None, "{nothing}");
    }
}

#[test]
fn a_file_of_the_directory_stands_before_its_namesake() {
    let folder = folder("before");
    let data = Data::with_directory(&folder);
    assert_eq!(data.directory(), Some(&*folder));
    let embedded = data.find("levels/pylos.toml").unwrap().unwrap();
    assert_eq!(embedded.source(), None);
    fs::write(folder.join("levels/pylos.toml"), "mine").unwrap();
    let own = data.find("levels/pylos.toml").unwrap().unwrap();
    assert_eq!((own.text().unwrap(), own.source()), ("mine", Some(&*folder.join("levels/pylos.toml"))));
    assert_eq!(data.find("levels/nobody.toml").unwrap(), None);
    assert_eq!(Data::with_directory(&folder.join("nowhere")).find("levels/pylos.toml").unwrap().unwrap(), embedded);
}

#[test]
fn entries_of_the_directory_come_after_all_that_are_embedded() {
    let folder = folder("after");
    fs::write(folder.join("levels/pylos.toml"), "mine").unwrap();
    let mut heard = Vec::new();
    let games = ["pylos", "twixt", "nobody"].into_iter();
    let each = Data::with_directory(&folder).each("levels", games.clone(), "toml", |game, _, source| {
        heard.push((game, source.is_some()));
        Ok(())
    });
    each.unwrap();
    assert_eq!(heard, [("pylos", false), ("twixt", false), ("pylos", true)]);
    let refuse = |_: &str, text: &str, _: Option<&_>| if text == "mine" { Err("no.".into()) } else { Ok(()) };
    let error = Data::with_directory(&folder).each("levels", games, "toml", refuse).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: no.", folder.join("levels/pylos.toml").display()));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = folder("unreadable");
    let data = Data::with_directory(&folder);
    fs::create_dir(folder.join("levels/pylos.toml")).unwrap();
    fs::write(folder.join("levels/twixt.toml"), b"\xff").unwrap();
    let directory = data.find("levels/pylos.toml").unwrap_err();
    assert!(directory.to_string().contains("levels/pylos.toml: ") && matches!(directory, DataError::Unreadable { .. }));
    let file = data.find("levels/twixt.toml").unwrap().unwrap();
    let error = file.text().unwrap_err().to_string();
    assert!(error.ends_with("levels/twixt.toml: stream did not contain valid UTF-8"), "{error}");
}

#[test]
fn a_caller_supplies_files() {
    let files = BTreeMap::from([("strategies/mine.strategy", &b"bytes"[..])]);
    let data = Data::with_source(move |path: &str| Ok(files.get(path).map(|bytes| Cow::Borrowed(*bytes))));
    let file = data.clone().find("strategies/mine.strategy").unwrap().unwrap();
    assert_eq!((&*file.bytes, file.source()), (&b"bytes"[..], Some("strategies/mine.strategy".as_ref())));
    assert_eq!(data.directory(), None);
    assert!(data.find("agents/pylos.toml").unwrap().is_some());
    let broken = Data::with_source(|_: &str| Err(std::io::Error::other("offline")));
    assert_eq!(broken.find("agents/pylos.toml").unwrap_err().to_string(), "agents/pylos.toml: offline");
}

#[test]
fn files_of_the_directory_are_listed_with_the_embedded_ones() {
    let folder = folder("listed");
    fs::create_dir_all(folder.join("weights/pylos")).unwrap();
    for name in ["own", "td20"] {
        fs::write(folder.join(format!("weights/pylos/{name}.toml")), "").unwrap();
    }
    let mut expected: Vec<String> = Embedded::list("weights").into_iter().map(str::to_owned).collect();
    expected.push("pylos/own.toml".into());
    expected.sort();
    assert_eq!(Data::with_directory(&folder).list("weights"), expected);
    assert_eq!(Data::with_directory(&folder.join("nothing")).list("weights"), Embedded::list("weights"));
}
