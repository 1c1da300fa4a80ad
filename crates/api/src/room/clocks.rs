//! The clocks of a room: sudden death, or Fischer's with an increment after every move.

use std::time::Duration;

use quintet_game::clock::share;
use quintet_game::{EndReason, Player};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Change, NewRoom, Room, RoomRecord};
use crate::{ApiError, SeatConfig};

/// The least and the most time for all moves of a side.
const MAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(24 * 3600)];

/// The longest increment.
const INCREMENT: Duration = Duration::from_secs(600);

/// The moves of each side that are free: whoever is invited may take their time to come.
const FREE: usize = 1;

/// How much time each side has. Without an increment it is sudden death.
///
/// ```
/// use quintet_api::TimeControl;
/// let blitz: TimeControl = serde_json::from_str(r#"{"main_ms":180000,"increment_ms":2000}"#).unwrap();
/// assert!(blitz.check().is_ok());
/// assert!(TimeControl { main_ms: 0, increment_ms: 2000 }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Milliseconds for all moves of a side.
    pub main_ms: u64,
    /// Milliseconds that are added after every move.
    #[serde(default)]
    pub increment_ms: u64,
}

impl TimeControl {
    /// Checks that visitors may have it.
    ///
    /// # Errors
    /// When it is too short or too long.
    pub fn check(&self) -> Result<(), ApiError> {
        let main = Duration::from_millis(self.main_ms);
        if main < MAIN[0] || main > MAIN[1] || Duration::from_millis(self.increment_ms) > INCREMENT {
            return Err(ApiError::invalid(format!(
                "a clock has between {} second and {} hours for each side, and at most {} seconds more after every move",
                MAIN[0].as_secs(),
                MAIN[1].as_secs() / 3600,
                INCREMENT.as_secs()
            )));
        }
        Ok(())
    }
}

/// The clocks of a game, as they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// How much time there was, and what is added.
    pub control: TimeControl,
    /// Milliseconds that each side had left when the turn began.
    pub left_ms: [u64; 2],
}

impl From<TimeControl> for Clocks {
    fn from(control: TimeControl) -> Clocks {
        Clocks { control, left_ms: [control.main_ms; 2] }
    }
}

impl NewRoom {
    /// Checks that visitors may have its clock.
    pub(super) fn check_clock(&self) -> Result<(), ApiError> {
        let Some(clock) = self.clock else { return Ok(()) };
        if !self.seats.iter().any(SeatConfig::is_person) {
            return Err(ApiError::invalid("a game of two agents has no clock: they play only while somebody watches"));
        }
        clock.check()
    }
}

impl RoomRecord {
    /// Begins to count again at `start`: whatever time went by before belongs to nobody. For an owner that was away, such as a server that starts again.
    pub fn count_from(&mut self, start: Duration) {
        self.since_ms = self.since_ms.max(milliseconds(start));
    }
}

impl Room {
    /// How long the side to move has been thinking.
    pub(super) fn thought(&self, now: Duration) -> Duration {
        now.saturating_sub(Duration::from_millis(self.record.since_ms))
    }

    /// The clocks, while one of them runs: each side's first move is free.
    fn running(&self) -> Option<Clocks> {
        let begun = self.record.moves.len() >= self.record.given + 2 * FREE;
        self.record.clock.filter(|_| begun && !self.is_over() && self.record.archived.is_none())
    }

    /// What the clock of the side to move says, while it runs.
    fn left(&self, now: Duration) -> Option<Duration> {
        let left = Duration::from_millis(self.running()?.left_ms[self.line.to_move().index()]);
        Some(left.saturating_sub(self.thought(now)))
    }

    /// Counts the turn of the side to move from now. For agents, which may have to wait until a thread is free for them.
    pub fn begin_turn(&mut self, now: Duration) {
        self.record.since_ms = milliseconds(now);
    }

    /// How long the agent whose turn it is may think from the beginning of its turn, if it has a clock.
    #[must_use]
    pub fn time_to_think(&self) -> Option<Duration> {
        let (player, _) = self.agent_to_move()?;
        let Clocks { control, left_ms } = self.record.clock?;
        Some(share(Duration::from_millis(left_ms[player.index()]), Duration::from_millis(control.increment_ms)))
    }

    /// When the flag of the person to move falls, by the time that is passed in.
    #[must_use]
    pub fn flag_falls_at(&self) -> Option<Duration> {
        let left = self.running()?.left_ms[self.line.to_move().index()];
        self.agent_to_move().is_none().then(|| Duration::from_millis(self.record.since_ms.saturating_add(left)))
    }

    /// The end of the game, if the time of the person to move is up. Its owner asks before every other request, and when [`Room::flag_falls_at`] has come.
    /// An agent whose time is up loses when it moves.
    #[must_use]
    pub fn flagged(&self, now: Duration) -> Option<Change> {
        self.flag_falls_at().filter(|at| now >= *at).map(|_| self.time_out(now))
    }

    /// The side to move has lost on time.
    fn time_out(&self, now: Duration) -> Change {
        let mut change = self.change();
        let loser = self.line.to_move();
        change.record.timed_out = Some(loser);
        change.record.undo_asked = None;
        self.stop_clock(&mut change.record, now);
        change
    }

