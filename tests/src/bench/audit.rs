//! What ticks pay for checkpoints of the audit trail: the same ticks on a server that signs, and on
//! one that does not, because it has no vault. Both compute the leaf of each row.
//!
//! The two take turns, so that the disk's moods meet both alike.

use std::io;

use super::load::Measured;
use super::product::Product;
use super::run::{Plan, ask_tick, median};

/// Runs the plan and prints a table.
///
/// # Errors
/// When a server answers with anything but success.
pub async fn run(plan: Plan) -> io::Result<()> {
    let start = |signs: bool| {
        Product::start_as(
            plan.on,
            |setup| {
                if signs { setup.with_vault() } else { setup }
            },
        )
    };
    let (signing, plain) = tokio::task::block_in_place(|| (start(true), start(false)));
    let (mut with, mut without): (Vec<Measured>, Vec<Measured>) = (Vec::new(), Vec::new());
    for round in 0..plan.rounds {
        with.push(ask_tick(&signing, plan, round).await?);
        without.push(ask_tick(&plain, plan, round).await?);
    }
    println!("\n--- audit, {:?} ---", plan.on);
    println!(
        "{:<34} {:>9} {:>9} {:>9}",
        "ticks", "per s", "p50 ms", "p99 ms"
    );
    let rate = |name: &str, measured: &[Measured]| {
        let Some(median) = median(measured) else {
            return 0.0;
        };
        println!(
            "{name:<34} {:>9.0} {:>9.2} {:>9.2}",
            median.rate,
            median.median.as_secs_f64() * 1000.0,
            median.p99.as_secs_f64() * 1000.0
        );
        median.rate
    };
    let with = rate("with checkpoints", &with);
    let without = rate("without", &without);
    let made = tokio::task::block_in_place(|| {
        let command = ["audit", "checkpoint", "--tenant", "bench"];
        signing.server.run(&command)
    });
    let rows = made.said.lines().nth(1).unwrap_or("no").to_owned();
    println!(
        "\nratio of the medians: {:.2} (at least 0.95); {rows} rows are signed",
        with / without
    );
    Ok(())
}
