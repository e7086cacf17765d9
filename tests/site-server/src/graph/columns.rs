//! Columns: their facets, and how they are made, changed and taken away.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::{Call, select};
use super::error::{Graph, GraphError};
use crate::request::Answer;
use crate::rest::fields::many;
use crate::store::{Field, FieldKind as K, List, Refusal};

/// A column as Graph shows it.
#[must_use]
pub fn written_column(field: &Field) -> Map<String, Value> {
    let mut body = json!({
        "columnGroup": field.group, "description": field.description,
        "displayName": field.title, "enforceUniqueValues": field.unique,
        "hidden": field.hidden, "id": field.id, "indexed": field.indexed,
        "name": field.internal, "readOnly": field.read_only, "required": field.required,
    });
    if let Some(default) = &field.default {
        body["defaultValue"] = json!({"value": default});
    }
    if let Some((name, facet)) = facet(field) {
        body[name] = facet;
    }
    match body {
        Value::Object(body) => body,
        _ => Map::new(),
    }
}

/// The one facet of a column; several kinds come with none.
fn facet(field: &Field) -> Option<(&'static str, Value)> {
    let own = |name: &str| field.own.get(name).cloned().unwrap_or(Value::Null);
    let several = field.kind.is_multi();
    Some(match field.kind {
        K::Text => (
            "text",
            json!({"allowMultipleLines": false, "appendChangesToExistingText": false,
                "linesForEditing": 0, "maxLength": own("MaxLength")}),
        ),
        K::Note => (
            "text",
            json!({"allowMultipleLines": true, "appendChangesToExistingText": false,
                "linesForEditing": own("NumberOfLines"),
                "textType": if own("RichText") == json!(true) { "richText" } else { "plain" }}),
        ),
        K::Number => (
            "number",
            json!({"decimalPlaces": "automatic", "displayAs": "number"}),
        ),
        K::Currency => ("currency", json!({"locale": "en-us"})),
        K::Boolean => ("boolean", json!({})),
        K::DateTime => {
            let format = if field.is_date_only() {
                "dateOnly"
            } else {
                "dateTime"
            };
            (
                "dateTime",
                json!({"displayAs": "default", "format": format}),
            )
        }
        K::Choice | K::MultiChoice => (
            "choice",
            json!({"allowTextEntry": own("FillInChoice"), "choices": own("Choices"),
                "displayAs": if several { "checkBoxes" } else { "dropDownMenu" }}),
        ),
        K::User | K::UserMulti => {
            let all = own("SelectionMode") != json!(0);
            let from = if all { "peopleAndGroups" } else { "peopleOnly" };
            (
                "personOrGroup",
                json!({"allowMultipleSelection": several,
                "chooseFromType": from, "displayAs": "nameWithPresence"}),
            )
        }
        K::Lookup | K::LookupMulti if !field.built_in => (
            "lookup",
            json!({"allowMultipleValues": several, "allowUnlimitedLength": false,
                "columnName": own("LookupField"), "listId": field.target_list()}),
        ),
        K::Calculated => {
            let output = match field.output_kind() {
                K::Number => "number",
                K::Currency => "currency",
                K::Boolean => "boolean",
                K::DateTime => "dateTime",
                _ => "text",
            };
            (
                "calculated",
                json!({"formula": own("Formula"), "outputType": output}),
            )
        }
        K::Url => (
            "hyperlinkOrPicture",
            json!({"isPicture": own("DisplayFormat") == json!(1)}),
        ),
        K::TaxonomyFieldType | K::TaxonomyFieldTypeMulti => (
            "term",
            json!({"allowMultipleValues": several, "showFullyQualifiedName": false}),
        ),
        K::Thumbnail => ("thumbnail", json!({})),
        _ => return None,
    })
}

