//! Measuring both programs in turns, and saying what came of it.

use std::io;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::load::{Measured, ask, write};
use super::product::{Product, context};
use super::{ITEMS, LISTS};
use crate::data::Database;
use crate::process::Process;

/// Which database both programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum On {
    /// A file each.
    Sqlite,
    /// A database each on one server.
    Postgres,
}

/// How long, how often, over how many connections.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// On which database.
    pub on: On,
    /// Of one program at one call.
    pub time: Duration,
    /// Turns.
    pub rounds: usize,
    /// Connections at once.
    pub connections: usize,
}

/// Runs the plan and prints a table.
///
/// # Errors
/// When a program answers with anything but success.
pub async fn run(plan: Plan) -> io::Result<()> {
    let directory = TempDir::new()?;
    let mut command = Command::new(std::env::current_exe()?);
    // A database of its own on the same server, kept until the end.
    let database =
        (plan.on == On::Postgres).then(|| tokio::task::block_in_place(|| Database::empty()));
    match &database {
        None => command.arg("bare").arg(directory.path()),
        Some(database) => command.arg("bare-postgres").arg(database.url()),
    };
    let mut bare = Process::start(command.arg(LISTS.to_string()));
    let bare = bare_address(&mut bare);
    let product = tokio::task::block_in_place(|| Product::start(plan.on));
    let Plan {
        on,
        time,
        rounds,
        connections,
    } = plan;
    let yardstick = match on {
        On::Sqlite => "bare axum + rusqlite, FULL",
        On::Postgres => "bare axum + tokio-postgres",
    };
    println!("\n--- {on:?} ---");
    println!(
        "{LISTS} lists of {ITEMS} items, {connections} connections, {rounds} rounds of {:.0} s each, in turns\n",
        time.as_secs_f64()
    );
    let (mut tick, mut bare_tick, mut read, mut bare_read) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        tick.push(ask_tick(&product, plan, round).await?);
        bare_tick.push(ask(&bare, connections, time, bare_tick_request).await?);
        read.push(ask_read(&product, plan).await?);
        bare_read.push(ask(&bare, connections, time, bare_read_request).await?);
    }
    println!("{:<34} {:>9} {:>9} {:>9}", "", "per s", "p50 ms", "p99 ms");
    let tick = tell("tick: UpdateItems", &tick);
    let bare_tick = tell(&format!("tick: {yardstick}"), &bare_tick);
    let read = tell("read: GetItems", &read);
    let bare_read = tell(&format!("read: {yardstick}"), &bare_read);
    println!(
        "\nratio of the medians: tick {:.2}, read {:.2} (at least 0.60)",
        tick / bare_tick,
        read / bare_read
    );
    super::live::measure(&product).await
}

fn bare_address(bare: &mut Process) -> String {
    bare.says("listening on http://")
}

/// Ticks in every list, in the turn of that number: what one has ticked the next one opens.
pub(super) async fn ask_tick(product: &Product, plan: Plan, round: usize) -> io::Result<Measured> {
    let head = product.head("UpdateItems");
    let ids = product.ids.clone();
    let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        write_tick(request, &head, &ids, round, (connection, n));
    };
    ask(&product.server.address, plan.connections, plan.time, next).await
}

/// Writes the n-th tick of a connection in the turn of that number.
pub(super) fn write_tick(
    request: &mut Vec<u8>,
    head: &str,
    ids: &[Vec<String>],
    round: usize,
    (connection, n): (usize, u64),
) {
    let (list, item, done) = tick_of(connection, n);
    let status = if done != (round % 2 == 1) {
        "Done"
    } else {
        "Open"
    };
    let body = format!(
        r#"{{"Context":{},"OperationId":"{round}-{connection}-{n}","LogInJournal":true,"Items":[{{"Id":"{}","Status":"{status}"}}]}}"#,
        context(list),
        ids[list][item]
    );
    write(request, head, &body);
}

async fn ask_read(product: &Product, plan: Plan) -> io::Result<Measured> {
    let head = product.head("GetItems");
    let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        write(
            request,
            &head,
            &format!(r#"{{"Context":{}}}"#, context(list_of(connection, n))),
        );
    };
    ask(&product.server.address, plan.connections, plan.time, next).await
}

fn bare_tick_request(connection: usize, n: u64, request: &mut Vec<u8>) {
    let (list, item, done) = tick_of(connection, n);
    let body = format!(r#"{{"List":{list},"Item":{item},"Done":{done}}}"#);
    write(
        request,
        "POST /tick HTTP/1.1\r\nHost: bare\r\nContent-Type: application/json\r\n",
        &body,
    );
}

fn bare_read_request(connection: usize, n: u64, request: &mut Vec<u8>) {
    let head = format!(
        "GET /items/{} HTTP/1.1\r\nHost: bare\r\n\r\n",
        list_of(connection, n)
    );
    request.extend_from_slice(head.as_bytes());
}

/// The n-th tick of a connection: which list, which item, and whether it is done then. Each
/// connection has an item of its own in every list, so that every tick changes something.
pub(super) const fn tick_of(connection: usize, n: u64) -> (usize, usize, bool) {
    let walk = n as usize / LISTS;
    (
        list_of(connection, n),
        connection % ITEMS,
        walk.is_multiple_of(2),
    )
}

/// Connections walk over all lists, each from a place of its own.
const fn list_of(connection: usize, n: u64) -> usize {
    (connection * 7 + n as usize) % LISTS
}

/// Prints the round with the median rate; gives that rate.
pub(super) fn tell(name: &str, rounds: &[Measured]) -> f64 {
    let Some(median) = median(rounds) else {
        return 0.0;
    };
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{name:<34} {:>9.0} {:>9.2} {:>9.2}",
        median.rate,
        millis(median.median),
        millis(median.p99)
    );
    median.rate
}

/// The round with the median rate.
pub(super) fn median(rounds: &[Measured]) -> Option<&Measured> {
    let mut rounds: Vec<&Measured> = rounds.iter().collect();
    rounds.sort_by(|one, other| one.rate.total_cmp(&other.rate));
    rounds.get(rounds.len() / 2).copied()
}
