//! The languages that a template is written in: adding one, taking one out.

use leptos::prelude::*;

use super::editor::Editor;
use crate::element::{El, button, el, live, nothing, typed};
use crate::parts::dialog::{Question, question};
use crate::wording::{Wording, fill};

/// The languages, and a field for one more.
pub fn languages(editor: Editor, known: Memo<Vec<String>>) -> El {
    let app = editor.app;
    let words = app.language.templates();
    let leaving = RwSignal::new(None::<String>);
    let list = live(move || {
        let languages = known.get();
        let alone = languages.len() < 2;
        let chips = languages.into_iter().map(|tag| {
            let name = el("bdi").text(tag.clone());
            let label = fill(words.remove_language, &[("tag", &tag)]);
            let cross = (!alone).then(|| {
                button("chip-cross", "×", move || leaving.set(Some(tag.clone())))
                    .attr("aria-label", label)
            });
            el("li").class("chip").el(name).maybe(cross)
        });
        el("ul")
            .class("chips")
            .attr("aria-label", words.languages)
            .els(chips)
            .view()
    });
    let new = RwSignal::new(String::new());
    let add = move || {
        let tag = new.get_untracked().trim().to_owned();
        let letters = !tag.is_empty()
            && tag.len() <= 35
            && tag
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        if letters {
            editor.draft.update(|draft| draft.add_language(&tag));
            new.set(String::new());
        }
    };
    let form = el("form")
        .class("chip-form")
        .on("submit", move |event| {
            event.prevent_default();
            add();
        })
        .el(el("input")
            .class("input")
            .id("new-language")
            .attr("type", "text")
            .attr("autocomplete", "off")
            .attr("aria-label", words.language_tag)
            .attr("placeholder", "de")
            .attr("size", "6")
            .attr("maxlength", "35")
            .follow_value(move || new.get())
            .on("input", move |event| new.set(typed(&event))))
        .el(el("button")
            .attr("type", "submit")
            .class("button")
            .text(words.add_language));
    let asked = live(move || {
        let Some(tag) = leaving.get() else {
            return nothing();
        };
        let asked = Question {
            title: fill(words.remove_language_title, &[("tag", &tag)]),
            hint: el("p").text(words.remove_language_hint),
            action: fill(words.remove_language, &[("tag", &tag)]),
            takes_away: true,
        };
        let act = move || editor.draft.update(|draft| draft.remove_language(&tag));
        question(app, asked, act, move || leaving.set(None))
    });
    el("div")
        .class("field")
        .el(el("span")
            .class("label")
            .attr("aria-hidden", "true")
            .text(words.languages))
        .el(el("div").class("chip-line").child(list).el(form))
        .child(asked)
}
