//! What a writer of items sends, in each flavour: the members of the body as values by column.
//!
//! Verbose bodies name their type and wrap several values, the others must do neither.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::call::Call;
use super::error::{Rest, RestError};
use crate::odata::flavour::Flavour;
use crate::store::{Field, FieldKind, List, value};

/// The values of a body, checked column by column.
///
/// # Errors
/// A member is unknown, of the wrong shape, or not to be written.
pub fn read(call: &Call<'_>, list: &List, creating: bool) -> Rest<BTreeMap<String, Value>> {
    let body = call.body()?;
    let flavour = call.body_flavour();
    let kind = list.item_type_name();
    let named = body
        .get("__metadata")
        .and_then(|metadata| metadata.get("type"));
    match (flavour, named.and_then(Value::as_str)) {
        (Flavour::Verbose, Some(named))
            if named != kind && named != "SP.ListItem" && named != "SP.Item" =>
        {
            return Err(RestError::query(format!(
                "A type named '{named}' could not be resolved by the model. When a model is available, each type name must resolve to a valid type."
            )));
        }
        (Flavour::Verbose, None) if creating => {
            return Err(RestError::query(
                "An entry without a type name was found, but no expected type was specified. To allow entries without type information, the expected type must also be specified when the model is specified.",
            ));
        }
        _ => {}
    }
    let mut values = BTreeMap::new();
    for (name, sent) in &body {
        match flavour {
            Flavour::Verbose if name == "__metadata" => continue,
            Flavour::Minimal | Flavour::None
                if name.starts_with("odata.") || name.contains('@') =>
            {
                continue;
            }
            _ => {}
        }
        let Some((field, sent)) = column(list, name, sent)? else {
            continue;
        };
        let sent = unwrapped(&field, &sent, flavour)?;
        let stored = value::accepted(call.site, &field, &sent)
            .map_err(|refusal| RestError::refused(&refusal, &kind))?;
        values.insert(field.internal.clone(), stored);
    }
    Ok(values)
}

/// The column that a member writes; none for what the site itself keeps.
fn column(list: &List, name: &str, sent: &Value) -> Rest<Option<(Field, Value)>> {
    let unknown = || RestError::no_property(name, &list.item_type_name());
    const KEPT: [&str; 14] = [
        "Id",
        "ID",
        "Created",
        "Modified",
        "AuthorId",
        "EditorId",
        "Attachments",
        "GUID",
        "ContentTypeId",
        "FileSystemObjectType",
        "OData__UIVersionString",
        "ServerRedirectedEmbedUri",
        "ServerRedirectedEmbedUrl",
        "FileLeafRef",
    ];
    if KEPT.contains(&name) {
        return Ok(None);
    }
    let by_number = |field: &&Field| {
        (field.kind.is_person() || field.kind.is_lookup())
            && (format!("{}Id", field.entity_name()) == name
                || (field.kind.is_person() && format!("{}StringId", field.entity_name()) == name))
    };
    if let Some(field) = list.fields.iter().find(by_number) {
        if field.built_in {
            return Ok(None);
        }
        let sent = if name.ends_with("StringId") {
            numbers(sent)
        } else {
            sent.clone()
        };
        return Ok(Some((field.clone(), sent)));
    }
    let named = |field: &&Field| field.entity_name() == name;
    let field = list.fields.iter().find(named).ok_or_else(unknown)?;
    // People and look-ups are written by number only.
    if field.kind.is_person() || field.kind.is_lookup() {
        return Err(unknown());
    }
    if !field.kind.is_writable() && !field.built_in {
        return Err(RestError::new(
            500,
            -2_147_352_571,
            "Microsoft.SharePoint.SPException",
            "Invalid data has been used to update the list item. The field you are trying to update may be read only.",
        ));
    }
    Ok(field
        .kind
        .is_writable()
        .then(|| (field.clone(), sent.clone())))
}

fn numbers(sent: &Value) -> Value {
    match sent {
        Value::String(text) => text.parse::<i64>().map_or(sent.clone(), Value::from),
        Value::Array(all) => Value::Array(all.iter().map(numbers).collect()),
        Value::Object(wrapped) => {
            let inner = wrapped
                .iter()
                .map(|(name, value)| (name.clone(), numbers(value)));
            Value::Object(inner.collect())
        }
        other => other.clone(),
    }
}

/// Takes off what only verbose bodies have around their values, and refuses it elsewhere.
fn unwrapped(field: &Field, sent: &Value, flavour: Flavour) -> Rest<Value> {
    let name = field.entity_name();
    let verbose = flavour == Flavour::Verbose;
    match sent {
        Value::Object(members) if field.kind.is_multi() => match members.get("results") {
            Some(results) if verbose => Ok(results.clone()),
            _ => Err(RestError::query(format!(
                "An unexpected 'StartObject' node was found for property named '{name}' when reading from the JSON reader. A 'StartArray' node was expected."
            ))),
        },
        Value::Array(_) if verbose && field.kind.is_multi() => Err(RestError::query(format!(
            "An unexpected 'StartArray' node was found for property named '{name}' when reading from the JSON reader. A 'StartObject' node was expected."
        ))),
        Value::Array(_) if !field.kind.is_multi() => Err(RestError::query(format!(
            "An unexpected 'StartArray' node was found for property named '{name}' when reading from the JSON reader. A 'PrimitiveValue' node was expected."
        ))),
        Value::Object(members) if !verbose && members.contains_key("__metadata") => {
            let kind = complex_type(field.kind);
            Err(RestError::no_property("__metadata", kind))
        }
        Value::Object(_) if complex_type(field.kind).is_empty() => Err(RestError::query(format!(
            "An unexpected 'StartObject' node was found for property named '{name}' when reading from the JSON reader. A 'PrimitiveValue' node was expected."
        ))),
        Value::Object(members) => {
            let kept: Map<_, _> = members
                .iter()
                .filter(|(name, _)| *name != "__metadata")
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            Ok(Value::Object(kept))
        }
        other => Ok(other.clone()),
    }
}

fn complex_type(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Url => "SP.FieldUrlValue",
        FieldKind::TaxonomyFieldType | FieldKind::TaxonomyFieldTypeMulti => {
            "SP.Taxonomy.TaxonomyFieldValue"
        }
        _ => "",
    }
}
