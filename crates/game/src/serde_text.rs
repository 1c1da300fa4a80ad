//! The feature `serde`: values that have a text are written and read as that text.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{EndReason, GameSpec, Outcome, Player};

macro_rules! as_text {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(GameSpec, Player, Outcome);

impl Serialize for EndReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for EndReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EndReason, D::Error> {
        Ok(EndReason::from(&*String::deserialize(deserializer)?))
    }
}

/// The result of a game that may be unfinished, for `#[serde(with = "quintet_game::serde_result")]`: `first`, `second`, `draw` or `*`.
pub mod serde_result {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    use crate::Outcome;
    use crate::record::{read_result, result_text};

    /// Writes a result.
    pub fn serialize<S: Serializer>(result: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(result_text(*result))
    }

    /// Reads one.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
        read_result(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in ["\"pylos\"", "\"twixt(size=8,rules=pp)\""] {
            let spec: GameSpec = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&spec).unwrap(), text);
        }
        for outcome in [Outcome::Win(Player::First), Outcome::Win(Player::Second), Outcome::Draw] {
            let text = serde_json::to_string(&outcome).unwrap();
            assert_eq!(text, format!("\"{}\"", outcome.name()));
            assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome);
        }
        for text in ["\"apex\"", "\"forfeit: crash\"", "\"agreed\"", "\"\""] {
            assert_eq!(serde_json::to_string(&serde_json::from_str::<EndReason>(text).unwrap()).unwrap(), text);
        }
        for player in Player::BOTH {
            assert_eq!(serde_json::from_str::<Player>(&serde_json::to_string(&player).unwrap()).unwrap(), player);
        }
        let error = serde_json::from_str::<GameSpec>("\"chess\"").unwrap_err().to_string();
        assert!(error.contains("chess"), "{error}");
        assert!(serde_json::from_str::<Player>("\"draw\"").is_err());
    }
}
