//! Publishing a draft: what differs, how many lists it touches, and the question before it; and
//! the versions that were published.

use checklist_shared::template::{RefreshPolicy, Template};
use checklist_shared::wire::admin::{TemplateHistory, TemplateImpact};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::comparison::summary;
use super::editor::{Editor, Overtaken};
use crate::api::{self, Tagged};
use crate::compare::{differences, tally};
use crate::element::{all, el, live, nothing};
use crate::navigation::link;
use crate::parts::dialog::{Question, question};
use crate::parts::load::{loaded, sentence};
use crate::route::{Route, encoded};
use crate::wording::{Wording, counted, fill};

/// The question before a draft is published.
pub fn dialog(editor: Editor) -> AnyView {
    let app = editor.app;
    let words = app.language.templates();
    let Some(TemplateHistory {
        id,
        draft: Some(draft),
        published,
        ..
    }) = editor.history.get_untracked()
    else {
        return nothing();
    };
    let number = draft.version.to_string();
    let path = ["Templates/", &encoded(&id), "/Impact"].concat();
    let first = published.is_none();
    let impact = loaded(
        app,
        move || {
            let path = path.clone();
            async move { api::get::<TemplateImpact>(app, &path).await }
        },
        move |impact| {
            el("p")
                .class("impact")
                .text(told(editor, first, &impact))
                .view()
        },
    );
    let differs = published.map(|published| {
        let rows = differences(&published, &draft);
        summary(app, tally(&rows))
    });
    let hint = el("div")
        .class("dialog-text")
        .maybe(differs)
        .child(impact)
        .el(el("p").text(words.publish_final));
    let asked = Question {
        title: fill(words.publish_title, &[("n", &number)]),
        hint,
        action: fill(words.publish_now, &[("n", &number)]),
        takes_away: false,
    };
    question(
        app,
        asked,
        move || publish(editor, id.clone()),
        move || editor.publishing.set(false),
    )
}

fn told(editor: Editor, first: bool, impact: &TemplateImpact) -> String {
    let (language, words) = (editor.app.language, editor.app.language.templates());
    match (first, impact.lists, impact.refresh_policy) {
        (true, ..) => words.publish_first.to_owned(),
        (_, 0, _) => words.impact_none.to_owned(),
        (_, lists, RefreshPolicy::Manual) => counted(
            language,
            lists,
            words.impact_manual_one,
            words.impact_manual_other,
        ),
        (_, lists, RefreshPolicy::Auto) => counted(
            language,
            lists,
            words.impact_auto_one,
            words.impact_auto_other,
        ),
    }
}

fn publish(editor: Editor, id: String) {
    let app = editor.app;
    spawn_local(async move {
        let path = ["Templates/", &encoded(&id), "/Publish"].concat();
        match api::act_if::<Template>(app, Method::POST, &path, &editor.seen()).await {
            Ok(Tagged {
                value: published,
                tag,
            }) => {
                editor.is_now(tag);
                let number = published.version.to_string();
                app.say(fill(
                    app.language.templates().published_now,
                    &[("n", &number)],
                ));
                editor.read_history().await;
                // Its keys are fixed from now on.
                if editor.draft.try_get_untracked().is_some() && !untrack(|| editor.is_changed()) {
                    let draft = crate::draft::Draft::of(&published, Some(&published));
                    editor.saved.set(draft.clone());
                    editor.replace(draft);
                }
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

/// The versions that were published, newest first.
pub fn versions(editor: Editor) -> AnyView {
    let app = editor.app;
    let words = app.language.templates();
    live(move || {
        let Some(history) = editor
            .history
            .get()
            .filter(|history| !history.versions.is_empty())
        else {
            return nothing();
        };
        let rows = history.versions.iter().map(|version| {
            let when =
                checklist_control::browser::date_and_time(version.published_at, app.language.tag());
            let by = fill(
                words.history_by,
                &[("when", &when), ("who", &version.published_by.name)],
            );
            let items = counted(
                app.language,
                u64::from(version.items),
                words.items_one,
                words.items_other,
            );
            el("li")
                .class("version")
                .el(el("span")
                    .class("version-name")
                    .text(fill(words.version, &[("n", &version.version.to_string())])))
                .el(el("span").class("quiet").text(format!("{items} · {by}")))
        });
        all(vec![
            el("h2")
                .class("panel-title side-title")
                .text(words.versions)
                .view(),
            el("ol").class("versions card").els(rows).view(),
            link("quiet-link", &Route::Comparison(history.id.clone()))
                .text(words.compare)
                .view(),
        ])
    })
}
