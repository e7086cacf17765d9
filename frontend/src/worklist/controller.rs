//! A worklist on a page: reads items, ticks them, reads on, and reads again when somebody looks at the
//! page again.
//!
//! A row that was ticked stays until the next reading, so that nothing moves under the pointer. The
//! custom element uses a [`WorklistController`], and so does `application` for Leptos applications.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use checklist_shared::assignee::{Assignee, ambiguous_names};
use checklist_shared::item::{Item, Status};
use checklist_shared::language_tag::is_language_tag;
use checklist_shared::wire::find::{FindItems, FoundItem, FoundItems};
use checklist_shared::wire::write::{UpdateItem, WriteOutcome};
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::form::OpenForm;
use super::row::RowState;
use super::settings::{OpenDetail, TickDetail, WorklistHost, WorklistSettings};
use super::wording::Wording;
use crate::api::client::{self, Connection, Renewal};
use crate::api::tick;
use crate::browser;
use crate::effects::listeners::{Callback, Listeners};
use crate::i18n::plural;
use crate::model::error::Error;
use crate::model::mode::Mode;
use crate::model::notice::Notice;
use crate::model::policy::{self, RetryDecision};
use crate::model::support::StatusSupport;
use crate::port::ErrorDetail;

/// What is on the screen as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing has been read yet.
    Loading,
    /// Nothing could be read; why.
    Failed(String),
    /// The items were read.
    Ready,
}

/// What happens at the end of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nothing.
    Idle,
    /// The first items are read again, or further ones.
    Busy,
    /// They could not be read; why.
    Failed(String),
}

/// A row; all clones are one row.
#[derive(Clone)]
pub(super) struct Row {
    /// Distinguishes the item from those of all lists.
    pub(super) key: String,
    /// Distinguishes the row's elements from those of all rows of the page.
    pub(super) id: u32,
    pub(super) state: ArcRwSignal<RowState>,
    /// What the item needs beyond a tick, while that is asked for.
    pub(super) form: ArcRwSignal<Option<OpenForm>>,
}

thread_local! {
    /// How many rows were made.
    static ROWS: Cell<u32> = const { Cell::new(0) };
}

impl Row {
    fn new(found: FoundItem) -> Self {
        Self {
            key: key_of(&found),
            id: ROWS.replace(ROWS.get() + 1),
            state: ArcRwSignal::new(RowState::new(found)),
            form: ArcRwSignal::new(None),
        }
    }
}

/// Distinguishes an item from those of all lists.
fn key_of(found: &FoundItem) -> String {
    let context = &found.context;
    let parts = [
        &context.object_type,
        &context.object_id,
        &context.purpose,
        &found.item.id.to_text(),
    ];
    // No name on the wire holds a line break.
    parts.map(String::as_str).join("\n")
}

/// Milliseconds between two looks at what others have done.
const FOLLOW_EVERY: u32 = 10_000;
/// After so many looks in a row that failed, the list says that it may be out of date.
const PATIENCE: u32 = 3;

/// A worklist on a page. Cheap to clone; all clones are one worklist.
#[derive(Clone)]
pub struct WorklistController(SendWrapper<Rc<Inner>>);

struct Inner {
    host: Rc<dyn WorklistHost>,
    settings: ArcRwSignal<WorklistSettings>,
    /// Counts readings from the beginning, so that an outdated answer is not shown.
    newest: Cell<u32>,
    /// Counts what makes the answer to a look outdated: readings, and ticks that begin or end.
    deeds: Cell<u32>,
    /// Looks in a row that failed, and may succeed later.
    failed_looks: Cell<u32>,
    /// What the rows on the screen answer; further ones belong to the same question.
    question: RefCell<FindItems>,
    stage: ArcRwSignal<Stage>,
    reading: ArcRwSignal<Reading>,
    rows: ArcRwSignal<Vec<Row>>,
    /// The names that several assignees of them have.
    ambiguous_names: ArcRwSignal<Vec<String>>,
    next: ArcRwSignal<Option<String>>,
    spoken: ArcRwSignal<String>,
    listeners: RefCell<Option<Listeners>>,
}

