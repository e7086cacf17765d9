//! The labels of events, acts, people and lists.

use checklist_shared::Context;
use checklist_shared::administration::{Action, AdministrativeAct, Category, Subject};
use checklist_shared::event::What;
use checklist_shared::item::{Actor, ActorKind, ActorMode};
use serde::Serialize;

use crate::kit::*;
use crate::wording::logs::Logs;

/// Makes the kinds in the order of a menu, and the label of each. A kind without one does not compile.
macro_rules! labels {
    ($kind:ident, $all:ident, $label:ident: $($variant:ident $text:ident,)+) => {
        /// All kinds, in the order of the menu.
        pub const $all: &[$kind] = &[$($kind::$variant),+];

        /// The label of a kind.
        #[must_use]
        pub fn $label(words: &Logs, kind: $kind) -> &'static str {
            match kind {
                $($kind::$variant => words.$text,)+
            }
        }
    };
}

labels! { What, EVENTS, event_label:
    Checked was_checked,
    Confirmed was_confirmed,
    Reopened was_reopened,
    MarkedNotApplicable was_not_applicable,
    ReasonChanged was_reason,
    Added was_added,
    TextChanged was_text,
    NoteChanged was_note,
    AssigneeChanged was_assignee,
    DueChanged was_due,
    KindChanged was_kind,
    RequiredChanged was_required,
    HelpChanged was_help,
    Proposed was_proposed,
    ProposalDeclined was_declined,
    Signalled was_signalled,
    Moved was_moved,
    Deleted was_deleted,
    Restored was_restored,
    Retired was_retired,
    FollowedTemplate was_followed,
    Created was_created,
    Refreshed was_refreshed,
    Locked was_locked,
    Unlocked was_unlocked,
    Waived was_waived,
    WaiverRevoked was_waiver_revoked,
    StartedAgain was_started_again,
    FactsChanged had_facts_changed,
    Undone was_undone,
}

labels! { Subject, SUBJECTS, subject_label:
    Template on_template,
    Type on_type,
    ApiKey on_api_key,
    EmbedKey on_embed_key,
    User on_user,
    Token on_token,
    ServiceConnection on_connection,
    Webhook on_webhook,
    WebhookDelivery on_delivery,
    Tenant on_tenant,
    Session on_session,
    AdminLink on_link,
    Passkey on_passkey,
    AuditKey on_audit_key,
    Retention on_retention,
    Inventory on_inventory,
    WorkflowRun on_run,
    TemplateRun on_template_run,
    Journal on_journal,
    AuditTrail on_audit_trail,
}

labels! { ActorKind, ACTOR_KINDS, actor_kind_label:
    Person person,
    Program program,
    Agent any_agent,
    Erased erased,
}

labels! { Category, CATEGORIES, category_label:
    Checklist of_lists,
    Administration of_administration,
    SignIn of_sign_ins,
}

/// The options of a choice among all kinds, with a first one for any of them: the names on the wire with
/// their labels.
#[must_use]
pub fn options<K: Copy + Serialize>(
    words: &'static Logs,
    (any, kinds): (&str, &[K]),
    label: fn(&Logs, K) -> &'static str,
) -> Vec<(String, String)> {
    let name = |kind: K| serde_json::from_value(serde_json::to_value(kind).unwrap_or_default());
    let kinds = kinds.iter().map(|kind| {
        (
            name(*kind).unwrap_or_default(),
            label(words, *kind).to_owned(),
        )
    });
    std::iter::once((String::new(), any.to_owned()))
        .chain(kinds)
        .collect()
}

/// What was administered, and how: "API key: revoked".
#[must_use]
pub fn act_label(words: &Logs, act: &AdministrativeAct) -> String {
    let action = match (act.subject, act.action) {
        (Subject::Tenant, Action::Revoked) => words.did_revoke_all,
        (Subject::User, Action::Revoked) => words.did_end_sessions,
        (Subject::Retention, Action::Erased) => words.did_erase_old,
        (Subject::Inventory, Action::Imported) => words.did_import_computers,
        (_, Action::Created) => words.did_create,
        (_, Action::Changed) => words.did_change,
        (_, Action::Deleted) => words.did_delete,
        (_, Action::Revoked) => words.did_revoke,
        (_, Action::DraftSaved) => words.did_save_draft,
        (_, Action::Imported) => words.did_import,
        (_, Action::DraftDiscarded) => words.did_discard,
        (_, Action::Published) => words.did_publish,
        (_, Action::Retired) => words.did_retire,
        (_, Action::OfferedAgain) => words.did_offer,
        (_, Action::Connected) => words.did_connect,
        (_, Action::Tested) => words.did_test,
        (_, Action::SecretRotated) => words.did_rotate,
        (_, Action::TurnedOff) => words.did_turn_off,
        (_, Action::Replayed) => words.did_replay,
        (_, Action::SignedIn) => words.did_sign_in,
        (_, Action::SignedOut) => words.did_sign_out,
        (_, Action::Erased) => words.did_erase,
        (_, Action::Exported) => words.did_export,
        (_, Action::Started) => words.did_start,
        (_, Action::Confirmed) => words.did_confirm,
        (_, Action::Retried) => words.did_retry,
        (_, Action::Cancelled) => words.did_cancel,
        (_, Action::Read) => words.did_read,
    };
    [subject_label(words, act.subject), ": ", action].concat()
}

/// The name of an actor, also of one that was erased.
#[must_use]
pub fn name(words: &Logs, actor: &Actor) -> String {
    match actor.kind {
        ActorKind::Erased => words.erased.to_owned(),
        _ => actor.name.clone(),
    }
}

/// The name, and of an agent that it is one: "Finch (Agent)".
#[must_use]
pub fn name_and_kind(words: &Logs, actor: &Actor) -> String {
    let name = name(words, actor);
    match actor.kind {
        ActorKind::Agent => format!("{name} ({})", words.any_agent),
        _ => name,
    }
}

/// Who, and what kind of actor.
#[must_use]
pub fn actor(words: &'static Logs, actor: &Actor) -> AnyView {
    let kind = match actor.kind {
        ActorKind::Person | ActorKind::Erased => None,
        ActorKind::Program => Some(words.program),
        ActorKind::Agent => Some(match actor.mode {
            Some(ActorMode::Approved) => words.agent_approved,
            _ => words.agent,
        }),
    };
    let software = actor.software.as_deref().map(|software| {
        let parts = [&software.client, &software.version, &software.model];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join(" ")
    });
    let other = actor.on_behalf_of.as_ref();
    let behalf = other.map(|other| fill(words.behalf, &[("name", &other.name)]));
    view! {
        <span class="actor">
            <bdi>{name(words, actor)}</bdi>
            {kind.map(|kind| view! { <small>{kind}</small> })}
            {software.map(|software| view! { <small><bdi>{software}</bdi></small> })}
            {behalf.map(|behalf| view! { <small>{behalf}</small> })}
        </span>
    }
    .into_any()
}

/// Which list, in a line.
#[must_use]
pub fn list(words: &Logs, context: &Context) -> AnyView {
    let purpose = match context.purpose.as_str() {
        "" => words.default_list.to_owned(),
        purpose => purpose.to_owned(),
    };
    let object = [&context.object_type, " ", &context.object_id].concat();
    view! { <span class="context"><bdi>{object}</bdi><small><bdi>{purpose}</bdi></small></span> }
        .into_any()
}
