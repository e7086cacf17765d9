//! Several people at one draft: what to do when somebody else saved meanwhile, and deleting the
//! draft for everybody.

use checklist_shared::wire::admin::TemplateHistory;
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::editor::{Editor, Overtaken};
use crate::api;
use crate::element::{El, button, el, live, nothing};
use crate::parts::dialog::{Question, dialog, question};
use crate::parts::load::sentence;
use crate::route::Route;
use crate::wording::Wording;

/// The dialog when somebody else was faster. Escape keeps everything as it is on the screen.
pub fn overtaken(editor: Editor, what: Overtaken) -> AnyView {
    let app = editor.app;
    let words = app.language.templates();
    let close = move || editor.overtaken.set(None);
    let saving = what == Overtaken::Save;
    let hint = if saving {
        words.changed_hint
    } else {
        words.changed_other_hint
    };
    let overwrite = saving.then(|| {
        button("button solid-danger", words.overwrite_theirs, move || {
            editor.overwrite();
            close();
        })
    });
    let body = el("div")
        .class("dialog-body")
        .el(el("p").text(hint))
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, close).focused())
            .maybe(overwrite)
            .el(button("button primary", words.load_theirs, move || {
                editor.load(words.theirs_loaded);
                close();
            })));
    dialog(words.changed_title, body.view(), close)
}

/// The button that deletes the draft on the server, where there is one, and its question.
pub fn delete_draft(editor: Editor) -> El {
    let app = editor.app;
    let words = app.language.templates();
    let asking = RwSignal::new(false);
    let is_there = Memo::new(move |_| {
        let of_history = |history: &TemplateHistory| history.draft.is_some();
        editor
            .history
            .with(|history| history.as_ref().is_some_and(of_history))
    });
    let question = live(move || {
        if !asking.get() {
            return nothing();
        }
        let of_history = |history: &TemplateHistory| history.published.is_some();
        let published = editor
            .history
            .with_untracked(|history| history.as_ref().is_some_and(of_history));
        let hint = if published {
            words.delete_draft_hint
        } else {
            words.delete_only_hint
        };
        let asked = Question {
            title: words.delete_draft_title.to_owned(),
            hint: el("p").text(hint),
            action: words.delete_draft_now.to_owned(),
            takes_away: true,
        };
        question(
            app,
            asked,
            move || delete(editor, published),
            move || asking.set(false),
        )
    });
    el("span")
        .live(move || {
            if is_there.get() {
                button("button", words.delete_draft, move || asking.set(true)).view()
            } else {
                nothing()
            }
        })
        .child(question)
}

fn delete(editor: Editor, published: bool) {
    let app = editor.app;
    spawn_local(async move {
        let path = editor.path();
        let done =
            api::act_if::<serde_json::Value>(app, Method::DELETE, &path, &editor.seen()).await;
        match done {
            Ok(_) if published => editor.load(app.language.templates().draft_deleted),
            Ok(_) => {
                app.leave_for(Route::Templates);
                app.say(app.language.templates().draft_deleted);
            }
            Err(failure) if failure.status == 412 => {
                editor.overtaken.try_set(Some(Overtaken::Other));
            }
            Err(failure) => {
                editor.trouble.try_set(sentence(app, &failure));
            }
        }
    });
}
