//! A game between two seats: people with a token, agents, or one of each. Only the state machine: storing, thinking and listening are its owner's
//! work, and the time is passed in.

mod clocks;
mod messages;
mod rematch;
mod takebacks;
#[cfg(test)]
mod tests;

use std::time::Duration;

use quintet_game::record::Record;
use quintet_game::{AnyLine, Outcome, Player};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use subtle::ConstantTimeEq as _;

use crate::place::listed;
use crate::{Api, ApiError, ErrorKind, LONGEST_GAME, Place, SeatConfig, state};
use clocks::milliseconds;
pub use clocks::{Clocks, TimeControl};

/// A request for a new room.
#[derive(Clone, Debug, Deserialize)]
pub struct NewRoom {
    /// The position it starts from.
    #[serde(flatten)]
    pub place: Place,
    /// Who plays, the first player first.
    pub seats: [SeatConfig; 2],
    /// How much time each side has; without one, as much as it likes.
    pub clock: Option<TimeControl>,
}

/// A room as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoomRecord {
    /// Its name.
    pub id: String,
    /// The game.
    pub game: String,
    /// The position it started from, if not the game's own start.
    pub from: Option<String>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// Milliseconds per move.
    pub ms: Vec<u64>,
    /// Moves that were taken back and can be made again, with their milliseconds; the next one is the last.
    #[serde(default)]
    pub undone: Vec<(String, u64)>,
    /// Who plays.
    pub seats: [SeatConfig; 2],
    /// The tokens of the seats. That of an agent's seat is empty and opens nothing.
    pub tokens: [String; 2],
    /// The token of whoever made the room. Rooms of earlier versions have none: there the tokens of the seats do as well.
    #[serde(default)]
    pub owner: String,
    /// Tokens that were invitations and have been used.
    #[serde(default)]
    pub claimed: Vec<String>,
    /// How many of the moves were given when the room was made.
    #[serde(default)]
    pub given: usize,
    /// Whether a seat of an agent was given to somebody else during the game.
    #[serde(default)]
    pub replaced: bool,
    /// Who has asked the other person to let them take a move back.
    #[serde(default)]
    pub undo_asked: Option<Player>,
    /// Who has asked the other person for another game.
    #[serde(default)]
    pub rematch_asked: Option<Player>,
    /// The room of the next game between the same people.
    #[serde(default)]
    pub rematch: Option<String>,
    /// The clocks, if the game is played with one.
    #[serde(default)]
    pub clock: Option<Clocks>,
    /// When the turn of the side to move began, by the time that is passed in; 0 if that is not known.
    #[serde(default)]
    pub since_ms: u64,
    /// Who has lost on time.
    #[serde(default)]
    pub timed_out: Option<Player>,
    /// Who has resigned.
    pub resigned: Option<Player>,
    /// Whether it is in the store of finished games.
    pub stored: bool,
    /// The day on which it was archived, after a long time without a move: it can be looked at, but not played on.
    #[serde(default)]
    pub archived: Option<String>,
}

impl RoomRecord {
    /// Whether its result says something about the people and agents in it: the whole game was played here, the agent's moves by the agent.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.from.is_none() && self.given == 0 && !self.replaced
    }
}

/// Why an agent does not move. It is part of the room's state, so that everyone who comes later sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentFault {
    /// What went wrong.
    pub what: String,
    /// Whether it is tried again by itself, because the cause may pass: a full disk, missing weights.
    pub passing: bool,
}

/// A game between two seats.
///
/// Every request gives a [`Change`]: the owner stores the change's record, and only then applies it, so that an acknowledged move is never lost.
/// Where a game may have a clock, the owner asks [`Room::flagged`] before every request.
///
/// ```
/// use std::time::Duration;
/// use quintet_api::{NewRoom, Room};
/// let new: NewRoom = serde_json::from_str(r#"{"game":"pylos","seats":[{"who":"person"},{"who":"person"}]}"#).unwrap();
/// let now = Duration::ZERO;
/// let mut room = Room::new(&new, "r".into(), ["a".into(), "b".into(), "o".into()], now).unwrap();
/// let change = room.play("a", 0, "1b2", now).unwrap().unwrap();
/// assert_eq!(change.record().moves, ["1b2"]);
/// room.apply(change, now);
/// assert!(room.play("a", 1, "1b3", now).is_err()); // it is the other side's turn
/// ```
#[derive(Debug)]
pub struct Room {
    record: RoomRecord,
    line: Box<dyn AnyLine>,
    /// Why the agent whose turn it is does not move.
    fault: Option<AgentFault>,
}

