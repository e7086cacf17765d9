//! Writes a view out as HTML, for pages that are made on a server: the same views, not a second
//! template. Called by `preview::page` and `control::rendered`.
//! What it writes is taken over by the views in the browser.

use super::{El, View, fixed_of, tag_of};

/// Elements that have no end.
const VOID: [&str; 2] = ["br", "input"];

impl View {
    /// The view as HTML.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut html = String::new();
        self.write(&mut html);
        html
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Text(text) => escape(text, out),
            Self::Element(element) => element.write(out),
            Self::Sign(path) => crate::components::icon::drawing(path).write(out),
            // What follows something is for a browser; on a server nothing changes.
            Self::Live(at, draw) => draw(*at).write(out),
            Self::LiveClosure(draw) => draw().write(out),
        }
    }
}

impl El {
    fn write(&self, out: &mut String) {
        let parts = &self.0;
        let tag = tag_of(parts.description);
        out.push('<');
        out.push_str(tag);
        fixed_of(parts.description, &mut |name, value| {
            attribute(name, value, out);
        });
        for (name, value) in &parts.attributes {
            match *name {
                // A property, which is there or not.
                "checked" if value.is_empty() => {}
                "typed" => attribute("value", value, out),
                // What a page without inline styles refuses; whoever draws for one does without.
                style if style.starts_with("--") => {}
                name => attribute(name, value, out),
            }
        }
        out.push('>');
        if VOID.contains(&tag) {
            return;
        }
        for child in &parts.children {
            child.write(out);
        }
        out.push_str("</");
        out.push_str(tag);
        out.push('>');
    }
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(value, out);
    out.push('"');
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
    use crate::components::element::el;

    #[test]
    fn a_box_is_checked_or_not_and_styles_are_left_out() {
        let one = |checked| {
            let view = el("input|type=checkbox").fixed("checked", checked);
            view.attr("--n", "1").view().to_html()
        };
        assert_eq!(one("true"), "<input type=\"checkbox\" checked=\"true\">");
        assert_eq!(one(""), "<input type=\"checkbox\">");
    }

    #[test]
    fn texts_and_values_mean_themselves() {
        let view = el("p")
            .attr("title", "a \"b\" & c")
            .text("<b>")
            .el(el("br"))
            .text("x")
            .view();
        assert_eq!(
            view.to_html(),
            "<p title=\"a &quot;b&quot; &amp; c\">&lt;b&gt;<br>x</p>"
        );
    }
}
