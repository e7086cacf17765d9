//! The kind of gauge that holds fractions.
//!
//! Invariant: its bits are in one atomic, so reading and writing it takes no lock.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::gauge::Gauge;

/// A gauge of seconds or ratios.
pub type Decimal = Gauge<f64, AtomicU64>;
