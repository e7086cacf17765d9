//! Adjusts what derived schemas cannot express: event streams, flattened records, and names of
//! formats.

use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOf, ArrayItems, Object, Schema, SchemaType, Type,
};
use utoipa::openapi::{Components, KnownFormat, ObjectBuilder, Ref, RefOr, SchemaFormat};

/// The media type of server-sent events.
const EVENTS: &str = "text/event-stream";
/// The schema whose alternatives the `event` line distinguishes instead of their members.
const EVENT_DATA: &str = "EventData";

/// Names formats as the registry of OpenAPI does: `uint32`, where the builder writes `u-int32`.
pub fn name_formats(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else {
        return;
    };
    match schema {
        Schema::Object(object) => {
            let name = match object.format {
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt8)) => "uint8",
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt16)) => "uint16",
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt32)) => "uint32",
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt64)) => "uint64",
                _ => "",
            };
            if !name.is_empty() {
                object.format = Some(SchemaFormat::Custom(name.to_owned()));
            }
            object.properties.values_mut().for_each(name_formats);
        }
        Schema::OneOf(of) => of.items.iter_mut().for_each(name_formats),
        Schema::AllOf(of) => of.items.iter_mut().for_each(name_formats),
        Schema::AnyOf(of) => of.items.iter_mut().for_each(name_formats),
        _ => {}
    }
}

/// Takes out of a schema what is for readers of the source alone: examples in Rust, links to items of
/// it, and a `default` of null, which says nothing that an absent field does not and lets generators
/// of clients take the field for required.
pub fn clean(schema: &mut RefOr<Schema>) {
    let schema = match schema {
        RefOr::Ref(reference) => {
            reference.description = without_examples(&reference.description);
            return;
        }
        RefOr::T(schema) => schema,
    };
    let (about, default) = match schema {
        Schema::Object(object) => {
            object.properties.values_mut().for_each(clean);
            if let Some(AdditionalProperties::RefOr(values)) =
                object.additional_properties.as_deref_mut()
            {
                clean(values);
            }
            (&mut object.description, &mut object.default)
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                clean(items);
            }
            (&mut array.description, &mut array.default)
        }
        Schema::OneOf(of) => {
            of.items.iter_mut().for_each(clean);
            (&mut of.description, &mut of.default)
        }
        Schema::AllOf(of) => {
            of.items.iter_mut().for_each(clean);
            (&mut of.description, &mut of.default)
        }
        Schema::AnyOf(of) => {
            of.items.iter_mut().for_each(clean);
            (&mut of.description, &mut of.default)
        }
        _ => return,
    };
    if let Some(text) = about {
        *text = without_examples(text);
    }
    if default.as_ref().is_some_and(Value::is_null) {
        *default = None;
    }
}

/// Removes fenced code and the brackets of intra-doc links.
fn without_examples(text: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line);
        }
    }
    let text = lines.join("\n");
    text.trim()
        .replace("[`crate::", "`")
        .replace("[`", "`")
        .replace("`]", "`")
}

/// A body that may be left out is left out, and not sent as null: takes the null out of its schema.
pub fn describe_body(operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else {
        return;
    };
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(RefOr::T(Schema::OneOf(one))) = &content.schema
            && let [record @ RefOr::Ref(_), RefOr::T(Schema::Object(null))] = &one.items[..]
            && null.schema_type == SchemaType::Type(Type::Null)
        {
            content.schema = Some(record.clone());
        }
    }
}

/// Puts what an event is around the schema of its data: the lines `event`, `id` and `data`, the
/// last of them JSON.
pub fn describe_streams(operation: &mut Operation) {
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else {
            continue;
        };
        let Some(RefOr::T(content)) = response.content.get_mut(EVENTS) else {
            continue;
        };
        let Some(RefOr::Ref(data)) = content.schema.take() else {
            continue;
        };
        content.schema = Some(RefOr::T(Schema::Object(event_of(&data))));
    }
}

fn event_of(data: &Ref) -> Object {
    let text = |about: &str| {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(about))
    };
    // A keyword of JSON schema that the builder does not know; nothing of ours stands behind it.
    let content = Extensions::from_iter([("contentSchema", json!({ "$ref": data.ref_location }))]);
    ObjectBuilder::new()
        .description(Some("One event of the stream."))
        .property("event", text("What the data is."))
        .property("id", text("For `LastEventId`, where the stream has it."))
        .property(
            "data",
            text("The data, as JSON.")
                .content_media_type("application/json")
                .extensions(Some(content)),
        )
        .required("event")
        .required("data")
        .build()
}

/// A record that takes no unknown members as a request stands flat in some answers, beside members
/// that it does not know: there, its schema takes them.
pub fn open_flattened(components: &mut Components) {
    let schemas = components.schemas.clone();
    let record = |name: &str| match schemas.get(name) {
        Some(RefOr::T(Schema::Object(record))) => Some(record.clone()),
        _ => None,
    };
    for schema in components.schemas.values_mut() {
        let RefOr::T(Schema::AllOf(all)) = schema else {
            continue;
        };
        for part in &mut all.items {
            let RefOr::Ref(reference) = part else {
                continue;
            };
            let name = reference.ref_location.rsplit('/').next().unwrap_or("");
            if let Some(mut record) = record(name)
                && is_closed(&record)
            {
                record.additional_properties = None;
                *part = RefOr::T(Schema::Object(record));
            }
        }
    }
    // The data of `reset` is also a beginning of the others', so more than one may fit.
    if let Some(RefOr::T(Schema::OneOf(one))) = components.schemas.get(EVENT_DATA) {
        let mut any = AnyOf::new();
        any.items.clone_from(&one.items);
        any.description.clone_from(&one.description);
        let any = RefOr::T(Schema::AnyOf(any));
        components.schemas.insert(EVENT_DATA.to_owned(), any);
    }
}

fn is_closed(record: &Object) -> bool {
    matches!(
        record.additional_properties.as_deref(),
        Some(AdditionalProperties::FreeForm(false))
    )
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::http::router::openapi;

    fn document() -> Value {
        serde_json::to_value(openapi()).expect("a document")
    }

    #[test]
    fn the_data_of_every_stream_is_json_of_a_schema() {
        let document = document();
        for path in [
            "/paths/~1api~1Vendor~1ChecklistControl~1Events/post",
            "/paths/~1api~1Vendor~1Workflows~1Runs~1{id}~1Events/get",
        ] {
            let operation = document.pointer(path).expect("a stream");
            let event = &operation["responses"]["200"]["content"]["text/event-stream"]["schema"];
            let data = &event["properties"]["data"];
            assert_eq!(data["contentMediaType"], "application/json", "{event}");
            let schema = data["contentSchema"]["$ref"].as_str().expect("a reference");
            assert!(
                document.pointer(schema.trim_start_matches('#')).is_some(),
                "{schema} leads nowhere"
            );
        }
    }

    #[test]
    fn a_computer_that_was_read_may_say_when_it_came() {
        let document = document();
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["Computer"]["additionalProperties"], false);
        let view = &schemas["ComputerView"]["allOf"];
        assert_eq!(view[0]["additionalProperties"], Value::Null, "{view}");
        assert!(view[0]["properties"]["Name"].is_object(), "{view}");
        assert!(view[1]["properties"]["CreatedAt"].is_object(), "{view}");
    }

    #[test]
    fn numbers_without_a_sign_are_described_as_such() {
        let document = document();
        let counts = &document["components"]["schemas"]["Counts"]["properties"]["Open"];
        assert_eq!(counts["format"], "uint32");
        assert_eq!(counts["minimum"], 0);
    }
}
