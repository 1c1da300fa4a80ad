//! The page: its HTML, scripts, styles and pictures, embedded.
//!
//! ```
//! assert!(quintet_web::files().any(|(path, bytes)| path == "index.html" && bytes.starts_with(b"<!doctype html>")));
//! assert!(quintet_web::files().any(|(path, _)| path == "js/boards/pylos.js"));
//! ```

use include_dir::{Dir, DirEntry, include_dir};

static TOP: [(&str, &[u8]); 4] = [
    ("index.html", include_bytes!("../index.html")),
    ("sources.html", include_bytes!("../sources.html")),
    ("gallery.html", include_bytes!("../gallery.html")),
    ("icon.svg", include_bytes!("../icon.svg")),
];

static FOLDERS: [(&str, Dir<'static>); 3] = [
    ("bundle", include_dir!("$CARGO_MANIFEST_DIR/bundle")),
    ("css", include_dir!("$CARGO_MANIFEST_DIR/css")),
    ("js", include_dir!("$CARGO_MANIFEST_DIR/js")),
];

/// All files of the page: the path of each, as the page asks for it, and its content.
pub fn files() -> impl Iterator<Item = (String, &'static [u8])> {
    let inner = FOLDERS.iter().flat_map(|(folder, files)| {
        let found = files.find("**/*").expect("the pattern is well formed").filter_map(DirEntry::as_file);
        found.map(move |file| (format!("{folder}/{}", file.path().display()), file.contents()))
    });
    TOP.iter().map(|(path, bytes)| ((*path).to_owned(), *bytes)).chain(inner)
}
