//! What may be done here and in which language: everything that changes the structure of the view.
//!
//! Derived from the descriptors, the permissions and the lock. Views are built for one mode and
//! rebuilt when it changes, which is rare, so they need no signals for it.

use std::cell::RefCell;

use checklist_shared::language_tag::is_language_tag;
use checklist_shared::permission::Permission as P;

use super::list::ListState;
use crate::i18n::{Texts, Words};
use crate::port::Settings;

/// Whether the list can be changed, and else why not. A lock says more than this, and by whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// It can be changed, as far as permissions go.
    #[default]
    Open,
    /// The form has disabled the control.
    Disabled,
    /// The page allows no changes.
    ReadOnly,
    /// This person may only read.
    Reader,
}

/// What is permitted, and the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// The words, and their language.
    pub words: Words,
    /// The reader's language tag, for dates and for the server.
    pub tag: &'static str,
    /// Whether checkboxes are there at all.
    pub boxes: bool,
    /// Whether they can be changed.
    pub check: bool,
    /// Whether texts, notes, assignees and due dates can be changed.
    pub edit: bool,
    /// Whether items can be added.
    pub add: bool,
    /// Whether items can be deleted.
    pub delete: bool,
    /// Whether items can be moved.
    pub reorder: bool,
    /// Whether a template's changes can be applied.
    pub refresh: bool,
    /// Whether the list can be waived, and that be revoked.
    pub waive: bool,
    /// Whether the form has disabled the control.
    pub disabled: bool,
    /// Whether the list can be changed, and else why not.
    pub access: Access,
    /// Whether a form requires the list to be completed.
    pub is_required: bool,
    /// Whether the list is one line until somebody opens it.
    pub compact: bool,
    /// Whether rows are as low as they can be.
    pub is_dense: bool,
}

impl Mode {
    /// The mode that follows from all that; `language` is the page's, where settings name none.
    #[must_use]
    pub fn of(settings: &Settings, language: &str, state: &ListState) -> Self {
        // The server refuses what is no tag, and a typing error of the page hides no list.
        let tag = if is_language_tag(&settings.lang) {
            &settings.lang
        } else {
            language
        };
        let open = !settings.readonly
            && !settings.disabled
            && !settings.shows_named_run()
            && state.list.locked.is_none();
        let may = |permission| open && state.meta.permissions.allows(permission);
        let write = |permission| !settings.disable_edit && may(permission);
        Self {
            words: settings.words.unwrap_or_else(|| Words::of(tag)),
            boxes: !settings.disable_check,
            check: !settings.disable_check && may(P::Check),
            edit: write(P::Edit),
            add: write(P::Add),
            delete: write(P::Delete),
            reorder: write(P::Reorder),
            refresh: write(P::Refresh),
            waive: may(P::Waive),
            disabled: settings.disabled,
            access: access(settings, state),
            is_required: settings.required,
            compact: settings.compact,
            is_dense: settings.dense,
            tag: interned_tag(tag),
        }
    }

    /// The mode of rows that belong to no one list: words and dates in that language.
    #[must_use]
    pub fn in_language(words: Words, tag: &str) -> Self {
        Self {
            words,
            tag: interned_tag(tag),
            ..Self::default()
        }
    }

    /// Whether rows can be selected: there is something to be done with them.
    #[must_use]
    pub const fn selects(&self) -> bool {
        !self.disabled && (self.check || self.edit || self.delete)
    }

    /// The texts in the reader's language.
    #[must_use]
    pub const fn texts(&self) -> &'static Texts {
        self.words.texts
    }
}

fn access(settings: &Settings, state: &ListState) -> Access {
    let permissions = state.meta.permissions;
    let changes = [
        P::Check,
        P::Edit,
        P::Add,
        P::Delete,
        P::Reorder,
        P::Refresh,
        P::Waive,
    ];
    let may_change = changes.iter().any(|change| permissions.allows(*change));
    if settings.disabled {
        Access::Disabled
    } else if settings.readonly || settings.shows_named_run() {
        Access::ReadOnly
    } else if state.meta.loaded && !may_change {
        Access::Reader
    } else {
        Access::Open
    }
}

thread_local! {
    static TAGS: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The tag, kept for as long as the page lives: a page has few of them, and a mode that is a
/// plain copy is cheap to hold in every view.
fn interned_tag(tag: &str) -> &'static str {
    TAGS.with_borrow_mut(|tags| {
        if let Some(known) = tags.iter().find(|known| **known == tag) {
            return *known;
        }
        let kept: &'static str = Box::leak(tag.to_owned().into_boxed_str());
        tags.push(kept);
        kept
    })
}
