//! The import: a file or a pasted table is previewed, then imported.
//!
//! A file goes to the server byte by byte, so that the server can say where it is not UTF-8.

use checklist_shared::wire::computers::ImportAnswer;
use leptos::web_sys::File;
use wasm_bindgen_futures::spawn_local;

use super::file::{Content, parse};
use super::inventory::Computers;
use super::{CALLS, preview};
use crate::api::Body;
use crate::kit::*;

/// How far an import is.
#[derive(Clone)]
enum Step {
    /// There is no file yet.
    NoFile,
    /// The server is asked.
    Busy,
    /// It cannot be read: a sentence, and the single errors.
    Failed(String, Vec<String>),
    /// What it would change.
    Preview(ImportAnswer),
}

#[derive(Clone, Copy)]
struct Import {
    app: App,
    list: Computers,
    step: RwSignal<Step>,
    body: StoredValue<Option<Body>, LocalStorage>,
    file_name: RwSignal<String>,
}

/// Opens the dialog; `list` is read again once something was imported.
pub fn open(app: App, list: Computers) {
    app.show_dialog(move || {
        let import = Import {
            app,
            list,
            step: RwSignal::new(Step::NoFile),
            body: StoredValue::new_local(None),
            file_name: RwSignal::new(String::new()),
        };
        import.view()
    });
}

impl Import {
    fn view(self) -> AnyView {
        let words = self.app.language.computers();
        let close = move || self.app.close_dialog();
        view! {
            <Dialog title=words.import_title cancel=close>
                <div class="dialog-body">
                    <p class="quiet">{words.import_hint}</p>
                    {self.file_field()}
                    {self.paste_field()}
                    <div class="outcome" aria-live="polite">{move || self.outcome()}</div>
                    <div class="buttons end">
                        <Button label=self.app.language.frame().cancel click=close />
                        {move || self.import_button()}
                    </div>
                </div>
            </Dialog>
        }
        .into_any()
    }

    fn file_field(self) -> AnyView {
        let words = self.app.language.computers();
        let name = move || match self.file_name.get() {
            name if name.is_empty() => words.import_no_file.to_owned(),
            name => name,
        };
        let choose = move |mut files: Vec<File>| self.read_file(files.swap_remove(0));
        let accept = ".csv,.tsv,.txt,.json,text/csv,application/json";
        view! { <FileField label=words.import_file accept choose><span class="quiet">{name}</span></FileField> }
            .into_any()
    }

    fn paste_field(self) -> AnyView {
        let words = self.app.language.computers();
        let text = RwSignal::new(String::new());
        let bind = Binding::signal("import-text", text);
        let preview = move || {
            let text = text.get_untracked();
            if !text.trim().is_empty() {
                self.file_name.set(String::new());
                self.preview(&text, None);
            }
        };
        view! {
            <details>
                <summary class="button">{words.import_paste}</summary>
                <div class="form-fields paste">
                    <Field bind label=words.import_text hint=words.import_text_hint rows=6 />
                    <div class="buttons"><Button label=words.import_preview class="outlined" click=preview /></div>
                </div>
            </details>
        }
        .into_any()
    }

    fn read_file(self, file: File) {
        self.file_name.set(file.name());
        self.step.set(Step::Busy);
        spawn_local(async move {
            let text = file_text(&file).await.unwrap_or_default();
            if self.step.try_get_untracked().is_some() {
                self.preview(&text, Some(file));
            }
        });
    }

    /// Previews a text, or the file that holds it.
    fn preview(self, text: &str, file: Option<File>) {
        let body = match (parse(text), file) {
            (Content::Json(json), _) => Body::json(&json),
            (Content::Table, Some(file)) => Body::csv(file),
            (Content::Table, None) => Body::csv(text),
            (Content::Invalid(detail), _) => {
                let words = self.app.language.computers();
                let sentence = fill(words.import_invalid_json, &[("detail", &detail)]);
                self.step.set(Step::Failed(sentence, Vec::new()));
                return;
            }
        };
        self.body.set_value(Some(body.clone()));
        self.send(body, "?DryRun=true", |_, answer| Step::Preview(answer));
    }

    fn import(self) {
        let Some(body) = self.body.get_value() else {
            return;
        };
        self.send(body, "", |import, answer| {
            // The dialog may have been closed while the server was busy.
            if import.step.try_get_untracked().is_some() {
                import.app.close_dialog();
            }
            import.app.say(preview::imported(import.app, &answer));
            import.list.reload();
            Step::NoFile
        });
    }

    fn send(self, body: Body, query: &'static str, done: fn(Self, ImportAnswer) -> Step) {
        self.step.set(Step::Busy);
        spawn_local(async move {
            let call = [CALLS, "/Import", query].concat();
            let answer = api::send_as(self.app, Method::POST, &call, body).await;
            self.step.try_set(match answer {
                Ok(answer) => done(self, answer),
                Err(error) => self.failed(&error),
            });
        });
    }

    fn failed(self, error: &ApiError) -> Step {
        let sentence = if error.errors.is_empty() {
            error_sentence(self.app, error)
        } else {
            error.detail.clone()
        };
        let details = error.errors.iter().map(|error| error.detail.clone());
        let details = details.filter(|detail| *detail != sentence).collect();
        Step::Failed(sentence, details)
    }

    fn outcome(self) -> AnyView {
        match self.step.get() {
            Step::NoFile => ().into_any(),
            Step::Busy => view! { <Skeleton /> }.into_any(),
            Step::Failed(text, details) => {
                let details = details
                    .into_iter()
                    .map(|detail| view! { <li>{detail}</li> });
                view! { <Alert text /><ul class="import-faults">{details.collect::<Vec<_>>()}</ul> }
                    .into_any()
            }
            Step::Preview(answer) => preview::view(self.app, &answer),
        }
    }

    /// The button that imports, where there is something to import.
    fn import_button(self) -> AnyView {
        let words = self.app.language.computers();
        let Step::Preview(answer) = self.step.get() else {
            return ().into_any();
        };
        let count = u64::from(answer.created) + u64::from(answer.updated);
        let label = counted(self.app.language, count, words.import_count);
        (answer.failed == 0 && count > 0)
            .then(|| view! { <Button label class="primary" click=move || self.import() /> })
            .into_any()
    }
}
