//! Lists and what hangs on them: as entities, and how they are made and changed.
//!
//! The members of a list are those of the service's own answers, in their order.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::node::Node;
use super::shape::Shape;
use crate::clock::written;
use crate::odata::entity::Property;
use crate::store::{List, list};

/// Members from an object, objects inside it with the type that verbose answers name.
pub fn members(value: Value) -> Vec<(String, Property)> {
    let Value::Object(all) = value else {
        return Vec::new();
    };
    all.into_iter()
        .map(|(name, value)| {
            let property = match value {
                Value::Object(inner) => Property::Complex(type_of(&inner), inner),
                Value::Array(values) => Property::Collection("Edm.String", values),
                value => Property::Plain(value),
            };
            (name, property)
        })
        .collect()
}

fn type_of(inner: &Map<String, Value>) -> &'static str {
    if inner.contains_key("DecodedUrl") {
        "SP.ResourcePath"
    } else if inner.contains_key("NameId") {
        "SP.UserIdInfo"
    } else if inner.contains_key("Bias") {
        "SP.TimeZoneInformation"
    } else if inner.contains_key("High") {
        "SP.BasePermissions"
    } else {
        "SP.ChangeToken"
    }
}

/// A list.
#[must_use]
pub fn shape(call: &Call<'_>, list: &List) -> Shape {
    let site = &*call.site;
    let library = list.template == list::LIBRARY;
    let image = if library { "itdl.png" } else { "itgen.png" };
    let image = format!("/_layouts/15/images/{image}?rev=47");
    let template = library.then(|| format!("{}/Forms/template.dotx", site.path_of(list)));
    let feature = match list.template {
        list::LIBRARY => "00bfea71-e717-4e80-aa17-d0c71b360101",
        _ => "00bfea71-de22-43b2-a848-c05709900100",
    };
    let own = json!({
        "AllowContentTypes": true, "BaseTemplate": list.template, "BaseType": u8::from(library),
        "ContentTypesEnabled": false, "CrawlNonDefaultViews": false,
        "Created": written(list.created),
        "CurrentChangeToken": {"StringValue": format!("1;3;{};{};{}", list.id,
            list.modified.as_second(), list.version)},
        "DefaultContentApprovalWorkflowId": Uuid::nil(),
        "DefaultItemOpenUseListSetting": false, "Description": list.description,
        "Direction": "none", "DisableCommenting": false, "DisableGridEditing": false,
        "DocumentTemplateUrl": template, "DraftVersionVisibility": 0,
        "EnableAttachments": !library, "EnableFolderCreation": library,
        "EnableMinorVersions": false, "EnableModeration": false, "EnableRequestSignOff": true,
        "EnableVersioning": list.versioning, "EntityTypeName": list.entity_type_name(),
        "ExemptFromBlockDownloadOfNonViewableFiles": false,
        "FileSavePostProcessingEnabled": false, "ForceCheckout": false,
        "HasExternalDataSource": false, "Hidden": list.hidden, "Id": list.id,
        "ImagePath": {"DecodedUrl": image}, "ImageUrl": image,
        "DefaultSensitivityLabelForLibrary": "", "IrmEnabled": false, "IrmExpire": false,
        "IrmReject": false, "IsApplicationList": false,
        "IsCatalog": list.template == list::PEOPLE, "IsPrivate": false,
        "ItemCount": list.items.len(), "LastItemDeletedDate": written(list.deleted),
        "LastItemModifiedDate": written(list.modified),
        "LastItemUserModifiedDate": written(list.modified), "ListExperienceOptions": 0,
        "ListItemEntityTypeFullName": list.item_type_name(), "MajorVersionLimit": 500,
        "MajorWithMinorVersionsLimit": 0, "MultipleDataList": false, "NoCrawl": false,
        "ParentWebPath": {"DecodedUrl": site.path}, "ParentWebUrl": site.path,
        "ParserDisabled": false, "ServerTemplateCanCreateFolders": true,
        "TemplateFeatureId": feature, "Title": list.title,
    });
    let form = |name: &str| {
        if library {
            format!("{}/Forms/{name}", site.path_of(list))
        } else {
            format!("{}/{name}", site.path_of(list))
        }
    };
    let extra = json!({
        "DefaultDisplayFormUrl": form("DispForm.aspx"), "DefaultEditFormUrl": form("EditForm.aspx"),
        "DefaultNewFormUrl": form("NewForm.aspx"), "DefaultViewUrl": form("AllItems.aspx"),
        "EffectiveBasePermissions": {"High": "2147483647", "Low": "4294967295"},
        "HasUniqueRoleAssignments": false, "IsSiteAssetsLibrary": false,
        "IsSystemList": list.template == list::PEOPLE, "OnQuickLaunch": false,
        "ReadSecurity": 1, "WriteSecurity": 1, "SchemaXml": schema_xml(call, list),
        "ValidationFormula": list.validation_formula.clone().unwrap_or_default(),
        "ValidationMessage": list.validation_message.clone().unwrap_or_default(),
    });
    Shape {
        kind: "SP.List".to_owned(),
        uri: call.uri(&format!("Web/Lists(guid'{}')", list.id)),
        etag: Some(format!("\"{}\"", list.version)),
        own: members(own),
        extra: members(extra),
        navigations: vec![
            ("ContentTypes", Node::ContentTypes(list.id)),
            ("DefaultView", Node::View(list.id)),
            ("Fields", Node::Fields(list.id)),
            ("Items", Node::Items(list.id)),
            ("ParentWeb", Node::Web),
            ("RoleAssignments", Node::Nothing("SP.RoleAssignment")),
            ("RootFolder", Node::RootFolder(list.id)),
            ("Views", Node::Views(list.id)),
        ],
    }
}

