//! What ticks pay for checkpoints of the audit trail: the same ticks on a server that signs, and on
//! one that does not, because it has no vault. Both compute the leaf of each row. Then how long the
//! trail takes to be verified, once it has many rows.
//!
//! The two take turns, so that the disk's moods meet both alike.

use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::load::{Measured, ask_times, write};
use super::product::{Product, context};
use super::run::{Plan, ask_tick, tell};
use super::{ITEMS, LISTS};

/// Runs the plan and prints a table; `rows` are added before the trail is verified, none for no
/// verification.
///
/// # Errors
/// When a server answers with anything but success, or a trail is not what was written.
pub async fn run(plan: Plan, rows: usize) -> io::Result<()> {
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
    let with = tell("with checkpoints", &with);
    let without = tell("without", &without);
    let made = tokio::task::block_in_place(|| {
        let command = ["audit", "checkpoint", "--tenant", "bench"];
        signing.server.run(&command)
    });
    let signed = made.said.lines().nth(1).unwrap_or("no").to_owned();
    println!(
        "\nratio of the medians: {:.2} (at least 0.95); {signed} rows are signed",
        with / without
    );
    if rows > 0 {
        fill(&signing, plan, rows).await?;
        tokio::task::block_in_place(|| verify(&signing))?;
    }
    Ok(())
}

/// Writes that many rows: each connection ticks and opens all items of lists of its own.
async fn fill(product: &Product, plan: Plan, rows: usize) -> io::Result<()> {
    let head = product.head("UpdateItems");
    let ids = product.ids.clone();
    let connections = plan.connections.min(LISTS);
    let lists = LISTS / connections;
    let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        let n = n as usize;
        let list = connection * lists + n % lists;
        let status = ["Done", "Open"][n / lists % 2];
        let items: Vec<String> = ids[list]
            .iter()
            .map(|id| format!(r#"{{"Id":"{id}","Status":"{status}"}}"#))
            .collect();
        let (context, items) = (context(list), items.join(","));
        let body = format!(r#"{{"Context":{context},"LogInJournal":true,"Items":[{items}]}}"#);
        write(request, &head, &body);
    };
    let times = rows.div_ceil(connections * ITEMS) as u64;
    let filled = ask_times(&product.server.address, connections, times, next).await?;
    println!(
        "{rows} rows by batches of {ITEMS}: {:.0} ticks a second",
        filled.rate * ITEMS as f64
    );
    Ok(())
}

/// Verifies the trail beside the running server.
fn verify(product: &Product) -> io::Result<()> {
    let begun = Instant::now();
    let verifying = product.server.begin(&["audit", "verify"]);
    let mut most = 0;
    while let Some(memory) = verifying.memory() {
        most = most.max(memory);
        sleep(Duration::from_millis(5));
    }
    let took = begun.elapsed().as_secs_f64();
    let ended = verifying.ended();
    if !ended.status.success() {
        return Err(io::Error::other(ended.said));
    }
    println!(
        "verified in {took:.1} s with {:.0} MiB: {}",
        most as f64 / 1_048_576.0,
        ended.said.trim_end()
    );
    Ok(())
}
