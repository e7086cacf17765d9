//! Templates: reads them, writes and publishes drafts.
//!
//! Invariant: published versions never change.

use std::collections::BTreeSet;
use std::sync::Arc;

use checklist_auth::Principal;
use checklist_shared::administration::Action;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::template::{RefreshPolicy, Template};
use checklist_shared::template_import::{self, Format};
use checklist_shared::wire::admin::{
    ImportNote, ImportedTemplates, TemplateBundle, TemplateHistory, TemplateImpact, TemplateRow,
    Templates,
};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::expected::{PreconditionError, state_of, state_of_published};
use checklist_store::keyset::Keyset;
use checklist_store::lists::DeleteOutcome;
use checklist_store::store::PendingRefresh;

use super::access::{self, FieldErrors};
use super::listing::{self, ListQuery};
use super::{automation, platform_type};
use crate::app::App;
pub use checklist_store::expected::ExpectedState;

/// The maximum number of templates in an import.
const IMPORTED: usize = 200;

/// Reserved ids: they would collide with the paths of export and import.
const RESERVED: [&str; 2] = ["Export", "Import"];

/// Reads a version of a template, by default the newest published one. Only authors see a draft.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`.
pub async fn get(
    app: &App,
    principal: &Principal,
    id: &str,
    version: Option<u32>,
) -> ServiceResult<Arc<Template>> {
    access::need_any(principal, &[Permission::Read, Permission::Templates])?;
    if let Some(template) = app.store().template(&principal.tenant, id, version).await? {
        return Ok(template);
    }
    if principal.may(Permission::Templates)
        && let Some(history) = app.store().template_history(&principal.tenant, id).await?
        && let Some(draft) = history.draft
        && version.is_none_or(|version| version == draft.version)
    {
        return Ok(Arc::new(draft));
    }
    Err(not_found(id, version))
}

/// Lists a page of templates, by id; searches id, key and name in every language. Only authors see
/// drafts.
///
/// A credential for some lists sees only the templates of their types.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(app: &App, principal: &Principal, query: &ListQuery) -> ServiceResult<Templates> {
    access::need_any(principal, &[Permission::Read, Permission::Templates])?;
    let visible = visible_templates(app, principal).await?;
    let writes = principal.may(Permission::Templates);
    let (mut templates, next) = listing::page(
        "Templates",
        query,
        |page| app.store().templates(&principal.tenant, page),
        |row: &TemplateRow| row.id.clone(),
        |row, words| {
            let names = row.name.iter().map(|(_, name)| name);
            (writes || row.version > 0)
                && visible.as_ref().is_none_or(|ids| ids.contains(&row.id))
                && words.stand_in(names.chain([row.id.as_str(), &row.key]))
        },
    )
    .await?;
    if !writes {
        for row in &mut templates {
            row.draft_version = None;
        }
    }
    Ok(Templates { templates, next })
}

/// The templates that a caller may see; `None` for all.
async fn visible_templates(
    app: &App,
    principal: &Principal,
) -> ServiceResult<Option<BTreeSet<String>>> {
    if platform_type::sees_everything(principal) {
        return Ok(None);
    }
    let types = platform_type::all(app, principal).await?.types;
    let of_token = principal.template.as_deref().into_iter();
    let of_token = of_token.chain(principal.contexts.every_pinned_template());
    let mut ids: BTreeSet<String> = of_token.map(str::to_owned).collect();
    for kind in types {
        for (purpose, id) in kind.templates {
            if principal.contexts.covers_purpose(&kind.name, &purpose) {
                ids.insert(id);
            }
        }
    }
    Ok(Some(ids))
}

/// Lists the versions of a template. Authors also get the draft and the state for `If-Match`.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`.
pub async fn history(
    app: &App,
    principal: &Principal,
    id: &str,
) -> ServiceResult<(TemplateHistory, Option<String>)> {
    access::need_any(principal, &[Permission::Read, Permission::Templates])?;
    let mut history = app
        .store()
        .template_history(&principal.tenant, id)
        .await?
        .ok_or_else(|| not_found(id, None))?;
    if !principal.may(Permission::Templates) {
        history.draft = None;
        if history.published.is_none() {
            return Err(not_found(id, None));
        }
        return Ok((history, None));
    }
    let state = state_of(&history);
    Ok((history, Some(state)))
}

/// A template after it was written or published.
#[derive(Debug)]
pub struct SavedTemplate<T> {
    /// The draft or version as stored.
    pub template: T,
    /// The new state of the template, for `If-Match`.
    pub state: String,
}

