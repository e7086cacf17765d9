//! Fetches the template of a preview: by its id, else by way of the type.
//!
//! Reading calls only. A refused token is renewed once. Called by `component`.

use std::rc::Rc;

use checklist_shared::language_tag::is_language_tag;
use js_sys::encode_uri_component;
use wasm_bindgen::JsValue;

use super::component::{PreviewHost, Source};
use super::model::{Preview, Row};
use crate::api::client::{self, Answer, Call};
use crate::api::error::Failure;
use crate::api::fields::Fields;
use crate::api::read::template_of_type;
use crate::control::port::TokenReason;
use crate::model::policy::Reply;

/// Who is told of the template, or why it cannot be shown.
type Done = Box<dyn FnOnce(Result<Preview, Failure>)>;

/// Loads the template that a source names, in its language. `TemplateNotFound` too when the
/// source or its type names none.
pub(super) fn load(source: Rc<Source>, host: Rc<dyn PreviewHost>, done: Done) {
    if !source.template.is_empty() {
        let template = source.template.clone();
        load_template(source, host, &template, done);
    } else if source.object_type.is_empty() {
        done(Err(no_template()));
    } else {
        let path = ["Types/", &encoded(&source.object_type)].concat();
        let (asked, answered) = (Rc::clone(&source), Rc::clone(&host));
        let took = move |answer: Answer| {
            let template = answer.result.and_then(|value| {
                template_of_type(&value, &source.purpose).ok_or_else(no_template)
            });
            match template {
                Ok(template) => load_template(source, host, &template, done),
                Err(failure) => done(Err(failure)),
            }
        };
        get(&asked, answered, &path, Box::new(took));
    }
}

fn load_template(source: Rc<Source>, host: Rc<dyn PreviewHost>, template: &str, done: Done) {
    let path = [
        "Template/",
        &encoded(template),
        "?Language=",
        // The server refuses what is no tag; without one it takes the template's first language.
        &encoded(if is_language_tag(&source.lang) {
            &source.lang
        } else {
            ""
        }),
    ]
    .concat();
    let asked = Rc::clone(&source);
    let took = move |answer: Answer| done(answer.result.map(|value| read(&value, &source)));
    get(&asked, host, &path, Box::new(took));
}

fn get(source: &Source, host: Rc<dyn PreviewHost>, path: &str, done: Box<dyn FnOnce(Answer)>) {
    let call = Call {
        tokens: Rc::new(move |reason, done| host.token(reason, done)),
        url: client::address(&source.base_url, path),
        body: None,
        reason: TokenReason::Call,
        renews: true,
    };
    client::call(call, done);
}

fn encoded(part: &str) -> String {
    encode_uri_component(part).into()
}

fn no_template() -> Failure {
    Failure {
        reply: Reply::Status {
            code: 404,
            retry_after: None,
        },
        code: "TemplateNotFound".to_owned(),
        detail: String::new(),
    }
}

fn read(answer: &JsValue, source: &Source) -> Preview {
    let fields = Fields::of(answer);
    Preview {
        language: source.lang.clone(),
        words: source.words(),
        title: fields.said("Name"),
        description: fields.said("Description"),
        rows: fields.list("Items").iter().map(row).collect(),
    }
}

fn row(value: &JsValue) -> Row {
    let fields = Fields::of(value);
    Row {
        key: fields.said("Key"),
        kind: fields.kind(),
        parent: fields.said("ParentKey"),
        text: fields.said("Text"),
        help: fields.said("Help"),
        required: fields.flag("Required"),
        assignee: fields.said("AssigneeRole"),
        due: fields.said("DueOffset"),
    }
}
