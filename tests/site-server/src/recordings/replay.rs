//! The request that gives an answer like a recorded one, asked of a scene that holds what the
//! answer tells of.
//!
//! Called for every part of every recording.

use serde_json::{Map, Value, json};

use super::Outcome;
use super::compare::difference;
use super::kind::Kind;
use super::read::Recording;
use super::request::{ask, compared, list_path, tried};
use super::scene::{GROUP, Scene};
use crate::store::{FieldKind, list};

/// What comes of a recording: one outcome, or one for each part of a batch.
#[must_use]
pub fn outcomes(recording: &Recording) -> Vec<(&'static str, Outcome)> {
    recording.parts().iter().map(outcome).collect()
}

fn outcome(recorded: &Recording) -> (&'static str, Outcome) {
    let body = recorded.body.trim();
    if body.is_empty() {
        return ("answers without a body", without_body(recorded.status));
    }
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return ("", Outcome::Outside("contents of files"));
    };
    let Value::Object(object) = value else {
        return ("", Outcome::Outside("CSOM"));
    };
    if let Some(error) = object.get("odata.error") {
        return ("errors", error_outcome(recorded.status, error));
    }
    if object.contains_key("error") || object.keys().any(|name| name.starts_with("@odata")) {
        return ("", Outcome::Outside("Microsoft Graph"));
    }
    if let Some(Value::Object(inner)) = object.get("d") {
        return (
            "",
            Outcome::Outside(if inner.contains_key("results") {
                "changes and labels"
            } else {
                "verbose answers"
            }),
        );
    }
    if object.contains_key("Row") || object.contains_key("ListData") {
        return ("", Outcome::Outside("RenderListDataAsStream"));
    }
    if object.contains_key("odata.null") {
        let scene = Scene::new(list::GENERIC);
        let ours = ask(
            &scene,
            "GET",
            &format!("{}/DocumentTemplateUrl", list_path(&scene)),
            None,
        );
        return (
            "single values",
            compared(recorded.status, &Value::Object(object), &ours),
        );
    }
    match object.get("value") {
        Some(Value::Array(all)) => several(recorded.status, &object, all),
        Some(single) if object.len() == 1 => (
            "single values",
            single_value(recorded.status, single, &object),
        ),
        _ => one(recorded.status, &object),
    }
}

fn without_body(status: u16) -> Outcome {
    let scene = Scene::new(list::GENERIC);
    scene.add_item(&Map::new());
    let path = format!("{}/items(1)", list_path(&scene));
    let ours = match status {
        200 => ask(&scene, "DELETE", &path, None),
        204 => ask(&scene, "MERGE", &path, Some(json!({"Title": "x"}))),
        _ => return Outcome::Outside("answers without a body and another status"),
    };
    if ours.status == status && ours.body.is_empty() {
        Outcome::Same
    } else {
        Outcome::Different(format!("{} instead of {status}", ours.status))
    }
}

fn error_outcome(status: u16, error: &Value) -> Outcome {
    let code = error["code"].as_str().unwrap_or_default();
    let message = error["message"]["value"].as_str().unwrap_or_default();
    let scene = Scene::new(list::GENERIC);
    let path = if message.starts_with("List '") {
        "web/lists/getByTitle('Nowhere')".to_owned()
    } else if message.starts_with("Item does not exist") {
        format!("{}/items(4711)", list_path(&scene))
    } else if message.starts_with("List does not exist") {
        "web/lists(guid'00000000-0000-0000-0000-000000000001')".to_owned()
    } else if message.starts_with("File Not Found") {
        "web/getlist('/sites/demo/Lists/Nowhere')".to_owned()
    } else if message.starts_with("The field or property") {
        format!("{}?$select=Nonsense", list_path(&scene))
    } else if message.starts_with("User cannot be found")
        || message.starts_with("The specified user")
    {
        "web/GetUserById(4711)".to_owned()
    } else {
        return Outcome::Outside("errors of other features");
    };
    let ours = ask(&scene, "GET", &path, None);
    let own = ours.value().unwrap_or_default();
    let own_code = own["odata.error"]["code"].as_str().unwrap_or_default();
    if ours.status != status || own_code != code {
        return Outcome::Different(format!(
            "{} {own_code} instead of {status} {code} ({message})",
            ours.status
        ));
    }
    difference(error, &own["odata.error"], "").map_or(Outcome::Same, Outcome::Different)
}

