//! Templates from a file, chosen or dropped, or from the examples that come with the pages: previewed,
//! written as drafts.
//!
//! The server reads the file and answers with what it would write (`DryRun`). Errors and notes are
//! shown with their place in the file. A file goes to the server byte by byte, because tables need
//! not be UTF-8. All but JSON have texts in one language, which the file does not name.

use checklist_shared::item::Kind;
use checklist_shared::template::{Template, TemplateItem};
use checklist_shared::text::LanguageMap;
use checklist_shared::wire::admin::{ImportNote, ImportedTemplates, TemplateBundle};
use leptos::web_sys::File;
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use super::import_place::{place, spans};
use crate::api::Body;
use crate::duration::in_words;
use crate::kit::*;
use crate::navigation::base;
use crate::phrase;

/// What the browser offers to choose from.
const ACCEPT: &str =
    ".json,.md,.markdown,.csv,.tsv,.txt,application/json,text/markdown,text/csv,text/plain";

enum State {
    Empty,
    Unreadable(String),
    Read(ImportedTemplates),
    /// With the templates of a bundle, for the places of errors.
    Rejected(ApiError, Vec<Value>),
}

/// Where the templates come from.
#[derive(Clone)]
enum Source {
    File(File),
    Example(Box<Template>),
}

struct Request {
    body: Body,
    query: String,
    /// The templates of a bundle.
    templates: Vec<Value>,
}

#[derive(Clone, Copy)]
struct Import {
    app: App,
    state: RwSignal<State>,
    source: StoredValue<Option<Source>, LocalStorage>,
    /// The tag of the language of its texts.
    language: RwSignal<String>,
    file_name: RwSignal<String>,
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.templates();
    let import = Import {
        app,
        state: RwSignal::new(State::Empty),
        source: StoredValue::new_local(None),
        language: RwSignal::new(app.language.tag().to_owned()),
        file_name: RwSignal::new(words.import_none.to_owned()),
    };
    let choose = move |mut files: Vec<File>| {
        let file = files.swap_remove(0);
        import.file_name.set(file.name());
        import.choose(Source::File(file));
    };
    let language = Binding::signal("import-language", import.language);
    let name = move || import.file_name.get();
    view! {
        <BackLink to=Route::Templates label=app.language.frame().templates />
        <PageHead title=words.import_title intro=words.import_hint />
        <div class="card panel padded import">
            <FileField label=words.import_choose accept=ACCEPT choose>
                <span class="quiet">{name}</span>
                <span class="quiet drop-hint">{words.import_drop}</span>
            </FileField>
            <div on:change=move |_| import.read()>
                <Field bind=language label=words.import_language hint=words.import_language_hint />
            </div>
            {examples(import)}
            <div class="outcome" aria-live="polite">{move || import.view()}</div>
        </div>
    }
    .into_any()
}

/// Examples to begin with. What cannot be loaded is not missed: a file can be chosen.
fn examples(import: Import) -> AnyView {
    let words = import.app.language.templates();
    let examples = RwSignal::new(Vec::<Template>::new());
    let address = [&base(), "/admin/assets/examples.json"].concat();
    spawn_local(async move {
        if let Ok(bundle) = api::once::<TemplateBundle>(Method::GET, &address, None).await {
            examples.try_set(bundle.templates);
        }
    });
    let tags = [import.app.language.tag()];
    let text = move |map: &LanguageMap| map.resolve(&tags).map(|(_, text)| text.to_owned());
    let row = move |template: &Template| {
        let label = text(&template.name).unwrap_or_default();
        let about = template.description.as_ref().and_then(text);
        let chosen = Box::new(template.clone());
        let click = move || import.choose(Source::Example(chosen.clone()));
        view! { <li><Button label click class="outlined" /> <span class="quiet">{about}</span></li> }
    };
    let list = move || {
        let rows = examples.with(|all| all.iter().map(row).collect::<Vec<_>>());
        (!rows.is_empty()).then(|| {
            view! {
                <h2 class="panel-title" id="examples">{words.import_examples}</h2>
                <ul class="import-examples" aria-labelledby="examples">{rows}</ul>
            }
        })
    };
    list.into_any()
}

