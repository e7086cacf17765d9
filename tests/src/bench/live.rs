//! A thousand people who follow lists while somebody ticks: what they cost, and how long a
//! change takes to reach them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::product::{Product, context};
use super::{ITEMS, LISTS};

/// Streams at once.
const STREAMS: usize = 1_000;
/// How many of them one caller has.
const A_CALLER: usize = 50;
/// Ticks a second while latencies are taken.
const PACE: Duration = Duration::from_millis(50);
/// Ticks of each round.
const TICKS: usize = 100;
/// How long nothing happens while the cost of mere presence is taken.
const STILL: Duration = Duration::from_secs(5);

/// When which revision was read, by one stream.
type Heard = Vec<(u64, Instant)>;

/// What some streams have cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    /// Bytes that the server holds more than before them.
    pub(super) memory: u64,
    /// Share of a core that they cost while nothing happens.
    pub(super) idle: f64,
    /// How often a change has reached somebody.
    pub(super) deliveries: usize,
    /// From asking for a change until half of those who follow have heard of it.
    pub(super) median: Duration,
    /// The same for all but one in a hundred.
    pub(super) p99: Duration,
}

/// Opens the streams, ticks, and prints what it took.
///
/// # Errors
/// When a stream or a call breaks.
pub(super) async fn measure(product: &Product) -> io::Result<()> {
    println!("\n{STREAMS} live streams, {TICKS} ticks at {PACE:?} each");
    let before = product.server.memory();
    for (name, lists) in [
        ("each list followed by 16", LISTS),
        ("all follow one list", 1),
    ] {
        let followed = follow_and_tick(product, STREAMS, lists, before).await?;
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name}: {:.1} MiB more memory, {:.1} % of a core when still; {} deliveries, p50 {:.2} ms, p99 {:.2} ms",
            followed.memory as f64 / 1_048_576.0,
            followed.idle * 100.0,
            followed.deliveries,
            millis(followed.median),
            millis(followed.p99)
        );
    }
    Ok(())
}

