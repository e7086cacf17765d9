//! The details of an item: what people edit besides its text and status.
//!
//! One table. The form, what was typed, the search, the words for hosts and the pointers of problems
//! take the fields from here; how a field looks is in `components::details` and `components::meta`.

use checklist_shared::Due;
use checklist_shared::assignee::Assignee;
use checklist_shared::item::{Item, Kind};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;

use super::list::resolve;

/// A field of the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetailField {
    /// The note.
    Note,
    /// The assignee.
    Assignee,
    /// The due date.
    Due,
    /// The help.
    Help,
    /// Whether it is required.
    Required,
    /// Whether it is an item or an information row.
    Kind,
}

/// The values of the fields, as far as they are typed; an empty string means nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The note.
    pub note: Option<String>,
    /// The assignee: somebody who was picked, or a text.
    pub assignee: Option<Assignee>,
    /// The due date.
    pub due: Option<Option<Due>>,
    /// The help.
    pub help: Option<String>,
    /// Whether it is required.
    pub required: Option<bool>,
    /// An item or an information row; of sections what they are.
    pub kind: Option<Kind>,
}

impl DetailField {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 6] = [
        Self::Note,
        Self::Assignee,
        Self::Due,
        Self::Help,
        Self::Required,
        Self::Kind,
    ];

    /// The places of a row where the search finds the value of a field.
    pub const SEARCHED: [&str; 2] = [".note", ".assignee bdi"];

    /// The word for hosts, in the detail of `checklist-change`.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Assignee => "assignee",
            Self::Due => "due",
            Self::Help => "help",
            Self::Required => "required",
            Self::Kind => "kind",
        }
    }

    /// The field that a problem points at: a JSON pointer into a call that changes one item.
    #[must_use]
    pub fn at(pointer: &str) -> Option<Self> {
        let member = pointer.strip_prefix("/Items/0/")?;
        // An assignee has members of its own.
        match member.split_once('/').map_or(member, |(member, _)| member) {
            "Note" => Some(Self::Note),
            "Assignee" => Some(Self::Assignee),
            "Due" => Some(Self::Due),
            "Help" => Some(Self::Help),
            _ => None,
        }
    }

    /// The selector of the field that gets the focus.
    #[must_use]
    pub const fn selector(self) -> &'static str {
        match self {
            Self::Note => ".editor textarea",
            Self::Assignee => ".editor input[type=text]",
            Self::Due => ".editor input[type=date]",
            Self::Help => ".editor textarea[rows='4']",
            Self::Required | Self::Kind => ".editor input[type=checkbox]",
        }
    }

    /// The value of an item, as hosts read it.
    #[must_use]
    pub fn value(self, item: &Item) -> Option<String> {
        match self {
            Self::Note => item.note.clone(),
            Self::Assignee => item.assignee.as_ref().map(|who| who.name.clone()),
            Self::Due => item.due.map(|due| due.to_string()),
            Self::Help => item.help.as_ref().map(|help| resolve(help).to_owned()),
            Self::Required => Some(item.required.to_string()),
            Self::Kind => Some(item.kind.name().to_owned()),
        }
    }

    /// Whether an update changes it.
    #[must_use]
    pub fn is_changed_by(self, update: &UpdateItem) -> bool {
        !match self {
            Self::Note => update.note.is_keep(),
            Self::Assignee => update.assignee.is_keep(),
            Self::Due => update.due.is_keep(),
            Self::Help => update.help.is_keep(),
            Self::Required => update.required.is_none(),
            Self::Kind => update.kind.is_none(),
        }
    }

    /// The values that the search looks into.
    #[must_use]
    pub fn searched(item: &Item) -> [Option<&String>; 2] {
        let name = item.assignee.as_ref().map(|who| &who.name);
        [item.note.as_ref(), name]
    }
}

impl Details {
    /// The values of an item, all of them.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        Self {
            note: Some(item.note.clone().unwrap_or_default()),
            assignee: Some(item.assignee.clone().unwrap_or_default()),
            due: Some(item.due),
            help: Some(help_of(item).to_owned()),
            required: Some(item.required),
            kind: Some(item.kind),
        }
    }

    /// The values that an update sets; `None` if it sets none of them.
    #[must_use]
    pub fn of_update(update: &UpdateItem) -> Option<Self> {
        let text = |value: Option<&String>| value.cloned().unwrap_or_default();
        let details = Self {
            note: update.note.new_value().map(text),
            assignee: (update.assignee.new_value()).map(|who| who.cloned().unwrap_or_default()),
            due: update.due.new_value().map(|due| due.copied()),
            help: update.help.new_value().map(text),
            required: update.required,
            kind: update.kind,
        };
        (details != Self::default()).then_some(details)
    }

    /// The same with what was typed in its place.
    #[must_use]
    pub fn with(self, typed: Self) -> Self {
        Self {
            note: typed.note.or(self.note),
            assignee: typed.assignee.or(self.assignee),
            due: typed.due.or(self.due),
            help: typed.help.or(self.help),
            required: typed.required.or(self.required),
            kind: typed.kind.or(self.kind),
        }
    }

    /// The first field that there is something of.
    #[must_use]
    pub const fn first(&self) -> DetailField {
        if self.note.is_some() {
            DetailField::Note
        } else if self.assignee.is_some() {
            DetailField::Assignee
        } else if self.due.is_some() {
            DetailField::Due
        } else if self.help.is_some() {
            DetailField::Help
        } else {
            DetailField::Required
        }
    }

    /// What changes an item into these values; nothing else. `None` if nothing changes.
    #[must_use]
    pub fn update(&self, item: &Item) -> Option<UpdateItem> {
        let update = UpdateItem {
            note: patch_of(self.note.as_deref(), item.note.as_deref()),
            assignee: assignee_patch(self.assignee.as_ref(), item.assignee.as_ref()),
            // The field knows minutes only; a due date that was not touched keeps its seconds.
            due: match self.due {
                Some(due) if due != item.due => due.map_or(Patch::Clear, Patch::Set),
                _ => Patch::Keep,
            },
            help: patch_of(self.help.as_deref(), Some(help_of(item))),
            required: self.required.filter(|required| *required != item.required),
            kind: self.kind.filter(|kind| *kind != item.kind),
            ..UpdateItem::of(item.id)
        };
        let is_changed = DetailField::ALL
            .iter()
            .any(|field| field.is_changed_by(&update));
        is_changed.then_some(update)
    }
}

/// The help as it is shown.
fn help_of(item: &Item) -> &str {
    item.help.as_ref().map_or("", resolve)
}

/// The name of the person who is assigned, typed again, is that person; somebody else with the same
/// name has to be picked.
fn assignee_patch(typed: Option<&Assignee>, shown: Option<&Assignee>) -> Patch<Assignee> {
    let Some(typed) = typed else {
        return Patch::Keep;
    };
    let typed = typed.tidy();
    let is_shown_name = |typed: &Assignee| {
        let name = shown.map(|shown| shown.name.as_str());
        typed.is_text() && name == Some(&typed.name)
    };
    match typed {
        typed if typed.as_ref() == shown => Patch::Keep,
        Some(typed) if is_shown_name(&typed) => Patch::Keep,
        typed => typed.map_or(Patch::Clear, Patch::Set),
    }
}

fn patch_of(typed: Option<&str>, shown: Option<&str>) -> Patch<String> {
    match typed.map(str::trim) {
        None => Patch::Keep,
        Some(typed) if typed == shown.unwrap_or_default() => Patch::Keep,
        Some("") => Patch::Clear,
        Some(typed) => Patch::Set(typed.to_owned()),
    }
}
