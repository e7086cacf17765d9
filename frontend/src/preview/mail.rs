//! Renders a preview as HTML for mails: tables and inline styles, because mail programs remove style
//! sheets and support little layout. No script, no external resources.
//!
//! The model and the texts are those of the preview.

use checklist_shared::item::Kind;
use checklist_shared::{Facts, Template};
use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::tachys::html::attribute::custom::custom_attribute;

use super::model::{Preview, Row};
use super::wording;
use crate::i18n::plural;
use crate::markdown::markdown;
use crate::markup::{escape, html_of};

/// A template as a page of tables; with facts only what applies by them.
///
/// ```
/// # use checklist_control::preview::mail::render_mail;
/// # use checklist_shared::{template::*, text::LanguageMap, Template};
/// let text = |text: &str| LanguageMap::new([("en".to_owned(), text.to_owned())]);
/// let template = Template {
///     id: "a".into(), key: "a".into(), name: text("A <list>"), description: None, items: vec![],
///     status: TemplateStatus::Published, version: 1,
///     completion_rule: CompletionRule::All, refresh_policy: RefreshPolicy::Manual,
///     due_notice: None,
///     calendar: None,
///     due_from: None,
///     changeable: Default::default(),
/// };
/// let page = render_mail(&template, "en", None);
/// assert!(page.contains("A &lt;list&gt;</h1>") && !page.contains("<link"));
/// ```
#[must_use]
pub fn render_mail(template: &Template, language: &str, facts: Option<&Facts>) -> String {
    let preview = Preview::of(template, language, facts);
    let tag = preview.words.language.tag();
    let mut title = String::new();
    escape(&preview.title, &mut title);
    let table = html_of(|| view! { <Mail preview /> }.into_any());
    format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n</head>\n\
         <body>\n{table}\n</body>\n</html>\n"
    )
}

/// The table.
#[component]
fn Mail(preview: Preview) -> impl IntoView {
    let words = preview.words;
    let count = plural(words, words.texts.preview_count(), preview.items(), &[]);
    let mut rows = vec![
        view! {
            <tr>
                <td colspan="2" style="padding:0 0 12px">
                    <h1 dir="auto" style="margin:0;font-size:20px;line-height:1.3">
                        {preview.title.clone()}
                    </h1>
                    {paragraph(&preview.description)}
                    {quiet(count)}
                </td>
            </tr>
        }
        .into_any(),
    ];
    for group in preview.groups() {
        if let Some(section) = group.section {
            rows.push(
                view! {
                    <tr>
                        <td colspan="2" style="padding:14px 0 4px">
                            <h2 dir="auto" style="margin:0;font-size:15px;line-height:1.4">
                                {section.text.clone()}
                            </h2>
                            {when(section)}
                            {help(section)}
                        </td>
                    </tr>
                }
                .into_any(),
            );
        }
        rows.extend(group.rows.iter().map(|row| item(row, &preview)));
    }
    view! {
        <table
            role="presentation"
            style=TABLE
            lang=words.language.tag()
            dir=words.language.direction()
            {..legacy_attribute("width", "100%")}
            {..legacy_attribute("cellpadding", "0")}
            {..legacy_attribute("cellspacing", "0")}
            {..legacy_attribute("border", "0")}
        >
            <tbody>{rows}</tbody>
        </table>
    }
}

const TABLE: &str = "border-collapse:collapse;max-width:640px;font:15px/1.45 system-ui,Segoe UI,Helvetica,Arial,sans-serif;color:#1b1f24";

/// An attribute that mail programs know and that is older than what Leptos has a type for.
fn legacy_attribute(name: &'static str, value: &'static str) -> AnyAttribute {
    custom_attribute(name, value).into_any_attr()
}

fn item(row: &Row, preview: &Preview) -> AnyView {
    let words = preview.words;
    let mark = if row.kind == Kind::Info {
        ""
    } else {
        "\u{2610}"
    };
    let mut hints = Vec::new();
    match row.required {
        Some(true) => hints.push(words.texts.required().to_owned()),
        Some(false) => hints.push(words.texts.optional().to_owned()),
        None => {}
    }
    if !row.assignee.is_empty() {
        hints.push(wording::assignee_line(words, &row.assignee));
    }
    hints.push(row.due.clone());
    hints.extend(row.needs.iter().map(|need| (*need).to_owned()));
    hints.extend([&row.signal, &row.answer, &row.when].into_iter().cloned());
    hints.retain(|hint| !hint.is_empty());
    let hints = (!hints.is_empty()).then(|| quiet(hints.join(" \u{b7} ")));
    view! {
        <tr>
            <td {..legacy_attribute("width", "28")} {..legacy_attribute("valign", "top")} style="padding:6px 0;border-top:1px solid #d9dde2">
                <span aria-hidden="true">{mark}</span>
            </td>
            <td {..legacy_attribute("valign", "top")} style="padding:6px 0;border-top:1px solid #d9dde2">
                <div dir="auto">{row.text.clone()}</div>
                {hints}
                {help(row)}
            </td>
        </tr>
    }
    .into_any()
}

fn when(row: &Row) -> Option<AnyView> {
    (!row.when.is_empty()).then(|| quiet(row.when.clone()))
}

fn quiet(text: String) -> AnyView {
    view! { <div style="font-size:13px;color:#57606a">{text}</div> }.into_any()
}

fn paragraph(text: &str) -> Option<AnyView> {
    (!text.is_empty())
        .then(|| view! { <p dir="auto" style="margin:4px 0">{text.to_owned()}</p> }.into_any())
}

fn help(row: &Row) -> Option<AnyView> {
    (!row.help.is_empty()).then(|| {
        let help = markdown(&row.help);
        view! { <div dir="auto" style="font-size:13px;color:#57606a">{help}</div> }.into_any()
    })
}
