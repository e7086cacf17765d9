//! What a site has refused, as our callers are told: a code to decide by, the sentence, and what
//! the site itself said.
//!
//! Called wherever `site_lists` gives an error.

use checklist_shared::problem::{Problem, ProblemCode, SiteRefusal};
use site_lists::{ErrorKind, SiteError};

use crate::error::ServiceError;

/// The refusal.
pub(in crate::services) fn refused(error: &SiteError) -> ServiceError {
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
    // Rounded up: who comes a part of a second early is sent away once more.
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
        // Unreachable, an answer that nobody understands, and whatever comes later.
        _ => ProblemCode::SiteFailed,
    }
}
