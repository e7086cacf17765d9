//! One template: its settings, its rows, and beside them how it will look.

use std::cell::Cell;

use checklist_shared::wire::admin::{TemplateBundle, TemplateHistory};

use super::editor::Editor;
use super::outline::outline;
use super::preview::preview;
use super::publishing;
use super::settings::settings;
use crate::draft::{first_text, text_in};
use crate::kit::*;

/// The page of a new template.
pub fn new(app: App) -> AnyView {
    editor_page(Editor::new(app, None))
}

/// The page of a template.
pub fn page(app: App, id: String) -> AnyView {
    let path = ["Templates/", &encoded(&id)].concat();
    let read = move || api::get_tagged::<TemplateHistory>(app, &path);
    // Whoever leaves while the template is loading has not added anything.
    let promoted = app.promoted.try_update(Option::take).flatten();
    let promoted = Cell::new(promoted.filter(|(template, _)| *template == id));
    load(read, move |read| {
        let editor = Editor::new(app, Some(read));
        if let Some((_, text)) = promoted.take() {
            editor.promote(&text);
        }
        editor_page(editor)
    })
}

fn editor_page(editor: Editor) -> AnyView {
    let (app, words) = (editor.app, editor.app.language.templates());
    let is_new = editor.history.with_untracked(Option::is_none);
    let title = if is_new {
        words.new_title.to_owned()
    } else {
        title_of(editor)
    };
    view! {
        <BackLink to=Route::Templates label=app.language.frame().templates />
        <PageHead title>{(!is_new).then(|| actions(editor))}</PageHead>
        {retired_notice(editor)}
        {save_bar(editor)}
        <div class="editor-columns">
            <div class="editor-main">{settings(editor, is_new)}{outline(editor)}</div>
            {preview(editor)}
        </div>
    }
    .into_any()
}

/// The name in the reader's language, else in any, else the id.
fn title_of(editor: Editor) -> String {
    editor.draft.with_untracked(|draft| {
        let names = [
            text_in(&draft.name, editor.app.language.tag()),
            first_text(&draft.name),
        ];
        let name = names.into_iter().find(|name| !name.is_empty());
        name.unwrap_or(&draft.id).to_owned()
    })
}

fn actions(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    let id = editor.draft.with_untracked(|draft| draft.id.clone());
    let file = [&id, ".json"].concat();
    let export = move || {
        // What is not finished would be missing in the file.
        if !editor.is_finished() {
            return;
        }
        let template = editor.draft.with_untracked(|draft| draft.template());
        let templates = vec![template];
        download_json(&file, &TemplateBundle { templates });
    };
    let has_draft = Memo::new(move |_| has_draft(editor));
    let delete = move || {
        has_draft.get().then(|| {
            view! { <Button label=words.delete_draft click=move || editor.delete_draft() /> }
        })
    };
    let is_published = Memo::new(move |_| {
        editor.history.with(|history| {
            history
                .as_ref()
                .is_some_and(|history| history.published.is_some())
        })
    });
    let is_retired = Memo::new(move |_| is_retired(editor));
    let route = Route::Health(id.clone());
    let health = move || {
        let to = route.clone();
        is_published
            .get()
            .then(|| view! { <PageLink to class="button">{words.health}</PageLink> })
    };
    let retire = move || {
        is_published.get().then(|| match is_retired.get() {
            true => view! { <Button label=words.offer click=move || editor.offer() /> },
            false => view! { <Button label=words.retire click=move || editor.retire() /> },
        })
    };
    let delete_all = move || {
        is_published.get().then(|| {
            let delete = move || editor.delete_template();
            view! { <Button label=words.delete_template class="danger" click=delete /> }
        })
    };
    view! {
        <PageLink to=Route::Comparison(id) class="button">{words.compare}</PageLink>
        <span>{health}</span>
        <MoreActions>
            <Button label=words.export_one click=export />
            {delete}
            {retire}
            {delete_all}
        </MoreActions>
    }
    .into_any()
}

fn is_retired(editor: Editor) -> bool {
    editor.history.with(|history| {
        let history = history.as_ref();
        history.is_some_and(|history| history.retired_at.is_some())
    })
}

/// Says that new lists do not begin with the template.
fn retired_notice(editor: Editor) -> AnyView {
    let hint = editor.app.language.templates().retired_hint;
    let notice = move || {
        is_retired(editor).then(|| view! { <p class="notice warn"><span>{hint}</span></p> })
    };
    view! { <div role="status">{notice}</div> }.into_any()
}

fn has_draft(editor: Editor) -> bool {
    editor.history.with(|history| {
        history
            .as_ref()
            .is_some_and(|history| history.draft.is_some())
    })
}

/// What is saved and published, and the buttons that change it. Stays in view.
fn save_bar(editor: Editor) -> AnyView {
    let (app, words) = (editor.app, editor.app.language.templates());
    let is_changed = Memo::new(move |_| editor.is_changed());
    // The first time the page of the template opens, and publishes.
    let is_stored = Memo::new(move |_| editor.history.with(Option::is_some));
    let can_publish =
        Memo::new(move |_| is_stored.get() && (is_changed.get() || has_draft(editor)));
    let saves_first = Memo::new(move |_| is_stored.get() && is_changed.get());
    let state = move || {
        let versions = editor.history.with(|history| {
            let history = history.as_ref()?;
            let version = |template: &Option<checklist_shared::template::Template>| {
                Some(template.as_ref()?.version.to_string())
            };
            Some((version(&history.draft), version(&history.published)))
        });
        match versions {
            _ if is_changed.get() => words.not_saved.to_owned(),
            None => words.not_saved.to_owned(),
            Some((Some(draft), _)) => fill(words.draft_of, &[("n", &draft)]),
            Some((_, Some(published))) => fill(words.published_as, &[("n", &published)]),
            Some((None, None)) => words.never_published.to_owned(),
        }
    };
    let discard = move |_| {
        if is_changed.get_untracked() {
            let question =
                Question::destructive(words.discard_title, words.discard_hint, words.discard);
            let discard = move || editor.reset(editor.saved.get_untracked());
            app.confirm(question, discard);
        }
    };
    let save_label = Signal::derive(move || {
        if editor.busy.get() {
            app.language.frame().saving
        } else {
            words.save_draft
        }
        .to_owned()
    });
    let why_not = move || match is_stored.get_untracked() {
        true => words.publish_nothing,
        false => words.publish_saves,
    };
    let publish_label = move || match saves_first.get() {
        true => words.save_and_publish,
        false => words.publish,
    };
    let publish = move |_| match () {
        () if saves_first.get_untracked() => editor.save_and_publish(),
        () if can_publish.get_untracked() => publishing::ask(editor),
        () => editor.alert.set(Some(why_not().to_owned())),
    };
    // A button that is disabled cannot say why.
    let disabled = |is_enabled: Memo<bool>| move || (!is_enabled.get()).then_some("true");
    view! {
        <div class="save-bar">
            <p class="save-state" role="status">{state}</p>
            <div class="buttons">
                <button type="button" class="button" aria-disabled=disabled(is_changed) on:click=discard>
                    {words.discard}
                </button>
                <Button label=save_label class="outlined" click=move || editor.save() />
                <button
                    type="button"
                    class="button primary"
                    aria-disabled=disabled(can_publish)
                    title=move || (!can_publish.get()).then(why_not)
                    on:click=publish
                >
                    {publish_label}
                </button>
            </div>
            {move || editor.alert.get().map(|text| view! { <Alert text /> })}
        </div>
    }
    .into_any()
}