/// Lets `count` streams follow the first `lists` lists, ticks in them, and gives what it took;
/// `before` is what the server held without streams.
///
/// # Errors
/// When a stream or a call breaks.
pub(super) async fn follow_and_tick(
    product: &Product,
    count: usize,
    lists: usize,
    before: u64,
) -> io::Result<Followed> {
    let over = Arc::new(AtomicBool::new(false));
    let ready = Arc::new(AtomicUsize::new(0));
    let mut streams = Vec::with_capacity(count);
    for n in 0..count {
        let body = format!(r#"{{"Contexts":[{}]}}"#, context(n % lists));
        let head = product.head_of("Events", &format!("follower {}", n / A_CALLER));
        streams.push(follow(product, head, body, &ready, &over));
    }
    while ready.load(Ordering::Relaxed) < count {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let memory = product.server.memory().saturating_sub(before);
    let busy = busy(product)?;
    tokio::time::sleep(STILL).await;
    let idle = (self::busy(product)? - busy).as_secs_f64() / STILL.as_secs_f64();
    let sent = tick(product, lists).await?;
    over.store(true, Ordering::Relaxed);
    let mut latencies = latencies(&sent, streams, lists).await?;
    latencies.sort_unstable();
    let at = |share: usize| latencies[(latencies.len() - 1) * share / 100];
    Ok(Followed {
        memory,
        idle,
        deliveries: latencies.len(),
        median: at(50),
        p99: at(99),
    })
}

/// Reads one stream until it is over; gives the revisions and when they came.
fn follow(
    product: &Product,
    head: String,
    body: String,
    ready: &Arc<AtomicUsize>,
    over: &Arc<AtomicBool>,
) -> JoinHandle<io::Result<Heard>> {
    let address = product.server.address.clone();
    let (ready, over) = (Arc::clone(ready), Arc::clone(over));
    tokio::spawn(async move {
        let mut stream = TcpStream::connect(&address).await?;
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).await?;
        let (mut heard, mut buffer, mut begun) = (Heard::new(), Vec::new(), false);
        while !over.load(Ordering::Relaxed) {
            let read = tokio::time::timeout(PACE * 10, stream.read_buf(&mut buffer)).await;
            let Ok(count) = read else { continue };
            if count? == 0 {
                let text = String::from_utf8_lossy(&buffer).into_owned();
                return Err(io::Error::other(format!("a stream has ended: {text}")));
            }
            let now = Instant::now();
            // Whole events alone; the rest stays for the next time.
            let text = String::from_utf8_lossy(&buffer).into_owned();
            let Some(end) = text.rfind("\n\n") else {
                continue;
            };
            for event in text[..end].split("event: list\ndata: ").skip(1) {
                if !std::mem::replace(&mut begun, true) {
                    ready.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                let revision = event.split_once("\"Revision\":");
                let digits = revision.map(|(_, rest)| rest.split(',').next().unwrap_or(""));
                if let Some(revision) = digits.and_then(|digits| digits.parse().ok()) {
                    heard.push((revision, now));
                }
            }
            buffer.drain(..end);
        }
        Ok(heard)
    })
}

/// Ticks at an even pace; gives when the revisions of which lists were asked for.
async fn tick(product: &Product, lists: usize) -> io::Result<Vec<(usize, u64, Instant)>> {
    let head = product.head("UpdateItems");
    let mut stream = TcpStream::connect(&product.server.address).await?;
    stream.set_nodelay(true)?;
    let mut sent = Vec::new();
    let mut pace = tokio::time::interval(PACE);
    for n in 0..TICKS {
        pace.tick().await;
        let list = n % lists;
        let body = format!(
            r#"{{"Context":{},"Items":[{{"Id":"{}","Note":"{n} at {:?}"}}]}}"#,
            context(list),
            product.ids[list][n % ITEMS],
            Instant::now()
        );
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let asked = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        let revision = loop {
            stream.read_buf(&mut answer).await?;
            let text = String::from_utf8_lossy(&answer);
            let found = text
                .split_once("\"Revision\":")
                .and_then(|(_, rest)| rest.split_once(','));
            if let Some((digits, _)) = found
                && text.ends_with('}')
            {
                break digits.parse().map_err(io::Error::other)?;
            }
        };
        sent.push((list, revision, asked));
    }
    tokio::time::sleep(PACE * 10).await;
    Ok(sent)
}

async fn latencies(
    sent: &[(usize, u64, Instant)],
    streams: Vec<JoinHandle<io::Result<Heard>>>,
    lists: usize,
) -> io::Result<Vec<Duration>> {
    let mut latencies = Vec::new();
    for (n, stream) in streams.into_iter().enumerate() {
        let heard = stream.await.map_err(io::Error::other)??;
        for (revision, at) in heard {
            let asked = sent
                .iter()
                .find(|(list, made, _)| *list == n % lists && *made == revision);
            if let Some((.., asked)) = asked {
                latencies.push(at - *asked);
            }
        }
    }
    if latencies.is_empty() {
        return Err(io::Error::other("nobody has heard anything"));
    }
    Ok(latencies)
}

/// How long the server has been at work so far.
fn busy(product: &Product) -> io::Result<Duration> {
    let path = format!("/proc/{}/stat", product.server.id());
    let stat = std::fs::read_to_string(path)?;
    // The name may hold blanks; the fields after it are counted from the third.
    let fields: Vec<&str> = stat
        .rsplit_once(") ")
        .map_or(Vec::new(), |(_, fields)| fields.split(' ').collect());
    let ticks = |at: usize| -> u64 {
        let field = fields.get(at).and_then(|field| field.parse().ok());
        field.unwrap_or(0)
    };
    // A hundred a second on every Linux.
    Ok(Duration::from_millis((ticks(11) + ticks(12)) * 10))
}
