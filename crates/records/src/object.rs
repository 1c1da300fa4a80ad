//! An untrusted JSON object, such as a line of JSON lines.
//!
//! An [`Object`] keeps its values as the text they came in, so that an `id` of any type and length goes back unchanged, and a
//! wrong field is found without giving up the others.

use std::borrow::Cow;
use std::fmt;

use quintet_game::GameSpec;
use quintet_game::notation::Fault;
use quintet_game::text::{quote, some_of};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A JSON object with its values unread.
///
/// ```
/// use quintet_records::Object;
/// let object = Object::parse(br#"{"id":[1.0,"x"],"game":"pylos","moves":7}"#).unwrap();
/// assert_eq!(object.id(), r#"[1.0,"x"]"#);
/// assert_eq!(object.text("game").unwrap().as_deref(), Some("pylos"));
/// assert_eq!(object.texts("moves").unwrap_err().1.to_string(), "\"moves\" is a number; it must be an array of strings.");
/// ```
#[derive(Debug)]
pub struct Object<'a> {
    fields: Vec<(Key<'a>, &'a RawValue)>,
}

/// A key as bytes: JSON allows lone surrogates in strings, and Rust's strings do not.
#[derive(Debug, PartialEq, Eq)]
struct Key<'a>(Cow<'a, [u8]>);

impl<'a> Object<'a> {
    /// Reads a line, which must be one valid JSON object.
    pub fn parse(line: &'a [u8]) -> Result<Object<'a>, Fault> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Err("the line is empty; it must hold a JSON object.".into());
        }
        let text = std::str::from_utf8(line).map_err(|e| Fault(format!("not UTF-8 at byte {}.", e.valid_up_to())))?;
        serde_json::from_str(text).map_err(|e| match e.classify() {
            serde_json::error::Category::Data => "the line must hold a JSON object.".into(),
            _ => Fault(format!("not JSON at column {}.", e.column())),
        })
    }

    /// The value of `id` as JSON text, `null` when there is none.
    #[must_use]
    pub fn id(&self) -> String {
        // A line break between tokens would break the answer in two.
        self.get("id").map_or_else(|| "null".into(), |raw| raw.replace(['\r', '\n'], " "))
    }

    /// Refuses keys other than `known`, and keys given twice.
    pub fn check_keys(&self, known: &[&str]) -> Result<(), Fault> {
        let unknown: Vec<String> = self
            .fields
            .iter()
            .filter(|(key, _)| !known.iter().any(|k| key.0 == k.as_bytes()))
            .map(|(key, _)| format!("\"{}\"", quote(&String::from_utf8_lossy(&key.0), 20)))
            .collect();
        if !unknown.is_empty() {
            let list = some_of(&unknown, 3);
            return Err(Fault(format!("unknown {list}; the keys are {}.", known.join(", "))));
        }
        match self.fields.iter().enumerate().find(|(i, (key, _))| self.fields[..*i].iter().any(|(k, _)| k == key)) {
            Some((_, (key, _))) => Err(Fault(format!("\"{}\" is given twice.", String::from_utf8_lossy(&key.0)))),
            None => Ok(()),
        }
    }

    /// The string at `key`; `None` if it is missing or `null`.
    pub fn text(&self, key: &str) -> Result<Option<String>, Fault> {
        self.get(key).filter(|raw| *raw != "null").map(|raw| read_string(key, raw, "a string")).transpose()
    }

    /// The strings of the array at `key`, empty if it is missing or `null`. An error in one of them comes with its index.
    pub fn texts(&self, key: &str) -> Result<Vec<String>, (Option<usize>, Fault)> {
        let Some(raw) = self.get(key).filter(|raw| *raw != "null") else { return Ok(Vec::new()) };
        let items: Vec<&RawValue> = match raw.starts_with('[') {
            true => serde_json::from_str(raw).map_err(|_| (None, Fault(format!("\"{key}\" is not a valid array."))))?,
            false => return Err((None, wrong_type(key, raw, "an array of strings"))),
        };
        let item = |(i, raw): (usize, &&RawValue)| {
            read_string(&format!("{key}[{i}]"), raw.get(), "a string").map_err(|fault| (Some(i), fault))
        };
        items.iter().enumerate().map(item).collect()
    }

    /// The string at `key`, which must be there; `what` says what it names.
    pub fn needed(&self, key: &str, what: &str) -> Result<String, Fault> {
        self.text(key)?.ok_or_else(|| Fault(format!("\"{key}\" is missing; it names {what}.")))
    }

    /// The game that `game` names.
    pub fn spec(&self) -> Result<GameSpec, Fault> {
        GameSpec::parse(&self.needed("game", "the game, as in \"pylos\"")?).map_err(|error| Fault(error.to_string()))
    }

    /// The object at `key`; `None` if it is missing or `null`.
    pub fn object(&self, key: &str) -> Result<Option<Object<'a>>, Fault> {
        let Some(raw) = self.get(key).filter(|raw| *raw != "null") else { return Ok(None) };
        match raw.starts_with('{') {
            true => Object::parse(raw.as_bytes()).map(Some),
            false => Err(wrong_type(key, raw, "an object")),
        }
    }

    /// The non-negative whole number at `key`; `None` if it is missing or `null`.
    pub fn count(&self, key: &str) -> Result<Option<u64>, Fault> {
        let Some(raw) = self.get(key).filter(|raw| *raw != "null") else { return Ok(None) };
        match raw.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) if raw.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                Err(Fault(format!("\"{key}\" must be a whole number from 0 to {}.", u64::MAX)))
            }
            Err(_) => Err(wrong_type(key, raw, "a whole number")),
        }
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().rev().find(|(k, _)| k.0 == key.as_bytes()).map(|(_, raw)| raw.get())
    }
}

