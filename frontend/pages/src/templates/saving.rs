//! Saving, loading, publishing and deleting the draft of a template, several people at once.
//!
//! Everything is sent with the tag of what the draft is based on. Where somebody else has saved
//! meanwhile, the person decides; nothing is overwritten unasked.

use checklist_shared::limits::Limits;
use checklist_shared::template::Template;
use checklist_shared::wire::admin::TemplateHistory;
use serde::de::IgnoredAny;

use super::editor::{Editor, draft_of};
use super::errors::{Errors, server_errors, validation_errors};
use super::publishing;
use crate::api::{Condition, Tagged};
use crate::draft::Draft;
use crate::kit::*;

impl Editor {
    /// The call about the template.
    fn call(self) -> String {
        let id = self.draft.with_untracked(|draft| encoded(&draft.id));
        ["Templates/", &id].concat()
    }

    /// What the server has to have for something to be written.
    fn condition(self) -> Condition {
        match self.tag.get_untracked() {
            Some(tag) => Condition::Seen(tag),
            None if self.history.with_untracked(Option::is_none) => Condition::New,
            None => Condition::Any,
        }
    }

    /// Saves the draft if it is valid.
    pub fn save(self) {
        self.save_if(self.condition(), |_| ());
    }

    /// Saves the draft if it is valid, and asks whether to publish it.
    pub fn save_and_publish(self) {
        self.save_if(self.condition(), publishing::ask);
    }

    /// `done` is called when the versions have been read again.
    fn save_if(self, condition: Condition, done: fn(Self)) {
        let (app, words) = (self.app, self.app.language.templates());
        let draft = self.draft.get_untracked();
        let template = draft.template();
        self.alert.set(None);
        let errors = validation_errors(app, &draft, template.validate(&limits()));
        if !errors.is_empty() {
            self.show_errors(errors);
            return;
        }
        self.errors.set(Errors::new());
        let (call, is_new) = (self.call(), condition == Condition::New);
        let request = api::put_if::<Template>(app, &call, &template, &condition);
        app.send_once(self.busy, request, move |answer| match answer {
            Ok(saved) => {
                self.tag.set(saved.tag);
                self.show_saved(draft, done);
            }
            Err(error) if error.status == 412 && is_new => {
                let taken = words.id_taken.to_owned();
                self.show_errors(Errors::from([("/Id".to_owned(), taken)]));
            }
            Err(error) if error.status == 412 => {
                let overwrite = move || self.save_if(Condition::Any, done);
                let reload = move || self.load(app.language.frame().conflict_loaded);
                app.show_conflict(words.changed_hint, reload, Some(overwrite));
            }
            Err(error) => {
                self.alert.set(Some(error_sentence(app, &error)));
                self.show_errors(server_errors(app, &draft, &error));
            }
        });
    }

    fn show_saved(self, draft: Draft, done: fn(Self)) {
        let app = self.app;
        self.saved.set(draft.clone());
        let is_new = self.history.with_untracked(Option::is_none);
        // What was typed meanwhile is not saved yet; then the page stays.
        if is_new && self.draft.with_untracked(|now| *now == draft) {
            app.leave_for(Route::Template(draft.id));
        } else {
            self.read_history(done);
        }
        app.say(app.language.templates().draft_saved);
    }

    /// Reads the versions again. The draft stays, and so does its tag: if somebody else has saved
    /// in between, that is noticed when something is written.
    fn read_history(self, done: fn(Self)) {
        let (app, call) = (self.app, self.call());
        leptos::task::spawn_local(async move {
            if let Ok(history) = api::get::<TemplateHistory>(app, &call).await {
                // A disposed signal means that the page was left.
                if self.history.try_set(Some(history)).is_none() {
                    done(self);
                }
            }
        });
    }

    /// Shows what the server has now. What was changed here is lost.
    fn load(self, announcement: &'static str) {
        let (app, call) = (self.app, self.call());
        let request = api::get_tagged::<TemplateHistory>(app, &call);
        app.send_once(self.busy, request, move |answer| match answer {
            Ok(Tagged { value, tag }) => {
                self.tag.set(tag);
                self.reset(draft_of(&value));
                self.history.set(Some(value));
                app.say(announcement);
            }
            Err(error) => {
                // Deleted meanwhile; what is on the screen can be saved as a new one.
                if error.status == 404 {
                    self.history.set(None);
                    self.tag.set(None);
                }
                self.alert.set(Some(error_sentence(app, &error)));
            }
        });
    }

