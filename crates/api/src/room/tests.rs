//! The state machine, request by request.

use super::*;

pub(super) const NOW: Duration = Duration::from_secs(100);

pub(super) fn room(seats: &str) -> Room {
    let new = format!("{{\"game\":\"pathwayz(rows=2,cols=2)\",\"seats\":{seats}}}");
    let new: NewRoom = serde_json::from_str(&new).unwrap();
    Room::new(&new, "r".into(), ["a".into(), "b".into(), "o".into()], NOW).unwrap()
}

pub(super) const PEOPLE: &str = r#"[{"who":"person","name":"anna"},{"who":"person"}]"#;
pub(super) const AGAINST: &str = r#"[{"who":"person"},{"who":"agent","agent":"random"}]"#;

pub(super) fn says<T>(result: Result<T, ApiError>) -> String {
    result.err().expect("refused").to_string()
}

#[test]
fn moves_are_made_in_turn_and_clocked() {
    let mut room = room(PEOPLE);
    assert!(says(room.play("b", 0, "a1", NOW)).contains("other side's turn"));
    assert_eq!(room.play("x", 0, "a1", NOW).err().unwrap().kind, ErrorKind::Forbidden);
    assert!(says(room.play("a", 1, "a1", NOW)).contains("0 moves have been played"));
    let change = room.play("a", 0, "A1", NOW + Duration::from_millis(1500)).unwrap().unwrap();
    assert_eq!(
        (change.record().moves.as_slice(), change.record().ms.as_slice()),
        (&["a1".to_owned()][..], &[1500][..])
    );
    assert_eq!(room.line().plies(), 0, "nothing changes before it is applied");
    room.apply(change, NOW);
    assert!(room.play("a", 0, "a1", NOW).unwrap().is_none(), "sent twice");
    assert!(says(room.play("b", 1, "a1", NOW)).contains("taken"));
    let restored = Room::restore(room.record().clone(), NOW).unwrap();
    assert_eq!(restored.shown(NOW), room.shown(NOW));
}

#[test]
fn resigning_ends_it() {
    let mut room = room(AGAINST);
    let change = room.resign("a").unwrap();
    room.apply(change, NOW);
    assert!(room.is_over() && room.agent_to_move().is_none());
    assert_eq!(
        (room.shown(NOW)["outcome"].as_str(), room.shown(NOW)["reason"].as_str()),
        (Some("second"), Some("resigned"))
    );
    assert_eq!(room.game_record().result, Some(Outcome::Win(Player::Second)));
    assert!(says(room.resign("a")).contains("over"));
    let change = room.stored();
    room.apply(change, NOW);
    assert!(says(room.undo("a", None, NOW)).contains("stored"));
}

#[test]
fn agents_seats_have_no_token_and_the_owner_has_one_of_their_own() {
    let room = room(AGAINST);
    assert_eq!(room.record().tokens, ["a", ""]);
    assert!(room.authorised("").is_err() && room.authorised("b").is_err());
    assert!(room.owned_by("o").is_ok() && room.owned_by("a").is_err() && room.owned_by("").is_err());
    assert!(room.takes_part("a").is_ok() && room.takes_part("o").is_ok() && room.takes_part("b").is_err());
    // A room of an earlier version has no owner's token.
    let old = RoomRecord { owner: String::new(), ..room.record().clone() };
    let old = Room::restore(old, NOW).unwrap();
    assert!(old.owned_by("a").is_ok() && old.owned_by("").is_err());
}

#[test]
fn an_invitation_is_claimed_once() {
    let mut room = room(PEOPLE);
    let (player, change) = room.claim("b", "ben", "c".into()).unwrap();
    assert_eq!(change.record().seats[1].name(), "ben");
    room.apply(change, NOW);
    assert_eq!(player, Player::Second);
    assert!(says(room.claim("b", "", "d".into()).map(drop)).contains("has been used"));
    assert!(room.authorised("b").is_err() && room.authorised("c") == Ok(Player::Second));
    let change = room.advance("a1", NOW).unwrap();
    room.apply(change, NOW);
    let asked = room.undo("a", Some("b"), NOW).unwrap();
    assert_eq!(
        (asked.record().moves.len(), asked.record().undo_asked),
        (1, Some(Player::First)),
        "the maker has lost the other seat"
    );
}

#[test]
fn an_agent_can_be_replaced_and_the_game_no_longer_counts() {
    let mut room = room(AGAINST);
    assert!(room.record().counts());
    let agent = |name: &str| SeatConfig::Agent { agent: name.into() };
    assert!(says(room.replace("x", Player::Second, agent("random"), "n".into(), NOW)).contains("no seat"));
    assert!(says(room.replace("o", Player::First, agent("random"), "n".into(), NOW)).contains("person's"));
    room.set_fault(Some(AgentFault { what: "it broke down".into(), passing: false }));
    assert_eq!(room.shown(NOW)["fault"]["what"], "it broke down");
    let person = SeatConfig::Person { name: String::new() };
    let change = room.replace("a", Player::Second, person, "n".into(), NOW).unwrap();
    room.apply(change, NOW);
    assert_eq!((room.seat_of("n"), room.shown(NOW)["fault"].is_null()), (Some(Player::Second), true));
    assert!(!room.record().counts());
}

#[test]
fn what_was_set_up_does_not_count_and_what_is_archived_does_not_go_on() {
    let given = r#"{"game":"pathwayz(rows=4,cols=4)","moves":["a1"],"seats":[{"who":"person"},{"who":"person"}]}"#;
    let new: NewRoom = serde_json::from_str(given).unwrap();
    let tokens = ["a".into(), "b".into(), "o".into()];
    let room = Room::new(&new, "r".into(), tokens, NOW).unwrap();
    assert!(!room.record().counts());
    let archived = RoomRecord { archived: Some("2026-01-01".into()), ..room.record().clone() };
    let archived = Room::restore(archived, NOW).unwrap();
    assert!(says(archived.play("b", 1, "b1", NOW)).contains("archived on 2026-01-01"));
    assert!(says(archived.undo("b", Some("a"), NOW)).contains("archived"));
    assert_eq!(archived.shown(NOW)["archived"], "2026-01-01");
}
