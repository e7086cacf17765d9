//! Users and groups over Microsoft Graph: items of the site's User Information List, which other lists
//! refer to by id. Read as a whole to resolve names, item by item for ids.
//!
//! Graph has no `ensureUser` (microsoft-graph-docs#15695). Invariant: a name that nobody has is looked
//! for again after a minute at the earliest.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::batch;
use super::client::GraphClient;
use crate::client::Deadline;
use crate::error::{ErrorKind, Result};
use crate::mutex::lock;
use crate::rest::users::{from_user_info_list, text};
use crate::user::SiteUserOrGroup;

/// The list of people, by its title or by the name in its address.
const LIST: &str = "lists/User%20Information%20List/items";
const LIST_BY_ADDRESS: &str = "lists/users/items";
const FIELDS: &str = "$expand=fields($select=id,Title,Name,EMail,UserName,FirstName,LastName,IsSiteAdmin,ContentTypeDisp,ContentType)";

/// How long an unknown name is not looked for again.
const UNKNOWN_TIME_TO_LIVE: Duration = Duration::from_secs(60);

/// A name in small letters, and whether a group is meant.
type Name = (String, Option<bool>);

#[derive(Default)]
pub(super) struct GraphUsers {
    by_id: Mutex<HashMap<i64, Option<SiteUserOrGroup>>>,
    /// Everybody, with all the names they go by.
    all: tokio::sync::Mutex<Option<Arc<Vec<UserEntry>>>>,
    /// Who was not among them, and when.
    unknown_names: Mutex<HashMap<Name, Instant>>,
}

struct UserEntry {
    id: i64,
    is_group: bool,
    names: Vec<String>,
    title: Option<String>,
    /// The login without claim and domain.
    account: Option<String>,
}