/// Writes the draft of the next version. Status and version in the body are ignored.
///
/// # Errors
/// `PermissionDenied`, `TemplateChanged` if the precondition fails, or `InvalidRequest` with every
/// field error.
pub async fn put_draft(
    app: &App,
    principal: &Principal,
    id: &str,
    mut template: Template,
    expected: ExpectedState,
) -> ServiceResult<SavedTemplate<Template>> {
    access::require_permission(principal, Permission::Templates)?;
    let mut faults = FieldErrors::default();
    if template.id.is_empty() {
        id.clone_into(&mut template.id);
    } else if template.id != id {
        faults.say(
            "/Id",
            FieldErrorCode::Invalid,
            "The id is the one in the address.",
        );
    }
    faults.extend(check(app, &template));
    faults.refuse()?;
    let put = app
        .store()
        .put_draft(
            &principal.tenant,
            template,
            expected,
            principal.stamp(app.clock().now()),
            Action::DraftSaved,
        )
        .await?;
    let history = match put {
        Ok(history) => history,
        Err(refused) => return Err(not_written(app, principal, id, refused).await?),
    };
    let state = state_of(&history);
    let template = history.draft.ok_or_else(|| not_found(id, None))?;
    Ok(SavedTemplate { template, state })
}

/// Deletes the draft. A template that was never published is deleted with it.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`, `TemplateChanged` if the precondition fails,
/// `TemplatePublished` if there is no draft, and `InvalidRequest` with every field error of a draft that
/// an earlier version has saved.
pub async fn discard_draft(
    app: &App,
    principal: &Principal,
    id: &str,
    expected: ExpectedState,
) -> ServiceResult<()> {
    access::require_permission(principal, Permission::Templates)?;
    let discarded = app
        .store()
        .discard_draft(
            &principal.tenant,
            id,
            expected,
            principal.stamp(app.clock().now()),
        )
        .await?;
    match discarded {
        Ok(()) => Ok(()),
        Err(refused) => Err(not_written(app, principal, id, refused).await?),
    }
}

/// Deletes a template with all its versions.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`, `TemplateChanged` if the precondition fails, `InUse` with
/// the number of lists that follow it and the types that name it.
pub async fn delete(
    app: &App,
    principal: &Principal,
    id: &str,
    expected: ExpectedState,
) -> ServiceResult<()> {
    access::require_permission(principal, Permission::Templates)?;
    let stamp = principal.stamp(app.clock().now());
    let deleted = app
        .store()
        .delete_template(&principal.tenant, id, expected, stamp)
        .await?;
    match deleted {
        DeleteOutcome::Done => Ok(()),
        DeleteOutcome::Missing => Err(not_found(id, None)),
        DeleteOutcome::Stale => Err(access::changed_since_read(
            ProblemCode::TemplateChanged,
            "delete",
        )),
        DeleteOutcome::InUse { lists, types } => {
            Err(ServiceError::in_use(in_use(lists, &types), lists))
        }
    }
}

/// Retires a template, so that no new list is begun from it, or offers it again. Lists that follow it go
/// on, and drafts of it are written and published as before.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound` if no version is published, `TemplateChanged` if the
/// precondition fails.
pub async fn retire(
    app: &App,
    principal: &Principal,
    id: &str,
    is_retired: bool,
    expected: ExpectedState,
) -> ServiceResult<SavedTemplate<TemplateHistory>> {
    access::require_permission(principal, Permission::Templates)?;
    let stamp = principal.stamp(app.clock().now());
    let history = app
        .store()
        .retire_template(&principal.tenant, id, is_retired, expected, stamp)
        .await?;
    match history {
        Ok(history) => Ok(SavedTemplate {
            state: state_of(&history),
            template: history,
        }),
        Err(PreconditionError::Stale) => Err(access::changed_since_read(
            ProblemCode::TemplateChanged,
            "change",
        )),
        Err(PreconditionError::NoDraft) => Err(not_found(id, None)),
    }
}

/// The error for what would begin a list from a retired template, or move one to it.
pub(super) fn retired(id: &str) -> ServiceError {
    ServiceError::new(ProblemCode::TemplateRetired, retired_sentence(id))
}

/// Says that a template is retired.
pub(super) fn retired_sentence(id: &str) -> String {
    format!("The template '{id}' is retired: no new checklist follows it. It can be offered again.")
}

