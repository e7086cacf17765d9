//! Users and groups over SharePoint REST: names to ids for writes, ids to users for reads, each
//! requested once.
//!
//! Ids come from the User Information List, many in one request; names are resolved by the site
//! (`ensureUser`, `GetByEmail`, `GetByName`), many in one batch.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::client::RestClient;
use super::multipart::BatchPart;
use super::{batch_read, json};
use crate::client::{Deadline, Idempotency};
use crate::error::{ErrorKind, Result, SiteError};
use crate::mutex::lock;
use crate::odata_url;
use crate::response::SiteResponse;
use crate::user::SiteUserOrGroup;

/// Their ids have to fit into a URL.
const USERS_PER_REQUEST: usize = 40;
/// Fetched before any of them is needed.
const FIRST_USERS: usize = 100;
const SELECT: &str = "$select=Id,Title,Name,EMail,FirstName,LastName,IsSiteAdmin,ContentTypeDisp";

/// A name in small letters, and whether a group is meant.
type Name = (String, Option<bool>);

#[derive(Default)]
pub(super) struct RestUsers {
    by_name: Mutex<HashMap<Name, Option<i64>>>,
    by_id: Mutex<HashMap<i64, Option<SiteUserOrGroup>>>,
}

impl RestUsers {
    /// The id of a user or group; `None` where the site knows none of that name.
    pub(super) async fn resolve_user(
        &self,
        client: &RestClient,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>> {
        let requested = BTreeSet::from([(name.to_owned(), is_group)]);
        self.prefetch_names(client, deadline, &requested).await?;
        let known = lock(&self.by_name);
        Ok(known.get(&key(name, is_group)).copied().flatten())
    }

    /// Looks for everybody of these who was not looked for yet, all of them together: first in
    /// the way that finds most, then those whom it did not find in the next one.
    pub(super) async fn prefetch_names(
        &self,
        client: &RestClient,
        deadline: Deadline,
        names: &BTreeSet<(String, Option<bool>)>,
    ) -> Result<()> {
        let mut wanted: Vec<(&str, Option<bool>)> = {
            let known = lock(&self.by_name);
            let names = names
                .iter()
                .map(|(name, is_group)| (name.as_str(), *is_group));
            let mut seen = BTreeSet::new();
            names
                .filter(|(name, is_group)| {
                    let key = key(name, *is_group);
                    !known.contains_key(&key) && seen.insert(key)
                })
                .collect()
        };
        let mut deadline = deadline;
        for round in 0.. {
            let mut requested = Vec::new();
            let mut questions = Vec::new();
            for (name, is_group) in std::mem::take(&mut wanted) {
                if let Some(method) = lookup_methods(name, is_group).get(round) {
                    questions.push(method.question(client, name)?);
                    requested.push((name, is_group));
                } else {
                    self.remember(name, is_group, None);
                }
            }
            if requested.is_empty() {
                return Ok(());
            }
            let responses = batch_read::send_all(client, deadline, &questions).await?;
            for ((name, is_group), response) in requested.into_iter().zip(responses) {
                match parse_user_id(&response, is_group)? {
                    Some(id) => self.remember(name, is_group, Some(id)),
                    None => wanted.push((name, is_group)),
                }
            }
            deadline = client.http.new_deadline();
        }
        Ok(())
    }

    fn remember(&self, name: &str, is_group: Option<bool>, id: Option<i64>) {
        lock(&self.by_name).insert(key(name, is_group), id);
    }

    /// Whether the site knows a user, or could add one; it is not added.
    pub(super) async fn can_resolve_user(
        &self,
        client: &RestClient,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<bool> {
        let key = (name.to_lowercase(), is_group);
        let known = lock(&self.by_name).get(&key).copied();
        if let Some(known) = known {
            return Ok(known.is_some());
        }
        let found = find_known_user(client, deadline, name, is_group).await?;
        if found.is_none() {
            return is_in_directory(client, deadline, name, is_group).await;
        }
        lock(&self.by_name).insert(key, found);
        Ok(true)
    }

    /// Sees to it that these people are known as far as the site knows them.
    pub(super) async fn prefetch(
        &self,
        client: &RestClient,
        deadline: Deadline,
        ids: &BTreeSet<i64>,
    ) -> Result<()> {
        let unknown: Vec<i64> = {
            let known = lock(&self.by_id);
            ids.iter()
                .copied()
                .filter(|id| !known.contains_key(id))
                .collect()
        };
        for some in unknown.chunks(USERS_PER_REQUEST) {
            let found = fetch_users(client, deadline, some).await?;
            let mut known = lock(&self.by_id);
            for id in some {
                known.insert(*id, found.get(id).cloned());
            }
        }
        Ok(())
    }

    /// Whether no user was fetched yet.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.by_id).is_empty()
    }

    /// Takes in a response to `first`. Whoever is missing from it is asked for when needed.
    pub(super) fn cache_page(&self, response: &SiteResponse) {
        let Ok(people) = json::collection(response) else {
            return;
        };
        let mut known = lock(&self.by_id);
        for person in people.values {
            if let Some(id) = id_of(&person) {
                known
                    .entry(id)
                    .or_insert_with(|| Some(from_user_info_list(&person)));
            }
        }
    }

    /// A fetched user; `None` where the site has none of that id.
    pub(super) fn user(&self, id: i64) -> Option<SiteUserOrGroup> {
        lock(&self.by_id).get(&id).cloned().flatten()
    }
}

/// Asks for the people of a small site, before it is known who of them is in a list.
pub(super) fn first_users_path() -> String {
    format!("web/siteuserinfolist/items?{SELECT}&$top={FIRST_USERS}")
}

/// People by their numbers.
async fn fetch_users(
    client: &RestClient,
    deadline: Deadline,
    ids: &[i64],
) -> Result<HashMap<i64, SiteUserOrGroup>> {
    let filter: Vec<String> = ids.iter().map(|id| format!("Id eq {id}")).collect();
    let filter = odata_url::in_query(&filter.join(" or "));
    let url = odata_url::api(
        &client.site,
        &format!(
            "web/siteuserinfolist/items?{SELECT}&$filter={filter}&$top={}",
            ids.len()
        ),
    )?;
    let mut found = HashMap::new();
    match client.get(deadline, url, ErrorKind::UnknownUser).await {
        Ok(response) => {
            for person in json::collection(&response)?.values {
                found.extend(id_of(&person).map(|id| (id, from_user_info_list(&person))));
            }
            return Ok(found);
        }
        // The list is closed to this account, or cannot be queried on this site: one by one.
        Err(error) if is_list_unavailable(&error) => {}
        Err(error) => return Err(error),
    }
    for id in ids {
        let url = odata_url::api(&client.site, &format!("web/GetUserById({id})"))?;
        match client.get(deadline, url, ErrorKind::UnknownUser).await {
            Ok(response) => {
                found.insert(*id, from_principal(&json::entity(&response)?));
            }
            Err(error) if is_list_unavailable(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn is_list_unavailable(error: &SiteError) -> bool {
    use ErrorKind::{
        Failed, Forbidden, ItemNotFound, ListViewThreshold, QueryRefused, Rejected, UnknownUser,
    };
    matches!(
        error.kind(),
        Failed
            | Forbidden
            | ItemNotFound
            | ListViewThreshold
            | QueryRefused
            | Rejected
            | UnknownUser
    )
}

fn id_of(person: &Value) -> Option<i64> {
    person
        .get("Id")
        .or_else(|| person.get("ID"))
        .and_then(Value::as_i64)
}

/// An entry of the site's list of people, also as Graph shows its fields.
pub(crate) fn from_user_info_list(person: &Value) -> SiteUserOrGroup {
    let login = text(person, "Name");
    let content = text(person, "ContentTypeDisp").or_else(|| text(person, "ContentType"));
    // The claim in a login says it best; the name of the content type may be translated.
    let is_group = match (login.as_deref(), content.as_deref()) {
        (Some(login), _) if login.starts_with("i:") => false,
        (Some(login), _) if login.starts_with("c:") => true,
        (_, Some("Person")) => false,
        (_, Some("DomainGroup" | "SharePointGroup")) => true,
        (Some(login), _) => !login.contains(['|', '\\', '@']),
        (None, _) => false,
    };
    SiteUserOrGroup {
        is_group,
        name: login,
        title: text(person, "Title"),
        email: text(person, "EMail"),
        first_name: text(person, "FirstName"),
        last_name: text(person, "LastName"),
        is_site_admin: person.get("IsSiteAdmin").and_then(Value::as_bool),
    }
}

/// A principal, as the site's users and groups are called.
fn from_principal(person: &Value) -> SiteUserOrGroup {
    SiteUserOrGroup {
        is_group: person
            .get("PrincipalType")
            .and_then(Value::as_i64)
            .is_some_and(|kind| kind != 1),
        name: text(person, "LoginName"),
        title: text(person, "Title"),
        email: text(person, "Email"),
        first_name: None,
        last_name: None,
        is_site_admin: person.get("IsSiteAdmin").and_then(Value::as_bool),
    }
}

pub(crate) fn text(person: &Value, name: &str) -> Option<String> {
    person
        .get(name)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

fn key(name: &str, is_group: Option<bool>) -> Name {
    (name.to_lowercase(), is_group)
}

/// A way to find a user or group by name.
#[derive(Clone, Copy)]
enum LookupMethod {
    /// `ensureUser`: adds the user to the site and returns the id.
    EnsureUser,
    /// `GetByEmail` among the users of the site.
    EmailAddress,
    /// `GetByName` among the site's groups.
    Group,
}

/// The ways in which a name is looked for, one after the other.
fn lookup_methods(name: &str, is_group: Option<bool>) -> Vec<LookupMethod> {
    let mut lookup_methods = vec![LookupMethod::EnsureUser];
    if name.contains('@') {
        lookup_methods.push(LookupMethod::EmailAddress);
    }
    match is_group {
        Some(true) => lookup_methods.insert(0, LookupMethod::Group),
        Some(false) => {}
        None => lookup_methods.push(LookupMethod::Group),
    }
    lookup_methods
}

impl LookupMethod {
    fn question(self, client: &RestClient, name: &str) -> Result<BatchPart> {
        let literal = odata_url::literal(name);
        match self {
            Self::EnsureUser => Ok(BatchPart {
                method: "POST",
                url: odata_url::api(&client.site, "web/ensureuser")?,
                body: Some(json!({"logonName": name}).to_string()),
                etag: None,
            }),
            Self::EmailAddress => {
                let tail = format!("web/siteusers/GetByEmail({literal})?$select=Id");
                batch_read::read_part(client, &tail)
            }
            Self::Group => {
                let tail = format!("web/sitegroups/GetByName({literal})?$select=Id");
                batch_read::read_part(client, &tail)
            }
        }
    }
}

/// Somebody whom the site has seen, by e-mail address, login or, for a group, name.
async fn find_known_user(
    client: &RestClient,
    deadline: Deadline,
    name: &str,
    is_group: Option<bool>,
) -> Result<Option<i64>> {
    const SELECT: &str = "$select=Id,PrincipalType";
    let mut tails = Vec::new();
    if name.contains('@') && is_group != Some(true) {
        let mail = odata_url::literal(name);
        tails.push(format!("web/siteusers/GetByEmail({mail})?{SELECT}"));
    }
    // A login as it was given, and with the claims that sites put before it.
    for claim in ["", "i:0#.f|membership|", "i:0#.w|"] {
        if claim.is_empty() || (!name.contains('|') && name.contains(['@', '\\'])) {
            let login =
                odata_url::percent_encode(&odata_url::quote_literal(&format!("{claim}{name}")));
            tails.push(format!("web/siteusers(@login)?@login={login}&{SELECT}"));
        }
    }
    if is_group != Some(false) {
        let group = odata_url::literal(name);
        tails.push(format!("web/sitegroups/GetByName({group})?{SELECT}"));
    }
    for tail in tails {
        let question = batch_read::read_part(client, &tail)?;
        for response in batch_read::send_all(client, deadline, &[question]).await? {
            if let Some(id) = parse_user_id(&response, is_group)? {
                return Ok(Some(id));
            }
        }
    }
    Ok(None)
}

/// The people picker's service. It changes nothing, although it is a POST.
const PICKER: &str =
    "SP.UI.ApplicationPages.ClientPeoplePickerWebServiceInterface.ClientPeoplePickerResolveUser";

/// Whether the site's directory has a user that was not added to the site yet; false where the
/// directory cannot be searched.
async fn is_in_directory(
    client: &RestClient,
    deadline: Deadline,
    name: &str,
    is_group: Option<bool>,
) -> Result<bool> {
    // 1: people; 15: people and groups of every kind. From every source there is.
    let kinds = if is_group == Some(false) { 1 } else { 15 };
    let body = json!({"queryParams": {
        "QueryString": name, "PrincipalType": kinds, "PrincipalSource": 15,
        "MaximumEntitySuggestions": 2, "AllowMultipleEntities": false, "AllUrlZones": false,
        "AllowEmailAddresses": false, "Required": true,
    }});
    let url = odata_url::api(&client.site, PICKER)?;
    let request = client.json_post(url, &body, Idempotency::Idempotent);
    let response = client.post(deadline, request).await?;
    match response.error_for_status(ErrorKind::UnknownUser) {
        Ok(response) => Ok(is_resolved(&response.json()?)),
        Err(error) if is_list_unavailable(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the picker has found exactly one; its response is JSON in a text.
fn is_resolved(response: &Value) -> bool {
    let inner = response.get("d").unwrap_or(response);
    let text = inner
        .get("value")
        .or_else(|| inner.get("ClientPeoplePickerResolveUser"))
        .and_then(Value::as_str);
    let entity: Value = text
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let is_guess =
        entity.get("EntityType").and_then(Value::as_str) == Some("UNVALIDATED_EMAIL_ADDRESS");
    entity.get("IsResolved").and_then(Value::as_bool) == Some(true) && !is_guess
}

/// The number in a response about somebody; `None` where the site knows nobody, and where people
/// alone, or groups alone, are meant and it is about the other.
fn parse_user_id(response: &SiteResponse, is_group: Option<bool>) -> Result<Option<i64>> {
    if response.is_success() {
        let principal = json::entity(response)?;
        let kind = principal.get("PrincipalType").and_then(Value::as_i64);
        let fits = kind
            .zip(is_group)
            .is_none_or(|(kind, is_group)| (kind != 1) == is_group);
        return Ok(id_of(&principal).filter(|_| fits));
    }
    let error = response.to_error(ErrorKind::UnknownUser);
    match error.kind() {
        // Unknown users are 400, 404 or 500, each with a code of its own.
        ErrorKind::UnknownUser
        | ErrorKind::Rejected
        | ErrorKind::ItemNotFound
        | ErrorKind::QueryRefused => Ok(None),
        _ => Err(error),
    }
}
