//! A value on the screen: views that read it are drawn again when it changes.
//!
//! Leptos' trigger with the value beside it. All values share the one trigger type, where a
//! signal of each type would be compiled anew, and reading neither locks nor clones. Part of
//! what a [`Controller`](super::Controller) holds; views reach it through that.

use std::cell::RefCell;

use leptos::prelude::{ArcTrigger, Notify, Track};

/// A value that views follow.
#[derive(Default)]
pub struct Shown<T> {
    value: RefCell<T>,
    changed: ArcTrigger,
}

impl<T> Shown<T> {
    /// A value that nobody follows yet.
    pub fn new(value: T) -> Self {
        Self {
            value: RefCell::new(value),
            changed: ArcTrigger::new(),
        }
    }

    /// Reads the value for a view, which is drawn again when it changes.
    pub fn with<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        self.changed.track();
        self.with_untracked(read)
    }

    /// Reads the value as it is now.
    pub fn with_untracked<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        read(&self.value.borrow())
    }

    /// Changes the value and draws.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        self.note(change);
        self.changed.notify();
    }

    /// Changes the value without drawing: what is typed is on the screen already.
    pub fn note(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.value.borrow_mut());
    }
}

impl<T: PartialEq> Shown<T> {
    /// Sets the value, and draws when it is another one.
    pub fn set(&self, value: T) {
        if self.with_untracked(|shown| *shown != value) {
            self.update(|shown| *shown = value);
        }
    }
}

impl<T: Clone> Shown<T> {
    /// A copy of the value for a view, which is drawn again when it changes.
    pub fn get(&self) -> T {
        self.with(T::clone)
    }

    /// A copy of the value as it is now.
    pub fn get_untracked(&self) -> T {
        self.with_untracked(T::clone)
    }
}
