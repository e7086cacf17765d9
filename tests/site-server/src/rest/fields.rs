//! Columns as entities, and how they are made, changed and taken away.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::lists::members;
use super::shape::Shape;
use crate::store::{Field, FieldKind, List, Refusal};

/// A column.
#[must_use]
pub fn shape(call: &Call<'_>, list: &List, field: &Field) -> Shape {
    let kind = field.kind;
    let mut own = json!({
        "AutoIndexed": false, "CanBeDeleted": !field.built_in,
        "ClientSideComponentId": Uuid::nil(), "ClientSideComponentProperties": null,
        "ClientValidationFormula": null, "ClientValidationMessage": null,
        "CustomFormatter": null, "DefaultFormula": null, "DefaultValue": field.default,
        "Description": field.description, "Direction": "none",
        "EnforceUniqueValues": field.unique, "EntityPropertyName": field.entity_name(),
        "Filterable": kind.is_filterable(), "FromBaseType": field.built_in,
        "Group": field.group, "Hidden": field.hidden, "Id": field.id,
        "Indexed": field.indexed, "IndexStatus": u8::from(field.indexed),
        "InternalName": field.internal, "IsModern": false, "JSLink": kind.js_link(),
        "PinnedToFiltersPane": false, "ReadOnlyField": field.read_only,
        "Required": field.required, "SchemaXml": field.schema_xml(),
        "Scope": call.site.path_of(list), "Sealed": false, "ShowInFiltersPane": 0,
        "Sortable": kind.is_sortable(), "StaticName": field.internal, "Title": field.title,
        "FieldTypeKind": kind.number(), "TypeAsString": kind.name(),
        "TypeDisplayName": kind.display_name(),
        "TypeShortDescription": kind.short_description(),
        "ValidationFormula": field.validation_formula,
        "ValidationMessage": field.validation_message,
    });
    if let Value::Object(own) = &mut own {
        own.extend(field.own.clone());
        if own.contains_key("LookupWebId") {
            own.insert("LookupWebId".to_owned(), json!(call.site.id));
        }
    }
    Shape {
        kind: kind.entity_type().to_owned(),
        uri: call.uri(&format!(
            "Web/Lists(guid'{}')/Fields(guid'{}')",
            list.id, field.id
        )),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: Vec::new(),
    }
}

/// Adds a column from a body: the column itself, or `{"parameters": …}` as `addfield` takes it.
///
/// # Errors
/// Its kind or a member is unknown, or the list refuses it.
pub fn create(call: &mut Call<'_>, list: Uuid) -> Rest<Uuid> {
    let body = call.body()?;
    let body = match body.get("parameters") {
        Some(Value::Object(inner)) => inner.clone(),
        _ => body,
    };
    let named = body.get("TypeAsString").and_then(Value::as_str);
    let numbered = body.get("FieldTypeKind").and_then(Value::as_u64);
    let of_type = body
        .get("__metadata")
        .and_then(|metadata| metadata["type"].as_str());
    let kind = named
        .and_then(FieldKind::named)
        .or_else(|| numbered.and_then(FieldKind::numbered))
        .or_else(|| of_type.and_then(kind_of));
    let kind = kind.ok_or_else(|| {
        let given = named.map_or_else(|| numbered.unwrap_or(0).to_string(), str::to_owned);
        RestError::refused(&Refusal::UnknownKind(given), "SP.Field")
    })?;
    let several = body.get("AllowMultipleValues") == Some(&json!(true));
    let title = body
        .get("Title")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let internal = body.get("InternalName").and_then(Value::as_str);
    let internal = internal.map(str::to_owned).unwrap_or_default();
    let mut field = Field::new(&internal, title, many(kind, several));
    apply(&mut field, &body).map_err(|refusal| RestError::refused(&refusal, "SP.Field"))?;
    add(call, list, field)
}

