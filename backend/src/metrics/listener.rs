//! The listener on which figures are asked for: apart from the others, so that a firewall can keep
//! it to those who watch the server. It knows one address, `/metrics`.
//!
//! Served by `cli::serve` where `--metrics-listen` names a place.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;

use super::{MEDIA_TYPE, Metrics};
use crate::app::App;

/// The one address.
pub fn routes(app: App, metrics: Arc<Metrics>) -> Router {
    Router::new()
        .route("/metrics", get(figures))
        .with_state((app, metrics))
}

async fn figures(State((app, metrics)): State<(App, Arc<Metrics>)>) -> impl IntoResponse {
    let text = metrics.text(&app).await;
    (
        [(CONTENT_TYPE, MEDIA_TYPE), (CACHE_CONTROL, "no-store")],
        text,
    )
}
