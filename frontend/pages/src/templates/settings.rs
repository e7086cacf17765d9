//! The settings of a template: id, name and description in each language, when its lists are
//! completed, whether they follow a new version by themselves, how long before their due date items
//! are announced, what due dates are counted in, what people may change of its items, its languages.

use checklist_shared::definition::DefinitionField;
use checklist_shared::time::exact_millis;

use super::calendar_form::due_dates;
use super::editor::Editor;
use crate::kit::*;

/// The panel.
pub fn settings(editor: Editor, is_new: bool) -> AnyView {
    let words = editor.app.language.templates();
    let languages = editor.languages();
    let id = editor.draft.with_untracked(|draft| draft.id.clone());
    let id_field = is_new.then(|| {
        let bind = editor.bind("template-id", "/Id", |draft| Some(&mut draft.id), ());
        view! { <Field bind label=words.id hint=words.id_hint /> }
    });
    let texts = move || {
        let fields: Vec<AnyView> =
            languages.with(|languages| languages.iter().map(|tag| texts(editor, tag)).collect());
        view! { <div class="form-fields">{fields}</div> }
    };
    let beside = (!is_new).then(|| view! { <code class="id">{id}</code> });
    // Of a template that is in use the items are what people come for.
    let is_published = editor.history.with_untracked(|history| {
        let history = history.as_ref();
        history.is_some_and(|history| history.published.is_some())
    });
    view! {
        <details class="card panel fold" open=!is_published>
            <summary class="panel-head">
                <h2 class="panel-title" id="settings-title">{words.settings}</h2>
                {beside}
            </summary>
            <div class="panel-body">
                {texts}
                {id_field}
                {rules(editor)}
                {languages_field(editor, languages)}
            </div>
        </details>
    }
    .into_any()
}

/// Name and description in a language.
fn texts(editor: Editor, tag: &str) -> AnyView {
    let words = editor.app.language.templates();
    let id = |part: &str| format!("{part}-{tag}");
    let own = tag.to_owned();
    let name = editor.bind(
        id("name"),
        "/Name",
        |draft| Some(&mut draft.name),
        own.clone(),
    );
    let description = editor.bind(
        id("description"),
        "/Description",
        |draft| Some(&mut draft.description),
        own,
    );
    let label = |label: &str| untrack(|| editor.label_in(label, tag));
    view! {
        <div class="form-fields">
            <Field bind=name label=label(words.name) lang=tag />
            <Field bind=description label=label(words.description) lang=tag rows=2 />
        </div>
    }
    .into_any()
}

/// When lists are completed, and whether they follow new versions.
fn rules(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    let completion = editor.bind(
        "completion-rule",
        "/CompletionRule",
        |draft| Some(&mut draft.completion_rule),
        (),
    );
    let refresh = editor.bind(
        "refresh-policy",
        "/RefreshPolicy",
        |draft| Some(&mut draft.refresh_policy),
        (),
    );
    let completions = options([
        ("All", words.completion_all),
        ("Required", words.completion_required),
    ]);
    let policies = options([
        ("Manual", words.refresh_manual),
        ("Auto", words.refresh_auto),
    ]);
    let place = "/DueNotice";
    let notice = editor.bind("due-notice", place, |draft| Some(&mut draft.due_notice), ());
    // Said while it is typed.
    let notice_error = move || {
        let notice = editor.draft.with(|draft| draft.due_notice.clone());
        let is_wrong = !notice.is_empty() && exact_millis(&notice).is_err();
        let error = editor.error_at(place);
        is_wrong.then(|| words.notice_wrong.to_owned()).or(error)
    };
    view! {
        <Select bind=completion label=words.completion options=completions />
        <Select bind=refresh label=words.refresh options=policies />
        <Field bind=editor.duration(notice).error(notice_error) label=words.notice hint=words.notice_hint />
        {due_dates(editor)}
        {changeable(editor)}
    }
    .into_any()
}

/// What people may change of the items in a list.
fn changeable(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    let switch = |field, label| {
        let place = "/Changeable";
        let is_on = move || (editor.draft).with(|draft| draft.changeable.contains(field));
        let set = move |on| {
            editor.change(place, |draft| {
                draft.changeable = draft.changeable.with(field, on);
            });
        };
        view! { <Switch bind=Flag::new(is_on, set) label /> }
    };
    view! {
        <fieldset class="field">
            <legend class="label">{words.changeable}</legend>
            {switch(DefinitionField::Help, words.changeable_help)}
            {switch(DefinitionField::Required, words.changeable_required)}
            {switch(DefinitionField::Kind, words.changeable_kind)}
            <p class="hint">{words.changeable_hint}</p>
        </fieldset>
    }
    .into_any()
}

/// The languages, and a field for one more.
fn languages_field(editor: Editor, languages: Memo<Vec<String>>) -> AnyView {
    let words = editor.app.language.templates();
    let chips = move || {
        let languages = languages.get();
        let is_last = languages.len() < 2;
        let chip = |tag: String| {
            let remove = (!is_last).then(|| remove_button(editor, tag.clone()));
            view! { <li class="chip"><bdi>{tag}</bdi>{remove}</li> }
        };
        languages.into_iter().map(chip).collect::<Vec<_>>()
    };
    let new = RwSignal::new(String::new());
    let add = move || {
        let tag = new.with_untracked(|new| new.trim().to_owned());
        let is_tag = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if (1..=35).contains(&tag.len()) && tag.chars().all(is_tag) {
            editor.draft.update(|draft| draft.add_language(&tag));
            new.set(String::new());
        }
    };
    view! {
        <div class="field">
            <span class="label" aria-hidden="true">{words.languages}</span>
            <div class="chip-line">
                <ul class="chips" aria-label=words.languages>{chips}</ul>
                <form class="chip-form" on:submit=submitted(add)>
                    <input
                        class="input"
                        id="new-language"
                        type="text"
                        autocomplete="off"
                        aria-label=words.language_tag
                        placeholder="de"
                        size="6"
                        maxlength="35"
                        prop:value=move || new.get()
                        on:input=move |event| new.set(event_target_value(&event))
                    />
                    <SubmitButton label=words.add_language class="" />
                </form>
            </div>
        </div>
    }
    .into_any()
}

fn remove_button(editor: Editor, tag: String) -> AnyView {
    let (app, words) = (editor.app, editor.app.language.templates());
    let label = fill(words.remove_language, &[("tag", &tag)]);
    let remove = move |_| {
        let title = fill(words.remove_language_title, &[("tag", &tag)]);
        let question =
            Question::destructive(title, words.remove_language_hint, words.remove_language_now);
        let tag = tag.clone();
        app.confirm(question, move || {
            editor.draft.update(|draft| draft.remove_language(&tag));
        });
    };
    view! { <button type="button" class="chip-cross" aria-label=label on:click=remove>"×"</button> }
        .into_any()
}
