//! The audit trail: every change with its full text, each row a leaf of a Merkle tree.
//!
//! Paginated, or as one CSV file, for callers with the permission `Audit`.
//! `checklist_shared::audit_trail` defines the leaves and the tree.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use checklist_services::audit::proofs::{self, ProofQuery};
use checklist_services::audit::{self, Target};
use checklist_services::journal::LogQuery;
use checklist_shared::ItemId;
use checklist_shared::administration::{Action, Category, Subject};
use checklist_shared::event::What;
use checklist_shared::item::ActorKind;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{AuditPage, AuditProof, AuditVerification};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::csv::{self, Format};
use super::extract::{Caller, Parameters};
use super::journal::Order;
use crate::http::problem::ProblemResponse;

/// Which rows.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditParameters {
    /// Past this one in the order asked for: the `Cursor` of the page before.
    #[serde(default)]
    after: u64,
    /// How many, at most 500; 100 otherwise.
    limit: Option<u32>,
    /// What the rows are about: changes of checklists, acts of administration, or sign-ins;
    /// everything otherwise.
    #[param(inline)]
    category: Option<Category>,
    /// Acts of administration about this kind of thing only.
    #[param(inline)]
    subject: Option<Subject>,
    /// Acts of administration of this kind only.
    #[param(inline)]
    action: Option<Action>,
    /// Of objects of this type only.
    object_type: Option<String>,
    /// Of this object only.
    object_id: Option<String>,
    /// Of this purpose only.
    purpose: Option<String>,
    /// About this item only. With the object it is found at once.
    #[param(value_type = Option<String>, format = Uuid)]
    item_id: Option<ItemId>,
    /// Of the operation with this id only.
    operation_id: Option<String>,
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
    /// Changes of checklists of this kind only.
    #[param(inline)]
    what: Option<What>,
    /// `Csv` for everything from the cursor on as one file; `Limit` does not matter then.
    #[param(inline)]
    format: Option<Format>,
}

impl From<AuditParameters> for LogQuery {
    fn from(log: AuditParameters) -> Self {
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
            category: log.category,
            subject: log.subject,
            action: log.action,
            item: log.item_id,
            operation: log.operation_id,
        }
    }
}

/// Audit rows.
///
/// Every change of a checklist and every act of administration (keys, people, types, templates,
/// service connections, webhooks, sign-ins) is a row, written in the same transaction; needs the
/// permission `Audit`. A credential for some checklists sees their rows alone. Each row is a leaf of the tenant's Merkle tree. A search for
/// words, an actor or a kind looks at 10,000 rows and then answers with what it has found: `More`
/// and `Cursor` say where to go on.
#[utoipa::path(get, path = "/Audit", operation_id = "ReadAudit", tag = "Journal and audit", params(AuditParameters),
    extensions(("x-needs" = json!(["Audit"]))),
    responses((status = 200, description = "A page of rows, or all of them as CSV.", content((AuditPage = "application/json"), (String = "text/csv")))))]
pub async fn page(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Parameters(log): Parameters<AuditParameters>,
) -> Result<Response, ProblemResponse> {
    let format = Format::negotiate(log.format, &headers);
    let query = LogQuery::from(log);
    if format == Format::Json {
        let page = audit::page(&web.app, &caller, query).await?;
        audit::note_read(&web.app, &caller).await?;
        return Ok(Json(page).into_response());
    }
    let (now, from) = (web.now(), query.after);
    let shared = Arc::new((web, caller, query));
    let noted = Arc::clone(&shared);
    let file = csv::stream("audit", now, from, move |after| {
        let shared = Arc::clone(&shared);
        async move {
            let (web, caller, query) = &*shared;
            let page = audit::page(&web.app, caller, csv::piece(query, after)).await?;
            Ok((page.rows, page.more.then_some(page.cursor)))
        }
    })
    .await?;
    let (web, caller, _) = &*noted;
    audit::note_export(&web.app, caller, Target::AuditTrail).await?;
    Ok(file)
}

/// Verify the audit trail.
///
/// Computes the hash of every row of the tenant again and says whether each is what was written. Needs the
/// permission `Audit` and a credential that covers every context.
#[utoipa::path(get, path = "/Audit/Verification", operation_id = "VerifyAudit", tag = "Journal and audit",
    extensions(("x-needs" = json!(["Audit"]))),
    responses((status = 200, description = "What was found.", body = AuditVerification)))]
pub async fn verification(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<AuditVerification>, ProblemResponse> {
    let verification = audit::verification(&web.app, &caller).await?;
    audit::note_read(&web.app, &caller).await?;
    Ok(Json(verification))
}

/// The newest checkpoint.
///
/// A signed note (C2SP tlog-checkpoint): how many rows the trail has, the hash of their Merkle tree,
/// and the signature of the tenant's key, which `checklist-server audit key` prints. The server signs
/// within a minute of a change. Keep one elsewhere: `checklist-server audit verify --checkpoint` then
/// finds whatever was altered before it. Needs the permission `Audit` and a credential that covers
/// every context.
#[utoipa::path(get, path = "/Audit/Checkpoint", operation_id = "GetAuditCheckpoint", tag = "Journal and audit",
    extensions(("x-needs" = json!(["Audit"]))),
    responses((status = 200, description = "The checkpoint.", body = String, content_type = "text/plain", example = json!(EXAMPLE))))]
pub async fn checkpoint(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<String, ProblemResponse> {
    Ok(proofs::checkpoint(&web.app, &caller).await?)
}

/// A checkpoint of seven rows.
const EXAMPLE: &str = include_str!("examples/GetAuditCheckpoint.answer.txt");

/// What is to be proven.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ProofParameters {
    /// That this row is in the tree.
    sequence: Option<u64>,
    /// That the tree of so many rows is the beginning of the tree.
    from: Option<u64>,
    /// The number of rows in the tree; that of the newest checkpoint otherwise.
    size: Option<u64>,
}

/// Prove a row, or an earlier checkpoint.
///
/// With `Sequence` a proof of inclusion, with the bytes of the row's leaf and what it commits to; with
/// `From` a proof of consistency (both RFC 6962). No tree is larger than that of the newest checkpoint.
/// Needs the permission `Audit` and a credential that covers every context.
#[utoipa::path(get, path = "/Audit/Proof", operation_id = "ProveAudit", tag = "Journal and audit", params(ProofParameters),
    extensions(("x-needs" = json!(["Audit"]))),
    responses((status = 200, description = "The proof.", body = AuditProof)))]
pub async fn proof(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(wanted): Parameters<ProofParameters>,
) -> Result<Json<AuditProof>, ProblemResponse> {
    let query = ProofQuery {
        sequence: wanted.sequence,
        from: wanted.from,
        size: wanted.size,
    };
    let proof = proofs::proof(&web.app, &caller, query).await?;
    audit::note_read(&web.app, &caller).await?;
    Ok(Json(proof))
}

/// A tile of the tree, or leaves: what follows `tile/` in C2SP tlog-tiles. It never changes.
pub async fn tile(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Path(path): Path<String>,
) -> Result<Response, ProblemResponse> {
    let bytes = proofs::tile(&web.app, &caller, &path).await?;
    audit::note_read(&web.app, &caller).await?;
    let head = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (
            header::CACHE_CONTROL,
            "private, max-age=31536000, immutable",
        ),
    ];
    Ok((head, bytes).into_response())
}