impl WorklistController {
    /// A worklist for that host; starts to read at once.
    #[must_use]
    pub fn new(host: Rc<dyn WorklistHost>, settings: WorklistSettings) -> Self {
        let worklist = Self(SendWrapper::new(Rc::new(Inner {
            host,
            settings: ArcRwSignal::new(settings),
            newest: Cell::new(0),
            deeds: Cell::new(0),
            failed_looks: Cell::new(0),
            question: RefCell::default(),
            stage: ArcRwSignal::new(Stage::Loading),
            reading: ArcRwSignal::new(Reading::Idle),
            rows: ArcRwSignal::new(Vec::new()),
            ambiguous_names: ArcRwSignal::new(Vec::new()),
            next: ArcRwSignal::new(None),
            spoken: ArcRwSignal::new(String::new()),
            listeners: RefCell::new(None),
        })));
        worklist.listen();
        worklist.load();
        worklist.follow(FOLLOW_EVERY);
        worklist
    }

    /// Shows something else, when it is something else.
    pub fn set_settings(&self, settings: WorklistSettings) {
        let inner = &self.0;
        let before = inner.settings.get_untracked();
        if before == settings {
            return;
        }
        let only_links = WorklistSettings {
            href: settings.href.clone(),
            ..before.clone()
        } == settings;
        let only_words = WorklistSettings {
            href: settings.href.clone(),
            lang: settings.lang.clone(),
            words: settings.words,
            ..before
        } == settings;
        inner.settings.set(settings);
        if only_links {
            return;
        }
        if !only_words {
            // What somebody types stays, whatever the page looks for meanwhile.
            let is_open = |row: &Row| row.form.with_untracked(Option::is_some);
            inner.rows.update(|rows| rows.retain(is_open));
            inner.stage.set(Stage::Loading);
        }
        self.load();
    }

    /// Reads the items again; rows stay until the answer is there.
    pub fn refresh(&self) {
        self.load();
    }

    /// Ends what happens by itself.
    pub fn dispose(&self) {
        self.0.listeners.replace(None);
        // An answer that is still on its way is nobody's.
        self.0.newest.set(self.0.newest.get() + 1);
    }

    fn listen(&self) {
        let Some(window) = web_sys::window() else {
            return;
        };
        let mut listeners = Listeners::default();
        let back = Rc::downgrade(&self.0);
        let seen = Callback::new(move |_| {
            if let Some(inner) = back.upgrade().filter(|_| browser::is_visible()) {
                Self(SendWrapper::new(inner)).load();
            }
        });
        if let Some(document) = window.document() {
            listeners.add(document.into(), "visibilitychange", seen);
        }
        let back = Rc::downgrade(&self.0);
        let online = Callback::new(move |_| {
            let failed = |inner: &Rc<Inner>| {
                matches!(inner.stage.get_untracked(), Stage::Failed(_))
                    || matches!(inner.reading.get_untracked(), Reading::Failed(_))
            };
            if let Some(inner) = back.upgrade().filter(failed) {
                Self(SendWrapper::new(inner)).load();
            }
        });
        listeners.add(window.into(), "online", online);
        self.0.listeners.replace(Some(listeners));
    }

    /// Looks every few seconds at what others have done, as long as somebody looks at the page: one look
    /// after the other, and less often while they fail.
    fn follow(&self, wait: u32) {
        let back = Rc::downgrade(&self.0);
        let look = move || {
            let Some(inner) = back.upgrade() else { return };
            if inner.listeners.borrow().is_none() {
                return; // taken away
            }
            Self(SendWrapper::new(inner)).read_changes();
        };
        browser::set_timeout(wait, Box::new(look));
    }

    fn read_changes(&self) {
        let inner = &self.0;
        let is_free = match inner.reading.get_untracked() {
            Reading::Idle => true,
            Reading::Busy => false,
            // What looking will not mend waits for somebody.
            Reading::Failed(_) => inner.failed_looks.get() > 0,
        };
        if inner.stage.get_untracked() != Stage::Ready || !is_free || !browser::is_visible() {
            self.follow(FOLLOW_EVERY);
            return;
        }
        let number = inner.deeds.get();
        let shown = inner.rows.with_untracked(Vec::len) as u32;
        let mut question = inner.question.borrow().clone();
        let most = WorklistSettings::MOST;
        question.limit = question.limit.map(|limit| limit.max(shown.min(most)));
        let worklist = self.clone();
        client::call(&self.connection(), question, Renewal::Here, move |answer| {
            let wait = worklist.take_look(number, answer.result);
            worklist.follow(wait);
        });
    }

