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
pub(super) const PACE: Duration = Duration::from_millis(50);
/// Ticks of each round.
const TICKS: usize = 100;
/// How long nothing happens while the cost of mere presence is taken.
const STILL: Duration = Duration::from_secs(5);

/// When which revision of which list was read, by one stream.
type Heard = Vec<(usize, u64, Instant)>;

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
    let followed = (0..count).map(|n| vec![n % lists]).collect();
    ticked_under(product, followed, before).await
}

/// The same of streams that follow these lists.
///
/// # Errors
/// When a stream or a call breaks.
pub(super) async fn ticked_under(
    product: &Product,
    followed: Vec<Vec<usize>>,
    before: u64,
) -> io::Result<Followed> {
    let over = Arc::new(AtomicBool::new(false));
    let ready = Arc::new(AtomicUsize::new(0));
    let count = followed.len();
    let lists = followed.iter().flatten().max().map_or(0, |last| last + 1);
    let mut streams = Vec::with_capacity(count);
    for (n, lists) in followed.into_iter().enumerate() {
        let head = product.head_of("Events", &follower(n));
        streams.push(follow(product, &head, &lists, &ready, &over));
    }
    while ready.load(Ordering::Relaxed) < count {
        if let Some(stream) = streams.extract_if(.., |stream| stream.is_finished()).next() {
            stream.await.map_err(io::Error::other)??;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let memory = product.server.memory().saturating_sub(before);
    let busy = busy(product)?;
    tokio::time::sleep(STILL).await;
    let idle = (self::busy(product)? - busy).as_secs_f64() / STILL.as_secs_f64();
    let sent = tick(product, lists.min(LISTS)).await?;
    over.store(true, Ordering::Relaxed);
    let mut latencies = latencies(&sent, streams).await?;
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

/// Whose the n-th stream is: each caller has some.
pub(super) fn follower(n: usize) -> String {
    format!("follower {}", n / A_CALLER)
}

/// The request of a stream that follows these lists.
pub(super) fn request_for(head: &str, lists: &[usize]) -> String {
    let contexts: Vec<String> = lists
        .iter()
        .map(|&list| context(list).to_string())
        .collect();
    let body = format!(r#"{{"Contexts":[{}]}}"#, contexts.join(","));
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
}

/// Reads one stream until it is over; gives the revisions and when they came.
fn follow(
    product: &Product,
    head: &str,
    lists: &[usize],
    ready: &Arc<AtomicUsize>,
    over: &Arc<AtomicBool>,
) -> JoinHandle<io::Result<Heard>> {
    let address = product.server.address.clone();
    let (ready, over) = (Arc::clone(ready), Arc::clone(over));
    let (request, mut awaited) = (request_for(head, lists), lists.len());
    tokio::spawn(async move {
        let mut stream = TcpStream::connect(&address).await?;
        stream.write_all(request.as_bytes()).await?;
        let (mut heard, mut buffer) = (Heard::new(), Vec::new());
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
                // The first event of each list is its present state.
                if awaited > 0 {
                    awaited -= 1;
                    ready.fetch_add(usize::from(awaited == 0), Ordering::Relaxed);
                    continue;
                }
                let list = member(event, "\"ObjectId\":\"").and_then(|id| id.parse().ok());
                let revision =
                    member(event, "\"Revision\":").and_then(|digits| digits.parse().ok());
                if let (Some(list), Some(revision)) = (list, revision) {
                    heard.push((list, revision, now));
                }
            }
            buffer.drain(..end);
        }
        Ok(heard)
    })
}

/// What stands behind this beginning, up to the next comma or quotation mark.
fn member<'a>(event: &'a str, beginning: &str) -> Option<&'a str> {
    let (_, rest) = event.split_once(beginning)?;
    rest.split([',', '"']).next()
}

/// Ticks at an even pace; gives when the revisions of which lists were asked for.
async fn tick(product: &Product, lists: usize) -> io::Result<Vec<(usize, u64, Instant)>> {
    let mut ticker = Ticker::of(product).await?;
    let mut sent = Vec::new();
    let mut pace = tokio::time::interval(PACE);
    for n in 0..TICKS {
        pace.tick().await;
        let (list, asked) = (n % lists, Instant::now());
        let revision = ticker.tick(&product.ids[list][n % ITEMS], list).await?;
        sent.push((list, revision, asked));
    }
    tokio::time::sleep(PACE * 10).await;
    Ok(sent)
}

/// One caller who changes one item after another.
pub(super) struct Ticker {
    head: String,
    stream: TcpStream,
}

impl Ticker {
    /// # Errors
    /// When the server takes no connection.
    pub(super) async fn of(product: &Product) -> io::Result<Self> {
        let stream = TcpStream::connect(&product.server.address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            head: product.head("UpdateItems"),
            stream,
        })
    }

    /// Changes an item of a list; gives the revision that the list has now.
    ///
    /// # Errors
    /// When the connection breaks, or nothing was changed.
    pub(super) async fn tick(&mut self, item: &str, list: usize) -> io::Result<u64> {
        let body = format!(
            r#"{{"Context":{},"Items":[{{"Id":"{item}","Note":"at {:?}"}}]}}"#,
            context(list),
            Instant::now()
        );
        let request = format!("{}Content-Length: {}\r\n\r\n{body}", self.head, body.len());
        self.stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        loop {
            if self.stream.read_buf(&mut answer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let text = String::from_utf8_lossy(&answer);
            if let Some(digits) = member(&text, "\"Revision\":")
                && text.ends_with('}')
            {
                return digits.parse().map_err(io::Error::other);
            }
        }
    }
}

async fn latencies(
    sent: &[(usize, u64, Instant)],
    streams: Vec<JoinHandle<io::Result<Heard>>>,
) -> io::Result<Vec<Duration>> {
    let mut latencies = Vec::new();
    for stream in streams {
        let heard = stream.await.map_err(io::Error::other)??;
        for (list, revision, at) in heard {
            let asked = sent
                .iter()
                .find(|(ticked, made, _)| (*ticked, *made) == (list, revision));
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
