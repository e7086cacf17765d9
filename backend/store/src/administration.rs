//! The audit trail of administration: who did what to which object, and the fields that changed.
//!
//! Every store method behind an administrative write takes an [`Act`] or a [`Stamp`], so that a
//! write without an author does not compile. The store takes a [`Snapshot`] of the object before
//! and after the write, within its transaction. It appends an audit row if the snapshots differ, or
//! if the act is worth a row by itself ([`Act::is_news`]). A snapshot contains no secrets. Both
//! stores share this code.

use std::collections::BTreeMap;

use checklist_shared::administration::{Action, AdministrativeAct, FieldChange};
use checklist_shared::item::{Actor, ActorSource};
use checklist_shared::template::Template;
use checklist_shared::wire::admin::Type;
use serde_json::{Value, json};

pub use super::act::{Act, Cause, Target};
use super::audit::AuditKey;
use super::connections::{ConnectionRecord, SaveOutcome};
use super::directory::{
    ApiKeyRecord, DirectoryChange, DirectoryOutcome, EmbedKeyRecord, ErasedPerson, PasskeyRecord,
    SessionRecord, Tenant, UserRecord,
};
use super::erasure::RetentionRecord;
use super::lists::DeleteOutcome;
use super::store::Stamp;
use super::webhooks::{AttemptResult, WebhookRecord};
use super::workflows::{BeginRunOutcome, RequeueOutcome};

impl Act {
    /// The act that stands for a change of the directory.
    pub(super) fn of_directory(change: &DirectoryChange, stamp: Stamp) -> Self {
        let (target, action) = match change {
            DirectoryChange::PutTenant(_) => (Target::Tenant, Action::Changed),
            DirectoryChange::EndEverything { .. } => (Target::Tenant, Action::Revoked),
            DirectoryChange::PutEmbedKey(key) => {
                (Target::EmbedKey(key.kid.clone()), Action::Changed)
            }
            DirectoryChange::RevokeEmbedKey { kid, .. } => {
                (Target::EmbedKey(kid.clone()), Action::Revoked)
            }
            DirectoryChange::AddApiKey(key) => (Target::ApiKey(key.id.clone()), Action::Created),
            DirectoryChange::RevokeApiKey { id, .. } => {
                (Target::ApiKey(id.clone()), Action::Revoked)
            }
            DirectoryChange::PutUser(user)
            | DirectoryChange::PutUserButLastAdministrator(user)
            | DirectoryChange::ChangeUserButLastAdministrator(user) => (
                Target::User {
                    issuer: user.issuer.clone(),
                    subject: user.subject.clone(),
                },
                Action::Changed,
            ),
            DirectoryChange::DeleteUserButLastAdministrator {
                issuer, subject, ..
            } => (
                Target::User {
                    issuer: issuer.clone(),
                    subject: subject.clone(),
                },
                Action::Deleted,
            ),
            DirectoryChange::BeginErasure(_) => (Target::ErasedPerson, Action::Erased),
            DirectoryChange::EndSessions {
                issuer, subject, ..
            } => (
                Target::User {
                    issuer: issuer.clone(),
                    subject: subject.clone(),
                },
                Action::Revoked,
            ),
            DirectoryChange::RevokeToken { jti, .. } => {
                (Target::Token(jti.clone()), Action::Revoked)
            }
        };
        Self::new(stamp, target, action)
    }

    /// The audit record of the act; `None` if it changed nothing.
    pub(super) fn audit_record(
        &self,
        before: Option<&Snapshot>,
        after: Option<&Snapshot>,
    ) -> Option<AdministrativeAct> {
        let changes = differences(before, after);
        if changes.is_empty() && !self.is_news() {
            return None;
        }
        let name = after.or(before).map(|there| there.name.clone());
        Some(AdministrativeAct {
            subject: self.target.subject(),
            id: self.target.id(),
            name: name.unwrap_or_default(),
            action: match self.action {
                Action::Changed if before.is_none() => Action::Created,
                action => action,
            },
            changes,
            secrets_changed: self.secrets.iter().map(ToString::to_string).collect(),
        })
    }
}

