//! Authorization and validation that every service starts with.
//!
//! A context outside the credential's scope gets the same answer as one that does not exist, so a
//! caller cannot probe for existing lists.

use checklist_auth::claims::MOST_CONTEXTS;
use checklist_auth::{Credential, Principal};
use checklist_shared::assignee::Assignee;
use checklist_shared::context::Context;
use checklist_shared::facts::Facts;
use checklist_shared::language_tag;
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::text::{is_blank, trimmed};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;
use checklist_shared::wire::find::ItemFilter;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::scope::ContextScope;

use crate::base_url::BaseUrl;

/// Fails with `PermissionDenied` unless the caller has the permission.
pub(super) fn require_permission(
    principal: &Principal,
    permission: Permission,
) -> ServiceResult<()> {
    need_any(principal, &[permission])
}

/// Fails with `PermissionDenied` unless the caller has at least one of the permissions.
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

/// Fails unless the caller administers the whole tenant. Guards everything that decides who may
/// sign in.
pub(super) fn need_admin(principal: &Principal) -> ServiceResult<()> {
    require_permission(principal, Permission::Admin)?;
    if principal.contexts == ContextScope::Any {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::PermissionDenied,
        "This call needs a credential for all lists of the tenant.",
    ))
}

/// Fails for every embed token, whatever its permissions: it ends before what it begins does.
pub(super) fn refuse_embed_token(principal: &Principal) -> ServiceResult<()> {
    if matches!(principal.credential, Credential::EmbedToken { .. }) {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "This is not for embed tokens; use an API key, a token of the identity provider or a session.",
        ));
    }
    Ok(())
}

/// Fails with `PermissionDenied` unless the caller has all of the permissions.
pub(super) fn need_all(principal: &Principal, permissions: Permissions) -> ServiceResult<()> {
    permissions
        .iter()
        .try_for_each(|permission| require_permission(principal, permission))
}

/// Fails if the context is malformed, has facts that the credential may not bring, or is outside the
/// credential's scope. `pointer` locates it in the request.
pub(super) fn require_context(
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
    if let Some(facts) = &context.facts {
        let mut faults = FieldErrors::default();
        let pointer = format!("{pointer}/Facts");
        if matches!(principal.credential, Credential::EmbedToken { .. }) {
            let detail = "Facts come from the embed token and cannot be sent in the request.";
            return Err(ServiceError::fields(
                ProblemCode::PermissionDenied,
                "A page cannot set facts.",
                vec![FieldError::new(pointer, FieldErrorCode::Invalid, detail)],
            ));
        }
        faults.facts(&pointer, facts);
        faults.refuse()?;
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

/// The answer to a caller whose `If-Match` names an older state, and who may `action` it all the
/// same.
pub(super) fn changed_since_read(code: ProblemCode, action: &str) -> ServiceError {
    let detail = format!(
        "It is not as it was when you read it; read it again, or {action} it without If-Match."
    );
    ServiceError::new(code, detail)
}

/// Validates a page size, see [`FieldErrors::page_size`].
///
/// # Errors
/// `InvalidRequest` if it is out of range.
pub(super) fn page_size(limit: Option<u32>, usual: u32, most: u32) -> ServiceResult<u32> {
    let mut faults = FieldErrors::default();
    let limit = faults.page_size(limit, usual, most);
    faults.refuse()?;
    Ok(limit)
}

/// Fails if the requested language is not a language tag. The empty text requests none.
///
/// # Errors
/// `InvalidRequest` at `/Language`.
pub fn check_language(tag: Option<&str>) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.language("/Language", tag);
    faults.refuse()
}

/// Checks facts that a call brings in its parameter `Facts`.
///
/// # Errors
/// A list could not have them.
pub fn check_facts(facts: &Facts) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.facts("/Facts", facts);
    faults.refuse()
}

/// The serialized origin of a URL without a path: `https`, or `http` on a loopback address.
pub(super) fn origin_of(text: &str) -> Option<String> {
    let base: BaseUrl = text.parse().ok()?;
    let plain = base.path().is_empty() && !text.contains('*');
    (plain && (base.is_https() || base.is_loopback())).then(|| base.origin().to_owned())
}

/// Collects the field errors of a request, so that one response reports all of them.
#[derive(Default)]
pub(super) struct FieldErrors(Vec<FieldError>);