    /// The end of the game, if the side to move has used all its time.
    pub(super) fn too_late(&self, now: Duration) -> Option<Change> {
        self.left(now).filter(Duration::is_zero).map(|_| self.time_out(now))
    }

    /// Ends the turn: what was used of it is taken off the clock of the side to move, and another turn begins.
    pub(super) fn stop_clock(&self, record: &mut RoomRecord, now: Duration) {
        if let (Some(left), Some(clock)) = (self.left(now), &mut record.clock) {
            clock.left_ms[self.line.to_move().index()] = milliseconds(left);
        }
        record.since_ms = milliseconds(now);
    }

    /// The same after a move, which earns the increment.
    pub(super) fn press_clock(&self, record: &mut RoomRecord, now: Duration) {
        self.stop_clock(record, now);
        if let (Some(running), Some(clock)) = (self.running(), &mut record.clock) {
            clock.left_ms[self.line.to_move().index()] += running.control.increment_ms;
        }
    }

    /// What everyone may see of the clocks: what each side has left now, and whose clock runs.
    pub(super) fn shown_clock(&self, now: Duration) -> Value {
        let Some(Clocks { control, mut left_ms }) = self.record.clock else { return Value::Null };
        let running = self.left(now).map(|left| {
            left_ms[self.line.to_move().index()] = milliseconds(left);
            self.line.to_move()
        });
        json!({ "main_ms": control.main_ms, "increment_ms": control.increment_ms, "left_ms": left_ms, "running": running })
    }

    /// Who has lost otherwise than on the board, and why.
    pub(super) fn lost(&self) -> Option<(Player, EndReason)> {
        let resigned = self.record.resigned.map(|loser| (loser, EndReason::Resigned));
        resigned.or(self.record.timed_out.map(|loser| (loser, EndReason::Time)))
    }
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use quintet_game::Outcome;

    use super::super::tests::says;
    use super::*;

    /// Seconds of a clock that the tests turn by hand.
    fn at(seconds: u64) -> Duration {
        Duration::from_secs(1000 + seconds)
    }

    const BEN: &str = r#"{"who":"person"}"#;
    const AGENT: &str = r#"{"who":"agent","agent":"random"}"#;

    /// A game on a board of 4x4 with ten seconds for each side.
    fn clocked(second: &str, increment_ms: u64) -> Room {
        let new = format!(
            r#"{{"game":"pathwayz(rows=4,cols=4)","seats":[{{"who":"person"}},{second}],"clock":{{"main_ms":10000,"increment_ms":{increment_ms}}}}}"#
        );
        let new: NewRoom = serde_json::from_str(&new).unwrap();
        Room::new(&new, "r".into(), ["a".into(), "b".into(), "o".into()], at(0)).unwrap()
    }

    fn made(room: &mut Room, mv: &str, now: Duration) {
        let change = room.advance(mv, now).unwrap();
        room.apply(change, now);
    }

    fn left(room: &Room, now: Duration) -> [u64; 2] {
        serde_json::from_value(room.shown(now)["clock"]["left_ms"].clone()).unwrap()
    }

    #[test]
    fn the_first_moves_are_free_and_then_the_clocks_run() {
        let mut room = clocked(BEN, 0);
        assert_eq!((left(&room, at(500)), room.flagged(at(500)).is_none()), ([10_000; 2], true), "nobody has come yet");
        made(&mut room, "a1", at(600));
        assert!(room.shown(at(900))["clock"]["running"].is_null() && room.flag_falls_at().is_none());
        made(&mut room, "a2", at(1000));
        assert_eq!(room.shown(at(1003))["clock"]["running"], "first");
        assert_eq!((left(&room, at(1003)), room.flag_falls_at()), ([7000, 10_000], Some(at(1010))));
        made(&mut room, "a3", at(1004));
        made(&mut room, "a4", at(1009));
        assert_eq!(left(&room, at(1010)), [5000, 5000]);
        assert_eq!(room.record().ms[2..], [4000, 5000]);
    }

    #[test]
    fn a_flag_falls_though_nobody_moves() {
        let mut room = clocked(BEN, 0);
        made(&mut room, "a1", at(0));
        made(&mut room, "a2", at(0));
        assert!(room.flagged(at(9)).is_none());
        let change = room.flagged(at(10)).unwrap();
        assert_eq!(
            (change.record().timed_out, change.record().clock.unwrap().left_ms),
            (Some(Player::First), [0, 10_000])
        );
        room.apply(change, at(10));
        assert!(
            room.is_over() && room.flagged(at(20)).is_none() && says(room.play("a", 2, "a3", at(20))).contains("over")
        );
        let shown = room.shown(at(20));
        assert_eq!(
            (&shown["outcome"], &shown["reason"], shown["legal"].as_array().map(Vec::len)),
            (&json!("second"), &json!("time"), Some(0))
        );
        let record = room.game_record();
        assert_eq!((record.result, record.reason), (Some(Outcome::Win(Player::Second)), Some(EndReason::Time)));
    }

