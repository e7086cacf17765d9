//! Asking as fast as the answers come, over a few keep-alive connections.
//!
//! Requests are written by hand into one buffer a connection, and of an answer only status and
//! length are looked at, so that asking costs far less than answering.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a round of asking has shown.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Answers a second.
    pub rate: f64,
    /// Half of the answers took at most this.
    pub median: Duration,
    /// All but one in a hundred took at most this.
    pub p99: Duration,
}

/// Asks for `time` over `connections` connections; `next(connection, n)` writes the n-th request.
///
/// # Errors
/// When a connection breaks or an answer is not 200: such a round measures nothing.
pub async fn ask<W>(
    address: &str,
    connections: usize,
    time: Duration,
    next: W,
) -> io::Result<Measured>
where
    W: Fn(usize, u64, &mut Vec<u8>) + Clone + Send + Sync + 'static,
{
    ask_until(address, connections, (time, u64::MAX), next).await
}

/// Asks `times` over each connection, however long that takes.
///
/// # Errors
/// When a connection breaks or an answer is not 200.
pub async fn ask_times<W>(
    address: &str,
    connections: usize,
    times: u64,
    next: W,
) -> io::Result<Measured>
where
    W: Fn(usize, u64, &mut Vec<u8>) + Clone + Send + Sync + 'static,
{
    ask_until(address, connections, (Duration::MAX, times), next).await
}

async fn ask_until<W>(
    address: &str,
    connections: usize,
    (time, times): (Duration, u64),
    next: W,
) -> io::Result<Measured>
where
    W: Fn(usize, u64, &mut Vec<u8>) + Clone + Send + Sync + 'static,
{
    let start = Instant::now();
    let mut latencies = over_each(connections, |connection| {
        let (address, next) = (address.to_owned(), next.clone());
        async move {
            let mut caller = Caller::of(&address).await?;
            let mut latencies = Vec::with_capacity(64 * 1024);
            let mut n = 0;
            while n < times && start.elapsed() < time {
                latencies.push(caller.ask(|request| next(connection, n, request)).await?);
                n += 1;
            }
            Ok(latencies)
        }
    })
    .await?;
    let elapsed = start.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let at = |share: usize| {
        latencies
            .get(latencies.len() * share / 100)
            .copied()
            .unwrap_or_default()
    };
    Ok(Measured {
        rate: latencies.len() as f64 / elapsed,
        median: at(50),
        p99: at(99),
    })
}

/// Asks for `time` over `connections` connections, once in each `pause` over each of them, and gives
/// how long each answer took from the moment when it was due to be asked for: so a server that stands
/// still has many slow answers, and not one.
///
/// # Errors
/// When a connection breaks or an answer is not 200.
pub async fn ask_at_pace<W>(
    address: &str,
    connections: usize,
    time: Duration,
    pause: Duration,
    next: W,
) -> io::Result<Vec<Duration>>
where
    W: Fn(usize, u64, &mut Vec<u8>) + Clone + Send + Sync + 'static,
{
    let start = Instant::now();
    over_each(connections, |connection| {
        let (address, next) = (address.to_owned(), next.clone());
        let first = start + pause * connection as u32 / connections as u32;
        async move {
            let mut caller = Caller::of(&address).await?;
            let mut latencies = Vec::new();
            let mut due = first;
            while due < start + time {
                tokio::time::sleep_until(due.into()).await;
                let n = latencies.len() as u64;
                caller.ask(|request| next(connection, n, request)).await?;
                latencies.push(due.elapsed());
                due += pause;
            }
            Ok(latencies)
        }
    })
    .await
}

/// Asks over that many connections at once, and gives how long all answers took.
async fn over_each<F>(connections: usize, ask: impl Fn(usize) -> F) -> io::Result<Vec<Duration>>
where
    F: Future<Output = io::Result<Vec<Duration>>> + Send + 'static,
{
    let asking: Vec<_> = (0..connections).map(|n| tokio::spawn(ask(n))).collect();
    let mut latencies = Vec::new();
    for one in asking {
        latencies.extend(one.await.map_err(io::Error::other)??);
    }
    Ok(latencies)
}

/// One connection, with its request and its answer.
struct Caller {
    stream: TcpStream,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl Caller {
    async fn of(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            request: Vec::with_capacity(2048),
            answer: Vec::with_capacity(32 * 1024),
        })
    }

    /// Sends the request that this writes, and gives how long its answer took.
    async fn ask(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<Duration> {
        self.request.clear();
        write(&mut self.request);
        let asked = Instant::now();
        self.stream.write_all(&self.request).await?;
        read_answer(&mut self.stream, &mut self.answer).await?;
        Ok(asked.elapsed())
    }
}

async fn read_answer(stream: &mut TcpStream, answer: &mut Vec<u8>) -> io::Result<()> {
    answer.clear();
    let head = loop {
        if stream.read_buf(answer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|value| value.trim().parse::<usize>().ok());
    let chunked = text.contains("transfer-encoding: chunked");
    let is_whole = |answer: &[u8]| match length {
        Some(length) => answer.len() >= head + length,
        // The last chunk is empty; JSON holds no line break of that kind.
        None => answer[head..].ends_with(b"0\r\n\r\n"),
    };
    if length.is_none() && !chunked {
        let what = format!("an answer without a length: {text}");
        return Err(io::Error::other(what));
    }
    while !is_whole(answer) {
        if stream.read_buf(answer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    if !text.starts_with("http/1.1 200") {
        return Err(io::Error::other(
            String::from_utf8_lossy(answer).into_owned(),
        ));
    }
    Ok(())
}

/// A request with its body.
pub(super) fn write(request: &mut Vec<u8>, head: &str, body: &str) {
    request.extend_from_slice(head.as_bytes());
    request.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
    request.extend_from_slice(body.as_bytes());
}
