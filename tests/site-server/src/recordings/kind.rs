//! What an answer is about, told from its members.

use serde_json::{Map, Value};

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Web,
    SiteCollection,
    List,
    Field,
    Item,
    User,
    FormValue,
    Attachment,
    Recycled,
    Folder,
    ContentType,
    RegionalSettings,
    Permissions,
    /// Something of a feature that this server does not have.
    Outside(&'static str),
}

impl Kind {
    /// What an object is; `None` when its members do not tell.
    #[must_use]
    pub fn of(object: &Map<String, Value>) -> Option<Self> {
        let has = |name: &str| object.contains_key(name);
        let any = |names: &[&str]| names.iter().any(|name| has(name));
        let guid = object
            .get("Id")
            .and_then(Value::as_str)
            .is_some_and(|id| id.len() == 36);
        Some(
            if any(&["likeCount", "likedBy", "replies", "isLikedByUser"]) {
                Self::Outside("comments and likes")
            } else if any(&[
                "CheckInComment",
                "CheckOutType",
                "ListItemAllFields",
                "Length",
                "FileVersion",
            ]) {
                Self::Outside("files of libraries")
            } else if any(&["File", "Folder", "CheckoutUserId"]) {
                Self::Outside("items of libraries")
            } else if any(&["Versions", "VersionId", "VersionLabel"]) {
                Self::Outside("versions of items")
            } else if any(&[
                "RoleAssignments",
                "RoleDefinitionBindings",
                "RoleTypeKind",
                "BasePermissions",
                "HasUniqueRoleAssignments",
                "roles",
                "permission",
                "link",
            ]) {
                Self::Outside("permissions and sharing")
            } else if any(&["ChangeToken", "ChangeType", "TagName", "ComplianceTag"]) {
                Self::Outside("changes and labels")
            } else if has("HasException") {
                Self::FormValue
            } else if any(&[
                "RelationshipDeleteBehavior",
                "TypeAsString",
                "FieldTypeKind",
                "InternalName",
                "SchemaXml",
            ]) && !has("BaseTemplate")
            {
                Self::Field
            } else if any(&[
                "BaseTemplate",
                "ListItemEntityTypeFullName",
                "Items",
                "ItemCount",
                "Views",
                "TemplateFeatureId",
                "EnableVersioning",
            ]) && !has("WelcomePage")
            {
                Self::List
            } else if any(&[
                "RegionalSettings",
                "Lists",
                "WebTemplate",
                "SiteUsers",
                "CurrentUser",
                "MasterUrl",
                "RecycleBin",
            ]) {
                Self::Web
            } else if any(&["GroupId", "HubSiteId", "RootWeb", "CompatibilityLevel"]) {
                Self::SiteCollection
            } else if any(&["FileName", "FileNameAsPath"]) {
                Self::Attachment
            } else if any(&["DirName", "LeafName", "DeletedDate"]) {
                Self::Recycled
            } else if any(&["LoginName", "PrincipalType", "UserPrincipalName"]) {
                Self::User
            } else if any(&["WelcomePage", "ProgID", "TimeLastModified"])
                || (has("ServerRelativeUrl") && has("UniqueId"))
            {
                Self::Folder
            } else if any(&["StringId", "DocumentTemplate"]) {
                Self::ContentType
            } else if has("High") && has("Low") {
                Self::Permissions
            } else if any(&["AdjustHijriDays", "DateSeparator"]) {
                Self::RegionalSettings
            } else if any(&[
                "FileSystemObjectType",
                "FileDirRef",
                "FileRef",
                "AttachmentFiles",
                "FieldValuesAsText",
                "ParentList",
            ]) || (has("ID") && has("Id"))
            {
                Self::Item
            } else if guid
                && any(&[
                    "Fields",
                    "RootFolder",
                    "ContentTypes",
                    "Title",
                    "Description",
                    "DefaultDisplayFormUrl",
                ])
            {
                Self::List
            } else if any(&["Name", "ServerRelativeUrl"]) {
                Self::Folder
            } else if guid && object.len() == 1 {
                Self::List
            } else {
                return None;
            },
        )
    }

    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Web => "the web",
            Self::SiteCollection => "the site collection",
            Self::List => "lists",
            Self::Field => "columns",
            Self::Item => "items",
            Self::User => "people",
            Self::FormValue => "form-style writes",
            Self::Attachment => "attachments",
            Self::Recycled => "the recycle bin",
            Self::Folder => "folders of lists",
            Self::ContentType => "content types",
            Self::RegionalSettings => "regional settings",
            Self::Permissions => "permissions of the caller",
            Self::Outside(feature) => feature,
        }
    }
}
