//! A column described in XML, as `createfieldasxml` brings it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::fields::many;
use crate::store::{Field, FieldKind, Refusal};

/// `AddFieldOptions`: take the `Name` of the XML as it is.
const INTERNAL_NAME_HINT: u64 = 8;

/// Adds the column of a body `{"parameters": {"SchemaXml": "…", "Options": 0}}`.
///
/// # Errors
/// The XML is none, or the list refuses the column.
pub fn create(call: &mut Call<'_>, list: Uuid) -> Rest<Uuid> {
    let body = call.body()?;
    let parameters = body.get("parameters").and_then(Value::as_object);
    let parameters = parameters.unwrap_or(&body);
    let xml = parameters.get("SchemaXml").and_then(Value::as_str);
    let options = parameters.get("Options").and_then(Value::as_u64);
    let hint = options.unwrap_or(0) & INTERNAL_NAME_HINT != 0;
    let field = read(xml.unwrap_or_default(), hint)?;
    super::fields::add(call, list, field)
}

/// Reads `<Field Type="…" DisplayName="…" …/>`.
fn read(xml: &str, hint: bool) -> Rest<Field> {
    let malformed = || {
        RestError::new(
            400,
            -2_147_024_809,
            "System.ArgumentException",
            "The XML of the field is not valid.",
        )
    };
    let document = roxmltree::Document::parse(xml).map_err(|_| malformed())?;
    let root = document.root_element();
    if !root.has_tag_name("Field") {
        return Err(malformed());
    }
    let flag = |name: &str| {
        let value = root.attribute(name);
        value.is_some_and(|value| value.eq_ignore_ascii_case("true") || value == "1")
    };
    let named = root.attribute("Type").unwrap_or_default();
    let kind = FieldKind::named(named)
        .ok_or_else(|| RestError::refused(&Refusal::UnknownKind(named.to_owned()), "SP.Field"))?;
    let display = root.attribute("DisplayName").or(root.attribute("Name"));
    let display = display.ok_or_else(malformed)?;
    // Without the hint the service makes the internal name from what people read.
    let internal = root
        .attribute("Name")
        .filter(|_| hint || !root.has_attribute("DisplayName"));
    let mut field = Field::new(
        internal.unwrap_or_default(),
        display,
        many(kind, flag("Mult")),
    );
    if let Some(id) = root
        .attribute("ID")
        .and_then(|id| Uuid::parse_str(id.trim_matches(['{', '}'])).ok())
    {
        field.id = id;
    }
    field.required = flag("Required");
    field.hidden = flag("Hidden");
    field.read_only |= flag("ReadOnly");
    field.indexed = flag("Indexed");
    field.unique = flag("EnforceUniqueValues");
    field.description = root.attribute("Description").unwrap_or_default().to_owned();
    if let Some(group) = root.attribute("Group") {
        field.group = group.to_owned();
    }
    let text_of = |name: &str| {
        let child = root.children().find(|child| child.has_tag_name(name));
        child.and_then(|child| child.text()).map(str::to_owned)
    };
    field.default = text_of("Default");
    let choices = root
        .descendants()
        .filter(|node| node.has_tag_name("CHOICE"));
    let choices: Vec<_> = choices.filter_map(|choice| choice.text()).collect();
    let set = |field: &mut Field, name: &str, value: Option<Value>| {
        if let (Some(value), true) = (value, field.own.contains_key(name)) {
            field.own.insert(name.to_owned(), value);
        }
    };
    set(&mut field, "Choices", Some(json!(choices)));
    set(&mut field, "Formula", text_of("Formula").map(Value::from));
    let attribute = |name: &str| root.attribute(name).map(|text| json!(text));
    let number = |name: &str| {
        let number = root
            .attribute(name)
            .and_then(|text| text.parse::<f64>().ok());
        number.map(crate::store::value::plain_number)
    };
    set(&mut field, "LookupList", attribute("List"));
    set(&mut field, "LookupField", attribute("ShowField"));
    set(&mut field, "MaxLength", number("MaxLength"));
    set(&mut field, "NumberOfLines", number("NumLines"));
    set(&mut field, "MinimumValue", number("Min"));
    set(&mut field, "MaximumValue", number("Max"));
    set(
        &mut field,
        "RichText",
        root.attribute("RichText").map(|_| json!(flag("RichText"))),
    );
    set(
        &mut field,
        "FillInChoice",
        root.attribute("FillInChoice")
            .map(|_| json!(flag("FillInChoice"))),
    );
    let mode = root.attribute("UserSelectionMode");
    set(
        &mut field,
        "SelectionMode",
        mode.map(|mode| json!(u8::from(mode != "PeopleOnly" && mode != "0"))),
    );
    if let (FieldKind::DateTime, Some(format)) = (kind, root.attribute("Format")) {
        set(
            &mut field,
            "DisplayFormat",
            Some(json!(u8::from(format != "DateOnly"))),
        );
    }
    if kind == FieldKind::Calculated {
        let result = root.attribute("ResultType").and_then(FieldKind::named);
        set(
            &mut field,
            "OutputType",
            result.map(|kind| json!(kind.number())),
        );
    }
    Ok(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_read_from_its_xml() {
        let field = read(
            "<Field Type='Text' Name='SyncKey' DisplayName='Sync key' Hidden='TRUE' Indexed='TRUE' EnforceUniqueValues='TRUE' MaxLength='50'/>",
            true,
        )
        .expect("a column");
        assert_eq!(
            (field.internal.as_str(), field.title.as_str()),
            ("SyncKey", "Sync key")
        );
        assert!(field.hidden && field.indexed && field.unique);
        assert_eq!(field.own["MaxLength"], 50);
        let choice = read(
            "<Field Type='Choice' DisplayName='C'><Default>B</Default><CHOICES><CHOICE>A</CHOICE><CHOICE>B</CHOICE></CHOICES></Field>",
            false,
        )
        .expect("a column");
        assert_eq!(choice.choices(), ["A", "B"]);
        assert_eq!(choice.default.as_deref(), Some("B"));
        assert_eq!(
            read("<Field Type='Nonsense' Name='x'/>", true).map_err(|error| error.status),
            Err(500)
        );
        assert_eq!(read("<Field", true).map_err(|error| error.status), Err(400));
    }
}
