//! Templates that were written elsewhere: Markdown task lists, HeroCoders' text, tables.

use checklist_shared::item::Kind;
use checklist_shared::limits::Limits;
use checklist_shared::phrase::PhraseCode;
use checklist_shared::problem::FieldError;
use checklist_shared::template::{CompletionRule, Template};
use checklist_shared::template_import::{Format, Import, read};

fn read_text(format: Format, text: impl AsRef<[u8]>) -> Result<Import, Vec<FieldError>> {
    read(
        format,
        text.as_ref(),
        "From a file",
        "en",
        &Limits::default(),
    )
}

fn import(format: Format, text: impl AsRef<[u8]>) -> Import {
    read_text(format, text).expect("a template")
}

/// One line for each item: `=` before a section, deeper below it, `!` behind required ones.
fn outline(template: &Template) -> Vec<String> {
    let lines = template.items.iter().map(|item| {
        let (_, text) = item.text.iter().next().expect("a text");
        match (item.kind, &item.parent_key) {
            (Kind::Section, _) => format!("= {text}"),
            (_, parent) => format!(
                "{}{text}{}",
                if parent.is_some() { "  " } else { "" },
                if item.required { "!" } else { "" }
            ),
        }
    });
    lines.collect()
}

fn help(template: &Template, at: usize) -> Option<&str> {
    let map = template.items[at].help.as_ref()?;
    map.iter().next().map(|(_, text)| text)
}

fn notes(import: &Import) -> Vec<(u32, PhraseCode)> {
    let notes = import.notes.iter();
    notes.map(|note| (note.line, note.phrase.code)).collect()
}

#[test]
fn a_markdown_task_list_becomes_sections_items_and_help() {
    let import = import(
        Format::Markdown,
        "# Laptop return\n\nWhat happens when a laptop comes back.\n\n## Taking back\nAt the desk.\n- [ ] Compare the serial number\n  It is *below* the battery.\n\n  On a label.\n- [x] Take back the charger\n\n## Afterwards\n1. Wipe the disk\n2. [Close](https://x.example) the ticket\n",
    );
    let template = &import.templates[0];
    assert_eq!(template.id, "laptop-return");
    assert_eq!(
        outline(template),
        [
            "= Taking back",
            "  Compare the serial number",
            "  Take back the charger",
            "= Afterwards",
            "  Wipe the disk",
            "  [Close](https://x.example) the ticket",
        ]
    );
    let description = template
        .description
        .as_ref()
        .and_then(|map| map.iter().next());
    assert_eq!(
        description,
        Some(("en", "What happens when a laptop comes back."))
    );
    assert_eq!(help(template, 0), Some("At the desk."));
    assert_eq!(
        help(template, 1),
        Some("It is *below* the battery.\n\nOn a label.")
    );
    assert_eq!(notes(&import), [(11, PhraseCode::ImportChecked)]);
    assert_eq!(template.completion_rule, CompletionRule::All);
}

#[test]
fn nested_tasks_make_a_section_of_the_task_above_them() {
    let import = import(
        Format::Markdown,
        "- [ ] Before\n    - [ ] Ask\n    - [ ] Order\n        - [ ] Laptop\n- [ ] Alone\n",
    );
    assert_eq!(
        outline(&import.templates[0]),
        ["= Before", "  Ask", "  Order", "  Laptop", "Alone"]
    );
    assert_eq!(notes(&import), [(4, PhraseCode::ImportNested)]);
}

#[test]
fn prose_between_lists_and_settings_before_them_are_named_with_their_lines() {
    let import = import(
        Format::Markdown,
        "---\ntitle: x\n---\n- One\n\nThen we wait.\n\n***\n- Two\n```\n# no list\n- no item\n```\n",
    );
    assert_eq!(import.templates.len(), 1, "{import:?}");
    assert_eq!(outline(&import.templates[0]), ["One", "Two"]);
    assert_eq!(
        help(&import.templates[0], 1),
        Some("```\n# no list\n- no item\n```")
    );
    assert_eq!(
        notes(&import),
        [
            (1, PhraseCode::ImportIgnored),
            (6, PhraseCode::ImportIgnored)
        ]
    );
}

#[test]
fn the_text_of_herocoders_checklists_keeps_optional_items_headers_and_descriptions() {
    let import = import(
        Format::Lines,
        "# Default checklist\n--- Acceptance Criteria\n* [x] works offline\n- []? looks *good*\n>> on a phone, too\nno marker at all\n---\n? outside of the section\n# Second checklist\n[done] one\n# Nothing\n",
    );
    let [first, second] = &import.templates[..] else {
        panic!("two lists: {import:?}");
    };
    assert_eq!(
        outline(first),
        [
            "= Acceptance Criteria",
            "  works offline!",
            "  looks *good*",
            "  no marker at all!",
            "outside of the section",
        ]
    );
    assert_eq!(first.completion_rule, CompletionRule::Required);
    assert_eq!(help(first, 2), Some("on a phone, too"));
    assert_eq!(second.id, "second-checklist");
    assert_eq!(outline(second), ["one"]);
    assert_eq!(
        notes(&import),
        [
            (3, PhraseCode::ImportChecked),
            (10, PhraseCode::ImportChecked),
            (11, PhraseCode::ImportEmptyList)
        ]
    );
}