impl FieldErrors {
    /// Those of the fields that every writing call has.
    pub(super) fn of_call(operation_id: Option<&str>, language: Option<&str>) -> Self {
        let mut errors = Self::default();
        errors.operation_id("/OperationId", operation_id);
        errors.language("/Language", language);
        errors
    }

    pub(super) fn say(
        &mut self,
        pointer: impl Into<String>,
        code: FieldErrorCode,
        detail: impl Into<String>,
    ) {
        self.0.push(FieldError::new(pointer, code, detail));
    }

    /// Adds an error whose message is looked up by code.
    pub(super) fn phrase(
        &mut self,
        pointer: impl Into<String>,
        code: FieldErrorCode,
        phrase: PhraseCode,
    ) {
        let said = FieldError::said(pointer, code, Phrase::of(phrase));
        self.0.push(said);
    }

    /// Checks the length of a text, counted as the store counts it.
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

    /// Checks a reason that has to be there, and says what it is for where it is not.
    pub(super) fn reason(&mut self, reason: &str, missing: &str, limit: usize) {
        if is_blank(reason) {
            self.say("/Reason", FieldErrorCode::Required, missing);
        }
        self.length(|| "/Reason".to_owned(), Some(reason), limit);
    }

    /// A name belongs to an id; an empty text names nobody, which is permitted.
    pub(super) fn assignee(&mut self, pointer: impl Fn() -> String, assignee: Option<&Assignee>) {
        if assignee.is_some_and(|who| who.tidy().is_none() && !is_blank(&who.name)) {
            let detail = "The id of the person, such as the sub of their tokens.";
            self.say(pointer(), FieldErrorCode::Required, detail);
        }
        if assignee.is_some_and(|who| trimmed(&who.id) == ItemFilter::ME) {
            let detail =
                "“Me” is whoever asks. Send the id of the person, such as the sub of their tokens.";
            self.say(pointer(), FieldErrorCode::Invalid, detail);
        }
    }

    /// Checks that a batch is neither empty nor larger than `limit`.
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

    /// Checks the page size: 1 to `most`, `usual` if absent.
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

    /// Checks a language tag. The empty text requests no language.
    pub(super) fn language(&mut self, pointer: &str, tag: Option<&str>) {
        if tag.is_some_and(|tag| !tag.is_empty() && !language_tag::is_language_tag(tag)) {
            self.say(pointer, FieldErrorCode::Invalid, language_tag::EXPECTED);
        }
    }

    /// Checks an operation id: 1 to 200 characters without control characters.
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

    /// Checks a name or an id: 1 to 200 characters without control characters, not blank.
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

    /// Checks facts.
    pub(super) fn facts(&mut self, pointer: &str, facts: &Facts) {
        for (name, code, detail) in facts.faults() {
            let at = match name {
                None => pointer.to_owned(),
                Some(name) => format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
            };
            self.say(at, code, detail);
        }
    }

    /// Refuses facts in contexts that outlast the state of their objects.
    pub(super) fn no_facts(&mut self, pointer: &str, contexts: &[TokenContext]) {
        let with_facts = contexts.iter().enumerate();
        for (index, _) in with_facts.filter(|(_, context)| context.facts.is_some()) {
            let detail = "Facts come with a token or a request; a key has none.";
            let at = format!("{pointer}/{index}/Facts");
            self.say(at, FieldErrorCode::Invalid, detail);
        }
    }

    /// Checks the contexts that a credential covers.
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
            if let Some(template) = &context.template_id {
                self.name(&format!("{pointer}/{index}/TemplateId"), template);
            }
            if let Some(facts) = &context.facts {
                self.facts(&format!("{pointer}/{index}/Facts"), facts);
            }
        }
    }

    /// Checks that an expiry is in the future.
    pub(super) fn end(&mut self, pointer: &str, end: Option<Timestamp>, now: Timestamp) {
        if end.is_some_and(|end| end <= now) {
            self.say(pointer, FieldErrorCode::Invalid, "This time has passed.");
        }
    }

    /// Checks an origin, see [`origin_of`].
    pub(super) fn origin(&mut self, pointer: &str, text: &str) {
        if origin_of(text).is_none() {
            self.say(
                pointer,
                FieldErrorCode::Invalid,
                "An origin such as https://host.example; http on this machine only, and no star.",
            );
        }
    }

    pub(super) fn extend(&mut self, errors: Vec<FieldError>) {
        self.0.extend(errors);
    }

    /// Fails if there are any errors: `LimitExceeded` if all of them are about limits, else
    /// `InvalidRequest`.
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
