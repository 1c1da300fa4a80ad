//! Learned parameters: their file format, and the store in which evaluations find them by name.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quintet_data::{Data, DataError, File};
use quintet_game::text::quote;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::net::store::Opened;
use crate::net::{Net, TinyNet};
use crate::{Argument, Arguments, Spec, SpecError};

/// Learned parameters, and how they were made. Their text form is a TOML file.
///
/// ```
/// use quintet_eval::{Made, Weights};
/// let mut weights = Weights::new("pathwayz-52", Made { command: "by hand".into(), ..Made::default() });
/// weights.values.insert("ahead".into(), vec![160.5]);
/// let text = weights.to_text();
/// assert_eq!(Weights::parse(&text).unwrap(), weights);
/// assert!(Weights::parse(&text.replace("160.5", "161.5")).unwrap_err().to_string().contains("checksum"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The evaluation for which they are.
    pub kind: String,
    /// How they were made.
    pub made: Made,
    /// The numbers: one per name in linear models, lists in others.
    pub values: BTreeMap<String, Vec<f64>>,
}

/// How weights were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Made {
    /// The command that makes them.
    pub command: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The commit of the program's source, if known.
    pub commit: String,
    /// Games that were played for them.
    pub games: u64,
    /// Their measured strength: score, interval, games, opponent.
    pub strength: String,
    /// Everything else worth keeping: counts of samples, errors.
    pub notes: BTreeMap<String, String>,
}

/// Why a file of weights was refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is not a file of weights.
    #[error("it is not a file of weights: {0}")]
    Foreign(String),
    /// Another version of this program wrote it.
    #[error("it has format {0}; this program reads format {FORMAT}. Train again, or use the program that wrote it.")]
    Format(i64),
    /// The content is not what was written.
    #[error("it is damaged: its checksum is {written}, its content has {found}. Get it again, or train again.")]
    Damaged {
        /// The checksum in the file.
        written: String,
        /// The checksum of the content.
        found: String,
    },
}

/// The version of the file format.
const FORMAT: i64 = 1;

/// Numbers per line of a list.
const NUMBERS_PER_LINE: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    format: i64,
    kind: String,
    checksum: String,
    made: Made,
    values: BTreeMap<String, Numbers>,
}

/// How they were made, as a section of the file.
#[derive(Serialize)]
struct History<'a> {
    made: &'a Made,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    One(f64),
    Many(Vec<f64>),
}

impl Weights {
    /// Weights without any values yet.
    #[must_use]
    pub fn new(kind: &str, made: Made) -> Weights {
        Weights { kind: kind.into(), made, values: BTreeMap::new() }
    }