impl Import {
    fn choose(self, source: Source) {
        if let Source::Example(_) = source {
            self.file_name
                .set(self.app.language.templates().import_none.to_owned());
        }
        self.source.set_value(Some(source));
        self.read();
    }

    /// Previews what was chosen.
    fn read(self) {
        // The language is chosen before a file is; and a field that had the focus when the page was left
        // says only then that it was changed.
        let Some(source) = self.source.try_get_value().flatten() else {
            return;
        };
        spawn_local(async move {
            let preview = self.send(source, "true").await;
            let state = preview.map_or_else(|instead| instead, State::Read);
            self.state.try_set(state);
        });
    }

    /// Sends what was chosen, a file in the language that is named now; fails with what is shown instead.
    async fn send(self, source: Source, dry_run: &str) -> Result<ImportedTemplates, State> {
        let language = self.language.get_untracked();
        let request = match source {
            Source::File(file) => request(self.app, file, language.trim()).await,
            Source::Example(template) => Ok(Request {
                body: Body::of(&json!({ "Templates": [*template] })),
                query: String::new(),
                templates: Vec::new(),
            }),
        };
        let request = request.map_err(State::Unreadable)?;
        let call = ["Templates/Import?DryRun=", dry_run, &request.query].concat();
        let answer = api::send_as(self.app, Method::POST, &call, request.body).await;
        answer.map_err(|error| State::Rejected(error, request.templates))
    }

    fn import(self) {
        let Some(source) = self.source.get_value() else {
            return;
        };
        spawn_local(async move {
            match self.send(source, "false").await {
                Ok(answer) => {
                    let count = answer.templates.len() as u64;
                    self.app.leave_for(Route::Templates);
                    let imported = self.app.language.templates().imported;
                    self.app.say(counted(self.app.language, count, imported));
                }
                Err(instead) => {
                    self.state.try_set(instead);
                }
            }
        });
    }

    fn view(self) -> AnyView {
        self.state.with(|state| match state {
            State::Empty => ().into_any(),
            State::Unreadable(text) => view! { <Alert text=text.clone() /> }.into_any(),
            State::Read(answer) => self.answer(answer),
            State::Rejected(error, templates) => self.rejection(error, templates),
        })
    }

    fn answer(self, answer: &ImportedTemplates) -> AnyView {
        let words = self.app.language.templates();
        let rows = answer.drafts.iter().map(|template| {
            let existing = answer.templates.iter().find(|row| row.id == template.id);
            let outcome = match existing {
                None => words.import_new,
                Some(row) if row.draft_version.is_some() => words.import_over,
                Some(_) => words.import_draft,
            };
            let outline = outline(self.app, template);
            view! { <li><code>{template.id.clone()}</code><span class="quiet">{outcome}</span>{outline}</li> }
        });
        let rows: Vec<_> = rows.collect();
        let count = answer.drafts.len() as u64;
        let label = counted(self.app.language, count, words.import_count);
        view! {
            <h2 class="panel-title">{words.import_will}</h2>
            <ul class="import-list">{rows}</ul>
            {notes(self.app, &answer.notes)}
            <div class="buttons"><Button label class="primary" click=move || self.import() /></div>
        }
        .into_any()
    }

    fn rejection(self, error: &ApiError, templates: &[Value]) -> AnyView {
        let app = self.app;
        let errors = error
            .errors
            .iter()
            .map(|error| marked_line(place(app, templates, error), field_sentence(app, error)));
        let errors: Vec<_> = errors.collect();
        let words = app.language.templates();
        let sentence = match errors.is_empty() {
            true => error_sentence(app, error),
            false => words.import_rejected.to_owned(),
        };
        let list = titled(words.import_wrong, errors);
        view! {
            <Alert text=sentence />
            {list}
            <div class="buttons"><Button label=words.import_again click=move || self.read() /></div>
        }
        .into_any()
    }
}

