//! Users and groups of a site, as Microsoft Graph knows them: entries of the site's own list of
//! people, which other lists refer to by number.
//!
//! Kept by `Graph`. Read once as a whole for names, by number for items; Graph has no way to make
//! somebody known to a site.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{Graph, batch};
use crate::error::{ErrorKind, Result};
use crate::rest::users::{from_list, text};
use crate::user::SiteUserOrGroup;
use crate::wire::Call;

/// The list of people, by its title or by the name in its address.
const LIST: &str = "lists/User%20Information%20List/items";
const FIELDS: &str = "$expand=fields($select=id,Title,Name,EMail,UserName,FirstName,LastName,IsSiteAdmin,ContentTypeDisp,ContentType)";

#[derive(Default)]
pub(super) struct Users {
    by_id: Mutex<HashMap<i64, Option<SiteUserOrGroup>>>,
    /// Everybody, with all the names they go by.
    all: OnceCell<Vec<Entry>>,
}

struct Entry {
    id: i64,
    is_group: bool,
    names: Vec<String>,
    title: Option<String>,
}

impl Users {
    pub(super) async fn resolve(
        &self,
        graph: &Graph,
        call: Call,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>> {
        let all = self.all.get_or_try_init(|| everybody(graph, call)).await?;
        let wanted = name.to_lowercase();
        let fits = |entry: &&Entry| is_group.is_none_or(|is_group| is_group == entry.is_group);
        if let Some(entry) = all
            .iter()
            .filter(fits)
            .find(|entry| entry.names.contains(&wanted))
        {
            return Ok(Some(entry.id));
        }
        // A display name counts where only one has it.
        let mut shown = all
            .iter()
            .filter(fits)
            .filter(|entry| entry.title.as_deref() == Some(wanted.as_str()));
        Ok(match (shown.next(), shown.next()) {
            (Some(only), None) => Some(only.id),
            _ => None,
        })
    }

    pub(super) async fn learn(&self, graph: &Graph, call: Call, ids: &[i64]) -> Result<()> {
        let mut unknown: Vec<i64> = {
            let known = self.by_id.lock().unwrap_or_else(PoisonError::into_inner);
            ids.iter()
                .copied()
                .filter(|id| !known.contains_key(id))
                .collect()
        };
        unknown.sort_unstable();
        unknown.dedup();
        for some in unknown.chunks(batch::PARTS) {
            let mut requests = Vec::with_capacity(some.len());
            for id in some {
                let path = graph.path(call, &format!("{LIST}/{id}?{FIELDS}")).await?;
                requests.push(json!({"method": "GET", "url": format!("/{path}")}));
            }
            let answers = batch::send(graph, call, requests, crate::wire::Effect::Harmless).await?;
            for (id, answer) in some.iter().zip(answers) {
                let person = match answer {
                    Some(answer) if answer.is_throttled() => {
                        return Err(answer.refusal(ErrorKind::Throttled));
                    }
                    Some(answer) if answer.is_success() => {
                        answer.json()?.get("fields").map(from_list)
                    }
                    _ => None,
                };
                self.by_id
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(*id, person);
            }
        }
        Ok(())
    }

    pub(super) fn known(&self, id: i64) -> Option<SiteUserOrGroup> {
        self.by_id
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&id)
            .cloned()
            .flatten()
    }
}

async fn everybody(graph: &Graph, call: Call) -> Result<Vec<Entry>> {
    let mut next = Some(
        graph
            .url(call, &format!("{LIST}?{FIELDS}&$top=1000"))
            .await?,
    );
    let mut all = Vec::new();
    while let Some(url) = next {
        let answer = graph.get(call, url.clone(), ErrorKind::UnknownUser).await?;
        let body = answer.json()?;
        let entries = body
            .get("value")
            .and_then(Value::as_array)
            .ok_or_else(|| answer.unexpected("is no collection"))?;
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
            let person = from_list(fields);
            let login = person.name.as_deref().map(str::to_lowercase);
            // A login with the claim it came with goes by its bare end as well.
            let bare = login
                .as_deref()
                .and_then(|login| login.rsplit('|').next())
                .map(str::to_owned);
            let names = [
                login,
                bare,
                person.email.as_deref().map(str::to_lowercase),
                text(fields, "UserName").map(|name| name.to_lowercase()),
            ];
            all.push(Entry {
                id,
                is_group: person.is_group,
                names: names.into_iter().flatten().collect(),
                title: person.title.map(|title| title.to_lowercase()),
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
