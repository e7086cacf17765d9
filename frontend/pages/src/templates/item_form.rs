//! The fields of one row of a draft.

use checklist_shared::item::Kind;
use checklist_shared::template::CountedIn;

use super::answer_form::answer_fields;
use super::comparison::counted_in as counted_in_words;
use super::condition_form::condition_form;
use super::editor::Editor;
use super::errors::{due_sentence, row_place};
use crate::draft::{Draft, first_text, text_in, write_text};
use crate::kit::*;

/// The fields.
pub fn item_form(editor: Editor, number: u32, kind: Kind) -> AnyView {
    let languages = editor.languages();
    let texts = move || {
        let languages = languages.get();
        let texts = languages.iter().map(|tag| text_field(editor, number, tag));
        let helps = languages.iter().map(|tag| help_field(editor, number, tag));
        let fields: Vec<AnyView> = texts.chain(helps).collect();
        view! { <div class="form-fields">{fields}</div> }
    };
    let section = (kind != Kind::Section).then(|| section_field(editor, number));
    let rules = (kind == Kind::Item).then(|| rule_fields(editor, number));
    view! {
        <div class="form-fields">
            {texts}
            <div class="form-pair">{key_field(editor, number)}{section}</div>
            {condition_form(editor, number)}
            {rules}
        </div>
    }
    .into_any()
}

fn text_field(editor: Editor, number: u32, tag: &str) -> AnyView {
    let (own, other) = (tag.to_owned(), tag.to_owned());
    let place = row_place(number, "Text");
    let text = editor.bind_row(
        number,
        &format!("text-{tag}"),
        "Text",
        |row| &mut row.text,
        own,
    );
    let own = tag.to_owned();
    let set = move |text: String| {
        editor.change(&place, |draft| set_text(draft, number, &own, &text));
    };
    // The languages in which there is a text are not to blame.
    let error = move || {
        let is_missing = editor.row(number, |row| text_in(&row.text, &other).trim().is_empty());
        let is_single = editor.draft.with(|draft| draft.languages.len() < 2);
        let error = editor.error_at(&row_place(number, "Text"));
        error.filter(|_| is_missing || is_single)
    };
    let bind = Binding::new(text.id.clone(), move || text.text.get(), set).error(error);
    let label = untrack(|| editor.label_in(editor.app.language.templates().text, tag));
    view! { <Field bind label lang=tag rows=1 /> }.into_any()
}

/// Writes the text of a row. A key that was generated from the text follows it until it is
/// published.
fn set_text(draft: &mut Draft, number: u32, tag: &str, text: &str) {
    let key_of = |draft: &Draft| {
        let row = draft.row(number)?;
        Some(draft.key_for(number, first_text(&row.text)))
    };
    let generated = key_of(draft);
    let Some(row) = draft.row_mut(number) else {
        return;
    };
    let follows = !row.fixed && (row.key.is_empty() || Some(&row.key) == generated.as_ref());
    write_text(&mut row.text, tag, text);
    if let (true, Some(key)) = (follows, key_of(draft))
        && let Some(row) = draft.row_mut(number)
    {
        row.key = key;
    }
}

fn help_field(editor: Editor, number: u32, tag: &str) -> AnyView {
    let (id, own) = (format!("help-{tag}"), tag.to_owned());
    let bind = editor.bind_row(number, &id, "Help", |row| &mut row.help, own);
    let label = untrack(|| editor.label_in(editor.app.language.templates().help, tag));
    view! { <Field bind label lang=tag rows=2 /> }.into_any()
}

fn key_field(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let (key, is_fixed) = untrack(|| editor.row(number, |row| (row.key.clone(), row.fixed)));
    if is_fixed {
        return view! {
            <div class="field">
                <span class="label">{words.key}</span>
                <code class="fixed-value">{key}</code>
                <p class="hint">{words.key_fixed}</p>
            </div>
        }
        .into_any();
    }
    let bind = editor.bind_row(number, "key", "Key", |row| &mut row.key, ());
    // It follows the text of the row.
    let text = Signal::derive(move || editor.row(number, |row| row.key.clone()));
    view! { <Field bind=Binding { text, ..bind } label=words.key hint=words.key_hint /> }.into_any()
}

/// The section that the row is in.
fn section_field(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let sections = Memo::new(move |_| {
        let rows = editor.draft.with(|draft| draft.rows.clone());
        let sections = rows.iter().filter(|row| row.kind == Kind::Section);
        let named = sections.map(|row| (row.number.to_string(), editor.name_of(row.number)));
        let none = (String::new(), words.no_section.to_owned());
        std::iter::once(none).chain(named).collect::<Vec<_>>()
    });
    let field = move || {
        let text = move || {
            let parent = editor.row(number, |row| row.parent);
            parent.map_or_else(String::new, |parent| parent.to_string())
        };
        let set = move |section: String| {
            let put = |draft: &mut Draft| draft.put_into(number, section.parse().ok());
            editor.change(&row_place(number, "ParentKey"), put);
            editor.focus_on(format!("#row-{number}-section"));
        };
        let bind = Binding::new(format!("row-{number}-section"), text, set);
        view! { <Select bind label=words.section options=sections.get() /> }
    };
    view! { <div>{field}</div> }.into_any()
}

