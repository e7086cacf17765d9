//! What the connection's user may do with a list, from its effective permissions. The constants are
//! positions, counted from one, of SharePoint's `PermissionKind`.

use serde_json::Value;

use super::client::{RestClient, list_path};
use super::json;
use crate::client::Deadline;
use crate::error::{ErrorKind, Result};
use crate::odata_url;
use crate::protocol::{ListInfo, ListPermissions};

const ADD_LIST_ITEMS: u32 = 2;
const EDIT_LIST_ITEMS: u32 = 3;
const DELETE_LIST_ITEMS: u32 = 4;
const MANAGE_LISTS: u32 = 12;

/// What may be done with a list; `None` where the site does not say.
pub(super) async fn permissions(
    client: &RestClient,
    deadline: Deadline,
    list: &ListInfo,
) -> Result<Option<ListPermissions>> {
    let tail = list_path(list, "?$select=EffectiveBasePermissions");
    let url = odata_url::api(&client.site, &tail)?;
    let response = client.get(deadline, url, ErrorKind::ListNotFound).await?;
    let entity = json::entity(&response)?;
    Ok(entity.get("EffectiveBasePermissions").and_then(parse))
}

/// Two halves of a 64-bit mask, as texts or numbers.
fn parse(permissions: &Value) -> Option<ListPermissions> {
    let low = match permissions.get("Low")? {
        Value::String(text) => text.parse().ok()?,
        number => number.as_u64()?,
    };
    let has = |place: u32| low & (1_u64 << (place - 1)) != 0;
    Some(ListPermissions {
        can_add: has(ADD_LIST_ITEMS),
        can_edit: has(EDIT_LIST_ITEMS),
        can_delete: has(DELETE_LIST_ITEMS),
        can_add_columns: has(MANAGE_LISTS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mask_is_read_bit_by_bit() {
        let reader = parse(&json!({ "High": "176", "Low": "138612833" })).expect("permissions");
        assert!(
            !reader.can_add && !reader.can_edit && !reader.can_delete && !reader.can_add_columns
        );
        let member = parse(&json!({ "High": "432", "Low": "1011030767" })).expect("permissions");
        assert!(member.can_add && member.can_edit && member.can_delete);
        let owner = parse(&json!({ "High": 2_147_483_647, "Low": 4_294_967_295_u64 }))
            .expect("permissions");
        assert!(owner.can_add_columns);
        assert_eq!(parse(&json!({})), None);
    }
}
