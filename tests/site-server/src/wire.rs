//! Connections, with TLS and without, that can be told to break.
//!
//! A fault that happens to the connection is set here by `handler` and felt at the next write.
//! Handshakes run beside each other, so that a slow one holds nobody up.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// What a request knows of its connection.
#[derive(Clone, Debug)]
pub struct Line {
    pub peer: IpAddr,
    pub secure: bool,
    breaks: Arc<AtomicBool>,
}

impl Line {
    /// Resets the connection as soon as something is to be written to it.
    pub fn reset(&self) {
        self.breaks.store(true, Ordering::SeqCst);
    }
}

/// A connection.
pub struct Wire {
    stream: Stream,
    line: Line,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Wire {
    fn broken(&self) -> Option<io::Error> {
        if !self.line.breaks.load(Ordering::SeqCst) {
            return None;
        }
        let tcp = match &self.stream {
            Stream::Plain(tcp) => tcp,
            Stream::Tls(tls) => tls.get_ref().0,
        };
        // Without this the end would be an orderly one.
        let _ = tcp.set_zero_linger();
        Some(io::ErrorKind::ConnectionReset.into())
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(error) = self.broken() {
            return Poll::Ready(Err(error));
        }
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_shutdown(context),
        }
    }
}

/// Where connections come in.
pub struct AcceptingListener {
    address: SocketAddr,
    connections: mpsc::Receiver<Wire>,
}

impl AcceptingListener {
    /// Takes connections of a listener, with TLS when there is an acceptor. Ends with the server's
    /// runtime.
    #[must_use]
    pub fn open(listener: TcpListener, address: SocketAddr, tls: Option<TlsAcceptor>) -> Self {
        let (sender, connections) = mpsc::channel(64);
        tokio::spawn(async move {
            loop {
                let Ok((tcp, peer)) = listener.accept().await else {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    continue;
                };
                // Small answers are not to wait for each other.
                let _ = tcp.set_nodelay(true);
                let line = Line {
                    peer: peer.ip(),
                    secure: tls.is_some(),
                    breaks: Arc::default(),
                };
                let (sender, tls) = (sender.clone(), tls.clone());
                tokio::spawn(async move {
                    let stream = match tls {
                        None => Stream::Plain(tcp),
                        Some(acceptor) => match acceptor.accept(tcp).await {
                            Ok(stream) => Stream::Tls(Box::new(stream)),
                            Err(_) => return,
                        },
                    };
                    let _ = sender.send(Wire { stream, line }).await;
                });
            }
        });
        Self {
            address,
            connections,
        }
    }
}

impl Listener for AcceptingListener {
    type Io = Wire;
    type Addr = Line;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.connections.recv().await {
            Some(wire) => {
                let line = wire.line.clone();
                (wire, line)
            }
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(Line {
            peer: self.address.ip(),
            secure: false,
            breaks: Arc::default(),
        })
    }
}

impl Connected<IncomingStream<'_, AcceptingListener>> for Line {
    fn connect_info(stream: IncomingStream<'_, AcceptingListener>) -> Self {
        stream.remote_addr().clone()
    }
}
