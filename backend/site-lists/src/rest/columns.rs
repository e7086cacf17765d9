//! The columns of lists over SharePoint REST: reading them, and creating one.

use serde_json::{Value, json};

use super::client::{RestClient, list_path};
use super::json;
use crate::client::{Deadline, Idempotency};
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, LookupTarget, NewColumn, SiteFieldType, choices};
use crate::odata_url;
use crate::protocol::ListInfo;

/// All columns of a list.
pub(super) async fn columns(
    client: &RestClient,
    deadline: Deadline,
    list: &ListInfo,
) -> Result<Vec<Column>> {
    let url = odata_url::api(&client.site, &list_path(list, "/fields"))?;
    let response = client.get(deadline, url, ErrorKind::ListNotFound).await?;
    let all = json::collection(&response)?;
    let columns: Vec<Column> = all.values.iter().filter_map(column).collect();
    if columns.is_empty() {
        return Err(response.unexpected_error("names no column of the list"));
    }
    Ok(columns)
}

/// A column as the site describes it; `None` for what has no name.
pub(super) fn column(field: &Value) -> Option<Column> {
    let text = |name: &str| field.get(name).and_then(Value::as_str);
    let flag = |name: &str| field.get(name).and_then(Value::as_bool).unwrap_or_default();
    let internal_name = text("InternalName")?.to_owned();
    let site_type = text("TypeAsString").unwrap_or_default().to_owned();
    let field_type = field_type(&site_type);
    let entity_name = text("EntityPropertyName")
        .filter(|name| *name != internal_name)
        .map(str::to_owned);
    let lookup = text("LookupField")
        .filter(|name| !name.is_empty())
        .map(|name| LookupTarget {
            field: name.to_owned(),
        });
    // `ID` and what belongs to every item; base columns that a person may fill (Title) are not
    // read-only and are listed like any other.
    let built_in = flag("FromBaseType");
    let number = |name: &str| field.get(name).and_then(Value::as_i64);
    let bound = |name: &str| {
        let bound = field.get(name).and_then(Value::as_f64);
        bound.filter(|bound| bound.abs() < f64::MAX)
    };
    let date_only =
        field_type == Some(SiteFieldType::DateTime) && number("DisplayFormat") == Some(0);
    Some(Column {
        entity_name,
        display_name: text("Title").unwrap_or(&internal_name).to_owned(),
        field_type,
        read_only: flag("ReadOnlyField"),
        hidden: flag("Hidden"),
        required: flag("Required"),
        indexed: flag("Indexed") || flag("AutoIndexed"),
        unique: flag("EnforceUniqueValues"),
        built_in,
        max_length: number("MaxLength")
            .and_then(|length| u32::try_from(length).ok())
            .filter(|length| *length > 0),
        // A column without bounds names those of the numbers themselves.
        minimum: bound("MinimumValue"),
        maximum: bound("MaximumValue"),
        people_only: matches!(
            field_type,
            Some(SiteFieldType::User | SiteFieldType::UserMulti)
        ) && number("SelectionMode") == Some(0),
        has_default: text("DefaultValue").is_some_and(|value| !value.is_empty())
            || text("DefaultFormula").is_some_and(|formula| !formula.is_empty()),
        choices: choices(field.get("Choices")),
        fill_in: flag("FillInChoice"),
        date_only,
        multiple: site_type.ends_with("Multi") || field_type == Some(SiteFieldType::MultiChoice),
        lookup,
        internal_name,
        site_type,
    })
}

/// The type by SharePoint's `TypeAsString`.
fn field_type(word: &str) -> Option<SiteFieldType> {
    use SiteFieldType as Kind;
    Some(match word {
        "Text" => Kind::String,
        "Note" => Kind::Note,
        "Number" => Kind::Number,
        "Currency" => Kind::Currency,
        "Integer" => Kind::Integer,
        "Boolean" => Kind::Bool,
        "DateTime" => Kind::DateTime,
        "Choice" => Kind::Choice,
        "MultiChoice" => Kind::MultiChoice,
        "User" => Kind::User,
        "UserMulti" => Kind::UserMulti,
        "Lookup" => Kind::Lookup,
        "LookupMulti" => Kind::LookupMulti,
        "URL" => Kind::Url,
        "Guid" => Kind::Guid,
        "Counter" => Kind::Counter,
        "Calculated" => Kind::Calculated,
        "TaxonomyFieldType" | "TaxonomyFieldTypeMulti" => Kind::Taxonomy,
        _ => return None,
    })
}

/// Adds a column, hidden, indexed and unique as wanted.
pub(super) async fn create(
    client: &RestClient,
    deadline: Deadline,
    list: &ListInfo,
    column: &NewColumn,
) -> Result<()> {
    let kind = match column.field_type {
        SiteFieldType::String => "Text",
        SiteFieldType::Note => "Note",
        SiteFieldType::Number => "Number",
        SiteFieldType::Bool => "Boolean",
        SiteFieldType::DateTime => "DateTime",
        other => {
            return Err(SiteError::new(
                ErrorKind::UnsupportedFieldType,
                format!("Columns of the type {other} cannot be made."),
            )
            .with_field(&column.internal_name));
        }
    };
    // In XML, because it is the only way to choose the internal name apart from the title.
    let say = |flag: bool| if flag { "TRUE" } else { "FALSE" };
    let xml = format!(
        r#"<Field Type="{kind}" Name="{name}" StaticName="{name}" DisplayName="{title}" Hidden="{hidden}" Indexed="{indexed}" EnforceUniqueValues="{unique}" />"#,
        name = escape_name(&column.internal_name),
        title = escape_name(&column.display_name),
        hidden = say(column.hidden),
        indexed = say(column.indexed || column.unique),
        unique = say(column.unique),
    );
    // 8: the internal name is the one in the XML, as it stands.
    let body = json!({"parameters": {"SchemaXml": xml, "Options": 8}});
    let url = odata_url::api(&client.site, &list_path(list, "/fields/CreateFieldAsXml"))?;
    client
        .post(
            deadline,
            client.json_post(url, &body, Idempotency::NonIdempotent),
        )
        .await?
        .error_for_status(ErrorKind::ListNotFound)?;
    Ok(())
}

fn escape_name(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
