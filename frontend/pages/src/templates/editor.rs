//! The state of a template that is being edited, and what can be done with its rows.
//!
//! `saving` sends it, the views (`page`, `settings`, `outline`, `item_form`) draw it. Where rows may
//! be is decided by `draft`.

use checklist_shared::item::Kind;
use checklist_shared::wire::admin::TemplateHistory;
use wasm_bindgen_futures::spawn_local;

use super::errors::{Errors, row_of, unfinished};
use crate::api::Tagged;
use crate::draft::{Direction, Draft, Row, first_text};
use crate::kit::*;

/// A template that is open.
#[derive(Clone, Copy)]
pub struct Editor {
    pub app: App,
    /// The draft on the screen.
    pub draft: RwSignal<Draft>,
    /// The draft as the server has it.
    pub saved: RwSignal<Draft>,
    /// The versions; `None` for a new template.
    pub history: RwSignal<Option<TemplateHistory>>,
    /// The `ETag` of what the draft is based on.
    pub tag: RwSignal<Option<String>>,
    /// The row whose form is open.
    pub open: RwSignal<Option<u32>>,
    pub errors: RwSignal<Errors>,
    /// What is wrong with the template as a whole.
    pub alert: RwSignal<Option<String>>,
    /// Whether something is being sent.
    pub busy: RwSignal<bool>,
    /// Counts when the draft was replaced as a whole, so that the controls follow.
    pub version: RwSignal<u32>,
    /// The drafts before each removal of a row, and before a nested condition was replaced.
    undo: RwSignal<Vec<Draft>>,
}

impl Editor {
    /// An editor for a template that was read, or for a new one.
    #[must_use]
    pub fn new(app: App, read: Option<Tagged<TemplateHistory>>) -> Self {
        let (history, tag) = read.map_or((None, None), |read| (Some(read.value), read.tag));
        let draft = match &history {
            Some(history) => draft_of(history),
            None => Draft::new(app.language.tag()),
        };
        let editor = Self {
            app,
            saved: RwSignal::new(draft.clone()),
            draft: RwSignal::new(draft),
            history: RwSignal::new(history),
            tag: RwSignal::new(tag),
            open: RwSignal::new(None),
            errors: RwSignal::new(Errors::new()),
            alert: RwSignal::new(None),
            busy: RwSignal::new(false),
            version: RwSignal::new(0),
            undo: RwSignal::new(Vec::new()),
        };
        Effect::new(move |_| app.unsaved.set(editor.is_changed()));
        editor
    }

    /// Whether something is not saved. Tracked.
    #[must_use]
    pub fn is_changed(self) -> bool {
        self.draft
            .with(|draft| self.saved.with(|saved| draft != saved))
    }

    /// The languages of the draft.
    #[must_use]
    pub fn languages(self) -> Memo<Vec<String>> {
        Memo::new(move |_| self.draft.with(|draft| draft.languages.clone()))
    }

    /// The label of a text in one of the languages, which names it where there are several. Tracked.
    #[must_use]
    pub fn label_in(self, label: &str, tag: &str) -> String {
        match self.draft.with(|draft| draft.languages.len()) {
            0 | 1 => label.to_owned(),
            _ => format!("{label} ({tag})"),
        }
    }

    /// Changes the draft, and forgets what was wrong at that place.
    pub fn change(self, place: &str, change: impl FnOnce(&mut Draft)) {
        self.draft.update(change);
        self.forget_error(place);
    }

    /// Forgets what was wrong at a place.
    pub fn forget_error(self, place: &str) {
        let is_wrong = |errors: &Errors| errors.contains_key(place);
        if self.errors.with_untracked(is_wrong) {
            self.errors.update(|errors| _ = errors.remove(place));
        }
    }

    /// What is wrong at a place. Tracked.
    #[must_use]
    pub fn error_at(self, place: &str) -> Option<String> {
        self.errors.with(|errors| errors.get(place).cloned())
    }

    /// Something of a row; the default where it is gone. Tracked.
    pub fn row<T: Default>(self, number: u32, read: impl FnOnce(&Row) -> T) -> T {
        self.draft
            .with(|draft| draft.row(number).map(read).unwrap_or_default())
    }

    /// The text of a row, for people. Tracked.
    #[must_use]
    pub fn name_of(self, number: u32) -> String {
        let text = self.row(number, |row| first_text(&row.text).to_owned());
        if text.is_empty() {
            self.app.language.templates().untitled.to_owned()
        } else {
            text
        }
    }

    fn position(self, number: u32) -> Option<usize> {
        self.draft
            .with_untracked(|draft| draft.rows.iter().position(|row| row.number == number))
    }

    /// Adds a row and opens its form.
    pub fn add(self, kind: Kind, parent: Option<u32>) {
        let number = self.draft.try_update(|draft| draft.add(kind, parent));
        if let Some(number) = number {
            self.open.set(Some(number));
            self.focus_on(format!("#row-{number} textarea"));
        }
    }

