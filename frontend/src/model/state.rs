//! The state of one control: the list, what views show of it, and the effects that are to be run.
//!
//! Only `update` changes it.

use std::rc::Rc;

use checklist_shared::{Context, Item, ItemId};

use super::arrange::Groups;
use super::draft::{PendingDraft, StoredDraft};
use super::effect::Effect;
use super::flush::Flush;
use super::list::ListState;
use super::message::MessageContext;
use super::mode::Mode;
use super::reading::ReadState;
use super::rows::Rows;
use super::selecting::Selection;
use super::sync::{Sync, SyncProblem};
use super::unsent::UnsentStorage;
use super::view_data::{CardState, Phase};
use super::visibility::Visibility;
use crate::i18n::Texts;
use crate::port::Settings;

/// The state of one control.
#[derive(Debug)]
pub struct Model {
    /// The host's settings.
    pub settings: Rc<Settings>,
    /// The language of the page, for settings that name none.
    pub language: String,
    /// The list with what waits for the server on top.
    pub list: ListState,
    /// The permitted actions and the language.
    pub mode: Mode,
    /// The display state outside the rows.
    pub card: CardState,
    /// The display state of rows, besides their items.
    pub rows: Rows,
    /// The groups with their rows, as they were drawn last.
    pub groups: Groups,
    /// The rows that the viewer does not want to see, by their groups.
    pub folded: Groups,
    pub(super) view: Visibility,
    pub(super) selection: Selection,
    /// The state of sending.
    pub sync: Sync,
    /// Why nothing reaches the server, as far as is known.
    pub(super) problem: Option<SyncProblem>,
    /// Why the stream of changes cannot be opened.
    pub(super) cut_off: Option<SyncProblem>,
    pub(super) reading: ReadState,
    pub(super) flush: Flush,
    /// What was done in a draft, while its list is on its way.
    pub(super) adopting: Option<PendingDraft>,
    /// What was done in a draft before its page was left, until there is a template again.
    pub(super) brought_back: Option<StoredDraft>,
    /// Who the unsent operations belong to; `None` until a token was read.
    pub principal: Option<String>,
    pub(super) kept: UnsentStorage,
    /// The operations that are kept outside of the page.
    pub(super) stored: Vec<String>,
    /// Operations whose "Saved." is still to be said.
    pub(super) unsaid: Vec<String>,
    pub(super) journal_told: bool,
    /// Whether something is drawn only when nothing is edited any more.
    pub(super) held_back: bool,
    /// Counts news of others, and timers.
    pub(super) count: u32,
    pub(super) ended: bool,
    pub(super) given: MessageContext,
    pub(super) effects: Vec<Effect>,
}

impl Model {
    /// A control that nothing has happened to.
    #[must_use]
    pub fn new(settings: Rc<Settings>, language: String, given: MessageContext) -> Self {
        let list = ListState::new(context_of(&settings));
        let mut model = Self {
            list,
            settings,
            language,
            mode: Mode::default(),
            card: CardState::default(),
            rows: Rows::default(),
            groups: Groups::new(),
            folded: Groups::new(),
            view: Visibility::default(),
            selection: Selection::default(),
            sync: Sync::Idle,
            problem: None,
            cut_off: None,
            reading: ReadState::default(),
            flush: Flush::default(),
            adopting: None,
            brought_back: None,
            principal: None,
            kept: UnsentStorage::default(),
            stored: Vec::new(),
            unsaid: Vec::new(),
            journal_told: false,
            held_back: false,
            count: 0,
            ended: false,
            given,
            effects: Vec::new(),
        };
        model.mode = Mode::of(&model.settings, &model.language, &model.list);
        model
    }

    /// The item as it is shown.
    #[must_use]
    pub fn item(&self, id: ItemId) -> Option<Item> {
        self.list.live(id).cloned()
    }

    /// The context of the calls; `None` while there is no object.
    #[must_use]
    pub fn context(&self) -> Option<Context> {
        let context = context_of(&self.settings);
        (!context.object_id.is_empty() && !context.object_type.is_empty()).then_some(context)
    }

    /// Whether there is no object yet.
    #[must_use]
    pub fn is_draft(&self) -> bool {
        self.settings.object_id.is_empty()
    }

    pub(super) fn is_ready(&self) -> bool {
        self.card.phase == Phase::Ready
    }

    pub(super) fn texts(&self) -> &'static Texts {
        self.mode.texts()
    }

    pub(super) fn next_number(&mut self) -> u32 {
        self.count = self.count.wrapping_add(1);
        self.count
    }
}

/// The context that the settings identify.
#[must_use]
pub fn context_of(settings: &Settings) -> Context {
    let named = Context::new(
        &settings.object_type,
        &settings.object_id,
        &settings.purpose,
    );
    Context {
        template_id: Some(settings.template.clone()).filter(|template| !template.is_empty()),
        ..named
    }
}