/// Reads a column; exactly one facet says of what kind it is.
///
/// # Errors
/// It has no name, or none or several facets.
pub fn read(body: &Map<String, Value>) -> Graph<Field> {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let name = text("name").or(text("displayName")).unwrap_or_default();
    if name.is_empty() {
        return Err(GraphError::invalid("The name of the column is missing."));
    }
    const FACETS: [&str; 11] = [
        "text",
        "number",
        "currency",
        "boolean",
        "dateTime",
        "choice",
        "personOrGroup",
        "lookup",
        "calculated",
        "hyperlinkOrPicture",
        "term",
    ];
    let given: Vec<_> = FACETS
        .iter()
        .filter(|name| body.contains_key(**name))
        .collect();
    let [facet] = given.as_slice() else {
        return Err(GraphError::invalid("A column must have exactly one type."));
    };
    let inner = &body[**facet];
    let flag = |name: &str| inner[name] == json!(true);
    let kind = match **facet {
        "text" if flag("allowMultipleLines") => K::Note,
        "text" => K::Text,
        "number" => K::Number,
        "currency" => K::Currency,
        "boolean" => K::Boolean,
        "dateTime" => K::DateTime,
        "choice" if inner["displayAs"] == json!("checkBoxes") => K::MultiChoice,
        "choice" => K::Choice,
        "personOrGroup" => many(K::User, flag("allowMultipleSelection")),
        "lookup" => many(K::Lookup, flag("allowMultipleValues")),
        "calculated" => K::Calculated,
        "hyperlinkOrPicture" => K::Url,
        _ => many(K::TaxonomyFieldType, flag("allowMultipleValues")),
    };
    let internal = crate::store::field::internal_name(name);
    let mut field = Field::new(&internal, text("displayName").unwrap_or(name), kind);
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            field.own.insert(name.to_owned(), value);
        }
    };
    let own = |name: &str| inner.get(name).cloned();
    match **facet {
        "text" => {
            set("MaxLength", own("maxLength").filter(|_| kind == K::Text));
            let rich = inner["textType"] == json!("richText");
            set("RichText", (kind == K::Note).then_some(json!(rich)));
        }
        "choice" => {
            set("Choices", own("choices"));
            set("FillInChoice", own("allowTextEntry"));
        }
        "dateTime" => {
            set(
                "DisplayFormat",
                Some(json!(u8::from(inner["format"] != json!("dateOnly")))),
            );
        }
        "personOrGroup" => {
            let all = inner["chooseFromType"] != json!("peopleOnly");
            set("SelectionMode", Some(json!(u8::from(all))));
        }
        "lookup" => {
            set("LookupList", own("listId"));
            set("LookupField", own("columnName"));
        }
        "calculated" => {
            set("Formula", own("formula"));
            let output = match inner["outputType"].as_str() {
                Some("number") => K::Number,
                Some("currency") => K::Currency,
                Some("boolean") => K::Boolean,
                Some("dateTime") => K::DateTime,
                _ => K::Text,
            };
            set("OutputType", Some(json!(output.number())));
        }
        _ => {}
    }
    apply(&mut field, body);
    Ok(field)
}

/// Takes over what can be changed later as well.
fn apply(field: &mut Field, body: &Map<String, Value>) {
    for (name, value) in body {
        let flag = || value.as_bool();
        let text = || value.as_str().map(str::to_owned);
        match name.as_str() {
            "displayName" => field.title = text().unwrap_or_else(|| field.title.clone()),
            "description" => field.description = text().unwrap_or_default(),
            "columnGroup" => field.group = text().unwrap_or_default(),
            "hidden" => field.hidden = flag().unwrap_or(field.hidden),
            "indexed" => field.indexed = flag().unwrap_or(field.indexed),
            "required" => field.required = flag().unwrap_or(field.required),
            "readOnly" => field.read_only = flag().unwrap_or(field.read_only),
            "enforceUniqueValues" => field.unique = flag().unwrap_or(field.unique),
            "defaultValue" => field.default = value["value"].as_str().map(str::to_owned),
            "choice" => {
                if let Some(choices) = value.get("choices") {
                    field.own.insert("Choices".to_owned(), choices.clone());
                }
            }
            _ => {}
        }
    }
}

