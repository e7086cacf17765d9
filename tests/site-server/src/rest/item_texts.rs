//! The values of an item as people read them: `FieldValuesAsText`, `…AsHtml`, `…ForEdit`.

use serde_json::{Map, Value, json};

use super::call::Call;
use super::items::is_link;
use crate::query::row::behind;
use crate::store::{Field, FieldKind, Item, List, item};

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
