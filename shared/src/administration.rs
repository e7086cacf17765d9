//! An administrative change as the audit trail records it: the target, the action, and every changed
//! field with its value before and after.
//!
//! Values never contain secrets: a changed secret is only named. The store writes the record in the
//! transaction of the change.

use serde::{Deserialize, Serialize};

/// One act of administration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AdministrativeAct {
    /// On what kind of thing.
    pub subject: Subject,
    /// The id of that thing: of a key its id or kid, of a person the identity provider and the
    /// subject, of a type its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its name for people, where it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What was done.
    pub action: Action,
    /// The fields that have another value now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FieldChange>,
    /// The names of secrets that were set, replaced or removed. Their values are nowhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets_changed: Vec<String>,
}

/// A field that has another value now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FieldChange {
    /// The field, with `/` between the levels: `Items/backup/Text/en`.
    pub field: String,
    /// The value before, absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value after, absent where there is none any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What an act is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Subject {
    /// A tenant.
    Tenant,
    /// A program's key.
    ApiKey,
    /// A public key that signs embed tokens.
    EmbedKey,
    /// A person and their roles.
    User,
    /// One token.
    Token,
    /// A platform type.
    Type,
    /// A template.
    Template,
    /// A connection to another system.
    ServiceConnection,
    /// A webhook.
    Webhook,
    /// A delivery of a webhook.
    WebhookDelivery,
    /// Somebody's session in the administration pages.
    Session,
    /// A one-time link that signs an administrator in.
    AdminLink,
    /// A passkey of a local administrator.
    Passkey,
    /// A key that signs checkpoints of the audit trail.
    AuditKey,
    /// How long names are kept.
    Retention,
    /// The inventory of computers.
    Inventory,
    /// A run of a workflow.
    WorkflowRun,
    /// A run of `ApplyTemplate`.
    TemplateRun,
    /// The journal, as far as somebody took it away.
    Journal,
    /// The audit trail, likewise.
    AuditTrail,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Action {
    /// It was made or registered.
    Created,
    /// It was changed.
    Changed,
    /// It was deleted.
    Deleted,
    /// It was revoked; of a tenant, all of its tokens and sessions were, of a person all sessions.
    Revoked,
    /// A template's draft was written.
    DraftSaved,
    /// A template's draft came in with an import.
    Imported,
    /// A template's draft was discarded.
    DraftDiscarded,
    /// A template's draft was published.
    Published,
    /// A template was retired.
    Retired,
    /// A retired template was offered again.
    OfferedAgain,
    /// A person has given consent to a service connection.
    Connected,
    /// It was tried out.
    Tested,
    /// It was given a new secret.
    SecretRotated,
    /// The server has turned it off.
    TurnedOff,
    /// It was sent again.
    Replayed,
    /// Somebody has signed in.
    SignedIn,
    /// Somebody has signed out.
    SignedOut,
    /// A person was erased, who is not named; of the retention, what was older than it.
    Erased,
    /// It was exported as a file.
    Exported,
    /// A run was started.
    Started,
    /// A run was confirmed by a person, and goes on.
    Confirmed,
    /// A run was told to try again what had failed.
    Retried,
    /// A run was told to end.
    Cancelled,
    /// It was read.
    Read,
}

/// What the rows of an audit trail are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Category {
    /// Changes of checklists.
    Checklist,
    /// Acts of administration.
    Administration,
    /// Sign-ins and sign-outs.
    SignIn,
}

impl Subject {
    /// In which category its acts stand.
    #[must_use]
    pub const fn category(self) -> Category {
        match self {
            Self::Session => Category::SignIn,
            _ => Category::Administration,
        }
    }
}
