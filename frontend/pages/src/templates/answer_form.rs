//! The fields for what an item asks for beyond a tick.

use checklist_control::components::icon::{CROSS, Icon, PLUS};
use checklist_shared::answer::AnswerType;

use super::condition_form::number_binding;
use super::editor::Editor;
use super::errors::row_place;
use crate::draft::{AnswerDraft, Draft};
use crate::kit::*;

/// What is asked for, and what is accepted.
pub fn answer_fields(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let place = row_place(number, "AnswerFormat");
    let error = place.clone();
    let kind = Memo::new(move |_| editor.row(number, |row| row.answer.kind));
    let bind = Binding::new(
        format!("row-{number}-answer"),
        move || kind.get().map_or("", AnswerType::name).to_owned(),
        move |chosen: String| {
            change(editor, number, &place, |answer| {
                answer.kind = AnswerType::from_name(&chosen);
                if answer.kind == Some(AnswerType::Choice) && answer.choices.is_empty() {
                    answer.add();
                    answer.add();
                }
            });
        },
    );
    let kinds = options([
        ("", words.answer_none),
        ("Text", words.answer_text),
        ("Number", words.answer_number),
        ("Choice", words.answer_choice),
    ]);
    let fields = move || match kind.get() {
        Some(AnswerType::Number) => Some(number_fields(editor, number)),
        Some(AnswerType::Choice) => Some(choice_fields(editor, number)),
        Some(AnswerType::Text) | None => None,
    };
    view! {
        <Select
            bind=bind.error(move || editor.error_at(&error))
            label=words.answer
            hint=words.answer_hint
            options=kinds
        />
        {fields}
    }
    .into_any()
}

/// Changes the format of a row, and forgets what was wrong at that place.
fn change<T>(
    editor: Editor,
    number: u32,
    place: &str,
    change: impl FnOnce(&mut AnswerDraft) -> T,
) -> Option<T> {
    let mut given = None;
    editor.change(place, |draft| {
        given = draft.row_mut(number).map(|row| change(&mut row.answer));
    });
    given
}

/// What a row asks for, with the languages of the draft.
fn answer_of(draft: &mut Draft, number: u32) -> Option<(&mut AnswerDraft, &[String])> {
    let row = draft.rows.iter_mut().find(|row| row.number == number)?;
    Some((&mut row.answer, &draft.languages))
}

fn number_fields(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let bound = |id, field: &str, part| {
        number_binding(
            editor.app.language,
            editor.bind_row(number, id, field, part, ()),
        )
    };
    let min = bound("min", "AnswerFormat/Min", |row| &mut row.answer.min);
    let max = bound("max", "AnswerFormat/Max", |row| &mut row.answer.max);
    let languages = editor.languages();
    let units = move || {
        let units = languages.get().into_iter().map(|tag| {
            let bind = editor.bind(
                format!("row-{number}-unit-{tag}"),
                row_place(number, "AnswerFormat/Unit"),
                move |draft| {
                    let (answer, languages) = answer_of(draft, number)?;
                    Some(answer.unit_mut(languages))
                },
                tag.clone(),
            );
            let label = untrack(|| editor.label_in(words.unit, &tag));
            view! { <Field bind label hint=words.unit_hint lang=tag /> }
        });
        units.collect::<Vec<_>>()
    };
    view! {
        <div class="form-pair">
            <Field bind=min label=words.min />
            <Field bind=max label=words.max />
        </div>
        <div class="form-pair">{units}</div>
    }
    .into_any()
}

fn choice_fields(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let place = row_place(number, "AnswerFormat/Choices");
    let shown = Memo::new(move |_| {
        editor.row(number, |row| {
            let choices = row.answer.choices.iter();
            choices.map(|choice| choice.number).collect::<Vec<_>>()
        })
    });
    let languages = editor.languages();
    let rows = move || {
        let choices = (1_usize..).zip(shown.get());
        let rows = choices.map(|(at, choice)| {
            let fields = languages.get().into_iter().map(|tag| {
                choice_field(editor, number, choice, at, &tag)
            });
            let fields: Vec<AnyView> = fields.collect();
            let remove = move |_| remove(editor, number, choice);
            let label = fill(words.remove_choice, &[("n", &at.to_string())]);
            view! {
                <li class="choice-row">
                    <div class="form-pair">{fields}</div>
                    <button type="button" class="button icon plain" aria-label=label on:click=remove>
                        <Icon path=CROSS />
                    </button>
                </li>
            }
        });
        rows.collect::<Vec<_>>()
    };
    // Where no field can be mended, there are too few choices or too many.
    let own_error = Memo::new({
        let place = place.clone();
        move |_| {
            let is_told = editor.draft.with(|draft| {
                let choices = draft.row(number).map(|row| &row.answer.choices);
                let languages = || draft.languages.iter();
                (choices.into_iter().flatten())
                    .any(|one| languages().any(|tag| one.is_wrong_in(tag)))
            });
            editor.error_at(&place).filter(|_| !is_told)
        }
    });
    let error = move || {
        let error = own_error.get();
        error.map(|error| view! { <p class="hint danger">{error}</p> })
    };
    let fault = format!("row-{number}-choices-fault");
    let (described_by, own) = (fault.clone(), fault.clone());
    let is_own = move || own_error.with(Option::is_some);
    let add_described_by = move || is_own().then(|| own.clone());
    let is_invalid = move || is_own().then_some("true");
    let add = move |_| {
        let added = change(editor, number, &place, AnswerDraft::add);
        if let Some(choice) = added {
            focus(editor, number, choice);
        }
    };
    view! {
        <fieldset class="field" aria-describedby=described_by>
            <legend class="label">{words.choices}</legend>
            <ul class="choice-rows">{rows}</ul>
            <div id=fault>{error}</div>
            <button
                type="button"
                class="button small"
                id=format!("row-{number}-add-choice")
                aria-describedby=add_described_by
                data-invalid=is_invalid
                on:click=add
            >
                <Icon path=PLUS />
                {words.add_choice}
            </button>
        </fieldset>
    }
    .into_any()
}

fn choice_field(editor: Editor, number: u32, choice: u32, at: usize, tag: &str) -> AnyView {
    let words = editor.app.language.templates();
    let error = row_place(number, "AnswerFormat/Choices");
    let is_wrong = Memo::new({
        let tag = tag.to_owned();
        move |_| {
            editor.row(number, |row| {
                let choices = row.answer.choices.iter();
                let mut own = choices.filter(|one| one.number == choice);
                own.any(|one| one.is_wrong_in(&tag))
            })
        }
    });
    let bind = editor.bind(
        format!("row-{number}-choice-{choice}-{tag}"),
        error.clone(),
        move |draft| {
            let (answer, languages) = answer_of(draft, number)?;
            answer.choice_text_mut(choice, languages)
        },
        tag.to_owned(),
    );
    let bind = bind.error(move || editor.error_at(&error).filter(|_| is_wrong.get()));
    let label = fill(words.choice_n, &[("n", &at.to_string())]);
    let label = untrack(|| editor.label_in(&label, tag));
    view! { <Field bind label lang=tag /> }.into_any()
}

fn remove(editor: Editor, number: u32, choice: u32) {
    let place = row_place(number, "AnswerFormat/Choices");
    let next = change(editor, number, &place, |answer| answer.remove(choice));
    match next.flatten() {
        Some(next) => focus(editor, number, next),
        None => editor.focus_on(format!("#row-{number}-add-choice")),
    }
}

fn focus(editor: Editor, number: u32, choice: u32) {
    editor.focus_on(format!("[id^='row-{number}-choice-{choice}-']"));
}
