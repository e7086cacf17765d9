//! The frame of a page, and text that may stand in one.

use crate::request::Answer;

/// A page.
pub struct Page {
    pub title: String,
    pub body: String,
}

/// Text that may stand in HTML, in attributes too.
#[must_use]
pub fn text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// A page as an answer; nothing in it runs, whatever a value holds.
#[must_use]
pub fn answer(status: u16, page: &Page) -> Answer {
    let title = text(&page.title);
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} – Local site server</title>\
         <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/page.css\"></head><body>\
         <a class=\"skip\" href=\"#main\">Skip to content</a>\
         <header><nav aria-label=\"Site\"><a href=\"/\">Lists</a> <a href=\"/faults\">Faults</a></nav></header>\
         <main id=\"main\" tabindex=\"-1\"><h1>{title}</h1>{}</main></body></html>",
        page.body
    );
    Answer::text(status, "text/html; charset=utf-8", html).with(
        "content-security-policy",
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
}
