//! Pending operations in their order, with at most one request in flight.
//!
//! Order matters because later operations build on earlier ones (an item is added, then
//! checked).

use super::operation::{Action, Operation};

/// The pending operations.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    waiting: Vec<Operation>,
    in_flight: bool,
}

impl Queue {
    /// Adds an operation at the end.
    pub fn push(&mut self, operation: Operation) {
        self.waiting.push(operation);
    }

    /// How many operations are not confirmed yet, the one in flight included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether everything is confirmed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next operation to send, which is in flight from now on; `None` while another is.
    pub fn start(&mut self) -> Option<Operation> {
        if self.in_flight {
            return None;
        }
        let next = self.waiting.first().cloned()?;
        self.in_flight = true;
        Some(next)
    }

    /// The operation that is first, in flight from now on, also when it was sent before.
    pub fn resume(&mut self) -> Option<Operation> {
        self.in_flight = false;
        self.start()
    }

    /// The request in flight brought no answer; the operation stays first.
    pub fn put_back(&mut self) {
        self.in_flight = false;
    }

    /// The operation in flight is answered, for good or bad.
    pub fn finish(&mut self) -> Option<Operation> {
        self.in_flight = false;
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }

    /// Takes an operation out that was not sent yet. `None` when it is in flight or gone.
    pub fn withdraw(&mut self, id: &str) -> Option<Operation> {
        let at = self
            .waiting
            .iter()
            .position(|operation| operation.id == id)?;
        if at == 0 && self.in_flight {
            None
        } else {
            Some(self.waiting.remove(at))
        }
    }

    /// Forgets everything that was not sent yet.
    pub fn clear_unsent(&mut self) -> Vec<Operation> {
        let keep = usize::from(self.in_flight);
        self.waiting.split_off(keep.min(self.waiting.len()))
    }

    /// The changes of the operations, in order.
    #[must_use]
    pub fn actions(&self) -> Vec<&Action> {
        self.waiting
            .iter()
            .map(|operation| &operation.action)
            .collect()
    }

    /// All operations, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.waiting.iter()
    }
}
