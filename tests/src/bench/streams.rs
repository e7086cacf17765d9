//! Many people who follow lists at once: what they cost one server, and how soon all of them are
//! back after it was restarted.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::live::{self, Followed, PACE, Ticker};
use super::product::Product;
use super::run::On;
use super::{ITEMS, LISTS};

/// The pause of a follower whom the server has not let in.
const RETRY: Duration = Duration::from_millis(250);
/// When whoever is not back by then is given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a stream begins with that is not refused.
const OK: &[u8] = b"HTTP/1.1 200";

/// Prints what `count` streams cost that follow few lists, and ones that follow `each` lists of their
/// own; then what a restart of the server is for `returning` of them.
///
/// # Errors
/// When a stream or a call breaks.
pub async fn run(on: On, count: usize, each: usize, returning: usize) -> io::Result<()> {
    let limit = format!("--max-streams={}", count.max(returning) + 1);
    let started = || Product::start_as(on, |setup| setup.argument(&limit));
    let mut product = tokio::task::block_in_place(started);
    let before = product.server.memory();
    let few = live::follow_and_tick(&product, count, LISTS, before).await?;
    println!("\n{count} streams of {LISTS} lists: {}", summary(&few));
    let lists = |n: usize| (n * each..(n + 1) * each).collect();
    let many = live::ticked_under(&product, (0..count).map(lists).collect(), before).await?;
    println!(
        "{count} streams of {each} lists of their own: {}",
        summary(&many)
    );
    let (all, slowest) = restart_under(&mut product, returning).await?;
    println!(
        "a restart under {returning} streams: all are back {:.1} s after the start, no tick meanwhile took longer than {:.0} ms",
        all.as_secs_f64(),
        slowest.as_secs_f64() * 1e3
    );
    Ok(())
}

fn summary(followed: &Followed) -> String {
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "{:.0} MiB more memory, {:.1} % of a core when still; {} deliveries, p50 {:.1} ms, p99 {:.1} ms",
        followed.memory as f64 / 1_048_576.0,
        followed.idle * 100.0,
        followed.deliveries,
        millis(followed.median),
        millis(followed.p99)
    )
}

/// Restarts the server under so many streams, which all ask again at once, and ticks meanwhile; gives
/// the time from the start until all follow again, and the slowest tick.
async fn restart_under(product: &mut Product, count: usize) -> io::Result<(Duration, Duration)> {
    let opened = Arc::new(AtomicUsize::new(0));
    let followers: Vec<_> = (0..count)
        .map(|n| {
            let head = product.head_of("Events", &live::follower(n));
            let request = live::request_for(&head, &[n % LISTS]);
            let (address, opened) = (product.server.address.clone(), Arc::clone(&opened));
            tokio::spawn(follow(address, request, opened))
        })
        .collect();
    until(&opened, count).await?;
    let begun = tokio::task::block_in_place(|| {
        product.server.stop();
        let begun = Instant::now();
        product.server.start_again();
        begun
    });
    let mut ticker = Ticker::of(product).await?;
    let (mut slowest, mut ticks) = (Duration::ZERO, 0);
    let mut pace = tokio::time::interval(PACE);
    while opened.load(Ordering::Relaxed) < 2 * count {
        pace.tick().await;
        let (list, asked) = (ticks % LISTS, Instant::now());
        ticker.tick(&product.ids[list][ticks % ITEMS], list).await?;
        slowest = slowest.max(asked.elapsed());
        ticks += 1;
        if begun.elapsed() > PATIENCE {
            return Err(missing(&opened, 2 * count));
        }
    }
    let all = begun.elapsed();
    for follower in &followers {
        follower.abort();
    }
    Ok((all, slowest))
}

/// Follows until this is dropped, and again whenever the stream ends: when the server does, or has
/// no room. Each stream counts as opened with its first event.
pub(super) async fn follow(address: String, request: String, opened: Arc<AtomicUsize>) {
    loop {
        let _ = follow_once(&address, &request, &opened).await;
        tokio::time::sleep(RETRY).await;
    }
}

async fn follow_once(address: &str, request: &str, opened: &AtomicUsize) -> io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let (mut seen, mut is_open) = (Vec::new(), false);
    while stream.read_buf(&mut seen).await? > 0 {
        if !is_open && seen.len() >= OK.len() && !seen.starts_with(OK) {
            return Err(io::Error::other("the stream was refused"));
        }
        if !is_open && seen.windows(12).any(|part| part == b"event: list\n") {
            is_open = true;
            opened.fetch_add(1, Ordering::Relaxed);
        }
        if is_open {
            seen.clear();
        }
    }
    Ok(())
}

/// Waits until so many have been opened.
pub(super) async fn until(opened: &AtomicUsize, count: usize) -> io::Result<()> {
    let begun = Instant::now();
    while opened.load(Ordering::Relaxed) < count {
        if begun.elapsed() > PATIENCE {
            return Err(missing(opened, count));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

fn missing(opened: &AtomicUsize, count: usize) -> io::Error {
    let opened = opened.load(Ordering::Relaxed);
    io::Error::other(format!(
        "{opened} of {count} streams were begun in {PATIENCE:?}"
    ))
}
