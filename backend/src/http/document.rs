//! The parts of the API document beyond the calls: authentication, problems, examples.
//!
//! The router provides the calls. `head` is the document without calls; `complete` adds an example
//! and the common problems to each call, so that no handler has to repeat them.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::server::Server;
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, Content, ContentBuilder, InfoBuilder, LicenseBuilder, OpenApi,
    OpenApiBuilder, Ref, RefOr,
};

use super::document_shape::{clean, describe_body, describe_streams, name_formats, open_flattened};
use super::examples::{EXAMPLES, Example, PROBLEMS, SharedProblem, When};
use super::paths::{COMPUTERS, DELIVERIES, PREFIX, SITES, WEBHOOKS, WORKFLOWS};
use super::problem::MEDIA_TYPE;

/// What all calls share, below the sentence that says what the product is.
const RULES: &str = "\
**Signing in.** Send `Authorization: Bearer <token>`. The token is a JSON web token that the host platform's server signs \
(EdDSA or ES256) with a key that is registered here; it names the person, the tenant, the contexts and the permissions. \
A context that it does not cover answers 404. Programs send an API key instead; the built-in pages have a session. \
`x-needs` at a call lists the permissions of which the caller needs one; `ApiKey`, `Browser` and `Demo` in it are no permissions: \
an API key, a cookie of the built-in pages, a server with `--demo`.\n\n\
**Contexts.** A list belongs to (`ObjectType`, `ObjectId`, `Purpose`); the empty purpose is the object's default list.\n\n\
**Repeats.** A write with an `OperationId` may be sent again for 24 hours: it has one effect and one answer.\n\n\
**Refusals** are `application/problem+json` (RFC 9457) with a `Code` for programs and, for what is wrong with single \
fields, `Errors` with a JSON pointer each.\n\n\
**Evolution.** Unknown fields in requests are refused; answers may grow. Every answer says the level of this API in \
`Checklist-Api-Level`.";

/// The document before any call is in it.
#[must_use]
pub fn head() -> OpenApi {
    let tag = |name: &str, about: &str| {
        TagBuilder::new()
            .name(name)
            .description(Some(about))
            .build()
    };
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some(
            "An embed token of the host platform, a token of the identity provider, or an API key (`ck_…`).",
        ))
        .build();
    let cookie = ApiKeyValue::with_description(
        "__Host-checklist-session",
        "The session of the built-in pages. Counts for requests of pages of this server only.",
    );
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Checklist web services")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(format!("{}\n\n{RULES}", crate::PITCH)))
                .license(Some(
                    LicenseBuilder::new()
                        .name("MIT OR Apache-2.0")
                        .identifier(Some("MIT OR Apache-2.0"))
                        .build(),
                ))
                .build(),
        )
        .servers(Some([Server::new("/")]))
        .tags(Some([
            tag("Checklists", "Lists and their items."),
            tag("Templates", "What lists are made from."),
            tag(
                "Types",
                "Platform types: their classes, and a template for each purpose.",
            ),
            tag(
                "Journal and audit",
                "What happened, for people and for auditors.",
            ),
            tag("Preview", "Templates as finished pages."),
            tag("Access", "Who may call: keys, people, revocations, tokens."),
            tag(
                "Sites",
                "Lists of remote sites: connections, and what is done over them.",
            ),
            tag(
                "Computers",
                "The inventory that site lists are kept in step with.",
            ),
            tag(
                "Workflows",
                "Runs of the example workflow, which keeps a site list in step with computers.",
            ),
            tag(
                "Webhooks",
                "Events to other systems: where they go, and what became of each. Signed as Standard Webhooks says; `docs/WEBHOOKS.md` shows a receiver.",
            ),
            tag("Session", "The built-in pages: who has signed in."),
            tag("Operation", "For those who run the server."),
            tag("Demo", "With `--demo` only."),
        ]))
        .components(Some(
            ComponentsBuilder::new()
                .schema_from::<checklist_shared::problem::Problem>()
                // What a `Value` holds where `Type` is User; no member names it.
                .schema_from::<site_lists::SiteUserOrGroup>()
                .security_scheme("token", SecurityScheme::Http(bearer))
                .security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)))
                .build(),
        ))
        .security(Some(["token", "session"].map(|scheme| {
            SecurityRequirement::new(scheme, Vec::<String>::new())
        })))
        .build()
}

