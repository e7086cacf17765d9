//! The program behind `cargo xtask bench`: the server against a bare program with the same durability.
//!
//! Reads its options and hands them to `bench::run`; started once more with `bare`, it is the
//! yardstick itself. Needs the server built in the same profile beside it.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use checklist_tests::bench::run::On;
use checklist_tests::bench::{
    audit, bare, bare_postgres, find, growth, mcp, run, sites, steady, streams, webhooks,
};
use clap::{Parser, Subcommand};

/// Measures ticks and reads of the server against bare axum programs: one on SQLite and, where a
/// PostgreSQL is named in CHECKLIST_POSTGRES, one on that.
#[derive(Parser)]
#[command(after_help = "Example:\n  cargo xtask bench -- --seconds 2 --rounds 1")]
struct CommandLine {
    /// Seconds of each program at each call.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Turns; the middle one counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Connections at once.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// One database only.
    #[arg(long, value_name = "DATABASE")]
    only: Option<On>,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// The bare program alone.
    #[command(hide = true)]
    Bare { directory: PathBuf, lists: usize },
    /// The client of site lists against @pnp/sp, on the local site server.
    #[command(after_help = "Example:\n  cargo xtask bench -- sites")]
    Sites,
    /// What ticks pay for webhooks: without one, with one that no tick concerns, and with one that
    /// hears of every tick, with its receiver there and gone.
    #[command(after_help = "Example:\n  cargo xtask bench -- --seconds 3 --only sqlite webhooks")]
    Webhooks,
    /// What ticks pay for checkpoints of the audit trail: a server that signs, and one that does not.
    /// Then how long a trail takes to be verified.
    #[command(after_help = "Example:\n  cargo xtask bench -- --only sqlite audit --rows 1000000")]
    Audit {
        /// How many rows are written before the trail is verified; 0 for no verification.
        #[arg(long, default_value_t = 1_000_000)]
        rows: usize,
    },
    /// Reading and writing over HTTP, and by the Model Context Protocol.
    #[command(after_help = "Example:\n  cargo xtask bench -- --only sqlite mcp")]
    Mcp,
    /// Finding items: the first page as one store grows, and what ticks pay for it.
    #[command(
        after_help = "Example:\n  cargo xtask bench -- --only sqlite find --sizes 1000,100000"
    )]
    Find {
        /// How many items.
        #[arg(long, value_delimiter = ',', default_values_t = [1_000, 100_000, 10_000_000])]
        sizes: Vec<usize>,
    },
    /// What many live streams cost one server, and how soon all are back after a restart.
    #[command(after_help = "Example:\n  cargo xtask bench -- --only sqlite streams --count 2000")]
    Streams {
        /// How many streams.
        #[arg(long, default_value_t = 10_000)]
        count: usize,
        /// How many lists of its own each follows, at second.
        #[arg(long, default_value_t = 10)]
        each: usize,
        /// How many there are when the server is restarted.
        #[arg(long, default_value_t = 5_000)]
        returning: usize,
    },
    /// An even load for a long time: the slowest answers, and whether SQLite's log stays as large as it is.
    #[command(after_help = "Example:\n  cargo xtask bench -- --only sqlite steady --minutes 60")]
    Steady {
        /// How many minutes.
        #[arg(long, default_value_t = 60)]
        minutes: usize,
    },
    /// What becomes slower or larger as the store grows: one store, filled through the API to one
    /// size after the other, beside the bare program.
    #[command(
        after_help = "Examples:\n  cargo xtask bench -- growth\n  cargo xtask bench -- --seconds 2 --only sqlite growth \
                      --sizes 1000,100000"
    )]
    Growth {
        /// How many items.
        #[arg(long, value_delimiter = ',', default_values_t = [1_000, 100_000, 10_000_000])]
        sizes: Vec<usize>,
        /// How many live streams, at the first size and at the last.
        #[arg(long, value_delimiter = ',', default_values_t = [1, 100, 1_000])]
        streams: Vec<usize>,
        /// Writes the figures into this file too.
        #[arg(long, value_name = "FILE", env = "CHECKLIST_BENCH_JSON")]
        json: Option<PathBuf>,
    },
    /// The same on PostgreSQL.
    #[command(hide = true)]
    BarePostgres { url: String, lists: usize },
}

#[tokio::main]
async fn main() -> ExitCode {
    match measure(CommandLine::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(line: CommandLine) -> io::Result<()> {
    let time = Duration::from_secs(line.seconds);
    let (rounds, connections) = (line.rounds.max(1), line.connections.max(1));
    let part = match line.part {
        Some(Part::Bare { directory, lists }) => {
            bare::serve(&directory, lists).await;
            return Ok(());
        }
        Some(Part::BarePostgres { url, lists }) => {
            bare_postgres::serve(&url, lists).await;
            return Ok(());
        }
        Some(Part::Sites) => return sites::run(rounds).await.map_err(io::Error::other),
        Some(Part::Growth {
            sizes,
            streams,
            json,
        }) => {
            let plan = growth::Plan {
                on: databases(line.only),
                sizes,
                time,
                rounds,
                connections,
                streams,
                json,
            };
            return growth::run(&plan).await;
        }
        other => other,
    };
    for on in databases(line.only) {
        let plan = run::Plan {
            on,
            time,
            rounds,
            connections,
        };
        match part {
            Some(Part::Webhooks) => webhooks::run(plan).await,
            Some(Part::Audit { rows }) => audit::run(plan, rows).await,
            Some(Part::Mcp) => mcp::run(plan).await,
            Some(Part::Find { ref sizes }) => find::run(plan, sizes).await,
            Some(Part::Streams {
                count,
                each,
                returning,
            }) => streams::run(on, count, each, returning).await,
            Some(Part::Steady { minutes }) => steady::run(on, minutes).await,
            _ => run::run(plan).await,
        }?;
    }
    Ok(())
}

/// Those that there are, or only one of them.
fn databases(only: Option<On>) -> Vec<On> {
    let mut databases = vec![On::Sqlite];
    if std::env::var_os("CHECKLIST_POSTGRES").is_some() {
        databases.push(On::Postgres);
    }
    databases.retain(|on| only.is_none_or(|only| *on == only));
    databases
}