fn in_use(lists: u64, types: &[String]) -> String {
    let mut users = match lists {
        0 => Vec::new(),
        1 => vec!["1 checklist follows it".to_owned()],
        lists => vec![format!("{lists} checklists follow it")],
    };
    match types {
        [] => {}
        [one] => users.push(format!("the type '{one}' names it")),
        several => users.push(format!("the types '{}' name it", several.join("', '"))),
    }
    format!("It cannot be deleted: {}.", users.join(", and "))
}

/// The error for a template that was not written.
async fn not_written(
    app: &App,
    principal: &Principal,
    id: &str,
    refused: PreconditionError,
) -> ServiceResult<ServiceError> {
    let known = app.store().template_history(&principal.tenant, id).await?;
    let newest = known.as_ref().and_then(|known| known.versions.first());
    Ok(match (refused, known.is_some(), newest) {
        (PreconditionError::Stale, true, _) => {
            access::changed_since_read(ProblemCode::TemplateChanged, "overwrite")
        }
        (PreconditionError::NoDraft, _, Some(newest)) => ServiceError::new(
            ProblemCode::TemplatePublished,
            format!(
                "There is no draft; version {} is published already.",
                newest.version
            ),
        ),
        _ => not_found(id, None),
    })
}

/// Publishes the draft. With `RefreshPolicy: Auto`, the lists that follow the template are
/// refreshed in the background.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`, `TemplateChanged` if the precondition fails,
/// `TemplatePublished` if there is no draft, and `InvalidRequest` with every field error of a draft that
/// an earlier version has saved.
pub async fn publish(
    app: &App,
    principal: &Principal,
    id: &str,
    expected: ExpectedState,
) -> ServiceResult<SavedTemplate<Arc<Template>>> {
    access::require_permission(principal, Permission::Templates)?;
    let history = app.store().template_history(&principal.tenant, id).await?;
    if let Some(draft) = history.and_then(|history| history.draft) {
        let mut faults = FieldErrors::default();
        faults.extend(check(app, &draft));
        faults.refuse()?;
    }
    let stamp = principal.stamp(app.clock().now());
    let published = app
        .store()
        .publish(&principal.tenant, id, stamp, expected)
        .await?;
    let published = match published {
        Ok(published) => published,
        Err(refused) => return Err(not_written(app, principal, id, refused).await?),
    };
    if published.refresh_policy == RefreshPolicy::Auto {
        automation::start(
            app,
            PendingRefresh {
                tenant: principal.tenant.clone(),
                template: id.to_owned(),
                version: published.version,
                published_by: Some(principal.actor.clone()),
            },
        );
    }
    Ok(SavedTemplate {
        state: state_of_published(published.version),
        template: published,
    })
}

/// Counts the lists that publishing the draft would affect; without a draft, those behind the
/// newest version.
///
/// # Errors
/// `PermissionDenied`, `TemplateNotFound`.
pub async fn impact(app: &App, principal: &Principal, id: &str) -> ServiceResult<TemplateImpact> {
    access::require_permission(principal, Permission::Templates)?;
    let (history, _) = history(app, principal, id).await?;
    let next = history.draft.as_ref().or(history.published.as_ref());
    let Some(next) = next else {
        return Err(not_found(id, None));
    };
    let behind = app
        .store()
        .lists_behind(&principal.tenant, id, next.version, 0, 0)
        .await?;
    Ok(TemplateImpact {
        id: id.to_owned(),
        version: next.version,
        lists: behind.total,
        refresh_policy: next.refresh_policy,
        warnings: next.warnings(),
    })
}

/// Exports the newest published version of every template.
///
/// # Errors
/// `PermissionDenied`.
pub async fn export(app: &App, principal: &Principal) -> ServiceResult<TemplateBundle> {
    access::require_permission(principal, Permission::Templates)?;
    let mut templates = Vec::new();
    let rows = app
        .store()
        .templates(&principal.tenant, Keyset::whole())
        .await?;
    for row in rows {
        if let Some(template) = app
            .store()
            .template(&principal.tenant, &row.id, None)
            .await?
        {
            templates.push(Template::clone(&template));
        }
    }
    Ok(TemplateBundle { templates })
}

/// Templates that are to be imported, and what of their text is not in them.
#[derive(Debug)]
pub struct ReadTemplates {
    /// The templates.
    pub bundle: TemplateBundle,
    /// None for a bundle, which is taken as it is.
    pub notes: Vec<ImportNote>,
}