/// Adds a column; here, unlike elsewhere, a name that is taken is refused.
///
/// # Errors
/// The name is taken, or the list refuses the column.
pub fn add(call: &mut Call<'_>, list: Uuid, mut field: Field) -> Graph<Uuid> {
    let people = call.site.lists.iter();
    let mut people = people.filter(|list| list.template == crate::store::list::PEOPLE);
    if field.kind.is_person() {
        let people = people.next().map(|list| json!(format!("{{{}}}", list.id)));
        field
            .own
            .insert("LookupList".to_owned(), people.unwrap_or_default());
    }
    let of = call.site.list_mut(list).ok_or_else(GraphError::no_list)?;
    let refused = |refusal: Refusal| GraphError::refused(&refusal);
    if of.field(&field.internal).is_some() {
        return Err(refused(Refusal::FieldExists(field.internal)));
    }
    let id = field.id;
    of.add_field(field).map_err(refused)?;
    Ok(id)
}

fn context(call: &Call<'_>, list: &List) -> String {
    format!(
        "sites('{}')/lists('{}')/columns",
        call.site_id().replace(',', "%2C"),
        list.id
    )
}

/// Answers for all columns of a list: those that people see, unless `hidden` was selected.
///
/// # Errors
/// The body is wrong.
pub fn collection(call: &mut Call<'_>, id: Uuid) -> Graph<Answer> {
    match call.method() {
        "GET" => {
            let list = call.list(id)?;
            let wanted = call.query.lenient_option("select");
            let with_hidden =
                wanted.is_some_and(|names| names.split(',').any(|name| name.trim() == "hidden"));
            let visible = list
                .fields
                .iter()
                .filter(|field| with_hidden || !field.hidden);
            let all = visible.map(|field| {
                let mut body = written_column(field);
                select(&mut body, wanted, &["id"]);
                Value::Object(body)
            });
            Ok(call.answer_all(&context(call, list), all.collect(), None))
        }
        "POST" => {
            let field = read(&call.body()?)?;
            let made = add(call, id, field)?;
            answer_one(call, id, made, 201)
        }
        _ => Err(GraphError::no_method()),
    }
}

fn answer_one(call: &Call<'_>, list: Uuid, field: Uuid, status: u16) -> Graph<Answer> {
    let list = call.list(list)?;
    let field = list.field_with_id(field).ok_or_else(GraphError::no_item)?;
    let context = format!("{}/$entity", context(call, list));
    Ok(call.answer(status, &context, written_column(field)))
}

/// Answers for one column, by its id or its name.
///
/// # Errors
/// It is not there, or the list refuses the change.
pub fn one(call: &mut Call<'_>, id: Uuid, name: &str) -> Graph<Answer> {
    let list = call.list(id)?;
    let by_id = Uuid::parse_str(name)
        .ok()
        .and_then(|id| list.field_with_id(id));
    let field = by_id
        .or_else(|| list.field(name))
        .ok_or_else(GraphError::no_item)?
        .id;
    let refused = |refusal: Refusal| GraphError::refused(&refusal);
    match call.method() {
        "GET" => answer_one(call, id, field, 200),
        "PATCH" => {
            let body = call.body()?;
            let list = call.site.list_mut(id).ok_or_else(GraphError::no_list)?;
            list.change_field(field, |field| {
                apply(field, &body);
                Ok(())
            })
            .map_err(refused)?;
            answer_one(call, id, field, 200)
        }
        "DELETE" => {
            let list = call.site.list_mut(id).ok_or_else(GraphError::no_list)?;
            list.remove_field(field).map_err(refused)?;
            Ok(Answer::empty(204))
        }
        _ => Err(GraphError::no_method()),
    }
}
