//! Templates from a file: chosen, looked at, written as drafts. Errors are shown with their place
//! in the file.

use checklist_shared::wire::admin::{TemplateRow, Templates};
use leptos::web_sys::File;
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use crate::api::FieldError;
use crate::kit::*;

#[derive(Clone)]
enum State {
    Empty,
    Unreadable(String),
    Read {
        name: String,
        templates: Vec<Value>,
        /// The templates that exist already.
        existing: Vec<TemplateRow>,
    },
    Rejected(Vec<Value>, ApiError),
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.templates();
    let state = RwSignal::new(State::Empty);
    let choose = move |files: Vec<File>| {
        spawn_local(async move {
            if let Some(file) = files.first() {
                let read = read(app, file).await;
                state.try_set(read);
            }
        });
    };
    let name = move || match state.get() {
        State::Read { name, .. } => name,
        _ => words.import_none.to_owned(),
    };
    view! {
        <BackLink to=Route::Templates label=app.language.frame().templates />
        <PageHead title=words.import_title intro=words.import_hint />
        <div class="card panel padded">
            <FileField label=words.import_choose accept=".json,application/json" choose>
                <span class="quiet">{name}</span>
            </FileField>
            {move || state_view(app, state)}
        </div>
    }
    .into_any()
}

async fn read(app: App, file: &File) -> State {
    let words = app.language.templates();
    let text = file_text(file).await.unwrap_or_default();
    let content = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(content) => content,
        Err(error) => {
            let detail = error.to_string();
            return State::Unreadable(fill(words.import_unreadable, &[("detail", &detail)]));
        }
    };
    let Some(templates) = templates_in(content) else {
        return State::Unreadable(words.import_no_templates.to_owned());
    };
    match read_all(app, "Templates").await {
        Ok(existing) => State::Read {
            name: file.name(),
            templates,
            existing,
        },
        Err(error) => State::Unreadable(error_sentence(app, &error)),
    }
}

/// The templates of a bundle, of a list, or a single one.
fn templates_in(content: Value) -> Option<Vec<Value>> {
    let templates = match content {
        Value::Object(ref fields) if fields.contains_key("Templates") => {
            fields["Templates"].as_array()?.clone()
        }
        Value::Object(ref fields) if fields.contains_key("Items") => vec![content],
        Value::Array(list) => list,
        _ => return None,
    };
    (!templates.is_empty()).then_some(templates)
}

fn state_view(app: App, state: RwSignal<State>) -> AnyView {
    match state.get() {
        State::Empty => ().into_any(),
        State::Unreadable(text) => view! { <Alert text /> }.into_any(),
        State::Read {
            templates,
            existing,
            ..
        } => preview(app, state, templates, &existing),
        State::Rejected(templates, error) => rejection(app, &templates, &error),
    }
}

fn preview(
    app: App,
    state: RwSignal<State>,
    templates: Vec<Value>,
    existing: &[TemplateRow],
) -> AnyView {
    let words = app.language.templates();
    let rows = templates.iter().map(|template| {
        let id = template["Id"].as_str().unwrap_or("?").to_owned();
        let outcome = match existing.iter().find(|row| row.id == id) {
            None => words.import_new,
            Some(row) if row.draft_version.is_some() => words.import_over,
            Some(_) => words.import_draft,
        };
        view! { <li><code>{id}</code><span class="quiet">{outcome}</span></li> }
    });
    let rows: Vec<_> = rows.collect();
    let count = templates.len() as u64;
    let label = counted(app.language, count, words.import_count);
    let import = move || {
        let templates = templates.clone();
        let body = json!({ "Templates": templates });
        spawn_local(async move {
            match api::post::<Templates>(app, "Templates/Import", body).await {
                Ok(_) => {
                    app.leave_for(Route::Templates);
                    app.say(counted(app.language, count, words.imported));
                }
                Err(error) => {
                    state.try_set(State::Rejected(templates, error));
                }
            }
        });
    };
    view! {
        <h2 class="panel-title">{words.import_will}</h2>
        <ul class="import-list">{rows}</ul>
        <div class="buttons"><Button label class="primary" click=import /></div>
    }
    .into_any()
}

fn rejection(app: App, templates: &[Value], error: &ApiError) -> AnyView {
    let errors = error.errors.iter().map(|error| {
        let (place, pointer) = (place(app, templates, error), error.pointer.clone());
        view! {
            <li>
                <strong>{place}</strong>
                <span>{field_sentence(app, error)}</span>
                <code class="id">{pointer}</code>
            </li>
        }
    });
    let errors: Vec<_> = errors.collect();
    let title = app.language.templates().import_wrong;
    let list = (!errors.is_empty()).then(|| {
        view! { <h2 class="panel-title">{title}</h2><ul class="import-faults">{errors}</ul> }
    });
    view! { <Alert text=error_sentence(app, error) /><div>{list}</div> }.into_any()
}

/// Where in the file an error is, for people: template, item, field.
fn place(app: App, templates: &[Value], error: &FieldError) -> String {
    let parts: Vec<&str> = error.pointer.split('/').skip(1).collect();
    let index = |at: usize| parts.get(at).and_then(|part| part.parse::<usize>().ok());
    let Some((at, template)) = index(1).and_then(|at| Some((at, templates.get(at)?))) else {
        return app.language.templates().file.to_owned();
    };
    let name = |value: &Value, at: usize| match value.as_str() {
        Some(name) => name.to_owned(),
        None => format!("#{}", at + 1),
    };
    let mut place = vec![name(&template["Id"], at)];
    let mut rest = 2;
    if let (Some(&"Items"), Some(at)) = (parts.get(2), index(3)) {
        place.push(name(&template["Items"][at]["Key"], at));
        rest = 4;
    }
    place.extend(parts.iter().skip(rest).map(|part| (*part).to_owned()));
    place.join(" › ")
}
