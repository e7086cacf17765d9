//! The examples of the API document: requests and answers as a running demo gave them.
//!
//! `document` puts them to the calls of the same name; the tests hold every one against the type
//! that it is an example of.

use super::document::When;

/// The example of one call.
pub struct Example {
    /// The call's operation id.
    pub operation: &'static str,
    /// A request's body, where it has one.
    pub request: Option<&'static str>,
    /// The answer.
    pub answer: &'static str,
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
    /// One of them.
    pub example: &'static str,
}

macro_rules! read_and_answer {
    ($operation:literal) => {
        Example {
            operation: $operation,
            request: None,
            answer: include_str!(concat!("examples/", $operation, ".answer.json")),
        }
    };
}

macro_rules! ask_and_answer {
    ($operation:literal) => {
        Example {
            operation: $operation,
            request: Some(include_str!(concat!(
                "examples/",
                $operation,
                ".request.json"
            ))),
            answer: include_str!(concat!("examples/", $operation, ".answer.json")),
        }
    };
}

/// A stream's answer stands in its handler's own file: it is no JSON.
const FOLLOW_EVENTS: Example = Example {
    operation: "FollowEvents",
    request: Some(include_str!("examples/FollowEvents.request.json")),
    answer: "",
};

/// One for each call with JSON in it.
pub static EXAMPLES: &[Example] = &[
    ask_and_answer!("EstablishSiteConnection"),
    ask_and_answer!("AddSiteItem"),
    ask_and_answer!("EditSiteItem"),
    ask_and_answer!("DeleteSiteItem"),
    ask_and_answer!("GetSiteItem"),
    ask_and_answer!("GetSiteItems"),
    ask_and_answer!("TestServiceConnection"),
    read_and_answer!("GetSiteLists"),
    read_and_answer!("GetSiteColumns"),
    read_and_answer!("ListServiceConnections"),
    ask_and_answer!("CreateServiceConnection"),
    read_and_answer!("GetServiceConnection"),
    ask_and_answer!("PutServiceConnection"),
    read_and_answer!("ConnectServiceConnection"),
    read_and_answer!("ListServiceCapabilityProviders"),
    read_and_answer!("ListComputers"),
    read_and_answer!("GetComputer"),
    ask_and_answer!("ImportComputers"),
    ask_and_answer!("StartComputerExport"),
    read_and_answer!("ListRuns"),
    read_and_answer!("GetRun"),
    read_and_answer!("CancelRun"),
    read_and_answer!("RetryFailedOfRun"),
    ask_and_answer!("ConfirmRun"),
    read_and_answer!("ListWebhooks"),
    ask_and_answer!("CreateWebhook"),
    read_and_answer!("GetWebhook"),
    ask_and_answer!("PutWebhook"),
    ask_and_answer!("RotateWebhookSecret"),
    read_and_answer!("TestWebhook"),
    read_and_answer!("ListWebhookDeliveries"),
    read_and_answer!("GetWebhookDelivery"),
    read_and_answer!("ReplayWebhookDelivery"),
    read_and_answer!("GetTemplate"),
    ask_and_answer!("GetItems"),
    ask_and_answer!("GetItemHistory"),
    ask_and_answer!("AddItems"),
    ask_and_answer!("UpdateItems"),
    ask_and_answer!("DeleteItems"),
    ask_and_answer!("RestoreItems"),
    ask_and_answer!("RefreshItemsOnTemplateChange"),
    ask_and_answer!("Undo"),
    ask_and_answer!("Lock"),
    FOLLOW_EVENTS,
    ask_and_answer!("Render"),
    read_and_answer!("ListTypes"),
    read_and_answer!("GetType"),
    ask_and_answer!("PutType"),
    read_and_answer!("ListTemplates"),
    read_and_answer!("GetTemplateHistory"),
    read_and_answer!("ExportTemplates"),
    ask_and_answer!("ImportTemplates"),
    read_and_answer!("GetTemplateImpact"),
    ask_and_answer!("PutTemplateDraft"),
    read_and_answer!("PublishTemplate"),
    read_and_answer!("ReadJournal"),
    read_and_answer!("ReadAudit"),
    read_and_answer!("VerifyAudit"),
    read_and_answer!("ListApiKeys"),
    ask_and_answer!("CreateApiKey"),
    read_and_answer!("ListEmbedKeys"),
    ask_and_answer!("PutEmbedKey"),
    read_and_answer!("ListUsers"),
    ask_and_answer!("PutUser"),
    ask_and_answer!("Revoke"),
    ask_and_answer!("MintEmbedToken"),
    read_and_answer!("GetSession"),
    read_and_answer!("DemoSession"),
    ask_and_answer!("OpenAdminLink"),
    ask_and_answer!("UseAdminLink"),
    ask_and_answer!("DemoToken"),
];

