//! The state of a template that is being written, and everything that can be done with it.
//!
//! The views (`page`, `outline`, `item_form`) draw these signals and call these functions. Rules
//! are the ones of `draft` and of `checklist_shared::template`.

use std::collections::BTreeMap;

use checklist_shared::item::Kind;
use checklist_shared::limits::Limits;
use checklist_shared::template::Template;
use checklist_shared::wire::admin::TemplateHistory;
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::web_sys::window;
use wasm_bindgen_futures::spawn_local;

use super::faults::{Place, of_failure, of_rules};
use crate::api::{self, Condition, Tagged};
use crate::app::App;
use crate::draft::{Draft, Way, any_word};
use crate::element::focus;
use crate::parts::load::sentence;
use crate::route::{Route, encoded};
use crate::wording::{Wording, fill};

/// A template that is open.
#[derive(Clone, Copy)]
pub struct Editor {
    /// What all pages share.
    pub app: App,
    /// What is on the screen.
    pub draft: RwSignal<Draft>,
    /// What the server has.
    pub saved: RwSignal<Draft>,
    /// The versions; `None` for a template that is not there yet.
    pub history: RwSignal<Option<TemplateHistory>>,
    /// The server's tag of what is on the screen or was when it was changed.
    tag: RwSignal<Option<String>>,
    /// What somebody else's saving has come in the way of.
    pub overtaken: RwSignal<Option<Overtaken>>,
    /// The row whose fields are open.
    pub open: RwSignal<Option<u32>>,
    /// What is wrong, by place.
    pub faults: RwSignal<BTreeMap<Place, String>>,
    /// What is wrong with the whole.
    pub trouble: RwSignal<String>,
    /// Whether something is being sent.
    pub busy: RwSignal<bool>,
    /// Whether the question before publishing is open.
    pub publishing: RwSignal<bool>,
    /// Counts what draws all fields anew, such as an undo.
    pub epoch: RwSignal<u32>,
    /// How it was before rows were removed.
    before: RwSignal<Vec<Draft>>,
}

/// What was not done because somebody else had changed the template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtaken {
    /// Saving what is on the screen.
    Save,
    /// Something else, such as publishing.
    Other,
}

impl Editor {
    /// An editor for a template that is there, or for a new one.
    #[must_use]
    pub fn new(app: App, read: Option<Tagged<TemplateHistory>>) -> Self {
        let (history, tag) = match read {
            Some(Tagged { value, tag }) => (Some(value), tag),
            None => (None, None),
        };
        let draft = history
            .as_ref()
            .map_or_else(|| Draft::new(app.language.tag()), begin);
        let editor = Self {
            app,
            saved: RwSignal::new(draft.clone()),
            draft: RwSignal::new(draft),
            history: RwSignal::new(history),
            tag: RwSignal::new(tag),
            overtaken: RwSignal::new(None),
            open: RwSignal::new(None),
            faults: RwSignal::new(BTreeMap::new()),
            trouble: RwSignal::new(String::new()),
            busy: RwSignal::new(false),
            publishing: RwSignal::new(false),
            epoch: RwSignal::new(0),
            before: RwSignal::new(Vec::new()),
        };
        Effect::new(move |_| app.unsaved.set(editor.is_changed()));
        editor
    }

    /// Whether something is not saved.
    #[must_use]
    pub fn is_changed(self) -> bool {
        self.draft
            .with(|draft| self.saved.with(|saved| draft != saved))
    }

    /// Changes the draft, and forgets what was wrong there.
    pub fn change(self, place: &Place, change: impl FnOnce(&mut Draft)) {
        self.draft.update(change);
        if self
            .faults
            .with_untracked(|faults| faults.contains_key(place))
        {
            self.faults.update(|faults| {
                faults.remove(place);
            });
        }
    }

    /// What is wrong at a place.
    #[must_use]
    pub fn fault(self, place: &Place) -> Option<String> {
        self.faults.with(|faults| faults.get(place).cloned())
    }

    /// What a row is called.
    #[must_use]
    pub fn name_of(self, number: u32) -> String {
        let text = self
            .draft
            .with(|draft| draft.row(number).map(|row| any_word(&row.text).to_owned()));
        text.filter(|text| !text.is_empty())
            .unwrap_or_else(|| self.app.language.templates().untitled.to_owned())
    }

