//! Converts a computer's field to a column's value, and compares it with the present one.
//!
//! The comparison uses normal forms of the column's type instead of texts: dates as dates, and 16
//! equals 16.0. So a repeated export changes nothing.

use checklist_shared::computer::ComputerValue;
use jiff::Timestamp;
use serde::Deserialize as _;
use serde_json::{Value, json};
use site_lists::{Column, SiteFieldType, SiteLookup, SiteUrl, SiteUserOrGroup};

/// The value to write to a column; null clears it.
pub(super) fn column_value(value: Option<ComputerValue<'_>>, column: &Column) -> Value {
    use SiteFieldType as Kind;
    let Some(value) = value else {
        return Value::Null;
    };
    let kind = column.field_type.unwrap_or(Kind::String);
    if let ComputerValue::Number(number) = value
        && !is_text(kind)
    {
        return json!(number);
    }
    let text = match value {
        ComputerValue::Text(text) | ComputerValue::Person(text) => text.trim().to_owned(),
        ComputerValue::Number(number) => number.to_string(),
        ComputerValue::Day(day) if kind == Kind::DateTime && !column.date_only => {
            format!("{day}T00:00:00Z")
        }
        ComputerValue::Day(day) => day.to_string(),
    };
    if text.is_empty() {
        return Value::Null;
    }
    match kind {
        Kind::MultiChoice | Kind::UserMulti | Kind::LookupMulti => json!([text]),
        Kind::Bool => parse_boolean(&text).map_or_else(|| json!(text), Value::from),
        _ => json!(text),
    }
}

const fn is_text(kind: SiteFieldType) -> bool {
    use SiteFieldType as Kind;
    matches!(
        kind,
        Kind::String | Kind::Note | Kind::Choice | Kind::MultiChoice
    )
}

/// Whether a column with the value `held` already has the value `column_value`.
pub(super) fn is_same(column: &Column, written: &Value, held: &Value) -> bool {
    use SiteFieldType as Kind;
    if is_nothing(written) || is_nothing(held) {
        return is_nothing(written) && is_nothing(held);
    }
    match column.field_type.unwrap_or(Kind::String) {
        Kind::Note => {
            let (ours, theirs) = (text_of(written), text_of(held));
            ours == theirs || theirs.contains('<') && words(&ours) == words(&without_tags(&theirs))
        }
        Kind::Number | Kind::Currency | Kind::Integer => {
            let pair = number(written).zip(number(held));
            pair.is_some_and(|(ours, theirs)| (ours - theirs).abs() <= ours.abs() * 1e-12)
        }
        Kind::Bool => parse_boolean(&text_of(written))
            .is_some_and(|ours| parse_boolean(&text_of(held)) == Some(ours)),
        Kind::DateTime if column.date_only => {
            let day = |value: &Value| text_of(value).get(..10).map(str::to_owned);
            day(written).is_some_and(|ours| day(held) == Some(ours))
        }
        Kind::DateTime => {
            let time = |value: &Value| text_of(value).parse::<Timestamp>().ok();
            // Lists store no fractions of a second.
            let pair = time(written).zip(time(held));
            pair.is_some_and(|(ours, theirs)| ours.as_second() == theirs.as_second())
        }
        Kind::User | Kind::UserMulti => {
            let (ours, theirs) = (all(written), all(held));
            ours.len() == theirs.len()
                && ours
                    .iter()
                    .all(|ours| theirs.iter().any(|held| is_person(&text_of(ours), held)))
        }
        Kind::Lookup | Kind::LookupMulti => {
            let ids = |value: &Value| {
                let mut ids: Vec<Option<i64>> = all(value).into_iter().map(looked_up).collect();
                ids.sort_unstable();
                ids
            };
            ids(written) == ids(held)
        }
        Kind::MultiChoice => {
            let texts = |value: &Value| {
                let mut texts: Vec<String> = all(value).into_iter().map(text_of).collect();
                texts.sort_unstable();
                texts
            };
            texts(written) == texts(held)
        }
        Kind::Url => address(written) == address(held),
        _ => text_of(written) == text_of(held),
    }
}

