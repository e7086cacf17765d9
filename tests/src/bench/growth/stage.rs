//! One size of the store: its start, the turns of all programs, the streams.

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::super::load::{Measured, ask};
use super::super::product::Product;
use super::super::run::{On, median};
use super::super::{ITEMS, LISTS, live};
use super::Plan;
use super::report::{Stage, Streams, Turns};
use super::workload::{Board, KINDS, Walk, Words};
use crate::data::Database;
use crate::process::Process;

/// Starts; the middle one counts.
const STARTS: usize = 3;

/// What is measured.
pub(super) struct Of<'a> {
    pub(super) plan: &'a Plan,
    pub(super) on: On,
    pub(super) lists: usize,
    pub(super) board: &'a Board,
    pub(super) with_streams: bool,
}

/// A program that takes its turns.
struct Program {
    name: &'static str,
    address: String,
    board: Board,
}

pub(super) async fn measure(of: &Of<'_>, product: &mut Product) -> io::Result<Stage> {
    let (start, idle) = tokio::task::block_in_place(|| starts(product));
    let directory = TempDir::new()?;
    let database =
        (of.on == On::Postgres).then(|| tokio::task::block_in_place(|| Database::empty()));
    let mut bare = start_bare(of.lists, &directory, database.as_ref())?;
    let programs = [
        Program {
            name: "product",
            address: product.server.address.clone(),
            board: of.board.clone(),
        },
        Program {
            name: "bare",
            address: tokio::task::block_in_place(|| bare.says("listening on http://")),
            board: Board::of(of.lists),
        },
    ];
    let turns = take_turns(of, product, &programs).await?;
    drop(bare);
    let loaded = product.server.memory();
    let mut streams = Vec::new();
    if of.with_streams {
        for &count in &of.plan.streams {
            let lists = count.min(LISTS).min(of.lists);
            let followed = live::follow_and_tick(product, count, lists, loaded).await?;
            streams.push(Streams { count, followed });
        }
    }
    Ok(Stage {
        items: of.lists * ITEMS,
        lists: of.lists,
        filled_a_second: 0.0,
        bytes: bytes(product),
        start,
        idle,
        loaded,
        turns,
        streams,
    })
}

/// From the start of the program to its first page, and what it holds then.
fn starts(product: &mut Product) -> (Duration, u64) {
    let mut seen: Vec<(Duration, u64)> = (0..STARTS)
        .map(|_| {
            product.server.stop();
            let http = product.server.http();
            let begun = Instant::now();
            product.server.start_again();
            let page = http.get("/admin/");
            assert_eq!(page.status, 200, "the first page is answered");
            (begun.elapsed(), product.server.memory())
        })
        .collect();
    seen.sort_unstable();
    seen[STARTS / 2]
}

fn start_bare(
    lists: usize,
    directory: &TempDir,
    database: Option<&Database>,
) -> io::Result<Process> {
    let mut command = Command::new(std::env::current_exe()?);
    match database {
        None => command.arg("bare").arg(directory.path()),
        Some(database) => command.arg("bare-postgres").arg(database.url()),
    };
    Ok(Process::start(command.arg(lists.to_string())))
}

async fn take_turns(
    of: &Of<'_>,
    product: &Product,
    programs: &[Program],
) -> io::Result<Vec<Turns>> {
    let mut rounds: Vec<Vec<Vec<Measured>>> = vec![vec![Vec::new(); programs.len()]; KINDS.len()];
    for _ in 0..of.plan.rounds {
        for (kind, &(call, over)) in KINDS.iter().enumerate() {
            for (place, program) in programs.iter().enumerate() {
                let walk = Walk::new(of.lists, over);
                let words = match program.name {
                    "product" => Words::of_product(product),
                    _ => Words::Bare,
                };
                let board = program.board.clone();
                let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
                    let at = (walk.list(connection, n), connection % ITEMS);
                    words.write(request, call, at, &board);
                };
                let (connections, time) = (of.plan.connections, of.plan.time);
                let measured = ask(&program.address, connections, time, next).await?;
                rounds[kind][place].push(measured);
            }
        }
    }
    let told = KINDS.iter().zip(&rounds).flat_map(|(&(call, over), all)| {
        all.iter()
            .zip(programs)
            .filter_map(move |(rounds, program)| {
                Some(Turns {
                    call,
                    over,
                    program: program.name,
                    measured: median(rounds)?.clone(),
                })
            })
    });
    Ok(told.collect())
}

/// What the database takes on the disk, where that is a file.
fn bytes(product: &Product) -> Option<u64> {
    if product.server.postgres().is_some() {
        return None;
    }
    std::fs::metadata(product.server.database())
        .ok()
        .map(|file| file.len())
}