    /// Adds a row and opens its fields.
    pub fn add(self, kind: Kind, parent: Option<u32>) {
        let mut number = 0;
        self.draft.update(|draft| number = draft.add(kind, parent));
        self.open.set(Some(number));
        self.focus_on(format!("#row-{number} textarea"));
    }

    /// Removes a row; it can be brought back.
    pub fn remove(self, number: u32) {
        let name = untrack(|| self.name_of(number));
        let at = self
            .draft
            .with_untracked(|draft| draft.rows.iter().position(|row| row.number == number));
        self.before
            .update(|before| before.push(self.draft.get_untracked()));
        self.draft.update(|draft| draft.remove(number));
        self.app.say(fill(
            self.app.language.templates().removed,
            &[("text", &name)],
        ));
        let next = self.draft.with_untracked(|draft| {
            let last = draft.rows.len().checked_sub(1)?;
            draft.rows.get(at?.min(last)).map(|row| row.number)
        });
        self.focus_on(next.map_or_else(
            || "#add-item".to_owned(),
            |number| format!("#row-{number} [data-act=remove]"),
        ));
    }

    /// Whether a removal can be taken back.
    #[must_use]
    pub fn can_undo(self) -> bool {
        self.before.with(|before| !before.is_empty())
    }

    /// Takes the last removal back.
    pub fn undo(self) {
        let mut last = None;
        self.before.update(|before| last = before.pop());
        if let Some(draft) = last {
            self.replace(draft);
            self.focus_on("#items-title".to_owned());
        }
    }

    /// Moves a row by one place and keeps the focus on the button.
    pub fn shift(self, number: u32, way: Way) {
        let mut moved = false;
        self.draft.update(|draft| moved = draft.shift(number, way));
        if !moved {
            return;
        }
        let (place, count) = self.draft.with_untracked(|draft| {
            (
                draft
                    .rows
                    .iter()
                    .position(|row| row.number == number)
                    .map_or(0, |at| at + 1),
                draft.rows.len(),
            )
        });
        let name = untrack(|| self.name_of(number));
        let (place, count) = (place.to_string(), count.to_string());
        let words = self.app.language.templates();
        self.app.say(fill(
            words.moved,
            &[("text", &name), ("place", &place), ("count", &count)],
        ));
        let act = if way == Way::Up { "up" } else { "down" };
        self.focus_on(format!("#row-{number} [data-act={act}]"));
    }

    /// Puts another draft on the screen, all fields drawn anew.
    pub fn replace(self, draft: Draft) {
        self.draft.set(draft);
        self.faults.set(BTreeMap::new());
        self.trouble.set(String::new());
        self.epoch.update(|epoch| *epoch += 1);
    }

    /// Goes back to what the server has.
    pub fn discard(self) {
        self.open.set(None);
        self.before.set(Vec::new());
        self.replace(self.saved.get_untracked());
    }

    /// What has to be there for something to be written: what this editor has read or written.
    #[must_use]
    pub fn seen(self) -> Condition {
        match self.tag.get_untracked() {
            Some(tag) => Condition::Seen(tag),
            None if self.history.with_untracked(Option::is_none) => Condition::New,
            None => Condition::Any,
        }
    }

    /// Remembers the tag of what was written.
    pub fn is_now(self, tag: Option<String>) {
        self.tag.try_set(tag);
    }

    /// Saves the draft, unless the rules find something or somebody else was faster.
    pub fn save(self) {
        self.save_over(self.seen());
    }

    /// Saves the draft over whatever there is.
    pub fn overwrite(self) {
        self.save_over(Condition::Any);
    }

    /// Puts on the screen what the server has now and says so; what was changed here is gone.
    pub fn load(self, said: &'static str) {
        spawn_local(async move {
            match self.read().await {
                Ok(theirs) => {
                    let draft = begin(&theirs.value);
                    self.history.try_set(Some(theirs.value));
                    self.is_now(theirs.tag);
                    if self.saved.try_set(draft.clone()).is_none() {
                        self.open.set(None);
                        self.before.set(Vec::new());
                        self.replace(draft);
                        self.app.say(said);
                    }
                }
                // Deleted meanwhile; what is on the screen can be saved as a new one.
                Err(failure) if failure.status == 404 => {
                    self.history.try_set(None);
                    self.is_now(None);
                    self.trouble.try_set(sentence(self.app, &failure));
                }
                Err(failure) => {
                    self.trouble.try_set(sentence(self.app, &failure));
                }
            }
        });
    }

