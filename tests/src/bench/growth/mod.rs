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
use std::time::Duration;

use serde_json::json;

use super::ITEMS;
use super::fill::fill;
use super::product::{Product, id_of};
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
        let noted = |list| format!(r#"{{"Id":"{}","Note":"written"}}"#, id_of(list, 0));
        let a_second = fill(&product, written, lists, noted).await?;
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
