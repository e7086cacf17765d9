//! Fetches the template of a preview: by its id, else by way of the type.
//!
//! Reading calls only. A refused token is renewed once. Called by `component`.

use checklist_shared::item::Kind;
use js_sys::encode_uri_component;
use wasm_bindgen::JsValue;

use super::component::{PreviewHost, Source};
use super::model::{Preview, Row};
use crate::api::client;
use crate::api::error::Failure;
use crate::api::read::{Fields, template_of_type};
use crate::control::port::TokenReason;
use crate::state::policy::Reply;

/// The template that a source names, in its language.
///
/// # Errors
/// Why it cannot be shown; `TemplateNotFound` too when the source or its type names none.
pub(super) async fn load(source: &Source, host: &dyn PreviewHost) -> Result<Preview, Failure> {
    let template = if source.template.is_empty() {
        if source.object_type.is_empty() {
            return Err(no_template());
        }
        let answer = get(
            source,
            host,
            &["Types/", &encoded(&source.object_type)].concat(),
        )
        .await?;
        template_of_type(&answer, &source.purpose).ok_or_else(no_template)?
    } else {
        source.template.clone()
    };
    let call = [
        "Template/",
        &encoded(&template),
        "?Language=",
        &encoded(&source.lang),
    ]
    .concat();
    Ok(read(&get(source, host, &call).await?, &source.lang))
}

async fn get(source: &Source, host: &dyn PreviewHost, call: &str) -> Result<JsValue, Failure> {
    let url = client::address(&source.base_url, call);
    let token = host
        .token(TokenReason::Call)
        .await
        .map_err(Failure::token)?;
    match client::get(&url, &token).await {
        Err(Failure {
            reply: Reply::Status { code: 401, .. },
            ..
        }) => {
            let token = host
                .token(TokenReason::Renew)
                .await
                .map_err(Failure::token)?;
            client::get(&url, &token).await
        }
        answer => answer,
    }
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

fn read(answer: &JsValue, language: &str) -> Preview {
    let fields = Fields::of(answer);
    Preview {
        language: language.to_owned(),
        title: fields.text("Name").unwrap_or_default(),
        description: fields.text("Description").unwrap_or_default(),
        rows: fields.list("Items").iter().map(row).collect(),
    }
}

fn row(value: &JsValue) -> Row {
    let fields = Fields::of(value);
    let text = |name: &str| fields.text(name).unwrap_or_default();
    Row {
        key: text("Key"),
        kind: match text("Kind").as_str() {
            "Section" => Kind::Section,
            "Info" => Kind::Info,
            _ => Kind::Item,
        },
        parent: text("ParentKey"),
        text: text("Text"),
        help: text("Help"),
        required: fields.flag("Required"),
        assignee: text("AssigneeRole"),
        due: text("DueOffset"),
    }
}
