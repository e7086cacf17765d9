//! The fields of a row's condition: comparisons of facts, a line each.
//!
//! A condition that comparisons cannot say is shown in words and stays until it is replaced.

use checklist_control::components::icon::{CROSS, Icon, PLUS};
use checklist_control::preview::condition::condition_text;
use checklist_shared::condition::Condition;

use super::bindings::{ComparisonChoice, Editable};
use super::editor::Editor;
use super::errors::{comparison_place, row_place};
use crate::draft::{Comparison, Draft, Operator, ValueType, When};
use crate::kit::*;

/// The id of the names that fields of facts suggest.
pub const FACT_NAMES: &str = "fact-names";

/// The names of facts that the draft uses, for the fields that ask for one.
pub fn fact_names(names: Memo<Vec<String>>) -> AnyView {
    let options = move || {
        let names = names.get().into_iter();
        names
            .map(|name| view! { <option value=name></option> })
            .collect::<Vec<_>>()
    };
    view! { <datalist id=FACT_NAMES>{options}</datalist> }.into_any()
}

/// The fields.
pub fn condition_form(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let nested = Memo::new(move |_| {
        editor.row(number, |row| match &row.when {
            When::Nested(condition) => Some(condition.clone()),
            When::Comparisons(_) => None,
        })
    });
    let content = move || match nested.get() {
        Some(condition) => nested_condition(editor, number, &condition),
        None => comparisons(editor, number),
    };
    let error = move || {
        let error = editor.error_at(&row_place(number, "When"));
        error.map(|error| view! { <p class="hint danger">{error}</p> })
    };
    view! {
        <fieldset class="field conditions">
            <legend class="label">{words.when}</legend>
            <p class="hint">{words.when_hint}</p>
            {content}
            {error}
        </fieldset>
    }
    .into_any()
}

fn nested_condition(editor: Editor, number: u32, condition: &Condition) -> AnyView {
    let words = editor.app.language.templates();
    let text = condition_text(editor.app.language, condition);
    let replace = move || {
        editor.keep_for_undo();
        add(editor, number);
    };
    view! {
        <p class="fixed-value" dir="auto">{text}</p>
        <p class="hint">{words.when_nested}</p>
        <div><Button label=words.when_replace click=replace /></div>
    }
    .into_any()
}

fn comparisons(editor: Editor, number: u32) -> AnyView {
    let words = editor.app.language.templates();
    let numbers = Memo::new(move |_| {
        editor.row(number, |row| {
            let rows = row.when.comparisons().iter();
            rows.map(|row| row.number).collect::<Vec<_>>()
        })
    });
    let has_several = Memo::new(move |_| numbers.with(|numbers| numbers.len() > 1));
    let join = move || {
        let joins = options([("All", words.when_all), ("Any", words.when_any)]);
        has_several.get().then(|| {
            let bind = editor.bind(
                format!("row-{number}-join"),
                row_place(number, "When"),
                move |draft| match &mut draft.row_mut(number)?.when {
                    When::Comparisons(comparisons) => Some(&mut comparisons.join),
                    When::Nested(_) => None,
                },
                (),
            );
            view! { <Select bind label=words.when_join options=joins /> }
        })
    };
    view! {
        {join}
        <ul class="comparisons">
            <For each=move || numbers.get() key=|one| *one children=move |one| comparison(editor, number, one) />
        </ul>
        <div>
            <button
                type="button"
                class="button small"
                id=format!("row-{number}-when-add")
                on:click=move |_| add(editor, number)
            >
                <Icon path=PLUS />{words.when_add}
            </button>
        </div>
    }
    .into_any()
}

fn add(editor: Editor, number: u32) {
    let mut added = None;
    editor.change(&row_place(number, "When"), |draft| {
        added = draft.row_mut(number).map(|row| row.when.add());
    });
    if let Some(one) = added {
        editor.focus_on(format!("#row-{number}-when-{one}-fact"));
    }
}

fn remove(editor: Editor, number: u32, one: u32) {
    let mut next = None;
    editor.change(&row_place(number, "When"), |draft| {
        next = draft.row_mut(number).and_then(|row| row.when.remove(one));
    });
    for part in ["Fact", "Value"] {
        editor.forget_error(&comparison_place(number, one, part));
    }
    editor.focus_on(match next {
        // Not on the button that removes: a second press would take the next one away too.
        Some(next) => format!("#row-{number}-when-{next}-fact"),
        None => format!("#row-{number}-when-add"),
    });
}

