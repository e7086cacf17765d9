//! The import: a file is chosen or a table pasted, looked at, and then imported.
//!
//! A file goes to the server byte by byte, which can tell where it is no UTF-8. What the server
//! says is drawn by `preview`.

use checklist_shared::wire::computers::ImportAnswer;
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::web_sys::File;
use send_wrapper::SendWrapper;
use wasm_bindgen_futures::spawn_local;

use super::file::{Content, content};
use super::rows::Rows;
use super::{CALLS, preview};
use crate::api::{self, ApiError, Body};
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::parts::dialog::dialog;
use crate::parts::field::Field;
use crate::parts::load::{alert, sentence, waiting};
use crate::templates::exchange::{chosen, text_of};
use crate::wording::{Wording, counted, fill};

/// What has become of what was given.
#[derive(Clone)]
enum Step {
    /// Nothing was given yet.
    Asking,
    /// It is on its way.
    Busy,
    /// It could not be read at all.
    Refused(String, Vec<String>),
    /// This is what it would do.
    Seen(ImportAnswer),
}

#[derive(Clone, Copy)]
struct Import {
    app: App,
    rows: Rows,
    open: RwSignal<bool>,
    step: RwSignal<Step>,
    given: RwSignal<Option<SendWrapper<Body>>>,
    name: RwSignal<String>,
    pasted: RwSignal<String>,
}

/// The dialog.
pub fn dialog_of(app: App, rows: Rows, open: RwSignal<bool>) -> AnyView {
    let words = app.language.computers();
    let import = Import {
        app,
        rows,
        open,
        step: RwSignal::new(Step::Asking),
        given: RwSignal::new(None),
        name: RwSignal::new(String::new()),
        pasted: RwSignal::new(String::new()),
    };
    let body = el("div")
        .class("dialog-body")
        .el(el("p").class("quiet").text(words.import_hint))
        .el(import.file_field())
        .el(import.paste_field())
        .el(el("div")
            .class("outcome")
            .attr("aria-live", "polite")
            .child(live(move || import.outcome())))
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, move || {
                open.set(false)
            }))
            .live(move || import.way_on()));
    dialog(words.import_title, body.view(), move || open.set(false))
}

impl Import {
    fn file_field(self) -> El {
        let words = self.app.language.computers();
        el("label")
            .class("file-field")
            .el(el("span")
                .class("button outlined")
                .attr("aria-hidden", "true")
                .text(words.import_choose))
            .el(el("input")
                .attr("type", "file")
                .attr("accept", ".csv,.tsv,.txt,.json,text/csv,application/json")
                .attr("aria-label", words.import_choose)
                .on("change", move |event| {
                    if let Some(file) = chosen(&event) {
                        self.take_file(file);
                    }
                }))
            .el(el("span").class("quiet").follow_text(move || {
                let name = self.name.get();
                if name.is_empty() {
                    words.import_none.to_owned()
                } else {
                    name
                }
            }))
    }

    fn paste_field(self) -> El {
        let words = self.app.language.computers();
        el("details")
            .el(el("summary").class("button").text(words.import_paste))
            .el(el("div")
                .class("form-fields paste")
                .el(Field::new("import-text", words.import_text)
                    .hint(words.import_text_hint)
                    .area(6, "", move |text| self.pasted.set(text)))
                .el(el("div").class("buttons").el(button(
                    "button outlined",
                    words.import_look,
                    move || {
                        let text = self.pasted.get_untracked();
                        if !text.trim().is_empty() {
                            self.name.set(String::new());
                            self.take(&text, None);
                        }
                    },
                ))))
    }

    fn take_file(self, file: File) {
        self.name.set(file.name());
        self.step.set(Step::Busy);
        spawn_local(async move {
            let text = text_of(&file).await.unwrap_or_default();
            if self.step.try_get_untracked().is_some() {
                self.take(&text, Some(file));
            }
        });
    }

    /// Looks at a text, or at the file that holds it.
    fn take(self, text: &str, file: Option<File>) {
        let words = self.app.language.computers();
        let sent = match (content(text), file) {
            (Content::Json(whole), _) => Body::json(&whole),
            (Content::Table, Some(file)) => Body::csv(file),
            (Content::Table, None) => Body::csv(text),
            (Content::Broken(detail), _) => {
                let told = fill(words.import_broken, &[("detail", &detail)]);
                self.step.set(Step::Refused(told, Vec::new()));
                return;
            }
        };
        self.given.set(Some(SendWrapper::new(sent.clone())));
        self.step.set(Step::Busy);
        spawn_local(async move {
            let answer = self.ask(sent, "?DryRun=true").await;
            self.step.try_set(match answer {
                Ok(answer) => Step::Seen(answer),
                Err(failure) => self.refused(&failure),
            });
        });
    }

    async fn ask(self, sent: Body, query: &str) -> Result<ImportAnswer, ApiError> {
        let call = [CALLS, "/Import", query].concat();
        api::send_as(self.app, Method::POST, &call, sent).await
    }

    fn refused(self, failure: &ApiError) -> Step {
        let told = if failure.errors.is_empty() {
            sentence(self.app, failure)
        } else {
            failure.detail.clone()
        };
        let details = failure.errors.iter().map(|fault| fault.detail.clone());
        let details = details.filter(|detail| *detail != told).collect();
        Step::Refused(told, details)
    }

    fn outcome(self) -> AnyView {
        match self.step.get() {
            Step::Asking => nothing(),
            Step::Busy => waiting(self.app).view(),
            Step::Refused(told, details) => all(vec![
                alert(told).view(),
                el("ul")
                    .class("import-faults")
                    .els(details.into_iter().map(|detail| el("li").text(detail)))
                    .view(),
            ]),
            Step::Seen(answer) => preview::view(self.app, &answer),
        }
    }

    /// The button that imports, where there is something to import.
    fn way_on(self) -> AnyView {
        let words = self.app.language.computers();
        let Step::Seen(answer) = self.step.get() else {
            return nothing();
        };
        let count = u64::from(answer.created) + u64::from(answer.updated);
        if answer.failed > 0 || count == 0 {
            return nothing();
        }
        let label = counted(
            self.app.language,
            count,
            words.import_one,
            words.import_other,
        );
        button("button primary", label, move || self.write()).view()
    }

    fn write(self) {
        let Some(sent) = self.given.get_untracked() else {
            return;
        };
        self.step.set(Step::Busy);
        spawn_local(async move {
            match self.ask(sent.take(), "").await {
                Ok(answer) => {
                    self.open.try_set(false);
                    self.app.say(preview::done(self.app, &answer));
                    if self.rows.total.try_get_untracked().is_some() {
                        self.rows.read_again(&self.rows.filter());
                    }
                }
                Err(failure) => {
                    self.step.try_set(self.refused(&failure));
                }
            }
        });
    }
}
