//! The columns of lists over Microsoft Graph: reading them, and creating one.

use http::Method;
use serde_json::{Value, json};

use super::client::GraphClient;
use crate::client::{Deadline, Idempotency};
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, LookupTarget, NewColumn, SiteFieldType, choices};
use crate::odata_url;
use crate::protocol::ListInfo;

/// Hidden columns are listed only where `hidden` is selected.
const SELECT: &str = "$select=id,name,displayName,readOnly,required,hidden,indexed,enforceUniqueValues,columnGroup,text,boolean,number,currency,dateTime,choice,defaultValue,lookup,personOrGroup,calculated,hyperlinkOrPicture,term,thumbnail";

/// Columns that every list has and for which Graph has no facet; what they show of an item is in
/// others too.
const COMPUTED: [&str; 12] = [
    "AppAuthor",
    "AppEditor",
    "ComplianceAssetId",
    "ContentType",
    "ContentTypeId",
    "DocIcon",
    "Edit",
    "LinkFilename",
    "LinkTitle",
    "LinkTitle2",
    "LinkTitleNoMenu",
    "SelectTitle",
];

/// Whether this is a custom column without a facet: Integer, Guid and others. Its values are in
/// items all the same.
pub(super) fn has_untold_type(column: &Column) -> bool {
    column.field_type.is_none()
        && !column.built_in
        && !column.hidden
        && !column.internal_name.starts_with('_')
        && !COMPUTED.contains(&column.internal_name.as_str())
}

/// Columns that every list has.
const BUILT_IN: [&str; 4] = [
    "ContentType",
    "Attachments",
    "ItemChildCount",
    "FolderChildCount",
];

pub(super) async fn columns(
    graph: &GraphClient,
    deadline: Deadline,
    list: &ListInfo,
) -> Result<Vec<Column>> {
    let tail = format!("lists/{}/columns", odata_url::percent_encode(&list.id));
    let missing = ErrorKind::ListNotFound;
    let all = match graph
        .all(deadline, &format!("{tail}?{SELECT}"), missing)
        .await
    {
        // Where a facet is not known, what is shown by itself has to do.
        Err(error) if error.status() == Some(400) => graph.all(deadline, &tail, missing).await?,
        other => other?,
    };
    Ok(all.iter().filter_map(column).collect())
}

