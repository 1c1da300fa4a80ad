//! Any bytes are a message of a cluster or are refused in a sentence; one that is read can be written and read again, the games of an answer are replayed or refused, and a value of a
//! first peg is one of a map.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_arena::{Length, Plan, verify};
use quintet_cluster::message::{
    Announcement, Answer, Message, Outcome, PlayerState, Task, Training, Unit, WorkerState, read, write,
};
use quintet_fuzz::check_line;
use quintet_game::GameSpec;

/// Reads a message and writes it again.
fn heard<M: Message>(data: &[u8]) -> Option<M> {
    match read::<M>(data) {
        Ok(message) => {
            let bytes = write(&message).expect("what was read can be written");
            read::<M>(&bytes).expect("and read again");
            Some(message)
        }
        Err(why) => {
            check_line(&why.to_string());
            None
        }
    }
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let announced = heard::<Announcement>(data);
    if let Some(announced) = &announced {
        let (task, spec) = announced.read_task().expect("it was checked");
        match task {
            Task::Games(plan) => {
                for number in [0, plan.games().saturating_sub(1), plan.games()] {
                    assert_eq!(plan.fixture(number).is_some(), number < plan.games());
                }
            }
            Task::Map(_) => assert_eq!(spec.info().name, "twixt"),
        }
    }
    let unit = heard::<Unit>(data);
    let worker = heard::<WorkerState>(data);
    let answer = heard::<Answer>(data);
    if let Some(Answer { outcome: Outcome::Solved(solved), .. }) = &answer {
        solved.read().expect("it was checked");
    }
    if let Some(Answer { outcome: Outcome::Played(games), .. }) = &answer {
        let plan = Plan::duel("pylos", ["random", "random"], Length::Games(100)).expect("a plan");
        let spec = GameSpec::parse("pylos").expect("a game");
        for played in games {
            let Some(fixture) = plan.fixture(played.number) else { continue };
            if let Err(why) = verify(&plan, &spec, &fixture, &[], played) {
                check_line(&why);
            }
        }
    }
    let (training, player) = (heard::<Training>(data), heard::<PlayerState>(data));
    let of_games = announced.is_some() || unit.is_some() || worker.is_some() || answer.is_some();
    let read = of_games || training.is_some() || player.is_some();
    if read { Corpus::Keep } else { Corpus::Reject }
});
