//! Items as SharePoint REST shows them, and the queries over them: `$select`, `$expand`,
//! `$filter`, `$orderby`, `$top`, `$skiptoken`.
//!
//! Called by `read`, and by writes that answer with the item.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::shape;
use crate::odata::entity::{Entity, Property};
use crate::odata::filter::{Operand, parse};
use crate::odata::projection::Projection;
use crate::query::row::{Column, behind};
use crate::query::{LOOKUPS, Order, Plan, Refused, Token, pages};
use crate::store::{Field, FieldKind, Item, List, item};

/// How many rows a page has when nobody says.
const USUAL_PAGE: usize = 100;
/// How many it has at most.
const LARGEST_PAGE: usize = 5_000;

/// The rows that a query gives, and the address of the next page.
///
/// # Errors
/// The query is wrong, or may not be asked.
pub fn query(call: &Call<'_>, id: Uuid) -> Rest<(Vec<Entity>, Option<String>)> {
    let list = call.list(id)?;
    let projection = call.projection();
    check(list, &projection)?;
    let plan = plan(call, list, &projection)?;
    let top = match call.query.option("top") {
        Some(text) => text
            .trim()
            .parse::<usize>()
            .map_err(|_| RestError::expression(text))?
            .min(LARGEST_PAGE),
        None => USUAL_PAGE,
    };
    let token = match call.query.option("skiptoken") {
        Some(text) => Some(Token::read(text).ok_or_else(|| RestError::expression(text))?),
        None => None,
    };
    let filter = call.query.option("filter").unwrap_or_default();
    let rows = plan
        .rows(call.site, list, call.core.options.threshold)
        .map_err(|refused| match refused {
            Refused::Threshold => RestError::threshold(),
            Refused::Unanswerable => RestError::expression(filter),
        })?;
    let page = pages(&plan, call.site, list, rows, token.as_ref(), top);
    let entities = page
        .rows
        .iter()
        .map(|item| entity(call, list, item, &projection))
        .collect::<Rest<Vec<_>>>()?;
    let next = page.next.map(|token| {
        let query = call.query.with_first("$skiptoken", &token.written());
        call.uri(&format!("web/lists(guid%27{id}%27)/items?{query}"))
    });
    Ok((entities, next))
}

