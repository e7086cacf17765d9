//! The columns that every list has, with the ids by which the service knows them.
//!
//! Called when a list is made. What they hold is worked out from the item (`item::system_value`).

use uuid::Uuid;

use super::{Field, FieldKind};

/// A line for each: kind, internal name, title, id, and whether it is hidden.
const FIELDS: &str = "\
Counter|ID|ID|1d22ea11-1e32-424e-89ab-9fedbadb6ce1
ContentTypeId|ContentTypeId|Content Type ID|03e45e84-1992-4d42-9116-26f756012634|hidden
Computed|ContentType|Content Type|c042a256-787d-4a6f-8a8a-cf6ab767f12d
Text|Title|Title|fa564e0f-0c70-4ab9-b863-0177e6ddd247
DateTime|Modified|Modified|28cf69c5-fa48-462a-b5cd-27b6f9d2bd5f
DateTime|Created|Created|8c06beca-0777-48f7-91c7-6da68bc07b69
User|Author|Created By|1df5e554-ec7e-46a6-901d-d85a3881cb18
User|Editor|Modified By|d31655d1-1d5b-4511-95a1-7a09e9b75bf2
Boolean|_HasCopyDestinations|Has Copy Destinations|26d0756c-986a-48a7-af35-bf18ab85ff4a|hidden
Text|_CopySource|Copy Source|6b4e226d-3d88-4a36-808d-a129bf52bccf|hidden
Integer|owshiddenversion|owshiddenversion|d4e44a66-ee3a-4d02-88c9-4ec5ff3f4cd5|hidden
Integer|WorkflowVersion|Workflow Version|f1e020bc-ba26-443f-bf2f-b68715017bbc|hidden
Integer|_UIVersion|UI Version|7841bf41-43d0-4434-9f50-a673baef7631|hidden
Text|_UIVersionString|Version|dce8262a-3ae9-45aa-aab4-83bd75fb738a
Attachments|Attachments|Attachments|67df98f4-9dec-48ff-a553-29bece9c5bf4
ModStat|_ModerationStatus|Approval Status|fdc3b2ed-5bf2-4835-a4bc-b885f3396a61|hidden
Note|_ModerationComments|Approver Comments|34ad21eb-75bd-4544-8c73-0e08330291fe|hidden
Computed|Edit|Edit|503f1caa-358e-4918-9094-4a2cdc4bc034
Computed|LinkTitleNoMenu|Title|bc91a437-52e7-49e1-8c4e-4698904b2b6d
Computed|LinkTitle|Title|82642ec8-ef9b-478f-acf9-31f7d45fbc31
Computed|LinkTitle2|Title|5f190d91-3dbc-4489-9878-3c092caf35b6|hidden
Computed|SelectTitle|Select|b1f7969b-ea65-42e1-8b54-b588292635f2|hidden
Integer|InstanceID|Instance ID|50a54da4-1528-4e67-954a-e2d24f1e9efb|hidden
Number|Order|Order|ca4addac-796f-4b23-b093-d2a3f65c0774|hidden
Guid|GUID|GUID|ae069f25-3ac2-4256-b9c3-15dbc15da0e0|hidden
Guid|WorkflowInstanceID|Workflow Instance ID|de8beacf-5505-47cd-80a6-aa44e7ffe2f4|hidden
Lookup|FileRef|URL Path|94f89715-e097-4e8b-ba79-ea02aa8b7adb|hidden
Lookup|FileDirRef|Path|56605df6-8fa1-47e4-a04c-5b384d59609f|hidden
Lookup|Last_x0020_Modified|Modified|173f76c8-aebd-446a-9bc9-769a2bd2c18f|hidden
Lookup|Created_x0020_Date|Created|998b5cff-4a35-47a7-92f3-3914aa6aa4a2|hidden
Lookup|FSObjType|Item Type|30bb605f-5bae-48fe-b4e3-1f81d9772af9|hidden
Lookup|SortBehavior|Sort Type|423874f8-c300-4bfb-b7a1-42e2159e3b19|hidden
Computed|PermMask|Effective Permissions Mask|ba3c27ee-4791-4867-8821-ff99000bac98|hidden
Computed|PrincipalCount|Principal Count|dcc67ebd-247f-4bee-8626-85ff6f69fbb6|hidden
File|FileLeafRef|Name|8553196d-ec8d-4564-9861-3dbe931050c8|hidden
Lookup|UniqueId|Unique Id|4b7403de-8d94-43e8-9f0f-137a3e298126|hidden
Lookup|SyncClientId|Client Id|6d2c4fde-3605-428e-a236-ce5f3dc2b4d4|hidden
Lookup|ProgId|ProgId|c5c4b81c-f1d9-4b43-a6a2-090df32ebb68|hidden
Lookup|ScopeId|ScopeId|dddd2420-b270-4735-93b5-92b713d0944d|hidden
Text|File_x0020_Type|File Type|39360f11-34cf-4356-9945-25c44e68dade|hidden
Computed|HTML_x0020_File_x0020_Type|HTML File Type|4ef1b78f-fdba-48dc-b8ab-3fa06a0c9804|hidden
Computed|_EditMenuTableStart|Edit Menu Table Start|3c6303be-e21f-4366-80d7-d6d0a3b22c7a|hidden
Computed|_EditMenuTableStart2|Edit Menu Table Start|1344423c-c7f9-4134-88e4-ad842e2d723c|hidden
Computed|_EditMenuTableEnd|Edit Menu Table End|2ea78cef-1bf9-4019-960a-02c41636cb47|hidden
Computed|LinkFilenameNoMenu|Name|9d30f126-ba48-446b-b8f9-83745f322ebe|hidden
Computed|LinkFilename|Name|5cc6dc79-3710-4374-b433-61cb4a686c12|hidden
Computed|LinkFilename2|Name|224ba411-da77-4050-b0eb-62d422f13d3e|hidden
Computed|DocIcon|Type|081c6e4c-5c14-4f20-b23e-1a71ceb6a67c
Computed|ServerUrl|Server Relative URL|105f76ce-724a-4bba-aece-f81f2fce58f5|hidden
Computed|EncodedAbsUrl|Encoded Absolute URL|7177cfc7-f399-4d4d-905d-37dd51bc90bf|hidden
Computed|BaseName|File Name|7615464b-559e-4302-b8e2-8f440b913101|hidden
Lookup|MetaInfo|Property Bag|687c7f94-686a-42d3-9b67-2782eac4b4f8|hidden
Integer|_Level|Level|43bdd51b-3c5b-4e78-90a8-fb2087f71e70|hidden
Boolean|_IsCurrentVersion|Is Current Version|c101c3e7-122d-4d4d-bc34-58e94a38c816|hidden
Lookup|ItemChildCount|Item Child Count|b824e17e-a1b3-426e-aecf-f0184d900485
Lookup|FolderChildCount|Folder Child Count|960ff01f-2b6d-4f1b-9c3f-e19ad8927341
Lookup|Restricted|Restricted|786099e5-d20a-4232-86e5-cfc3d6face96|hidden
Lookup|OriginatorId|Originator Id|14ee99cd-bed9-474a-bf99-8f753fbad6b4|hidden
Lookup|NoExecute|NoExecute|0b16648a-daff-47d4-9fda-c6038b75ed27|hidden
Lookup|ContentVersion|Content Version|d48268e5-c65d-486c-bbf1-874cf986d7d3|hidden
Lookup|_ComplianceFlags|Label setting|ccc1037f-f65e-434a-868e-8c98af31fe29
Lookup|_ComplianceTag|Retention label|d4b6480a-4bed-4094-9a52-30181ea38f1d
Lookup|_ComplianceTagWrittenTime|Retention label Applied|92be610e-ddbb-49f4-b3b1-5c2bc768df8f
Lookup|_ComplianceTagUserId|Label applied by|418d7676-2d6f-42cf-a16a-e43d2971252a
Computed|_IsRecord|Item is a Record|8382d247-72a9-44b1-9794-7b177edc89f3
Lookup|AccessPolicy|Access Policy|b4cb04e8-622e-4c7d-8e87-b558a1bb907b|hidden
Lookup|_VirusStatus|VirusStatus|df7ffe41-81d6-46eb-8777-444d1613c803|hidden
Lookup|_VirusVendorID|VirusVendorID|32d407ed-15e1-4ccc-b1d4-c56f5799b256|hidden
Lookup|_VirusInfo|VirusInfo|c4b1727e-aca8-4bd8-ae83-f554ae3c08eb|hidden
Lookup|AppAuthor|App Created By|6bfaba20-36bf-44b5-a1b2-eb6346d49716
Lookup|AppEditor|App Modified By|e08400f3-c779-4ed2-a18c-ab7f34caa318
Lookup|SMTotalSize|Total Size|4df6bfaf-f887-424e-8ea3-fd050113e7a9|hidden
Lookup|SMLastModifiedDate|Last Modified Date|d340fca5-f503-4baa-bae9-90f1447ebff6|hidden
Lookup|SMTotalFileStreamSize|Total File Stream Size|1faa4902-9115-44b9-bba7-791441ca1d6f|hidden
Lookup|SMTotalFileCount|Total File Count|a261b12a-8ca2-47fa-a117-05861d637c7e|hidden
Text|ComplianceAssetId|Compliance Asset Id|3a6b296c-3f50-445c-a13f-9c679ea9dda3
Lookup|_CommentFlags|Comment settings|c274cbfd-084a-4017-925f-cce50c9e3eec|hidden
Lookup|_CommentCount|Comment count|d307dff3-340f-44a2-9f4b-fbfe1ba07459";

/// The columns of a new list.
#[must_use]
pub fn fields() -> Vec<Field> {
    FIELDS.lines().filter_map(read).collect()
}

fn read(line: &str) -> Option<Field> {
    let mut parts = line.split('|');
    let kind = FieldKind::named(parts.next()?)?;
    let (internal, title) = (parts.next()?, parts.next()?);
    let mut field = Field::new(internal, title, kind);
    field.id = Uuid::parse_str(parts.next()?).ok()?;
    field.hidden = parts.next().is_some();
    field.built_in = true;
    field.group = "_Hidden".to_owned();
    // Of all of them people write the title, and the id of an asset.
    field.read_only = internal != "Title" && internal != "ComplianceAssetId";
    field.required = internal == "Title";
    if internal == "Title" {
        field.group = "Custom Columns".to_owned();
    }
    Some(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_column() {
        let fields = fields();
        assert_eq!(fields.len(), FIELDS.lines().count());
        assert!(fields.len() > 70);
    }
}