/// One comparison: fact, operator, and what belongs to the operator.
fn comparison(editor: Editor, number: u32, one: u32) -> AnyView {
    let words = editor.app.language.templates();
    let read = move |draft: &Draft| {
        let rows = draft.row(number)?.when.comparisons();
        rows.iter().find(|row| row.number == one).cloned()
    };
    let kinds = Memo::new(move |_| {
        let comparison = editor.draft.with(read);
        comparison
            .map(|comparison| (comparison.operator, comparison.value_type))
            .unwrap_or_default()
    });
    let fact = bind(
        editor,
        (number, one),
        ("Fact", "fact"),
        |row| &mut row.fact,
        (),
    );
    let operator = ComparisonChoice::Operator;
    let operator = bind(
        editor,
        (number, one),
        ("Value", "operator"),
        whole,
        operator,
    );
    let operators = options([
        ("Is", words.op_is),
        ("IsNot", words.op_is_not),
        ("OneOf", words.op_one_of),
        ("NoneOf", words.op_none_of),
        ("AtLeast", words.op_at_least),
        ("AtMost", words.op_at_most),
        ("Present", words.op_present),
        ("Absent", words.op_absent),
    ]);
    let type_field = Memo::new(move |_| kinds.get().0);
    let type_field = move || value_type_field(editor, (number, one), type_field.get());
    let value = move || {
        let (operator, value_type) = kinds.get();
        value_field(editor, (number, one), operator, value_type)
    };
    let label = move || {
        let fact = editor.draft.with(|draft| read(draft).map(|row| row.fact));
        fill(
            words.when_remove,
            &[("fact", fact.unwrap_or_default().trim())],
        )
    };
    view! {
        <li class="comparison">
            <Field bind=fact label=words.fact suggestions=FACT_NAMES />
            <Select bind=without_error(operator) label=words.operator options=operators />
            {type_field}
            {value}
            <button
                type="button"
                class="button icon plain"
                aria-label=label
                on:click=move |_| remove(editor, number, one)
            >
                <Icon path=CROSS />
            </button>
        </li>
    }
    .into_any()
}

/// The binding of a part; `place` and `id` end the place of its errors and its id.
fn bind<T: Editable>(
    editor: Editor,
    (number, one): (u32, u32),
    (place, id): (&str, &str),
    part: fn(&mut Comparison) -> &mut T,
    key: T::Key,
) -> Binding {
    editor.bind(
        format!("row-{number}-when-{one}-{id}"),
        comparison_place(number, one, place),
        move |draft| {
            let row = draft.row_mut(number)?;
            row.when.comparison_mut(one).map(part)
        },
        key,
    )
}

const fn whole(row: &mut Comparison) -> &mut Comparison {
    row
}

/// The same without what is wrong with the value, which is told at the value.
fn without_error(bind: Binding) -> Binding {
    Binding {
        error: None,
        ..bind
    }
}

/// The choice of the value's type, where the operator leaves one.
fn value_type_field(editor: Editor, at: (u32, u32), operator: Operator) -> Option<AnyView> {
    let words = editor.app.language.templates();
    let is_list = operator.takes_several();
    if !is_list && !matches!(operator, Operator::Is | Operator::IsNot) {
        return None;
    }
    let value_type = ComparisonChoice::ValueType;
    let bind = bind(editor, at, ("Value", "type"), whole, value_type);
    let mut types = options([
        ("Text", words.type_text),
        ("Number", words.type_number),
        ("Boolean", words.type_boolean),
    ]);
    types.truncate(if is_list { 2 } else { 3 });
    let bind = without_error(bind);
    Some(view! { <Select bind label=words.value_type options=types /> }.into_any())
}

fn value_field(
    editor: Editor,
    at: (u32, u32),
    operator: Operator,
    value_type: ValueType,
) -> Option<AnyView> {
    let words = editor.app.language.templates();
    let bind = bind(editor, at, ("Value", "value"), |row| &mut row.value, ());
    let as_number = |bind| number_binding(editor.app.language, bind);
    let field = match (operator, value_type) {
        (Operator::Present | Operator::Absent, _) => return None,
        (Operator::AtLeast | Operator::AtMost, _) => {
            view! { <Field bind=as_number(bind) label=words.value /> }.into_any()
        }
        (Operator::OneOf | Operator::NoneOf, value_type) => {
            let bind = match value_type {
                ValueType::Number => as_number(bind),
                _ => bind,
            };
            view! { <Field bind label=words.values hint=words.values_hint rows=2 /> }.into_any()
        }
        (_, ValueType::Boolean) => {
            let choices = options([("true", words.yes), ("false", words.no)]);
            view! { <Select bind label=words.value options=choices /> }.into_any()
        }
        (_, ValueType::Number) => {
            view! { <Field bind=as_number(bind) label=words.value /> }.into_any()
        }
        (_, ValueType::Text) => view! { <Field bind label=words.value /> }.into_any(),
    };
    Some(field)
}

/// A binding of numbers with a point, for people who write the language. The other sign stays wrong:
/// where one has a comma, `1.500` may mean more than a thousand.
pub fn number_binding(language: Language, bind: Binding) -> Binding {
    if language != Language::De {
        return bind;
    }
    let (text, set) = (bind.text, bind.set);
    Binding {
        text: Signal::derive(move || with_signs_changed(&text.get())),
        set: Callback::new(move |(typed,): (String,)| set.run((with_signs_changed(&typed),))),
        ..bind
    }
}

fn with_signs_changed(number: &str) -> String {
    let sign = |letter| match letter {
        '.' => ',',
        ',' => '.',
        other => other,
    };
    number.chars().map(sign).collect()
}
