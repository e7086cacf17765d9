//! Which template a preview shows: one named, or the one that a type has for a purpose.
//!
//! A preview needs no data and writes nothing.

use std::sync::Arc;

use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::template::Template;

use super::{access, platform_type, template};
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ServiceError, ServiceResult};

/// What a preview was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FragmentOrType {
    /// A template by its id, and a version of it.
    Fragment {
        /// The template's id.
        id: String,
        /// The newest published one without a number.
        version: Option<u32>,
    },
    /// Whatever a type shows for a purpose.
    Type {
        /// The type's name.
        name: String,
        /// The purpose; empty for the default list.
        purpose: String,
    },
}

/// The template to preview.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`, `TypeNotFound`.
pub async fn template_for(
    app: &App,
    principal: &Principal,
    wanted: &FragmentOrType,
) -> ServiceResult<Arc<Template>> {
    access::need_any(principal, &[Permission::Read, Permission::Templates])?;
    match wanted {
        FragmentOrType::Fragment { id, version } => {
            template::get(app, principal, id, *version).await
        }
        FragmentOrType::Type { name, purpose } => {
            let kind = platform_type::get(app, principal, name).await?;
            let Some(id) = kind.templates.get(purpose) else {
                return Err(ServiceError::new(
                    ProblemCode::TemplateNotFound,
                    format!("The type '{name}' has no template for the purpose '{purpose}'."),
                ));
            };
            template::get(app, principal, id, None).await
        }
    }
}
