//! Why a request as a whole was refused: the codes, each with its HTTP status and its title.
//!
//! Programs read the codes, so one that was released keeps its name and its status.

use serde::{Deserialize, Serialize};

use crate::names::names;

names! {
    /// Why a request as a whole was refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    #[non_exhaustive]
    pub enum ProblemCode {
        /// The body is not JSON.
        MalformedJson,
        /// The head of the request is not one that HTTP allows.
        MalformedRequest,
        /// A field is missing, of the wrong type or unknown.
        InvalidRequest,
        /// The body is not declared as JSON.
        UnsupportedMediaType,
        /// The body comes in a content coding (RFC 7694), and none is taken.
        UnsupportedContentCoding,
        /// The body is larger than allowed.
        BodyTooLarge,
        /// There is no such route.
        NotFound,
        /// The route does not know this method.
        MethodNotAllowed,
        /// No credential, or one that is not valid.
        Unauthenticated,
        /// The credential is valid but ended.
        TokenExpired,
        /// The caller lacks the permission.
        PermissionDenied,
        /// The context is not covered by the caller's token, or there is no such context.
        ContextNotFound,
        /// There is no such template, or no such version of it.
        TemplateNotFound,
        /// There is no such type.
        TypeNotFound,
        /// There is no such key.
        KeyNotFound,
        /// The tenant has no such person.
        UserNotFound,
        /// The tenant has no such service connection, or the handle has ended.
        ConnectionNotFound,
        /// The inventory has no such computer.
        ComputerNotFound,
        /// The name belongs to another service connection.
        NameTaken,
        /// The service connection has another revision than expected; nothing changed.
        ConnectionChanged,
        /// A person has to sign in with the provider before the connection can be used.
        ConnectionNeedsSignIn,
        /// The server has no vault for what authenticates.
        VaultMissing,
        /// The tenant has no such webhook.
        WebhookNotFound,
        /// The webhook has another revision than expected; nothing changed.
        WebhookChanged,
        /// No checkpoint of the audit trail was signed yet.
        CheckpointNotFound,
        /// The tenant has no such delivery, or it is so old that it was removed.
        DeliveryNotFound,
        /// A run lasts longer than credentials or handles; name a service connection.
        ConnectionNotDurable,
        /// The tenant has no such run.
        RunNotFound,
        /// The list has a run that has not ended; `Run` names it.
        RunInProgress,
        /// The run is not in a state for this, or has changed since it was looked at.
        RunChanged,
        /// The list has no column that can hold keys, and none can be made.
        KeyColumnMissing,
        /// The name belongs to a key that was revoked, which never comes back.
        KeyRevoked,
        /// The tenant would be left without an administrator; nothing changed.
        LastAdministrator,
        /// Others need it; nothing was deleted.
        InUse,
        /// A published version never changes.
        TemplatePublished,
        /// No new list is begun from the template, and none is moved to it.
        TemplateRetired,
        /// The template is no longer the one that the writer has seen; nothing changed.
        TemplateChanged,
        /// The type is no longer the one that the writer has seen; nothing changed.
        TypeChanged,
        /// What is stored of the list's type cannot be read; an administrator has to write it anew.
        TypeUnreadable,
        /// A limit would be exceeded; nothing changed.
        LimitExceeded,
        /// The list is locked.
        Locked,
        /// No item can be changed, or not every item of an atomic request; nothing changed.
        NotApplied,
        /// The list has another revision than expected; nothing changed.
        RevisionMismatch,
        /// The operation cannot be taken back.
        CannotUndo,
        /// The list cannot be waived, or has no waiver that could be revoked; nothing changed.
        CannotWaive,
        /// The operation id was used for another body.
        OperationIdReused,
        /// The host, origin or site of the request is not accepted here.
        OriginRefused,
        /// Too many requests.
        TooManyRequests,
        /// The connection's own data cannot be used.
        InvalidConnection,
        /// The address of the site may not be asked.
        AddressRefused,
        /// The site does not take the credentials. They were tried once.
        SignInRefused,
        /// The site answers anybody and knows the caller as nobody; nothing was written.
        NotSignedIn,
        /// The site knows the caller as somebody else than the connection names; nothing was written.
        OtherUser,
        /// Signed in on the site, and not allowed to do this there.
        SiteForbidden,
        /// There is no such site.
        SiteNotFound,
        /// The site has no such list.
        ListNotFound,
        /// The list has no such item.
        ItemNotFound,
        /// The list has no such column.
        FieldNotFound,
        /// More than one column goes by that name.
        AmbiguousField,
        /// Columns of this type cannot be written; nothing was sent.
        UnsupportedFieldType,
        /// A value does not fit its column; nothing was sent.
        InvalidValue,
        /// Users or groups that the site does not know; nothing was sent.
        UnknownUser,
        /// The item was changed on the site since it was read.
        SiteConflict,
        /// Another item of the list holds a value that has to be unique.
        SiteDuplicate,
        /// The site does not take the request, for a reason of its own.
        SiteRejected,
        /// The protocol cannot do it.
        NotSupported,
        /// The site asks to be left alone for longer than the call may last.
        Throttled,
        /// The site did not answer in time, and nothing was changed there.
        SiteTimedOut,
        /// The request went out and its answer was lost: it may or may not have been carried out.
        OutcomeUnknown,
        /// A site, or its authorization server, does not answer as it should.
        SiteFailed,
        /// The server is at its limit; try again.
        Busy,
        /// The disk is full; reading goes on.
        StorageFull,
        /// Something broke that is not the caller's fault.
        Internal,
    }
}