fn single_value(status: u16, single: &Value, whole: &Map<String, Value>) -> Outcome {
    let scene = Scene::new(list::GENERIC);
    scene.add_item(&Map::new());
    let path = list_path(&scene);
    let ours = match single {
        Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => {
            ask(&scene, "POST", &format!("{path}/items(1)/recycle()"), None)
        }
        Value::String(_) => ask(&scene, "GET", &format!("{path}/Title"), None),
        Value::Number(_) => ask(&scene, "GET", &format!("{path}/ItemCount"), None),
        Value::Bool(_) => ask(&scene, "GET", &format!("{path}/Hidden"), None),
        _ => return Outcome::Outside("other values"),
    };
    compared(status, &Value::Object(whole.clone()), &ours)
}

fn several(status: u16, whole: &Map<String, Value>, all: &[Value]) -> (&'static str, Outcome) {
    let recorded = Value::Object(whole.clone());
    let Some(first) = all.first() else {
        let scene = Scene::new(list::GENERIC);
        let ours = ask(&scene, "GET", &format!("{}/items", list_path(&scene)), None);
        return ("empty collections", compared(status, &recorded, &ours));
    };
    let Some(object) = first.as_object() else {
        return ("", Outcome::Outside("other values"));
    };
    let Some(kind) = Kind::of(object) else {
        return ("", Outcome::Outside("what cannot be told"));
    };
    if let Kind::Outside(feature) = kind {
        return ("", Outcome::Outside(feature));
    }
    if kind == Kind::FormValue {
        return (kind.name(), form_values(status, &recorded, all));
    }
    let scene = scene_of(kind, object);
    if kind == Kind::Item {
        // Rows of one list have the same columns; a null beside a number is a number's column.
        for row in all.iter().skip(1).filter_map(Value::as_object) {
            scene.add_item(row);
        }
        if whole.contains_key("odata.nextLink") {
            scene.add_item(object);
        }
    }
    let top = if whole.contains_key("odata.nextLink") {
        "&$top=1"
    } else {
        ""
    };
    let path = match kind {
        Kind::Item => format!("{}/items", list_path(&scene)),
        Kind::List => "web/lists".to_owned(),
        Kind::Field => format!(
            "{}/fields?$filter=Title eq 'Recorded column'",
            list_path(&scene)
        ),
        Kind::User if object.get("UserId") == Some(&Value::Null) => "web/siteusers".to_owned(),
        Kind::User => "web/siteusers?$filter=Id eq 11".to_owned(),
        Kind::Attachment => format!("{}/items(1)/AttachmentFiles", list_path(&scene)),
        Kind::Recycled => "web/recyclebin".to_owned(),
        Kind::ContentType => format!("{}/contenttypes", list_path(&scene)),
        _ => return ("", Outcome::Outside("other collections")),
    };
    (
        kind.name(),
        tried(&scene, status, &recorded, object, kind, &path, top),
    )
}

