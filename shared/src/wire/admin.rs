//! Types, templates, journal, audit trail and the demo's token.

use serde::{Deserialize, Serialize};

use crate::administration::{AdministrativeAct, Category};
use crate::context::Context;
use crate::event::Event;
use crate::facts::Facts;
use crate::item::Actor;
use crate::patch::Patch;
use crate::permission::{Permission, Role};
use crate::phrase::Phrase;
use crate::problem::Warning;
use crate::template::{RefreshPolicy, Template, TemplateStatus};
use crate::text::LanguageMap;
use crate::time::Timestamp;
use std::collections::BTreeMap;

/// A platform type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Type {
    /// The type's name, for example `incident`.
    pub name: String,
    /// The classes it includes.
    pub classes: Vec<Class>,
    /// The template for each purpose.
    #[serde(default)]
    pub templates: BTreeMap<String, String>,
    /// Write the journal even when nobody asks.
    #[serde(default)]
    pub always_journal: bool,
}

/// `PUT /Types/{name}`: a field that is absent leaves what is there, `null` clears it.
///
/// A type that is new has no classes, no templates and no journal of its own accord until a
/// request says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PutType {
    /// The type's name; the one in the address, where it is said at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// All classes that it includes.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Class>>))]
    pub classes: Patch<Vec<Class>>,
    /// The template for each purpose, all of them.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<BTreeMap<String, String>>))]
    pub templates: Patch<BTreeMap<String, String>>,
    /// Whether the journal is written even when nobody asks.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub always_journal: Patch<bool>,
}

impl PutType {
    /// Whether the request says what each field is afterwards.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        !(self.classes.is_keep() || self.templates.is_keep() || self.always_journal.is_keep())
    }

    /// The type as it is after the request; `present` is what is there before.
    #[must_use]
    pub fn applied_to(&self, name: &str, present: Option<Type>) -> Type {
        fn after<T: Clone + Default>(patch: &Patch<T>, before: T) -> T {
            match patch {
                Patch::Keep => before,
                Patch::Clear => T::default(),
                Patch::Set(value) => value.clone(),
            }
        }
        let before = present.unwrap_or_else(|| Type {
            name: name.to_owned(),
            classes: Vec::new(),
            templates: BTreeMap::new(),
            always_journal: false,
        });
        Type {
            name: name.to_owned(),
            classes: after(&self.classes, before.classes),
            templates: after(&self.templates, before.templates),
            always_journal: after(&self.always_journal, before.always_journal),
        }
    }
}

impl From<Type> for PutType {
    /// A request after which the type is exactly this.
    fn from(kind: Type) -> Self {
        Self {
            name: Some(kind.name),
            classes: Patch::Set(kind.classes),
            templates: Patch::Set(kind.templates),
            always_journal: Patch::Set(kind.always_journal),
        }
    }
}

/// A class of a type, as far as checklists care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Class {
    /// Has a journal.
    UnitOfWork,
    /// Has checklist items.
    ChecklistItem,
}

/// `GET /Types`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Types {
    /// The types, by name.
    pub types: Vec<Type>,
    /// The names of types whose stored row cannot be read; they work again when they are written anew.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// `GET /Templates`: the newest version of each template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Templates {
    /// One row a template, by id.
    pub templates: Vec<TemplateRow>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A template in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateRow {
    /// The id.
    pub id: String,
    /// The readable key.
    pub key: String,
    /// The name, per language.
    pub name: LanguageMap,
    /// `Published` once there is a published version, `Retired` while no new list is begun from it.
    pub status: TemplateStatus,
    /// The newest published version, 0 when there is none.
    pub version: u32,
    /// The version number of a draft, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_version: Option<u32>,
    /// Items of the newest version.
    pub items: u32,
    /// Written lists that follow the template, in whichever version.
    #[serde(default)]
    pub lists: u64,
    /// What is stored of the newest version cannot be read; it goes by its id here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreadable: bool,
}

impl TemplateRow {
    /// The name of a template whose newest version is that one, or cannot be read.
    #[must_use]
    pub fn of(id: String, newest: Option<&Template>) -> Self {
        let by_id = || LanguageMap::new([("en".to_owned(), id.clone())]);
        Self {
            key: newest.map_or_else(|| id.clone(), |newest| newest.key.clone()),
            name: newest.map_or_else(by_id, |newest| newest.name.clone()),
            status: TemplateStatus::Draft,
            version: 0,
            draft_version: None,
            items: 0,
            lists: 0,
            unreadable: newest.is_none(),
            id,
        }
    }
}

/// `GET /Templates/{id}`: every version in short, the draft in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateHistory {
    /// The id.
    pub id: String,
    /// The draft, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Template>,
    /// The newest published version in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Template>,
    /// Since when no new list is begun from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
    /// Published versions, newest first.
    pub versions: Vec<TemplateVersionRow>,
}

/// A published version in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateVersionRow {
    /// The version.
    pub version: u32,
    /// When it was published.
    pub published_at: Timestamp,
    /// By whom.
    pub published_by: Actor,
    /// How many items it has.
    pub items: u32,
}

/// `GET /Audit/Verification`: whether the trail is what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditVerification {
    /// How many rows are what was written, from the first on.
    pub rows: u64,
    /// How many of them a checkpoint was signed for.
    #[serde(default)]
    pub signed: u64,
    /// The first row that is not, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<AuditBreak>,
    /// When it was verified.
    pub at: Timestamp,
}