fn read_string(key: &str, raw: &str, wanted: &str) -> Result<String, Fault> {
    if !raw.starts_with('"') {
        return Err(wrong_type(key, raw, wanted));
    }
    serde_json::from_str(raw).map_err(|_| Fault(format!("\"{key}\" is not valid text.")))
}

fn wrong_type(key: &str, raw: &str, wanted: &str) -> Fault {
    let found = match raw.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "a number",
    };
    Fault(format!("\"{key}\" is {found}; it must be {wanted}."))
}

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key<'a>, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(bytes)))
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(bytes.to_vec())))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<'a>, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Object { fields })
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_were() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        for id in [
            "1",
            "1.0",
            "-0",
            "1e999",
            "123456789012345678901234567890",
            "\"\\ud800\"",
            "\"\\u0041\"",
            "null",
            "{\"a\":[ ]}",
            &deep,
        ] {
            let line = format!("{{\"\\ud800\":3,\"id\":{id},\"moves\":{{}}}}");
            assert_eq!(Object::parse(line.as_bytes()).unwrap().id(), id);
        }
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for bad in [
            "",
            " ",
            "null",
            "[]",
            "3",
            "\"id\"",
            "{",
            "{}x",
            "{\"id\":}",
            "{\"a\" 1}",
            "{id:1}",
            "{\"id\":1,}",
            "\u{feff}{}",
            "{\"id\":NaN}",
            "\0",
        ] {
            assert!(Object::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(Object::parse(b"{\"id\":\"\xff\"}").is_err());
        assert!(Object::parse(b"{\"id\":\"\x01\"}").is_err());
    }

    #[test]
    fn nested_objects_and_counts() {
        let line = br#"{"limit":{"nodes":7,"depth":-1,"time_ms":1.5,"visits":"x"},"id":3,"none":null}"#;
        let object = Object::parse(line).unwrap();
        let limit = object.object("limit").unwrap().unwrap();
        assert_eq!((limit.count("nodes"), limit.count("missing")), (Ok(Some(7)), Ok(None)));
        for key in ["depth", "time_ms", "visits"] {
            assert!(limit.count(key).unwrap_err().to_string().contains("whole number"), "{key}");
        }
        assert!(object.object("none").unwrap().is_none());
        assert_eq!(object.object("id").unwrap_err().to_string(), "\"id\" is a number; it must be an object.");
    }

    #[test]
    fn keys_are_checked() {
        let says =
            |line: &str| Object::parse(line.as_bytes()).unwrap().check_keys(&["id", "game"]).unwrap_err().to_string();
        assert_eq!(says("{\"x\":1,\"id\":2}"), "unknown \"x\"; the keys are id, game.");
        assert_eq!(says("{\"id\":1,\"id\":2}"), "\"id\" is given twice.");
        assert!(says(&format!("{{\"{}\":1}}", "k".repeat(1000))).chars().count() < 80);
    }
}
