//! The contexts that a key is limited to, written one a line as
//! `type/object/purpose`, with the template that is pinned as a fourth part.

use checklist_shared::wire::admin::TokenContext;
use serde_json::json;

use crate::kit::*;

const CONTEXTS: Conversion = Conversion {
    format: |_| String::new(),
    parse: |text| Some(json!(parse(text)?)),
};

/// The field `Contexts` of a new key.
pub fn field(form: Form) -> AnyView {
    let words = use_app().language.keys();
    let bind = form
        .at("/Contexts")
        .optional()
        .converted(CONTEXTS)
        .invalid(words.contexts_wrong);
    view! { <Field bind label=words.contexts hint=words.contexts_hint rows=2 /> }.into_any()
}

fn parse(text: &str) -> Option<Vec<TokenContext>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let contexts = lines.map(|line| {
        let mut parts = line.splitn(4, '/').map(str::trim);
        let (object_type, object_id) = (parts.next()?, parts.next()?);
        let is_complete = !object_type.is_empty() && !object_id.is_empty();
        is_complete.then(|| TokenContext {
            object_type: object_type.to_owned(),
            object_id: object_id.to_owned(),
            purpose: parts.next().unwrap_or("*").to_owned(),
            template_id: parts
                .next()
                .filter(|template| !template.is_empty())
                .map(str::to_owned),
            facts: None,
        })
    });
    contexts.collect()
}

/// The contexts in one line, for people.
#[must_use]
pub fn format(app: App, contexts: Option<&[TokenContext]>) -> String {
    let Some(contexts) = contexts else {
        return app.language.keys().every_context.to_owned();
    };
    let lines = contexts.iter().map(|one| {
        let list = format!("{}/{}/{}", one.object_type, one.object_id, one.purpose);
        let template = one.pinned_template();
        template.map_or_else(|| list.clone(), |template| format!("{list}/{template}"))
    });
    lines.collect::<Vec<_>>().join(", ")
}
