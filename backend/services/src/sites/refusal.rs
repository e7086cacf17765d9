//! Converts errors of `site_lists` to problems: a code, a sentence, and the site's own message.

use checklist_shared::problem::{FieldError, FieldErrorCode, Problem, ProblemCode, SiteRefusal};
use site_lists::{Column, ErrorKind, ItemQuery, ObjectExpressionParameter, SiteError};

use checklist_store::error::ServiceError;

/// Converts an error.
pub(crate) fn site_refusal(error: &SiteError) -> ServiceError {
    let code = code_of(error.kind());
    let mut problem = Problem::new(code, error.to_string());
    let refusal = SiteRefusal {
        status: error.status(),
        service_code: error.service_code().map(str::to_owned),
        request_id: error.request_id().map(str::to_owned),
        hint: error.hint().map(str::to_owned),
        field: error.field().map(str::to_owned),
        names: error.names().to_vec(),
        e_tag: error.current_etag().map(str::to_owned),
    };
    problem.site = (refusal != SiteRefusal::default()).then(|| Box::new(refusal));
    // Rounded up: a retry a fraction of a second early would be throttled again.
    let retry_after = error.retry_after().map(|time| {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        u32::try_from(seconds.max(1)).unwrap_or(u32::MAX)
    });
    ServiceError {
        problem,
        retry_after: retry_after.or((code == ProblemCode::Throttled).then_some(30)),
        not_applied: None,
    }
}

/// Converts the error of a write, with a pointer to the field. The caller may have used any of the
/// field's names.
pub(super) fn of_fields(
    error: &SiteError,
    fields: &[ObjectExpressionParameter],
    columns: &[Column],
) -> ServiceError {
    let Some(name) = error.field() else {
        return site_refusal(error);
    };
    let is_it = |given: &ObjectExpressionParameter| {
        given.name == name
            || Column::by_name(columns, &given.name)
                .is_ok_and(|column| column.internal_name == name)
    };
    // If a field is given twice, the second one is the duplicate.
    let pointer = fields.iter().rposition(is_it).map(|index| {
        let part = match error.kind() {
            ErrorKind::InvalidValue | ErrorKind::UnknownUser => "Value",
            _ => "Name",
        };
        format!("/Fields/{index}/{part}")
    });
    at_field(error, pointer)
}

/// Converts the error of a query, with a pointer to the part that caused it.
pub(super) fn of_query(error: &SiteError, query: &ItemQuery) -> ServiceError {
    let Some(name) = error.field() else {
        return site_refusal(error);
    };
    let selected = query.select.iter().position(|field| field.trim() == name);
    let of_filter = || match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::UnknownUser => "/Value".to_owned(),
        _ => "/Field".to_owned(),
    };
    let is_filter = query.filter.as_ref().is_some_and(|filter| {
        filter.field == name || matches!(error.kind(), ErrorKind::InvalidValue)
    });
    let pointer = match (name, selected) {
        ("Top" | "After", _) => Some(format!("/{name}")),
        _ if is_filter => Some(of_filter()),
        (_, Some(index)) => Some(format!("/Select/{index}")),
        _ => None,
    };
    at_field(error, pointer)
}

fn at_field(error: &SiteError, pointer: Option<String>) -> ServiceError {
    let concerns_the_caller = matches!(
        error.kind(),
        ErrorKind::AmbiguousField
            | ErrorKind::FieldNotFound
            | ErrorKind::InvalidValue
            | ErrorKind::UnknownUser
            | ErrorKind::UnsupportedFieldType
    );
    let mut refused = site_refusal(error);
    if let Some(pointer) = pointer.filter(|_| concerns_the_caller) {
        let fault = FieldError::new(pointer, FieldErrorCode::Invalid, error.to_string());
        refused.problem = refused.problem.with_errors(vec![fault]);
    }
    refused
}

fn code_of(kind: ErrorKind) -> ProblemCode {
    match kind {
        ErrorKind::InvalidConnection => ProblemCode::InvalidConnection,
        ErrorKind::SignInRefused => ProblemCode::SignInRefused,
        ErrorKind::NotSignedIn => ProblemCode::NotSignedIn,
        ErrorKind::OtherUser => ProblemCode::OtherUser,
        ErrorKind::NeedsSignIn => ProblemCode::ConnectionNeedsSignIn,
        ErrorKind::Forbidden => ProblemCode::SiteForbidden,
        ErrorKind::SiteNotFound => ProblemCode::SiteNotFound,
        ErrorKind::ListNotFound => ProblemCode::ListNotFound,
        ErrorKind::ItemNotFound => ProblemCode::ItemNotFound,
        ErrorKind::FieldNotFound => ProblemCode::FieldNotFound,
        ErrorKind::AmbiguousField => ProblemCode::AmbiguousField,
        ErrorKind::UnsupportedFieldType => ProblemCode::UnsupportedFieldType,
        ErrorKind::InvalidValue => ProblemCode::InvalidValue,
        ErrorKind::UnknownUser => ProblemCode::UnknownUser,
        ErrorKind::Conflict => ProblemCode::SiteConflict,
        ErrorKind::Duplicate => ProblemCode::SiteDuplicate,
        ErrorKind::ListViewThreshold
        | ErrorKind::LookupThreshold
        | ErrorKind::QueryRefused
        | ErrorKind::Rejected => ProblemCode::SiteRejected,
        ErrorKind::NotSupported => ProblemCode::NotSupported,
        ErrorKind::AddressRefused => ProblemCode::AddressRefused,
        ErrorKind::Throttled => ProblemCode::Throttled,
        ErrorKind::TimedOut => ProblemCode::SiteTimedOut,
        ErrorKind::OutcomeUnknown => ProblemCode::OutcomeUnknown,
        // Errors of the site itself, network errors, invalid responses, and kinds that are added
        // later.
        _ => ProblemCode::SiteFailed,
    }
}