fn one(status: u16, object: &Map<String, Value>) -> (&'static str, Outcome) {
    let Some(kind) = Kind::of(object) else {
        return ("", Outcome::Outside("what cannot be told"));
    };
    if let Kind::Outside(feature) = kind {
        return ("", Outcome::Outside(feature));
    }
    let recorded = Value::Object(object.clone());
    let scene = scene_of(kind, object);
    let list = list_path(&scene);
    if (kind, status) == (Kind::List, 201) {
        let template = Scene::template_of(object);
        let body = json!({"Title": "Made", "BaseTemplate": template});
        let ours = ask(&scene, "POST", "web/lists", Some(body));
        return (kind.name(), compared(status, &recorded, &ours));
    }
    if (kind, status) == (Kind::Item, 201) {
        let ours = ask(
            &scene,
            "POST",
            &format!("{list}/items"),
            Some(json!({"Title": "x"})),
        );
        return (kind.name(), compared(status, &recorded, &ours));
    }
    let path = match kind {
        Kind::Web => "web".to_owned(),
        Kind::SiteCollection => "site".to_owned(),
        Kind::List => list,
        Kind::Field => format!("{list}/fields/getByTitle('Recorded column')"),
        Kind::Item => format!("{list}/items(1)"),
        Kind::User if object.get("UserId") == Some(&Value::Null) => {
            format!("web/GetUserById({GROUP})")
        }
        Kind::User => "web/GetUserById(11)".to_owned(),
        Kind::Attachment => format!("{list}/items(1)/AttachmentFiles('a.txt')"),
        Kind::Folder => format!("{list}/RootFolder"),
        Kind::ContentType => format!("{list}/contenttypes('0x01')"),
        Kind::RegionalSettings => "web/RegionalSettings".to_owned(),
        Kind::Permissions => format!("{list}/EffectiveBasePermissions"),
        Kind::Recycled => "web/recyclebin".to_owned(),
        Kind::FormValue | Kind::Outside(_) => return ("", Outcome::Outside("what cannot be told")),
    };
    (
        kind.name(),
        tried(&scene, status, &recorded, object, kind, &path, ""),
    )
}

fn scene_of(kind: Kind, object: &Map<String, Value>) -> Scene {
    let nested = |name: &str| {
        let value = object.get(name)?;
        value
            .as_array()
            .and_then(|all| all.first())
            .unwrap_or(value)
            .as_object()
    };
    let template = match kind {
        Kind::List => Scene::template_of(object),
        Kind::Web => nested("Lists").map_or(list::GENERIC, Scene::template_of),
        _ => list::GENERIC,
    };
    let scene = Scene::new(template);
    match kind {
        Kind::Item => scene.add_item(object),
        Kind::Attachment => {
            let with_file = json!({"Attachments": true});
            scene.add_item(with_file.as_object().unwrap_or(&Map::new()));
        }
        Kind::Recycled => scene.recycle(),
        Kind::Field => {
            let named = object.get("TypeAsString").and_then(Value::as_str);
            let kind = named.map_or(Some(FieldKind::Text), FieldKind::named);
            scene.add_field(kind.unwrap_or(FieldKind::Text), object);
        }
        Kind::List => {
            let rows = object.get("Items").and_then(Value::as_array);
            for row in rows.into_iter().flatten().filter_map(Value::as_object) {
                scene.add_item(row);
            }
        }
        Kind::Web => {
            if let Some(inner) =
                nested("Lists").and_then(|list| list.get("Items")?.get(0)?.as_object())
            {
                scene.add_item(inner);
            }
        }
        _ => {}
    }
    scene
}

fn form_values(status: u16, recorded: &Value, all: &[Value]) -> Outcome {
    let scene = Scene::new(list::GENERIC);
    scene.add_item(&Map::new());
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    for row in all {
        scene.add_text_column(&text(row, "FieldName"));
    }
    // A form that added a row tells its number as one more value.
    let adds = all.iter().any(|row| row["FieldName"] == json!("Id"));
    let values = all.iter().filter(|row| row["FieldName"] != json!("Id"));
    let forms: Vec<_> = values
        .map(|row| {
            let value = if row["HasException"] == json!(true) {
                "nonsense".to_owned()
            } else {
                text(row, "FieldValue")
            };
            json!({"FieldName": text(row, "FieldName"), "FieldValue": value})
        })
        .collect();
    let body = json!({"formValues": forms, "bNewDocumentUpdate": false});
    let path = list_path(&scene);
    let ours = if adds {
        ask(
            &scene,
            "POST",
            &format!("{path}/AddValidateUpdateItemUsingPath"),
            Some(body),
        )
    } else {
        ask(
            &scene,
            "POST",
            &format!("{path}/items(1)/ValidateUpdateListItem"),
            Some(body),
        )
    };
    compared(status, recorded, &ours)
}