/// `GET /Audit/Proof`: that a row is in the tree, or that an earlier tree is its beginning. Hashes are
/// hexadecimal, in the order of RFC 6962.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditProof {
    /// The number of rows in the tree.
    pub size: u64,
    /// The hash of the tree.
    pub root: String,
    /// The row. Its index in the tree is one less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// The row's leaf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaf: Option<AuditLeaf>,
    /// The number of rows in the earlier tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// The hash of the earlier tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_root: Option<String>,
    /// The proof.
    pub hashes: Vec<String>,
}

/// A row as a leaf of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditLeaf {
    /// Its hash.
    pub hash: String,
    /// Its bytes, hexadecimal.
    pub bytes: String,
    /// What it commits to as the actor; absent once that was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<AuditOpening>,
    /// What it commits to as words; absent once they were deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<AuditOpening>,
}

/// What a commitment is the hash of: the bytes of the salt, then those of the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditOpening {
    /// The value: JSON, to be hashed as it stands here.
    pub value: String,
    /// The salt, hexadecimal.
    pub salt: String,
}

/// The first row of an audit trail that is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditBreak {
    /// Its sequence number.
    pub sequence: u64,
    /// What is wrong there, a sentence for people.
    pub reason: String,
}

/// `GET /Templates/{id}/Impact`: how many lists a publication touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateImpact {
    /// The id.
    pub id: String,
    /// The draft's version, or the newest published one when there is no draft.
    pub version: u32,
    /// Written lists that follow an older version.
    pub lists: u64,
    /// Whether they follow by themselves.
    pub refresh_policy: RefreshPolicy,
    /// What the author of that version may not have meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// `POST /Templates/{id}/Publish`: the version in force, with what may not have been meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct PublishedTemplate {
    /// The version.
    #[serde(flatten)]
    pub template: Template,
    /// What its author may not have meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// Templates on their way from one server to another: what an export gives and an import takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct TemplateBundle {
    /// One version of each template; an import writes them as drafts.
    pub templates: Vec<Template>,
}

/// What an import of templates has written, or would.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ImportedTemplates {
    /// Whether nothing was written, because only that was asked for.
    pub dry_run: bool,
    /// The imported templates as they are now; in a dry run those of them that exist already.
    pub templates: Vec<TemplateRow>,
    /// In a dry run, the drafts that an import would write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<Template>,
    /// What of a text or a table is not imported as it stands there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<ImportNote>,
}

/// Something of an imported text that is not in its templates as it stands there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ImportNote {
    /// The line of the text, from 1.
    pub line: u32,
    /// For people.
    pub detail: String,
    /// The same as a code.
    pub phrase: Phrase,
}

/// `GET /Journal`: entries after a cursor, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct JournalPage {
    /// The entries.
    pub entries: Vec<JournalEntry>,
    /// Pass as `After` for the next page; unchanged when there was nothing new.
    pub cursor: u64,
    /// Whether more is waiting.
    pub more: bool,
}

/// One readable entry of the host record's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct JournalEntry {
    /// Grows with every write; an entry that was continued appears again under a new cursor.
    pub cursor: u64,
    /// Stays the same while an entry is continued.
    pub id: u64,
    /// Which list.
    pub context: Context,
    /// Who.
    pub actor: Actor,
    /// When it began.
    pub from: Timestamp,
    /// When it was continued last.
    pub until: Timestamp,
    /// For people: "3 checked, 5 of 7 done".
    pub text: String,
    /// What happened, one by one.
    pub events: Vec<Event>,
}

/// `GET /Audit`: rows after a sequence number, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditPage {
    /// The rows.
    pub rows: Vec<AuditRow>,
    /// Pass as `After` for the next page.
    pub cursor: u64,
    /// Whether more is waiting.
    pub more: bool,
}

/// One row of the audit trail: a change of a checklist (`Context`, `Revision`, `Event`), or what
/// an administrator did (`Act`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditRow {
    /// Counts from 1 without gaps, per tenant.
    pub sequence: u64,
    /// What the row is about.
    pub category: Category,
    /// Which list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// The list's revision that this made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// The operation, where the caller named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    /// Who.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
    /// What happened to the list, with the full text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
    /// What an administrator did, with the values before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<AdministrativeAct>,
    /// Whether the words of the event or act were erased. Who was erased is in `Actor`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub words_erased: bool,
    /// Hex hash of the row as a leaf of the tenant's Merkle tree.
    pub hash: String,
}

/// `POST /demo/token`: without fields an admin on any context of the demo tenant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub struct DemoTokenRequest {
    /// Permissions instead of an admin's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<Permission>>,
    /// Roles instead of an admin's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<Role>>,
    /// One context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<TokenContext>,
    /// Several contexts; what a `token-url` is asked with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<TokenContext>>,
    /// The subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A context that a token covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct TokenContext {
    /// The type; `*` for any.
    pub object_type: String,
    /// The object; `*` for any.
    pub object_id: String,
    /// The purpose; `*` for any.
    #[serde(default)]
    pub purpose: String,
    /// The only template that such a list may be begun with or moved to; `*` or none for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// In tokens: the facts of the object, by which items of its lists apply. Of several entries that cover
    /// a list, the first one with facts counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
}

impl TokenContext {
    /// The template that it pins; `None` for any.
    #[must_use]
    pub fn pinned_template(&self) -> Option<&str> {
        self.template_id
            .as_deref()
            .filter(|template| *template != "*")
    }
}

/// A token and when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Token {
    /// The token, to be sent as `Authorization: Bearer`.
    pub token: String,
    /// When it ends.
    pub expires_at: Timestamp,
}