    /// A linear model: one number per name.
    #[must_use]
    pub fn linear<'a>(kind: &str, weights: impl IntoIterator<Item = (&'a str, f64)>) -> Weights {
        let values = weights.into_iter().map(|(name, weight)| (name.to_owned(), vec![weight])).collect();
        Weights { kind: kind.into(), made: Made::default(), values }
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// When it is not a file of weights, has another version, or was changed.
    pub fn parse(text: &str) -> Result<Weights, WeightsError> {
        let foreign = |error: toml::de::Error| WeightsError::Foreign(error.to_string().trim_end().to_owned());
        let table: toml::Table = text.parse().map_err(foreign)?;
        match table.get("format").and_then(toml::Value::as_integer) {
            None => return Err(WeightsError::Foreign("it does not begin with a format.".into())),
            Some(FORMAT) => {}
            Some(other) => return Err(WeightsError::Format(other)),
        }
        let written: WeightsFile = table.try_into().map_err(foreign)?;
        debug_assert_eq!(written.format, FORMAT);
        let values = written.values.into_iter().map(|(name, numbers)| match numbers {
            Numbers::One(number) => (name, vec![number]),
            Numbers::Many(numbers) => (name, numbers),
        });
        let weights = Weights { kind: written.kind, made: written.made, values: values.collect() };
        if let Some((name, _)) = weights.values.iter().find(|(_, list)| !list.iter().all(|number| number.is_finite())) {
            return Err(WeightsError::Foreign(format!("a value of \"{}\" is not finite.", quote(name, 40))));
        }
        let found = weights.checksum();
        if found == written.checksum {
            Ok(weights)
        } else {
            Err(WeightsError::Damaged { written: written.checksum, found })
        }
    }

    /// The text of the file.
    ///
    /// # Panics
    /// When a value is not finite: training must check that first.
    #[must_use]
    pub fn to_text(&self) -> String {
        assert!(self.values.values().flatten().all(|number| number.is_finite()), "weights are finite");
        let made = toml::to_string(&History { made: &self.made }).expect("texts and numbers have a form in TOML");
        let mut text = format!(
            "format = {FORMAT}\nkind = {}\nchecksum = \"{}\"\n\n{made}\n[values]\n",
            basic(&self.kind),
            self.checksum()
        );
        for (name, numbers) in &self.values {
            let name = basic(name);
            let _ = match numbers.as_slice() {
                [number] => writeln!(text, "{name} = {number:?}"),
                numbers => writeln!(text, "{name} = [{}]", list(numbers)),
            };
        }
        text
    }

    /// SHA-256 of the kind and the values, as stored in a game's record.
    #[must_use]
    pub fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.kind.as_bytes());
        for (name, numbers) in &self.values {
            hash.update([0]);
            hash.update(name.as_bytes());
            hash.update([0]);
            for number in numbers {
                hash.update(number.to_le_bytes());
            }
        }
        hex(hash)
    }

    /// The list of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn list(&self, name: &str) -> Result<&[f64], String> {
        let list = self.values.get(name).ok_or_else(|| format!("it has no values \"{name}\"."))?;
        Ok(list)
    }

    /// The single number of this name.
    ///
    /// # Errors
    /// When there is none, or it is a list.
    pub fn number(&self, name: &str) -> Result<f64, String> {
        match self.list(name)? {
            [number] => Ok(*number),
            list => Err(format!("\"{name}\" has {} values, not one.", list.len())),
        }
    }

    /// One weight for each of these names, and no others.
    ///
    /// # Errors
    /// When one is missing or superfluous.
    pub fn in_order(&self, names: &[String]) -> Result<Vec<f64>, String> {
        if let Some(extra) = self.values.keys().find(|name| !names.contains(name)) {
            return Err(format!(
                "it has a weight for \"{}\", which is not a feature of {}.",
                quote(extra, 40),
                self.kind
            ));
        }
        names.iter().map(|name| self.number(name)).collect()
    }
}

