//! The example workflow: its runs, and the stream of a run.
//!
//! `services::workflows` checks permissions.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body as Stream, Bytes};
use axum::extract::{FromRequestParts as _, State};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use checklist_services::workflows::{self, RunQuery, follow::RunEvent};
use checklist_shared::problem::Problem;
use checklist_shared::wire::workflow::{ConfirmRun, Outcome, Run, RunAnswer, RunsPage, StartRun};
use futures_util::stream::unfold;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Body, Caller, MaybeBody, Parameters, Segment};
use super::listing::ListParameters;
use super::live::LiveCredential;
use super::paths::WORKFLOWS;
use super::problems::{AsksSite, Writes};
use crate::http::problem::ProblemResponse;

/// Asks proxies not to buffer the response.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Which computers of a run.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct RunComputerParameters {
    /// The `Next` of the page before.
    after: Option<u32>,
    /// How many, 1 to 1,000; 100 without.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
    /// Those with this outcome only.
    outcome: Option<Outcome>,
}

/// Export computers to a site list.
///
/// Keeps the list's entries in step with the selected computers, and touches no others: creates
/// what is missing, updates what has changed, deletes the entries of scrapped computers. The map
/// and the list are checked before this answers; the run itself goes on by itself, survives a
/// restart, and is followed at the `Location` or by its `Events`. With `DryRun` nothing is written.
#[utoipa::path(post, path = "/VENDOR_SITE_Example_ComputerExport/Runs", operation_id = "StartComputerExport", tag = "Workflows",
    request_body = StartRun,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, AsksSite, (status = 202, description = "The run; `Location` leads to it.", body = Run,
        headers(("Location" = String, description = "Where the run is."))),
        (status = 409, description = "`RunInProgress`: the list has a run already; `Run` names it.", body = Problem,
            content_type = "application/problem+json")))]
pub async fn start(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<StartRun>,
) -> Result<Response, ProblemResponse> {
    let run = workflows::start(&web.app, &caller, request).await?;
    let place = format!("{}{WORKFLOWS}/Runs/{}", web.base.path(), run.id);
    let mut response = (StatusCode::ACCEPTED, Json(run)).into_response();
    if let Ok(place) = HeaderValue::from_str(&place) {
        response.headers_mut().insert(LOCATION, place);
    }
    Ok(response)
}

/// Runs, the newest first.
///
/// A page of them, found by list, connection and who started it.
#[utoipa::path(get, path = "/Runs", operation_id = "ListRuns", tag = "Workflows", params(ListParameters),
    extensions(("x-needs" = json!(["Sites"]))),
    responses((status = 200, description = "A page of runs.", body = RunsPage)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<RunsPage>, ProblemResponse> {
    Ok(Json(
        workflows::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// A run, with what became of its computers.
#[utoipa::path(get, path = "/Runs/{id}", operation_id = "GetRun", tag = "Workflows",
    params(("id" = String, Path, description = "The run's id."), RunComputerParameters),
    extensions(("x-needs" = json!(["Sites"]))),
    responses((status = 200, description = "The run and a page of its computers, in the order in which they were selected.", body = RunAnswer)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Parameters(page): Parameters<RunComputerParameters>,
) -> Result<Json<RunAnswer>, ProblemResponse> {
    let part = RunQuery {
        after: page.after,
        limit: page.limit,
        outcome: page.outcome,
    };
    Ok(Json(workflows::get(&web.app, &caller, &id, part).await?))
}

/// Stop a run.
///
/// It stops before its next chunk; what was done stays done, the other computers are skipped.
#[utoipa::path(post, path = "/Runs/{id}/Cancel", operation_id = "CancelRun", tag = "Workflows",
    params(("id" = String, Path, description = "The run's id.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, (status = 200, description = "The run.", body = Run)))]
pub async fn cancel(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<Run>, ProblemResponse> {
    Ok(Json(workflows::cancel(&web.app, &caller, &id).await?))
}

/// Try once more what has failed, was ambiguous or was skipped.
#[utoipa::path(post, path = "/Runs/{id}/RetryFailed", operation_id = "RetryFailedOfRun", tag = "Workflows",
    params(("id" = String, Path, description = "The run's id.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, (status = 200, description = "The run.", body = Run)))]
pub async fn retry_failed(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<Run>, ProblemResponse> {
    Ok(Json(workflows::retry_failed(&web.app, &caller, &id).await?))
}

/// Confirm what a run waits for.
///
/// `Adoptions` and `Deletes` repeat the numbers that were shown; what is left out is skipped. The
/// run reads the list again, and asks again for whatever is new.
#[utoipa::path(post, path = "/Runs/{id}/Confirm", operation_id = "ConfirmRun", tag = "Workflows",
    request_body = Option<ConfirmRun>,
    params(("id" = String, Path, description = "The run's id.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, (status = 200, description = "The run.", body = Run)))]
pub async fn confirm(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    MaybeBody(request): MaybeBody<ConfirmRun>,
) -> Result<Json<Run>, ProblemResponse> {
    Ok(Json(
        workflows::confirm(&web.app, &caller, &id, request).await?,
    ))
}

/// Follow a run.
///
/// Answers a stream of server-sent events: `run` with the run as it is, and again whenever it has
/// changed. Ends with the run, or when the credential does; after 15 seconds of silence comes a
/// comment.
#[utoipa::path(get, path = "/Runs/{id}/Events", operation_id = "FollowRun", tag = "Workflows",
    params(("id" = String, Path, description = "The run's id.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses((status = 200, description = "Events; the schema is that of their data.", content_type = "text/event-stream",
        body = Run, example = json!(EXAMPLE))))]
pub async fn events(
    State(web): State<Arc<Web>>,
    mut parts: Parts,
    Caller(caller): Caller,
) -> Result<Response, ProblemResponse> {
    let Segment(id) = Segment::from_request_parts(&mut parts, &web).await?;
    let credential = LiveCredential {
        web: Arc::clone(&web),
        parts,
        caller: caller.clone(),
    };
    let stream = workflows::follow(&web.app, caller, Box::new(credential), &id).await?;
    let chunks = unfold(stream, |mut stream| async move {
        let chunk = match stream.next().await? {
            RunEvent::Run(run) => event(&run),
            RunEvent::Heartbeat => Bytes::from_static(b":\n\n"),
        };
        Some((Ok::<_, std::convert::Infallible>(chunk), stream))
    });
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (UNBUFFERED, HeaderValue::from_static("no")),
    ];
    Ok((headers, Stream::from_stream(chunks)).into_response())
}

fn event(run: &Run) -> Bytes {
    let data = serde_json::to_string(run).unwrap_or_default();
    Bytes::from(format!(
        "event: run\nid: {}\ndata: {data}\n\n",
        run.revision
    ))
}

/// The events of a run that ends.
const EXAMPLE: &str = include_str!("examples/FollowRun.answer.txt");