/// A column as Graph describes it: its type is the one facet it has.
pub(super) fn column(column: &Value) -> Option<Column> {
    use SiteFieldType as Kind;
    let text = |name: &str| column.get(name).and_then(Value::as_str);
    let flag = |name: &str| {
        column
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or_default()
    };
    let facet = |name: &str| column.get(name).filter(|facet| facet.is_object());
    let has =
        |facet: &Value, name: &str| facet.get(name).and_then(Value::as_bool).unwrap_or_default();
    let internal_name = text("name")?.to_owned();
    let (field_type, word) = if let Some(facet) = facet("text") {
        (
            Some(if has(facet, "allowMultipleLines") {
                Kind::Note
            } else {
                Kind::String
            }),
            "text",
        )
    } else if facet("boolean").is_some() {
        (Some(Kind::Bool), "boolean")
    } else if facet("number").is_some() {
        (Some(Kind::Number), "number")
    } else if facet("currency").is_some() {
        (Some(Kind::Currency), "currency")
    } else if facet("dateTime").is_some() {
        (Some(Kind::DateTime), "dateTime")
    } else if let Some(facet) = facet("choice") {
        let several = facet.get("displayAs").and_then(Value::as_str) == Some("checkBoxes");
        (
            Some(if several {
                Kind::MultiChoice
            } else {
                Kind::Choice
            }),
            "choice",
        )
    } else if let Some(facet) = facet("lookup") {
        (
            Some(if has(facet, "allowMultipleValues") {
                Kind::LookupMulti
            } else {
                Kind::Lookup
            }),
            "lookup",
        )
    } else if let Some(facet) = facet("personOrGroup") {
        (
            Some(if has(facet, "allowMultipleSelection") {
                Kind::UserMulti
            } else {
                Kind::User
            }),
            "personOrGroup",
        )
    } else if facet("calculated").is_some() {
        (Some(Kind::Calculated), "calculated")
    } else if facet("hyperlinkOrPicture").is_some() {
        (Some(Kind::Url), "hyperlinkOrPicture")
    } else if facet("term").is_some() {
        (Some(Kind::Taxonomy), "term")
    } else if internal_name == "ID" {
        (Some(Kind::Counter), "counter")
    } else {
        (None, "unknown")
    };
    let part = |name: &str, part: &str| facet(name).and_then(|facet| facet.get(part));
    let length = part("text", "maxLength").and_then(Value::as_u64);
    let hidden = flag("hidden");
    let bound = |name: &str| {
        let bound = part("number", name).and_then(Value::as_f64);
        bound.filter(|bound| bound.abs() < f64::MAX)
    };
    Some(Column {
        entity_name: None,
        display_name: text("displayName").unwrap_or(&internal_name).to_owned(),
        field_type,
        site_type: word.to_owned(),
        read_only: flag("readOnly"),
        hidden,
        required: flag("required"),
        indexed: flag("indexed"),
        unique: flag("enforceUniqueValues"),
        built_in: BUILT_IN.contains(&internal_name.as_str())
            || text("columnGroup") == Some("_Hidden"),
        max_length: length
            .and_then(|length| u32::try_from(length).ok())
            .filter(|length| *length > 0),
        minimum: bound("minimum"),
        maximum: bound("maximum"),
        people_only: part("personOrGroup", "chooseFromType").and_then(Value::as_str)
            == Some("peopleOnly"),
        has_default: facet("defaultValue").is_some_and(|default| {
            let is_some = |name: &str| default.get(name).is_some_and(|value| !value.is_null());
            is_some("value") || is_some("formula")
        }),
        choices: choices(part("choice", "choices")),
        fill_in: part("choice", "allowTextEntry")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
        date_only: part("dateTime", "format").and_then(Value::as_str) == Some("dateOnly"),
        multiple: matches!(
            field_type,
            Some(Kind::MultiChoice | Kind::LookupMulti | Kind::UserMulti)
        ) || part("term", "allowMultipleValues")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
        lookup: part("lookup", "columnName")
            .and_then(Value::as_str)
            .map(|name| LookupTarget {
                field: name.to_owned(),
            }),
        internal_name,
    })
}

pub(super) async fn create(
    graph: &GraphClient,
    deadline: Deadline,
    list: &ListInfo,
    column: &NewColumn,
) -> Result<()> {
    let (facet, detail) = match column.field_type {
        SiteFieldType::String => ("text", json!({"maxLength": 255})),
        SiteFieldType::Note => ("text", json!({"allowMultipleLines": true})),
        SiteFieldType::Number => ("number", json!({})),
        SiteFieldType::Bool => ("boolean", json!({})),
        SiteFieldType::DateTime => ("dateTime", json!({"format": "dateTime"})),
        other => {
            return Err(SiteError::new(
                ErrorKind::UnsupportedFieldType,
                format!("Columns of the type {other} cannot be made."),
            )
            .with_field(&column.internal_name));
        }
    };
    let mut body = json!({
        "name": column.internal_name,
        "displayName": column.display_name,
        "hidden": column.hidden,
        "indexed": column.indexed || column.unique,
        "enforceUniqueValues": column.unique,
    });
    body[facet] = detail;
    let url = graph
        .url(
            deadline,
            &format!("lists/{}/columns", odata_url::percent_encode(&list.id)),
        )
        .await?;
    graph
        .send(
            deadline,
            Method::POST,
            url,
            Some(&body),
            Idempotency::NonIdempotent,
        )
        .await?
        .error_for_status(ErrorKind::ListNotFound)?;
    Ok(())
}
