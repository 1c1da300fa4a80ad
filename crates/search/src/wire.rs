//! The serialised form of choices and reports, the same in every protocol.

use std::time::Duration;

use quintet_game::Value;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::Choice;

/// Milliseconds, rounded to microseconds.
pub(crate) fn milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    ms(*time).serialize(serializer)
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The parts of a value as the fields `proven` and `distance`, each only if it is known.
pub(crate) fn proven<S: Serializer>(known: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(None)?;
    if let Some(value) = known {
        out.serialize_entry("proven", &value.proof)?;
        if let Some(plies) = value.plies {
            out.serialize_entry("distance", &plies)?;
        }
    }
    out.end()
}

// Written by hand because the two chances and the two parts of a value are separate fields, and a distance is present only if it is
// known.
impl<M: Serialize> Serialize for Choice<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Choice", 10)?;
        out.serialize_field("move", &self.mv)?;
        out.serialize_field("value", &self.value)?;
        out.serialize_field("win", &self.chances.map(|chances| chances[0]))?;
        out.serialize_field("draw", &self.chances.map(|chances| chances[1]))?;
        out.serialize_field("proven", &self.proof())?;
        match self.plies() {
            Some(plies) => out.serialize_field("distance", &plies)?,
            None => out.skip_field("distance")?,
        }
        out.serialize_field("pv", &self.line)?;
        out.serialize_field("nodes", &self.nodes)?;
        out.serialize_field("depth", &self.depth)?;
        out.serialize_field("ms", &ms(self.elapsed))?;
        out.end()
    }
}
