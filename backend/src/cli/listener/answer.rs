//! The loop that accepts connections and serves them, one task each.
//!
//! hyper speaks HTTP/1.1; who may stay and for how long is decided by `connections`. While the
//! server drains, every response says `Connection: close`, so busy clients leave by themselves. At
//! the end every connection finishes the request that it has begun, and no other.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, header};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::sync::watch;
use tower::Service as _;

use super::GracefulListener;
use super::activity::RequestGuard;
use super::connections::{ConnectionPermit, Connections};
use super::write_timeout::WriteTimeoutStream;
use crate::http::peer::Peer;
use crate::shutdown::ShutdownPhase;

/// The longest head of a request, in bytes: room for the longest token and everything else.
const LONGEST_HEAD: usize = 128 * 1024;

/// Answers callers until `all_accepted`, then lets what has begun come to its end.
pub async fn answer(
    mut listener: GracefulListener,
    routes: Router,
    connections: Arc<Connections>,
    all_accepted: impl Future<Output = ()>,
) {
    let routes = routes.with_state(());
    let (close, closing) = watch::channel(());
    let mut all_accepted = pin!(all_accepted);
    let late = {
        let connections = Arc::clone(&connections);
        tokio::spawn(async move { connections.end_late_ones().await })
    };
    loop {
        let next = async {
            let caller = listener.accept().await;
            (caller, connections.admit().await)
        };
        let ((stream, peer), place) = tokio::select! {
            next = next => next,
            () = &mut all_accepted => break,
        };
        let stream =
            WriteTimeoutStream::new(stream, listener.patience(), Arc::clone(&place.activity));
        let shutdown = listener.shutdown.clone();
        let (routes, closing) = (routes.clone(), closing.clone());
        tokio::spawn(serve(stream, peer, place, routes, shutdown, closing));
    }
    // Nobody else gets in.
    drop(listener);
    close.send_replace(());
    drop(closing);
    close.closed().await;
    late.abort();
}

async fn serve(
    stream: WriteTimeoutStream,
    peer: SocketAddr,
    place: ConnectionPermit,
    routes: Router,
    shutdown: watch::Receiver<ShutdownPhase>,
    mut closing: watch::Receiver<()>,
) {
    let activity = Arc::clone(&place.activity);
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let guard = activity.begin_request();
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(Peer(peer)));
        let answer = routes.clone().call(request);
        let shutdown = shutdown.clone();
        async move {
            let Ok(mut response) = answer.await;
            // A request that is sent while an idle connection closes is lost, and its client cannot
            // know whether it was read. With the header it opens a new one instead.
            if *shutdown.borrow() != ShutdownPhase::Serving {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            Ok::<_, Infallible>(response.map(|body| Answer {
                body,
                _guard: guard,
            }))
        }
    });
    let connection = http1::Builder::new()
        .max_header_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let mut is_closing = false;
    loop {
        tokio::select! {
            // A request that has arrived is read before the connection closes.
            biased;
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::trace!(%error, %peer, "a connection ended early");
                }
                return;
            }
            () = place.activity.ended() => {
                if !place.is_needed_after_all() {
                    return;
                }
            }
            _ = closing.changed(), if !is_closing => {
                is_closing = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The body of an answer; the request has ended when it is gone.
struct Answer {
    body: Body,
    _guard: RequestGuard,
}

impl HttpBody for Answer {
    type Data = bytes::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::listener::ConnectionLimits;
    use axum::routing::get;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: checklist.example\r\n\r\n";

    async fn response(stream: &mut TcpStream) -> String {
        stream.write_all(REQUEST).await.expect("a request");
        let mut read = Vec::new();
        while !read.ends_with(b"done") {
            assert!(stream.read_buf(&mut read).await.expect("a response") > 0);
        }
        String::from_utf8_lossy(&read).to_ascii_lowercase()
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "a client for the test")]
    async fn while_the_server_drains_responses_close_their_connection() {
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = socket.local_addr().expect("its address");
        let (drain, shutdown) = watch::channel(ShutdownPhase::Serving);
        let (graceful, _) = GracefulListener::new(socket, shutdown, Duration::from_secs(60));
        let limits = ConnectionLimits {
            most: 2,
            head: Duration::from_secs(60),
            idle: Duration::from_secs(60),
        };
        let connections = Arc::new(Connections::new(limits));
        let routes = Router::new().route("/", get(|| async { "done" }));
        tokio::spawn(answer(
            graceful,
            routes,
            connections,
            std::future::pending(),
        ));

        let mut stream = TcpStream::connect(address).await.expect("a connection");
        assert!(!response(&mut stream).await.contains("connection: close"));
        drain.send_replace(ShutdownPhase::Draining);
        assert!(response(&mut stream).await.contains("connection: close"));
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.expect("the end");
        assert!(rest.is_empty());
    }
}