macro_rules! problem {
    ($name:literal, $status:literal, $when:ident, $about:literal) => {
        SharedProblem {
            name: $name,
            status: $status,
            when: When::$when,
            about: $about,
            example: include_str!(concat!("examples/problem.", $name, ".json")),
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
        OwnPages,
        "`OriginRefused`: for pages of this server only."
    ),
    problem!(
        "ContextNotFound",
        "404",
        Api,
        "`ContextNotFound`, `TemplateNotFound`, `TypeNotFound`, `KeyNotFound`, `ComputerNotFound`, `ConnectionNotFound`, `RunNotFound`, `WebhookNotFound`, `DeliveryNotFound`: there is none, or the token does not cover it."
    ),
    problem!(
        "Locked",
        "409",
        Write,
        "`Locked`, `NotApplied` (no item could be changed, or not all of an `Atomic` request; with `Results` and `Revision`), `RevisionMismatch`, `CannotUndo`, `TemplatePublished`, `KeyRevoked`, `LastAdministrator`, `RunInProgress`, `RunChanged`, `WebhookChanged`: nothing changed."
    ),
    problem!(
        "ConnectionNeedsSignIn",
        "409",
        SiteAnswer,
        "`ConnectionNeedsSignIn`: its owner has to sign in with the provider first. `VaultMissing`: this server keeps no secrets."
    ),
    problem!(
        "NoIdentityProvider",
        "404",
        SignIn,
        "`NotFound`: this server has no identity provider."
    ),
    problem!(
        "TemplateChanged",
        "412",
        Template,
        "`TemplateChanged`: it is not as `If-Match` or `If-None-Match` says; nothing changed."
    ),
    problem!(
        "TypeChanged",
        "412",
        PlatformType,
        "`TypeChanged`: it is not as `If-Match` or `If-None-Match` says; nothing changed."
    ),
    problem!(
        "ConnectionChanged",
        "412",
        Connection,
        "`ConnectionChanged`: it is not as `If-Match` or `Revision` says; nothing changed."
    ),
    problem!(
        "SiteConflict",
        "412",
        SiteItem,
        "`SiteConflict`: the item was changed on the site since it was read."
    ),
    problem!(
        "BodyTooLarge",
        "413",
        Body,
        "`BodyTooLarge`: more than 1 MiB; 8 MiB for `ImportComputers`."
    ),
    problem!(
        "UnsupportedMediaType",
        "415",
        Body,
        "`UnsupportedMediaType`: the body has to be `application/json`; `text/csv` is for `ImportComputers` alone. `UnsupportedContentCoding`: it came with a `Content-Encoding`, of which none is taken."
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
        Site,
        "`SignInRefused`: the site does not take the credentials. `NotSignedIn`: it answers anybody, and knows the caller as nobody. `OtherUser`: it takes the caller for somebody else than the connection names. `SiteForbidden`: it knows the caller, and does not allow this."
    ),
    problem!(
        "TooManyRequests",
        "429",
        Counted,
        "`TooManyRequests`: repeat after `Retry-After` seconds. `Throttled`: the site asks for the same."
    ),
    problem!(
        "SiteFailed",
        "502",
        Site,
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
        Site,
        "`SiteTimedOut`: the site did not answer in time, and nothing was changed there. `OutcomeUnknown`: it may have been."
    ),
    problem!(
        "StorageFull",
        "507",
        Write,
        "`StorageFull`: the disk is full; reading goes on."
    ),
];