    /// Takes in what a look has found. Returns the milliseconds until the next one.
    fn take_look(&self, number: u32, answer: Result<FoundItems, Error>) -> u32 {
        let inner = &self.0;
        if inner.deeds.get() != number {
            return FOLLOW_EVERY; // something has happened here meanwhile
        }
        let error = match answer {
            Ok(found) => {
                inner.failed_looks.set(0);
                if inner.reading.get_untracked() != Reading::Idle {
                    inner.reading.set(Reading::Idle);
                }
                self.show_changes(found);
                return FOLLOW_EVERY;
            }
            Err(error) => error,
        };
        let failed = inner.failed_looks.get() + 1;
        // The token was renewed.
        let decision = policy::judge(error.reply(), failed, true, browser::chance());
        let (failed, wait) = match decision {
            RetryDecision::Again(wait) => (failed, wait.max(FOLLOW_EVERY)),
            _ => (0, FOLLOW_EVERY),
        };
        inner.failed_looks.set(failed);
        // Once: whoever does something is told again.
        if failed == 0 || failed == PATIENCE {
            let detail = self.tell(&error);
            inner.reading.set(Reading::Failed(detail.message));
        }
        wait
    }

    /// What was on its way when this happens says nothing any more.
    fn outdate_looks(&self) {
        self.0.deeds.set(self.0.deeds.get() + 1);
    }

    /// Rows show what has become of their items; none comes, goes or moves under the pointer.
    fn show_changes(&self, found: FoundItems) {
        let inner = &self.0;
        let rows = inner.rows.get_untracked();
        if rows.is_empty() {
            self.show(inner.newest.get(), Ok(found));
            return;
        }
        // Otherwise one that is not found may stand further down by now.
        let is_whole = found.next.is_none();
        let found: Vec<(String, FoundItem)> = (found.items.into_iter())
            .map(|found| (key_of(&found), found))
            .collect();
        for row in rows {
            let now = found.iter().find(|(key, _)| *key == row.key);
            let now = now.map(|(_, found)| found);
            let is_news = row
                .state
                .with_untracked(|state| state.is_news(now, is_whole));
            if is_news {
                row.state.update(|state| state.follow(now));
            }
        }
        self.compare_assignees();
    }

    fn load(&self) {
        let inner = &self.0;
        let number = inner.newest.get() + 1;
        inner.newest.set(number);
        self.outdate_looks();
        inner.failed_looks.set(0);
        if matches!(inner.stage.get_untracked(), Stage::Failed(_)) {
            inner.stage.set(Stage::Loading);
        }
        inner.reading.set(Reading::Busy);
        let today = browser::today().date;
        let question = inner.settings.with_untracked(|it| it.question(today));
        inner.question.replace(question.clone());
        // As many as are on the screen, so that none goes because somebody looked elsewhere.
        let shown = inner.rows.with_untracked(Vec::len) as u32;
        let limit = question.limit.map(|limit| {
            let most = WorklistSettings::MOST;
            limit.max(shown.min(most))
        });
        let worklist = self.clone();
        client::call(
            &self.connection(),
            FindItems { limit, ..question },
            Renewal::Here,
            move |answer| worklist.show(number, answer.result),
        );
    }

    fn show(&self, number: u32, answer: Result<FoundItems, Error>) {
        let inner = &self.0;
        if inner.newest.get() != number {
            return; // asked again meanwhile
        }
        match answer {
            Ok(found) => {
                let before = inner.rows.get_untracked();
                let is_whole = found.next.is_none();
                let rows = found.items.into_iter().map(|found| renewed(&before, found));
                let mut rows: Vec<Row> = rows.collect();
                let count = rows.len() as u32;
                keep_forms(&before, &mut rows, is_whole);
                inner.rows.set(rows);
                self.compare_assignees();
                inner.next.set(found.next);
                inner.reading.set(Reading::Idle);
                // Who has the items before them already is told of no number.
                if inner.stage.get_untracked() != Stage::Ready {
                    inner.stage.set(Stage::Ready);
                    self.say(plural(
                        self.mode().words,
                        self.wording().said_loaded,
                        count,
                        &[],
                    ));
                }
            }
            Err(error) => {
                let detail = self.tell(&error);
                if inner.stage.get_untracked() == Stage::Ready {
                    inner.reading.set(Reading::Failed(detail.message));
                } else {
                    inner.reading.set(Reading::Idle);
                    inner.stage.set(Stage::Failed(detail.message));
                }
            }
        }
        inner.host.shown();
    }