fn schema_xml(call: &Call<'_>, list: &List) -> String {
    let fields = list.fields.iter().map(|field| field.schema_xml());
    format!(
        "<List DocTemplateUrl=\"\" ID=\"{{{}}}\" Title=\"{}\" ServerTemplate=\"{}\" RootFolder=\"{}\"><Fields>{}</Fields></List>",
        list.id,
        crate::store::field::escaped(&list.title),
        list.template,
        call.site.path_of(list),
        fields.collect::<String>()
    )
}

/// The folder that a list's items lie in.
#[must_use]
pub fn root_folder(call: &Call<'_>, list: &List) -> Shape {
    let own = json!({"Exists": true, "IsWOPIEnabled": false, "ItemCount": list.items.len(),
        "Name": list.url_name, "ProgID": null, "ServerRelativeUrl": call.site.path_of(list),
        "TimeCreated": written(list.created), "TimeLastModified": written(list.modified),
        "UniqueId": list.id, "WelcomePage": ""});
    Shape {
        kind: "SP.Folder".to_owned(),
        uri: call.uri(&format!("Web/Lists(guid'{}')/RootFolder", list.id)),
        etag: None,
        own: members(own),
        extra: members(json!({"ExistsAllowThrowForPolicyFailures": true})),
        navigations: Vec::new(),
    }
}

/// What a list's items are.
#[must_use]
pub fn content_type(call: &Call<'_>, list: &List) -> Shape {
    let id = list.content_type_id();
    let own = json!({"Description": "Create a new list item.", "DisplayFormTemplateName": "ListForm",
        "DisplayFormUrl": "", "DocumentTemplate": "", "DocumentTemplateUrl": "",
        "EditFormTemplateName": "ListForm", "EditFormUrl": "", "Group": "List Content Types",
        "Hidden": false, "Id": {"StringValue": id}, "JSLink": "", "MobileDisplayFormUrl": "",
        "Name": list.content_type_name(), "ReadOnly": false, "SchemaXml": "",
        "Scope": call.site.path_of(list), "Sealed": false, "StringId": id});
    Shape {
        kind: "SP.ContentType".to_owned(),
        uri: call.uri(&format!(
            "Web/Lists(guid'{}')/ContentTypes('{id}')",
            list.id
        )),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: vec![("Fields", Node::Fields(list.id))],
    }
}

