//! Every number that is quoted from a paper, with its place.

use quintet_data::Data;
use serde::Deserialize;

use super::library::LibraryError;

/// A number of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperNumber {
    /// The game of the paper.
    pub game: String,
    /// The paper's title.
    pub title: String,
    /// The section, figure or table.
    pub at: String,
    /// The first words of its sentence, or the name of its row.
    pub words: String,
    /// What it is a number of.
    pub what: String,
    /// The number, as printed.
    pub value: String,
    /// How it comes from the paper where it is not printed as it stands.
    pub how: Option<String>,
    /// The ids of the experiments that quote it.
    pub used: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    paper: Vec<Paper>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    game: String,
    title: String,
    numbers: Vec<Entry>,
    #[serde(default)]
    table: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    at: String,
    words: String,
    what: String,
    value: String,
    how: Option<String>,
    used: Vec<String>,
}

/// A printed table: `what` names a cell by `{row}` and `{column}`; an empty cell is empty in the paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    at: String,
    what: String,
    columns: Vec<String>,
    used: Vec<String>,
    rows: Vec<Cells>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cells {
    name: String,
    cells: Vec<String>,
}

impl Table {
    fn entries(&self) -> impl Iterator<Item = Entry> {
        self.rows.iter().flat_map(|row| {
            let printed = self.columns.iter().zip(&row.cells).filter(|(_, value)| !value.is_empty());
            printed.map(|(column, value)| Entry {
                at: self.at.clone(),
                words: row.name.clone(),
                what: self.what.replace("{row}", &row.name).replace("{column}", column),
                value: value.clone(),
                how: None,
                used: self.used.clone(),
            })
        })
    }
}

/// All numbers that are quoted from the papers, paper by paper; those of the data directory in place of the embedded ones, if it has a file of them.
///
/// ```
/// use quintet_data::Data;
/// use quintet_papers::experiments::paper_numbers;
/// let numbers = paper_numbers(&Data::embedded())?;
/// let cell = numbers.iter().find(|number| number.what == "tdl440 v tdl52").unwrap();
/// assert_eq!((cell.at.as_str(), cell.value.as_str()), ("Fig. 8", "85"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read or understood.
pub fn paper_numbers(data: &Data) -> Result<Vec<PaperNumber>, LibraryError> {
    let mut numbers = Vec::new();
    data.each("experiments", ["numbers"].into_iter(), "toml", |_, text, _| -> Result<(), String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        numbers = file.paper.into_iter().flat_map(of_paper).collect();
        Ok(())
    })?;
    Ok(numbers)
}

fn of_paper(paper: Paper) -> Vec<PaperNumber> {
    let Paper { game, title, numbers, table } = paper;
    let cells: Vec<Entry> = table.iter().flat_map(Table::entries).collect();
    let number = |entry: Entry| {
        let Entry { at, words, what, value, how, used } = entry;
        let used = used.iter().map(|name| format!("{game}/{name}")).collect();
        PaperNumber { game: game.clone(), title: title.clone(), at, words, what, value, how, used }
    };
    numbers.into_iter().chain(cells).map(number).collect()
}