/// The signal that sets the status of an item.
fn signal_fields(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let bind = |id, field: &str, part| {
        let error = row_place(number, field);
        let bind = editor.bind_row(number, id, field, part, ());
        bind.error(move || editor.error_at(&error))
    };
    let source = bind("source", "Signal/Source", |row| &mut row.signal_source);
    let key = bind("signal-key", "Signal/Key", |row| &mut row.signal_key);
    let stale_after = bind("stale", "Signal/StaleAfter", |row| &mut row.stale_after);
    view! {
        <div class="form-pair">
            <Field bind=source label=words.signal_source hint=words.signal_source_hint />
            <Field bind=key label=words.signal_key hint=words.signal_key_hint />
        </div>
        <Field bind=editor.duration(stale_after) label=words.stale_after hint=words.stale_after_hint />
    }
    .into_any()
}

/// The fields that only items have.
fn rule_fields(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let required = editor.flag(number, "Required", |row| &mut row.required);
    let allow_na = editor.flag(number, "AllowNotApplicable", |row| {
        &mut row.allow_not_applicable
    });
    let na_reason = editor.flag(number, "NotApplicableNeedsReason", |row| {
        &mut row.not_applicable_needs_reason
    });
    let needs_person = editor.flag(number, "NeedsPerson", |row| &mut row.needs_person);
    let requires_evidence =
        editor.flag(number, "RequiresEvidence", |row| &mut row.requires_evidence);
    let second_person = editor.flag(number, "SecondPerson", |row| &mut row.second_person);
    let signal = editor.flag(number, "Signal", |row| &mut row.has_signal);
    let has_signal = Memo::new(move |_| signal.is_on.get());
    let answer = move || (!has_signal.get()).then(|| answer_fields(editor, number));
    let people = move || {
        let switches = || {
            view! {
                <Switch bind=needs_person label=words.needs_person hint=words.needs_person_hint />
                <Switch bind=second_person label=words.second_person hint=words.second_person_hint />
            }
        };
        (!has_signal.get()).then(switches)
    };
    let has_reason = Memo::new(move |_| allow_na.is_on.get());
    let reason = move || {
        let switch = || view! { <Switch bind=na_reason label=words.na_reason /> };
        has_reason.get().then(switch)
    };
    let role = editor.bind_row(
        number,
        "role",
        "AssigneeRole",
        |row| &mut row.assignee_role,
        (),
    );
    let due = editor.bind_row(number, "due", "DueOffset", |row| &mut row.due_offset, ());
    let change = editor.bind_row(
        number,
        "change",
        "OnTextChange",
        |row| &mut row.on_text_change,
        (),
    );
    let changes = options([
        ("Keep", words.on_change_keep),
        ("Flag", words.on_change_flag),
        ("Reopen", words.on_change_reopen),
    ]);
    // Said while it is typed.
    let due_error = move || {
        let is_wrong = editor.row(number, |row| !row.has_sound_due_date());
        let place = row_place(number, "DueOffset");
        let sentence = || {
            editor
                .draft
                .with(|draft| due_sentence(editor.app, draft, &place))
        };
        let error = editor.error_at(&place);
        is_wrong.then(|| sentence().to_owned()).or(error)
    };
    let is_countable = Memo::new(move |_| {
        let has_calendar = editor.draft.with(|draft| draft.calendar.is_used);
        has_calendar || editor.row(number, |row| !row.due_counted_in.is_time())
    });
    let counted_in = move || {
        let bind = editor.bind_row(
            number,
            "counted-in",
            "DueCountedIn",
            |row| &mut row.due_counted_in,
            (),
        );
        let units = CountedIn::ALL.map(|unit| (unit.name(), counted_in_words(editor.app, unit)));
        let units = options(units);
        is_countable
            .get()
            .then(|| view! { <Select bind label=words.counted_in options=units /> })
    };
    view! {
        <div class="form-fields">
            <div class="switches">
                <Switch bind=required label=words.required />
                <Switch bind=allow_na label=words.allow_na />
                <div>{reason}</div>
                {people}
                <Switch
                    bind=requires_evidence
                    label=words.requires_evidence
                    hint=words.requires_evidence_hint
                />
                <Switch bind=signal label=words.signal hint=words.signal_hint />
            </div>
            {answer}
            {move || has_signal.get().then(|| signal_fields(editor, number))}
            <div class="form-pair">
                <Field bind=role label=words.role />
                <Field bind=editor.duration(due).error(due_error) label=words.due hint=words.due_hint />
            </div>
            {counted_in}
            <Select bind=change label=words.on_change options=changes />
        </div>
    }
    .into_any()
}