impl SessionRecord {
    /// The session as the target of an act.
    pub(super) fn target(&self) -> Target {
        Target::Session {
            issuer: self.issuer.clone(),
            subject: self.subject.clone(),
        }
    }
}

impl UserRecord {
    /// The person as the actor of their own acts.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::person(&self.subject, &self.name)
            .vouched_for_by(ActorSource::IdentityProvider, Some(&self.issuer))
    }
}

impl AttemptResult {
    /// The server is the actor if failed attempts turn the webhook off.
    pub(super) fn cause(&self) -> Cause {
        match self.turn_off {
            None => Cause::Upkeep,
            Some(_) => Cause::Act(Box::new(Act::new(
                Stamp {
                    actor: server(),
                    at: self.now,
                },
                Target::Webhook(self.webhook.clone()),
                Action::TurnedOff,
            ))),
        }
    }
}

impl DirectoryChange {
    /// The tenant whose audit trail records the act.
    pub(super) fn tenant(&self) -> &str {
        match self {
            Self::PutTenant(tenant) => &tenant.id,
            Self::PutEmbedKey(key) => &key.tenant,
            Self::AddApiKey(key) => &key.tenant,
            Self::PutUser(user)
            | Self::PutUserButLastAdministrator(user)
            | Self::ChangeUserButLastAdministrator(user) => &user.tenant,
            Self::EndEverything { tenant, .. }
            | Self::BeginErasure(ErasedPerson { tenant, .. })
            | Self::DeleteUserButLastAdministrator { tenant, .. }
            | Self::EndSessions { tenant, .. }
            | Self::RevokeEmbedKey { tenant, .. }
            | Self::RevokeApiKey { tenant, .. }
            | Self::RevokeToken { tenant, .. } => tenant,
        }
    }
}

/// Whether a write took effect, or was rejected.
pub(super) trait WriteEffect {
    /// Whether it took effect.
    fn is_done(&self) -> bool;
}

impl WriteEffect for () {
    fn is_done(&self) -> bool {
        true
    }
}

impl WriteEffect for bool {
    fn is_done(&self) -> bool {
        *self
    }
}

impl<T> WriteEffect for Option<T> {
    fn is_done(&self) -> bool {
        self.is_some()
    }
}

impl<T, E> WriteEffect for Result<T, E> {
    fn is_done(&self) -> bool {
        self.is_ok()
    }
}

impl WriteEffect for DirectoryOutcome {
    fn is_done(&self) -> bool {
        *self == Self::Done
    }
}

impl WriteEffect for DeleteOutcome {
    fn is_done(&self) -> bool {
        *self == Self::Done
    }
}

impl WriteEffect for SaveOutcome {
    fn is_done(&self) -> bool {
        *self == Self::Done
    }
}

impl WriteEffect for BeginRunOutcome {
    fn is_done(&self) -> bool {
        matches!(self, Self::New(_))
    }
}

impl WriteEffect for RequeueOutcome {
    fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

/// The fields of an object that an auditor may see, at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snapshot {
    name: String,
    fields: BTreeMap<String, String>,
}

impl Snapshot {
    fn of(name: &str, value: &Value) -> Self {
        let mut fields = BTreeMap::new();
        flatten(String::new(), value, &mut fields);
        Self {
            name: name.to_owned(),
            fields,
        }
    }

    pub(super) fn of_tenant(tenant: &Tenant) -> Self {
        // The epoch of a tenant that never revoked anything carries no information.
        let epoch = Some(tenant.epoch).filter(|epoch| epoch.as_millis() > 0);
        Self::of(
            &tenant.name,
            &json!({ "Name": tenant.name, "Disabled": tenant.disabled, "RevokedBefore": epoch }),
        )
    }

    pub(super) fn of_api_key(key: &ApiKeyRecord) -> Self {
        Self::of(
            &key.name,
            &json!({ "Name": key.name, "Roles": key.roles, "Contexts": key.contexts,
                "Sources": Some(&key.sources).filter(|sources| !sources.is_empty()),
                "ExpiresAt": key.expires_at, "RevokedAt": key.revoked_at }),
        )
    }

