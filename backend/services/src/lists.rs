//! Checklists across objects: found by object, purpose, template and state.
//!
//! Invariant: only callers for all lists of the tenant are answered, since a cursor names a list.
//! The store follows an index by type and object id; purpose, template, its version and state are
//! compared here, over a bounded number of lists, so a page costs the same in a tenant of any size.

use checklist_auth::Principal;
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::progress::State;
use checklist_shared::wire::lists::{FoundList, FoundLists};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::lists::{ListFilter, ListRecord};

use super::access::{self, FieldErrors};
use super::listing::{self, ListQuery};
use crate::app::App;

/// What is wrong with a `State` that no list on a server has.
pub(crate) const STATE_EXPECTED: &str =
    "Open, Complete, Waived or Empty: a list on the server is in one of these.";

/// Which lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListsQuery {
    /// Only lists of that object type.
    pub object_type: Option<String>,
    /// Only lists of objects whose id begins with this text.
    pub object_id: Option<String>,
    /// Only lists of that purpose; the empty one is the default list of an object.
    pub purpose: Option<String>,
    /// Only lists that follow that template.
    pub template: Option<String>,
    /// Only lists in that state.
    pub state: Option<State>,
    /// Only lists whose template has a newer version, or only those that follow the newest one.
    pub update_offered: Option<bool>,
    /// `Next` of the previous page.
    pub after: Option<String>,
    /// The page size.
    pub limit: Option<u32>,
}

/// Lists a page of the written lists, by object id, object type and purpose.
///
/// # Errors
/// `PermissionDenied` unless the caller may read all lists of the tenant, `InvalidRequest`.
pub async fn list(
    app: &App,
    principal: &Principal,
    query: ListsQuery,
) -> ServiceResult<FoundLists> {
    access::require_permission(principal, Permission::Read)?;
    if !principal.contexts.covers_everything() {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "This call needs a credential for all lists of the tenant.",
        ));
    }
    validate(&query)?;
    let is_filtered = query.purpose.is_some()
        || query.template.is_some()
        || query.state.is_some()
        || query.update_offered.is_some();
    let paging = ListQuery {
        search: None,
        after: query.after.clone(),
        limit: query.limit,
    };
    let (lists, next) = listing::filtered_page(
        "Lists",
        &paging,
        is_filtered,
        |page| {
            let filter = ListFilter {
                object_type: query.object_type.clone(),
                object_id_prefix: query.object_id.clone().unwrap_or_default(),
                page,
            };
            app.store().lists(&principal.tenant, filter)
        },
        |found: &ListRecord| {
            let context = &found.context;
            (
                context.object_id.clone(),
                context.object_type.clone(),
                context.purpose.clone(),
            )
        },
        |found, _| fits(found, &query),
    )
    .await?;
    Ok(FoundLists {
        lists: lists.into_iter().map(to_wire).collect(),
        next,
    })
}

fn validate(query: &ListsQuery) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    for (pointer, text) in [
        ("/ObjectType", &query.object_type),
        ("/ObjectId", &query.object_id),
        ("/Purpose", &query.purpose),
        ("/Template", &query.template),
    ] {
        let Some(text) = text else { continue };
        if text.chars().count() > Limits::IDENTIFIER || text.chars().any(char::is_control) {
            faults.say(
                pointer,
                FieldErrorCode::Invalid,
                "At most 200 characters without control characters.",
            );
        }
    }
    if query.state == Some(State::Unknown) {
        faults.say("/State", FieldErrorCode::Invalid, STATE_EXPECTED);
    }
    faults.refuse()
}

fn fits(found: &ListRecord, query: &ListsQuery) -> bool {
    let is_or_any = |wanted: Option<&String>, value: Option<&str>| {
        wanted.is_none_or(|wanted| value == Some(wanted.as_str()))
    };
    let template = found.template.as_ref().map(|(id, _)| id.as_str());
    is_or_any(query.purpose.as_ref(), Some(&found.context.purpose))
        && is_or_any(query.template.as_ref(), template)
        && query.state.is_none_or(|state| state == state_of(found))
        && query
            .update_offered
            .is_none_or(|wanted| wanted == found.newer_version.is_some())
}

fn state_of(found: &ListRecord) -> State {
    let is_waived = found.waived.is_some();
    found.counts.state(found.completion_rule, is_waived)
}

fn to_wire(found: ListRecord) -> FoundList {
    let state = state_of(&found);
    let (template_id, template_version) = found.template.unzip();
    FoundList {
        context: found.context,
        revision: found.revision,
        state,
        counts: found.counts,
        template_id,
        template_version,
        newer_version: found.newer_version,
        locked: found.locked,
        waived: found.waived,
        created_at: found.created_at,
        changed_at: found.changed_at,
    }
}
