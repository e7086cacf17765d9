//! Templates from a file: chosen, looked at, written as drafts; what is wrong is told by its
//! place in the file.

use checklist_shared::wire::admin::{TemplateRow, Templates};
use gloo_net::http::Method;
use leptos::prelude::*;
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use super::exchange::{chosen, templates_in, text_of};
use super::faults::said;
use super::list::rows_of;
use super::page::back;
use crate::api::{self, ApiError, FieldError};
use crate::app::App;
use crate::element::{all, button, el, nothing};
use crate::parts::head::head;
use crate::parts::listing::whole;
use crate::parts::load::{alert, sentence};
use crate::route::Route;
use crate::wording::{Wording, counted, fill};

/// What has become of the file.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Nothing,
    Unreadable(String),
    Read {
        name: String,
        templates: Vec<Value>,
        here: Vec<TemplateRow>,
    },
    Refused(Vec<Value>, ApiError),
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.templates();
    let step = RwSignal::new(Step::Nothing);
    let field = el("label")
        .class("file-field")
        .el(el("span")
            .class("button outlined")
            .attr("aria-hidden", "true")
            .text(words.import_choose))
        .el(el("input")
            .attr("type", "file")
            .attr("accept", ".json,application/json")
            .attr("aria-label", words.import_choose)
            .on("change", move |event| {
                if let Some(file) = chosen(&event) {
                    spawn_local(async move {
                        let read = look_at(app, &file).await;
                        step.try_set(read);
                    });
                }
            }))
        .el(el("span")
            .class("quiet")
            .follow_text(move || match step.get() {
                Step::Read { name, .. } => name,
                _ => words.import_none.to_owned(),
            }));
    all(vec![
        back(app).view(),
        head(app, words.import_title, Some(words.import_hint), Vec::new()).view(),
        el("div")
            .class("card panel padded")
            .el(field)
            .live(move || after(app, step))
            .view(),
    ])
}

async fn look_at(app: App, file: &leptos::web_sys::File) -> Step {
    let words = app.language.templates();
    let text = text_of(file).await.unwrap_or_default();
    match templates_in(&text) {
        Err(Some(detail)) => {
            Step::Unreadable(fill(words.import_unreadable, &[("detail", &detail)]))
        }
        Err(None) => Step::Unreadable(words.import_no_templates.to_owned()),
        Ok(templates) => match whole(app, "Templates", rows_of).await {
            Ok(here) => Step::Read {
                name: file.name(),
                templates,
                here,
            },
            Err(failure) => Step::Unreadable(sentence(app, &failure)),
        },
    }
}

fn after(app: App, step: RwSignal<Step>) -> AnyView {
    let words = app.language.templates();
    match step.get() {
        Step::Nothing => nothing(),
        Step::Unreadable(reason) => alert(reason).view(),
        Step::Read {
            templates, here, ..
        } => {
            let count = templates.len() as u64;
            let rows = templates.iter().map(|template| {
                let id = template["Id"].as_str().unwrap_or("?").to_owned();
                let fate = match here.iter().find(|row| row.id == id) {
                    None => words.import_new,
                    Some(row) if row.draft_version.is_some() => words.import_over,
                    Some(_) => words.import_draft,
                };
                el("li")
                    .el(el("code").text(id))
                    .el(el("span").class("quiet").text(fate))
            });
            all(vec![
                el("h2").class("panel-title").text(words.import_will).view(),
                el("ul").class("import-list").els(rows).view(),
                el("div")
                    .class("buttons")
                    .el(button(
                        "button primary",
                        counted(app.language, count, words.import_one, words.import_other),
                        move || write(app, step, templates.clone()),
                    ))
                    .view(),
            ])
        }
        Step::Refused(templates, failure) => {
            let faults = failure.errors.iter().map(|fault| {
                el("li")
                    .el(el("strong").text(place(app, &templates, fault)))
                    .el(el("span").text(said(app, fault)))
                    .el(el("code").class("id").text(fault.pointer.clone()))
            });
            let list = (!failure.errors.is_empty()).then(|| {
                el("div")
                    .el(el("h2").class("panel-title").text(words.import_wrong))
                    .el(el("ul").class("import-faults").els(faults))
            });
            all(vec![
                alert(sentence(app, &failure)).view(),
                el("div").maybe(list).view(),
            ])
        }
    }
}

fn write(app: App, step: RwSignal<Step>, templates: Vec<Value>) {
    spawn_local(async move {
        let count = templates.len() as u64;
        let bundle = json!({ "Templates": templates });
        match api::send::<Templates>(app, Method::POST, "Templates/Import", &bundle).await {
            Ok(_) => {
                app.leave_for(Route::Templates);
                let words = app.language.templates();
                app.say(counted(
                    app.language,
                    count,
                    words.imported_one,
                    words.imported_other,
                ));
            }
            Err(failure) => {
                step.try_set(Step::Refused(templates, failure));
            }
        }
    });
}

/// Where in the file something is wrong, for people: template, item, field.
fn place(app: App, templates: &[Value], fault: &FieldError) -> String {
    let parts: Vec<&str> = fault.pointer.split('/').skip(1).collect();
    let index = |at: usize| parts.get(at).and_then(|part| part.parse::<usize>().ok());
    let Some(template) = index(1).and_then(|at| templates.get(at)) else {
        return app.language.templates().file.to_owned();
    };
    let name = |value: &Value, field: &str, at: usize| {
        value[field]
            .as_str()
            .map_or_else(|| format!("#{}", at + 1), str::to_owned)
    };
    let mut told = vec![name(template, "Id", index(1).unwrap_or(0))];
    let mut rest = 2;
    if let (Some(&"Items"), Some(at)) = (parts.get(2), index(3)) {
        told.push(name(&template["Items"][at], "Key", at));
        rest = 4;
    }
    told.extend(parts.iter().skip(rest).map(|part| (*part).to_owned()));
    told.join(" › ")
}
