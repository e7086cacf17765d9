//! Help texts: a small subset of Markdown, drawn as nodes.
//!
//! Paragraphs, line breaks, strong, emphasis, code, links (http, https, mailto) and flat lists.
//! No text ever passes through an HTML string, so there is nothing to sanitise. The same code
//! draws help in the browser and on the server (`docs/adr/0002-markdown-subset.md`). Called by
//! the rows of the control and of the preview.

mod parse;
#[cfg(test)]
mod tests;

use crate::components::element::{View, el};
pub use parse::{Block, Inline, parse};

/// Draws a help text.
#[must_use]
pub fn markdown(source: &str) -> Vec<View> {
    parse(source).into_iter().map(block).collect()
}

fn block(block: Block<'_>) -> View {
    match block {
        Block::Paragraph(text) => el("p").children(line(text)).view(),
        Block::List { ordered, items } => {
            let item = |text| el("li").children(line(text)).view();
            let list = el(if ordered { "ol" } else { "ul" });
            list.children(items.into_iter().map(item).collect()).view()
        }
    }
}

fn line(text: Vec<Inline<'_>>) -> Vec<View> {
    text.into_iter().map(inline).collect()
}

fn inline(piece: Inline<'_>) -> View {
    match piece {
        Inline::Text(text) => View::Text(text.to_owned().into()),
        Inline::Strong(text) => el("strong").children(line(text)).view(),
        Inline::Emphasis(text) => el("em").children(line(text)).view(),
        Inline::Code(text) => el("code").text(text.to_owned()).view(),
        // In a tab of its own, because the form around the list may hold unsaved work.
        Inline::Link { href, label } => el("a")
            .attr("href", href.to_owned())
            .fixed("target", "_blank")
            .fixed("rel", "noopener noreferrer")
            .children(line(label))
            .view(),
        Inline::Break => el("br").view(),
    }
}