impl From<TemplateBundle> for ReadTemplates {
    fn from(bundle: TemplateBundle) -> Self {
        Self {
            bundle,
            notes: Vec::new(),
        }
    }
}

/// Reads templates from a text or a table. They are in one language; one without a name of its own
/// gets `name`.
///
/// # Errors
/// `PermissionDenied`, or `InvalidRequest` with every line that cannot be taken over.
pub fn read_text(
    app: &App,
    principal: &Principal,
    format: Format,
    bytes: &[u8],
    name: &str,
    language: &str,
) -> ServiceResult<ReadTemplates> {
    access::require_permission(principal, Permission::Templates)?;
    let mut faults = FieldErrors::default();
    faults.language("/Language", Some(language));
    faults.name("/Name", name);
    faults.refuse()?;
    match template_import::read(format, bytes, name, language, app.limits()) {
        Ok(import) => Ok(ReadTemplates {
            bundle: TemplateBundle {
                templates: import.templates,
            },
            notes: import.notes,
        }),
        Err(errors) => Err(ServiceError::fields(
            ProblemCode::InvalidRequest,
            "The file cannot be imported; nothing was changed.",
            errors,
        )),
    }
}

/// Writes each template of the bundle as a draft, or with a dry run only says which there are. All
/// are validated before the first is written.
///
/// # Errors
/// `PermissionDenied`, or `InvalidRequest` with every field error.
pub async fn import(
    app: &App,
    principal: &Principal,
    read: ReadTemplates,
    dry_run: bool,
) -> ServiceResult<ImportedTemplates> {
    access::require_permission(principal, Permission::Templates)?;
    let ReadTemplates { bundle, notes } = read;
    let mut faults = FieldErrors::default();
    faults.batch("/Templates", bundle.templates.len(), IMPORTED);
    for (index, template) in bundle.templates.iter().enumerate() {
        for mut error in check(app, template) {
            error.pointer.insert_str(0, &format!("/Templates/{index}"));
            faults.extend(vec![error]);
        }
        if bundle.templates[..index]
            .iter()
            .any(|other| other.id == template.id)
        {
            faults.say(
                format!("/Templates/{index}/Id"),
                FieldErrorCode::Duplicate,
                "Another template has the same id.",
            );
        }
    }
    faults.refuse()?;
    let ids: BTreeSet<String> = bundle
        .templates
        .iter()
        .map(|template| template.id.clone())
        .collect();
    let drafts = if dry_run {
        bundle.templates
    } else {
        for template in bundle.templates {
            // An import replaces drafts by design, without a precondition.
            let put = app.store().put_draft(
                &principal.tenant,
                template,
                ExpectedState::Anything,
                principal.stamp(app.clock().now()),
                Action::Imported,
            );
            let _ = put.await?;
        }
        Vec::new()
    };
    let rows = app
        .store()
        .templates(&principal.tenant, Keyset::whole())
        .await?;
    Ok(ImportedTemplates {
        dry_run,
        templates: rows
            .into_iter()
            .filter(|row| ids.contains(&row.id))
            .collect(),
        drafts,
        notes,
    })
}

/// Validates a template beyond its schema.
fn check(app: &App, template: &Template) -> Vec<FieldError> {
    let mut faults = template.validate(app.limits());
    if RESERVED.contains(&template.id.as_str()) {
        faults.push(reserved_fault(&template.id));
    }
    if template.id.chars().any(|c| c.is_control()) {
        let detail = "An id holds no control characters.";
        faults.push(FieldError::new("/Id", FieldErrorCode::Invalid, detail));
    }
    faults
}

/// The error for a reserved id.
#[must_use]
pub fn reserved_id(id: &str) -> ServiceError {
    ServiceError::fields(
        ProblemCode::InvalidRequest,
        "Some fields are not valid; nothing was changed.",
        vec![reserved_fault(id)],
    )
}

fn reserved_fault(id: &str) -> FieldError {
    FieldError::new(
        "/Id",
        FieldErrorCode::Invalid,
        format!("'{id}' is an address of its own here; choose another id."),
    )
}

pub(super) fn not_found(id: &str, version: Option<u32>) -> ServiceError {
    let detail = match version {
        Some(version) => format!("There is no version {version} of the template '{id}'."),
        None => format!("There is no template '{id}'."),
    };
    ServiceError::new(ProblemCode::TemplateNotFound, detail)
}
