//! Selects the template of a preview: a named one, or the one of a type and purpose.
//!
//! A preview reads no list and writes nothing.

use std::sync::Arc;

use checklist_auth::Principal;
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::template::Template;
use checklist_store::error::{ServiceError, ServiceResult};

use super::{access, platform_type, template};
use crate::app::App;

/// The template to preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FragmentOrType {
    /// A template by id and version.
    Fragment {
        /// The id of the template.
        id: String,
        /// The newest published version if `None`.
        version: Option<u32>,
    },
    /// The template of a type for a purpose.
    Type {
        /// The name of the type.
        name: String,
        /// The purpose; empty for the default list.
        purpose: String,
    },
}

/// Loads the template to preview.
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
