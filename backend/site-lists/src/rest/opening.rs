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
use crate::answer::Answer;
use crate::chance;
use crate::current_user::CURRENT_USER;
use crate::error::{ErrorKind, Result};
use crate::list::Way;
use crate::odata_url;
use crate::protocol::{OpenList, Opening};
use crate::wire::{Call, Effect, Outgoing};

pub(super) async fn opening(
    rest: &RestSession,
    call: Call,
    way: &Way,
    known: Option<&Arc<OpenList>>,
) -> Result<Option<Opening>> {
    let apart = rest.reads_apart.load(Ordering::Relaxed)
        || rest.names_columns.load(Ordering::Relaxed)
        || rest.client.wire.needs_digest();
    if apart {
        return Ok(None);
    }
    match known {
        Some(known) => of_known(rest, call, known).await,
        None => of_unknown(rest, call, way).await,
    }
}

/// The number of items and the first of them, with what is known of the columns.
async fn of_known(
    rest: &RestSession,
    call: Call,
    known: &Arc<OpenList>,
) -> Result<Option<Opening>> {
    let selections = query::selections(&known.columns, false);
    let tails = [
        list_path(&known.facts, lists::COUNT),
        list_path(&known.facts, &items::page_tail(&selections[0], "")),
    ];
    let Some(mut trip) = Trip::made(rest, call, &tails).await? else {
        return Ok(None);
    };
    let (Some((_, count)), Some(page)) = (trip.next(), trip.next()) else {
        return Ok(None);
    };
    let Ok(item_count) = lists::counted(&count) else {
        return Ok(None);
    };
    let list = Arc::clone(known);
    finished(rest, call, list, &page, &selections[1..], Some(item_count)).await
}

/// The list itself and the first of its items, before it is known what columns it has. What the
/// usual answer lacks of them, hidden columns and lookups, is asked for afterwards.
async fn of_unknown(rest: &RestSession, call: Call, way: &Way) -> Result<Option<Opening>> {
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
    let Some(mut trip) = Trip::made(rest, call, &tails).await? else {
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
    finished(rest, call, list, &page, &lacking, item_count).await
}

async fn finished(
    rest: &RestSession,
    call: Call,
    list: Arc<OpenList>,
    (url, answer): &(Url, Answer),
    lacking: &[Selection],
    item_count: Option<u64>,
) -> Result<Option<Opening>> {
    let page = items::of_answer(rest, call, &list, (url, answer), lacking).await;
    Ok(page.ok().map(|page| Opening {
        list,
        page,
        item_count,
    }))
}

/// The answers of a trip, in order, up to the first that is no success.
struct Trip(std::vec::IntoIter<(Url, Answer)>);

impl Trip {
    /// Sends the requests, with the question who is signed in before them where that is not known.
    /// `None` where the site does not take them together, which it is not asked for again then.
    async fn made(rest: &RestSession, call: Call, tails: &[String]) -> Result<Option<Self>> {
        let boundary = format!("batch_{}", chance::id());
        let mut urls = Vec::with_capacity(tails.len() + 1);
        let mut body = String::new();
        let asks_who = rest.client.wire.has_to_ask();
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
        let outgoing = Outgoing::new(Method::POST, url, Bytes::from(body), Effect::Harmless).with(
            "content-type",
            &format!("multipart/mixed; boundary={boundary}"),
        );
        // It only reads: who has read it is looked at before anybody gets it.
        let answer = rest
            .client
            .wire
            .ask(call, &outgoing.with("accept", NO_METADATA))
            .await?;
        let answers = match answer.success(ErrorKind::SiteNotFound) {
            Ok(answer) => multipart::read(&answer),
            // Credentials are no matter of how they are asked with.
            Err(error) if matches!(error.status(), Some(401 | 403)) => return Err(error),
            Err(_) => None,
        };
        let Some(answers) = answers else {
            rest.reads_apart.store(true, Ordering::Relaxed);
            return Ok(None);
        };
        let mut answers = urls.into_iter().zip(answers);
        if asks_who {
            let settled = match answers.next() {
                Some((_, answer)) => rest.client.wire.take_who(&answer)?,
                None => false,
            };
            if !settled {
                // Asked by itself before anything else is sent.
                return Ok(None);
            }
        }
        let told: Vec<_> = answers
            .take_while(|(_, answer)| answer.is_success())
            .collect();
        Ok(Some(Self(told.into_iter())))
    }

    fn next(&mut self) -> Option<(Url, Answer)> {
        self.0.next()
    }
}
