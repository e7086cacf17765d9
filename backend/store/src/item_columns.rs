//! The columns of an item: the one declaration that both stores read and write rows by.
//!
//! A field of [`Item`] that is stored has a line in [`item_columns!`] and one in the conversion below
//! it. Statements, parameters, reading and the comparison of two items follow from these.

mod column;

use checklist_shared::item::{AspectVersions, Item};

pub(crate) use column::{ItemColumn, ItemReader, KnownActors};
use types::*;

use crate::{assignee, due, proposal};

/// The types that the declaration names, for the modules that have a macro for it.
pub(crate) mod types {
    pub(crate) use checklist_shared::answer::AnswerFormat;
    pub(crate) use checklist_shared::definition::DefinitionFields;
    pub(crate) use checklist_shared::id::ItemId;
    pub(crate) use checklist_shared::item::{Attested, Kind, Origin, Status};
    pub(crate) use checklist_shared::signal::Signal;
    pub(crate) use checklist_shared::text::Text;
    pub(crate) use checklist_shared::time::Timestamp;

    pub(crate) use super::column::{
        AssigneeId, AssigneeName, By, DueDay, DueMoment, Json, Named, OptionalBox, OptionalBy,
        OptionalJson, Proposed, ProposedAt, ProposedBy,
    };
}

/// Hands `column: type = field of the item` to a macro, in three groups: what never changes, what is
/// written when a person edits the item, and the state, which is all that a tick writes. No column of
/// the state is indexed.
macro_rules! item_columns {
    ($macro:ident) => {
        $macro! {
            fixed {
                id: ItemId = id,
                template_key: Option<String> = template_key,
                origin: Named<Origin> = origin,
                created_by: By = created_by,
                created_at: Timestamp = created_at,
            }
            content {
                kind: Named<Kind> = kind,
                parent_id: Option<ItemId> = parent_id,
                sort_key: String = sort_key,
                text: Json<Text> = text,
                help: OptionalJson<Text> = help,
                text_overridden: bool = text_overridden,
                template_text: OptionalJson<Text> = template_text,
                required: bool = required,
                allow_not_applicable: bool = allow_not_applicable,
                not_applicable_needs_reason: bool = not_applicable_needs_reason,
                needs_person: bool = needs_person,
                second_person: bool = second_person,
                requires_evidence: bool = requires_evidence,
                answer_format: OptionalBox<AnswerFormat> = answer_format,
                signal: OptionalBox<Signal> = signal,
                proposal: Proposed = proposal,
                proposed_by: ProposedBy = proposal,
                proposed_at: ProposedAt = proposal,
                assignee: AssigneeId = assignee,
                assignee_name: AssigneeName = assignee,
                assignee_by_person: bool = assignee_by_person,
                due: DueMoment = due,
                due_day: DueDay = due,
                due_by_person: bool = due_by_person,
                definition_by_person: DefinitionFields = definition_by_person,
                note: Option<String> = note,
                text_version: u64 = changed_in.text,
                note_version: u64 = changed_in.note,
                assignee_version: u64 = changed_in.assignee,
                due_version: u64 = changed_in.due,
                definition_version: u64 = changed_in.definition,
                place_version: u64 = changed_in.place,
                retired_at: Option<Timestamp> = retired_at,
                deleted_at: Option<Timestamp> = deleted_at,
            }
            state {
                status: Named<Status> = status,
                reason: Option<String> = reason,
                status_by: OptionalBy = status_by,
                status_at: Option<Timestamp> = status_at,
                attested: OptionalJson<Attested> = attested,
                status_version: u64 = changed_in.status,
                version: u64 = version,
                revision: u64 = revision,
                modified_by: By = modified_by,
                modified_at: Timestamp = modified_at,
                changed_since_checked: bool = changed_since_checked,
            }
        }
    };
}
pub(crate) use item_columns;

