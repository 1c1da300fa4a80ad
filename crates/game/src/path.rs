//! Shortest paths, for showing how a game was won.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A shortest path from one of `starts` to a node where `goal` holds, both ends included; empty if there is none.
///
/// ```
/// use quintet_game::path::shortest;
/// let path = shortest([1, 20], |n| n == 23, |n, visit| [n + 1, n * 2].into_iter().for_each(visit));
/// assert_eq!(path, [20, 21, 22, 23]);
/// ```
pub fn shortest<T: Copy + Eq + Hash>(
    starts: impl IntoIterator<Item = T>,
    goal: impl Fn(T) -> bool,
    neighbours: impl Fn(T, &mut dyn FnMut(T)),
) -> Vec<T> {
    let mut queue: VecDeque<T> = starts.into_iter().collect();
    let mut from: HashMap<T, Option<T>> = queue.iter().map(|start| (*start, None)).collect();
    while let Some(node) = queue.pop_front() {
        if goal(node) {
            let mut path = vec![node];
            let mut at = node;
            while let Some(Some(before)) = from.get(&at) {
                path.push(*before);
                at = *before;
            }
            path.reverse();
            return path;
        }
        neighbours(node, &mut |next| {
            from.entry(next).or_insert_with(|| {
                queue.push_back(next);
                Some(node)
            });
        });
    }
    Vec::new()
}
