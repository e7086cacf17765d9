//! A preview as HTML that survives being put into a mail: tables and inline styles, because mail
//! programs take style sheets away and know little of layout. No script, nothing to load.
//!
//! The model and the words are those of the preview. Called by the server's `http/preview`.

use checklist_shared::Template;
use checklist_shared::item::Kind;

use super::model::{Preview, Row};
use super::wording;
use crate::components::element::html::escape;
use crate::components::element::{El, View, el};
use crate::i18n::plural;
use crate::markdown::markdown;

/// A template as a page of tables.
///
/// ```
/// # use checklist_control::preview::mail::render_mail;
/// # use checklist_shared::{template::*, text::LanguageMap, Template};
/// let text = |text: &str| LanguageMap::new([("en".to_owned(), text.to_owned())]);
/// let template = Template {
///     id: "a".into(), key: "a".into(), name: text("A <list>"), description: None, items: vec![],
///     status: TemplateStatus::Published, version: 1,
///     completion_rule: CompletionRule::All, refresh_policy: RefreshPolicy::Manual,
/// };
/// let page = render_mail(&template, "en");
/// assert!(page.contains("A &lt;list&gt;</h1>") && !page.contains("<link"));
/// ```
#[must_use]
pub fn render_mail(template: &Template, language: &str) -> String {
    let preview = Preview::of(template, language);
    let words = preview.words;
    let mut title = String::new();
    escape(&preview.title, &mut title);
    let mut rows = vec![line(
        el("td|colspan=2|style=padding:0 0 12px")
            .el(
                el("h1|dir=auto|style=margin:0;font-size:20px;line-height:1.3")
                    .text(preview.title.clone()),
            )
            .maybe(said(&preview.description))
            .el(quiet(plural(
                words,
                words.texts.preview_count(),
                preview.items(),
                &[],
            ))),
    )];
    for group in preview.groups() {
        if let Some(section) = group.section {
            rows.push(line(
                el("td|colspan=2|style=padding:14px 0 4px")
                    .el(
                        el("h2|dir=auto|style=margin:0;font-size:15px;line-height:1.4")
                            .text(section.text.clone()),
                    )
                    .maybe(help(section)),
            ));
        }
        rows.extend(group.rows.iter().map(|row| item(row, &preview)));
    }
    let table = el("table|role=presentation|width=100%|cellpadding=0|cellspacing=0|border=0")
        .fixed(
            "style",
            "border-collapse:collapse;max-width:640px;font:15px/1.45 system-ui,Segoe UI,Helvetica,Arial,sans-serif;color:#1b1f24",
        )
        .fixed("lang", words.language.tag())
        .fixed("dir", words.language.direction())
        .el(el("tbody").children(rows))
        .view()
        .to_html();
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n</head>\n\
         <body>\n{table}\n</body>\n</html>\n",
        words.language.tag()
    )
}

fn item(row: &Row, preview: &Preview) -> View {
    let words = preview.words;
    let mark = if row.kind == Kind::Info {
        ""
    } else {
        "\u{2610}"
    };
    let mut hints = Vec::new();
    if row.required {
        hints.push(words.texts.required().to_owned());
    }
    if !row.assignee.is_empty() {
        hints.push(wording::assigned(words, &row.assignee));
    }
    hints.extend(wording::due(words, &row.due));
    let hints = (!hints.is_empty()).then(|| quiet(hints.join(" \u{b7} ")));
    el("tr")
        .el(
            el("td|width=28|valign=top|style=padding:6px 0;border-top:1px solid #d9dde2")
                .el(el("span|aria-hidden=true").text(mark)),
        )
        .el(
            el("td|valign=top|style=padding:6px 0;border-top:1px solid #d9dde2")
                .el(el("div|dir=auto").text(row.text.clone()))
                .maybe(hints)
                .maybe(help(row)),
        )
        .view()
}

fn line(cell: El) -> View {
    el("tr").el(cell).view()
}

fn quiet(text: String) -> El {
    el("div|style=font-size:13px;color:#57606a").text(text)
}

fn said(text: &str) -> Option<El> {
    (!text.is_empty()).then(|| el("p|dir=auto|style=margin:4px 0").text(text.to_owned()))
}

fn help(row: &Row) -> Option<El> {
    (!row.help.is_empty()).then(|| {
        el("div|dir=auto|style=font-size:13px;color:#57606a").children(markdown(&row.help))
    })
}
