//! The metrics listener, with `/metrics` as its only route.
//!
//! A separate port, so that a firewall can restrict it to monitoring systems.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::response::IntoResponse;
use axum::routing::get;
use checklist_services::app::App;

use super::{Format, Metrics};

/// The routes of the listener.
pub fn routes(app: App, metrics: Arc<Metrics>) -> Router {
    Router::new()
        .route("/metrics", get(figures))
        .with_state((app, metrics))
}

async fn figures(
    State((app, metrics)): State<(App, Arc<Metrics>)>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    let format = Format::from_accept(accept);
    let text = metrics.text(&app, format).await;
    let headers = [
        (CONTENT_TYPE, format.media_type()),
        (CACHE_CONTROL, "no-store"),
        (VARY, "accept"),
    ];
    (headers, text)
}