    fn save_over(self, condition: Condition) {
        let draft = self.draft.get_untracked();
        let template = draft.template();
        let faults = of_rules(self.app, &draft, template.validate(&limits()));
        self.trouble.set(String::new());
        if !faults.is_empty() {
            self.show(faults);
            return;
        }
        self.faults.set(BTreeMap::new());
        self.busy.set(true);
        spawn_local(async move {
            let path = ["Templates/", &encoded(&template.id)].concat();
            let answer =
                api::send_if::<Template>(self.app, Method::PUT, &path, &template, &condition).await;
            if self.busy.try_set(false).is_some() {
                return; // the page has been left
            }
            match answer {
                Ok(written) => {
                    self.is_now(written.tag);
                    self.was_saved(draft).await;
                }
                Err(failure) if failure.status == 412 && condition == Condition::New => {
                    let taken = self.app.language.templates().id_taken.to_owned();
                    self.show(BTreeMap::from([(Place::template("Id"), taken)]));
                }
                Err(failure) if failure.status == 412 => {
                    self.overtaken.set(Some(Overtaken::Save));
                }
                Err(failure) => {
                    let faults = of_failure(self.app, &draft, &failure);
                    self.trouble.set(sentence(self.app, &failure));
                    self.show(faults);
                }
            }
        });
    }

    async fn was_saved(self, draft: Draft) {
        self.saved.set(draft.clone());
        self.app.say(self.app.language.templates().draft_saved);
        let is_new = self.history.with_untracked(Option::is_none);
        // Whatever was typed meanwhile is not saved yet; then the page stays.
        if is_new && self.draft.with_untracked(|now| *now == draft) {
            self.app.leave_for(Route::Template(draft.id));
            self.app.say(self.app.language.templates().draft_saved);
        } else {
            self.read_history().await;
        }
    }

    /// Reads the versions again; what is on the screen stays, and so does its tag: if somebody else
    /// has saved in between, that is told when something is written.
    pub async fn read_history(self) {
        if let Ok(history) = self.read().await {
            self.history.try_set(Some(history.value));
        }
    }

    async fn read(self) -> Result<Tagged<TemplateHistory>, api::ApiError> {
        let path = self.path();
        api::get_tagged::<TemplateHistory>(self.app, &path).await
    }

    /// The template's address among the web services.
    #[must_use]
    pub fn path(self) -> String {
        let id = self.draft.try_with_untracked(|draft| draft.id.clone());
        ["Templates/", &encoded(&id.unwrap_or_default())].concat()
    }

    /// Shows what is wrong: the first place is opened and gets the focus.
    fn show(self, faults: BTreeMap<Place, String>) {
        let first = faults.keys().next().cloned();
        if let Some(Place::Row(number, _)) = first {
            self.open.set(Some(number));
        }
        if !faults.is_empty() && self.trouble.with_untracked(String::is_empty) {
            self.trouble
                .set(self.app.language.frame().failed_fields.to_owned());
        }
        self.faults.set(faults);
        self.focus_on("[aria-invalid=true]".to_owned());
    }

    /// Gives something the focus once it is drawn, and before the next key comes in: a row that
    /// moves in the document loses its focus, and a key in between would go to nobody.
    pub fn focus_on(self, selector: String) {
        spawn_local(async move {
            leptos::task::tick().await;
            let document = window().and_then(|window| window.document());
            if let Some(found) =
                document.and_then(|document| document.query_selector(&selector).ok().flatten())
            {
                focus(&found);
            }
        });
    }
}

/// The draft of a template, else its newest version as the beginning of one.
fn begin(history: &TemplateHistory) -> Draft {
    let published = history.published.as_ref();
    let first = history.draft.as_ref().or(published);
    first.map_or_else(
        || Draft::new("en"),
        |template| Draft::of(template, published),
    )
}

/// How many items a list may hold is the server's to say.
fn limits() -> Limits {
    Limits {
        items: usize::MAX,
        ..Limits::default()
    }
}
