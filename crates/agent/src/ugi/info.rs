//! What an engine reports while it thinks.

use quintet_search::Ends;

/// The parts of an `info` line that are understood; others are ignored.
#[derive(Debug, Default, PartialEq)]
pub struct Info<'a> {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Larger is better for the engine.
    pub value: Option<f64>,
    /// Shares of wins and draws.
    pub chances: Option<[f64; 2]>,
    pub line: Vec<&'a str>,
}

impl<'a> Info<'a> {
    /// Reads what follows the word `info`.
    pub fn read(text: &'a str) -> Info<'a> {
        let mut info = Info::default();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
                "score" => info.value = read_score(&mut words),
                "wdl" => info.chances = read_chances(&mut words),
                "pv" => info.line = words.by_ref().collect(),
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

/// A score as one number. A win or loss that an engine claims gets the value that our own searches give it; it is not a proof.
fn read_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<f64> {
    let Ends { utility, per_ply, .. } = Ends::default();
    match words.next()? {
        "value" | "cp" => words.next()?.parse().ok().filter(|value: &f64| value.is_finite()),
        "mate" => {
            let plies: f64 = words.next()?.parse::<i32>().ok()?.into();
            Some((utility - plies.abs() * per_ply).copysign(plies))
        }
        "win" => Some(utility),
        "loss" => Some(-utility),
        "draw" => Some(0.0),
        _ => None,
    }
}

fn read_chances<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<[f64; 2]> {
    let mut share = || words.next()?.parse().ok().filter(|mille| *mille <= 1000).map(|mille: u32| mille);
    let [win, draw, loss] = [share()?, share()?, share()?];
    (win + draw + loss == 1000).then(|| [win, draw].map(|mille| f64::from(mille) / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_nonsense_is_passed_over() {
        let info = Info::read("depth 4 seldepth 9 nodes 120 nps 5 time 3 score value -1.5 pv a1 b2");
        assert_eq!((info.depth, info.nodes, info.value), (Some(4), Some(120), Some(-1.5)));
        assert_eq!(info.line, ["a1", "b2"]);
        for (text, value) in [
            ("score cp 31", Some(31.0)),
            ("score mate 3", Some(999_997.0)),
            ("score mate -2", Some(-999_998.0)),
            ("score win", Some(1e6)),
            ("score loss", Some(-1e6)),
            ("score draw", Some(0.0)),
            ("score value nan", None),
            ("score value", None),
            ("score", None),
            ("string score win", None),
            ("depth -1 nodes 1e9", None),
        ] {
            assert_eq!(Info::read(text), Info { value, ..Info::default() }, "{text}");
        }
        assert_eq!(Info::read("wdl 500 250 250").chances, Some([0.5, 0.25]));
        assert_eq!(Info::read("wdl 500 250 251").chances, None);
        assert_eq!(Info::read("wdl 4294967295 1 1000").chances, None);
    }
}