    pub(super) fn of_embed_key(key: &EmbedKeyRecord) -> Self {
        Self::of(
            "",
            &json!({ "Algorithm": key.algorithm, "PublicKey": key.public_key, "Origins": key.origins,
                "Issuer": key.issuer, "Permissions": key.permissions, "Contexts": key.contexts,
                "ExpiresAt": key.expires_at, "RevokedAt": key.revoked_at }),
        )
    }

    pub(super) fn of_user(user: &UserRecord) -> Self {
        Self::of(
            &user.name,
            &json!({ "Name": user.name, "Roles": user.roles, "Disabled": user.disabled }),
        )
    }

    pub(super) fn of_retention(retention: &RetentionRecord) -> Self {
        let to = Some(retention.erased_to).filter(|row| *row > 0);
        Self::of(
            "",
            &json!({ "PersonalDays": retention.personal_days, "Texts": retention.texts,
                "ErasedTo": to }),
        )
    }

    pub(super) fn of_token() -> Self {
        Self::of("", &json!({ "Revoked": true }))
    }

    pub(super) fn of_type(kind: &Type) -> Self {
        Self::of(
            "",
            &json!({ "Classes": kind.classes, "Templates": kind.templates,
                "AlwaysJournal": kind.always_journal }),
        )
    }

    pub(super) fn of_offer(template: &Template, is_retired: bool) -> Self {
        let name = template.name.resolve(&["en"]);
        let name = name.map_or(template.key.as_str(), |(_, name)| name);
        Self::of(name, &json!({ "Retired": is_retired }))
    }

    pub(super) fn of_template(template: &Template) -> Self {
        let mut document = json!(template);
        if let Some(members) = document.as_object_mut() {
            members.remove("Id");
        }
        let name = template.name.resolve(&["en"]);
        Self::of(name.map_or("", |(_, text)| text), &document)
    }

    pub(super) fn of_connection(record: &ConnectionRecord) -> Self {
        let mut settings: Value = serde_json::from_str(&record.settings).unwrap_or_default();
        if let Some(members) = settings.as_object_mut() {
            members.remove("Revision");
            members.insert("Name".to_owned(), json!(record.name));
            members.insert("Owner".to_owned(), json!(record.owner_name));
            members.insert("Origin".to_owned(), json!(record.origin));
        }
        Self::of(&record.name, &settings)
    }

    pub(super) fn of_webhook(record: &WebhookRecord) -> Self {
        Self::of(
            &record.name,
            &json!({ "Name": record.name, "Url": record.url, "Events": record.events,
                "Enabled": record.enabled, "OffBecause": record.off_because }),
        )
    }

    pub(super) fn of_passkey(passkey: &PasskeyRecord) -> Self {
        Self::of(
            &passkey.name,
            &json!({ "Name": passkey.name, "Issuer": passkey.issuer, "Subject": passkey.subject }),
        )
    }

    pub(super) fn of_audit_key(key: &AuditKey) -> Self {
        Self::of("", &json!({ "Verifier": key.verifier }))
    }

    /// The person of a session: a session has no visible fields of its own.
    pub(super) fn of_session(user: &UserRecord) -> Self {
        Self::of(&user.name, &Value::Null)
    }
}

/// The fields whose values differ, sorted by name.
fn differences(before: Option<&Snapshot>, after: Option<&Snapshot>) -> Vec<FieldChange> {
    let none = BTreeMap::new();
    let before = before.map_or(&none, |there| &there.fields);
    let after = after.map_or(&none, |there| &there.fields);
    let mut fields: Vec<&String> = before.keys().chain(after.keys()).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
        .into_iter()
        .filter(|field| before.get(*field) != after.get(*field))
        .map(|field| FieldChange {
            field: field.clone(),
            before: before.get(field).cloned(),
            after: after.get(field).cloned(),
        })
        .collect()
}

