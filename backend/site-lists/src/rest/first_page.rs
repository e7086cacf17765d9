//! A list, its columns, its first page of items and the users of a small site in one `$batch`.
//!
//! It saves round trips and decides nothing: what the site does not give this way is asked for in the
//! usual one, whose errors count. Only with a bearer token: others need a form digest first.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http::Method;
use url::Url;

use super::client::list_path;
use super::json::NO_METADATA;
use super::multipart::{self, BatchPart};
use super::query::{self, Selection};
use super::session::RestSession;
use super::{items, lists, users};
use crate::client::{Deadline, Idempotency, SiteRequest};
use crate::current_user::CURRENT_USER;
use crate::error::{ErrorKind, Result};
use crate::list::ListKey;
use crate::odata_url;
use crate::protocol::{FirstPage, ListSchema};
use crate::random;
use crate::response::SiteResponse;

pub(super) async fn first_page(
    rest: &RestSession,
    deadline: Deadline,
    key: &ListKey,
    cached: Option<&Arc<ListSchema>>,
) -> Result<Option<FirstPage>> {
    let is_unavailable = rest.refuses_batch_reads.load(Ordering::Relaxed)
        || rest.needs_named_columns.load(Ordering::Relaxed)
        || rest.client.http.needs_digest();
    if is_unavailable {
        return Ok(None);
    }
    match cached {
        Some(cached) => for_cached_list(rest, deadline, cached).await,
        None => for_unknown_list(rest, deadline, key).await,
    }
}

/// The number of items and the first of them, with what is known of the columns.
async fn for_cached_list(
    rest: &RestSession,
    deadline: Deadline,
    cached: &Arc<ListSchema>,
) -> Result<Option<FirstPage>> {
    let selections = query::selections(&cached.columns, false);
    let tails = [
        list_path(&cached.info, lists::COUNT),
        list_path(&cached.info, &items::page_tail(&selections[0], "")),
    ];
    let Some(mut batch) = BatchRead::send(rest, deadline, &tails).await? else {
        return Ok(None);
    };
    let (Some((_, count)), Some(page)) = (batch.next(), batch.next()) else {
        return Ok(None);
    };
    let Ok(item_count) = lists::parse_item_count(&count) else {
        return Ok(None);
    };
    let list = Arc::clone(cached);
    first_page_of(
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
async fn for_unknown_list(
    rest: &RestSession,
    deadline: Deadline,
    key: &ListKey,
) -> Result<Option<FirstPage>> {
    // By its name in the address, a list is addressed with a query, which its items have too.
    let path = match lists::paths(&rest.client, key).into_iter().next() {
        Some((path, query)) if query.is_empty() => path,
        _ => return Ok(None),
    };
    let mut tails = vec![
        lists::with_columns(&path, ""),
        format!(
            "{path}{}",
            items::page_tail(&query::default_selection(), "")
        ),
    ];
    if rest.users.is_empty() {
        tails.push(users::first_users_path());
    }
    let Some(mut batch) = BatchRead::send(rest, deadline, &tails).await? else {
        return Ok(None);
    };
    let (Some((_, list)), Some(page)) = (batch.next(), batch.next()) else {
        return Ok(None);
    };
    let Ok(found) = lists::parse_list(&rest.client.site, &list) else {
        return Ok(None);
    };
    let Some(columns) = found.columns else {
        return Ok(None);
    };
    if let Some((_, people)) = batch.next() {
        rest.users.cache_page(&people);
    }
    let item_count = found.info.item_count;
    let info = found.info;
    let missing = query::missing_selections(&columns);
    let list = Arc::new(ListSchema::complete(info, columns));
    first_page_of(rest, deadline, list, &page, &missing, item_count).await
}

async fn first_page_of(
    rest: &RestSession,
    deadline: Deadline,
    list: Arc<ListSchema>,
    (url, response): &(Url, SiteResponse),
    missing: &[Selection],
    item_count: Option<u64>,
) -> Result<Option<FirstPage>> {
    let page = items::page_from_response(rest, deadline, &list, (url, response), missing).await;
    Ok(page.ok().map(|page| FirstPage {
        list,
        page,
        item_count,
    }))
}

/// The answers of a trip, in order, up to the first that is no success.
struct BatchRead(std::vec::IntoIter<(Url, SiteResponse)>);

impl BatchRead {
    /// Sends the requests, with the question who is signed in before them where that is not known.
    /// `None` where the site does not take them together, which it is not asked for again then.
    async fn send(
        rest: &RestSession,
        deadline: Deadline,
        tails: &[String],
    ) -> Result<Option<Self>> {
        let boundary = format!("batch_{}", random::uuid());
        let mut urls = Vec::with_capacity(tails.len() + 1);
        let mut body = String::new();
        let checks_user = rest.client.http.needs_sign_in_check();
        let user_path = checks_user.then_some(CURRENT_USER);
        for tail in user_path
            .into_iter()
            .chain(tails.iter().map(String::as_str))
        {
            let part = BatchPart {
                method: "GET",
                url: odata_url::api(&rest.client.site, tail)?,
                body: None,
                etag: None,
            };
            body.push_str(&format!(
                "--{boundary}\r\n{}",
                multipart::to_multipart(&part)
            ));
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
            // A batch is not the reason for refused credentials.
            Err(error) if matches!(error.status(), Some(401 | 403)) => return Err(error),
            Err(_) => None,
        };
        let Some(responses) = responses else {
            rest.refuses_batch_reads.store(true, Ordering::Relaxed);
            return Ok(None);
        };
        let mut responses = urls.into_iter().zip(responses);
        if checks_user {
            let is_known = match responses.next() {
                Some((_, response)) => rest.client.http.take_sign_in_response(&response)?,
                None => false,
            };
            if !is_known {
                // Asked by itself before anything else is sent.
                return Ok(None);
            }
        }
        let successes: Vec<_> = responses
            .take_while(|(_, response)| response.is_success())
            .collect();
        Ok(Some(Self(successes.into_iter())))
    }

    fn next(&mut self) -> Option<(Url, SiteResponse)> {
        self.0.next()
    }
}
