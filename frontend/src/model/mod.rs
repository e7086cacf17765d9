//! The state of a control and its logic, without a browser: messages in, effects out.
//!
//! [`update`] takes a [`Msg`] and returns the resulting [`Effect`]s. Nothing here has a
//! clock, randomness or a page; all of it is tested natively. [`list`] contains the list and applies
//! changes optimistically ([`optimistic`]), [`queue`] keeps the [`operation`]s in order
//! until the server has answered, [`policy`] decides what an answer means for sending, [`notice`]
//! what it means for the reader.

mod acting;
pub mod announcer;
pub mod arrange;
pub mod bulk;
pub mod details;
pub mod draft;
mod drafting;
pub mod dragging;
mod editing;
pub mod effect;
pub mod error;
mod flush;
pub mod history;
pub mod late;
pub mod list;
mod live;
mod load;
pub mod message;
pub mod mode;
pub mod moves;
mod moving;
pub mod notice;
pub mod operation;
pub mod optimistic;
mod outcome;
pub mod pasting;
mod perform;
pub mod policy;
pub mod queue;
mod reading;
mod review;
pub mod rows;
pub mod search;
pub mod selecting;
pub mod served;
mod settings;
mod snapshot;
mod speech;
pub mod suggestions;
pub mod sync;
pub mod undo;
mod undoing;
pub mod unsent;
pub mod view_data;
pub mod visibility;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use checklist_shared::{Context, Item, ItemId};

use crate::i18n::Texts;
use crate::port::{ErrorDetail, Settings};
use arrange::Groups;
use draft::{PendingDraft, StoredDraft};
use effect::Effect;
use flush::Flush;
use list::{DirtyRows, ListState};
use message::{MessageContext, Msg, Timer};
use mode::Mode;
use reading::ReadState;
use rows::Rows;
use selecting::Selection;
pub use snapshot::open_items_sentence;
pub use speech::count_sentence;
use sync::Sync;
pub use sync::{Connection, SyncProblem};
use unsent::UnsentStorage;
use view_data::{CardState, Phase};
use visibility::Visibility;

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
    view: Visibility,
    selection: Selection,
    /// The state of sending.
    pub sync: Sync,
    /// Why nothing reaches the server, as far as is known.
    problem: Option<SyncProblem>,
    /// Whether the stream of changes cannot be opened.
    cut_off: bool,
    reading: ReadState,
    flush: Flush,
    /// What was done in a draft, while its list is on its way.
    adopting: Option<PendingDraft>,
    /// What was done in a draft before its page was left, until there is a template again.
    brought_back: Option<StoredDraft>,
    /// Who the unsent operations belong to; `None` until a token was read.
    pub principal: Option<String>,
    kept: UnsentStorage,
    /// The operations that are kept outside of the page.
    stored: Vec<String>,
    /// Operations whose "Saved." is still to be said.
    unsaid: Vec<String>,
    journal_told: bool,
    /// Whether something is drawn only when nothing is edited any more.
    held_back: bool,
    /// Counts news of others, and timers.
    count: u32,
    ended: bool,
    given: MessageContext,
    effects: Vec<Effect>,
}

/// Handles a message; returns the resulting effects.
pub fn update(model: &mut Model, message: Msg, given: MessageContext) -> Vec<Effect> {
    if model.ended {
        return model.answer_after_end(message);
    }
    model.given = given;
    model.take(message);
    std::mem::take(&mut model.effects)
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
            cut_off: false,
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

    fn take(&mut self, message: Msg) {
        if message.is_late() {
            return self.take_late(message);
        }
        match message {
            Msg::Begin(drawn) => self.begin(drawn),
            Msg::Configure(settings, language) => self.configure(settings, language),
            Msg::Flush(waiter) => self.flush(waiter),
            Msg::Refresh(waiter) => self.refresh(waiter),
            Msg::Reset => self.reset(),
            Msg::SubmitWaits(waits) => self.submit_waits(waits),
            Msg::End => self.end(),
            Msg::Do(action) => self.perform_first(action),
            Msg::Allowed(act) => self.act(*act),
            Msg::ListRead(load, result, me) => self.list_read(load, result, me),
            Msg::ChangesRead(load, result) => self.changes_read(load, result),
            Msg::Identified(load, me) => self.on_identified(load, me),
            Msg::Stored(kept) => self.set_unsent_storage(kept),
            Msg::ViewRecalled(choice) => self.view_recalled(choice),
            Msg::Answered(id, result) => self.on_answer(&id, result),
            Msg::Present(others) => self.present(others),
            Msg::Stream(open) => self.stream(open),
            Msg::Back => self.look_again(),
            Msg::Online => {
                self.wake();
                self.look_again();
            }
            Msg::Over(timer) => self.on_timer(timer),
            // Late, and taken above.
            Msg::BringBack(_)
            | Msg::Recalled(_)
            | Msg::HistoryRead(..)
            | Msg::PeopleFound(..)
            | Msg::Reviewed(..)
            | Msg::Heard(_) => {}
        }
    }

    fn on_timer(&mut self, timer: Timer) {
        match timer {
            Timer::Retry(number) => self.retry(number),
            Timer::Load(number) => self.retry_load(number),
            Timer::Flush(number) => self.flush_late(number),
            Timer::Suggest(id, number) => self.ask_people(id, number),
            Timer::SuggestSlow(id, number) => self.people_slow(id, number),
            Timer::Fresh(news) => {
                let faded = self.rows.fade(news);
                self.effects.extend(faded.into_iter().map(Effect::DrawRow));
            }
        }
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

    fn is_ready(&self) -> bool {
        self.card.phase == Phase::Ready
    }

    fn texts(&self) -> &'static Texts {
        self.mode.texts()
    }

    fn next_number(&mut self) -> u32 {
        self.count = self.count.wrapping_add(1);
        self.count
    }

    fn error(&mut self, error: ErrorDetail) {
        self.flush.failed.get_or_insert_with(|| error.clone());
        self.effects.push(Effect::Error(error));
    }

    /// Draws rows; what the groups are follows from the list.
    fn draw(&mut self, mut affected: DirtyRows) {
        affected.structural |= self.concerns_hidden(&affected);
        self.arrange(&affected);
        self.effects.push(Effect::Draw(affected));
    }

    fn arrange(&mut self, affected: &DirtyRows) {
        if affected.structural {
            self.arrange_view();
            let list = &self.list;
            self.rows.retain(|id| list.live(id).is_some());
            self.prune_selection();
        }
        self.follow_search(affected);
    }
}

/// The context that the settings identify.
#[must_use]
pub fn context_of(settings: &Settings) -> Context {
    Context {
        object_type: settings.object_type.clone(),
        object_id: settings.object_id.clone(),
        purpose: settings.purpose.clone(),
        template_id: Some(settings.template.clone()).filter(|template| !template.is_empty()),
    }
}