/// The normal forms by which a unique column compares a value; empty for an empty value.
pub(super) fn unique_forms(column: &Column, value: &Value) -> Vec<String> {
    use SiteFieldType as Kind;
    if is_nothing(value) {
        return Vec::new();
    }
    let form = match column.field_type.unwrap_or(Kind::String) {
        Kind::Number | Kind::Currency | Kind::Integer => number(value).map(|it| it.to_string()),
        Kind::DateTime if column.date_only => text_of(value).get(..10).map(str::to_owned),
        Kind::DateTime => text_of(value)
            .parse::<Timestamp>()
            .ok()
            .map(|time| time.as_second().to_string()),
        Kind::Bool => parse_boolean(&text_of(value)).map(|it| it.to_string()),
        Kind::Lookup | Kind::LookupMulti => {
            let mut all = all(value).into_iter();
            all.next().and_then(looked_up).map(|id| id.to_string())
        }
        Kind::User | Kind::UserMulti => return all(value).into_iter().flat_map(names).collect(),
        Kind::Url => Some(address(value)),
        _ => None,
    };
    vec![form.unwrap_or_else(|| text_of(value)).to_lowercase()]
}

/// The names of a person, in lower case.
fn names(person: &Value) -> Vec<String> {
    let Ok(known) = SiteUserOrGroup::deserialize(person) else {
        return vec![text_of(person).to_lowercase()];
    };
    let login = known.name.unwrap_or_default();
    let plain = login.rsplit('|').next().unwrap_or_default().to_owned();
    let short = plain.rsplit('\\').next().unwrap_or_default().to_owned();
    let all = [Some(login), Some(plain), Some(short), known.email];
    let mut all: Vec<String> = all
        .into_iter()
        .flatten()
        .map(|it| it.to_lowercase())
        .collect();
    all.retain(|name| !name.is_empty());
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a value is empty: null, blank text and an empty array are the same to a list.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(all) => all.iter().all(is_nothing),
        _ => false,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().replace("\r\n", "\n"),
        other => other.to_string(),
    }
}

fn all(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(all) => all.iter().collect(),
        one => vec![one],
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn parse_boolean(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a name that a site can resolve means the person in a column.
fn is_person(named: &str, held: &Value) -> bool {
    let Ok(held) = SiteUserOrGroup::deserialize(held) else {
        return named.to_lowercase() == text_of(held).to_lowercase();
    };
    let named = named.to_lowercase();
    let login = held.name.as_deref().map(str::to_lowercase);
    let is = |text: &Option<String>| {
        text.as_deref()
            .is_some_and(|text| text.trim().to_lowercase() == named)
    };
    // The logins i:0#.f|membership|ada@corp.example and CORP\ada both match ada.
    let is_login = login.is_some_and(|login| {
        let plain = login.rsplit('|').next().unwrap_or(&login);
        plain == named || login == named || plain.rsplit('\\').next() == Some(named.as_str())
    });
    is_login || is(&held.email) || is(&held.title)
}

fn looked_up(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        object => SiteLookup::deserialize(object)
            .ok()
            .map(|lookup| lookup.lookup_id),
    }
}

fn address(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        object => SiteUrl::deserialize(object).map_or_else(|_| text_of(object), |link| link.url),
    };
    text.trim().trim_end_matches('/').to_owned()
}

/// The visible text of HTML, as rich text columns return it.
fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut inside = false;
    for letter in html.chars() {
        match letter {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                text.push(' ');
            }
            letter if !inside => text.push(letter),
            _ => {}
        }
    }
    for (entity, letter) in [
        ("&#160;", " "),
        ("&nbsp;", " "),
        ("&#58;", ":"),
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, letter);
    }
    text
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[cfg(test)]
#[path = "value_tests.rs"]
mod tests;
