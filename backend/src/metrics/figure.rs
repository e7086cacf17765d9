//! Figures at zero, with their names and sentences in a registry.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Metric, Registry, Unit};

/// A gauge of seconds or ratios. Its bits are in one atomic, so reading and writing it takes no lock.
pub type Decimal = Gauge<f64, AtomicU64>;

/// Registers a figure.
pub(super) fn figure<M>(registry: &mut Registry, name: &str, help: &str) -> M
where
    M: Metric + Clone + Default,
{
    let figure = M::default();
    registry.register(name, help, figure.clone());
    figure
}

/// Registers a figure that is measured in a unit.
pub(super) fn figure_in<M>(registry: &mut Registry, unit: Unit, name: &str, help: &str) -> M
where
    M: Metric + Clone + Default,
{
    let figure = M::default();
    registry.register_with_unit(name, help, unit, figure.clone());
    figure
}
