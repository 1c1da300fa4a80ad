//! Every agent of the catalogue against a naive twin that is written from its paper and shares only the rules with it.
//!
//! A twin plays moves as text, evaluates the text of the position on a plain board, and prunes nothing. Where an agent is random,
//! the twin checks what must hold in any case.

mod balls;
mod chance;
mod common;
mod marbles;
mod pathwayz;
mod pentago;
mod pylos;
mod search;
mod trained;
mod twist;
mod twixt;

use common::{Tally, Twin};
use quintet_agent::Catalogue;

/// The twins of every game.
const TWINS: [&[Twin]; 6] = [pathwayz::TWINS, trained::TWINS, pylos::TWINS, twixt::TWINS, twist::TWINS, pentago::TWINS];

/// The fewest positions for every agent in every mode.
const POSITIONS: usize = 20;

fn compare<'a>(twins: impl IntoIterator<Item = &'a Twin>) {
    let mut faults = Vec::new();
    for twin in twins {
        let mut tally = Tally::new(twin);
        (twin.check)(&mut tally);
        println!("{:45} {:4} positions, {} faults", tally.name(), tally.compared, tally.faults.len());
        assert!(tally.compared >= POSITIONS, "{}: {} positions are too few", tally.name(), tally.compared);
        faults.append(&mut tally.faults);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Is it one of the agents that rank moves before they search them? They are half of Pathwayz' and take as long as the others.
fn ranks(twin: &&Twin) -> bool {
    twin.agent.contains("beam") || twin.agent.contains("expectimax")
}

#[test]
fn pathwayz_agents_choose_as_their_twins() {
    compare(pathwayz::TWINS.iter().filter(|twin| !ranks(twin)));
}

#[test]
fn pathwayz_agents_that_rank_moves_choose_as_their_twins() {
    compare(pathwayz::TWINS.iter().filter(ranks));
}

#[test]
fn pathwayz_agents_with_learned_weights_choose_as_their_twins() {
    compare(trained::TWINS);
}

#[test]
fn pylos_agents_choose_as_their_twins() {
    compare(pylos::TWINS);
}

#[test]
fn twixt_agents_choose_as_their_twins() {
    compare(twixt::TWINS);
}

#[test]
fn pentago_twist_agents_choose_as_their_twins() {
    compare(twist::TWINS);
}

#[test]
fn pentago_agents_choose_as_their_twins() {
    compare(pentago::TWINS);
}

#[test]
fn every_agent_that_is_ready_has_a_twin_in_every_mode() {
    let twins: Vec<&Twin> = TWINS.into_iter().flatten().collect();
    for entry in Catalogue::embedded().entries().filter(|entry| entry.needs.is_none()) {
        for mode in entry.specs.iter().map(|spec| spec.mode) {
            let has_twin = twins.iter().any(|twin| twin.agent == entry.token() && twin.mode == mode);
            assert!(has_twin, "{}(mode={mode}) has no twin", entry.token());
        }
    }
}

#[test]
fn every_agent_is_ready() {
    let waiting: Vec<_> = Catalogue::embedded().entries().filter(|entry| entry.needs.is_some()).collect();
    assert!(waiting.is_empty(), "{waiting:?}");
}
