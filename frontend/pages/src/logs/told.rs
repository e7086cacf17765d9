//! How events, people and lists read in a log.

use checklist_control::browser::date_and_time;
use checklist_shared::administration::{Action, AdministrativeAct, Subject};
use checklist_shared::context::Context;
use checklist_shared::event::What;
use checklist_shared::item::{Actor, ActorKind};
use checklist_shared::time::Timestamp;

use crate::app::App;
use crate::element::{El, el};
use crate::wording::{Wording, fill};

/// Every kind of event with its name on the wire, in the order in which people look for them.
pub const KINDS: [(What, &str); 20] = [
    (What::Checked, "Checked"),
    (What::Confirmed, "Confirmed"),
    (What::Reopened, "Reopened"),
    (What::MarkedNotApplicable, "MarkedNotApplicable"),
    (What::ReasonChanged, "ReasonChanged"),
    (What::Added, "Added"),
    (What::TextChanged, "TextChanged"),
    (What::NoteChanged, "NoteChanged"),
    (What::AssigneeChanged, "AssigneeChanged"),
    (What::DueChanged, "DueChanged"),
    (What::Moved, "Moved"),
    (What::Deleted, "Deleted"),
    (What::Restored, "Restored"),
    (What::Retired, "Retired"),
    (What::FollowedTemplate, "FollowedTemplate"),
    (What::Created, "Created"),
    (What::Refreshed, "Refreshed"),
    (What::Locked, "Locked"),
    (What::Unlocked, "Unlocked"),
    (What::Undone, "Undone"),
];

/// What happened, in the reader's language.
#[must_use]
pub fn happened(app: App, what: What) -> &'static str {
    let words = app.language.logs();
    match what {
        What::Added => words.was_added,
        What::Checked => words.was_checked,
        What::Confirmed => words.was_confirmed,
        What::Reopened => words.was_reopened,
        What::MarkedNotApplicable => words.was_not_applicable,
        What::ReasonChanged => words.was_reason,
        What::TextChanged => words.was_text,
        What::NoteChanged => words.was_note,
        What::AssigneeChanged => words.was_assignee,
        What::DueChanged => words.was_due,
        What::Moved => words.was_moved,
        What::Deleted => words.was_deleted,
        What::Restored => words.was_restored,
        What::Retired => words.was_retired,
        What::FollowedTemplate => words.was_followed,
        What::Created => words.was_created,
        What::Refreshed => words.was_refreshed,
        What::Locked => words.was_locked,
        What::Unlocked => words.was_unlocked,
        What::Undone => words.was_undone,
    }
}

/// What acts of administration are about, with the names on the wire, in the order of the menu.
pub const SUBJECTS: [(Subject, &str); 12] = [
    (Subject::Template, "Template"),
    (Subject::Type, "Type"),
    (Subject::ApiKey, "ApiKey"),
    (Subject::EmbedKey, "EmbedKey"),
    (Subject::User, "User"),
    (Subject::Token, "Token"),
    (Subject::ServiceConnection, "ServiceConnection"),
    (Subject::Webhook, "Webhook"),
    (Subject::WebhookDelivery, "WebhookDelivery"),
    (Subject::Tenant, "Tenant"),
    (Subject::Session, "Session"),
    (Subject::AdminLink, "AdminLink"),
];

/// What an act is about, in the reader's language.
#[must_use]
pub fn subject(app: App, subject: Subject) -> &'static str {
    let words = app.language.logs();
    match subject {
        Subject::Tenant => words.on_tenant,
        Subject::ApiKey => words.on_api_key,
        Subject::EmbedKey => words.on_embed_key,
        Subject::User => words.on_user,
        Subject::Token => words.on_token,
        Subject::Type => words.on_type,
        Subject::Template => words.on_template,
        Subject::ServiceConnection => words.on_connection,
        Subject::Webhook => words.on_webhook,
        Subject::WebhookDelivery => words.on_delivery,
        Subject::Session => words.on_session,
        Subject::AdminLink => words.on_link,
    }
}

/// What was administered, and how: "API key: revoked".
#[must_use]
pub fn administered(app: App, act: &AdministrativeAct) -> String {
    let words = app.language.logs();
    let action = match (act.subject, act.action) {
        (Subject::Tenant, Action::Revoked) => words.did_revoke_all,
        (_, Action::Created) => words.did_create,
        (_, Action::Changed) => words.did_change,
        (_, Action::Deleted) => words.did_delete,
        (_, Action::Revoked) => words.did_revoke,
        (_, Action::DraftSaved) => words.did_save_draft,
        (_, Action::Imported) => words.did_import,
        (_, Action::DraftDiscarded) => words.did_discard,
        (_, Action::Published) => words.did_publish,
        (_, Action::Connected) => words.did_connect,
        (_, Action::Tested) => words.did_test,
        (_, Action::SecretRotated) => words.did_rotate,
        (_, Action::TurnedOff) => words.did_turn_off,
        (_, Action::Replayed) => words.did_replay,
        (_, Action::SignedIn) => words.did_sign_in,
        (_, Action::SignedOut) => words.did_sign_out,
    };
    format!("{}: {action}", subject(app, act.subject))
}

/// A time, short to read and exact to point at.
#[must_use]
pub fn time(app: App, at: Timestamp) -> El {
    let exact = at.to_string();
    el("time")
        .attr("datetime", exact.clone())
        .attr("title", exact)
        .text(date_and_time(at, app.language.tag()))
}

/// Who, and what kind of actor.
#[must_use]
pub fn who(app: App, actor: &Actor) -> El {
    let words = app.language.logs();
    let kind = match actor.kind {
        ActorKind::Person => None,
        ActorKind::Automation => Some(words.automation),
        ActorKind::Api => Some(words.program),
    };
    let behind = actor
        .on_behalf_of
        .as_ref()
        .map(|other| el("small").text(fill(words.behalf, &[("name", &other.name)])));
    el("span")
        .class("actor")
        .el(el("bdi").text(actor.name.clone()))
        .maybe(kind.map(|kind| el("small").text(kind)))
        .maybe(behind)
}

/// Which list, in a line.
#[must_use]
pub fn list(app: App, context: &Context) -> El {
    let purpose = if context.purpose.is_empty() {
        app.language.logs().default_list.to_owned()
    } else {
        context.purpose.clone()
    };
    el("span")
        .class("context")
        .el(el("bdi").text(format!("{} {}", context.object_type, context.object_id)))
        .el(el("small").el(el("bdi").text(purpose)))
}