/// A text in quotes, on one line, as TOML requires of names.
fn basic(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The text of a finished hash.
pub(crate) fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn list(numbers: &[f64]) -> String {
    let lines = numbers.chunks(NUMBERS_PER_LINE).map(|line| {
        let line: Vec<String> = line.iter().map(|number| format!("{number:?}")).collect();
        line.join(", ")
    });
    lines.collect::<Vec<_>>().join(",\n  ")
}

/// Where learned parameters are found: the built-in ones, and the user's, which replace built-in ones of the same
/// name. The name `pathwayz:tdl52` is the file `weights/pathwayz/tdl52.toml`.
///
/// ```
/// use quintet_eval::WeightStore;
/// let error = WeightStore::embedded().weights("pathwayz:nobody").unwrap_err().to_string();
/// assert!(error.contains("quintet train pathwayz:nobody"));
/// ```
#[derive(Debug, Default)]
pub struct WeightStore {
    data: Data,
    read: Mutex<HashMap<String, Arc<Weights>>>,
    pub(crate) books: crate::book::Opened,
    pub(crate) nets: Opened<Net>,
    pub(crate) tiny_nets: Opened<TinyNet>,
}

impl Clone for WeightStore {
    fn clone(&self) -> WeightStore {
        WeightStore::new(self.data.clone())
    }
}

impl WeightStore {
    /// The built-in weights.
    #[must_use]
    pub fn embedded() -> &'static WeightStore {
        static EMBEDDED: OnceLock<WeightStore> = OnceLock::new();
        EMBEDDED.get_or_init(WeightStore::default)
    }

    /// The weights of this data.
    ///
    /// ```
    /// use std::path::Path;
    /// use quintet_data::Data;
    /// use quintet_eval::WeightStore;
    /// let store = WeightStore::new(Data::with_directory(Path::new("mine")));
    /// assert_eq!(store.data().directory(), Some(Path::new("mine")));
    /// ```
    #[must_use]
    pub fn new(data: Data) -> WeightStore {
        WeightStore { data, ..WeightStore::default() }
    }

    /// The data from which it reads them.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The built-in weights, with these taking precedence.
    pub(crate) fn holding(name: &str, weights: Weights) -> WeightStore {
        WeightStore {
            read: Mutex::new(HashMap::from([(name.to_owned(), Arc::new(weights))])),
            ..WeightStore::default()
        }
    }

    /// The names of the files with this extension, the user's and the built-in ones.
    pub(crate) fn names(&self, ending: &str) -> Vec<String> {
        let name = |path: String| Some(path.strip_suffix(ending)?.strip_suffix('.')?.replacen('/', ":", 1));
        self.data.list("weights").into_iter().filter_map(name).collect()
    }

    /// The text of a file by its name and extension, with its path unless it is built in.
    ///
    /// # Errors
    /// When a file of the user's cannot be read. `None` if there is no such file.
    pub fn text(&self, name: &str, ending: &str) -> Result<Option<(String, Option<PathBuf>)>, SpecError> {
        let Some(file) = self.file(name, ending)? else { return Ok(None) };
        let text = file.text().map_err(unreadable)?.to_owned();
        Ok(Some((text, file.source().map(Path::to_owned))))
    }

    /// The file of a name and an extension.
    pub(crate) fn file(&self, name: &str, ending: &str) -> Result<Option<File>, SpecError> {
        let Some((game, own)) = name.split_once(':') else { return Ok(None) };
        let plain = |part: &str| !part.contains([':', '/', '\\']) && !part.starts_with('.') && !part.is_empty();
        if !plain(game) || !plain(own) {
            return Ok(None);
        }
        self.data.find(&format!("weights/{game}/{own}.{ending}")).map_err(unreadable)
    }

    /// Weights by their name.
    ///
    /// # Errors
    /// When there are none of this name, or their file is damaged or invalid.
    pub fn weights(&self, name: &str) -> Result<Arc<Weights>, SpecError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(name) {
            return Ok(known.clone());
        }
        let Some((text, path)) = self.text(name, "toml")? else {
            let known = self.names("toml").join(", ");
            let why = format!(
                "were not found; the known ones are {known}. If it is a recipe, make them: quintet train {name}"
            );
            return Err(unusable(&format!("weights \"{}\"", quote(name, 60)), why));
        };
        let from = path.map_or(name.to_owned(), |path| path.display().to_string());
        let weights = Arc::new(parsed(&text, &from)?);
        read.insert(name.to_owned(), weights.clone());
        Ok(weights)
    }

    /// The weights that the argument `weights` names, such as `pathwayz:tdl52`, or a file in quotes; `None` if it was not given.
    ///
    /// ```
    /// use quintet_eval::{Spec, WeightStore};
    ///
    /// /// One weight per feature: those that the spec names, or zeros.
    /// fn weights(spec: &Spec, features: &[String], store: &WeightStore) -> Result<Vec<f64>, String> {
    ///     let mut arguments = spec.arguments();
    ///     let learned = store.asked(&mut arguments, &spec.kind).map_err(|error| error.to_string())?;
    ///     arguments.finish().map_err(|error| error.to_string())?;
    ///     learned.map_or_else(|| Ok(vec![0.0; features.len()]), |learned| learned.in_order(features))
    /// }
    ///
    /// let features = ["length".to_owned()];
    /// let spec = |text: &str| Spec::parse(text).unwrap();
    /// assert_eq!(weights(&spec("mine"), &features, WeightStore::embedded()), Ok(vec![0.0]));
    /// let refused = weights(&spec("mine(weights=pathwayz:tdl52)"), &features, WeightStore::embedded());
    /// assert!(refused.unwrap_err().contains("not for mine"));
    /// ```
    ///
    /// # Errors
    /// When they are missing or were made for another evaluation than `kind`.
    pub fn asked(&self, arguments: &mut Arguments, kind: &str) -> Result<Option<Arc<Weights>>, SpecError> {
        let Some(value) = arguments.take("weights") else { return Ok(None) };
        let (weights, name) = match value {
            Argument::Spec(spec) => (self.weights(&spec.kind)?, spec.kind.clone()),
            Argument::Text(path) => {
                let unreadable = |why| unusable(path, format!("cannot be read: {why}"));
                let text = quintet_data::read_text(path.as_ref()).map_err(unreadable)?;
                (Arc::new(parsed(&text, path)?), path.clone())
            }
        };
        if weights.kind == kind {
            Ok(Some(weights))
        } else {
            Err(unusable(&name, format!("was made for {}, not for {kind}.", weights.kind)))
        }
    }

    /// Names and checksums of the weights that it has read so far. A clone begins with none.
    ///
    /// ```
    /// use quintet_eval::WeightStore;
    /// let store = WeightStore::default();
    /// let weights = store.weights("pylos:td20").unwrap();
    /// assert_eq!(store.used(), [("pylos:td20".to_owned(), weights.checksum())]);
    /// assert!(store.clone().used().is_empty());
    /// ```
    #[must_use]
    pub fn used(&self) -> Vec<(String, String)> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used: Vec<(String, String)> =
            read.iter().map(|(name, weights)| (name.clone(), weights.checksum())).collect();
        used.sort();
        used
    }

    /// Names and checksums of all weights, nets and books that a spec of the game refers to, at any depth.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn checksums(&self, spec: &Spec, game: &str) -> Result<Vec<(String, String)>, SpecError> {
        if let Some(net) = self.net_checksum(spec, game)? {
            return Ok(vec![net]);
        }
        let mut found = Vec::new();
        for (key, value) in &spec.arguments {
            match value {
                Argument::Spec(named) if key == "weights" => {
                    found.push((named.kind.clone(), self.weights(&named.kind)?.checksum()));
                }
                Argument::Text(path) if key == "weights" => {
                    let mut arguments = spec.arguments();
                    if let Some(weights) = self.asked(&mut arguments, &spec.kind)? {
                        found.push((path.clone(), weights.checksum()));
                    }
                }
                value if key == "book" => found.push(self.book_checksum(value)?),
                Argument::Spec(inner) => found.extend(self.checksums(inner, game)?),
                Argument::Text(_) => {}
            }
        }
        Ok(found)
    }
}

