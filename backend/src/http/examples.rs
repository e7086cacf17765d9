//! The examples of the API document: requests and responses recorded from a running demo.
//!
//! `document` adds them to the calls by operation id. Tests check each one against its type.

/// An example of a call.
pub struct Example {
    /// The call's operation id.
    pub operation: &'static str,
    /// What distinguishes it from the call's other examples; `Default` for the first.
    pub name: &'static str,
    /// A request's body, where it has one.
    pub request: Option<&'static str>,
    /// The answer; none where it is a stream, whose example stands at its handler.
    pub answer: Option<&'static str>,
    /// The answer with status 202 of a call that also answers with 200.
    pub accepted: Option<&'static str>,
}

/// Which calls answer with a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Every call of the API.
    Api,
    /// Calls with a body.
    Body,
    /// Calls with a body or parameters.
    Checked,
    /// Calls whose handler names it (`problems`).
    Named,
}

/// A problem that calls share.
pub struct SharedProblem {
    /// Its name in the document.
    pub name: &'static str,
    /// The status.
    pub status: &'static str,
    /// Which calls answer with it.
    pub when: When,
    /// When it happens.
    pub about: &'static str,
    /// One of them for each code that is shown, by the code; the problem of this name first.
    pub examples: &'static [(&'static str, &'static str)],
}

// `EXAMPLES`, made by the build script from the files in `examples`: `AddItems.request.json` and
// `AddItems.answer.json`, `UpdateItems.Answers.request.json` for a further one with its name, and
// `ApplyTemplate.Run.accepted.json` for an answer with status 202 beside one with 200.
include!(concat!(env!("OUT_DIR"), "/examples.rs"));

macro_rules! problem {
    ($name:literal, $status:literal, $when:ident, $about:literal $(, $more:literal)*) => {
        SharedProblem {
            name: $name,
            status: $status,
            when: When::$when,
            about: $about,
            examples: &[
                ($name, include_str!(concat!("examples/problem.", $name, ".json"))),
                $(($more, include_str!(concat!("examples/problem.", $more, ".json")))),*
            ],
        }
    };
}

/// The problems, by status.
pub static PROBLEMS: &[SharedProblem] = &[
    problem!(
        "MalformedJson",
        "400",
        Body,
        "`MalformedJson`: the body is not JSON. `MalformedRequest`: the head names two hosts."
    ),
    problem!(
        "Unauthenticated",
        "401",
        Api,
        "`Unauthenticated` without a valid token, `TokenExpired` when it has ended."
    ),
    problem!(
        "PermissionDenied",
        "403",
        Api,
        "`PermissionDenied`: the token does not allow it. `OriginRefused`: it is for another page."
    ),
    problem!(
        "OriginRefused",
        "403",
        Named,
        "`OriginRefused`: for pages of this server only."
    ),
    problem!(
        "ContextNotFound",
        "404",
        Api,
        "`ContextNotFound`, `TemplateNotFound`, `TypeNotFound`, `KeyNotFound`, `UserNotFound`, `ComputerNotFound`, `ConnectionNotFound`, `RunNotFound`, `WebhookNotFound`, `DeliveryNotFound`, `CheckpointNotFound`: there is none, or the token does not cover it."
    ),
    problem!(
        "Locked",
        "409",
        Named,
        "`Locked`, `NotApplied` (no item could be changed, or not all of an `Atomic` request; with `Results` and `Revision`), `RevisionMismatch`, `CannotUndo`, `CannotWaive`, `InUse`, `TemplatePublished`, `TemplateRetired`, `KeyRevoked`, `LastAdministrator`, `RunInProgress`, `RunChanged`, `WebhookChanged`: nothing changed.",
        "NotApplied",
        "InUse",
        "RunChanged",
        "TemplateRetired"
    ),
    problem!(
        "ConnectionNeedsSignIn",
        "409",
        Named,
        "`ConnectionNeedsSignIn`: its owner has to sign in with the provider first. `VaultMissing`: this server keeps no secrets."
    ),
    problem!(
        "NoIdentityProvider",
        "404",
        Named,
        "`NotFound`: this server has no identity provider."
    ),
    problem!(
        "TemplateChanged",
        "412",
        Named,
        "`TemplateChanged`: it is not as `If-Match` or `If-None-Match` says; nothing changed."
    ),
    problem!(
        "TypeChanged",
        "412",
        Named,
        "`TypeChanged`: it is not as `If-Match` or `If-None-Match` says; nothing changed."
    ),
    problem!(
        "ConnectionChanged",
        "412",
        Named,
        "`ConnectionChanged`: it is not as `If-Match` or `Revision` says; nothing changed."
    ),
    problem!(
        "SiteConflict",
        "412",
        Named,
        "`SiteConflict`: the item was changed on the site since it was read."
    ),
    problem!(
        "BodyTooLarge",
        "413",
        Body,
        "`BodyTooLarge`: more than 1 MiB; 8 MiB for `ImportComputers` and `ApplyTemplate`."
    ),
    problem!(
        "UnsupportedMediaType",
        "415",
        Body,
        "`UnsupportedMediaType`: the body has to be `application/json`; `text/csv` is for `ImportComputers` and `ImportTemplates` alone, `text/markdown` and `text/plain` are for the latter. `UnsupportedContentCoding`: it came with a `Content-Encoding`, of which none is taken."
    ),
    problem!(
        "InvalidRequest",
        "422",
        Checked,
        "`InvalidRequest` with `Errors`, `LimitExceeded`, `OperationIdReused`: nothing changed."
    ),
    problem!(
        "SiteForbidden",
        "424",
        Named,
        "`SignInRefused`: the site does not take the credentials. `NotSignedIn`: it answers anybody, and knows the caller as nobody. `OtherUser`: it takes the caller for somebody else than the connection names. `SiteForbidden`: it knows the caller, and does not allow this."
    ),
    problem!(
        "TooManyRequests",
        "429",
        Api,
        "`TooManyRequests`: repeat after `Retry-After` seconds. `Throttled`: the site asks for the same."
    ),
    problem!(
        "SiteFailed",
        "502",
        Named,
        "`SiteFailed`: the site, or its authorization server, does not answer as it should."
    ),
    problem!(
        "Busy",
        "503",
        Api,
        "`Busy`: at its limit; repeat after `Retry-After` seconds."
    ),
    problem!(
        "SiteTimedOut",
        "504",
        Named,
        "`SiteTimedOut`: the site did not answer in time, and nothing was changed there. `OutcomeUnknown`: it may have been."
    ),
    problem!(
        "StorageFull",
        "507",
        Named,
        "`StorageFull`: the disk is full; reading goes on."
    ),
];