    /// Reads further items. `done` gets the number of the first of them.
    pub(super) fn load_more(&self, done: Box<dyn FnOnce(u32)>) {
        let inner = &self.0;
        let Some(after) = inner.next.get_untracked() else {
            return;
        };
        if inner.reading.get_untracked() == Reading::Busy {
            return;
        }
        inner.reading.set(Reading::Busy);
        self.outdate_looks();
        inner.failed_looks.set(0);
        let number = inner.newest.get();
        let question = FindItems {
            after: Some(after),
            ..inner.question.borrow().clone()
        };
        let worklist = self.clone();
        client::call(&self.connection(), question, Renewal::Here, move |answer| {
            worklist.append(number, answer.result, done)
        });
    }

    fn append(&self, number: u32, answer: Result<FoundItems, Error>, done: Box<dyn FnOnce(u32)>) {
        let inner = &self.0;
        if inner.newest.get() != number {
            return; // asked from the beginning meanwhile
        }
        match answer {
            Ok(found) => {
                let before = inner.rows.get_untracked();
                let is_new = |row: &Row| before.iter().all(|one| one.key != row.key);
                let rows = found.items.into_iter().map(|found| renewed(&before, found));
                let rows: Vec<Row> = rows.filter(is_new).collect();
                let count = rows.len() as u32;
                // The button goes with the last items, and the focus with it where none of them is new.
                let last = before.last().filter(|_| found.next.is_none());
                let first = rows.first().or(last).map(|row| row.id);
                inner.rows.update(|all| all.extend(rows));
                self.compare_assignees();
                inner.next.set(found.next);
                inner.reading.set(Reading::Idle);
                self.say(plural(
                    self.mode().words,
                    self.wording().said_more,
                    count,
                    &[],
                ));
                if let Some(first) = first {
                    done(first);
                }
            }
            Err(error) => {
                let detail = self.tell(&error);
                inner.reading.set(Reading::Failed(detail.message));
            }
        }
    }

    /// Sets the status that a person has clicked, with what it needs. `false`: nothing happens, because
    /// the page forbids it or the row does.
    pub(super) fn tick(&self, row: &Row, wanted: Status, given: StatusSupport) -> bool {
        let state = row.state.get_untracked();
        if state.obstacle().is_some() || state.sending.is_some() {
            return false;
        }
        let (item, context) = (&state.found.item, &state.found.context);
        let detail = TickDetail {
            context: context.clone(),
            item: item.id,
            before: item.status,
            after: wanted,
        };
        if !self.0.host.before_tick(&detail) {
            return false;
        }
        self.outdate_looks();
        row.state.update(|state| {
            state.sending = Some(wanted);
            state.notice = None;
        });
        let mut update = UpdateItem {
            base_version: Some(item.version),
            status: Some(wanted),
            seen_text_hash: (wanted == Status::Done).then(|| item.text_hash.clone()),
            ..UpdateItem::of(item.id)
        };
        given.put_into(&mut update, &Item::from(item.clone()), wanted);
        let operation = browser::new_id().to_text();
        let request = tick::update(&operation, update, context.clone(), false);
        let (worklist, row) = (self.clone(), row.clone());
        client::call(&self.connection(), request, Renewal::Here, move |answer| {
            worklist.finish_tick(&row, detail, answer.result)
        });
        true
    }

    fn finish_tick(&self, row: &Row, detail: TickDetail, answer: Result<WriteOutcome, Error>) {
        self.outdate_looks();
        let result = answer.map(|mut outcome| outcome.results.pop());
        match result {
            Ok(Some(result)) => {
                let mut is_done = false;
                row.state
                    .update(|state| is_done = state.accept(detail.after, result));
                let notice = row.state.with_untracked(|state| state.notice.clone());
                if let Some(notice) = notice {
                    self.say(self.sentence(&notice));
                }
                if is_done {
                    row.form.set(None);
                    let texts = self.mode().texts();
                    self.say(match detail.after {
                        Status::Open => texts.said_opened().to_owned(),
                        _ => texts.said_checked().to_owned(),
                    });
                    self.0.host.ticked(detail);
                } else {
                    self.show_in_form(row);
                }
            }
            Ok(None) => self.refuse(row, detail, &Error::no_json()),
            Err(error) => self.refuse(row, detail, &error),
        }
    }

    fn refuse(&self, row: &Row, detail: TickDetail, error: &Error) {
        row.state.update(|state| state.refuse(error.refusal()));
        self.say(self.sentence(&Notice::Refused(error.refusal(), None)));
        self.0.host.error(ErrorDetail {
            item: Some(detail.item),
            ..error.describe(self.mode().texts())
        });
    }

