//! People as the directory knows them, and how they stand in `createdBy`.

use serde_json::{Map, Value, json};

use super::call::{Call, decoded};
use super::error::{Graph, GraphError};
use crate::request::Answer;
use crate::store::Person;

/// Answers `/me`, `/users` and `/users/{id}`.
///
/// # Errors
/// Nobody is known by that id.
pub fn answer(call: &Call<'_>, first: &str, below: &str) -> Graph<Answer> {
    if call.method() != "GET" {
        return Err(GraphError::no_method());
    }
    let below = decoded(below);
    let people = || call.site.people.iter().filter(|person| !person.is_group());
    if first.eq_ignore_ascii_case("users") && below.is_empty() {
        let all = people()
            .map(|person| Value::Object(written(person)))
            .collect();
        return Ok(call.answer_all("users", all, None));
    }
    // Clients made from the API's description write `/me` like this, and mend it themselves mostly.
    let found = if first.eq_ignore_ascii_case("me") || below == "me-token-to-replace" {
        call.site.person(call.user)
    } else {
        let mut people = people();
        people.find(|person| {
            person.directory_id.to_string() == below
                || person.principal_name().eq_ignore_ascii_case(&below)
        })
    };
    let missing = || {
        GraphError::new(
            404,
            "Request_ResourceNotFound",
            format!(
                "Resource '{below}' does not exist or one of its queried reference-property objects are not present."
            ),
        )
    };
    let person = found.ok_or_else(missing)?;
    Ok(call.answer(200, "users/$entity", written(person)))
}

fn written(person: &Person) -> Map<String, Value> {
    let body = json!({"businessPhones": [], "displayName": person.title,
        "givenName": person.first_name, "jobTitle": null, "mail": person.email,
        "mobilePhone": null, "officeLocation": null, "preferredLanguage": null,
        "surname": person.last_name, "userPrincipalName": person.principal_name(),
        "id": person.directory_id});
    match body {
        Value::Object(body) => body,
        _ => Map::new(),
    }
}

/// A person as the writer of something; what the directory does not know stays away.
#[must_use]
pub fn identity_set(call: &Call<'_>, id: u32) -> Value {
    let Some(person) = call.site.person(id) else {
        return json!({"user": {"displayName": "System Account"}});
    };
    if person.email.is_empty() {
        return json!({"user": {"id": person.directory_id, "displayName": person.title}});
    }
    json!({"user": {"email": person.email, "id": person.directory_id,
        "displayName": person.title}})
}
