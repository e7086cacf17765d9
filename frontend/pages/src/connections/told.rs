//! Sentences of the server for pages that are not on the kit yet; the others use `server_text`.

use crate::app::App;
use crate::element::{El, el};
use crate::wording::Language;

/// A sentence in the server's own words, which are English.
pub fn from_server(app: App, text: String) -> El {
    let sentence = el("p").text(text);
    if app.language == Language::En {
        sentence
    } else {
        sentence.attr("lang", "en")
    }
}
