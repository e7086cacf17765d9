//! An even load for a long time: how long the slowest answers take, and whether SQLite's log stays as
//! large as it is while readers and streams are open.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::LISTS;
use super::live;
use super::load::{self, ask_at_pace};
use super::product::{Product, context};
use super::run::{On, write_tick};
use super::streams;

/// Connections that tick, and ones that read, each once in [`EACH`]: 200 and 100 a second.
const TICKING: usize = 8;
const READING: usize = 4;
const EACH: Duration = Duration::from_millis(40);
const STREAMS: usize = 50;
/// How many lists each follows.
const FOLLOWED: usize = 4;
/// A token outlives it.
const PART: Duration = Duration::from_secs(60);

/// What one part has shown.
struct Part {
    ticks: Vec<Duration>,
    reads: Vec<Duration>,
    /// Streams that had ended and were opened again.
    again: usize,
    sizes: Sizes,
}

/// Bytes of the server's memory, of its database and of the log.
#[derive(Clone, Copy, Default)]
struct Sizes {
    memory: u64,
    database: u64,
    log: u64,
}

impl Sizes {
    fn of(product: &Product, on: On) -> Self {
        let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |about| about.len());
        let (database, log) = match on {
            On::Sqlite => {
                let file = product.server.database();
                (size(file.clone()), size(file.with_extension("sqlite3-wal")))
            }
            // A server with many databases has one log.
            On::Postgres => (0, 0),
        };
        Self {
            memory: product.server.memory(),
            database,
            log,
        }
    }
}

/// Ticks and reads for so many minutes, and prints what it took, minute by minute and in all.
///
/// # Errors
/// When a call breaks, or streams cannot be opened.
pub async fn run(on: On, minutes: usize) -> io::Result<()> {
    let product = tokio::task::block_in_place(|| Product::start(on));
    println!(
        "\n--- {on:?}: {TICKING} callers tick and {READING} read every {EACH:?}, {STREAMS} streams follow {FOLLOWED} lists each ---\n\
         {:>6} {:>22} {:>22} {:>8} {:>8} {:>8}",
        "minute", "ticks, ms p50/99/99.9", "reads, ms p50/99/99.9", "log", "memory", "slowest"
    );
    let mut parts = Vec::new();
    for minute in 1..=minutes {
        let part = part(&product, on, minute).await?;
        let [tick, read] = [&part.ticks, &part.reads].map(|times| Percentiles::of(times.clone()));
        println!(
            "{minute:>6} {:>22} {:>22} {:>8.1} {:>8.1} {:>8.0}",
            tick.summary(),
            read.summary(),
            mebibytes(part.sizes.log),
            mebibytes(part.sizes.memory),
            tick.slowest
        );
        parts.push(part);
    }
    let all = |times: fn(&Part) -> &Vec<Duration>| {
        Percentiles::of(parts.iter().flat_map(|part| times(part).clone()).collect())
    };
    let (ticks, reads) = (all(|part| &part.ticks), all(|part| &part.reads));
    let sizes =
        |at: fn(&[Part]) -> Option<&Part>| at(&parts).map_or(Sizes::default(), |part| part.sizes);
    let (first, last) = (sizes(<[Part]>::first), sizes(<[Part]>::last));
    println!(
        "{} ticks {} ms, the slowest {:.0}; {} reads {} ms, the slowest {:.0}; {} streams were opened again",
        ticks.count,
        ticks.summary(),
        ticks.slowest,
        reads.count,
        reads.summary(),
        reads.slowest,
        parts.iter().map(|part| part.again).sum::<usize>()
    );
    println!(
        "log {:.1} MiB after a minute and {:.1} at the end; memory {:.1} and {:.1} MiB; the database has grown by {} bytes a tick",
        mebibytes(first.log),
        mebibytes(last.log),
        mebibytes(first.memory),
        mebibytes(last.memory),
        last.database.saturating_sub(first.database) / (ticks.count as u64).max(1)
    );
    Ok(())
}

async fn part(product: &Product, on: On, minute: usize) -> io::Result<Part> {
    let address = &product.server.address;
    let opened = Arc::new(AtomicUsize::new(0));
    let followers: Vec<_> = (0..STREAMS)
        .map(|n| {
            let lists: Vec<usize> = (0..FOLLOWED).map(|k| (n + k) % LISTS).collect();
            let head = product.head_of("Events", &live::follower(n));
            let request = live::request_for(&head, &lists);
            tokio::spawn(streams::follow(
                address.clone(),
                request,
                Arc::clone(&opened),
            ))
        })
        .collect();
    streams::until(&opened, STREAMS).await?;

    let (head, ids) = (product.head("UpdateItems"), product.ids.clone());
    let tick = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        write_tick(request, &head, &ids, minute, (connection, n));
    };
    let head = product.head("GetItems");
    let read = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        let list = (connection * 7 + n as usize) % LISTS;
        load::write(
            request,
            &head,
            &format!(r#"{{"Context":{}}}"#, context(list)),
        );
    };
    let (ticks, reads) = tokio::try_join!(
        ask_at_pace(address, TICKING, PART, EACH, tick),
        ask_at_pace(address, READING, PART, EACH, read)
    )?;
    for follower in followers {
        follower.abort();
    }
    Ok(Part {
        again: opened.load(Ordering::Relaxed) - STREAMS,
        ticks,
        reads,
        sizes: Sizes::of(product, on),
    })
}

/// Of some answers, in milliseconds.
struct Percentiles {
    count: usize,
    median: f64,
    p99: f64,
    p999: f64,
    slowest: f64,
}

impl Percentiles {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |of_thousand: usize| {
            let time = times.get((times.len().saturating_sub(1)) * of_thousand / 1000);
            time.copied().unwrap_or_default().as_secs_f64() * 1e3
        };
        Self {
            count: times.len(),
            median: at(500),
            p99: at(990),
            p999: at(999),
            slowest: at(1000),
        }
    }

    fn summary(&self) -> String {
        format!("{:.1} / {:.1} / {:.1}", self.median, self.p99, self.p999)
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}
