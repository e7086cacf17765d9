//! `StartAgain`, and the runs of a list.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use checklist_services::checklist;
use checklist_shared::wire::runs::{GetRuns, Runs, StartAgain};
use checklist_shared::wire::write::WriteAnswer;

use super::Web;
use super::extract::{Body, Caller, Operation};
use super::problems::Writes;
use crate::http::problem::ProblemResponse;

/// Close the run of a list, and begin the next one.
///
/// For work that comes again: a weekly check, or an incident that is opened once more. The closed run
/// is kept as it is, with who checked what and when; `Runs` lists it, and `GetItems` with its `Run`
/// reads it. The next run begins from the newest version of the list's template, or of the one that
/// the context names; items that people have added do not come along, and a waiver ends. Its items have
/// other ids. An `Undo` does not reach beyond it. Nothing of a locked list is closed. With `Run`, which
/// names the run to close, a second call at the same time fails with 409 `RunChanged`.
#[utoipa::path(post, path = "/StartAgain", operation_id = "StartAgain", tag = "Checklists", request_body = StartAgain,
    extensions(("x-needs" = json!(["Lock"]))),
    responses(Writes, (status = 200, description = "The list as it begins.", body = WriteAnswer)))]
pub async fn start_again(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<StartAgain>,
) -> Result<Json<WriteAnswer>, ProblemResponse> {
    Ok(Json(
        checklist::start_again(&web.app, &caller, request, hash).await?,
    ))
}

/// List the runs of a list.
///
/// The newest first: the present one, then those that were closed, with who closed them and why. A list
/// that was never written has none.
#[utoipa::path(post, path = "/Runs", operation_id = "GetListRuns", tag = "Checklists", request_body = GetRuns,
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "A page of runs.", body = Runs)))]
pub async fn runs(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<GetRuns>,
) -> Result<Json<Runs>, ProblemResponse> {
    Ok(Json(checklist::runs(&web.app, &caller, request).await?))
}
