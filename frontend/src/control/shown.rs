//! A value on the screen: what follows it is drawn again when it changes.
//!
//! Reading neither locks nor clones. Part of what a [`Controller`](super::Controller) holds;
//! views reach it through that.

use std::cell::RefCell;

use crate::components::element::live::Followers;

/// A value that views follow.
#[derive(Default)]
pub struct Shown<T> {
    value: RefCell<T>,
    followers: Followers,
}

impl<T> Shown<T> {
    /// A value that nobody follows yet.
    pub fn new(value: T) -> Self {
        Self {
            value: RefCell::new(value),
            followers: Followers::default(),
        }
    }

    /// Has the view that asks drawn again whenever the value changes.
    pub fn follow(&self) {
        self.followers.add();
    }

    /// Reads the value as it is now.
    pub fn read<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        read(&self.value.borrow())
    }

    /// Changes the value and draws.
    pub fn change<U>(&self, change: impl FnOnce(&mut T) -> U) -> U {
        let changed = self.note(change);
        self.followers.tell();
        changed
    }

    /// Changes the value without drawing: what is typed is on the screen already.
    pub fn note<U>(&self, change: impl FnOnce(&mut T) -> U) -> U {
        change(&mut self.value.borrow_mut())
    }
}