/// Reads filter and order.
fn plan(call: &Call<'_>, list: &List, projection: &Projection) -> Rest<Plan> {
    let mut plan = Plan::default();
    if let Some(text) = call.query.option("filter") {
        let filter = parse(text).map_err(|_| RestError::expression(text))?;
        let mut wrong = None;
        filter.visit(&mut |operand| {
            let error = match operand {
                Operand::Path(path) => match queried(list, path, projection) {
                    Ok(column) => {
                        plan.columns.push((path.clone(), column));
                        None
                    }
                    Err(error) => Some(error),
                },
                Operand::Call(name, _) if !is_known(name) => Some(RestError::expression(text)),
                _ => None,
            };
            wrong = wrong.take().or(error);
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        plan.filter = Some(filter);
    }
    for part in call.query.option("orderby").unwrap_or_default().split(',') {
        let mut words = part.split_whitespace();
        let Some(name) = words.next() else { continue };
        let descending = match words.next() {
            None | Some("asc") => false,
            Some("desc") => true,
            Some(_) => return Err(RestError::expression(part)),
        };
        let path: Vec<_> = name.split('/').map(str::to_owned).collect();
        let column = Column::named(list, &path).ok_or_else(|| RestError::no_field(name))?;
        if column
            .field()
            .is_some_and(|field| !field.kind.is_sortable())
        {
            return Err(not_queried(&column, name));
        }
        plan.order.push(Order {
            name: name.to_owned(),
            column,
            descending,
        });
    }
    Ok(plan)
}

fn is_known(function: &str) -> bool {
    const KNOWN: [&str; 8] = [
        "startswith",
        "substringof",
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
    ];
    KNOWN.contains(&function)
}

fn queried(list: &List, path: &[String], projection: &Projection) -> Rest<Column> {
    let name = path.join("/");
    let column = Column::named(list, path).ok_or_else(|| RestError::no_field(&name))?;
    match &column {
        Column::Behind(field, _) if projection.expanded(&path[0]).is_none() => {
            Err(RestError::not_expanded(&name, &field.entity_name()))
        }
        Column::Own(field) | Column::Number(field) | Column::Behind(field, _)
            if !field.kind.is_filterable()
                || field.kind.is_taxonomy()
                || field.kind == FieldKind::LookupMulti =>
        {
            Err(not_queried(&column, &name))
        }
        Column::Own(field) if field.kind.is_person() || field.kind.is_lookup() => {
            if field.built_in && field.kind.is_lookup() {
                Ok(column)
            } else {
                Err(RestError::not_expanded(&name, &field.entity_name()))
            }
        }
        _ => Ok(column),
    }
}

fn not_queried(column: &Column, name: &str) -> RestError {
    let kind = column.field().map_or("Computed", |field| field.kind.name());
    RestError::new(
        400,
        -1,
        "Microsoft.SharePoint.SPException",
        format!(
            "The field '{name}' of type '{kind}' cannot be used in the query filter expression."
        ),
    )
}

/// Whether every name in `$select` and `$expand` means something, and not too much.
///
/// # Errors
/// One does not, or more look-ups would be joined than may be.
pub fn check(list: &List, projection: &Projection) -> Rest<()> {
    for name in &projection.select {
        match Column::named(list, std::slice::from_ref(name)) {
            Some(Column::Own(field)) if is_link(&field) && projection.expanded(name).is_none() => {
                return Err(RestError::not_expanded(name, &field.entity_name()));
            }
            Some(_) => {}
            None if SHOWN_ALONE.contains(&name.as_str()) => {}
            None if navigations().any(|navigation| navigation.eq_ignore_ascii_case(name)) => {}
            None => return Err(RestError::no_field(name)),
        }
    }
    for (name, below) in &projection.below {
        if projection.expanded(name).is_none() {
            let known = list.field(name).is_some() || navigations().any(|known| known == name);
            return Err(if known {
                let first = below.select.first().map_or("", String::as_str);
                RestError::not_expanded(&format!("{name}/{first}"), name)
            } else {
                RestError::no_field(name)
            });
        }
    }
    let mut joined = 0;
    for (name, below) in &projection.expand {
        if navigations().any(|known| known.eq_ignore_ascii_case(name)) {
            continue;
        }
        let field = list.field(name).ok_or_else(|| RestError::no_field(name))?;
        if !is_link(field) {
            return Err(RestError::no_field(name));
        }
        if below.is_default() && !projection.is_default() && projection.selects(name) {
            return Err(RestError::not_expanded(name, name));
        }
        joined += 1;
    }
    if joined > LOOKUPS {
        return Err(RestError::lookups());
    }
    Ok(())
}

fn is_link(field: &Field) -> bool {
    field.kind.is_person() || (field.kind.is_lookup() && !field.built_in)
}

/// Members of an item that are no columns.
const SHOWN_ALONE: [&str; 5] = [
    "Id",
    "FileSystemObjectType",
    "ServerRedirectedEmbedUri",
    "ServerRedirectedEmbedUrl",
    "CommentsDisabled",
];

fn navigations() -> impl Iterator<Item = &'static str> {
    shape::ITEM_NAVIGATIONS.into_iter()
}

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

/// The values of an item as people read them, under names whose underscores are written out.
#[must_use]
pub fn as_texts(call: &Call<'_>, list: &List, item: &Item, html: bool) -> Map<String, Value> {
    let mut out = Map::new();
    for field in &list.fields {
        let name = field.entity_name().replace('_', "_x005f_");
        let name = name.replacen("OData_x005f_", "OData_", 1);
        let value = item::value(call.site, list, item, field);
        let text = as_text(call, field, &value);
        let text = if html {
            crate::store::field::escaped(&text)
        } else {
            text
        };
        out.insert(name, json!(text));
    }
    out
}

fn as_text(call: &Call<'_>, field: &Field, value: &Value) -> String {
    let name_of = |number: &Value| {
        let found = behind(call.site, field, number, field.target_field());
        found.map_or_else(String::new, |(_, value)| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
    };
    match value {
        Value::Null => String::new(),
        Value::Bool(flag) => if *flag { "Yes" } else { "No" }.to_owned(),
        Value::Array(all) => {
            let texts: Vec<_> = all.iter().map(|one| as_text(call, field, one)).collect();
            texts.join(if field.kind.is_person() { "; " } else { ", " })
        }
        Value::Object(members) => {
            let part = |name: &str| {
                members
                    .get(name)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            if members.contains_key("Url") {
                format!("{}, {}", part("Url"), part("Description"))
            } else {
                part("Label").to_owned()
            }
        }
        number if is_link(field) => name_of(number),
        Value::String(text) if field.kind == FieldKind::DateTime => local_date(call, field, text),
        Value::String(text) => text.clone(),
        Value::Number(_) if field.internal == "_ModerationStatus" => "Approved".to_owned(),
        Value::Number(number) => number.to_string(),
    }
}

/// A date as the site's pages write it: `10/12/2022 1:07 AM`.
fn local_date(call: &Call<'_>, field: &Field, text: &str) -> String {
    let Ok(at) = text.parse::<jiff::Timestamp>() else {
        return text.to_owned();
    };
    let local = at.to_zoned(call.site.time_zone());
    let form = if field.is_date_only() {
        "%-m/%-d/%Y"
    } else {
        "%-m/%-d/%Y %-I:%M %p"
    };
    local.strftime(form).to_string()
}
