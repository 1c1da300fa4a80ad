//! Exact values as one byte.

use quintet_game::{Proof, Value};

/// The largest distance that fits.
pub const FARTHEST: u8 = 126;

/// The code of a draw, and of an unknown value.
pub(crate) const DRAW: u8 = 127;

/// The code of a position whose side to move has lost already.
pub(crate) const LOST: u8 = 0;

/// The rank of a value from the worst to the best for the side to move, as a byte: lost in 0, 1, 2, …, drawn, …, won in 2, 1, 0.
/// The least code of the children is the best for the side that moves there. The distance must be known.
pub(crate) fn code(value: Value) -> u8 {
    let plies = || value.plies.and_then(|plies| u8::try_from(plies).ok()).expect("a distance that fits into a byte");
    match value.proof {
        Proof::Loss => plies(),
        Proof::Draw => DRAW,
        Proof::Win => u8::MAX - plies(),
    }
}

pub(crate) fn from_code(code: u8) -> Value {
    match code {
        ..DRAW => Value::loss_in(code.into()),
        DRAW => Value::DRAW,
        _ => Value::win_in((u8::MAX - code).into()),
    }
}

/// How many plies a code is from the end; a draw or an unknown value is farther than any other.
#[inline]
pub(crate) fn distance(code: u8) -> u8 {
    match code {
        DRAW => u8::MAX,
        _ => code.min(u8::MAX - code),
    }
}

/// The code of a position, given the least code of its children. A distance that does not fit stays at [`FARTHEST`] or one more;
/// the code that fills a table checks for those.
#[inline]
pub(crate) fn parent(least: u8) -> u8 {
    match least {
        ..DRAW => u8::MAX - 1 - least,
        DRAW => DRAW,
        _ => (u8::MAX - least + 1).min(FARTHEST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_parents_are_what_children_make_them() {
        for byte in 0..=u8::MAX {
            assert_eq!(code(from_code(byte)), byte);
        }
        let merits: Vec<i64> = (0..=u8::MAX).map(|byte| from_code(byte).merit()).collect();
        assert!(merits.is_sorted());
        for least in (0..FARTHEST).chain([DRAW]).chain(u8::MAX - FARTHEST + 1..=u8::MAX) {
            assert_eq!(from_code(parent(least)), Value::of_children([from_code(least)]), "{least}");
        }
        assert_eq!(from_code(LOST), Value::of_children([]));
    }
}
