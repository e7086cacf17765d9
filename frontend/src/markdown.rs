//! Help texts: a small subset of Markdown, rendered as nodes.
//!
//! Paragraphs, line breaks, strong, emphasis, code, links (http, https, mailto) and flat lists. No
//! text ever passes through an HTML string, so there is nothing to sanitize. The same code renders
//! help in the browser and on the server (`docs/adr/0002-markdown-subset.md`).

mod parse;
#[cfg(test)]
mod tests;

use leptos::prelude::*;

pub use parse::{Block, Inline, parse};

/// Draws a help text.
#[must_use]
pub fn markdown(source: &str) -> Vec<AnyView> {
    parse(source).into_iter().map(block).collect()
}

fn block(block: Block<'_>) -> AnyView {
    match block {
        Block::Paragraph(text) => view! { <p>{line(text)}</p> }.into_any(),
        Block::List { ordered, items } => {
            let item = |text| view! { <li>{line(text)}</li> }.into_any();
            let items: Vec<_> = items.into_iter().map(item).collect();
            if ordered {
                view! { <ol>{items}</ol> }.into_any()
            } else {
                view! { <ul>{items}</ul> }.into_any()
            }
        }
    }
}

fn line(text: Vec<Inline<'_>>) -> Vec<AnyView> {
    text.into_iter().map(inline).collect()
}

fn inline(piece: Inline<'_>) -> AnyView {
    match piece {
        Inline::Text(text) => text.to_owned().into_any(),
        Inline::Strong(text) => view! { <strong>{line(text)}</strong> }.into_any(),
        Inline::Emphasis(text) => view! { <em>{line(text)}</em> }.into_any(),
        Inline::Code(text) => view! { <code>{text.to_owned()}</code> }.into_any(),
        // In a tab of its own, because the form around the list may hold unsaved work.
        Inline::Link { href, label } => view! {
            <a href=href.to_owned() target="_blank" rel="noopener noreferrer">
                {line(label)}
            </a>
        }
        .into_any(),
        Inline::Break => view! { <br /> }.into_any(),
    }
}
