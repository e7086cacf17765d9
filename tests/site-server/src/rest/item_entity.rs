//! An item as an entity: what it shows by itself in the service's order, what was selected, and
//! people and look-ups behind their numbers.

use serde_json::{Value, json};

use super::call::Call;
use super::error::Rest;
use super::items::SHOWN_ALONE;
use super::shape;
use crate::odata::entity::{Entity, Property};
use crate::odata::projection::Projection;
use crate::query::row::{Column, behind};
use crate::store::{Field, FieldKind, Item, List, item};

/// An item, as far as it was asked for.
///
/// # Errors
/// What was asked of something expanded is not there.
pub fn entity(call: &Call<'_>, list: &List, item: &Item, projection: &Projection) -> Rest<Entity> {
    let uri = call.uri(&format!("Web/Lists(guid'{}')/Items({})", list.id, item.id));
    let mut properties = Vec::new();
    for (name, below) in &projection.expand {
        let wanted = projection.shows_all() || projection.selects(name);
        if let (true, Some(field)) = (wanted, list.field(name)) {
            let value = item::value(call.site, list, item, field);
            let entity = |number: &Value| linked(call, field, number, below);
            let property = match value {
                Value::Array(all) => Property::Many(all.iter().map(entity).collect()),
                Value::Null if field.kind.is_multi() => Property::Many(Vec::new()),
                Value::Null => Property::One(None),
                one => Property::One(Some(Box::new(entity(&one)))),
            };
            properties.push((field.entity_name(), property));
        }
    }
    shape::item_navigations(call, list, item, projection, &mut properties)?;
    if projection.shows_all() {
        properties.extend(shown_by_itself(call, list, item));
        for name in &projection.select {
            add_selected(call, list, item, name, &mut properties);
        }
    } else {
        for name in &projection.select {
            add_selected(call, list, item, name, &mut properties);
        }
        let has = |properties: &[(String, Property)], name: &str| {
            properties.iter().any(|(own, _)| own == name)
        };
        // Whoever asks for one of the two spellings of the id gets both.
        if has(&properties, "Id") != has(&properties, "ID") {
            let other = if has(&properties, "Id") { "ID" } else { "Id" };
            properties.push((other.to_owned(), Property::Plain(json!(item.id))));
        }
    }
    Ok(Entity {
        kind: list.item_type_name(),
        uri,
        etag: Some(call.core.etag_of(item)),
        properties,
    })
}

fn add_selected(
    call: &Call<'_>,
    list: &List,
    item: &Item,
    name: &str,
    properties: &mut Vec<(String, Property)>,
) {
    if properties.iter().any(|(own, _)| own == name) {
        return;
    }
    if SHOWN_ALONE.contains(&name) {
        let shown = shown_first(item).into_iter();
        properties.extend(shown.filter(|(own, _)| own == name));
        return;
    }
    match Column::named(list, &[name.to_owned()]) {
        Some(Column::Own(field)) => {
            let shown = shown(call, list, item, &field);
            properties.extend(
                shown
                    .into_iter()
                    .map(|(_, property)| (name.to_owned(), property))
                    .take(1),
            );
        }
        Some(Column::Number(field)) => {
            let shown = shown(call, list, item, &field).into_iter();
            properties.extend(shown.filter(|(own, _)| own == name));
            if !properties.iter().any(|(own, _)| own == name) {
                let value = item::value(call.site, list, item, &field);
                properties.push((name.to_owned(), Property::Plain(value)));
            }
        }
        _ => {}
    }
}

fn shown_first(item: &Item) -> Vec<(String, Property)> {
    let plain = |name: &str, value: Value| (name.to_owned(), Property::Plain(value));
    vec![
        plain("FileSystemObjectType", json!(u8::from(item.is_folder))),
        plain("Id", json!(item.id)),
        plain("ServerRedirectedEmbedUri", Value::Null),
        plain("ServerRedirectedEmbedUrl", json!("")),
        plain("CommentsDisabled", json!(false)),
    ]
}

/// What an item shows when nothing was selected, in the service's order.
fn shown_by_itself(call: &Call<'_>, list: &List, item: &Item) -> Vec<(String, Property)> {
    let mut out = shown_first(item);
    out.retain(|(name, _)| name != "CommentsDisabled");
    for name in ["ContentTypeId", "Title", "ComplianceAssetId"] {
        if let Some(field) = list.field(name) {
            out.extend(shown(call, list, item, field));
        }
    }
    for field in list
        .custom_fields()
        .filter(|field| field.kind != FieldKind::Computed)
    {
        out.extend(shown(call, list, item, field));
    }
    let names = [
        "ID",
        "Modified",
        "Created",
        "Author",
        "Editor",
        "_UIVersionString",
        "Attachments",
        "GUID",
    ];
    for field in names.iter().filter_map(|name| list.field(name)) {
        out.extend(shown(call, list, item, field));
    }
    out
}

