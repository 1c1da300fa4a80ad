//! The memory of agents: what is granted is kept, by every kind, whatever its limits are.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use quintet_agent::{Catalogue, KINDS};
use quintet_game::{GameSpec, Limit, Stop};

/// Counts the bytes of each thread, now and at most.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends frees memory after its counters.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(now.get())));
    });
}

// SAFETY: every call is the system's; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What is granted, in MiB.
const GRANTED: u64 = 4;

/// What comes on top: lists of the positions after all moves of single nodes, which have 2 KiB each on the largest board of TwixT,
/// and what is needed to drop a part of a tree.
const SLACK: usize = 4 << 20;

/// The most bytes that an agent takes for two moves after some random ones, beyond what it has when it is built, and what it says
/// that it keeps.
fn taken(spec: &GameSpec, agent: &str, plies: usize, nodes: u64) -> Option<[usize; 2]> {
    let agents = Catalogue::embedded();
    let resolved = agents.resolve_agent(spec, agent).ok()?.within(GRANTED);
    let mut seat = resolved.seat(agents, spec, 1).ok()?;
    let limit =
        Limit { nodes: Some(nodes), depth: Some(1_000_000), visits: Some(1_000_000_000_000), ..Limit::default() };
    let (mut line, mut random) = (spec.line(), agents.seat(spec, "random", 5).unwrap());
    while line.plies() < plies {
        let choice = random.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
        line.try_play(&choice.mv).unwrap();
    }
    let mut kept = 0;
    let before = NOW.get();
    MOST.set(before);
    for _ in 0..2 {
        let choice = seat.think(&*line, &limit, &Stop::never(), &mut |_| {}).unwrap();
        line.try_play(&choice.mv).unwrap();
        kept = kept.max(seat.memory());
        let reply = line.legal_moves().swap_remove(0);
        line.try_play(&reply).unwrap();
    }
    Some([(MOST.get() - before) as usize, kept])
}

/// A spec of every kind that takes no agent of a name, with the evaluation of a game.
fn specs(kind: &str, eval: &str) -> Vec<String> {
    match kind {
        "random" | "middle-plan" => vec![kind.into()],
        "mcts" => vec!["mcts".into(), format!("mcts(eval={eval},width=9)")],
        "puct" => vec!["puct".into(), format!("puct(eval={eval})")],
        "book" => Vec::new(),
        "exact" => vec![format!("exact(agent=pvs(eval={eval}))"), format!("exact(agent=pai-mcts(eval={eval}))")],
        "beam" => vec![format!("beam(eval={eval},widths={})", ["0"; 200].join("-"))],
        "expectimax" => vec![format!("expectimax(eval={eval},pieces-per-ply=1,replies=500)")],
        "minimax" | "alphabeta" => {
            vec![format!("{kind}(eval={eval})"), format!("{kind}(eval={eval},order=best,duplicates=drop)")]
        }
        "monte-carlo" => vec![format!("monte-carlo(eval={eval},top=0,games=1000000)")],
        kind => vec![format!("{kind}(eval={eval})")],
    }
}

/// On half of the stack that a thread usually has: a limit of a million plies must not use it up.
#[test]
fn no_kind_takes_more_than_it_is_granted() {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(every_kind).unwrap();
    thread.join().unwrap();
}

fn every_kind() {
    let mut measured = Vec::new();
    for (game, eval, plies, nodes) in [
        ("pathwayz", "longest-path", 10, 4_000),
        ("pylos", "difference", 1, 100_000),
        ("twixt(size=24)", "distance", 4, 1_000),
        ("pentago", "e3", 2, 100_000),
        ("pentago-twist", "e3", 8, 20_000),
    ] {
        let spec = GameSpec::parse(game).unwrap();
        for kind in KINDS.iter().filter(|kind| kind.name != "ugi") {
            for agent in specs(kind.name, eval) {
                // A walk of this kind evaluates all moves.
                let nodes = if agent.contains("pai-mcts") { nodes.min(5_000) } else { nodes };
                if let Some([most, kept]) = taken(&spec, &agent, plies, nodes) {
                    measured.push((kind.name, format!("{game} {agent}"), most.max(kept)));
                }
            }
        }
    }
    for (kind, agent, most) in &measured {
        assert!(*most <= ((GRANTED as usize) << 20) + SLACK, "{kind}: {agent} took {most} bytes");
    }
    // Some searches would take more, or nothing is tested.
    for kind in ["mcts", "puct", "pvs", "pai-mcts", "beam", "exact"] {
        let most = measured.iter().filter(|(of, ..)| *of == kind).map(|(.., most)| *most).max();
        assert!(most > Some(2 << 20), "{kind}: {most:?}");
    }
}
