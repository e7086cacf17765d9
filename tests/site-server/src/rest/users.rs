//! People and groups as entities, and `ensureuser`, which finds the person of a login.

use serde_json::{Value, json};

use super::call::Call;
use super::error::{Rest, RestError};
use super::lists::members;
use super::node::Node;
use super::shape::Shape;
use crate::store::PrincipalType;

/// The service of the picker of people that finds one of them, in small letters.
pub const PICKER: &str =
    "sp.ui.applicationpages.clientpeoplepickerwebserviceinterface.clientpeoplepickerresolveuser";

/// What the picker says of a name: JSON in a text. Nobody is added to the site by it.
///
/// # Errors
/// The body is none.
pub fn resolved(call: &Call<'_>) -> Rest<String> {
    let body = call.body()?;
    let asked = body.get("queryParams").unwrap_or(&Value::Null);
    let name = asked.get("QueryString").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    let people_only = asked.get("PrincipalType").and_then(Value::as_u64) == Some(1);
    let person = call.site.person_of_login(name);
    let is_there = match person {
        Some(person) => !(people_only && person.is_group()),
        None => crate::store::person::works_here(name),
    };
    let key = person.map_or(name, |person| &person.login);
    let kind = if is_there { "User" } else { "" };
    Ok(
        json!({"Key": key, "DisplayText": name, "IsResolved": is_there, "EntityType": kind,
        "Description": "", "EntityData": {}, "MultipleMatches": [], "ProviderName": "",
        "ProviderDisplayName": ""})
        .to_string(),
    )
}

/// A person or group.
///
/// # Errors
/// Nobody has that number.
pub fn shape(call: &Call<'_>, id: u32) -> Rest<Shape> {
    let person = call.site.person(id).ok_or_else(|| RestError::no_user(""))?;
    if person.kind == PrincipalType::SiteGroup {
        let own = json!({"Id": person.id, "IsHiddenInUI": false, "LoginName": person.login,
            "Title": person.title, "PrincipalType": person.kind as u8,
            "AllowMembersEditMembership": true, "AllowRequestToJoinLeave": false,
            "AutoAcceptRequestToJoinLeave": false, "Description": null,
            "OnlyAllowMembersViewMembership": false, "OwnerTitle": person.title,
            "RequestToJoinLeaveEmailSetting": ""});
        return Ok(Shape {
            kind: "SP.Group".to_owned(),
            uri: call.uri(&format!("Web/SiteGroups/GetById({id})")),
            etag: None,
            own: members(own),
            extra: Vec::new(),
            navigations: vec![("Users", Node::GroupUsers(id))],
        });
    }
    let name_id = person.directory_id.simple().to_string();
    let issued = json!({"NameId": name_id, "NameIdIssuer": "urn:federation:microsoftonline"});
    let own = json!({"Id": person.id, "IsHiddenInUI": false, "LoginName": person.login,
        "Title": person.title, "PrincipalType": person.kind as u8, "Email": person.email,
        "Expiration": "", "IsEmailAuthenticationGuestUser": false,
        "IsShareByEmailGuestUser": false, "IsSiteAdmin": person.is_site_admin,
        "UserId": if person.is_group() { Value::Null } else { issued },
        "UserPrincipalName": person.principal_name()});
    Ok(Shape {
        kind: "SP.User".to_owned(),
        uri: call.uri(&format!("Web/GetUserById({id})")),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: vec![("Groups", Node::UserGroups(id))],
    })
}

/// Finds the person of a login, given in the address or in the body.
///
/// # Errors
/// Nobody is known by it.
pub fn ensure(call: &mut Call<'_>, in_address: Option<String>) -> Rest<u32> {
    let login = match in_address {
        Some(login) => login,
        None => {
            let body = call.body()?;
            let login = body.get("logonName").and_then(Value::as_str);
            login.unwrap_or_default().to_owned()
        }
    };
    if login.trim().is_empty() {
        return Err(RestError::no_user(""));
    }
    call.site.ensure_person(&login).map_err(|_| {
        RestError::new(
            500,
            -2_146_232_832,
            "Microsoft.SharePoint.SPException",
            format!("The specified user {login} could not be found."),
        )
    })
}
