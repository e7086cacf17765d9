//! Who may call what: the checks that every service begins with.
//!
//! A context that the credential does not cover is answered like one that does not exist, so that
//! nobody learns what there is.

use checklist_shared::context::Context;
use checklist_shared::language_tag;
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::text::{is_blank, trimmed};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;

use crate::auth::claims::MOST_CONTEXTS;
use crate::auth::{ContextScope, Principal};
use crate::config::BaseUrl;
use crate::error::{ServiceError, ServiceResult};

/// Refuses a caller without the permission.
pub(super) fn need(principal: &Principal, permission: Permission) -> ServiceResult<()> {
    need_any(principal, &[permission])
}

/// Refuses a caller that has none of the permissions.
pub(super) fn need_any(principal: &Principal, permissions: &[Permission]) -> ServiceResult<()> {
    if permissions
        .iter()
        .any(|permission| principal.may(*permission))
    {
        return Ok(());
    }
    let names: Vec<&str> = permissions
        .iter()
        .map(|permission| permission.name())
        .collect();
    Err(ServiceError::new(
        ProblemCode::PermissionDenied,
        format!("This call needs the permission {}.", names.join(" or ")),
    ))
}

/// Refuses everybody but administrators of the whole tenant: whoever may sign in is decided here.
pub(super) fn need_admin(principal: &Principal) -> ServiceResult<()> {
    need(principal, Permission::Admin)?;
    if principal.contexts == ContextScope::Any {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::PermissionDenied,
        "This call needs a credential for all lists of the tenant.",
    ))
}

/// The same for a set of permissions, all of which are needed.
pub(super) fn need_all(principal: &Principal, permissions: Permissions) -> ServiceResult<()> {
    permissions
        .iter()
        .try_for_each(|permission| need(principal, permission))
}

/// Refuses a context that is malformed or not the caller's. `pointer` is where it stands.
pub(super) fn covered(
    principal: &Principal,
    context: &Context,
    pointer: &str,
) -> ServiceResult<()> {
    if let Err(error) = context.validate() {
        let at = format!("{pointer}/{}", error.field);
        let detail = format!("{} {}.", error.field, error.reason);
        let errors = vec![FieldError::new(at, FieldErrorCode::Invalid, detail)];
        return Err(ServiceError::fields(
            ProblemCode::InvalidRequest,
            "The context is not valid.",
            errors,
        ));
    }
    if principal.contexts.covers(context) {
        Ok(())
    } else {
        Err(ServiceError::new(
            ProblemCode::ContextNotFound,
            "There is no such checklist for this caller.",
        ))
    }
}

/// How many rows a page has, see [`FieldErrors::page_size`].
///
/// # Errors
/// `InvalidRequest` for a number that is none of a page.
pub(super) fn page_size(limit: Option<u32>, usual: u32, most: u32) -> ServiceResult<u32> {
    let mut faults = FieldErrors::default();
    let limit = faults.page_size(limit, usual, most);
    faults.refuse()?;
    Ok(limit)
}

/// Refuses a language that is asked for with a text that is no language tag.
///
/// # Errors
/// `InvalidRequest` at `/Language`.
pub fn check_language(tag: Option<&str>) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.language("/Language", tag);
    faults.refuse()
}

/// The origin that a text names, as browsers write it.
pub(super) fn origin_of(text: &str) -> Option<String> {
    let base: BaseUrl = text.parse().ok()?;
    let plain = base.path().is_empty() && !text.contains('*');
    (plain && (base.is_https() || base.is_loopback())).then(|| base.origin().to_owned())
}

/// Collects what is wrong with the fields of a request, to tell it all at once.
#[derive(Default)]
pub(super) struct FieldErrors(Vec<FieldError>);

impl FieldErrors {
    pub(super) fn say(
        &mut self,
        pointer: impl Into<String>,
        code: FieldErrorCode,
        detail: impl Into<String>,
    ) {
        self.0.push(FieldError::new(pointer, code, detail));
    }

    /// What is wrong with a field, by its code.
    pub(super) fn phrase(
        &mut self,
        pointer: impl Into<String>,
        code: FieldErrorCode,
        phrase: PhraseCode,
    ) {
        let said = FieldError::said(pointer, code, Phrase::of(phrase));
        self.0.push(said);
    }