/// What a room would become: it is stored first, and then applied.
///
/// ```
/// use std::time::Duration;
/// use quintet_api::{NewRoom, Room};
/// let new: NewRoom = serde_json::from_str(r#"{"game":"pylos","seats":[{"who":"person"},{"who":"person"}]}"#).unwrap();
/// let mut room = Room::new(&new, "r".into(), ["a".into(), "b".into(), "o".into()], Duration::ZERO).unwrap();
/// let change = room.resign("a").unwrap();
/// let stored = serde_json::to_string(change.record()).unwrap();
/// assert!(!room.is_over() && stored.contains("resign"));
/// room.apply(change, Duration::ZERO);
/// assert!(room.is_over());
/// ```
#[derive(Debug)]
pub struct Change {
    record: RoomRecord,
    line: Box<dyn AnyLine>,
}

impl Change {
    /// What must be stored before the change is applied.
    #[must_use]
    pub fn record(&self) -> &RoomRecord {
        &self.record
    }
}

impl NewRoom {
    /// Checks that visitors may have such a room.
    ///
    /// # Errors
    /// When the position or the clock makes no sense, or a seat is not for visitors.
    pub fn check(&self, api: &Api) -> Result<(), ApiError> {
        let spec = self.place.line()?.spec();
        self.check_clock()?;
        self.seats.iter().try_for_each(|seat| seat.check(api, &spec))
    }
}

impl Room {
    /// A new room with its name and its tokens: those of the seats, then that of the owner.
    ///
    /// # Errors
    /// When the position makes no sense.
    pub fn new(new: &NewRoom, id: String, tokens: [String; 3], now: Duration) -> Result<Room, ApiError> {
        let mut room = Room::of(new.place.line()?, new.seats.clone(), id, tokens, now);
        room.record.clock = new.clock.map(Clocks::from);
        Ok(room)
    }

    /// A room around a game in progress, registered or not.
    #[must_use]
    pub fn of(line: Box<dyn AnyLine>, seats: [SeatConfig; 2], id: String, tokens: [String; 3], now: Duration) -> Room {
        let [first, second, owner] = tokens;
        let of_person = |seat: usize, token: String| if seats[seat].is_person() { token } else { String::new() };
        let tokens = [of_person(0, first), of_person(1, second)];
        let record = RoomRecord {
            id,
            game: line.spec().to_string(),
            from: line.begun_from(),
            moves: line.moves(),
            ms: vec![0; line.plies()],
            undone: Vec::new(),
            given: line.plies(),
            seats,
            tokens,
            owner,
            claimed: Vec::new(),
            replaced: false,
            undo_asked: None,
            rematch_asked: None,
            rematch: None,
            clock: None,
            since_ms: milliseconds(now),
            timed_out: None,
            resigned: None,
            stored: false,
            archived: None,
        };
        Room { record, line, fault: None }
    }

    /// A room that was stored. The turn of the side to move goes on from where it began; see [`RoomRecord::count_from`] for an owner that was away.
    ///
    /// # Errors
    /// When its game cannot be replayed.
    pub fn restore(mut record: RoomRecord, now: Duration) -> Result<Room, ApiError> {
        let place = Place { game: record.game.clone(), position: record.from.clone(), moves: record.moves.clone() };
        let now = milliseconds(now);
        if record.since_ms == 0 || record.since_ms > now {
            record.since_ms = now;
        }
        Ok(Room { line: place.line()?, record, fault: None })
    }

    /// What is stored of it.
    #[must_use]
    pub fn record(&self) -> &RoomRecord {
        &self.record
    }

