//! Platform types: the classes they include, and the template for each purpose.
//!
//! A class that is added to a type works at once. Called by the handlers of `Types`.

use checklist_shared::limits::Limits;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::admin::{Type, Types};

use super::access::{self, Faults};
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ServiceError, ServiceResult};

/// All types of the tenant, by name.
///
/// # Errors
/// `PermissionDenied`.
pub async fn list(app: &App, principal: &Principal) -> ServiceResult<Types> {
    access::need_any(principal, &[Permission::Read, Permission::Templates])?;
    Ok(Types {
        types: app.store().types(&principal.tenant).await?,
    })
}

/// One type.
///
/// # Errors
/// `PermissionDenied`, `TypeNotFound`.
pub async fn get(app: &App, principal: &Principal, name: &str) -> ServiceResult<Type> {
    let types = list(app, principal).await?.types;
    types
        .into_iter()
        .find(|kind| kind.name == name)
        .ok_or_else(|| not_found(name))
}

/// Writes a type, new or not.
///
/// # Errors
/// `PermissionDenied`, or `InvalidRequest` with everything that is wrong.
pub async fn put(
    app: &App,
    principal: &Principal,
    name: &str,
    mut kind: Type,
) -> ServiceResult<Type> {
    access::need(principal, Permission::Templates)?;
    let mut faults = Faults::default();
    if kind.name != name {
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
    for (purpose, id) in &kind.templates {
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
        }
    }
    if kind.templates.len() > app.limits().purposes {
        let detail = format!(
            "An object has at most {} checklists.",
            app.limits().purposes
        );
        faults.say("/Templates", FieldErrorCode::LimitExceeded, detail);
    }
    faults.refuse()?;
    let mut classes = Vec::with_capacity(kind.classes.len());
    for class in kind.classes {
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    kind.classes = classes;
    let stamp = principal.stamp(app.clock().now());
    app.store()
        .put_type(&principal.tenant, kind.clone(), stamp)
        .await?;
    Ok(kind)
}

pub(super) fn not_found(name: &str) -> ServiceError {
    ServiceError::new(
        ProblemCode::TypeNotFound,
        format!("There is no type '{name}'."),
    )
}