fn parsed(text: &str, from: &str) -> Result<Weights, SpecError> {
    Weights::parse(text).map_err(|error| unusable(from, format!("cannot be used: {error}")))
}

/// The spec error for a user's file that cannot be read.
fn unreadable(error: DataError) -> SpecError {
    match error {
        DataError::Unreadable { path, why } => unusable(&path.display().to_string(), format!("cannot be read: {why}")),
        DataError::Wrong { path, why } => unusable(&path.display().to_string(), format!("cannot be used: {why}")),
    }
}

/// The spec error for invalid weights.
pub(crate) fn unusable(what: &str, why: String) -> SpecError {
    SpecError::Unusable { what: what.to_owned(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Weights {
        let mut weights = Weights::linear("x-2", [("a b", 0.1), ("c\"d", -1e-300), ("e", 3.0)]);
        weights.values.insert("list".into(), (0..40).map(|n| f64::from(n) / 7.0).collect());
        weights.made.notes.insert("samples".into(), "3000".into());
        weights.made.seed = 7;
        weights
    }

    #[test]
    fn text_round_trips() {
        let mut quoting = some();
        // Quoted headings are not taken for headings.
        quoting.made.command = "say \"[notes]\"\n[notes]\n[values]".into();
        let odd = Weights::linear("two\nlines", [("a\nb", 1.0), ("c\t\u{7f}\u{85}", 2.0), ("\"\\é", 3.0), ("", 4.0)]);
        for weights in [some(), quoting, odd, Weights::linear("y", [])] {
            assert_eq!(Weights::parse(&weights.to_text()).unwrap(), weights);
        }
    }

    #[test]
    fn damage_is_seen() {
        let text = some().to_text();
        for (from, to, says) in [
            ("format = 1", "format = 2", "format 2"),
            ("format = 1", "from = 1", "does not begin with a format"),
            ("0.1", "0.2", "damaged"),
            ("x-2", "x-3", "damaged"),
            ("0.1", "nan", "is not finite"),
            ("0.1", "inf", "is not finite"),
            ("[values]", "[vals]", "not a file of weights"),
            ("seed = 7", "seed = \"x\"", "not a file of weights"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = Weights::parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(says), "{to}: {error}");
        }
        for cut in [0, 1, text.len() / 3, text.len() - 2] {
            assert!(Weights::parse(&text[..cut]).is_err(), "{cut}");
        }
    }

    #[test]
    fn names_lead_to_no_other_place() {
        let store = WeightStore::new(Data::with_directory(Path::new(".")));
        for name in ["", ":", "a:../b", "../a:b", "a:.b", "a:b:c", "a:b/c", "Cargo"] {
            assert_eq!(store.text(name, "toml"), Ok(None), "{name}");
        }
    }

    /// All built-in weights can be read.
    #[test]
    fn what_is_embedded_is_whole() {
        for name in WeightStore::default().names("toml") {
            let weights = WeightStore::embedded().weights(&name).unwrap();
            assert!(!weights.made.command.is_empty() && !weights.made.strength.is_empty(), "{name}");
        }
    }
}
