//! One template: what it says about itself, its rows, and beside them how it will look.
//!
//! The preview is the control's own drawing of what is on the screen, saved or not.

use checklist_control::preview::model::Preview;
use checklist_control::preview::view::{HeadingScope, PreviewView};
use checklist_shared::wire::admin::TemplateHistory;
use leptos::prelude::*;

use super::editor::Editor;
use super::exchange::{bundle, download};
use super::outline::outline;
use super::publishing;
use super::settings::settings;
use super::together;
use crate::api;
use crate::app::App;
use crate::draft::{any_word, word};
use crate::element::{El, all, button, el, live, nothing};
use crate::navigation::link;
use crate::parts::dialog::{Question, question};
use crate::parts::field::Field;
use crate::parts::head::head;
use crate::parts::load::loaded;
use crate::route::{Route, encoded};
use crate::wording::{Wording, fill};

/// The page of a template that is not there yet.
pub fn new(app: App) -> AnyView {
    editor_page(Editor::new(app, None))
}

/// The page of a template.
pub fn page(app: App, id: String) -> AnyView {
    let path = ["Templates/", &encoded(&id)].concat();
    let read = move || {
        let path = path.clone();
        async move { api::get_tagged::<TemplateHistory>(app, &path).await }
    };
    loaded(app, read, move |read| {
        editor_page(Editor::new(app, Some(read)))
    })
}

fn editor_page(editor: Editor) -> AnyView {
    let app = editor.app;
    let words = app.language.templates();
    let id = editor.draft.with_untracked(|draft| draft.id.clone());
    let is_new = editor.history.with_untracked(Option::is_none);
    let title = if is_new {
        words.new_title.to_owned()
    } else {
        editor.draft.with_untracked(|draft| {
            let own = word(&draft.name, app.language.tag());
            let name = if own.is_empty() {
                any_word(&draft.name)
            } else {
                own
            };
            if name.is_empty() {
                id.clone()
            } else {
                name.to_owned()
            }
        })
    };
    let mut actions = Vec::new();
    if !is_new {
        actions.push(link("button", &Route::Comparison(id.clone())).text(words.compare));
        actions.push(button("button", words.export_one, move || {
            let template = editor.draft.get_untracked().template();
            download(&[&id, ".json"].concat(), &bundle(template));
        }));
        actions.push(together::delete_draft(editor));
    }
    all(vec![
        back(app).view(),
        head(app, &title, None, actions).view(),
        bar(editor).view(),
        el("div")
            .class("editor-columns")
            .el(el("div")
                .class("editor-main")
                .el(settings(editor, is_new))
                .el(outline(editor)))
            .el(aside(editor))
            .view(),
        live(move || {
            if editor.publishing.get() {
                publishing::dialog(editor)
            } else {
                nothing()
            }
        }),
        live(move || match editor.overtaken.get() {
            Some(what) => together::overtaken(editor, what),
            None => nothing(),
        }),
    ])
}

/// The way back to the list.
pub fn back(app: App) -> El {
    el("p")
        .class("crumbs")
        .el(link("quiet-link", &Route::Templates)
            .text(["← ", app.language.frame().templates].concat()))
}

/// What is saved and published, and the buttons that change it. Stays in view.
fn bar(editor: Editor) -> El {
    let app = editor.app;
    let words = app.language.templates();
    let state = move || {
        if editor.is_changed() {
            return words.not_saved.to_owned();
        }
        let number = |version: u32| version.to_string();
        editor.history.with(|history| match history {
            None => words.not_saved.to_owned(),
            Some(TemplateHistory {
                draft: Some(draft), ..
            }) => fill(words.draft_of, &[("n", &number(draft.version))]),
            Some(TemplateHistory {
                published: Some(published),
                ..
            }) => fill(words.published_as, &[("n", &number(published.version))]),
            Some(_) => words.never_published.to_owned(),
        })
    };
    let changed = Memo::new(move |_| editor.is_changed());
    let may_publish = Memo::new(move |_| {
        !changed.get()
            && editor.history.with(|history| {
                history
                    .as_ref()
                    .is_some_and(|history| history.draft.is_some())
            })
    });
    let asking = RwSignal::new(false);
    let discarding = live(move || {
        if !asking.get() {
            return nothing();
        }
        let asked = Question {
            title: words.discard_title.to_owned(),
            hint: el("p").text(words.discard_hint),
            action: words.discard.to_owned(),
            takes_away: true,
        };
        question(
            app,
            asked,
            move || editor.discard(),
            move || asking.set(false),
        )
    });
    el("div")
        .class("save-bar")
        .el(el("p")
            .class("save-state")
            .attr("role", "status")
            .follow_text(state))
        .el(el("div")
            .class("buttons")
            .el(button("button", words.discard, move || {
                if changed.get_untracked() {
                    asking.set(true);
                }
            })
            .follow("aria-disabled", move || {
                (!changed.get()).then(|| "true".to_owned())
            }))
            .el(button("button outlined", "", move || {
                if !editor.busy.get_untracked() {
                    editor.save();
                }
            })
            .follow_text(move || {
                if editor.busy.get() {
                    app.language.frame().saving
                } else {
                    words.save_draft
                }
                .to_owned()
            }))
            .el(button("button primary", words.publish, move || {
                if may_publish.get_untracked() {
                    editor.publishing.set(true);
                } else {
                    app.say(words.publish_saves);
                }
            })
            .follow("aria-disabled", move || {
                (!may_publish.get()).then(|| "true".to_owned())
            })))
        .live(move || {
            let trouble = editor.trouble.get();
            if trouble.is_empty() {
                nothing()
            } else {
                crate::parts::load::alert(trouble).view()
            }
        })
        .child(discarding)
}

/// How the template will look, and its versions.
fn aside(editor: Editor) -> El {
    let words = editor.app.language.templates();
    let chosen = RwSignal::new(None::<String>);
    let known = Memo::new(move |_| editor.draft.with(|draft| draft.languages.clone()));
    let language = Memo::new(move |_| {
        let known = known.get();
        let own = editor.app.language.tag().to_owned();
        let wanted = chosen.get().filter(|tag| known.contains(tag));
        wanted
            .or_else(|| known.contains(&own).then_some(own))
            .or_else(|| known.first().cloned())
            .unwrap_or_default()
    });
    // Drawn anew only when something that can be seen has changed.
    let preview = Memo::new(move |_| {
        let mut preview = editor
            .draft
            .with(|draft| Preview::of(&draft.template(), &language.get()));
        if preview.title.is_empty() {
            words.new_title.clone_into(&mut preview.title);
        }
        preview
    });
    let choice = live(move || {
        let languages = known.get();
        if languages.len() < 2 {
            return nothing();
        }
        let options = languages
            .into_iter()
            .map(|tag| (tag.clone(), tag))
            .collect();
        Field::new("preview-language", words.preview_in)
            .class("field inline-field")
            .choice(options, &language.get_untracked(), move |tag| {
                chosen.set(Some(tag))
            })
            .view()
    });
    el("aside")
        .class("editor-side")
        .attr("aria-labelledby", "preview-heading")
        .el(el("div")
            .class("side-head")
            .el(el("h2")
                .class("panel-title")
                .id("preview-heading")
                .text(words.preview))
            .child(choice))
        .el(el("div").class("preview-stage").live(move || {
            let preview = preview.get();
            view! { <PreviewView preview place=HeadingScope::Part /> }.into_any()
        }))
        .child(publishing::versions(editor))
}
