//! Vectors that grow within a cap on memory.

/// Makes room for `more` items. A vector grows by half instead of doubling, and by at most `spare` bytes more than it must: so what a
/// search has asked for is never far above what it uses.
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize, spare: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max((items.len() / 2).min(spare / size_of::<T>().max(1))));
    }
}
