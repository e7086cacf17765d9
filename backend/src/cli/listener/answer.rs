//! The loop that lets callers in and answers them, one task a connection.
//!
//! hyper speaks HTTP/1.1; who may stay and for how long is decided by `connections`. At the end
//! every connection finishes the request that it has begun, and no other.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
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
        tokio::spawn(serve(stream, peer, place, routes.clone(), closing.clone()));
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
    mut closing: watch::Receiver<()>,
) {
    let activity = Arc::clone(&place.activity);
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let guard = activity.begin_request();
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(Peer(peer)));
        let answer = routes.clone().call(request);
        async move {
            let Ok(response) = answer.await;
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