#[test]
fn a_table_is_read_by_the_names_of_its_columns() {
    for separator in [",", ";", "\t"] {
        let text = "Section,Text,Required,Assignee,Due\r\nBefore,\"Ask, twice\",yes,IT service,P2D\r\nBefore,\"Say \"\"yes\"\"\",no,,\r\n,Close,,,\r\n"
            .replace(',', "\u{1}")
            .replace("Ask\u{1} twice", "Ask, twice")
            .replace('\u{1}', separator);
        let import = import(Format::Table, text);
        let template = &import.templates[0];
        assert_eq!(
            outline(template),
            ["= Before", "  Ask, twice!", "  Say \"yes\"", "Close!"],
            "{separator:?}"
        );
        assert_eq!(
            template.items[1].assignee_role.as_deref(),
            Some("IT service")
        );
        assert_eq!(template.items[1].due_offset.as_deref(), Some("P2D"));
        assert_eq!(template.name.iter().next(), Some(("en", "From a file")));
    }
}

#[test]
fn a_table_may_hold_several_templates_whose_rows_do_not_stand_together() {
    let import = import(
        Format::Table,
        "Template,Text,Colour\nIn,Greet,\nOut,Farewell,red\nIn,Show,\n",
    );
    let lists = import.templates.iter();
    let lists: Vec<_> = lists.map(|one| (one.id.as_str(), outline(one))).collect();
    assert_eq!(
        lists,
        [
            ("in", vec!["Greet".to_owned(), "Show".to_owned()]),
            ("out", vec!["Farewell".to_owned()])
        ]
    );
    assert_eq!(notes(&import), [(1, PhraseCode::ImportUnknownColumn)]);
}

#[test]
fn a_table_is_read_however_excel_has_saved_it() {
    let text =
        "Abschnitt;Text;Pflicht\r\nRückgabe;Größe prüfen – „genau“;ja\r\n;5 € zahlen;nein\r\n";
    let utf_16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let western: Vec<u8> = text
        .chars()
        .map(|letter| match letter {
            '–' => 0x96,
            '„' => 0x84,
            '“' => 0x93,
            '€' => 0x80,
            other => u8::try_from(u32::from(other)).expect("Latin-1"),
        })
        .collect();
    let expected = ["= Rückgabe", "  Größe prüfen – „genau“!", "5 € zahlen"];
    for (bytes, noted) in [
        (text.as_bytes().to_vec(), false),
        (format!("\u{feff}{text}").into_bytes(), false),
        (utf_16, false),
        (western, true),
    ] {
        let import = import(Format::Table, bytes);
        assert_eq!(outline(&import.templates[0]), expected);
        let note = (1, PhraseCode::ImportNotUtf8);
        assert_eq!(notes(&import), Vec::from_iter(noted.then_some(note)));
    }
}