    /// A person opens the object of a row. `false`: no link is to be followed.
    pub(super) fn open(&self, detail: OpenDetail) -> bool {
        self.0.host.opened(detail)
    }

    fn tell(&self, error: &Error) -> ErrorDetail {
        let detail = error.describe(self.mode().texts());
        self.0.host.error(detail.clone());
        detail
    }

    pub(super) fn say(&self, sentence: String) {
        // The same sentence twice would be read once: the screen reader hears of changes alone.
        self.0.spoken.set(String::new());
        let spoken = self.0.spoken.clone();
        browser::set_timeout(50, Box::new(move || spoken.set(sentence)));
    }

    fn connection(&self) -> Connection {
        let inner = &self.0;
        let (base_url, scope) = inner
            .settings
            .with_untracked(|settings| (settings.base_url.clone(), settings.scope()));
        let host = Rc::clone(&inner.host);
        Connection {
            base_url,
            language: self.mode().tag.to_owned(),
            tokens: Rc::new(move |reason, done| host.token(vec![scope.clone()], reason, done)),
        }
    }

    /// Words, and the language of dates. Tracks the settings where a view asks.
    pub(super) fn mode(&self) -> Mode {
        self.0.settings.with(|settings| {
            if is_language_tag(&settings.lang) {
                Mode::in_language(settings.words(), &settings.lang)
            } else {
                Mode::in_language(settings.words(), &browser::language())
            }
        })
    }

    pub(super) fn wording(&self) -> &'static Wording {
        Wording::of(self.mode().words.language)
    }

    pub(super) fn with_settings<T>(&self, read: impl FnOnce(&WorklistSettings) -> T) -> T {
        self.0.settings.with(read)
    }

    pub(super) fn stage(&self) -> Stage {
        self.0.stage.get()
    }

    pub(super) fn reading(&self) -> Reading {
        self.0.reading.get()
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        self.0.rows.get()
    }

    /// The name of an assignee, as one of the items has it; else the id.
    pub(super) fn name_of(&self, id: &str) -> String {
        let name = self.rows().iter().find_map(|row| {
            row.state.with_untracked(|state| {
                let who = state.found.item.assignee.as_ref();
                who.filter(|who| who.id == id).map(|who| who.name.clone())
            })
        });
        name.unwrap_or_else(|| id.to_owned())
    }

    /// Finds the names that do not tell assignees apart.
    fn compare_assignees(&self) {
        let assignees: Vec<Assignee> = (self.0.rows.get_untracked().iter())
            .filter_map(|row| {
                row.state
                    .with_untracked(|state| state.found.item.assignee.clone())
            })
            .collect();
        let names = ambiguous_names(assignees.iter());
        if self
            .0
            .ambiguous_names
            .with_untracked(|before| *before != names)
        {
            self.0.ambiguous_names.set(names);
        }
    }

    /// The names that several assignees have.
    pub(super) fn with_ambiguous_names<T>(&self, read: impl FnOnce(&[String]) -> T) -> T {
        self.0.ambiguous_names.with(|names| read(names))
    }

    pub(super) fn has_more(&self) -> bool {
        self.0.next.with(Option::is_some)
    }

    pub(super) fn spoken(&self) -> String {
        self.0.spoken.get()
    }
}

/// Rows in which somebody is asked for something stay where they were, though their item was not found
/// again.
fn keep_forms(before: &[Row], rows: &mut Vec<Row>, is_whole: bool) {
    for (place, row) in before.iter().enumerate() {
        let is_open = row.form.with_untracked(Option::is_some);
        if is_open && rows.iter().all(|one| one.key != row.key) {
            // Otherwise it may stand further down by now.
            let has_left = row
                .state
                .with_untracked(|state| state.is_news(None, is_whole));
            if has_left {
                row.state.update(|state| state.follow(None));
            }
            rows.insert(place.min(rows.len()), row.clone());
        }
    }
}

/// The row of an item that was found again; it keeps its place in the document, and what is on its way.
fn renewed(before: &[Row], found: FoundItem) -> Row {
    let row = Row::new(found);
    let Some(known) = before.iter().find(|known| known.key == row.key) else {
        return row;
    };
    let new = row.state.get_untracked();
    known.state.update(|state| {
        if state.sending.is_none() && !state.is_after(&new.found) {
            *state = new;
        }
    });
    known.clone()
}
