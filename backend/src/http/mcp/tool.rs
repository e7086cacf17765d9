//! What a tool is: a name, an input with its schema, and a call of the web services.
//!
//! Invariant: the comment of an input is the tool's description, and its schema is the one that the
//! input is validated against.

use std::pin::Pin;

use checklist_auth::Principal;
use rmcp::model::{JsonObject, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::Web;
use crate::http::extract::parse;
use crate::http::problem::{ProblemResponse, internal};

/// The input of a tool, and what the tool does.
pub(super) trait Tool: DeserializeOwned + ToSchema + Send + 'static {
    /// How assistants call it.
    const NAME: &'static str;
    /// How people read of it.
    const TITLE: &'static str;
    /// Whether it changes a list.
    const WRITES: bool;

    /// The answer of the web services.
    fn call(
        self,
        web: &Web,
        agent: &Principal,
    ) -> impl Future<Output = Result<Value, ProblemResponse>> + Send;
}

type Answer<'a> = Pin<Box<dyn Future<Output = Result<Value, ProblemResponse>> + Send + 'a>>;

/// A tool, whatever its input.
#[derive(Clone, Copy)]
pub(super) struct AnyTool {
    pub(super) name: &'static str,
    title: &'static str,
    writes: bool,
    schema: fn() -> JsonObject,
    pub(super) call: for<'a> fn(&'a Web, &'a Principal, JsonObject) -> Answer<'a>,
}

impl AnyTool {
    pub(super) const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            writes: T::WRITES,
            schema: input_schema::<T>,
            call: call::<T>,
        }
    }

    /// What assistants are told of it.
    pub(super) fn to_model(self) -> rmcp::model::Tool {
        let mut schema = (self.schema)();
        let description = schema.remove("description");
        let description = description.as_ref().and_then(Value::as_str);
        let description = description.unwrap_or_default().to_owned();
        // An operation that is repeated with its id changes nothing more, and nothing is lost for
        // good: whatever is set can be set again.
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(!self.writes)
            .destructive(false)
            .idempotent(!self.writes)
            .open_world(false);
        rmcp::model::Tool::new(self.name, description, schema)
            .with_title(self.title)
            .with_annotations(hints)
    }
}

fn call<'a, T: Tool>(web: &'a Web, agent: &'a Principal, input: JsonObject) -> Answer<'a> {
    Box::pin(async move {
        let json = serde_json::to_vec(&input).map_err(|_| internal())?;
        parse::<T>(&json)?.call(web, agent).await
    })
}

/// The schema of an input with all schemas that it refers to.
fn input_schema<T: ToSchema>() -> JsonObject {
    let mut named = Vec::new();
    T::schemas(&mut named);
    let named: JsonObject = named
        .into_iter()
        .map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default()))
        .collect();
    let mut schema = serde_json::to_value(T::schema()).unwrap_or_default();
    if !named.is_empty() {
        schema["$defs"] = Value::Object(named);
    }
    refer_to_definitions(&mut schema);
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

/// Points references at the definitions within the schema itself.
fn refer_to_definitions(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref") {
                *reference = reference.replace("#/components/schemas/", "#/$defs/");
            }
            members.values_mut().for_each(refer_to_definitions);
        }
        Value::Array(entries) => entries.iter_mut().for_each(refer_to_definitions),
        _ => {}
    }
}
