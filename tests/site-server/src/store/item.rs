//! One row of a list, and the values that the site itself gives to it.
//!
//! What people write lies in `values`, by internal name; everything else is worked out here.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Field, FieldKind, List, Site, calculated, list};
use crate::clock;

/// A row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Item {
    pub id: u32,
    pub unique_id: Uuid,
    /// Counts the writes, from 1; the number in the ETag.
    pub version: u32,
    pub created: Timestamp,
    pub modified: Timestamp,
    pub author: u32,
    pub editor: u32,
    /// By internal name; a column without a value is absent.
    pub values: BTreeMap<String, Value>,
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    #[serde(default)]
    pub is_folder: bool,
}

/// A file that belongs to a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attachment {
    pub name: String,
    /// In base64, so that the data file stays text.
    pub content: String,
}

impl Item {
    /// A row that has just been written for the first time.
    #[must_use]
    pub fn new(id: u32, author: u32) -> Self {
        let now = clock::now();
        Self {
            id,
            unique_id: clock::new_id(),
            version: 1,
            created: now,
            modified: now,
            author,
            editor: author,
            values: BTreeMap::new(),
            attachments: Vec::new(),
            is_folder: false,
        }
    }

    /// The name of its file: a row of a generic list has one too.
    #[must_use]
    pub fn leaf_name(&self) -> String {
        format!("{}_.000", self.id)
    }

    /// The present ETag, with its quotes, as lists of today write it.
    #[must_use]
    pub fn guid_etag(&self) -> String {
        format!("\"{},{}\"", self.unique_id, self.version)
    }

    /// The present ETag in its short form.
    #[must_use]
    pub fn etag(&self) -> String {
        format!("\"{}\"", self.version)
    }

    /// Whether an `If-Match` means this version, in either form.
    #[must_use]
    pub fn matches(&self, given: &str) -> bool {
        let given = given.trim().trim_start_matches("W/").trim_matches('"');
        if given == "*" {
            return true;
        }
        let version = match given.rsplit_once(',') {
            Some((id, version)) => {
                let id = id.trim_matches(['{', '}', '"']);
                if !id.eq_ignore_ascii_case(&self.unique_id.to_string()) {
                    return false;
                }
                version
            }
            None => given,
        };
        version.trim_matches('"') == self.version.to_string()
    }
}

/// What a column holds in a row: what was written, or what the site knows. Dates are in the
/// protocol's form, persons and lookups are numbers, several values are an array.
#[must_use]
pub fn value(site: &Site, list: &List, item: &Item, field: &Field) -> Value {
    if field.kind == FieldKind::Calculated {
        return calculated::value(list, item, field);
    }
    if let Some(value) = system_value(site, list, item, &field.internal) {
        return value;
    }
    let written = item.values.get(&field.internal).cloned();
    match written {
        Some(value) => value,
        None if list.template == list::PEOPLE => person_value(site, item, &field.internal),
        None => Value::Null,
    }
}

/// What the site itself says of a row; nothing for columns that people write.
fn system_value(site: &Site, list: &List, item: &Item, name: &str) -> Option<Value> {
    let folder = site.path_of(list);
    let path = format!("{folder}/{}", item.leaf_name());
    Some(match name {
        "ID" => json!(item.id),
        "Created" | "Created_x0020_Date" => json!(clock::written(item.created)),
        "Modified" | "Last_x0020_Modified" | "SMLastModifiedDate" => {
            json!(clock::written(item.modified))
        }
        "Author" => json!(item.author),
        "Editor" => json!(item.editor),
        "GUID" | "UniqueId" => json!(item.unique_id),
        "owshiddenversion" => json!(item.version),
        "_UIVersionString" => json!(format!("{}.0", item.version)),
        "_UIVersion" => json!(item.version * 512),
        "_Level" => json!(1),
        "_IsCurrentVersion" => json!(true),
        "_ModerationStatus" => json!(0),
        "WorkflowVersion" => json!(1),
        "Order" => json!(f64::from(item.id) * 100.0),
        "Attachments" => json!(!item.attachments.is_empty()),
        "ContentTypeId" => json!(list.content_type_id()),
        "ContentType" => json!(list.content_type_name()),
        "FileLeafRef" | "LinkFilename" | "LinkFilenameNoMenu" | "LinkFilename2" => {
            json!(item.leaf_name())
        }
        "FileRef" | "ServerUrl" => json!(path),
        "FileDirRef" => json!(folder),
        "BaseName" => json!(format!("{}_", item.id)),
        "FSObjType" => json!(u8::from(item.is_folder)),
        "SortBehavior" | "ItemChildCount" | "FolderChildCount" | "_CommentCount" => json!("0"),
        "PermMask" => json!("0x7fffffffffffffff"),
        "ScopeId" => json!(format!("{{{}}}", list.id)),
        "LinkTitle" | "LinkTitleNoMenu" | "LinkTitle2" | "SelectTitle" => {
            item.values.get("Title").cloned().unwrap_or(Value::Null)
        }
        _ => return None,
    })
}

/// The columns of the list of people, which are rows of another kind.
fn person_value(site: &Site, item: &Item, name: &str) -> Value {
    let Some(person) = site.person(item.id) else {
        return Value::Null;
    };
    match name {
        "Title" => json!(person.title),
        "Name" => json!(person.login),
        "EMail" => json!(person.email),
        "FirstName" => json!(person.first_name),
        "LastName" => json!(person.last_name),
        "UserName" => json!(person.principal_name()),
        "IsSiteAdmin" => json!(person.is_site_admin),
        "ContentTypeDisp" => json!(match person.kind {
            super::PrincipalType::User => "Person",
            super::PrincipalType::SecurityGroup => "DomainGroup",
            super::PrincipalType::SiteGroup => "SharePointGroup",
        }),
        "IsActive" => json!(true),
        "Deleted" => json!(false),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_etag_is_understood_in_either_form() {
        let item = Item::new(1, 11);
        let long = format!("\"{},1\"", item.unique_id);
        let braced = format!("\"{{{}}},1\"", item.unique_id.to_string().to_uppercase());
        for given in ["*", "\"1\"", "W/\"1\"", &long, &braced] {
            assert!(item.matches(given), "{given}");
        }
        for given in ["\"2\"", "", "\"d1e00000-0000-4000-8000-000000000000,1\""] {
            assert!(!item.matches(given), "{given}");
        }
    }
}