/// Writes each value under its own path. Elements with a `Key` are identified by it instead of
/// their index, so that a moved element does not count as changed. The list's own field records the
/// order.
fn flatten(path: String, value: &Value, fields: &mut BTreeMap<String, String>) {
    let below = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}/{name}")
        }
    };
    match value {
        Value::Null => {}
        Value::String(text) => {
            fields.insert(path, text.clone());
        }
        Value::Object(members) => {
            for (name, member) in members {
                flatten(below(name), member, fields);
            }
        }
        Value::Array(entries) => {
            let keys: Option<Vec<&str>> = entries
                .iter()
                .map(|entry| entry.get("Key").and_then(Value::as_str))
                .collect();
            match keys {
                Some(keys) if !keys.is_empty() => {
                    for (key, entry) in keys.iter().zip(entries) {
                        let mut entry = entry.clone();
                        if let Some(members) = entry.as_object_mut() {
                            members.remove("Key");
                        }
                        flatten(below(key), &entry, fields);
                    }
                    fields.insert(path, keys.join(", "));
                }
                _ if entries.iter().all(Value::is_string) => {
                    let texts: Vec<&str> = entries.iter().filter_map(Value::as_str).collect();
                    fields.insert(path, texts.join(", "));
                }
                _ => {
                    fields.insert(path, value.to_string());
                }
            }
        }
        other => {
            fields.insert(path, other.to_string());
        }
    }
}

/// The server itself, as the actor of automatic acts.
#[must_use]
pub fn server() -> Actor {
    Actor::server("server", "Server")
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::time::Timestamp;

    fn stamp() -> Stamp {
        Stamp {
            actor: Actor::person("p", "Petra"),
            at: Timestamp::from_millis(1),
        }
    }

    fn snapshot(value: &Value) -> Snapshot {
        Snapshot::of("it", value)
    }

    fn changes(before: &Value, after: &Value) -> Vec<(String, Option<String>, Option<String>)> {
        differences(Some(&snapshot(before)), Some(&snapshot(after)))
            .into_iter()
            .map(|change| (change.field, change.before, change.after))
            .collect()
    }

    #[test]
    fn a_moved_item_is_no_changed_one() {
        let a = json!({ "Key": "a", "Text": { "en": "A" } });
        let b = json!({ "Key": "b", "Text": { "en": "B" } });
        let found = changes(&json!({ "Items": [a, b] }), &json!({ "Items": [b, a] }));
        let order = (
            "Items".to_owned(),
            Some("a, b".to_owned()),
            Some("b, a".to_owned()),
        );
        assert_eq!(found, [order]);
    }

    #[test]
    fn only_what_differs_is_named_with_both_values() {
        let found = changes(
            &json!({ "Roles": ["reader"], "Disabled": false, "Name": "Anna" }),
            &json!({ "Roles": ["reader", "admin"], "Disabled": false, "ExpiresAt": "2030" }),
        );
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            found,
            [
                ("ExpiresAt".to_owned(), None, text("2030")),
                ("Name".to_owned(), text("Anna"), None),
                ("Roles".to_owned(), text("reader"), text("reader, admin")),
            ]
        );
    }

    #[test]
    fn nothing_is_recorded_of_an_act_that_changes_nothing() {
        let act = Act::new(stamp(), Target::Type("incident".into()), Action::Changed);
        let same = snapshot(&json!({ "AlwaysJournal": true }));
        assert_eq!(act.audit_record(Some(&same), Some(&same)), None);
        let created = act.audit_record(None, Some(&same)).expect("a row");
        assert_eq!(created.action, Action::Created);
    }

    #[test]
    fn a_secret_is_news_and_only_its_name_is_told() {
        let act = Act {
            secrets: vec!["Password"],
            ..Act::new(stamp(), Target::Connection("1".into()), Action::Changed)
        };
        let same = snapshot(&json!({ "Name": "x" }));
        let row = act.audit_record(Some(&same), Some(&same)).expect("a row");
        assert!(row.changes.is_empty());
        assert_eq!(row.secrets_changed, ["Password"]);
    }
}
