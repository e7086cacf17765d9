//! What grows as a store grows: one store is filled through the product's own API to one size after
//! the other, and at each it is started, read and ticked in turns with the bare program that holds as
//! many items, followed by streams, and looked at for memory and bytes.
//!
//! Figures are told and never judged.

mod report;
mod stage;
mod workload;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

use super::ITEMS;
use super::load::{ask_times, write};
use super::product::{Product, context, id_of};
use super::run::On;
use report::Stage;
use workload::Board;

/// What to measure.
pub struct Plan {
    /// On which databases.
    pub on: Vec<On>,
    /// Items in the store.
    pub sizes: Vec<usize>,
    /// Of one program at one call.
    pub time: Duration,
    /// Turns; the middle one counts.
    pub rounds: usize,
    /// Connections at once.
    pub connections: usize,
    /// Streams at once, at the first size and at the last.
    pub streams: Vec<usize>,
    /// Where to write the figures.
    pub json: Option<PathBuf>,
}

/// Connections that fill the store.
const FILLING: usize = 32;
/// Lists that are written before it is said how far it is.
const A_STEP: usize = 25_000;

/// Runs the plan; prints tables and writes the figures down.
///
/// # Errors
/// When a program answers with anything but success, or the file cannot be written.
pub async fn run(plan: &Plan) -> io::Result<()> {
    let mut figures = Vec::new();
    for &on in &plan.on {
        println!("\n--- {on:?} ---");
        let stages = on_database(plan, on).await?;
        println!("{}", report::table(&stages));
        figures.push(json!({ "Database": format!("{on:?}"), "Stages": report::json(&stages) }));
    }
    if let Some(path) = &plan.json {
        write_down(path, &json!(figures))?;
        println!("figures in {}", path.display());
    }
    Ok(())
}

fn write_down(path: &Path, figures: &serde_json::Value) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, format!("{figures:#}\n"))
}

async fn on_database(plan: &Plan, on: On) -> io::Result<Vec<Stage>> {
    let mut product = tokio::task::block_in_place(|| Product::without_lists(on));
    let most = plan.sizes.iter().max().copied().unwrap_or(0) / ITEMS;
    let board = Board::of(most);
    let mut stages = Vec::new();
    let mut written = 0;
    for (number, &size) in plan.sizes.iter().enumerate() {
        let lists = (size / ITEMS).max(1);
        let a_second = fill(&product, written, lists).await?;
        written = written.max(lists);
        let of = stage::Of {
            plan,
            on,
            lists,
            board: &board,
            with_streams: number == 0 || number + 1 == plan.sizes.len(),
        };
        let mut stage = stage::measure(&of, &mut product).await?;
        stage.filled_a_second = a_second;
        stages.push(stage);
    }
    Ok(stages)
}

/// Writes the lists from one number to another for the first time, each with all of its items, as
/// people do; gives how many a second. They carry no operation id: of old lists none is remembered.
async fn fill(product: &Product, from: usize, to: usize) -> io::Result<f64> {
    let begun = Instant::now();
    let mut first = from;
    while first < to {
        let end = (first + A_STEP).min(to);
        // A fresh token each time, because none lives for long.
        let head = product.head("UpdateItems");
        let each = (end - first).div_ceil(FILLING);
        let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
            // The last ones are written twice where it does not come out even.
            let list = (first + connection * each + n as usize).min(end - 1);
            let body = format!(
                r#"{{"Context":{},"LogInJournal":true,"Items":[{{"Id":"{}","Note":"written"}}]}}"#,
                context(list),
                id_of(list, 0)
            );
            write(request, &head, &body);
        };
        ask_times(&product.server.address, FILLING, each as u64, next).await?;
        first = end;
        println!(
            "filled: {} lists, {} items, {:.0} s",
            end,
            end * ITEMS,
            begun.elapsed().as_secs_f64()
        );
    }
    Ok((to - from.min(to)) as f64 / begun.elapsed().as_secs_f64())
}
