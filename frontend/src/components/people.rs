//! Who else is on the list: avatars in the header, and all names as text.
//!
//! Arrivals and departures are not announced, and nothing is interactive.

use leptos::prelude::*;

use super::at::ViewContext;
use super::avatar::{Avatar, initials};
use super::late::late;
use crate::i18n::fill;
use crate::screen::Presence;

/// Signs that are shown; those beyond are counted.
const SHOWN: usize = 3;

/// Names that are said; those beyond are counted.
const SAID: usize = 10;

/// The others; nothing when this person is alone.
#[component]
pub fn People(
    /// The control, and its row if there is one.
    at: ViewContext,
    /// The people besides the reader.
    others: Presence,
) -> impl IntoView {
    (others != Presence::default()).then(|| late(|views| (views.people)(at, others)))
}

pub(super) fn people(at: ViewContext, others: Presence) -> AnyView {
    let all = others.named.len() + others.more as usize;
    let shown = (all > 0).then(|| {
        let who = sentence(at, &others, all);
        let signs = others.named.iter().take(SHOWN);
        let more = all - signs.len();
        let signs = signs.map(|name| view! { <Avatar letters=initials(name) /> }.into_any());
        let signs: Vec<_> = signs.collect();
        let more = (more > 0).then(|| {
            let more = at.mode().words.number(more as u32);
            view! { <Avatar letters=["+", &more].concat() /> }.into_any()
        });
        view! {
            <span class="people" part="people" role="img" aria-label=who.clone() title=who>
                {signs}
                {more}
            </span>
        }
        .into_any()
    });
    shown.into_any()
}

fn sentence(at: ViewContext, others: &Presence, all: usize) -> String {
    let texts = at.texts();
    let said: Vec<&str> = others.named.iter().take(SAID).map(String::as_str).collect();
    let (said, names) = match said.len() {
        0 => (1, texts.somebody().to_owned()),
        said_count => (said_count, said.join(texts.comma())),
    };
    let names = match all - said {
        0 => names,
        more => {
            let more = at.mode().words.number(more as u32);
            fill(texts.and_more(), &[("names", &names), ("n", &more)])
        }
    };
    fill(texts.also_here(), &[("names", &names)])
}
