//! The contexts that a key opens, written one a line as `type/object/purpose`.

use checklist_shared::wire::admin::TokenContext;

use crate::app::App;
use crate::wording::Wording;

/// Reads the lines; `None` when one of them is no context. No line at all is no limit.
#[must_use]
pub fn read(text: &str) -> Option<Option<Vec<TokenContext>>> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return Some(None);
    }
    let contexts = lines.into_iter().map(|line| {
        let mut parts = line.splitn(3, '/').map(str::trim);
        let (object_type, object_id) = (parts.next()?, parts.next()?);
        let whole = !object_type.is_empty() && !object_id.is_empty();
        whole.then(|| TokenContext {
            object_type: object_type.to_owned(),
            object_id: object_id.to_owned(),
            purpose: parts.next().unwrap_or("*").to_owned(),
            template_id: None,
        })
    });
    contexts.collect::<Option<Vec<_>>>().map(Some)
}

/// The contexts in a line for people.
#[must_use]
pub fn told(app: App, contexts: Option<&[TokenContext]>) -> String {
    let Some(contexts) = contexts else {
        return app.language.keys().every_context.to_owned();
    };
    let lines: Vec<String> = contexts
        .iter()
        .map(|one| format!("{}/{}/{}", one.object_type, one.object_id, one.purpose))
        .collect();
    lines.join(", ")
}
