//! The interface between a checklist and its host: calls of the host, and callbacks to it.
//!
//! The custom element and the Leptos component both implement [`Host`] and use a
//! [`Controller`](crate::control::Controller). Everything here is plain data, so that it can be
//! built and compared in tests without a browser.

use std::future::Future;
use std::pin::Pin;

use checklist_shared::assignee::Assignee;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::progress::{Counts, State};
use checklist_shared::{Context, ItemId};

use crate::i18n::Words;

/// A future that lives on the page's one thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Receives the token, or a sentence for people that says why there is none.
pub type TokenCallback = Box<dyn FnOnce(Result<String, String>)>;

/// Receives the matching people, or a sentence for people that says why there are none.
pub type PeopleCallback = Box<dyn FnOnce(Result<Vec<Person>, String>)>;

/// Called on completion, or with the error.
pub type CompletionCallback = Box<dyn FnOnce(Result<(), ErrorDetail>)>;

macro_rules! settings {
    (texts { $($(#[doc = $text_doc:tt])+ $text:ident $text_attribute:tt $default:tt;)* }
     flags { $($(#[doc = $flag_doc:tt])+ $flag:ident $flag_attribute:tt $flag_more:tt;)* }
     choices { $($(#[doc = $choice_doc:tt])+ $choice:ident $choice_attribute:tt $choice_more:tt;)* }
     page { $($page:tt)* }) => {
        /// The descriptors, as attributes and properties say them.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Settings {
            $($(#[doc = $text_doc])+ pub $text: String,)*
            $($(#[doc = $flag_doc])+ pub $flag: bool,)*
            $($(#[doc = $choice_doc])+ pub $choice: bool,)*
            /// The texts; the default is those of the language tag.
            pub words: Option<Words>,
            /// What the page's labels say of the control; nothing without labels.
            pub labels: String,
        }

        impl Settings {
            /// Whether a run is asked for by its number. It is shown as it is, also the present one, and
            /// nothing can be changed there.
            #[must_use]
            pub fn shows_named_run(&self) -> bool {
                !self.run.is_empty()
            }

            /// The settings of an element: what its attributes of text say, and which of the
            /// others are set.
            #[must_use]
            pub fn of_attributes(
                text: impl Fn(&str) -> String,
                is_set: impl Fn(&str) -> bool,
                words: Option<Words>,
            ) -> Self {
                Self {
                    $($text: text($text_attribute),)*
                    $($flag: is_set($flag_attribute),)*
                    $($choice: is_set($choice_attribute),)*
                    words,
                    labels: String::new(),
                }
            }
        }
    };
}

checklist_descriptors::descriptors!(settings);

/// What a host does for a checklist.
///
/// Every method is called on the page's thread and may call back into the controller.
pub trait Host {
    /// Asks before something happens (the cancelable events); `false` stops it.
    fn before(&self, what: CancelableEvent, item: Option<ItemId>) -> bool;

    /// Something that hosts can see has changed. Called synchronously, before
    /// [`Host::completed_changed`] and [`Host::user_change`], so that the form value, validity
    /// and states are right when listeners run.
    fn changed(&self, snapshot: &Snapshot);

    /// A person has changed something.
    fn user_change(&self, change: ChangeDetail);

    /// `completed` has another value than before.
    fn completed_changed(&self, completed: bool);

    /// `state` has another value than before.
    fn state_changed(&self, _state: State) {}

    /// Something went wrong that a host may want to know.
    fn error(&self, problem: ErrorDetail);

    /// A token that covers `contexts`. The host caches; [`TokenReason::Renew`] means that the
    /// cached one was refused.
    fn token(&self, contexts: Vec<Context>, reason: TokenReason, done: TokenCallback);

    /// Distinguishes where tokens come from: what one source gives is not for the lists of another.
    fn token_source(&self) -> usize {
        0
    }

    /// Whether there are people to choose from.
    fn has_people(&self) -> bool {
        false
    }

    /// People whose names begin so; nobody waits for the answer before any longer.
    fn find_people(&self, _prefix: String, done: PeopleCallback) {
        done(Ok(Vec::new()));
    }
}

/// Somebody whom a host offers as an assignee or for a mention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Who it is: the `sub` of their tokens, so that they find their items. Empty: the name.
    pub id: String,
    /// The name, as it is shown.
    pub name: String,
    /// What distinguishes people of the same name, such as a department or an address; may be empty.
    pub detail: String,
}

impl Person {
    /// The same as somebody whom items are assigned to.
    #[must_use]
    pub fn assignee(&self) -> Assignee {
        if self.id.is_empty() {
            self.name.as_str().into()
        } else {
            Assignee::new(&self.id, &self.name)
        }
    }
}

/// A change that a host can cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelableEvent {
    /// A status is about to be set.
    Check,
    /// Something is about to be added, edited or moved.
    Edit,
    /// An item is about to be deleted.
    Delete,
    /// The template's changes are about to be applied.
    Refresh,
    /// The list is about to be waived, or its waiver revoked.
    Waive,
}

impl CancelableEvent {
    /// The name, as in the event `before-checklist-<name>`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Refresh => "refresh",
            Self::Waive => "waive",
        }
    }
}

/// Why a token is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenReason {
    /// To read or to write; a cached one will do.
    Call,
    /// The last one was refused; a new one is needed.
    Renew,
}

impl TokenReason {
    /// The name that the token provider gets.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Renew => "renew",
        }
    }
}

/// What a host can see of a checklist, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// `Unknown` while loading and after an error.
    pub state: State,
    /// The brief's Completed: true for `Complete` alone.
    pub completed: bool,
    /// The number of items of each status.
    pub counts: Counts,
    /// The first items that keep the list from being complete, with their texts.
    pub blockers: Vec<(ItemId, String)>,
    /// The latest known revision; 0 for a list that was never written.
    pub revision: u64,
    /// Operations that the server has not confirmed yet.
    pub pending: u32,
    /// The server could not be reached; operations wait.
    pub offline: bool,
    /// The list could not be loaded.
    pub error: bool,
    /// Nothing can be changed: `readonly`, `disabled` or locked.
    pub readonly: bool,
    /// Somebody has locked the list.
    pub locked: bool,
    /// There is no object yet; changes wait for it.
    pub draft: bool,
    /// Something keeps a form that requires the list from being sent: an open item that nobody has
    /// waived, or a change that the server has not confirmed.
    pub incomplete: bool,
    /// A sentence that says what is still open, in the reader's language; empty when nothing is.
    pub still_open: String,
}

/// What a person has changed: the detail of `checklist-change`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeDetail {
    /// `check`, `uncheck`, `not-applicable`, `text`, `note`, `assignee`, `due`, `add`, `delete`,
    /// `move`, `undo`, `redo`, `refresh`, `waive` or `revoke-waiver`.
    pub what: &'static str,
    /// The item; `None` for the list as a whole.
    pub item: Option<ItemId>,
    /// Every item that was changed by it; nothing where only the server knows.
    pub items: Vec<ItemId>,
    /// The value before, where one value changed.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
}

/// The detail of the event `checklist-error`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorDetail {
    /// The problem's code, for example `Locked`, or `Network`, `Token`, `Unreadable`,
    /// `StorageUnavailable`.
    pub code: String,
    /// The HTTP status; 0 when there was no answer.
    pub status: u16,
    /// A sentence for people.
    pub message: String,
    /// The item concerned.
    pub item: Option<ItemId>,
}

impl ErrorDetail {
    /// The error of a single item of a batch.
    #[must_use]
    pub fn of_item(code: ItemProblemCode, name: &str, message: String, item: ItemId) -> Self {
        let status = if code.is_conflict() { 409 } else { 422 };
        Self {
            code: name.to_owned(),
            status,
            message,
            item: Some(item),
        }
    }
}