impl From<ItemRow> for Item {
    fn from(row: ItemRow) -> Self {
        Self {
            id: row.id,
            template_key: row.template_key,
            origin: row.origin,
            kind: row.kind,
            parent_id: row.parent_id,
            sort_key: row.sort_key,
            text: row.text,
            help: row.help,
            text_overridden: row.text_overridden,
            template_text: row.template_text,
            status: row.status,
            reason: row.reason,
            status_by: row.status_by,
            status_at: row.status_at,
            attested: row.attested,
            required: row.required,
            allow_not_applicable: row.allow_not_applicable,
            not_applicable_needs_reason: row.not_applicable_needs_reason,
            needs_person: row.needs_person,
            second_person: row.second_person,
            requires_evidence: row.requires_evidence,
            answer_format: row.answer_format,
            signal: row.signal,
            proposal: proposal::of_columns(row.proposal, row.proposed_by, row.proposed_at),
            assignee: assignee::of_columns(row.assignee, row.assignee_name),
            assignee_by_person: row.assignee_by_person,
            due: due::of_columns(row.due, row.due_day),
            due_by_person: row.due_by_person,
            definition_by_person: row.definition_by_person,
            note: row.note,
            version: row.version,
            changed_in: AspectVersions {
                status: row.status_version,
                text: row.text_version,
                note: row.note_version,
                assignee: row.assignee_version,
                due: row.due_version,
                definition: row.definition_version,
                place: row.place_version,
            },
            revision: row.revision,
            created_by: row.created_by,
            created_at: row.created_at,
            modified_by: row.modified_by,
            modified_at: row.modified_at,
            retired_at: row.retired_at,
            deleted_at: row.deleted_at,
            changed_since_checked: row.changed_since_checked,
        }
    }
}

macro_rules! declare_columns {
    (
        fixed { $($fixed:ident: $fixed_type:ty = $($fixed_field:ident).+,)+ }
        content { $($content:ident: $content_type:ty = $($content_field:ident).+,)+ }
        state { $($state:ident: $state_type:ty = $($state_field:ident).+,)+ }
    ) => {
        /// The columns of a row as they are read.
        struct ItemRow {
            $($fixed: <$fixed_type as ItemColumn>::Loaded,)+
            $($content: <$content_type as ItemColumn>::Loaded,)+
            $($state: <$state_type as ItemColumn>::Loaded,)+
        }

        /// The names of the columns and their types in PostgreSQL.
        pub(crate) const FIXED: &[(&str, &str)] =
            &[$((stringify!($fixed), <$fixed_type as ItemColumn>::POSTGRES),)+];
        pub(crate) const CONTENT: &[(&str, &str)] =
            &[$((stringify!($content), <$content_type as ItemColumn>::POSTGRES),)+];
        pub(crate) const STATE: &[(&str, &str)] =
            &[$((stringify!($state), <$state_type as ItemColumn>::POSTGRES),)+];

        /// Reads an item from a row with the columns of [`all`], in their order, from `first` on.
        pub(crate) fn load<R: ItemReader>(row: &mut R, first: usize) -> Result<Item, R::Error> {
            let mut columns = first..;
            let mut next = || columns.next().unwrap_or_default();
            Ok(ItemRow {
                $($fixed: <$fixed_type as ItemColumn>::load(row, next())?,)+
                $($content: <$content_type as ItemColumn>::load(row, next())?,)+
                $($state: <$state_type as ItemColumn>::load(row, next())?,)+
            }
            .into())
        }

        /// Whether two items differ only in what a tick changes.
        pub(crate) fn differ_in_state_alone(old: &Item, new: &Item) -> bool {
            $(old.$($content_field).+ == new.$($content_field).+)&&+
        }
    };
}
item_columns!(declare_columns);

/// All columns, in the order of the groups.
pub(crate) fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    FIXED.iter().chain(CONTENT).chain(STATE)
}

/// The names of columns as a list in SQL, each as `write` writes it, with its index.
pub(crate) fn list<'a>(
    columns: impl IntoIterator<Item = &'a (&'a str, &'a str)>,
    write: impl Fn(usize, &str, &str) -> String,
) -> String {
    let written: Vec<String> = columns
        .into_iter()
        .enumerate()
        .map(|(index, (name, kind))| write(index, name, kind))
        .collect();
    written.join(", ")
}