/// A column's members: its value, or the number of what it links to.
fn shown(call: &Call<'_>, list: &List, item: &Item, field: &Field) -> Vec<(String, Property)> {
    let value = match field.internal.as_str() {
        "EncodedAbsUrl" => json!(absolute(call, list, item)),
        _ => item::value(call.site, list, item, field),
    };
    let name = field.entity_name();
    let one = |property: Property| vec![(name.clone(), property)];
    match (field.kind, value) {
        (FieldKind::User, value) => {
            let text = value
                .as_u64()
                .map_or(Value::Null, |id| json!(id.to_string()));
            let mut both = vec![(format!("{name}Id"), Property::Plain(value))];
            if !field.built_in {
                both.push((format!("{name}StringId"), Property::Plain(text)));
            }
            both
        }
        (FieldKind::UserMulti, Value::Array(ids)) => {
            let texts = ids.iter().map(|id| json!(id.to_string())).collect();
            vec![
                (format!("{name}Id"), Property::Collection("Edm.Int32", ids)),
                (
                    format!("{name}StringId"),
                    Property::Collection("Edm.String", texts),
                ),
            ]
        }
        (FieldKind::UserMulti, _) => vec![
            (format!("{name}Id"), Property::Plain(Value::Null)),
            (format!("{name}StringId"), Property::Plain(Value::Null)),
        ],
        (FieldKind::Lookup, value) if !field.built_in => {
            vec![(format!("{name}Id"), Property::Plain(value))]
        }
        (FieldKind::LookupMulti, value) => {
            let ids = value.as_array().cloned().unwrap_or_default();
            vec![(format!("{name}Id"), Property::Collection("Edm.Int32", ids))]
        }
        (FieldKind::MultiChoice, Value::Array(texts)) => {
            one(Property::Collection("Edm.String", texts))
        }
        (FieldKind::Url, Value::Object(members)) => {
            one(Property::Complex("SP.FieldUrlValue", members))
        }
        (FieldKind::TaxonomyFieldType, Value::Object(mut members)) => {
            // The service's own answers carry the number where the label should be.
            let number = members.get("WssId").map(ToString::to_string);
            members.insert("Label".to_owned(), json!(number.unwrap_or_default()));
            one(Property::Complex("SP.Taxonomy.TaxonomyFieldValue", members))
        }
        (FieldKind::TaxonomyFieldTypeMulti, value) => {
            let terms = value.as_array().cloned().unwrap_or_default();
            one(Property::Collection(
                "SP.Taxonomy.TaxonomyFieldValue",
                terms,
            ))
        }
        (_, value) => one(Property::Plain(value)),
    }
}

/// The address of an item's file, as a browser would write it.
fn absolute(call: &Call<'_>, list: &List, item: &Item) -> String {
    use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
    const LEFT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'?');
    let path = format!("{}/{}", call.site.path_of(list), item.leaf_name());
    let path = utf8_percent_encode(&path, LEFT);
    format!("{}{path}", call.incoming.origin())
}

/// The person or item behind a number, with the members that were selected.
fn linked(call: &Call<'_>, field: &Field, number: &Value, below: &Projection) -> Entity {
    let person = field.kind.is_person();
    let names: Vec<String> = if below.select.is_empty() && person {
        ["Id", "Title", "Name", "EMail"].map(str::to_owned).into()
    } else if below.select.is_empty() {
        vec!["Id".to_owned(), field.target_field().to_owned()]
    } else {
        below.select.clone()
    };
    let members = names.iter().map(|name| {
        let found = behind(call.site, field, number, name);
        let value = found.map_or(Value::Null, |(_, value)| value);
        (name.clone(), Property::Plain(value))
    });
    let kind = match field.target_list().and_then(|id| call.site.list(id)) {
        Some(target) if !person => target.item_type_name(),
        _ => "SP.Data.UserInfoItem".to_owned(),
    };
    Entity {
        kind,
        uri: call.uri(&format!("Web/Lists/Items({number})")),
        etag: None,
        properties: members.collect(),
    }
}