    /// Shows why something else than saving was not done.
    fn show_refusal(self, error: &ApiError) {
        let app = self.app;
        if error.status == 412 {
            let reload = move || self.load(app.language.frame().conflict_loaded);
            let hint = app.language.templates().changed_other_hint;
            app.show_conflict(hint, reload, None::<fn()>);
        } else {
            self.alert.set(Some(error_sentence(app, error)));
        }
    }

    /// Publishes the draft.
    pub fn publish(self) {
        let app = self.app;
        let (call, condition) = ([&self.call(), "/Publish"].concat(), self.condition());
        let request = api::act_if::<Template>(app, Method::POST, &call, &condition);
        app.send_once(self.busy, request, move |answer| match answer {
            Ok(Tagged { value, tag }) => {
                self.tag.set(tag);
                let number = value.version.to_string();
                let sentence = app.language.templates().published_now;
                app.say(fill(sentence, &[("n", &number)]));
                // Its keys are fixed from now on.
                if !untrack(|| self.is_changed()) {
                    let draft = Draft::of(&value, Some(&value));
                    self.saved.set(draft.clone());
                    self.replace(draft);
                }
                self.read_history(|_| ());
            }
            Err(error) => self.show_refusal(&error),
        });
    }

    /// Asks, and deletes the template with all its versions.
    pub fn delete_template(self) {
        let (app, words) = (self.app, self.app.language.templates());
        let question = Question::destructive(
            words.delete_template_title,
            words.delete_template_hint,
            words.delete_template,
        );
        app.confirm(question, move || {
            let (call, condition) = ([&self.call(), "/Versions"].concat(), self.condition());
            let request = async move {
                api::act_if::<IgnoredAny>(app, Method::DELETE, &call, &condition).await
            };
            app.send_once(self.busy, request, move |answer| match answer {
                Ok(_) => {
                    app.leave_for(Route::Templates);
                    app.say(words.template_deleted);
                }
                Err(error) => self.show_refusal(&error),
            });
        });
    }

    /// Asks, and retires the template.
    pub fn retire(self) {
        let words = self.app.language.templates();
        let question =
            Question::destructive(words.retire_title, words.retire_hint, words.retire_now);
        let retire = move || self.set_offer("/Retire", words.retired_now);
        self.app.confirm(question, retire);
    }

    /// Offers the template again.
    pub fn offer(self) {
        self.set_offer("/Offer", self.app.language.templates().offered);
    }

    /// What was changed here and is not saved stays.
    fn set_offer(self, path: &str, announcement: &'static str) {
        let app = self.app;
        let (call, condition) = ([&self.call(), path].concat(), self.condition());
        let request = api::act_if::<TemplateHistory>(app, Method::POST, &call, &condition);
        app.send_once(self.busy, request, move |answer| match answer {
            Ok(Tagged { value, tag }) => {
                self.tag.set(tag);
                self.history.set(Some(value));
                app.say(announcement);
            }
            Err(error) => self.show_refusal(&error),
        });
    }

    /// Asks, and deletes the draft for everybody.
    pub fn delete_draft(self) {
        let (app, words) = (self.app, self.app.language.templates());
        let is_published = self.history.with_untracked(|history| {
            history
                .as_ref()
                .is_some_and(|history| history.published.is_some())
        });
        let hint = if is_published {
            words.delete_draft_hint
        } else {
            words.delete_only_hint
        };
        let question =
            Question::destructive(words.delete_draft_title, hint, words.delete_draft_now);
        app.confirm(question, move || {
            let (call, condition) = (self.call(), self.condition());
            let request = api::act_if::<IgnoredAny>(app, Method::DELETE, &call, &condition);
            app.send_once(self.busy, request, move |answer| match answer {
                Ok(_) if is_published => self.load(words.draft_deleted),
                Ok(_) => {
                    app.leave_for(Route::Templates);
                    app.say(words.draft_deleted);
                }
                Err(error) => self.show_refusal(&error),
            });
        });
    }
}

/// The server decides how many items a list may have.
fn limits() -> Limits {
    Limits {
        items: usize::MAX,
        ..Limits::default()
    }
}
