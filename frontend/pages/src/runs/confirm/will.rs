//! What will happen when the button is pressed: sentence by sentence, and on the button itself.

use checklist_shared::wire::workflow::Confirmation;
use leptos::prelude::*;

use crate::element::{el, nothing};
use crate::runs::answer::{Answer, InMind};
use crate::runs::page::Page;
use crate::wording::{Wording, counted, fill};

/// What will happen, sentence by sentence.
pub fn summary(page: Page, answer: &Answer, asked: Option<Confirmation>, mind: InMind) -> AnyView {
    let words = page.app.language.runs();
    let mut will = Vec::new();
    if let Some(asked) = asked {
        let mut say = |n: u32, one: &'static str, many: &'static str| {
            if n > 0 {
                will.push(counted(page.app.language, n.into(), one, many));
            }
        };
        say(mind.creates, words.will_create_one, words.will_create);
        say(mind.updates, words.will_update_one, words.will_update);
        let adopt = if answer.adopt {
            (words.will_adopt_one, words.will_adopt)
        } else {
            (words.will_not_adopt_one, words.will_not_adopt)
        };
        say(asked.adoptions, adopt.0, adopt.1);
        let delete = if answer.delete {
            (words.will_delete_one, words.will_delete)
        } else {
            (words.will_not_delete_one, words.will_not_delete)
        };
        say(asked.deletes, delete.0, delete.1);
    }
    let chosen = u32::try_from(answer.choices.len()).unwrap_or(u32::MAX);
    if chosen > 0 {
        will.push(counted(
            page.app.language,
            chosen.into(),
            words.will_choose_one,
            words.will_choose,
        ));
    }
    if will.is_empty() {
        return nothing();
    }
    el("div")
        .class("run-will")
        .el(el("p").el(el("strong").text(words.will_be)))
        .el(el("ul").els(will.into_iter().map(|one| el("li").text(one))))
        .view()
}

/// What the button says; none where there is nothing to send.
pub fn label(page: Page, answer: &Answer, asked: Option<Confirmation>) -> Option<String> {
    let words = page.app.language.runs();
    let wish = answer.wish(asked);
    let (a, d) = (
        wish.adoptions.unwrap_or(0).to_string(),
        wish.deletes.unwrap_or(0).to_string(),
    );
    let text = match (wish.adoptions, wish.deletes) {
        (Some(_), Some(_)) => words.confirm_both,
        (Some(_), None) => words.confirm_adopt,
        (None, Some(_)) => words.confirm_delete,
        (None, None) if !wish.choices.is_empty() => words.confirm_choices,
        (None, None) if asked.is_some() => words.confirm_none,
        (None, None) => return None,
    };
    Some(fill(text, &[("a", &a), ("d", &d)]))
}
