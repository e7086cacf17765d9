//! The journal: readable entries that the host copies into its own records.
//!
//! Paginated with a cursor, or as one CSV file. `services::journal` restricts the entries to the
//! caller's scope. The audit trail uses the same parameters.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use checklist_services::audit::{self, Target};
use checklist_services::journal::{self, LogQuery};
use checklist_shared::event::What;
use checklist_shared::item::ActorKind;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::JournalPage;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::Web;
use super::csv::{self, Format};
use super::extract::{Caller, Parameters};
use crate::http::problem::ProblemResponse;

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JournalParameters {
    /// Past this one in the order asked for: the `Cursor` of the page before.
    #[serde(default)]
    after: u64,
    /// How many: 1 to 500, 100 unless said otherwise.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// Of objects of this type only.
    object_type: Option<String>,
    /// Of this object only.
    object_id: Option<String>,
    /// Of this purpose only.
    purpose: Option<String>,
    /// The order; `Oldest` first otherwise.
    #[param(inline)]
    order: Option<Order>,
    /// Nothing that ended before this moment.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Nothing that began at this moment or later.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// By somebody whose name or id holds this, in upper or lower case.
    actor: Option<String>,
    /// By actors of this kind only; whom they acted for does not matter.
    #[param(inline)]
    actor_kind: Option<ActorKind>,
    /// With this somewhere in the words, in upper or lower case.
    text: Option<String>,
    /// Of this kind only.
    #[param(inline)]
    what: Option<What>,
    /// `Csv` for everything from the cursor on as one file; `Limit` does not matter then.
    #[param(inline)]
    format: Option<Format>,
}

/// Which end of a log comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub enum Order {
    /// The oldest row.
    Oldest,
    /// The newest row.
    Newest,
}

impl From<JournalParameters> for LogQuery {
    fn from(log: JournalParameters) -> Self {
        Self {
            after: log.after,
            limit: log.limit,
            object_type: log.object_type,
            object_id: log.object_id,
            purpose: log.purpose,
            newest_first: log.order == Some(Order::Newest),
            from: log.from,
            to: log.to,
            actor: log.actor,
            actor_kind: log.actor_kind,
            text: log.text,
            what: log.what,
            ..Self::default()
        }
    }
}

/// Journal entries.
///
/// Entries of the lists that the token covers. What one person does to a list within two minutes
/// is one entry; while it is continued, it appears again under a new cursor with the same `Id`.
/// A search for words, an actor or a kind looks at 10,000 entries and then answers with what it
/// has found: `More` and `Cursor` say where to go on.
#[utoipa::path(get, path = "/Journal", operation_id = "ReadJournal", tag = "Journal and audit", params(JournalParameters),
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "A page of entries, or all of them as CSV.", content((JournalPage = "application/json"), (String = "text/csv")))))]
pub async fn page(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Parameters(log): Parameters<JournalParameters>,
) -> Result<Response, ProblemResponse> {
    let format = Format::negotiate(log.format, &headers);
    let query = LogQuery::from(log);
    if format == Format::Json {
        return Ok(Json(journal::page(&web.app, &caller, query).await?).into_response());
    }
    let (now, from) = (web.now(), query.after);
    let shared = Arc::new((web, caller, query));
    let noted = Arc::clone(&shared);
    let file = csv::stream("journal", now, from, move |after| {
        let shared = Arc::clone(&shared);
        async move {
            let (web, caller, query) = &*shared;
            let page = journal::page(&web.app, caller, csv::piece(query, after)).await?;
            Ok((page.entries, page.more.then_some(page.cursor)))
        }
    })
    .await?;
    let (web, caller, _) = &*noted;
    audit::note_export(&web.app, caller, Target::Journal).await?;
    Ok(file)
}