impl GraphUsers {
    pub(super) async fn resolve_user(
        &self,
        graph: &GraphClient,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>> {
        let requested = BTreeSet::from([(name.to_owned(), is_group)]);
        self.unknown_names(graph, deadline, &requested).await?;
        let all = self.all.lock().await;
        let all = all.as_deref().map_or(&[][..], Vec::as_slice);
        Ok(find_user(all, name, is_group))
    }

    /// The names that no user has. The list of users is read once more for them, because one may have
    /// been added since.
    pub(super) async fn unknown_names(
        &self,
        graph: &GraphClient,
        deadline: Deadline,
        names: &BTreeSet<(String, Option<bool>)>,
    ) -> Result<BTreeSet<(String, Option<bool>)>> {
        let mut all = self.all.lock().await;
        let was_read = all.is_some();
        let known = match &*all {
            Some(known) => Arc::clone(known),
            None => Arc::new(fetch_all(graph, deadline).await?),
        };
        *all = Some(Arc::clone(&known));
        let missing = |known: &[UserEntry]| {
            let mut missing = names.clone();
            missing.retain(|(name, is_group)| find_user(known, name, *is_group).is_none());
            missing
        };
        let mut unknown_names = missing(&known);
        let key = |(name, is_group): &(String, Option<bool>)| (name.to_lowercase(), *is_group);
        let is_new = {
            let cached = lock(&self.unknown_names);
            unknown_names.iter().any(|name| {
                let since = cached.get(&key(name));
                since.is_none_or(|since| since.elapsed() > UNKNOWN_TIME_TO_LIVE)
            })
        };
        if was_read && is_new {
            let known = Arc::new(fetch_all(graph, deadline).await?);
            unknown_names = missing(&known);
            *all = Some(known);
        }
        let mut cached = lock(&self.unknown_names);
        cached.retain(|_, since| since.elapsed() <= UNKNOWN_TIME_TO_LIVE);
        for name in &unknown_names {
            cached.entry(key(name)).or_insert_with(Instant::now);
        }
        Ok(unknown_names)
    }

    pub(super) async fn prefetch(
        &self,
        graph: &GraphClient,
        deadline: Deadline,
        ids: &[i64],
    ) -> Result<()> {
        let mut unknown: Vec<i64> = {
            let known = lock(&self.by_id);
            ids.iter()
                .copied()
                .filter(|id| !known.contains_key(id))
                .collect()
        };
        unknown.sort_unstable();
        unknown.dedup();
        for some in unknown.chunks(batch::MAX_PARTS) {
            let mut requests = Vec::with_capacity(some.len());
            for id in some {
                let path = graph
                    .path(deadline, &format!("{LIST}/{id}?{FIELDS}"))
                    .await?;
                requests.push(json!({"method": "GET", "url": format!("/{path}")}));
            }
            let responses = batch::send(
                graph,
                deadline,
                requests,
                crate::client::Idempotency::Idempotent,
            )
            .await?;
            for (id, response) in some.iter().zip(responses) {
                let person = match response {
                    Some(response) if response.is_throttled() => {
                        return Err(response.to_error(ErrorKind::Throttled));
                    }
                    Some(response) if response.is_success() => {
                        response.json()?.get("fields").map(from_user_info_list)
                    }
                    _ => None,
                };
                lock(&self.by_id).insert(*id, person);
            }
        }
        Ok(())
    }

    pub(super) fn user(&self, id: i64) -> Option<SiteUserOrGroup> {
        lock(&self.by_id).get(&id).cloned().flatten()
    }
}

/// Who goes by a name: login, e-mail address, or what people read or the end of a login where one
/// alone has it.
fn find_user(all: &[UserEntry], name: &str, is_group: Option<bool>) -> Option<i64> {
    let wanted = name.to_lowercase();
    let fits = |entry: &&UserEntry| is_group.is_none_or(|is_group| is_group == entry.is_group);
    let mut exact = all.iter().filter(fits);
    if let Some(entry) = exact.find(|entry| entry.names.contains(&wanted)) {
        return Some(entry.id);
    }
    let is_display_name = |entry: &&UserEntry| {
        entry.title.as_deref() == Some(wanted.as_str())
            || entry.account.as_deref() == Some(wanted.as_str())
    };
    let mut by_display_name = all.iter().filter(fits).filter(is_display_name);
    match (by_display_name.next(), by_display_name.next()) {
        (Some(only), None) => Some(only.id),
        _ => None,
    }
}

/// The list of people: by its title, which may be translated, or by the name in its address.
async fn fetch_all(graph: &GraphClient, deadline: Deadline) -> Result<Vec<UserEntry>> {
    match fetch_entries(graph, deadline, LIST).await {
        Err(error) if error.kind() == ErrorKind::UnknownUser => {
            fetch_entries(graph, deadline, LIST_BY_ADDRESS).await
        }
        other => other,
    }
}

async fn fetch_entries(
    graph: &GraphClient,
    deadline: Deadline,
    list: &str,
) -> Result<Vec<UserEntry>> {
    let mut next = Some(
        graph
            .url(deadline, &format!("{list}?{FIELDS}&$top=1000"))
            .await?,
    );
    let mut all = Vec::new();
    while let Some(url) = next {
        let response = graph
            .get(deadline, url.clone(), ErrorKind::UnknownUser)
            .await?;
        let body = response.json()?;
        let entries = body
            .get("value")
            .and_then(Value::as_array)
            .ok_or_else(|| response.unexpected_error("is no collection"))?;
        for entry in entries {
            let (Some(id), Some(fields)) = (
                entry
                    .get("id")
                    .and_then(Value::as_str)
                    .and_then(|id| id.parse().ok()),
                entry.get("fields"),
            ) else {
                continue;
            };
            let person = from_user_info_list(fields);
            let login = person.name.as_deref().map(str::to_lowercase);
            // A login with the claim it came with goes by its bare end as well.
            let bare = login
                .as_deref()
                .and_then(|login| login.rsplit('|').next())
                .map(str::to_owned);
            let account = bare.as_deref().map(|bare| {
                let bare = bare.rsplit('\\').next().unwrap_or(bare);
                bare.split('@').next().unwrap_or(bare).to_owned()
            });
            let names = [
                login,
                bare,
                person.email.as_deref().map(str::to_lowercase),
                text(fields, "UserName").map(|name| name.to_lowercase()),
            ];
            all.push(UserEntry {
                id,
                is_group: person.is_group,
                names: names.into_iter().flatten().collect(),
                title: person.title.map(|title| title.to_lowercase()),
                account,
            });
        }
        next = body
            .get("@odata.nextLink")
            .and_then(Value::as_str)
            .and_then(|link| url.join(link).ok())
            .filter(|link| *link != url);
    }
    Ok(all)
}
