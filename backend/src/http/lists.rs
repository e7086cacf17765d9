//! `/Lists` and `GET /Overview`: what a tenant has, for the administration, and lists that are begun.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use checklist_services::lists::{self, ListsQuery};
use checklist_services::{checklist, overview};
use checklist_shared::progress;
use checklist_shared::wire::lists::{BeginLists, BegunLists, FoundLists};
use checklist_shared::wire::overview::Overview;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Body, Caller, Parameters};
use super::problems::Writes;
use crate::http::problem::ProblemResponse;

/// Which lists.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListsParameters {
    /// Only lists of that object type.
    object_type: Option<String>,
    /// Only lists of objects whose id begins with this text; upper and lower case differ.
    object_id: Option<String>,
    /// Only lists of that purpose; `Purpose=` finds the default lists.
    purpose: Option<String>,
    /// Only lists that follow the template of that id.
    template: Option<String>,
    /// Only lists in that state: `Open`, `Complete`, `Empty` or `Waived`.
    state: Option<progress::State>,
    /// `true`: only lists whose template has a newer version than they follow; `false`: only the others.
    update_offered: Option<bool>,
    /// The `Next` of the previous page.
    after: Option<String>,
    /// How many: 1 to 500, 100 unless said otherwise.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// The checklists of the tenant.
///
/// A page of them, by object id, type and purpose. Type and object id are found by an index;
/// purpose, template, state and `UpdateOffered` are looked for in 10,000 lists, and then the answer is what was
/// found: `Next` says where to go on. A list that was never written is not among them, because it is
/// nothing but its template. For callers who may read all lists of the tenant.
#[utoipa::path(get, path = "/Lists", operation_id = "ListLists", tag = "Checklists", params(ListsParameters),
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "The lists.", body = FoundLists)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(wanted): Parameters<ListsParameters>,
) -> Result<Json<FoundLists>, ProblemResponse> {
    let query = ListsQuery {
        object_type: wanted.object_type,
        object_id: wanted.object_id,
        purpose: wanted.purpose,
        template: wanted.template,
        state: wanted.state,
        update_offered: wanted.update_offered,
        after: wanted.after,
        limit: wanted.limit,
    };
    Ok(Json(lists::list(&web.app, &caller, query).await?))
}

/// Begin lists.
///
/// A list that was never written is nothing but its template: no search finds it, and nothing in it
/// becomes due. This writes it as its template has it, for up to 200 contexts at once, each for
/// itself: `Results` says of each whether it was begun (`Created`), had been written before
/// (`Unchanged`, it stays as it is) or was refused (`Failed`, with the problem). The same call again
/// changes nothing, so it needs no `OperationId`.
#[utoipa::path(post, path = "/Lists", operation_id = "BeginLists", tag = "Checklists", request_body = BeginLists,
    extensions(("x-needs" = json!(["Add"]))),
    responses(Writes, (status = 200, description = "What became of each context.", body = BegunLists)))]
pub async fn begin(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<BeginLists>,
) -> Result<Json<BegunLists>, ProblemResponse> {
    Ok(Json(
        checklist::begin_lists(&web.app, &caller, request).await?,
    ))
}

/// What the tenant has.
///
/// How many templates, types, keys and people there are, the written checklists by state (10,000 are
/// counted at most), and the webhooks that need attention.
#[utoipa::path(get, path = "/Overview", operation_id = "GetOverview", tag = "Access",
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "The figures.", body = Overview)))]
pub async fn overview(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<Overview>, ProblemResponse> {
    let demo = web.demo.is_some();
    let overview = overview::get(&web.app, &caller).await?;
    Ok(Json(Overview { demo, ..overview }))
}
