//! A connection that gives up on a reader who does not read.
//!
//! What is written waits in the system until the other side takes it. Somebody who never does would
//! hold the connection, and with it a live stream's place, for ever; so a write that makes no
//! progress for some time ends the connection, and nothing more is sent. Made by `listener`.

use std::future::Future as _;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::activity::Activity;

/// A connection whose writes have to make progress.
pub struct WriteTimeoutStream {
    stream: TcpStream,
    patience: Duration,
    /// Runs while a write waits.
    late: Option<Pin<Box<Sleep>>>,
    /// Told what comes and goes.
    activity: Arc<Activity>,
}

impl WriteTimeoutStream {
    /// Around a connection; `patience` is how long a write may wait for any progress.
    pub const fn new(stream: TcpStream, patience: Duration, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            patience,
            late: None,
            activity,
        }
    }

    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<Result<T>>) -> Poll<Result<T>> {
        if written.is_ready() {
            self.activity.bytes_left();
            self.late = None;
            return written;
        }
        let late = self
            .late
            .get_or_insert_with(|| Box::pin(sleep(self.patience)));
        ready!(late.as_mut().poll(context));
        tracing::debug!(patience = ?self.patience, "a reader does not read; the connection ends");
        // Otherwise the system would go on offering what is written already.
        if let Err(error) = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO)) {
            tracing::debug!(%error, "what was written is still offered for a while");
        }
        Poll::Ready(Err(Error::from(ErrorKind::TimedOut)))
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let this = self.get_mut();
        let before = into.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, into);
        if into.filled().len() > before {
            this.activity.bytes_came();
        }
        read
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.judge(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    const PATIENCE: Duration = Duration::from_millis(300);

    #[expect(clippy::disallowed_methods, reason = "a reader for the test")]
    async fn pair() -> (WriteTimeoutStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let reader = TcpStream::connect(address).await.expect("a connection");
        let (stream, _) = listener.accept().await.expect("a connection");
        let activity = Arc::new(Activity::new(tokio::time::Instant::now()));
        (WriteTimeoutStream::new(stream, PATIENCE, activity), reader)
    }

    #[tokio::test]
    async fn a_reader_who_never_reads_is_given_up() {
        let (mut pushed, _reader) = pair().await;
        let bytes = vec![0; 1024 * 1024];
        let error = loop {
            if let Err(error) = pushed.write_all(&bytes).await {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_slow_reader_who_goes_on_gets_everything() {
        const WHOLE: usize = 16 * 1024 * 1024;
        let (mut pushed, mut reader) = pair().await;
        let writing = tokio::spawn(async move {
            pushed.write_all(&vec![0; WHOLE]).await?;
            pushed.shutdown().await
        });
        let (mut read, mut bytes) = (0, vec![0; 1024 * 1024]);
        loop {
            tokio::time::sleep(PATIENCE / 10).await;
            match reader.read(&mut bytes).await.expect("the connection holds") {
                0 => break,
                count => read += count,
            }
        }
        assert_eq!(read, WHOLE);
        writing.await.expect("no panic").expect("all was written");
    }
}
