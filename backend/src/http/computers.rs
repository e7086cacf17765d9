//! The inventory of computers: lists pages, reads one, imports with a dry run.
//!
//! An import is JSON, or a table as `text/csv`. `services::computers` checks permissions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use checklist_services::computers::import::{self, Rows};
use checklist_services::computers::{self, ComputerQuery};
use checklist_shared::computer::ComputerStatus;
use checklist_shared::wire::computers::{
    ComputerView, ComputersPage, ImportAnswer, ImportComputers,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Caller, JsonOrCsv, Parameters, Segment};
use super::problems::Writes;
use crate::http::problem::ProblemResponse;

/// The largest import, in bytes: more than 10,000 rows need.
pub const MOST_IMPORTED: usize = 8 * 1024 * 1024;

/// Which computers to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ComputerParameters {
    /// Words that all have to stand in name, serial number, asset tag, assignee or location,
    /// whatever the case of their letters.
    search: Option<String>,
    /// Of this status only.
    #[param(inline)]
    status: Option<ComputerStatus>,
    /// The `Next` of the previous page.
    after: Option<String>,
    /// How many: 1 to 1,000, 100 unless said otherwise.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// How to import.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportParameters {
    /// Only say what would change; for JSON the body may say so, too.
    #[serde(default)]
    #[param(required = false)]
    dry_run: bool,
}

/// The inventory, by name.
#[utoipa::path(get, path = "", operation_id = "ListComputers", tag = "Computers", params(ComputerParameters),
    extensions(("x-needs" = json!(["Sites"]))),
    responses((status = 200, description = "A page of computers.", body = ComputersPage)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(wanted): Parameters<ComputerParameters>,
) -> Result<Json<ComputersPage>, ProblemResponse> {
    let query = ComputerQuery {
        search: wanted.search,
        status: wanted.status,
        after: wanted.after,
        limit: wanted.limit,
    };
    Ok(Json(computers::list(&web.app, &caller, &query).await?))
}

/// One computer.
#[utoipa::path(get, path = "/{id}", operation_id = "GetComputer", tag = "Computers",
    params(("id" = String, Path, description = "The computer's id.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses((status = 200, description = "The computer.", body = ComputerView)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<ComputerView>, ProblemResponse> {
    Ok(Json(computers::get(&web.app, &caller, &id).await?))
}

const TABLE: &str = include_str!("examples/ImportComputers.request.csv");

/// Import computers, or see what an import would change.
///
/// At most 10,000 rows in 8 MiB, written whole or not at all. A dry run tells what is wrong row by
/// row; an import that is meant is refused when a row is wrong. Computers that are not named stay
/// as they are.
///
/// A table (`text/csv`, UTF-8, with commas, semicolons or tabs) names its columns in the first
/// row: `Id`, `Name`, `Status` and any other field of a computer, in any order. Errors then point
/// at the line and the column: `/12/SerialNumber`.
#[utoipa::path(post, path = "/Import", operation_id = "ImportComputers", tag = "Computers", params(ImportParameters),
    request_body(content((ImportComputers = "application/json"), (String = "text/csv", example = json!(TABLE)))),
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, (status = 200, description = "What has changed, or would.", body = ImportAnswer)))]
pub async fn import(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(options): Parameters<ImportParameters>,
    body: JsonOrCsv<ImportComputers>,
) -> Result<Json<ImportAnswer>, ProblemResponse> {
    let (rows, dry_run) = match body {
        JsonOrCsv::Json(wish) => (Rows::Computers(wish.computers), wish.dry_run),
        JsonOrCsv::Csv(bytes) => (Rows::Csv(bytes.into()), false),
    };
    Ok(Json(
        import::run(&web.app, &caller, rows, dry_run || options.dry_run).await?,
    ))
}
