//! The client of site lists against `@pnp/sp`, doing the same work on the same local site server
//! in one run: reading 5,000 items, first by a client that knows nothing of the site and then once
//! more, and writing 1,000 in batches. Requests are counted by the server.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use checklist_site_server::{Options, SiteServer};
use futures_util::TryStreamExt as _;
use secrecy::SecretString;
use serde_json::Value;
use site_lists::{
    AuthenticationType, DirectTransport, ItemChange, ObjectExpressionParameter, Site,
    SiteConnection, SiteItem, SiteList, SiteOptions, TokenSource, Warnings,
};

/// Items in the list that is read.
const ITEMS: usize = 5_000;
/// Items that are written.
const WRITES: usize = 1_000;

/// One token for everything.
struct Alice;

#[async_trait]
impl TokenSource for Alice {
    async fn token(&self, _: &str, _: Option<&SecretString>) -> site_lists::Result<SecretString> {
        Ok("alice".into())
    }
}

/// What is measured, in the order of the work.
const PIECES: [&str; 3] = ["read", "read again", "write"];

/// Requests and milliseconds of one piece of work.
#[derive(Clone, Copy, Debug)]
struct Took {
    requests: usize,
    milliseconds: f64,
}

/// A round of one client.
type Round = [Took; PIECES.len()];

/// Measures both clients in turns and prints a table.
///
/// # Errors
/// The site server, a client or Node fails; a sentence.
pub async fn run(rounds: usize) -> Result<(), String> {
    println!("\n--- site lists: read {ITEMS} items, write {WRITES} in batches ---");
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    for _ in 0..rounds {
        ours.push(with_ours(&filled().await?).await?);
        let server = filled().await?;
        theirs.push(tokio::task::block_in_place(|| with_pnp(&server))?);
    }
    print!("{:<12}", "");
    for piece in PIECES {
        print!(
            " {:>20} {:>16}",
            format!("{piece}, requests"),
            format!("{piece}, ms")
        );
    }
    println!();
    for (name, took) in [("site-lists", &ours), ("@pnp/sp", &theirs)] {
        print!("{name:<12}");
        for piece in 0..PIECES.len() {
            let took = middle(took.iter().map(|round| round[piece]).collect());
            print!(" {:>20} {:>16.0}", took.requests, took.milliseconds);
        }
        println!();
    }
    Ok(())
}

fn middle(mut all: Vec<Took>) -> Took {
    all.sort_by(|one, other| one.milliseconds.total_cmp(&other.milliseconds));
    all[all.len() / 2]
}

/// A server with a list of so many items.
async fn filled() -> Result<SiteServer, String> {
    let server = SiteServer::start(Options::default()).map_err(|error| error.to_string())?;
    write(&site(&server)?, "PC", ITEMS).await?;
    Ok(server)
}

/// A client that knows nothing of the site yet.
fn site(server: &SiteServer) -> Result<Site, String> {
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::ServiceConnection);
    let options = SiteOptions {
        tokens: Some(Arc::new(Alice)),
        ..SiteOptions::default()
    };
    let direct = DirectTransport::new().map_err(|error| error.to_string())?;
    Site::open(&connection, Arc::new(direct), options).map_err(|error| error.to_string())
}

async fn write(site: &Site, name: &str, count: usize) -> Result<(), String> {
    let changes: Vec<ItemChange> = (0..count)
        .map(|number| ItemChange::Add {
            fields: vec![ObjectExpressionParameter::new(
                "Title",
                format!("{name}-{number}"),
            )],
        })
        .collect();
    let outcomes = site
        .change(&SiteList::from("Computers"), &changes, None)
        .await;
    for outcome in outcomes.map_err(|error| error.to_string())? {
        outcome.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Requests as they travelled: parts of a batch are none.
fn requests(server: &SiteServer) -> usize {
    let seen = server.requests();
    seen.iter().filter(|request| !request.in_batch).count()
}

/// Certificates are loaded before the clock starts, as Node has loaded its own by then.
async fn with_ours(server: &SiteServer) -> Result<Round, String> {
    let (reading, writing) = (site(server)?, site(server)?);
    let mut round = Vec::new();
    for _ in 0..2 {
        round.push(timed(server, async || enough(read(&reading).await?)).await?);
    }
    round.push(timed(server, async || write(&writing, "NEW", WRITES).await).await?);
    round
        .try_into()
        .map_err(|_| "a piece was not measured".to_owned())
}

async fn timed(
    server: &SiteServer,
    work: impl AsyncFnOnce() -> Result<(), String>,
) -> Result<Took, String> {
    server.forget_requests();
    let begun = Instant::now();
    work().await?;
    Ok(Took {
        milliseconds: begun.elapsed().as_secs_f64() * 1_000.0,
        requests: requests(server),
    })
}

async fn read(site: &Site) -> Result<usize, String> {
    let list = SiteList::from("Computers");
    let warnings = Warnings::default();
    let read: Vec<SiteItem> = site
        .items(&list, None, &warnings)
        .try_collect()
        .await
        .map_err(|error| error.to_string())?;
    Ok(read.len())
}

fn with_pnp(server: &SiteServer) -> Result<Round, String> {
    let folder = std::env::var_os("CHECKLIST_SITE_CLIENTS")
        .map(PathBuf::from)
        .ok_or("the clients of npm are not there; cargo xtask bench -- sites fetches them")?;
    let node = std::env::var_os("CHECKLIST_NODE").unwrap_or_else(|| "node".into());
    server.forget_requests();
    let ended = Command::new(node)
        .arg(folder.join("measure.js"))
        .arg(server.site_url())
        .output()
        .map_err(|error| format!("Node does not start: {error}"))?;
    if !ended.status.success() {
        return Err(String::from_utf8_lossy(&ended.stderr).into_owned());
    }
    let told: Value = serde_json::from_slice(&ended.stdout).map_err(|error| error.to_string())?;
    let items = told["items"].as_u64().unwrap_or(0);
    enough(usize::try_from(items).unwrap_or(0))?;
    let seen = server.requests();
    let travelled = seen.iter().filter(|request| !request.in_batch);
    let (reads, writes): (Vec<_>, Vec<_>) = travelled.partition(|request| request.method == "GET");
    let took = |name: &str, requests: usize| Took {
        requests,
        milliseconds: told[name].as_f64().unwrap_or(f64::NAN),
    };
    // Both of its reads send the same.
    let each = reads.len() / 2;
    Ok([
        took("read", each),
        took("again", each),
        took("write", writes.len()),
    ])
}

fn enough(read: usize) -> Result<(), String> {
    if read == ITEMS {
        return Ok(());
    }
    Err(format!("{read} items were read and not {ITEMS}"))
}