/// Adds a column.
///
/// # Errors
/// The list refuses it.
pub fn add(call: &mut Call<'_>, list: Uuid, mut field: Field) -> Rest<Uuid> {
    if field.kind.is_person() {
        let mut lists = call.site.lists.iter();
        let people = lists.find(|list| list.template == crate::store::list::PEOPLE);
        let people = people.map(|list| json!(format!("{{{}}}", list.id)));
        field
            .own
            .insert("LookupList".to_owned(), people.unwrap_or_default());
    }
    let list = call
        .site
        .list_mut(list)
        .ok_or_else(RestError::no_list_with_id)?;
    let id = field.id;
    list.add_field(field)
        .map_err(|refusal| RestError::refused(&refusal, "SP.Field"))?;
    Ok(id)
}

/// Changes a column.
///
/// # Errors
/// A member is unknown, or the list refuses it.
pub fn update(call: &mut Call<'_>, list: Uuid, field: Uuid) -> Rest<()> {
    let body = call.body()?;
    let list = call
        .site
        .list_mut(list)
        .ok_or_else(RestError::no_list_with_id)?;
    list.change_field(field, |field| apply(field, &body))
        .map_err(|refusal| RestError::refused(&refusal, "SP.Field"))
}

/// The kind for several values, where one number or name stands for both.
#[must_use]
pub fn many(kind: FieldKind, several: bool) -> FieldKind {
    match kind {
        FieldKind::User if several => FieldKind::UserMulti,
        FieldKind::Lookup if several => FieldKind::LookupMulti,
        FieldKind::TaxonomyFieldType if several => FieldKind::TaxonomyFieldTypeMulti,
        kind => kind,
    }
}

fn kind_of(entity: &str) -> Option<FieldKind> {
    let kinds = [
        FieldKind::Text,
        FieldKind::Note,
        FieldKind::DateTime,
        FieldKind::Choice,
        FieldKind::MultiChoice,
        FieldKind::Lookup,
        FieldKind::Number,
        FieldKind::Currency,
        FieldKind::Url,
        FieldKind::Calculated,
        FieldKind::User,
    ];
    kinds.into_iter().find(|kind| kind.entity_type() == entity)
}

/// Takes the members of a body over.
fn apply(field: &mut Field, body: &Map<String, Value>) -> Result<(), Refusal> {
    for (name, value) in body {
        let text = || value.as_str().map(str::to_owned);
        match name.as_str() {
            "Title" => field.title = text().unwrap_or_else(|| field.title.clone()),
            "Description" => field.description = text().unwrap_or_default(),
            "Group" => field.group = text().unwrap_or_default(),
            "Hidden" => field.hidden = value.as_bool().unwrap_or(field.hidden),
            "ReadOnlyField" => field.read_only = value.as_bool().unwrap_or(field.read_only),
            "Required" => field.required = value.as_bool().unwrap_or(field.required),
            "Indexed" => field.indexed = value.as_bool().unwrap_or(field.indexed),
            "EnforceUniqueValues" => field.unique = value.as_bool().unwrap_or(field.unique),
            "DefaultValue" => field.default = text(),
            "ValidationFormula" => field.validation_formula = text(),
            "ValidationMessage" => field.validation_message = text(),
            "LookupListId" => {
                field.own.insert("LookupList".to_owned(), value.clone());
            }
            "LookupFieldName" => {
                field.own.insert("LookupField".to_owned(), value.clone());
            }
            "Choices" => {
                let choices = value.get("results").unwrap_or(value);
                if !choices.is_array() {
                    return Err(Refusal::WrongType {
                        field: name.clone(),
                        expected: "Collection(Edm.String)",
                    });
                }
                field.own.insert(name.clone(), choices.clone());
            }
            name if field.own.contains_key(name) => {
                field.own.insert(name.to_owned(), value.clone());
            }
            "__metadata"
            | "FieldTypeKind"
            | "TypeAsString"
            | "InternalName"
            | "StaticName"
            | "SchemaXml"
            | "AllowMultipleValues"
            | "Id"
            | "LookupWebId"
            | "CustomFormatter"
            | "JSLink"
            | "Sealed"
            | "Direction"
            | "IsModern"
            | "EditFormat"
            | "RelationshipDeleteBehavior"
            | "ClientSideComponentId"
            | "ClientSideComponentProperties" => {}
            name if name.starts_with("odata.") || name.starts_with('@') => {}
            name => return Err(Refusal::UnknownProperty(name.to_owned())),
        }
    }
    Ok(())
}
