//! A site that holds what a recorded answer tells of: a list with the columns and the values that
//! its members show.
//!
//! What people once wrote is written again; everything else is left to the server, which is what is
//! looked at.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::core::Core;
use crate::options::Options;
use crate::store::item::Attachment;
use crate::store::{Field, FieldKind as K, PrincipalType, Refusal, Site, list, person};

/// The number of a group of the directory.
pub const GROUP: u32 = 4;

/// The site of all scenes.
const PATH: &str = "/sites/demo";

/// A site with a list in it.
pub struct Scene {
    pub core: Core,
    pub list: Uuid,
}

impl Scene {
    /// A site with one list of that kind, and a column of each kind that an expansion may name.
    #[must_use]
    pub fn new(template: u32) -> Self {
        let mut site = Site::new(PATH, "America/Los_Angeles");
        let list = site.add_list("Recorded", "", template).unwrap_or_default();
        // Of several lists the first is looked at.
        site.lists.rotate_right(1);
        // A group of the directory, which people are found beside.
        let mut group = site.people[site.people.len() - 1].clone();
        group.id = GROUP;
        group.kind = PrincipalType::SecurityGroup;
        site.people.insert(0, group);
        let core = Core::new(Options::default(), site);
        Self { core, list }
    }

    /// Adds the columns that an item's members show, and the item itself.
    pub fn add_item(&self, item: &Map<String, Value>) {
        let mut site = self.core.site();
        let mut values = BTreeMap::new();
        let columns = columns(item);
        let Some(list) = site.list_mut(self.list) else {
            return;
        };
        for (name, kind, value) in columns {
            let internal = name.strip_prefix("OData_").unwrap_or(&name).to_owned();
            if list.field(&internal).is_none() {
                let field = Field::new(&internal, &internal, kind);
                if list.add_field(field).is_err() {
                    continue;
                }
            }
            values.insert(internal, value);
        }
        let added: Result<u32, Refusal> = list.add(values, person::ALICE).map(|item| item.id);
        if let Ok(id) = added
            && let Some(row) = list.items.get_mut(&id)
        {
            row.is_folder = item.get("FileSystemObjectType") == Some(&json!(1));
            let files = item.get("AttachmentFiles").and_then(Value::as_array);
            if item.get("Attachments") == Some(&json!(true))
                || files.is_some_and(|it| !it.is_empty())
            {
                row.attachments.push(Attachment {
                    name: "a.txt".to_owned(),
                    content: String::new(),
                });
            }
        }
    }

    /// Adds a column of that kind, with what a recorded one had.
    pub fn add_field(&self, kind: K, recorded: &Map<String, Value>) -> Uuid {
        let mut site = self.core.site();
        let mut field = Field::new("", "Recorded column", kind);
        let text = |name: &str| {
            recorded
                .get(name)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        field.default = text("DefaultValue");
        field.validation_formula = text("ValidationFormula");
        field.validation_message = text("ValidationMessage");
        let id = field.id;
        if let Some(list) = site.list_mut(self.list) {
            let _ = list.add_field(field);
        }
        id
    }

    /// Adds a column that takes any text, unless there is one of that name.
    pub fn add_text_column(&self, name: &str) {
        let mut site = self.core.site();
        if let Some(list) = site.list_mut(self.list)
            && list.field(name).is_none()
            && !name.is_empty()
        {
            let _ = list.add_field(Field::new(name, name, K::Note));
        }
    }

    /// Puts a row into the recycle bin.
    pub fn recycle(&self) {
        let mut site = self.core.site();
        if let Some(list) = site.list_mut(self.list) {
            let values = BTreeMap::from([("Title".to_owned(), json!("Recycle me"))]);
            let _ = list.add(values, person::ALICE);
        }
        site.remove_item(self.list, 1, person::ALICE, true);
    }

    /// Makes the list a library, or any other kind.
    #[must_use]
    pub fn template_of(list: &Map<String, Value>) -> u32 {
        let template = list.get("BaseTemplate").and_then(Value::as_u64);
        match template.and_then(|it| u32::try_from(it).ok()) {
            Some(template) => template,
            None => list::GENERIC,
        }
    }
}

/// Names, kinds and values of the columns that people made.
fn columns(item: &Map<String, Value>) -> Vec<(String, K, Value)> {
    let mut out = Vec::new();
    for (name, value) in item {
        if name == "Title" {
            out.push((name.clone(), K::Text, value.clone()));
            continue;
        }
        let column = match name.strip_suffix("Id").filter(|bare| !bare.is_empty()) {
            Some(_) if OWN.contains(&name.as_str()) => continue,
            Some(bare) if bare.ends_with("String") => continue,
            Some(bare) => {
                let person = item.contains_key(&format!("{bare}StringId"));
                let (kind, value) = match (person, value) {
                    (true, Value::Array(_)) => (K::UserMulti, json!([person::ALICE])),
                    (true, Value::Number(_)) => (K::User, json!(person::ALICE)),
                    // An empty column of several people is null, as one of a single person is.
                    (true, _) => (K::User, Value::Null),
                    (false, Value::Array(all)) if all.is_empty() => (K::LookupMulti, Value::Null),
                    (false, Value::Array(_)) => (K::LookupMulti, json!([1])),
                    (false, Value::Number(_)) => (K::Lookup, json!(1)),
                    (false, _) => (K::Lookup, Value::Null),
                };
                (bare.to_owned(), kind, value)
            }
            None if OWN.contains(&name.as_str()) => continue,
            None => (name.clone(), kind_of(value), stored(value)),
        };
        out.push(column);
    }
    out
}

/// The members of an item that no column of a person's making has.
const OWN: [&str; 33] = [
    "FileSystemObjectType",
    "Id",
    "ID",
    "ServerRedirectedEmbedUri",
    "ServerRedirectedEmbedUrl",
    "ContentTypeId",
    "ComplianceAssetId",
    "Modified",
    "Created",
    "AuthorId",
    "EditorId",
    "OData__UIVersionString",
    "Attachments",
    "GUID",
    "AttachmentFiles",
    "ContentType",
    "FieldValuesAsText",
    "FieldValuesAsHtml",
    "FieldValuesForEdit",
    "ParentList",
    "FileRef",
    "FileDirRef",
    "FileLeafRef",
    "UniqueId",
    "CommentsDisabled",
    "CommentsDisabledScope",
    "Author",
    "Editor",
    "EncodedAbsUrl",
    "LinkFilename",
    "OData__UIVersion",
    "Order",
    "Folder",
];

fn kind_of(value: &Value) -> K {
    match value {
        Value::Bool(_) => K::Boolean,
        Value::Number(_) => K::Number,
        Value::Array(all) => match all.first() {
            Some(Value::String(_)) => K::MultiChoice,
            _ => K::TaxonomyFieldTypeMulti,
        },
        Value::Object(members) if members.contains_key("TermGuid") => K::TaxonomyFieldType,
        Value::Object(_) => K::Url,
        Value::String(text) if text.parse::<jiff::Timestamp>().is_ok() => K::DateTime,
        _ => K::Note,
    }
}

fn stored(value: &Value) -> Value {
    match value {
        Value::Array(all) if all.is_empty() => Value::Null,
        other => other.clone(),
    }
}
