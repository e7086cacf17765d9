//! `ApplyTemplate` and its runs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, LOCATION};
use axum::response::{IntoResponse, Response};
use checklist_services::template_runs::{self, ApplyAnswer, RunListQuery};
use checklist_shared::wire::apply::{
    ApplyOutcome, ApplyPreview, ApplyTemplate, TemplateRun, TemplateRunAnswer, TemplateRuns,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Body, Caller, Parameters, Segment};
use super::paths::PREFIX;
use super::problems::Writes;
use crate::http::problem::ProblemResponse;

/// The largest request, in bytes: more than 10,000 contexts need.
pub const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Which runs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct RunParameters {
    /// The `Next` of the page before.
    after: Option<String>,
    /// How many, 1 to 1,000; 100 without.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// Which lists of a run.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct RunListParameters {
    /// The `Next` of the page before.
    after: Option<u32>,
    /// How many, 1 to 1,000; 100 without.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
    /// Those with this outcome only.
    outcome: Option<ApplyOutcome>,
}

/// Append the items of a template to many lists.
///
/// The items of the published version come after what is there, in their sections. Existing items are
/// neither changed nor removed, and a list is never given an item twice: not by the same call again, and
/// not after somebody has deleted it. A list that follows the template has all of it (a newer version
/// comes with `RefreshItemsOnTemplateChange`); one that was never written is begun. A list that is
/// locked, or would hold too many items, is skipped, with the problem in its entry. A refresh of the
/// list's own template leaves appended items alone.
///
/// Name up to 10,000 `Contexts`, or a `Filter` over the lists that were written. The run goes on by
/// itself and survives a restart; it is followed at the `Location`. It acts for whoever started it, as
/// long as they may. With `DryRun` nothing is written, and the answer says what would become of the
/// lists.
#[utoipa::path(post, path = "/ApplyTemplate", operation_id = "ApplyTemplate", tag = "Checklists",
    request_body = ApplyTemplate,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 202, description = "The run; `Location` leads to it.", body = TemplateRun,
        headers(("Location" = String, description = "Where the run is."))),
        (status = 200, description = "With `DryRun`: what would become of the lists.", body = ApplyPreview)))]
pub async fn apply(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<ApplyTemplate>,
) -> Result<Response, ProblemResponse> {
    let run = match template_runs::apply(&web.app, &caller, request).await? {
        ApplyAnswer::Preview(preview) => return Ok(Json(preview).into_response()),
        ApplyAnswer::Run(run) => run,
    };
    let place = format!("{}{PREFIX}/ApplyTemplate/Runs/{}", web.base.path(), run.id);
    let mut response = (StatusCode::ACCEPTED, Json(run)).into_response();
    if let Ok(place) = HeaderValue::from_str(&place) {
        response.headers_mut().insert(LOCATION, place);
    }
    Ok(response)
}

/// Runs of `ApplyTemplate`, the newest first.
///
/// A credential for some lists of the tenant alone sees its own runs.
#[utoipa::path(get, path = "/ApplyTemplate/Runs", operation_id = "ListTemplateRuns", tag = "Checklists",
    params(RunParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "A page of runs.", body = TemplateRuns)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(page): Parameters<RunParameters>,
) -> Result<Json<TemplateRuns>, ProblemResponse> {
    let after = page.after.as_deref();
    Ok(Json(
        template_runs::list(&web.app, &caller, after, page.limit).await?,
    ))
}

/// A run of `ApplyTemplate`, with what became of its lists.
#[utoipa::path(get, path = "/ApplyTemplate/Runs/{id}", operation_id = "GetTemplateRun", tag = "Checklists",
    params(("id" = String, Path, description = "The run's id."), RunListParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "The run and a page of its lists, in the order of the request.", body = TemplateRunAnswer)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Parameters(page): Parameters<RunListParameters>,
) -> Result<Json<TemplateRunAnswer>, ProblemResponse> {
    let part = RunListQuery {
        after: page.after,
        limit: page.limit,
        outcome: page.outcome,
    };
    Ok(Json(
        template_runs::get(&web.app, &caller, &id, part).await?,
    ))
}

/// Stop a run of `ApplyTemplate`.
///
/// It stops after the lists that it is at (100 at most, `Stopping` until then); what was done stays
/// done. It can be resumed.
#[utoipa::path(post, path = "/ApplyTemplate/Runs/{id}/Stop", operation_id = "StopTemplateRun", tag = "Checklists",
    params(("id" = String, Path, description = "The run's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The run.", body = TemplateRun)))]
pub async fn stop(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<TemplateRun>, ProblemResponse> {
    Ok(Json(template_runs::stop(&web.app, &caller, &id).await?))
}

/// Resume a run of `ApplyTemplate` that was stopped or failed.
///
/// It goes on with the lists that have no outcome, with the same version, and from now on for whoever
/// resumes it.
#[utoipa::path(post, path = "/ApplyTemplate/Runs/{id}/Resume", operation_id = "ResumeTemplateRun", tag = "Checklists",
    params(("id" = String, Path, description = "The run's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The run.", body = TemplateRun)))]
pub async fn resume(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<TemplateRun>, ProblemResponse> {
    Ok(Json(template_runs::resume(&web.app, &caller, &id).await?))
}
