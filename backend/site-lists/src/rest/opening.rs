//! A list, its columns, its first page of items and the people of a small site in one trip over
//! SharePoint REST: the reads travel as parts of one `$batch`.
//!
//! Called through `Rest` when a whole list is read. It saves trips and decides nothing: whatever
//! the site does not give this way is asked for in the usual one, whose errors are the true ones.
//! Only with a token: others would have to fetch a form digest for it first.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http::Method;
use url::Url;

use super::client::list_path;
use super::json::NO_METADATA;
use super::multipart::{self, Part};
use super::query::{self, Selection};
use super::session::RestSession;
use super::{items, lists, users};
use crate::client::{Deadline, Idempotency, SiteRequest};
use crate::current_user::CURRENT_USER;
use crate::error::{ErrorKind, Result};
use crate::list::Way;
use crate::odata_url;
use crate::protocol::{OpenList, Opening};
use crate::random;
use crate::response::SiteResponse;

pub(super) async fn opening(
    rest: &RestSession,
    deadline: Deadline,
    way: &Way,
    known: Option<&Arc<OpenList>>,
) -> Result<Option<Opening>> {
    let apart = rest.reads_apart.load(Ordering::Relaxed)
        || rest.names_columns.load(Ordering::Relaxed)
        || rest.client.http.needs_digest();
    if apart {
        return Ok(None);
    }
    match known {
        Some(known) => of_known(rest, deadline, known).await,
        None => of_unknown(rest, deadline, way).await,
    }
}

/// The number of items and the first of them, with what is known of the columns.
async fn of_known(
    rest: &RestSession,
    deadline: Deadline,
    known: &Arc<OpenList>,
) -> Result<Option<Opening>> {
    let selections = query::selections(&known.columns, false);
    let tails = [
        list_path(&known.facts, lists::COUNT),
        list_path(&known.facts, &items::page_tail(&selections[0], "")),
    ];
    let Some(mut trip) = Trip::made(rest, deadline, &tails).await? else {
        return Ok(None);
    };
    let (Some((_, count)), Some(page)) = (trip.next(), trip.next()) else {
        return Ok(None);
    };
    let Ok(item_count) = lists::counted(&count) else {
        return Ok(None);
    };
    let list = Arc::clone(known);
    finished(
        rest,
        deadline,
        list,
        &page,
        &selections[1..],
        Some(item_count),
    )
    .await
}

/// The list itself and the first of its items, before it is known what columns it has. What the
/// usual response lacks of them, hidden columns and lookups, is asked for afterwards.
async fn of_unknown(rest: &RestSession, deadline: Deadline, way: &Way) -> Result<Option<Opening>> {
    // By its name in the address, a list is addressed with a query, which its items have too.
    let path = match lists::paths(&rest.client, way).into_iter().next() {
        Some((path, query)) if query.is_empty() => path,
        _ => return Ok(None),
    };
    let mut tails = vec![
        lists::with_columns(&path, ""),
        format!("{path}{}", items::page_tail(&query::usual(), "")),
    ];
    if rest.users.is_empty() {
        tails.push(users::first());
    }
    let Some(mut trip) = Trip::made(rest, deadline, &tails).await? else {
        return Ok(None);
    };
    let (Some((_, list)), Some(page)) = (trip.next(), trip.next()) else {
        return Ok(None);
    };
    let Ok(found) = lists::described(&rest.client.site, &list) else {
        return Ok(None);
    };
    let Some(columns) = found.columns else {
        return Ok(None);
    };
    if let Some((_, people)) = trip.next() {
        rest.users.take(&people);
    }
    let item_count = found.facts.item_count;
    let facts = found.facts;
    let lacking = query::lacking(&columns);
    let list = Arc::new(OpenList::whole(facts, columns));
    finished(rest, deadline, list, &page, &lacking, item_count).await
}

async fn finished(
    rest: &RestSession,
    deadline: Deadline,
    list: Arc<OpenList>,
    (url, response): &(Url, SiteResponse),
    lacking: &[Selection],
    item_count: Option<u64>,
) -> Result<Option<Opening>> {
    let page = items::of_answer(rest, deadline, &list, (url, response), lacking).await;
    Ok(page.ok().map(|page| Opening {
        list,
        page,
        item_count,
    }))
}

/// The answers of a trip, in order, up to the first that is no success.
struct Trip(std::vec::IntoIter<(Url, SiteResponse)>);

impl Trip {
    /// Sends the requests, with the question who is signed in before them where that is not known.
    /// `None` where the site does not take them together, which it is not asked for again then.
    async fn made(
        rest: &RestSession,
        deadline: Deadline,
        tails: &[String],
    ) -> Result<Option<Self>> {
        let boundary = format!("batch_{}", random::uuid());
        let mut urls = Vec::with_capacity(tails.len() + 1);
        let mut body = String::new();
        let asks_who = rest.client.http.needs_sign_in_check();
        let who = asks_who.then_some(CURRENT_USER);
        for tail in who.into_iter().chain(tails.iter().map(String::as_str)) {
            let part = Part {
                method: "GET",
                url: odata_url::api(&rest.client.site, tail)?,
                body: None,
                etag: None,
            };
            body.push_str(&format!("--{boundary}\r\n{}", multipart::in_batch(&part)));
            urls.push(part.url);
        }
        body.push_str(&format!("--{boundary}--\r\n"));
        let url = odata_url::api(&rest.client.site, "$batch")?;
        let request = SiteRequest::new(
            Method::POST,
            url,
            Bytes::from(body),
            Idempotency::Idempotent,
        )
        .with(
            "content-type",
            &format!("multipart/mixed; boundary={boundary}"),
        );
        // It only reads: who has read it is looked at before anybody gets it.
        let response = rest
            .client
            .http
            .send_unchecked(deadline, &request.with("accept", NO_METADATA))
            .await?;
        let responses = match response.error_for_status(ErrorKind::SiteNotFound) {
            Ok(response) => multipart::read(&response),
            // Credentials are no matter of how they are asked with.
            Err(error) if matches!(error.status(), Some(401 | 403)) => return Err(error),
            Err(_) => None,
        };
        let Some(responses) = responses else {
            rest.reads_apart.store(true, Ordering::Relaxed);
            return Ok(None);
        };
        let mut responses = urls.into_iter().zip(responses);
        if asks_who {
            let settled = match responses.next() {
                Some((_, response)) => rest.client.http.take_sign_in_response(&response)?,
                None => false,
            };
            if !settled {
                // Asked by itself before anything else is sent.
                return Ok(None);
            }
        }
        let told: Vec<_> = responses
            .take_while(|(_, response)| response.is_success())
            .collect();
        Ok(Some(Self(told.into_iter())))
    }

    fn next(&mut self) -> Option<(Url, SiteResponse)> {
        self.0.next()
    }
}
