//! Platform types: their classes, and a template for each purpose.
//!
//! A class that is added to a type takes effect at once. A request changes only the fields that it
//! contains, so adding a class cannot remove a template.

use std::future::ready;

use checklist_auth::Principal;
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::admin::{PutType, Type, Types};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::expected::ExpectedState;
use checklist_store::keyset::Keyset;
use checklist_store::lists::DeleteOutcome;
use checklist_store::platform_types::TypeRows;

use super::access::{self, FieldErrors};
use super::listing::{self, ListQuery};
use super::template;
use crate::app::App;
pub use checklist_store::expected::state_of_type;

/// Lists a page of the tenant's types, by name; searches name, purpose and template.
///
/// A credential for some lists sees only the types of these lists.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(app: &App, principal: &Principal, query: &ListQuery) -> ServiceResult<Types> {
    let TypeRows {
        mut types,
        mut unreadable,
        retired_templates: _,
    } = all(app, principal).await?;
    if !sees_everything(principal) {
        types.retain(|kind| principal.contexts.covers_type(&kind.name));
        unreadable.retain(|name| principal.contexts.covers_type(name));
    }
    let (types, next) = listing::page(
        "Types",
        query,
        |page: Keyset<String>| ready(Ok(page.of(&types, |kind| kind.name.as_str()))),
        |kind: &Type| kind.name.clone(),
        |kind, words| {
            let templates = kind
                .templates
                .iter()
                .flat_map(|(purpose, id)| [purpose, id]);
            words.stand_in(templates.chain([&kind.name]).map(String::as_str))
        },
    )
    .await?;
    Ok(Types {
        types,
        unreadable,
        next,
    })
}

/// All types of the tenant, by name. Every node caches them.
pub(super) async fn all(app: &App, principal: &Principal) -> ServiceResult<TypeRows> {
    access::need_any(principal, &[Permission::Read, Permission::Templates])?;
    Ok(app.store().types(&principal.tenant).await?)
}

/// Whether the caller sees all types and templates of the tenant, not only those of its own lists.
/// Authors of templates do.
pub(super) fn sees_everything(principal: &Principal) -> bool {
    principal.may(Permission::Templates) || principal.contexts.covers_everything()
}

/// Reads one type by name. Any reader may: a preview has no list, and so no context to check.
///
/// # Errors
/// `PermissionDenied`, `TypeNotFound`, `TypeUnreadable`.
pub async fn get(app: &App, principal: &Principal, name: &str) -> ServiceResult<Type> {
    let rows = all(app, principal).await?;
    if rows.unreadable.iter().any(|other| other == name) {
        return Err(ServiceError::unreadable_type(name));
    }
    rows.types
        .into_iter()
        .find(|kind| kind.name == name)
        .ok_or_else(|| not_found(name))
}

/// Changes or creates a type.
///
/// # Errors
/// `PermissionDenied`, `TypeChanged` if the precondition fails, `TypeUnreadable` if a stored value
/// has to be kept but cannot be parsed, or `InvalidRequest` with every field error.
pub async fn put(
    app: &App,
    principal: &Principal,
    name: &str,
    mut change: PutType,
    expected: ExpectedState,
) -> ServiceResult<Type> {
    access::require_permission(principal, Permission::Templates)?;
    let mut faults = FieldErrors::default();
    if change.name.as_deref().is_some_and(|said| said != name) {
        faults.say(
            "/Name",
            FieldErrorCode::Invalid,
            "The name is the one in the address.",
        );
    }
    let length = name.chars().count();
    if length == 0
        || length > Limits::IDENTIFIER
        || name.chars().any(char::is_control)
        || name == "*"
    {
        faults.say(
            "/Name",
            FieldErrorCode::Invalid,
            "1 to 200 characters without control characters, and not a star.",
        );
    }
    let templates = change.templates.new_value().flatten();
    let known = app.store().types(&principal.tenant).await?;
    let present = known.types.iter().find(|kind| kind.name == name);
    let is_newly_named = |purpose: &str, id: &str| {
        present
            .and_then(|kind| kind.templates.get(purpose))
            .is_none_or(|named| named != id)
    };
    for (purpose, id) in templates.into_iter().flatten() {
        let pointer = format!(
            "/Templates/{}",
            purpose.replace('~', "~0").replace('/', "~1")
        );
        if purpose.chars().count() > Limits::IDENTIFIER {
            faults.say(
                pointer,
                FieldErrorCode::LimitExceeded,
                "A purpose has at most 200 characters.",
            );
        } else if app
            .store()
            .template(&principal.tenant, id, None)
            .await?
            .is_none()
        {
            faults.say(
                pointer,
                FieldErrorCode::Invalid,
                format!("There is no published template '{id}'."),
            );
        } else if known.retired_templates.contains(id) && is_newly_named(purpose, id) {
            faults.say(
                pointer,
                FieldErrorCode::Invalid,
                template::retired_sentence(id),
            );
        }
    }
    if templates.is_some_and(|templates| templates.len() > app.limits().purposes) {
        let detail = format!(
            "An object has at most {} checklists.",
            app.limits().purposes
        );
        faults.say("/Templates", FieldErrorCode::LimitExceeded, detail);
    }
    faults.refuse()?;
    if let Patch::Set(named) = &mut change.classes {
        let mut classes = Vec::with_capacity(named.len());
        for class in named.drain(..) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        *named = classes;
    }
    let stamp = principal.stamp(app.clock().now());
    let put = app
        .store()
        .put_type(&principal.tenant, name, change, expected, stamp)
        .await?;
    put.map_err(|_| access::changed_since_read(ProblemCode::TypeChanged, "overwrite"))
}

/// Deletes a type that no list is of.
///
/// # Errors
/// `PermissionDenied`, `TypeNotFound`, `TypeChanged` if the precondition fails, `InUse` with the
/// number of its lists.
pub async fn delete(
    app: &App,
    principal: &Principal,
    name: &str,
    expected: ExpectedState,
) -> ServiceResult<()> {
    access::require_permission(principal, Permission::Templates)?;
    let stamp = principal.stamp(app.clock().now());
    let deleted = app
        .store()
        .delete_type(&principal.tenant, name, expected, stamp)
        .await?;
    match deleted {
        DeleteOutcome::Done => Ok(()),
        DeleteOutcome::Missing => Err(not_found(name)),
        DeleteOutcome::Stale => Err(access::changed_since_read(
            ProblemCode::TypeChanged,
            "delete",
        )),
        DeleteOutcome::InUse { lists, .. } => Err(ServiceError::in_use(
            format!("{lists} {} of this type.", lists_are(lists)),
            lists,
        )),
    }
}

/// The verb for a number of lists.
fn lists_are(lists: u64) -> &'static str {
    if lists == 1 {
        "checklist is"
    } else {
        "checklists are"
    }
}

pub(super) fn not_found(name: &str) -> ServiceError {
    ServiceError::new(
        ProblemCode::TypeNotFound,
        format!("There is no type '{name}'."),
    )
}
