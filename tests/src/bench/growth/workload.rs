//! What is asked of each program, in its own words: the same walk over the lists, the same item of
//! each, ticked and unticked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::super::load::write;
use super::super::product::{Product, context, id_of};

/// Lists that people work on at the same time.
const IN_USE: usize = 64;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Tick,
    Read,
}

/// Which lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Some, again and again, from everywhere in the store: those that people have open.
    InUse,
    /// Each one once before any comes again: nothing is where it was just looked for.
    All,
}

/// The four figures of a program.
pub(super) const KINDS: [(Call, Over); 4] = [
    (Call::Tick, Over::InUse),
    (Call::Tick, Over::All),
    (Call::Read, Over::InUse),
    (Call::Read, Over::All),
];

/// Which list a connection asks for next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    lists: usize,
    /// Steps over all lists, so that neighbours in time are none in the store.
    stride: usize,
    over: Over,
}

impl Walk {
    pub(super) fn new(lists: usize, over: Over) -> Self {
        // About the golden section of them, which comes back to no place early.
        let mut stride = (lists * 618 / 1_000).max(1);
        while common_divisor(stride, lists) != 1 {
            stride += 1;
        }
        Self {
            lists,
            stride,
            over,
        }
    }

    pub(super) const fn list(self, connection: usize, n: u64) -> usize {
        let n = n as usize;
        match self.over {
            Over::InUse => {
                let some = if self.lists < IN_USE {
                    self.lists
                } else {
                    IN_USE
                };
                (connection * 7 + n) % some * self.lists / some
            }
            Over::All => (connection * 7 + n % self.lists * self.stride) % self.lists,
        }
    }
}

const fn common_divisor(mut one: usize, mut other: usize) -> usize {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// What is ticked in which list, so that every tick changes something.
#[derive(Clone)]
pub(super) struct Board(Arc<[AtomicU32]>);

impl Board {
    pub(super) fn of(lists: usize) -> Self {
        Self((0..lists.max(1)).map(|_| AtomicU32::new(0)).collect())
    }

    /// Whether the item is to be done now.
    fn toggle(&self, list: usize, item: usize) -> bool {
        let bit = 1 << item;
        self.0[list].fetch_xor(bit, Ordering::Relaxed) & bit == 0
    }
}

/// How a program wants to be asked.
#[derive(Clone)]
pub(super) enum Words {
    Product { tick: String, read: String },
    Bare,
}

impl Words {
    /// With a fresh token.
    pub(super) fn of_product(product: &Product) -> Self {
        Self::Product {
            tick: product.head("UpdateItems"),
            read: product.head("GetItems"),
        }
    }

    /// Writes the n-th request of a connection.
    pub(super) fn write(
        &self,
        request: &mut Vec<u8>,
        call: Call,
        (list, item): (usize, usize),
        board: &Board,
    ) {
        match call {
            Call::Tick => self.tick(request, list, item, board.toggle(list, item)),
            Call::Read => self.read(request, list),
        }
    }

    fn tick(&self, request: &mut Vec<u8>, list: usize, item: usize, done: bool) {
        // Unique as long as this program runs.
        static OPERATION: AtomicU64 = AtomicU64::new(0);
        let status = if done { "Done" } else { "Open" };
        match self {
            Self::Product { tick, .. } => {
                let operation = OPERATION.fetch_add(1, Ordering::Relaxed);
                let (context, id) = (context(list), id_of(list, item));
                let body = format!(
                    r#"{{"Context":{context},"OperationId":"growth-{operation}","LogInJournal":true,"Items":[{{"Id":"{id}","Status":"{status}"}}]}}"#
                );
                write(request, tick, &body);
            }
            Self::Bare => {
                let body = format!(r#"{{"List":{list},"Item":{item},"Done":{done}}}"#);
                write(
                    request,
                    "POST /tick HTTP/1.1\r\nHost: bare\r\nContent-Type: application/json\r\n",
                    &body,
                );
            }
        }
    }

    fn read(&self, request: &mut Vec<u8>, list: usize) {
        match self {
            Self::Product { read, .. } => {
                write(
                    request,
                    read,
                    &format!(r#"{{"Context":{}}}"#, context(list)),
                );
            }
            Self::Bare => {
                let head = format!("GET /items/{list} HTTP/1.1\r\nHost: bare\r\n\r\n");
                request.extend_from_slice(head.as_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_walk_over_all_lists_comes_to_each_of_them_before_any_comes_again() {
        for lists in [1, 50, 5_000] {
            let walk = Walk::new(lists, Over::All);
            let seen: BTreeSet<usize> = (0..lists as u64).map(|n| walk.list(3, n)).collect();
            assert_eq!(seen.len(), lists);
        }
    }

    #[test]
    fn lists_in_use_are_few_and_come_from_everywhere() {
        let walk = Walk::new(5_000, Over::InUse);
        let seen: BTreeSet<usize> = (0..10_000).map(|n| walk.list(0, n)).collect();
        assert_eq!(seen.len(), IN_USE);
        assert!(seen.last().is_some_and(|&last| last > 4_900));
    }

    #[test]
    fn every_tick_changes_what_the_one_before_has_left() {
        let board = Board::of(2);
        let done: Vec<bool> = (0..4).map(|_| board.toggle(1, 7)).collect();
        assert_eq!(done, [true, false, true, false]);
    }
}