    /// A text that is too long, counted as it would be stored.
    pub(super) fn length(
        &mut self,
        pointer: impl FnOnce() -> String,
        text: Option<&str>,
        limit: usize,
    ) {
        if text.is_some_and(|text| text.len() > limit && trimmed(text).chars().count() > limit) {
            self.say(
                pointer(),
                FieldErrorCode::LimitExceeded,
                format!("At most {limit} characters."),
            );
        }
    }

    /// A batch that is empty or too large.
    pub(super) fn batch(&mut self, pointer: &str, count: usize, limit: usize) {
        if count == 0 {
            self.say(pointer, FieldErrorCode::Required, "Name at least one.");
        } else if count > limit {
            self.say(
                pointer,
                FieldErrorCode::LimitExceeded,
                format!("At most {limit} in one request."),
            );
        }
    }

    /// How many rows a page has: as many as asked for, 1 to `most`, else `usual`.
    pub(super) fn page_size(&mut self, limit: Option<u32>, usual: u32, most: u32) -> u32 {
        let limit = limit.unwrap_or(usual);
        if !(1..=most).contains(&limit) {
            self.say(
                "/Limit",
                FieldErrorCode::Invalid,
                format!("A number from 1 to {most}."),
            );
        }
        limit
    }

    /// A language that is asked for; the empty text asks for none.
    pub(super) fn language(&mut self, pointer: &str, tag: Option<&str>) {
        if tag.is_some_and(|tag| !tag.is_empty() && !language_tag::is_language_tag(tag)) {
            self.say(pointer, FieldErrorCode::Invalid, language_tag::EXPECTED);
        }
    }

    /// An operation id that is empty, too long, or holds control characters.
    pub(super) fn operation_id(&mut self, pointer: &str, id: Option<&str>) {
        let Some(id) = id else { return };
        let length = id.chars().count();
        if length == 0 || length > 200 || id.chars().any(char::is_control) {
            self.say(
                pointer,
                FieldErrorCode::Invalid,
                "1 to 200 characters without control characters.",
            );
        }
    }

    /// A name or an id: 1 to 200 characters without control characters.
    pub(super) fn name(&mut self, pointer: &str, text: &str) {
        let length = text.chars().count();
        let fits = (1..=Limits::IDENTIFIER).contains(&length) && !is_blank(text);
        if !fits || text.chars().any(char::is_control) {
            self.say(
                pointer,
                FieldErrorCode::Invalid,
                "1 to 200 characters without control characters.",
            );
        }
    }

    /// The contexts of a credential.
    pub(super) fn contexts(&mut self, pointer: &str, contexts: &[TokenContext]) {
        if contexts.len() > MOST_CONTEXTS {
            self.say(
                pointer,
                FieldErrorCode::LimitExceeded,
                format!("At most {MOST_CONTEXTS} contexts."),
            );
            return;
        }
        for (index, context) in contexts.iter().enumerate() {
            self.name(
                &format!("{pointer}/{index}/ObjectType"),
                &context.object_type,
            );
            self.name(&format!("{pointer}/{index}/ObjectId"), &context.object_id);
            if !context.purpose.is_empty() {
                self.name(&format!("{pointer}/{index}/Purpose"), &context.purpose);
            }
        }
    }

    /// An end that has to be yet to come.
    pub(super) fn end(&mut self, pointer: &str, end: Option<Timestamp>, now: Timestamp) {
        if end.is_some_and(|end| end <= now) {
            self.say(pointer, FieldErrorCode::Invalid, "This time has passed.");
        }
    }

    /// The origin of a page: a scheme, a host, and a port where it is not the usual one.
    pub(super) fn origin(&mut self, pointer: &str, text: &str) {
        if origin_of(text).is_none() {
            self.say(
                pointer,
                FieldErrorCode::Invalid,
                "An origin such as https://host.example; http on this machine only, and no star.",
            );
        }
    }

    /// Adds what was found elsewhere.
    pub(super) fn extend(&mut self, errors: Vec<FieldError>) {
        self.0.extend(errors);
    }

    /// The refusal, if anything is wrong. Over a limit alone is `LimitExceeded`.
    pub(super) fn refuse(self) -> ServiceResult<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let limits_alone = self
            .0
            .iter()
            .all(|error| error.code == FieldErrorCode::LimitExceeded);
        let (code, detail) = if limits_alone {
            (
                ProblemCode::LimitExceeded,
                "A limit is exceeded; nothing was changed.",
            )
        } else {
            (
                ProblemCode::InvalidRequest,
                "Some fields are not valid; nothing was changed.",
            )
        };
        Err(ServiceError::fields(code, detail, self.0))
    }
}