    /// The game in progress.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Is the game over?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.line.end().is_some() || self.lost().is_some()
    }

    /// What everyone may see.
    #[must_use]
    pub fn shown(&self, now: Duration) -> Value {
        let mut state = state(&*self.line);
        if self.lost().is_some() {
            state.legal.clear();
        }
        self.with_seats(json!(state), now)
    }

    /// The same without the legal moves, for lists.
    #[must_use]
    pub fn listed(&self, now: Duration) -> Value {
        self.with_seats(listed(&*self.line), now)
    }

    fn with_seats(&self, mut shown: Value, now: Duration) -> Value {
        if let Some((loser, reason)) = self.lost() {
            shown["outcome"] = json!(loser.other());
            shown["reason"] = json!(reason);
        }
        shown["room"] = json!(self.record.id);
        shown["seats"] = json!(self.record.seats);
        shown["ms"] = json!(self.record.ms);
        shown["clock"] = self.shown_clock(now);
        shown["undone"] = json!(self.record.undone.len());
        shown["undo_asked"] = json!(self.record.undo_asked);
        shown["rematch_asked"] = json!(self.record.rematch_asked);
        shown["rematch"] = json!(self.record.rematch);
        shown["claimed"] = json!(self.record.claimed.len());
        shown["fault"] = json!(self.fault);
        shown["archived"] = json!(self.record.archived);
        shown
    }

    /// Why the agent whose turn it is does not move.
    #[must_use]
    pub fn fault(&self) -> Option<&AgentFault> {
        self.fault.as_ref()
    }

    /// Notes why the agent whose turn it is does not move, or that nothing is wrong any more. Every change of the game clears it, too.
    pub fn set_fault(&mut self, fault: Option<AgentFault>) {
        self.fault = fault;
    }

    /// The seat that a token opens.
    #[must_use]
    pub fn seat_of(&self, token: &str) -> Option<Player> {
        let opens = |player: &Player| same(&self.record.tokens[player.index()], token);
        Player::BOTH.into_iter().find(opens)
    }

    /// The seat that a token opens, or an error.
    ///
    /// # Errors
    /// When it opens none.
    pub fn authorised(&self, token: &str) -> Result<Player, ApiError> {
        let why = if self.record.claimed.iter().any(|used| same(used, token)) {
            "this invitation has been used by somebody else; you can watch the game"
        } else {
            "this token opens no seat of this game; you can watch it"
        };
        self.seat_of(token).ok_or_else(|| ApiError::new(ErrorKind::Forbidden, why))
    }

    /// Checks that a token is that of whoever made the room.
    ///
    /// # Errors
    /// When it is not.
    pub fn owned_by(&self, token: &str) -> Result<(), ApiError> {
        if self.record.owner.is_empty() {
            return self.authorised(token).map(drop);
        }
        let why = "only the person who made this game may do that";
        same(&self.record.owner, token).then_some(()).ok_or_else(|| ApiError::new(ErrorKind::Forbidden, why))
    }

    /// Checks that a token is that of a seat or of the owner: they may hurry an agent, or replace one that does not move.
    ///
    /// # Errors
    /// When it is neither.
    pub fn takes_part(&self, token: &str) -> Result<(), ApiError> {
        self.owned_by(token).or_else(|_| self.authorised(token).map(drop))
    }

    /// The agent whose turn it is.
    #[must_use]
    pub fn agent_to_move(&self) -> Option<(Player, &str)> {
        let player = self.line.to_move();
        match &self.record.seats[player.index()] {
            SeatConfig::Agent { agent } if !self.is_over() && self.record.archived.is_none() => Some((player, agent)),
            _ => None,
        }
    }

    /// The record of the game.
    #[must_use]
    pub fn game_record(&self) -> Record {
        let names = [self.record.seats[0].name(), self.record.seats[1].name()];
        let mut record = Record::of(&*self.line, names, None);
        if let Some((loser, reason)) = self.lost() {
            (record.result, record.reason) = (Some(Outcome::Win(loser.other())), Some(reason));
        }
        record
    }

    /// A person's move at ply `ply`. `None` if it has been made already: a client that got no answer sends it again.
    ///
    /// # Errors
    /// When it is not legal, or not this person's turn.
    pub fn play(&self, token: &str, ply: usize, mv: &str, now: Duration) -> Result<Option<Change>, ApiError> {
        let player = self.authorised(token)?;
        if self.record.moves.get(ply).is_some_and(|known| known.eq_ignore_ascii_case(mv)) {
            return Ok(None);
        }
        if ply != self.line.plies() {
            return Err(ApiError::invalid(format!("{} moves have been played, not {ply}", self.line.plies())));
        }
        self.goes_on()?;
        if self.line.to_move() != player {
            return Err(ApiError::invalid("it is the other side's turn"));
        }
        self.advance(mv, now).map(Some)
    }

    /// The move of the side whose turn it is. If its time is up, the game ends instead.
    ///
    /// # Errors
    /// When it is not legal, or the game is too long.
    pub fn advance(&self, mv: &str, now: Duration) -> Result<Change, ApiError> {
        if self.line.plies() >= LONGEST_GAME {
            return Err(ApiError::invalid(format!("a game has at most {LONGEST_GAME} plies here")));
        }
        if let Some(over) = self.too_late(now) {
            return Ok(over);
        }
        let mut change = self.change();
        let written = change.line.try_play(mv).map_err(ApiError::invalid)?;
        change.record.moves.push(written);
        change.record.undone.clear();
        change.record.undo_asked = None;
        change.record.ms.push(milliseconds(self.thought(now)));
        self.press_clock(&mut change.record, now);
        Ok(change)
    }

    /// Gives the game up.
    ///
    /// # Errors
    /// When the token opens no seat, or the game is over.
    pub fn resign(&self, token: &str) -> Result<Change, ApiError> {
        let player = self.authorised(token)?;
        self.goes_on()?;
        let mut change = self.change();
        change.record.resigned = Some(player);
        Ok(change)
    }

    /// Claims the seat of an invitation: its token is exchanged for a new one, which only the claimant has. A claimant with a name gives it to the seat.
    ///
    /// # Errors
    /// When the token opens no seat, or was used already.
    pub fn claim(&self, token: &str, name: &str, new: String) -> Result<(Player, Change), ApiError> {
        let player = self.authorised(token)?;
        let mut change = self.change();
        let used = std::mem::replace(&mut change.record.tokens[player.index()], new);
        change.record.claimed.push(used);
        if !name.is_empty() {
            change.record.seats[player.index()] = SeatConfig::Person { name: name.to_owned() };
        }
        Ok((player, change))
    }

    /// Gives a person's seat a name.
    ///
    /// # Errors
    /// When the token opens no seat.
    pub fn rename(&self, token: &str, name: &str) -> Result<Change, ApiError> {
        let player = self.authorised(token)?;
        let mut change = self.change();
        change.record.seats[player.index()] = SeatConfig::Person { name: name.to_owned() };
        Ok(change)
    }

    /// Gives the seat of an agent to another agent, or to a person with this token. Whoever comes has their turn from now on.
    ///
    /// # Errors
    /// When the token is of nobody who takes part, the game is over, or the seat is a person's.
    pub fn replace(
        &self,
        token: &str,
        seat: Player,
        with: SeatConfig,
        new: String,
        now: Duration,
    ) -> Result<Change, ApiError> {
        self.takes_part(token)?;
        self.goes_on()?;
        if self.record.seats[seat.index()].is_person() {
            return Err(ApiError::invalid("this seat is a person's; only agents are replaced"));
        }
        let mut change = self.change();
        change.record.tokens[seat.index()] = if with.is_person() { new } else { String::new() };
        change.record.seats[seat.index()] = with;
        change.record.replaced = true;
        if self.line.to_move() == seat {
            change.record.since_ms = milliseconds(now);
        }
        Ok(change)
    }

    /// Checks that moves can be made.
    fn goes_on(&self) -> Result<(), ApiError> {
        if self.is_over() {
            return Err(ApiError::invalid("the game is over"));
        }
        match &self.record.archived {
            Some(day) => Err(ApiError::invalid(format!(
                "the game was archived on {day}, after a long time without a move; continue it as a new game"
            ))),
            None => Ok(()),
        }
    }

    /// Notes that the finished game is in the store of games.
    #[must_use]
    pub fn stored(&self) -> Change {
        let mut change = self.change();
        change.record.stored = true;
        change
    }

    /// Applies a change that has been stored. A turn that begins with it begins now: storing costs nobody time.
    pub fn apply(&mut self, change: Change, now: Duration) {
        let begins = change.record.since_ms != self.record.since_ms;
        (self.record, self.line, self.fault) = (change.record, change.line, None);
        if begins {
            self.begin_turn(now);
        }
    }

    fn change(&self) -> Change {
        Change { record: self.record.clone(), line: self.line.boxed_clone() }
    }
}

/// Whether two tokens are the same, in a time that does not tell how much of them is. An empty one opens nothing.
fn same(known: &str, token: &str) -> bool {
    !known.is_empty() && bool::from(known.as_bytes().ct_eq(token.as_bytes()))
}
