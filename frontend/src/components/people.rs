//! Who else is on the list: a few round signs in the head, and all names in words.
//!
//! Quiet: nothing is announced when somebody comes or goes, and there is nothing to press. Called
//! by `header`.

use super::at::At;
use super::element::{View, el, nothing};
use super::meta::{avatar, initials};
use crate::control::screen::Others;
use crate::i18n::fill;

/// Signs that are shown; those beyond are counted.
const SHOWN: usize = 3;

/// Names that are said; those beyond are counted.
const SAID: usize = 10;

/// The others; nothing when this person is alone.
#[must_use]
pub fn people(at: At, others: &Others) -> View {
    let all = others.named.len() + others.more as usize;
    if all == 0 {
        return nothing();
    }
    let who = sentence(at, others, all);
    let signs = others.named.iter().take(SHOWN);
    let more = all - signs.len();
    let signs = signs.map(|name| avatar(initials(name)).view()).collect();
    let more = (more > 0).then(|| {
        let more = at.mode.words.number(more as u32);
        avatar(["+", &more].concat())
    });
    el("span|people|role=img")
        .attr("aria-label", who.clone())
        .attr("title", who)
        .children(signs)
        .maybe(more)
        .view()
}

fn sentence(at: At, others: &Others, all: usize) -> String {
    let texts = at.texts();
    let said: Vec<&str> = others.named.iter().take(SAID).map(String::as_str).collect();
    let (said, names) = match said.len() {
        0 => (1, texts.somebody().to_owned()),
        said_count => (said_count, said.join(texts.comma())),
    };
    let names = match all - said {
        0 => names,
        more => {
            let more = at.mode.words.number(more as u32);
            fill(texts.and_more(), &[("names", &names), ("n", &more)])
        }
    };
    fill(texts.also_here(), &[("names", &names)])
}
