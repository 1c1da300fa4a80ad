//! The command `go`: how long to think.

use std::time::Duration;

use quintet_game::clock::share;
use quintet_game::text::quote;
use quintet_game::{Limit, Player};

/// Until `stop`. A time, so that the agent's own default does not apply.
const ENDLESS: Duration = Duration::from_secs(1_000_000);

const KEYS: [&str; 8] = ["p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes", "visits"];

/// The parameters of `go`.
#[derive(Debug)]
pub struct GoRequest {
    pub limit: Limit,
    /// The move is named only after `stop`.
    pub infinite: bool,
}

/// A non-negative whole number, digits only.
pub fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads what follows `go`, for the player who is to move.
pub fn read(text: &str, mover: Player) -> Result<GoRequest, String> {
    let mut values = [None; KEYS.len()];
    let mut infinite = false;
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if word == "infinite" {
            infinite = true;
            continue;
        }
        let at = KEYS.iter().position(|key| *key == word).ok_or_else(|| {
            format!("go: \"{}\" is not a limit; the limits are {}, infinite.", quote(word, 40), KEYS.join(", "))
        })?;
        let value = words.next().unwrap_or("");
        let wrong = || format!("go {word} \"{}\": it must be a whole number.", quote(value, 40));
        if values[at].replace(number(value).ok_or_else(wrong)?).is_some() {
            return Err(format!("go: {word} is given twice."));
        }
    }
    if infinite {
        return match values {
            [None, None, None, None, None, None, None, None] => Ok(GoRequest { limit: Limit::time(ENDLESS), infinite }),
            _ => Err("go: infinite cannot be combined with other limits.".into()),
        };
    }
    let [p1time, p2time, p1inc, p2inc, movetime, depth, nodes, visits] = values;
    let (left, increment, names) = match mover {
        Player::First => (p1time, p1inc, "p1time"),
        Player::Second => (p2time, p2inc, "p2time"),
    };
    let clocks = [p1time, p2time, p1inc, p2inc].iter().any(Option::is_some);
    if clocks && left.is_none() {
        return Err(format!("go: {names} is missing for the player to move."));
    }
    let share = left.map(|left| share(Duration::from_millis(left), Duration::from_millis(increment.unwrap_or(0))));
    let limit = Limit {
        time: [share, movetime.and_then(|ms| Limit::time(Duration::from_millis(ms)).with_reserve().time)]
            .into_iter()
            .flatten()
            .min(),
        nodes,
        depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        visits,
        ..Limit::default()
    };
    Ok(GoRequest { limit, infinite })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str, mover: Player) -> Option<u64> {
        read(text, mover).unwrap().limit.time.map(|time| time.as_millis() as u64)
    }

    #[test]
    fn a_clock_is_shared_out_and_never_overdrawn() {
        let go = "p1time 60000 p2time 1000 p1inc 500 p2inc 0";
        assert_eq!([time(go, Player::First), time(go, Player::Second)], [Some(2800), Some(40)]);
        assert_eq!(time("p1time 60000 movetime 100", Player::First), Some(98));
    }

    #[test]
    fn limits_are_read_or_refused() {
        let asked = read("nodes 7 depth 99999999999 visits 3", Player::First).unwrap();
        assert_eq!((asked.limit.nodes, asked.limit.depth, asked.limit.visits), (Some(7), Some(u32::MAX), Some(3)));
        assert!(read(" infinite ", Player::First).unwrap().infinite);
        for (text, says) in [
            ("fast", "\"fast\" is not a limit; the limits are p1time"),
            ("depth", "go depth \"\": it must be a whole number."),
            ("depth -1", "go depth \"-1\""),
            ("nodes +1", "whole number"),
            ("nodes 1 nodes 2", "given twice"),
            ("infinite depth 3", "cannot be combined"),
            ("p2time 5", "p1time is missing"),
            ("p1inc 5", "p1time is missing"),
            ("movetime 99999999999999999999", "whole number"),
        ] {
            let error = read(text, Player::First).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
