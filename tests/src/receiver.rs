//! A receiver of webhooks: a listener of the test's own that keeps what it gets, verifies it with
//! the library of Standard Webhooks, and answers as the test says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::Value;
use standardwebhooks::Webhook;
use tokio::sync::oneshot;

use crate::wait::until;

/// How a request is answered.
#[derive(Clone, Copy, Debug)]
pub enum Reply {
    /// With that status.
    Status(u16),
    /// With that status and `Retry-After`.
    Wait(u16, &'static str),
    /// With that status, a cookie and a body of that text, so many times.
    Page(u16, &'static str, usize),
    /// With a redirect to its own address.
    Elsewhere,
    /// Not at all, as long as the receiver is there.
    Silence,
}

/// What came in.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body as it was sent.
    pub body: Bytes,
    /// The path that it was sent to.
    pub path: String,
}

impl Received {
    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).map(|value| value.to_str());
        value.and_then(Result::ok).unwrap_or_default()
    }

    /// The id that all attempts of a delivery share.
    #[must_use]
    pub fn id(&self) -> &str {
        self.header("webhook-id")
    }

    /// What it says.
    ///
    /// # Panics
    /// When it is not JSON.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    /// Whether the standard's own library takes it for signed with that secret, now.
    #[must_use]
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let webhook = Webhook::new(secret).expect("a secret as the standard writes it");
        webhook.verify(&self.body, &self.headers).is_ok()
    }
}

/// The receiver. Closed when it is dropped.
pub struct Receiver {
    /// `http://127.0.0.1:port`.
    pub origin: String,
    shared: Arc<Shared>,
    close: Option<oneshot::Sender<()>>,
}

struct Shared {
    replies: Mutex<VecDeque<Reply>>,
    usual: Mutex<Reply>,
    received: Mutex<Vec<Received>>,
}

impl Receiver {
    /// Opens one that takes everything.
    ///
    /// # Panics
    /// When there is no port for it.
    #[must_use]
    pub fn open() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
        let address = listener
            .local_addr()
            .expect("a bound listener has an address");
        listener
            .set_nonblocking(true)
            .expect("a listener of tokio's");
        let shared = Arc::new(Shared {
            replies: Mutex::default(),
            usual: Mutex::new(Reply::Status(204)),
            received: Mutex::default(),
        });
        let router = Router::new()
            .route("/{*path}", post(take))
            .with_state(Arc::clone(&shared));
        let (close, closed) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                tokio::select! {
                    _ = axum::serve(listener, router) => {}
                    _ = closed => {}
                }
            });
        });
        Self {
            origin: format!("http://{address}"),
            shared,
            close: Some(close),
        }
    }

    /// Where it wants to be told of things.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/hooks", self.origin)
    }

    /// Answers the next requests so, one each.
    #[must_use]
    pub fn first(self, replies: &[Reply]) -> Self {
        locked(&self.shared.replies).extend(replies);
        self
    }

    /// Answers all others so, from now on.
    pub fn then(&self, usual: Reply) {
        *locked(&self.shared.usual) = usual;
    }

    /// What came in so far, in its order.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        locked(&self.shared.received).clone()
    }

    /// How many came in so far.
    #[must_use]
    pub fn count(&self) -> usize {
        locked(&self.shared.received).len()
    }

    /// Waits until so many requests came in; all of them.
    #[track_caller]
    pub fn waits_for(&self, count: usize) -> Vec<Received> {
        until(&format!("{count} requests at the receiver"), || {
            Some(self.received()).filter(|received| received.len() >= count)
        })
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        if let Some(close) = self.close.take() {
            let _ = close.send(());
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn take(
    State(shared): State<Arc<Shared>>,
    uri: axum::http::Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    locked(&shared.received).push(Received {
        headers,
        body,
        path: uri.path().to_owned(),
    });
    let next = locked(&shared.replies).pop_front();
    let reply = next.unwrap_or_else(|| *locked(&shared.usual));
    let status = |code| StatusCode::from_u16(code).unwrap_or(StatusCode::IM_A_TEAPOT);
    match reply {
        Reply::Status(code) => status(code).into_response(),
        Reply::Wait(code, wait) => (status(code), [("retry-after", wait)]).into_response(),
        Reply::Page(code, text, times) => {
            let cookie = [("set-cookie", "sid=HOOK-SECRET")];
            (status(code), cookie, text.repeat(times)).into_response()
        }
        Reply::Elsewhere => {
            (StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")]).into_response()
        }
        Reply::Silence => {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            StatusCode::NO_CONTENT.into_response()
        }
    }
}