    #[test]
    fn a_move_that_comes_too_late_is_not_made() {
        for second in [BEN, AGENT] {
            let mut room = clocked(second, 2000);
            made(&mut room, "a1", at(0));
            made(&mut room, "a2", at(0));
            made(&mut room, "a3", at(1));
            assert_eq!(room.flagged(at(30)).is_some(), second == BEN, "an agent loses when it moves");
            made(&mut room, "a4", at(30));
            assert_eq!((room.record().moves.len(), room.record().timed_out), (3, Some(Player::Second)));
        }
    }

    #[test]
    fn an_increment_is_added_after_a_timed_move() {
        let mut room = clocked(BEN, 2000);
        made(&mut room, "a1", at(0));
        made(&mut room, "a2", at(0));
        assert_eq!(left(&room, at(0)), [10_000; 2], "a free move earns nothing");
        made(&mut room, "a3", at(1));
        made(&mut room, "a4", at(10));
        assert_eq!(left(&room, at(10)), [11_000, 3000]);
    }

    #[test]
    fn what_is_stored_is_enough_to_go_on() {
        let mut room = clocked(BEN, 0);
        made(&mut room, "a1", at(0));
        made(&mut room, "a2", at(0));
        made(&mut room, "a3", at(2));
        let text = serde_json::to_string(room.record()).unwrap();
        let record: RoomRecord = serde_json::from_str(&text).unwrap();
        let restored = Room::restore(record.clone(), at(5)).unwrap();
        assert_eq!(left(&restored, at(5)), [8000, 7000], "the clock has run all the time");
        // A server that was away for an hour begins to count again.
        let mut away = record.clone();
        away.count_from(at(3600));
        let restored = Room::restore(away, at(3601)).unwrap();
        assert_eq!(left(&restored, at(3602)), [8000, 8000]);
        assert!(restored.flagged(at(3609)).is_none() && restored.flagged(at(3610)).is_some());
        // A clock that was set back meanwhile gives nobody more than there was.
        let restored = Room::restore(record, Duration::from_secs(10)).unwrap();
        assert_eq!(left(&restored, Duration::from_secs(11)), [8000, 9000]);
    }

    #[test]
    fn nothing_but_a_move_ends_a_turn() {
        let mut room = clocked(BEN, 0);
        made(&mut room, "a1", at(0));
        made(&mut room, "a2", at(0));
        // Asking, declining and taking a seat are not moves.
        for (second, token) in [(3, "b"), (4, "a")] {
            let change = if token == "b" { room.undo("b", None, at(second)) } else { room.decline("a") }.unwrap();
            room.apply(change, at(second));
        }
        let (_, change) = room.claim("b", "ben", "c".into()).unwrap();
        room.apply(change, at(5));
        assert_eq!(left(&room, at(6)), [4000, 10_000]);
        // Taken back by agreement: what was used stays used.
        made(&mut room, "a3", at(6));
        for (token, second) in [("a", 7), ("c", 8)] {
            let change = room.undo(token, None, at(second)).unwrap();
            room.apply(change, at(second));
        }
        assert_eq!((room.record().moves.len(), left(&room, at(9))), (2, [3000, 8000]));
    }

    #[test]
    fn an_agent_thinks_within_its_clock_and_moves_are_not_taken_back() {
        let mut room = clocked(AGENT, 1000);
        assert!(room.time_to_think().is_none(), "it is not its turn");
        made(&mut room, "a1", at(0));
        assert_eq!(
            room.time_to_think(),
            Some(Duration::from_millis(1200)),
            "a share of its clock, though the first move is free"
        );
        made(&mut room, "a2", at(60));
        made(&mut room, "a3", at(61));
        room.begin_turn(at(100));
        assert_eq!(left(&room, at(100)), [10_000, 10_000], "it had to wait for a thread");
        assert!(says(room.undo("a", None, at(100))).contains("with a clock"));
        // It has failed for an hour: whoever takes its seat begins now.
        let person = SeatConfig::Person { name: String::new() };
        let change = room.replace("a", Player::Second, person, "n".into(), at(3700)).unwrap();
        room.apply(change, at(3700));
        assert_eq!((left(&room, at(3703)), room.flag_falls_at()), ([10_000, 7000], Some(at(3710))));
    }

    #[test]
    fn clocks_are_checked() {
        let asked = |seats: &str, clock: &str| {
            let new: NewRoom =
                serde_json::from_str(&format!(r#"{{"game":"pylos","seats":{seats},"clock":{clock}}}"#)).unwrap();
            new.check_clock()
        };
        let people = format!("[{BEN},{BEN}]");
        assert!(asked(&people, r#"{"main_ms":60000}"#).is_ok() && asked(&people, "null").is_ok());
        for wrong in [r#"{"main_ms":10}"#, r#"{"main_ms":99999999999}"#, r#"{"main_ms":60000,"increment_ms":600001}"#] {
            assert!(says(asked(&people, wrong)).contains("24 hours"), "{wrong}");
        }
        assert!(says(asked(&format!("[{AGENT},{AGENT}]"), r#"{"main_ms":60000}"#)).contains("two agents"));
    }
}
