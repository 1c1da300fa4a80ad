//! Agents of rooms between their moves: they keep their trees and tables, as in the arena, until the memory is needed for other agents.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use quintet_agent::Seat;
use quintet_game::Player;

/// Bytes that all idle agents may hold together.
pub const IDLE_BYTES: usize = 128 << 20;

/// Counted for every agent in addition to the memory that it reports.
const OVERHEAD: usize = 16 << 10;

/// Agents that wait for their next move, by room and seat. The least recently used are dropped first.
pub struct IdleAgents {
    most: usize,
    state: Mutex<IdleState>,
}

#[derive(Default)]
struct IdleState {
    agents: HashMap<(String, Player), Idle>,
    bytes: usize,
    /// Counts uses.
    clock: u64,
}

struct Idle {
    /// What was asked for: another agent may have got the seat since.
    text: String,
    agent: Box<dyn Seat>,
    bytes: usize,
    used: u64,
}

impl IdleAgents {
    /// With room for `most` bytes.
    pub fn new(most: usize) -> IdleAgents {
        IdleAgents { most, state: Mutex::default() }
    }

    /// The agent of a seat, if it is still here. One that was made for another text is dropped.
    pub fn take(&self, room: &str, seat: Player, text: &str) -> Option<Box<dyn Seat>> {
        self.remove(room, seat).filter(|idle| idle.text == text).map(|idle| idle.agent)
    }

    fn remove(&self, room: &str, seat: Player) -> Option<Idle> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = state.agents.remove(&(room.to_owned(), seat))?;
        state.bytes -= idle.bytes;
        Some(idle)
    }

    /// Keeps an agent, made for a text, for its next move; others are dropped if there is not enough room.
    pub fn keep(&self, room: &str, seat: Player, text: &str, agent: Box<dyn Seat>) {
        let bytes = agent.memory() + OVERHEAD;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clock += 1;
        let idle = Idle { text: text.to_owned(), agent, bytes, used: state.clock };
        state.bytes += bytes;
        if let Some(before) = state.agents.insert((room.to_owned(), seat), idle) {
            state.bytes -= before.bytes;
        }
        while state.bytes > self.most {
            let oldest = state.agents.iter().min_by_key(|(_, idle)| idle.used).map(|(key, _)| key.clone());
            let Some(dropped) = oldest.and_then(|key| state.agents.remove(&key)) else { break };
            state.bytes -= dropped.bytes;
        }
    }

    /// Forgets the agents of a room.
    pub fn forget(&self, room: &str) {
        Player::BOTH.into_iter().for_each(|seat| drop(self.remove(room, seat)));
    }
}

#[cfg(test)]
mod tests {
    use quintet_agent::seat;
    use quintet_game::{GameSpec, Limit, Stop};

    use super::*;

    fn tree(nodes: u64) -> Box<dyn Seat> {
        let spec = GameSpec::parse("pylos").unwrap();
        let mut agent = seat(&spec, "puct(eval=difference)", 1).unwrap();
        agent.think(&*spec.line(), &Limit::nodes(nodes), &Stop::never(), &mut |_| {}).unwrap();
        agent
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let size = tree(500).memory() + OVERHEAD;
        assert!(size > 2 * OVERHEAD, "a tree that is kept counts");
        let idle = IdleAgents::new(2 * size + size / 2);
        idle.keep("a", Player::First, "puct", tree(500));
        idle.keep("b", Player::First, "puct", tree(500));
        // a is used again, so that b is the oldest.
        let agent = idle.take("a", Player::First, "puct").unwrap();
        assert!(idle.take("a", Player::First, "puct").is_none());
        idle.keep("a", Player::First, "puct", agent);
        idle.keep("c", Player::Second, "puct", tree(500));
        assert!(idle.take("b", Player::First, "puct").is_none());
        assert!(idle.take("a", Player::First, "puct").is_some() && idle.take("c", Player::Second, "puct").is_some());
        idle.keep("a", Player::Second, "puct", tree(500));
        idle.forget("a");
        assert!(idle.take("a", Player::Second, "puct").is_none());
        idle.keep("a", Player::First, "puct", tree(500));
        assert!(idle.take("a", Player::First, "mcts").is_none(), "another agent has got the seat");
        assert!(idle.take("a", Player::First, "puct").is_none(), "and this one is gone");
        let nothing = IdleAgents::new(0);
        nothing.keep("a", Player::First, "puct", tree(10));
        assert!(nothing.take("a", Player::First, "puct").is_none());
    }
}