impl ProblemCode {
    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::MalformedJson | Self::MalformedRequest => 400,
            Self::Unauthenticated | Self::TokenExpired => 401,
            Self::PermissionDenied | Self::OriginRefused => 403,
            Self::NotFound
            | Self::ContextNotFound
            | Self::TemplateNotFound
            | Self::TypeNotFound
            | Self::KeyNotFound
            | Self::UserNotFound
            | Self::ConnectionNotFound
            | Self::ComputerNotFound
            | Self::RunNotFound
            | Self::WebhookNotFound
            | Self::CheckpointNotFound
            | Self::DeliveryNotFound
            | Self::SiteNotFound
            | Self::ListNotFound
            | Self::ItemNotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::TemplatePublished
            | Self::TemplateRetired
            | Self::InUse
            | Self::KeyRevoked
            | Self::LastAdministrator
            | Self::Locked
            | Self::NotApplied
            | Self::RevisionMismatch
            | Self::CannotUndo
            | Self::CannotWaive
            | Self::NameTaken
            | Self::WebhookChanged
            | Self::ConnectionNeedsSignIn
            | Self::VaultMissing
            | Self::RunInProgress
            | Self::RunChanged
            | Self::SiteDuplicate => 409,
            Self::TemplateChanged
            | Self::TypeChanged
            | Self::ConnectionChanged
            | Self::SiteConflict => 412,
            Self::BodyTooLarge => 413,
            Self::UnsupportedMediaType | Self::UnsupportedContentCoding => 415,
            Self::InvalidRequest
            | Self::LimitExceeded
            | Self::OperationIdReused
            | Self::InvalidConnection
            | Self::ConnectionNotDurable
            | Self::KeyColumnMissing
            | Self::AddressRefused
            | Self::FieldNotFound
            | Self::AmbiguousField
            | Self::UnsupportedFieldType
            | Self::InvalidValue
            | Self::UnknownUser
            | Self::SiteRejected
            | Self::NotSupported => 422,
            Self::SignInRefused | Self::NotSignedIn | Self::OtherUser | Self::SiteForbidden => 424,
            Self::TooManyRequests | Self::Throttled => 429,
            Self::Internal | Self::TypeUnreadable => 500,
            Self::SiteFailed => 502,
            Self::SiteTimedOut | Self::OutcomeUnknown => 504,
            Self::Busy => 503,
            Self::StorageFull => 507,
        }
    }

    /// A short title for people, the same for every occurrence.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::MalformedJson => "The body is not valid JSON",
            Self::MalformedRequest => "The request is not valid HTTP",
            Self::InvalidRequest => "The request is not valid",
            Self::UnsupportedMediaType => "The body has to be JSON",
            Self::UnsupportedContentCoding => "The body has to come as it is, not compressed",
            Self::BodyTooLarge => "The body is too large",
            Self::NotFound => "There is nothing at this address",
            Self::MethodNotAllowed => "This address does not take this method",
            Self::Unauthenticated => "Sign-in is needed",
            Self::TokenExpired => "The token has expired",
            Self::PermissionDenied => "The permission is missing",
            Self::ContextNotFound => "There is no such checklist",
            Self::TemplateNotFound => "There is no such template",
            Self::TypeNotFound => "There is no such type",
            Self::KeyNotFound => "There is no such key",
            Self::UserNotFound => "There is no such person",
            Self::ConnectionNotFound => "There is no such connection",
            Self::ComputerNotFound => "There is no such computer",
            Self::NameTaken => "The name is taken",
            Self::ConnectionChanged => "The connection has changed meanwhile",
            Self::ConnectionNeedsSignIn => "Somebody has to sign in first",
            Self::VaultMissing => "Secrets cannot be kept here",
            Self::WebhookNotFound => "There is no such webhook",
            Self::CheckpointNotFound => "There is no checkpoint yet",
            Self::WebhookChanged => "The webhook has changed meanwhile",
            Self::DeliveryNotFound => "There is no such delivery",
            Self::ConnectionNotDurable => "The connection does not last",
            Self::RunNotFound => "There is no such run",
            Self::RunInProgress => "The list has a run already",
            Self::RunChanged => "The run has changed meanwhile",
            Self::KeyColumnMissing => "The list has no column for keys",
            Self::KeyRevoked => "A revoked key never comes back",
            Self::LastAdministrator => "The last administrator stays one",
            Self::InUse => "It is in use",
            Self::TemplatePublished => "A published version never changes",
            Self::TemplateRetired => "The template is retired",
            Self::TemplateChanged => "Somebody else has changed the template meanwhile",
            Self::TypeChanged => "Somebody else has changed the type meanwhile",
            Self::TypeUnreadable => "The type cannot be read",
            Self::LimitExceeded => "A limit would be exceeded",
            Self::Locked => "The checklist is locked",
            Self::NotApplied => "The request was not applied",
            Self::RevisionMismatch => "The checklist has changed meanwhile",
            Self::CannotUndo => "This cannot be undone",
            Self::CannotWaive => "The checklist cannot be waived",
            Self::OperationIdReused => "The operation id belongs to another request",
            Self::OriginRefused => "Requests from there are refused",
            Self::TooManyRequests => "Too many requests",
            Self::InvalidConnection => "The connection cannot be used",
            Self::AddressRefused => "The address may not be asked",
            Self::SignInRefused => "The site does not take the credentials",
            Self::NotSignedIn => "The site does not know who asks",
            Self::OtherUser => "The site takes the caller for somebody else",
            Self::SiteForbidden => "The site does not allow it",
            Self::SiteNotFound => "There is no such site",
            Self::ListNotFound => "There is no such list",
            Self::ItemNotFound => "There is no such item",
            Self::FieldNotFound => "There is no such column",
            Self::AmbiguousField => "More than one column goes by that name",
            Self::UnsupportedFieldType => "Columns of this type cannot be written",
            Self::InvalidValue => "A value does not fit its column",
            Self::UnknownUser => "The site does not know everybody",
            Self::SiteConflict => "The item has changed on the site",
            Self::SiteDuplicate => "A unique value is taken on the site",
            Self::SiteRejected => "The site does not take the request",
            Self::NotSupported => "This cannot be done over this connection",
            Self::Throttled => "The site asks to be left alone for a while",
            Self::SiteTimedOut => "The site did not answer in time",
            Self::OutcomeUnknown => "It is unknown whether it was done",
            Self::SiteFailed => "The site does not answer as it should",
            Self::Busy => "The server is busy",
            Self::StorageFull => "The storage is full",
            Self::Internal => "Something went wrong",
        }
    }
}
