//! The Markdown subset: what it supports, and that it never loses text.
//! Runs natively, with generated and real texts.
//! `tests/browser` checks the rendered result.

use proptest::prelude::*;

use super::{Block, Inline, parse};

fn text(text: &str) -> Inline<'_> {
    Inline::Text(text)
}

fn paragraph(source: &str) -> Vec<Inline<'_>> {
    match parse(source).as_slice() {
        [Block::Paragraph(line)] => line.clone(),
        other => panic!("one paragraph expected, not {other:?}"),
    }
}

/// Every letter that can be read or followed, in order.
fn letters(blocks: &[Block<'_>]) -> String {
    fn of(line: &[Inline<'_>], out: &mut String) {
        for piece in line {
            match piece {
                Inline::Text(text) | Inline::Code(text) => out.push_str(text),
                Inline::Strong(line) | Inline::Emphasis(line) => of(line, out),
                Inline::Link { href, label } => {
                    of(label, out);
                    out.push_str(href);
                }
                Inline::Break => {}
            }
        }
    }
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Paragraph(line) => of(line, &mut out),
            Block::List { items, .. } => items.iter().for_each(|line| of(line, &mut out)),
        }
    }
    out.retain(char::is_alphabetic);
    out
}

fn deepest(line: &[Inline<'_>]) -> usize {
    let inside = |piece: &Inline<'_>| match piece {
        Inline::Strong(line) | Inline::Emphasis(line) | Inline::Link { label: line, .. } => {
            1 + deepest(line)
        }
        Inline::Text(_) | Inline::Code(_) | Inline::Break => 0,
    };
    line.iter().map(inside).max().unwrap_or(0)
}

#[test]
fn marks_become_pieces() {
    assert_eq!(
        paragraph("Run **all** of *it* with `Filter = error`"),
        [
            text("Run "),
            Inline::Strong(vec![text("all")]),
            text(" of "),
            Inline::Emphasis(vec![text("it")]),
            text(" with "),
            Inline::Code("Filter = error"),
        ]
    );
}

#[test]
fn a_line_ends_where_the_author_ended_it() {
    assert_eq!(
        paragraph("first\nsecond"),
        [text("first"), Inline::Break, text("second")]
    );
}

#[test]
fn lists_are_numbered_or_not_and_a_blank_line_ends_them() {
    let item = |words: &'static str| vec![text(words)];
    assert_eq!(
        parse("- a\n- b\n\n1. c\n2. d\n\ne"),
        [
            Block::List {
                ordered: false,
                items: vec![item("a"), item("b")]
            },
            Block::List {
                ordered: true,
                items: vec![item("c"), item("d")]
            },
            Block::Paragraph(item("e")),
        ]
    );
}

#[test]
fn only_web_and_mail_addresses_become_links() {
    for href in [
        "https://example.test/a?b=c",
        "HTTP://example.test",
        "mailto:desk@example.test",
    ] {
        let link = Inline::Link {
            href,
            label: vec![text("here")],
        };
        assert_eq!(paragraph(&format!("[here]({href})")), [link]);
    }
    for href in [
        "javascript:alert(1",
        "data:text/html,x",
        "//example.test",
        "https:// x",
        "/a",
        "java\tscript:x",
        "http://",
    ] {
        let source = format!("[here]({href})");
        assert_eq!(paragraph(&source), [text(&source)], "{href}");
    }
}

#[test]
fn underscores_inside_a_name_are_part_of_the_name() {
    assert_eq!(
        paragraph("set max_open_files to 10"),
        [text("set max_open_files to 10")]
    );
}

#[test]
fn a_backslash_takes_the_meaning_from_a_mark() {
    assert_eq!(
        paragraph(r"2 \* 3 \* 4"),
        [text("2 "), text("* 3 "), text("* 4")]
    );
    assert_eq!(paragraph(r"C:\logs"), [text(r"C:\logs")]);
}

#[test]
fn marks_without_an_end_stay_as_written() {
    for source in [
        "a * b",
        "**open",
        "`open",
        "[open",
        "[a](open",
        "_x",
        "* ",
        "****",
        "2 * 3 * 4",
    ] {
        let shown: String = letters(&parse(source));
        let written: String = source.chars().filter(|c| c.is_alphabetic()).collect();
        assert_eq!(shown, written, "{source}");
    }
}

#[test]
fn a_long_row_of_opening_marks_is_read_in_linear_time() {
    let source = "*a **b `c _d [e ".repeat(20_000);
    let start = std::time::Instant::now();
    assert!(!parse(&source).is_empty());
    assert!(
        start.elapsed() < std::time::Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
}

proptest! {
    #[test]
    fn no_source_makes_it_panic_lose_a_letter_or_nest_too_deep(source in r"[-*_`\[\]()\\\n .ahx1éß:/]{0,200}") {
        let blocks = parse(&source);
        let written: String = source.chars().filter(|c| c.is_alphabetic()).collect();
        prop_assert_eq!(letters(&blocks), written);
        for block in &blocks {
            let depth = match block {
                Block::Paragraph(line) => deepest(line),
                Block::List { items, .. } => items.iter().map(|line| deepest(line)).max().unwrap_or(0),
            };
            prop_assert!(depth <= 4);
        }
    }

    #[test]
    fn a_source_without_marks_is_shown_as_it_is(source in r"[a-zA-Zäé,;:!? ]{1,80}") {
        prop_assume!(!source.trim_ascii().is_empty());
        prop_assert_eq!(paragraph(&source), [text(source.trim_ascii())]);
    }

    #[test]
    fn any_text_at_all_is_read(source in "\\PC{0,200}") {
        prop_assert_eq!(parse(&source).is_empty(), source.trim_ascii().is_empty());
    }
}