    /// Adds an item with that text and saves the draft. The text is in the reader's language if the
    /// template has that, else in its first one.
    pub fn promote(self, text: &str) {
        let tag = self.app.language.tag();
        let number = self.draft.try_update(|draft| draft.add_text(text, tag));
        if let Some(number) = number {
            self.open.set(Some(number));
            self.save();
            // The title of the page takes the focus when the page is drawn, which comes next.
            later(move || later(move || self.focus_on(format!("#row-{number} textarea"))));
        }
    }

    /// Removes a row; `undo` brings it back.
    pub fn remove(self, number: u32) {
        let name = untrack(|| self.name_of(number));
        let at = self.position(number);
        self.keep_for_undo();
        self.draft.update(|draft| draft.remove(number));
        let removed = self.app.language.templates().removed;
        self.app.say(fill(removed, &[("text", &name)]));
        let next = self.draft.with_untracked(|draft| {
            let last = draft.rows.len().checked_sub(1)?;
            draft.rows.get(at?.min(last)).map(|row| row.number)
        });
        self.focus_on(match next {
            // Not on the button that removes: a second press would take the next one away too.
            Some(number) => format!("#row-{number} [data-act=edit]"),
            None => "#add-item".to_owned(),
        });
    }

    /// Keeps the draft as it is now, for `undo`.
    pub fn keep_for_undo(self) {
        let before = self.draft.get_untracked();
        self.undo.update(|undo| undo.push(before));
    }

    /// Whether there is a removal to undo. Tracked.
    #[must_use]
    pub fn can_undo(self) -> bool {
        self.undo.with(|undo| !undo.is_empty())
    }

    /// Undoes the last removal.
    pub fn undo(self) {
        if let Some(Some(draft)) = self.undo.try_update(Vec::pop) {
            self.replace(draft);
            self.focus_on("#items-title".to_owned());
        }
    }

    /// Moves a row by one place and keeps the focus on the button.
    pub fn shift(self, number: u32, direction: Direction) {
        let is_moved = self
            .draft
            .try_update(|draft| draft.shift(number, direction));
        if is_moved != Some(true) {
            return;
        }
        let place = self.position(number).map_or(0, |at| at + 1).to_string();
        let count = self.draft.with_untracked(|draft| draft.rows.len());
        let (name, count) = (untrack(|| self.name_of(number)), count.to_string());
        self.app.say(fill(
            self.app.language.templates().moved,
            &[("text", &name), ("place", &place), ("count", &count)],
        ));
        let act = if direction == Direction::Up {
            "up"
        } else {
            "down"
        };
        self.focus_on(format!("#row-{number} [data-act={act}]"));
    }

    /// Replaces the draft on the screen.
    pub fn replace(self, draft: Draft) {
        self.draft.set(draft);
        self.errors.set(Errors::new());
        self.alert.set(None);
        self.version.update(|version| *version += 1);
    }

    /// Shows a draft as the server has it. What was changed here is lost.
    pub fn reset(self, saved: Draft) {
        self.open.set(None);
        self.undo.set(Vec::new());
        self.saved.set(saved.clone());
        self.replace(saved);
    }

    /// Shows what is wrong: the first place is opened and gets the focus.
    pub fn show_errors(self, errors: Errors) {
        if let Some(number) = errors.keys().next().and_then(|place| row_of(place)) {
            self.open.set(Some(number));
        }
        if !errors.is_empty() && self.alert.with_untracked(Option::is_none) {
            let sentence = self.app.language.frame().failed_fields;
            self.alert.set(Some(sentence.to_owned()));
        }
        self.errors.set(errors);
        // A button cannot be invalid; one that mends what is wrong says so by an attribute of ours.
        self.focus_on("[aria-invalid=true], [data-invalid]".to_owned());
    }

    /// Whether the template has all that was typed; otherwise it is shown what is not finished.
    pub fn is_finished(self) -> bool {
        let errors = self
            .draft
            .with_untracked(|draft| unfinished(self.app, draft));
        let is_finished = errors.is_empty();
        if !is_finished {
            self.show_errors(errors);
        }
        is_finished
    }

    /// Gives something the focus once it is drawn, and before the next key comes in: a row that
    /// moves in the document loses its focus, and a key in between would be lost.
    pub fn focus_on(self, selector: String) {
        spawn_local(async move {
            leptos::task::tick().await;
            if let Some(found) = find(&selector) {
                focus(&found);
            }
        });
    }
}

/// The draft of a template, or one that is based on its newest version.
pub fn draft_of(history: &TemplateHistory) -> Draft {
    let published = history.published.as_ref();
    match history.draft.as_ref().or(published) {
        Some(template) => Draft::of(template, published),
        None => Draft::new("en"),
    }
}
