//! The frame around every page: bar, navigation, contents of the page, previous and next.

use std::fmt::Write as _;

use crate::html::escape;
use crate::links::up;
use crate::markdown::Document;
use crate::navigation::{API, Navigation};
use crate::page::{Heading, Kind, Page};

impl From<Document> for Page {
    fn from(document: Document) -> Self {
        Self {
            address: document.address,
            title: document.title,
            lead: document.lead,
            headings: document.headings,
            html: document.html,
            kind: Kind::Text,
        }
    }
}

/// The whole page.
pub fn complete(page: &Page, navigation: &Navigation, pages: &[Page]) -> String {
    let up = up(&page.address);
    let title = match page.address.as_str() {
        "" => "Checklist Control".to_owned(),
        _ => format!("{} – Checklist Control", page.title),
    };
    let more = match page.kind {
        Kind::Text => String::new(),
        Kind::Api => format!("  <script type=\"module\" src=\"{up}api.js\"></script>\n"),
        Kind::Gallery => format!(
            "  <link rel=\"stylesheet\" href=\"{up}gallery.css\">\n  <script type=\"module\" src=\"{up}gallery.js\"></script>\n"
        ),
    };
    let class = match page.kind {
        Kind::Text => "text",
        Kind::Api => "text api",
        Kind::Gallery => "gallery",
    };
    format!(
        "<!doctype html>\n\
         <html lang=\"en\" data-up=\"{up}\">\n\
         <head>\n  \
           <meta charset=\"utf-8\">\n  \
           <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n  \
           <meta name=\"color-scheme\" content=\"light dark\">\n  \
           <title>{title}</title>\n  \
           <link rel=\"icon\" type=\"image/svg+xml\" href=\"{up}icon.svg\">\n  \
           <link rel=\"stylesheet\" href=\"{up}docs.css\">\n  \
           <script src=\"{up}theme.js\"></script>\n  \
           <script type=\"module\" src=\"{up}docs.js\"></script>\n\
         {more}</head>\n\
         <body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         {bar}\
         <div class=\"frame\">\n\
         <nav class=\"pages\" id=\"pages\" aria-label=\"Documentation\">\n{pages}</nav>\n\
         <main id=\"content\" class=\"{class}\" tabindex=\"-1\">\n{html}{around}</main>\n\
         {contents}</div>\n\
         </body>\n</html>\n",
        title = escape(&title),
        bar = bar(up),
        pages = links(page, navigation, pages, up),
        html = page.html,
        around = around(page, navigation, pages, up),
        contents = contents(page),
    )
}

/// The bar above; the script adds what happens when one types or chooses.
fn bar(up: &str) -> String {
    format!(
        "<header class=\"bar\">\n\
         <button type=\"button\" class=\"menu\" aria-expanded=\"false\" aria-controls=\"pages\">Menu</button>\n\
         <a class=\"brand\" href=\"{up}\"><img src=\"{up}icon.svg\" alt=\"\" width=\"26\" height=\"26\"><span>Checklist Control<small>Documentation</small></span></a>\n\
         <div class=\"search\" role=\"search\">\n\
         <input type=\"search\" id=\"search\" placeholder=\"Search\" aria-label=\"Search the documentation\" aria-keyshortcuts=\"/\" role=\"combobox\" aria-expanded=\"false\" aria-controls=\"search-results\" aria-autocomplete=\"list\" autocomplete=\"off\" spellcheck=\"false\"><kbd aria-hidden=\"true\">/</kbd>\n\
         <div id=\"search-results\" role=\"listbox\" aria-label=\"Results\" hidden></div><p class=\"sr\" role=\"status\" id=\"search-count\"></p>\n\
         </div>\n\
         <fieldset class=\"segments\" id=\"theme\"><legend class=\"sr\">Colors</legend>\n\
         <label><input type=\"radio\" name=\"theme\" value=\"auto\" checked><span>Auto</span></label>\n\
         <label><input type=\"radio\" name=\"theme\" value=\"light\"><span>Light</span></label>\n\
         <label><input type=\"radio\" name=\"theme\" value=\"dark\"><span>Dark</span></label>\n\
         </fieldset>\n\
         </header>\n"
    )
}

/// The navigation: sections with their pages, and below the API its topics.
fn links(page: &Page, navigation: &Navigation, pages: &[Page], up: &str) -> String {
    // The script shows the second where there is a demo.
    let mut out = format!(
        "<h2>This server</h2>\n<ul>\n<li><a href=\"{up}../admin/\">Administration</a></li>\n\
         <li id=\"demo\" hidden><a href=\"{up}../demo/\">Demo</a></li>\n</ul>\n"
    );
    for (title, addresses) in &navigation.sections {
        let _never_fails = writeln!(out, "<h2>{}</h2>\n<ul>", escape(title));
        for address in addresses {
            out.push_str(&link(page, address, &title_of(pages, address), up));
            if address == API && page.address.starts_with(API) {
                for topic in pages
                    .iter()
                    .filter(|one| one.address.starts_with(API) && one.address != API)
                {
                    let item = link(page, &topic.address, &topic.title, up);
                    out.push_str(&item.replace("<li>", "<li class=\"topic\">"));
                }
            }
        }
        out.push_str("</ul>\n");
    }
    out
}

fn title_of(pages: &[Page], address: &str) -> String {
    if address.is_empty() {
        return "Overview".to_owned();
    }
    let page = pages.iter().find(|page| page.address == address);
    let title = page.map_or(address, |page| page.title.as_str());
    title.to_owned()
}

fn link(page: &Page, address: &str, title: &str, up: &str) -> String {
    let current = if page.address == address {
        " aria-current=\"page\""
    } else {
        ""
    };
    format!(
        "<li><a href=\"{up}{}\"{current}>{}</a></li>\n",
        escape(address),
        escape(title)
    )
}

/// The pages before and after this one.
fn around(page: &Page, navigation: &Navigation, pages: &[Page], up: &str) -> String {
    let order: Vec<&String> = navigation
        .sections
        .iter()
        .flat_map(|(_, all)| all)
        .collect();
    let Some(index) = order.iter().position(|address| **address == page.address) else {
        return String::new();
    };
    let mut out = String::from("<nav class=\"around\" aria-label=\"Previous and next page\">\n");
    let neighbours = [
        (
            "Previous",
            index.checked_sub(1).and_then(|at| order.get(at)),
        ),
        ("Next", order.get(index + 1)),
    ];
    for (word, address) in neighbours {
        if let Some(address) = address {
            let _never_fails = writeln!(
                out,
                "<a class=\"{}\" href=\"{up}{}\"><small>{word}</small>{}</a>",
                word.to_lowercase(),
                escape(address),
                escape(&title_of(pages, address))
            );
        }
    }
    out + "</nav>\n"
}

/// The headings of the page, beside it.
fn contents(page: &Page) -> String {
    let headings: Vec<&Heading> = page.headings.iter().filter(|one| one.level <= 3).collect();
    if headings.len() < 2 {
        return String::new();
    }
    let mut out = String::from(
        "<nav class=\"contents\" aria-label=\"On this page\">\n<h2>On this page</h2>\n<ul>\n",
    );
    for heading in headings {
        let _never_fails = writeln!(
            out,
            "<li class=\"level-{}\"><a href=\"#{}\">{}</a></li>",
            heading.level,
            escape(&heading.id),
            escape(&heading.text)
        );
    }
    out + "</ul>\n</nav>\n"
}