#[test]
fn what_cannot_be_taken_over_is_named_with_its_line() {
    use PhraseCode::{
        ImportColumnTwice, ImportNoItems, ImportNoText, ImportNoTextColumn, ImportNotDuration,
        ImportNotYesOrNo, ImportOpenQuote, ImportTooLong, ImportTooManyCells, ImportTooManyItems,
    };
    let many = "- x\n".repeat(201);
    let long = format!("# L\n- ok\n- {}\n", "x".repeat(1_001));
    for (format, text, pointer, code) in [
        (Format::Markdown, "Only prose.\n", "/1", ImportNoItems),
        (Format::Lines, "", "/1", ImportNoItems),
        (Format::Table, "", "/1", ImportNoItems),
        (Format::Table, "\n\nText\n", "/1", ImportNoItems),
        (Format::Table, "Help\nx\n", "/1/Text", ImportNoTextColumn),
        (Format::Table, "Text,Item\nx,y\n", "/1", ImportColumnTwice),
        (
            Format::Table,
            "Text,Help\nx,y\n,z\n",
            "/3/Text",
            ImportNoText,
        ),
        (
            Format::Table,
            "Text,Help\nx,y,z\n",
            "/2",
            ImportTooManyCells,
        ),
        (
            Format::Table,
            "Text,Required\nx,maybe\n",
            "/2/Required",
            ImportNotYesOrNo,
        ),
        (
            Format::Table,
            "Text,Due\n\"x\ny\",\nz,soon\n",
            "/4/Due",
            ImportNotDuration,
        ),
        (Format::Table, "Text\nx\n\"y\n", "/3", ImportOpenQuote),
        (Format::Markdown, &many, "/201", ImportTooManyItems),
        (Format::Markdown, &long, "/3/Text", ImportTooLong),
    ] {
        let errors = read_text(format, text).expect_err(text);
        let found: Vec<_> = errors
            .iter()
            .map(|error| {
                (
                    error.pointer.as_str(),
                    error.phrase.as_ref().map(|it| it.code),
                )
            })
            .collect();
        assert_eq!(found, [(pointer, Some(code))], "{text:?}");
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod properties {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    const FORMATS: [Format; 3] = [Format::Markdown, Format::Lines, Format::Table];

    /// A text of one line that begins and ends with a letter, without Markdown's signs for bold, which
    /// an import takes out.
    fn words() -> impl Strategy<Value = String> {
        "[A-Za-zäß]([ -~äß€]{0,20}[A-Za-z])?"
            .prop_filter("bold", |text| !text.contains("**") && !text.contains("__"))
    }

    /// Sections (none for the items before the first one) with items: text, optional, help.
    type Sections = Vec<(String, Vec<(String, bool, Option<String>)>)>;

    fn sections() -> impl Strategy<Value = Sections> {
        let item = (words(), any::<bool>(), proptest::option::of(words()));
        let items = proptest::collection::vec(item, 1..4);
        proptest::collection::vec((words(), items), 1..4)
    }

    /// A list as people write task lists in Markdown.
    fn markdown(name: &str, sections: &Sections) -> String {
        let mut text = format!("# {name}\n");
        for (section, items) in sections {
            let _ = write!(text, "\n## {section}\n\n");
            for (item, is_optional, help) in items {
                let mark = if *is_optional { "? " } else { "" };
                let _ = writeln!(text, "- [ ] {mark}{item}");
                if let Some(help) = help {
                    let _ = writeln!(text, "  >> {help}");
                }
            }
        }
        text
    }

    fn is_sound(found: Result<Import, Vec<FieldError>>, lines: usize) {
        match found {
            Ok(import) => {
                assert!(!import.templates.is_empty());
                for template in &import.templates {
                    let wrong = template.validate(&Limits::default());
                    assert!(wrong.is_empty(), "{wrong:?}");
                }
                for note in &import.notes {
                    assert!((1..=lines).contains(&(note.line as usize)), "{note:?}");
                }
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in errors {
                    let line = error
                        .pointer
                        .split('/')
                        .nth(1)
                        .and_then(|it| it.parse().ok());
                    assert!(
                        line.is_some_and(|line| (1..=lines).contains(&line)),
                        "{error:?}"
                    );
                }
            }
        }
    }

    proptest! {
        /// What was read can be stored, whatever the text was.
        #[test]
        fn every_text_becomes_sound_templates_or_errors_with_lines(
            text in "([-*#>?\\[\\]x \t\n\r\",;~`]|[a-zé]|Text|Due){0,120}",
        ) {
            for format in FORMATS {
                is_sound(read_text(format, &text), text.lines().count().max(1));
            }
        }

        /// Bytes that are no text at all are read, too, and never end the program.
        #[test]
        fn every_file_becomes_sound_templates_or_errors_with_lines(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            for format in FORMATS {
                is_sound(read_text(format, &bytes), bytes.len() + 1);
            }
        }

        #[test]
        fn a_list_without_bold_words_that_is_written_as_markdown_reads_back(name in words(), sections in sections()) {
            let text = markdown(&name, &sections);
            let import = import(Format::Markdown, &text);
            prop_assert_eq!(import.notes, []);
            let [template] = &import.templates[..] else { panic!("one template") };
            prop_assert_eq!(template.name.iter().next(), Some(("en", name.as_str())));
            let has_optional = sections.iter().flat_map(|(_, items)| items).any(|item| item.1);
            let mut rows = outline(template).into_iter();
            let mut at = 0;
            for (section, items) in &sections {
                prop_assert_eq!(rows.next(), Some(format!("= {section}")));
                at += 1;
                for (item, is_optional, note) in items {
                    let mark = if has_optional && !is_optional { "!" } else { "" };
                    prop_assert_eq!(rows.next(), Some(format!("  {item}{mark}")));
                    prop_assert_eq!(help(template, at), note.as_deref());
                    at += 1;
                }
            }
            prop_assert_eq!(rows.next(), None);
        }
    }
}

#[test]
fn signs_for_bold_are_no_part_of_a_title_and_signs_in_names_and_code_are() {
    let import = import(
        Format::Markdown,
        "# The __room__\n## **Before** you leave\n- **Lock** the `**/x**` cabinet __at once__\n- Run my__tool__now\n- 2 ** 3 is **not bold\n- ****\n- **Run `a ** b` now**\n",
    );
    assert_eq!(import.templates[0].id, "the-room");
    assert_eq!(
        outline(&import.templates[0]),
        [
            "= Before you leave",
            "  Lock the `**/x**` cabinet at once",
            "  Run my__tool__now",
            "  2 ** 3 is **not bold",
            "  ****",
            "  Run `a ** b` now",
        ]
    );
}