/// The view that shows all items.
#[must_use]
pub fn view(call: &Call<'_>, list: &List) -> Shape {
    let own = json!({"BaseViewId": "1", "DefaultView": true, "Hidden": false, "Id": list.id,
        "Paged": true, "PersonalView": false, "ReadOnlyView": false, "RowLimit": 30,
        "ServerRelativeUrl": format!("{}/AllItems.aspx", call.site.path_of(list)),
        "Title": VIEW, "ViewQuery": "<OrderBy><FieldRef Name=\"ID\" /></OrderBy>",
        "ViewType": "HTML"});
    Shape {
        kind: "SP.View".to_owned(),
        uri: call.uri(&format!("Web/Lists(guid'{0}')/Views(guid'{0}')", list.id)),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: Vec::new(),
    }
}

/// What the one view of every list is called.
const VIEW: &str = "All Items";

/// Whether a view of a list goes by that title.
#[must_use]
pub fn is_view_title(title: &str) -> bool {
    title.eq_ignore_ascii_case(VIEW)
}

/// Makes a list from a body: `Title`, `Description`, `BaseTemplate`, `Hidden`.
///
/// # Errors
/// A member is unknown, or a list has that title.
pub fn create(call: &mut Call<'_>) -> Rest<Uuid> {
    let body = call.body()?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    let template = body
        .get("BaseTemplate")
        .and_then(Value::as_u64)
        .unwrap_or(100);
    let template = u32::try_from(template).unwrap_or(list::GENERIC);
    known(&body)?;
    let id = call
        .site
        .add_list(text("Title"), text("Description"), template)
        .map_err(|refusal| RestError::refused(&refusal, "SP.List"))?;
    apply(call, id, &body)?;
    Ok(id)
}

/// Changes a list.
///
/// # Errors
/// A member is unknown, or another list has the title.
pub fn update(call: &mut Call<'_>, id: Uuid) -> Rest<()> {
    let body = call.body()?;
    known(&body)?;
    if let Some(title) = body.get("Title").and_then(Value::as_str)
        && call
            .site
            .list_titled(title)
            .is_some_and(|list| list.id != id)
    {
        return Err(RestError::refused(
            &crate::store::Refusal::ListExists,
            "SP.List",
        ));
    }
    apply(call, id, &body)
}

/// What a writer may name.
const WRITABLE: [&str; 24] = [
    "__metadata",
    "AllowContentTypes",
    "BaseTemplate",
    "ContentTypesEnabled",
    "Description",
    "Direction",
    "DisableCommenting",
    "DisableGridEditing",
    "DraftVersionVisibility",
    "EnableAttachments",
    "EnableFolderCreation",
    "EnableMinorVersions",
    "EnableModeration",
    "EnableVersioning",
    "ForceCheckout",
    "Hidden",
    "ImageUrl",
    "IrmEnabled",
    "ListExperienceOptions",
    "MajorVersionLimit",
    "NoCrawl",
    "OnQuickLaunch",
    "Title",
    "ValidationFormula",
];

fn known(body: &Map<String, Value>) -> Rest<()> {
    for name in body.keys() {
        let quiet =
            name.starts_with("odata.") || name.starts_with('@') || name == "ValidationMessage";
        if !quiet && !WRITABLE.contains(&name.as_str()) {
            return Err(RestError::no_property(name, "SP.List"));
        }
    }
    Ok(())
}

fn apply(call: &mut Call<'_>, id: Uuid, body: &Map<String, Value>) -> Rest<()> {
    let list = call
        .site
        .list_mut(id)
        .ok_or_else(RestError::no_list_with_id)?;
    for (name, value) in body {
        let text = value.as_str().map(str::to_owned);
        match name.as_str() {
            "Title" => list.title = text.unwrap_or_else(|| list.title.clone()),
            "Description" => list.description = text.unwrap_or_default(),
            "Hidden" => list.hidden = value.as_bool().unwrap_or(list.hidden),
            "EnableVersioning" => list.versioning = value.as_bool().unwrap_or(list.versioning),
            "ValidationFormula" => list.validation_formula = text,
            "ValidationMessage" => list.validation_message = text,
            _ => {}
        }
    }
    list.version += 1;
    Ok(())
}
