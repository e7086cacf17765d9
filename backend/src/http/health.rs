//! Health checks: `/healthz` (the process responds) and `/readyz` (so does the database, and the
//! server is not about to stop).
//!
//! For orchestrators and load balancers. Needs no token and reveals nothing about the data.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use checklist_services::health;
use checklist_shared::problem::ProblemCode;

use super::Web;
use crate::http::problem::ProblemResponse;
use crate::shutdown::ShutdownPhase;

/// Alive.
///
/// Answers as soon as requests are served; looks at nothing else.
#[utoipa::path(get, path = "/healthz", operation_id = "Healthz", tag = "Operation", security(()),
    extensions(("x-needs" = json!([]))),
    responses((status = 200, description = "The server serves requests.", content_type = "text/plain", body = String)))]
pub async fn healthz() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
        "ok\n",
    )
}

/// Ready.
///
/// Reads from the database; 503 while that fails, and before the server stops.
#[utoipa::path(get, path = "/readyz", operation_id = "Readyz", tag = "Operation", security(()),
    extensions(("x-needs" = json!([]))),
    responses((status = 200, description = "The database answers.", content_type = "text/plain", body = String)))]
pub async fn readyz(State(web): State<Arc<Web>>) -> Result<impl IntoResponse, ProblemResponse> {
    if *web.shutdown.borrow() != ShutdownPhase::Serving {
        let detail = "The server is about to stop.";
        return Err(ProblemResponse::new(ProblemCode::Busy, detail).retry_after(1));
    }
    health::ready(&web.app).await?;
    Ok((
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
        "ready\n",
    ))
}
