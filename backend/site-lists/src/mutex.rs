//! Locking of mutexes that guard caches and pools.
//!
//! Invariant: a panic of one caller does not poison a cache for the others; no guarded value is left
//! half-written, because each is replaced or changed in one step.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
