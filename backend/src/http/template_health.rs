//! `GET /Templates/{id}/Health`, as JSON or as a file.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use checklist_services::template_health::{self, HealthQuery};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::template_health::{ItemHealth, RecurringItem, TemplateHealth};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::csv::{self, Format, Table};
use super::extract::{Caller, Parameters, Segment};
use crate::http::problem::ProblemResponse;

/// Which lists are counted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HealthParameters {
    /// Only lists that follow that version.
    #[param(minimum = 1)]
    version: Option<u32>,
    /// Only lists whose present run began at this moment or later, of those that are looked at: at most
    /// `AtMost`, those of the newest version first, of each version the newest, whenever they began.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// The language of the texts; that of the caller unless said otherwise.
    language: Option<String>,
    /// `Csv` for a file with a row for each item and each recurring text.
    #[param(inline)]
    format: Option<Format>,
}

/// Get statistics for each item of a template.
///
/// Counts the lists that follow the template: in how many each of its items is done, not applicable, open,
/// changed, deleted, overdue, or was resolved late, how often it was reopened, and the median time until
/// it is first resolved; and which texts people add by hand in several lists. Written lists are counted
/// with their present runs, completed ones too; closed runs, and lists that nobody has begun, are not.
/// At most 10,000 lists are looked at, and 200 changes a list on average; `Truncated` says that there are
/// more. Nobody is named. The figures are for whoever writes templates or reads the audit trail, with a
/// credential for all lists of the tenant; texts that were added by hand are part of the answer only for
/// those of them who may also read lists.
#[utoipa::path(get, path = "/Templates/{id}/Health", operation_id = "GetTemplateHealth", tag = "Templates",
    params(("id" = String, Path, description = "The template's id."), HealthParameters),
    extensions(("x-needs" = json!(["Templates", "Audit"]))),
    responses((status = 200, description = "The figures, or all of them as CSV.", content((TemplateHealth = "application/json"), (String = "text/csv")))))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    headers: HeaderMap,
    Parameters(wanted): Parameters<HealthParameters>,
) -> Result<Response, ProblemResponse> {
    let query = HealthQuery {
        version: wanted.version,
        since: wanted.since,
        language: wanted.language,
    };
    let health = template_health::get(&web.app, &caller, &id, &query).await?;
    if Format::negotiate(wanted.format, &headers) == Format::Json {
        return Ok(Json(health).into_response());
    }
    let added = health.recurring.unwrap_or_default().into_iter();
    let sources = health.items.into_iter().map(HealthSource::Item);
    let sources = sources.chain(added.map(HealthSource::Added));
    let row = |source| HealthRow {
        source,
        truncated: health.truncated,
    };
    let rows: Vec<HealthRow> = sources.map(row).collect();
    let read = move |_| std::future::ready(Ok((rows.clone(), None)));
    csv::stream("template-health", health.at, 0, read).await
}

/// A row of the file.
#[derive(Clone)]
struct HealthRow {
    source: HealthSource,
    /// The same in each row: whether there is more than was looked at.
    truncated: bool,
}

/// What a row says something of.
#[derive(Clone)]
enum HealthSource {
    /// Of an item of the template.
    Item(ItemHealth),
    /// Of a text that was added by hand.
    Added(RecurringItem),
}

impl Table for HealthRow {
    const HEAD: &'static str = "Source,Key,Text,IsCurrent,Lists,Done,NotApplicable,Open,Edited,\
        Deleted,Reopened,ResolvedLate,Overdue,MedianSeconds,Truncated";

    fn fields(&self) -> Vec<String> {
        let (source, key, text, is_current) = match &self.source {
            HealthSource::Item(item) => ("Template", Some(&item.key), &item.text, item.is_current),
            HealthSource::Added(added) => (
                "Added",
                added.key.as_ref(),
                &added.text,
                added.key.is_some(),
            ),
        };
        let key = key.cloned().unwrap_or_default();
        let words = [source.to_owned(), key, text.clone(), is_current.to_string()];
        let figures: Vec<String> = match &self.source {
            HealthSource::Added(added) => {
                let lists = [added.lists.to_string()].into_iter();
                lists.chain((0..9).map(|_| String::new())).collect()
            }
            HealthSource::Item(item) => {
                let figures = [
                    item.lists,
                    item.done,
                    item.not_applicable,
                    item.open,
                    item.edited,
                    item.deleted,
                    item.reopened,
                    item.resolved_late,
                    item.overdue,
                ];
                let median = item.median_seconds.map(|seconds| seconds.to_string());
                let figures = figures.iter().map(ToString::to_string);
                figures.chain([median.unwrap_or_default()]).collect()
            }
        };
        let truncated = [self.truncated.to_string()];
        let fields = words.into_iter().chain(figures);
        fields.chain(truncated).collect()
    }
}