/// The document with examples and problems at every call.
#[must_use]
pub fn complete(mut document: OpenApi) -> OpenApi {
    let components = document.components.get_or_insert_default();
    components.schemas.values_mut().for_each(name_formats);
    components.schemas.values_mut().for_each(clean);
    open_flattened(components);
    for problem in PROBLEMS {
        components
            .responses
            .insert(problem.name.to_owned(), RefOr::T(response_of(problem)));
    }
    for (path, item) in &mut document.paths.paths {
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
        ];
        for operation in operations.into_iter().flatten() {
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(parameter) = parameter {
                    parameter.schema.iter_mut().for_each(name_formats);
                }
            }
            add_examples(operation);
            add_problems(path, operation);
            describe_body(operation);
            describe_streams(operation);
        }
    }
    document
}

fn response_of(problem: &SharedProblem) -> Response {
    let mut content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .build();
    match problem.examples {
        [(_, only)] => content.example = parse_json(only),
        several => show(&mut content, several.iter().copied()),
    }
    ResponseBuilder::new()
        .description(problem.about)
        .content(MEDIA_TYPE, content)
        .build()
}

fn add_examples(operation: &mut Operation) {
    let id = operation.operation_id.as_deref();
    let examples = EXAMPLES
        .iter()
        .filter(|example| id == Some(example.operation));
    let texts = |part: fn(&Example) -> Option<&'static str>| {
        let texts = examples.clone();
        texts.filter_map(move |example| Some((example.name, part(example)?)))
    };
    if let Some(RefOr::T(body)) = &mut operation.request_body
        && let Some(RefOr::T(content)) = body.content.get_mut("application/json")
    {
        show(content, texts(|example| example.request));
    }
    let responses = &mut operation.responses.responses;
    let answered = if responses.contains_key("200") {
        "200"
    } else {
        "202"
    };
    if let Some(content) = json_of(responses, answered) {
        show(content, texts(|example| example.answer));
    }
    if answered == "200"
        && let Some(content) = json_of(responses, "202")
    {
        show(content, texts(|example| example.accepted));
    }
}

/// The JSON that a call answers with at a status.
fn json_of<'a>(
    responses: &'a mut BTreeMap<String, RefOr<Response>>,
    status: &str,
) -> Option<&'a mut Content> {
    match responses.get_mut(status)? {
        RefOr::T(response) => match response.content.get_mut("application/json")? {
            RefOr::T(content) => Some(content),
            RefOr::Ref(_) => None,
        },
        RefOr::Ref(_) => None,
    }
}

/// Adds examples by their names. The only one of a call stands as `example`: a content has either
/// that or `examples`.
fn show<'a>(content: &mut Content, texts: impl Iterator<Item = (&'a str, &'a str)>) {
    let texts: Vec<(&str, &str)> = texts.collect();
    if let [("Default", text)] = texts[..] {
        content.example = parse_json(text);
        return;
    }
    for (name, text) in texts {
        let example = ExampleBuilder::new().value(parse_json(text)).build();
        content.examples.insert(name.to_owned(), RefOr::T(example));
    }
}

/// Adds the problems of a call that follow from its properties; its handler names the others.
fn add_problems(path: &str, operation: &mut Operation) {
    let is_api = [PREFIX, SITES, COMPUTERS, WORKFLOWS, WEBHOOKS, DELIVERIES]
        .iter()
        .any(|prefix| path.starts_with(prefix));
    let has_body = operation.request_body.is_some();
    let mut parameters = operation.parameters.iter().flatten();
    // Those of a path are taken as they are.
    let has_parameters = parameters.any(
        |parameter| matches!(parameter, RefOr::T(one) if one.parameter_in == ParameterIn::Query),
    );
    for problem in PROBLEMS {
        let applies = match problem.when {
            When::Api => is_api,
            When::Body => has_body,
            When::Checked => is_api || has_body || has_parameters,
            When::Named => false,
        };
        if applies {
            operation.responses.responses.insert(
                problem.status.to_owned(),
                RefOr::Ref(Ref::from_response_name(problem.name)),
            );
        }
    }
}

fn parse_json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