/// The request for a file, by the ending of its name; otherwise why it cannot be read.
async fn request(app: App, file: File, language: &str) -> Result<Request, String> {
    let name = file.name();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let media_type = match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "csv" | "tsv" => "text/csv",
        "txt" => "text/plain",
        _ => return bundle(app, &file).await,
    };
    let mut query = form_urlencoded::Serializer::new(String::from("&"));
    query.append_pair("Language", language);
    query.append_pair("Name", stem);
    Ok(Request {
        query: query.finish(),
        body: Body::file(media_type, file),
        templates: Vec::new(),
    })
}

async fn bundle(app: App, file: &File) -> Result<Request, String> {
    let words = app.language.templates();
    let text = file_text(file).await.unwrap_or_default();
    let content = serde_json::from_str(text.trim_start_matches('\u{feff}'));
    let content = content
        .map_err(|error| fill(words.import_unreadable, &[("detail", &error.to_string())]))?;
    let templates = templates_in(content).ok_or_else(|| words.import_no_templates.to_owned())?;
    Ok(Request {
        body: Body::of(&json!({ "Templates": templates })),
        query: String::new(),
        templates,
    })
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

/// The items of a template, to be looked at before it is imported.
fn outline(app: App, template: &Template) -> AnyView {
    let rows = template.items.iter().map(|item| row(app, item));
    let rows: Vec<_> = rows.collect();
    let words = app.language.templates();
    let count = counted(app.language, rows.len() as u64, words.rows_count);
    view! {
        <details class="import-outline"><summary>{count}</summary><ul>{rows}</ul></details>
    }
    .into_any()
}

fn row(app: App, item: &TemplateItem) -> AnyView {
    let tags = [app.language.tag()];
    let text = |map: &LanguageMap| map.resolve(&tags).map(|(_, text)| text.to_owned());
    let help = item.help.as_ref().and_then(text);
    let due = item.due_offset.as_deref();
    let due = due.map(|due| in_words(app.language.tag(), due));
    let words = app.language.templates();
    let more = [
        item.required.then_some(words.required),
        item.needs_person.then_some(words.needs_person),
        item.second_person.then_some(words.second_person),
        item.requires_evidence.then_some(words.requires_evidence),
        item.answer_format.is_some().then_some(words.answer),
        item.signal.is_some().then_some(words.signal),
        item.assignee_role.as_deref(),
        due.as_deref(),
        help.as_deref(),
    ];
    let more = more.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let class = match (item.kind, &item.parent_key) {
        (Kind::Section, _) => "section",
        (_, Some(_)) => "below",
        (_, None) => "",
    };
    view! { <li class=class><bdi>{text(&item.text)}</bdi><span class="quiet">{more}</span></li> }
        .into_any()
}

/// What is not imported as it stands in the file, each sentence once with its lines.
fn notes(app: App, notes: &[ImportNote]) -> AnyView {
    let mut sentences: Vec<(String, Vec<u32>)> = Vec::new();
    for note in notes {
        let sentence = phrase::sentence(app, &note.phrase, &note.detail);
        match sentences.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, lines)) => lines.push(note.line),
            None => sentences.push((sentence, vec![note.line])),
        }
    }
    let rows = sentences
        .into_iter()
        .map(|(sentence, lines)| marked_line(spans(app, &lines), sentence));
    titled(app.language.templates().import_notes, rows.collect())
}

/// A sentence behind its place.
fn marked_line(place: String, sentence: String) -> AnyView {
    view! { <li><strong>{place}</strong><span>{sentence}</span></li> }.into_any()
}

/// A list with a title; nothing where it has no rows.
fn titled(title: &'static str, rows: Vec<AnyView>) -> AnyView {
    (!rows.is_empty())
        .then(
            || view! { <h2 class="panel-title">{title}</h2><ul class="import-faults">{rows}</ul> },
        )
        .into_any()
}
