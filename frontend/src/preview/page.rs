//! Renders a preview as HTML, for browsers without scripts, print and mail.
//!
//! The views are those of the element.

use checklist_shared::{Facts, Template};
use leptos::prelude::*;

use super::model::Preview;
use super::view::{HeadingScope, PreviewView};
use crate::markup::{self, html_of};
use crate::stylesheet::Styling;

/// A whole page: styled, free of scripts and of `style` attributes, ready to be printed.
///
/// `language` is a language tag as the reader asked for it. With facts only what applies by them is on
/// the page. With its styles inside, the page loads
/// nothing at all.
///
/// ```
/// # use checklist_control::preview::page::render_page;
/// # use checklist_control::stylesheet::Styling;
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
/// let styling = Styling::Linked("../control/checklist-1.css".to_owned());
/// let page = render_page(&template, "en", None, &styling);
/// assert!(page.starts_with("<!doctype html>") && page.contains("<title>A &lt;list&gt;</title>"));
/// ```
#[must_use]
pub fn render_page(
    template: &Template,
    language: &str,
    facts: Option<&Facts>,
    styling: &Styling,
) -> String {
    let preview = Preview::of(template, language, facts);
    let language = escape(&preview.language);
    let (direction, title) = (direction(&preview.language), escape(&preview.title));
    let root = format!("<html lang=\"{language}\" dir=\"{direction}\" class=\"checklist-page\">");
    let content = html(preview.clone(), HeadingScope::Page);
    let mut styles = String::new();
    styling.write(&[&root, content.as_str()].concat(), &mut styles);
    format!(
        "<!doctype html>\n\
         {root}\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n\
         {styles}\n\
         </head>\n\
         <body>\n<main>{content}</main>\n</body>\n\
         </html>\n"
    )
}

/// A `<checklist-preview>` with its view as declarative shadow DOM, to be put into a page. The
/// element adopts it as long as template, language and facts are those of the `<data>`; without scripts
/// it stays what it is. `base` is where the web services live.
#[must_use]
pub fn render_fragment(
    template: &Template,
    language: &str,
    facts: Option<&Facts>,
    styling: &Styling,
    base: &str,
) -> String {
    let preview = Preview::of(template, language, facts);
    let (id, language) = (escape(&template.id), escape(&preview.language));
    let base = escape(base);
    let facts = facts.map_or_else(String::new, |facts| {
        let facts = serde_json::to_string(facts).unwrap_or_default();
        escape(&facts)
    });
    let (attribute, data) = match facts.as_str() {
        "" => (String::new(), String::new()),
        facts => (
            format!(" facts=\"{facts}\""),
            format!(" data-facts=\"{facts}\""),
        ),
    };
    let (direction, content) = (
        direction(&preview.language),
        html(preview.clone(), HeadingScope::Part),
    );
    let mut styles = String::new();
    styling.write(&content, &mut styles);
    format!(
        "<checklist-preview base-url=\"{base}\" template=\"{id}\"{attribute} lang=\"{language}\" dir=\"{direction}\">\
         <template shadowrootmode=\"open\">{styles}\
         <data hidden lang=\"{language}\" value=\"{id}\"{data}></data>{content}</template>\
         </checklist-preview>\n"
    )
}

fn html(preview: Preview, place: HeadingScope) -> String {
    html_of(|| view! { <PreviewView preview place /> }.into_any())
}

/// The direction in which a language is written.
fn direction(language: &str) -> &'static str {
    let primary = language
        .split('-')
        .next()
        .unwrap_or(language)
        .to_ascii_lowercase();
    if ["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"].contains(&primary.as_str()) {
        "rtl"
    } else {
        "ltr"
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    markup::escape(text, &mut escaped);
    escaped
}
