//! Lists and their columns over SharePoint REST: looking them up, and making a column that is
//! missing.
//!
//! Called through `Rest`; what is read is cached by `site`.

use serde_json::{Value, json};

use super::{Rest, address, json as answers};
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, LookupTarget, NewColumn, SiteFieldType};
use crate::list::Way;
use crate::protocol::{Found, ListFacts};
use crate::wire::{Call, Effect};

/// Looks a list up by title, id or internal name. Its columns come along in the same request.
pub(super) async fn list(rest: &Rest, call: Call, way: &Way) -> Result<Option<Found>> {
    for (path, query) in paths(rest, way) {
        let whole = format!("{path}?{query}$select=Id,Title,ItemCount,Fields&$expand=Fields");
        match looked_up(rest, call, &whole).await {
            // Where the columns do not come along, they are asked for on their own.
            Err(error) if matches!(error.status(), Some(400 | 501)) => {
                let bare = format!("{path}?{query}$select=Id,Title");
                if let Some(found) = looked_up(rest, call, &bare).await? {
                    return Ok(Some(found));
                }
            }
            // Some sites answer 500 for an address without a list.
            Err(error) if matches!(way, Way::InternalName(_)) && error.status() == Some(500) => {}
            Err(error) => return Err(error),
            Ok(None) => {}
            Ok(found) => return Ok(found),
        }
    }
    Ok(None)
}

/// Where a list may be, and what has to be said in the query.
fn paths(rest: &Rest, way: &Way) -> Vec<(String, String)> {
    match way {
        Way::Title(title) => {
            let title = address::literal(title);
            vec![(format!("web/lists/GetByTitle({title})"), String::new())]
        }
        Way::Id(id) => vec![(format!("web/lists(guid'{id}')"), String::new())],
        Way::InternalName(name) => {
            // Lists lie below `Lists`, libraries beside it.
            let site = rest.site.path().trim_end_matches('/');
            let site = percent_encoding::percent_decode_str(site).decode_utf8_lossy();
            ["Lists/", ""]
                .map(|folder| {
                    let place = address::quoted(&format!("{site}/{folder}{name}"));
                    let query = format!("@u={}&", address::in_query(&place));
                    ("web/GetList(@u)".to_owned(), query)
                })
                .to_vec()
        }
    }
}

async fn looked_up(rest: &Rest, call: Call, tail: &str) -> Result<Option<Found>> {
    let url = address::api(&rest.site, tail)?;
    let answer = match rest.get(call, url, ErrorKind::ListNotFound).await {
        Err(error) if error.kind() == ErrorKind::ListNotFound => return Ok(None),
        other => other?,
    };
    let entity = answers::entity(&answer)?;
    let text = |name: &str| entity.get(name).and_then(Value::as_str).map(str::to_owned);
    let facts = ListFacts {
        id: text("Id").ok_or_else(|| answer.unexpected("has no id of the list"))?,
        title: text("Title").unwrap_or_default(),
        web_url: None,
    };
    let fields = entity.get("Fields").and_then(Value::as_array);
    let columns = fields.map(|all| all.iter().filter_map(column).collect());
    let columns = columns.filter(|columns: &Vec<Column>| !columns.is_empty());
    let item_count = entity.get("ItemCount").and_then(Value::as_u64);
    Ok(Some(Found {
        facts,
        columns,
        item_count,
    }))
}

/// How many items the list says it has.
pub(super) async fn item_count(rest: &Rest, call: Call, list: &ListFacts) -> Result<u64> {
    let url = address::api(&rest.site, &list_tail(list, "?$select=ItemCount"))?;
    let answer = rest.get(call, url, ErrorKind::ListNotFound).await?;
    let count = answers::entity(&answer)?
        .get("ItemCount")
        .and_then(Value::as_u64);
    count.ok_or_else(|| answer.unexpected("does not say how many items there are"))
}

/// The address of a list, by its id.
pub(super) fn list_tail(list: &ListFacts, tail: &str) -> String {
    let id = list.id.trim_matches(['{', '}']);
    format!("web/lists(guid'{}'){tail}", address::encoded(id))
}

/// All columns of a list.
pub(super) async fn columns(rest: &Rest, call: Call, list: &ListFacts) -> Result<Vec<Column>> {
    let url = address::api(&rest.site, &list_tail(list, "/fields"))?;
    let answer = rest.get(call, url, ErrorKind::ListNotFound).await?;
    let all = answers::collection(&answer)?;
    let columns: Vec<Column> = all.values.iter().filter_map(column).collect();
    if columns.is_empty() {
        return Err(answer.unexpected("names no column of the list"));
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
    let choices = field.get("Choices").and_then(Value::as_array);
    let lookup = text("LookupField")
        .filter(|name| !name.is_empty())
        .map(|name| LookupTarget {
            field: name.to_owned(),
        });
    // `ID` and what belongs to every item; base columns that a person may fill (Title) are not
    // read-only and are listed like any other.
    let built_in = flag("FromBaseType");
    let number = |name: &str| field.get(name).and_then(Value::as_i64);
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
        choices: choices
            .map(|all| {
                all.iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            })
            .unwrap_or_default(),
        fill_in: flag("FillInChoice"),
        date_only,
        multiple: site_type.ends_with("Multi") || field_type == Some(SiteFieldType::MultiChoice),
        lookup,
        internal_name,
        site_type,
    })
}

/// The type behind the site's word for it.
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
    rest: &Rest,
    call: Call,
    list: &ListFacts,
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
        name = escaped(&column.internal_name),
        title = escaped(&column.display_name),
        hidden = say(column.hidden),
        indexed = say(column.indexed || column.unique),
        unique = say(column.unique),
    );
    // 8: the internal name is the one in the XML, as it stands.
    let body = json!({"parameters": {"SchemaXml": xml, "Options": 8}});
    let url = address::api(&rest.site, &list_tail(list, "/fields/CreateFieldAsXml"))?;
    rest.post(call, rest.json_post(url, &body, Effect::Once))
        .await?
        .success(ErrorKind::ListNotFound)?;
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
