//! Renders views to HTML strings, for pages and mails that a server makes.
//!
//! Leptos escapes the texts that it renders; `escape` is for the text around it.

use leptos::prelude::*;

/// What Leptos writes between texts and where nothing is, so that it finds its place again when a
/// browser takes over.
const MARKERS: [&str; 2] = ["<!>", "<!--<() />-->"];

/// A view as HTML. Without hydration markers: the views in the browser are rendered again.
pub(crate) fn html_of(draw: impl FnOnce() -> AnyView) -> String {
    let owner = Owner::new();
    let html = owner.with(|| draw().to_html());
    owner.cleanup();
    // No text of anybody's reads like this: in a text the brackets are escaped.
    MARKERS
        .iter()
        .fold(html, |html, marker| html.replace(marker, ""))
}

/// A text that means itself, between tags and inside of attributes.
pub(crate) fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::unused_unit, reason = "a view of nothing leaves a mark, too")]
    fn texts_and_values_mean_themselves_and_nothing_stands_between_them() {
        let html = html_of(|| {
            let title = "a \"b\" & <!>".to_owned();
            let text = "<!><b>".to_owned();
            view! { <p title=title>{text} {None::<String>} {()} <br /> "x" "y"</p> }.into_any()
        });
        assert_eq!(
            html,
            "<p title=\"a &quot;b&quot; &amp; &lt;!&gt;\">&lt;!&gt;&lt;b&gt;<br>xy</p>"
        );
    }
}
