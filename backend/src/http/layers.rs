//! The layers around every request: a request id, a timeout, common response headers, problems
//! instead of panics, CORS, compression.
//!
//! One function (`frame`) does everything small, because each additional layer would slow down
//! every request.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use checklist_runtime::clock::random;
use checklist_runtime::panics;
use checklist_runtime::spans::RequestSpan;
use checklist_services::base_url::is_loopback_host;
use checklist_shared::problem::ProblemCode;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::cors::{Any as AnyOrigin, CorsLayer};

use super::extract::MOST_BYTES;
use super::peer::address_of;
use super::{entity_tag, problem};
use crate::config::Proxies;
use crate::http::problem::ProblemResponse;
use crate::metrics::Metrics;

/// The level of the API that this server speaks.
pub const API_LEVEL: &str = "1";
/// The header that says it.
pub const API_LEVEL_HEADER: HeaderName = HeaderName::from_static("checklist-api-level");
/// The header with the id under which the log knows the request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The default content security policy: nothing may be loaded.
const NOTHING: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
/// The timeout of a request.
const PATIENCE: Duration = Duration::from_secs(30);
/// The minimum size of a compressed response, in bytes.
const WORTH_COMPRESSING: u64 = 1_024;

/// Wraps the routes, whose answers are counted. `demo` lets only requests in whose `Host` is this
/// machine.
pub fn around(routes: Router, demo: bool, metrics: &Arc<Metrics>, proxies: &Proxies) -> Router {
    let metrics = Arc::clone(metrics);
    let proxies = proxies.clone();
    routes
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(CatchPanicLayer::custom(panic_response))
        .layer(compression(CompressionLevel::Fastest))
        .layer(from_fn(entity_tag::per_coding))
        .layer(from_fn_with_state(
            LayerState {
                demo,
                metrics,
                proxies,
            },
            frame,
        ))
}

/// Lets pages of every origin call the API and load the control: whoever calls proves who they
/// are with a token that no browser sends by itself.
pub fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT_LANGUAGE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            // What assistants in a browser say of their messages (`/mcp`).
            HeaderName::from_static("mcp-protocol-version"),
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
        ])
        .expose_headers([
            API_LEVEL_HEADER,
            REQUEST_ID,
            header::ETAG,
            header::RETRY_AFTER,
            header::WWW_AUTHENTICATE,
        ])
        .max_age(Duration::from_secs(2 * 60 * 60))
        // Every origin gets the same answer, so caches need not keep them apart.
        .vary([])
}

/// Compresses an answer that no layer further in has compressed.
pub fn compression(level: CompressionLevel) -> CompressionLayer<impl Predicate> {
    CompressionLayer::new()
        .quality(level)
        .compress_when(compressible())
}

fn compressible() -> And<And<SizeAbove, NotForContentType>, NotForContentType> {
    SizeAbove::new(WORTH_COMPRESSING)
        .and(NotForContentType::IMAGES)
        // Would be held back until there is enough of it.
        .and(NotForContentType::SSE)
}

fn panic_response(panic: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!(panic = panics::text(panic.as_ref()), "a handler panicked");
    problem::internal().into_response()
}

#[derive(Clone)]
struct LayerState {
    demo: bool,
    metrics: Arc<Metrics>,
    proxies: Proxies,
}

async fn frame(
    State(LayerState {
        demo,
        metrics,
        proxies,
    }): State<LayerState>,
    request: Request,
    next: Next,
) -> Response {
    let id = next_id();
    let under_way = metrics.begin();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let pattern = route.as_ref().map(MatchedPath::as_str);
    let address = address_of(request.extensions(), request.headers(), &proxies);
    let span = RequestSpan::begin(request.headers(), &method, pattern, &id);
    let start = Instant::now();
    let mut response = if request.headers().get_all(header::HOST).iter().count() > 1 {
        // Two programs that each believe another one would not speak of the same request
        // (RFC 9112, 3.2).
        ProblemResponse::new(
            ProblemCode::MalformedRequest,
            "A request names one Host and no more.",
        )
        .into_response()
    } else if demo && !is_for_this_machine(request.uri(), request.headers()) {
        ProblemResponse::new(
            ProblemCode::OriginRefused,
            "The demo answers on localhost and 127.0.0.1 only.",
        )
        .into_response()
    } else {
        match tokio::time::timeout(PATIENCE, span.around(next.run(request))).await {
            Ok(response) => response,
            Err(_) => ProblemResponse::new(ProblemCode::Busy, "The request took too long.")
                .retry_after(1)
                .into_response(),
        }
    };
    let status = response.status().as_u16();
    let problem = response.extensions().get::<ProblemCode>().copied();
    metrics.record_response(&method, pattern, status, problem, start.elapsed());
    span.record_response(status, problem);
    drop(under_way);
    let address = address.map(tracing::field::display);
    if status >= 500 {
        tracing::warn!(id, address, %method, path, status, elapsed = ?start.elapsed(), "failed");
    } else {
        tracing::debug!(id, address, %method, path, status, elapsed = ?start.elapsed(), "answered");
    }
    complete(response.headers_mut(), &id);
    response
}

/// Adds the headers that every response has, including errors.
fn complete(headers: &mut HeaderMap, id: &str) {
    headers.insert(API_LEVEL_HEADER, HeaderValue::from_static(API_LEVEL));
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(NOTHING);
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}

/// Whether a request names this machine as its host. Prevents DNS rebinding: the page of an
/// attacker can make its own name resolve to this machine, but then `Host` is that name.
fn is_for_this_machine(uri: &Uri, headers: &HeaderMap) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .or_else(|| uri.authority().map(|a| a.as_str()));
    host.is_some_and(|host| {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
            _ => host,
        };
        is_loopback_host(name)
    })
}

/// A request id, unique in this process; its prefix distinguishes processes.
fn next_id() -> String {
    static START: std::sync::LazyLock<u64> = std::sync::LazyLock::new(|| {
        let mut bytes = [0; 8];
        // Without randomness ids are unique in this process all the same.
        let _ = random(&mut bytes);
        u64::from_le_bytes(bytes) >> 16
    });
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!(
        "{:012x}-{:x}",
        *START,
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

#[cfg(test)]
#[path = "layers_tests.rs"]
mod tests;
