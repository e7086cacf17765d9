//! Fetches the template of a preview: by its id, else through the type.
//!
//! Makes only reading calls. A rejected token is renewed once.

use std::rc::Rc;

use super::model::Preview;
use super::source::{PreviewHost, Source};
use crate::api::client::{self, Answer, Connection, Renewal};
use crate::api::requests::{GetTemplate, GetType, Request};
use crate::model::error::{Error, Problem};

/// Receives the template, or why it cannot be shown.
pub type PreviewCallback = Box<dyn FnOnce(Result<Preview, Error>)>;

/// Loads the template that a source names, in its language. `TemplateNotFound` too when the
/// source or its type names none.
pub(super) fn load(source: Rc<Source>, host: Rc<dyn PreviewHost>, done: PreviewCallback) {
    if !source.template.is_empty() {
        let template = source.template.clone();
        load_template(source, host, template, done);
    } else if source.object_type.is_empty() {
        done(Err(no_template()));
    } else {
        let (asked, answered) = (Rc::clone(&source), Rc::clone(&host));
        let request = GetType(source.object_type.clone());
        get(&asked, answered, request, move |answer| {
            let named = answer.result.and_then(|mut named| {
                let template = named.templates.remove(&source.purpose);
                template.ok_or_else(no_template)
            });
            match named {
                Ok(template) => load_template(source, host, template, done),
                Err(failure) => done(Err(failure)),
            }
        });
    }
}

fn load_template(
    source: Rc<Source>,
    host: Rc<dyn PreviewHost>,
    template: String,
    done: PreviewCallback,
) {
    let asked = Rc::clone(&source);
    let request = GetTemplate {
        id: template,
        facts: source.facts.clone(),
    };
    get(&asked, host, request, move |answer| {
        let preview = |template| Preview::read(template, &source.lang, source.words());
        done(answer.result.map(preview));
    });
}

fn get<R: Request>(
    source: &Source,
    host: Rc<dyn PreviewHost>,
    request: R,
    done: impl FnOnce(Answer<R::Answer>) + 'static,
) {
    let connection = Connection {
        base_url: source.base_url.clone(),
        language: source.lang.clone(),
        tokens: Rc::new(move |reason, done| host.token(reason, done)),
    };
    client::call(&connection, request, Renewal::Here, done);
}

fn no_template() -> Error {
    Error::Problem(Problem {
        status: 404,
        code: "TemplateNotFound".to_owned(),
        ..Problem::default()
    })
}
