//! What an administrator does: author, time, object and action, before the effect is known.
//!
//! Invariant: an act names its secrets, and never contains them.

use checklist_shared::administration::{Action, Subject};
use checklist_shared::time::Timestamp;

use super::audit::{Committed, NewEvent};
use super::store::Stamp;

/// An administrator's act, before its effect is known.
#[derive(Clone, Debug)]
pub struct Act {
    /// Author and time.
    pub stamp: Stamp,
    /// The object.
    pub target: Target,
    /// The action. `DirectoryOutcome` becomes `Created` if there was no such object before.
    pub action: Action,
    /// The names of the secrets that it sets, replaces or removes.
    pub secrets: Vec<&'static str>,
}

/// The reason for writing a record.
#[derive(Clone, Debug)]
pub enum Cause {
    /// An administrator's act. It is audited.
    Act(Box<Act>),
    /// Maintenance by the server: it renews a token, or re-encrypts a secret with another vault
    /// key. The administrator's settings do not change, and nothing is audited.
    Upkeep,
}

/// The audit row of an act.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActRow<'a> {
    pub(super) tenant: &'a str,
    pub(super) actor: &'a Committed,
    pub(super) at: Timestamp,
    pub(super) act: &'a NewEvent,
}

impl From<Act> for Cause {
    fn from(act: Act) -> Self {
        Self::Act(Box::new(act))
    }
}

/// The object of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The tenant itself.
    Tenant,
    /// An API key, by its id.
    ApiKey(String),
    /// An embed key, by its kid.
    EmbedKey(String),
    /// A person.
    User {
        /// The identity provider.
        issuer: String,
        /// The person's subject at the identity provider.
        subject: String,
    },
    /// A token, by its `jti`.
    Token(String),
    /// An object type, by its name.
    Type(String),
    /// The newest version of a template, draft or not, by the template's id.
    Draft(String),
    /// The newest published version of a template.
    Published(String),
    /// Whether a template is offered for new lists, by the template's id.
    Offer(String),
    /// A service connection, by its id.
    Connection(String),
    /// A webhook, by its id.
    Webhook(String),
    /// A delivery of a webhook, by its id.
    Delivery(String),
    /// A person's session.
    Session {
        /// The identity provider.
        issuer: String,
        /// The id there.
        subject: String,
    },
    /// A one-time link for administrators.
    AdminLink,
    /// A passkey, by its id.
    Passkey(String),
    /// A key that signs checkpoints of the audit trail, by its number.
    AuditKey(u64),
    /// A person who was erased, and is not named.
    ErasedPerson,
    /// How long names are kept.
    Retention,
    /// The inventory of computers.
    Inventory,
    /// A run of a workflow, by its id.
    Run(String),
    /// A run of `ApplyTemplate`, by its id.
    TemplateRun(String),
    /// The journal as a whole.
    Journal,
    /// The audit trail as a whole.
    AuditTrail,
}

impl Target {
    pub(super) const fn subject(&self) -> Subject {
        match self {
            Self::Tenant => Subject::Tenant,
            Self::ApiKey(_) => Subject::ApiKey,
            Self::EmbedKey(_) => Subject::EmbedKey,
            Self::User { .. } => Subject::User,
            Self::Token(_) => Subject::Token,
            Self::Type(_) => Subject::Type,
            Self::Draft(_) | Self::Published(_) | Self::Offer(_) => Subject::Template,
            Self::Connection(_) => Subject::ServiceConnection,
            Self::Webhook(_) => Subject::Webhook,
            Self::Delivery(_) => Subject::WebhookDelivery,
            Self::Session { .. } => Subject::Session,
            Self::AdminLink => Subject::AdminLink,
            Self::Passkey(_) => Subject::Passkey,
            Self::AuditKey(_) => Subject::AuditKey,
            Self::ErasedPerson => Subject::User,
            Self::Retention => Subject::Retention,
            Self::Inventory => Subject::Inventory,
            Self::Run(_) => Subject::WorkflowRun,
            Self::TemplateRun(_) => Subject::TemplateRun,
            Self::Journal => Subject::Journal,
            Self::AuditTrail => Subject::AuditTrail,
        }
    }

    pub(super) fn id(&self) -> String {
        match self {
            Self::Tenant
            | Self::AdminLink
            | Self::ErasedPerson
            | Self::Retention
            | Self::Inventory
            | Self::Journal
            | Self::AuditTrail => String::new(),
            Self::AuditKey(number) => number.to_string(),
            Self::ApiKey(id)
            | Self::EmbedKey(id)
            | Self::Token(id)
            | Self::Type(id)
            | Self::Draft(id)
            | Self::Published(id)
            | Self::Offer(id)
            | Self::Connection(id)
            | Self::Webhook(id)
            | Self::Delivery(id)
            | Self::Passkey(id)
            | Self::Run(id)
            | Self::TemplateRun(id) => id.clone(),
            Self::User { issuer, subject } | Self::Session { issuer, subject } => {
                format!("{issuer} {subject}")
            }
        }
    }
}

impl Act {
    /// Builds an act that sets no secrets.
    #[must_use]
    pub const fn new(stamp: Stamp, target: Target, action: Action) -> Self {
        Self {
            stamp,
            target,
            action,
            secrets: Vec::new(),
        }
    }

    /// Whether the act gets an audit row even if no visible field has changed.
    pub(super) const fn is_news(&self) -> bool {
        !self.secrets.is_empty()
            || matches!(
                self.action,
                Action::Connected
                    | Action::Tested
                    | Action::Replayed
                    | Action::SignedIn
                    | Action::SignedOut
                    | Action::Erased
                    | Action::Exported
                    | Action::Started
                    | Action::Confirmed
                    | Action::Retried
                    | Action::Cancelled
                    | Action::Read
            )
            // An admin link has no visible fields: its content is secret.
            || matches!(self.target, Target::AdminLink)
            // Sessions that end are no field of their person.
            || matches!((&self.target, self.action), (Target::User { .. }, Action::Revoked))
    }
}
