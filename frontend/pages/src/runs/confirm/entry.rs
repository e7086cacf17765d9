//! An entry that a computer could be, in words: its title, its number, and by what it was found.

use checklist_shared::computer::ComputerField;
use checklist_shared::wire::workflow::Candidate;

use crate::computers::labels::field_name;
use crate::element::{El, el};
use crate::navigation::outside;
use crate::runs::page::Page;
use crate::wording::{Wording, fill};

/// Its title and its number.
pub fn named(page: Page, entry: &Candidate) -> String {
    let title = match entry.title.trim() {
        "" => page.app.language.runs().untitled,
        title => title,
    };
    format!("{title} · {}", numbered(page, entry))
}

fn numbered(page: Page, entry: &Candidate) -> String {
    let number = entry.item_id.to_string();
    fill(page.app.language.runs().entry_number, &[("n", &number)])
}

/// By what it was found.
pub fn found_by(page: Page, entry: &Candidate) -> String {
    let words = page.app.language.runs();
    if entry.matched_by == ComputerField::Id {
        return words.found_by_key.to_owned();
    }
    let field = field_name(page.app, entry.matched_by);
    fill(words.found_by, &[("field", field)])
}

/// A link to it, beside the computer of that name: its title is only told where it is another.
pub fn linked(page: Page, entry: &Candidate, computer: &str) -> El {
    let text = if entry.title.trim() == computer {
        numbered(page, entry)
    } else {
        named(page, entry)
    };
    let link = entry.web_url.as_deref().and_then(outside);
    el("span")
        .class("run-entry")
        .el(link
            .unwrap_or_else(|| el("span"))
            .class("long")
            .el(el("bdi").text(text)))
        .el(el("small").class("quiet").text(found_by(page, entry)))
}
