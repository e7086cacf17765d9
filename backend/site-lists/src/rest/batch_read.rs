//! Many reads in one `$batch`, or one by one where the site accepts no batches.
//!
//! Invariant: every part is idempotent; only throttled parts are sent again.

use bytes::Bytes;
use http::Method;

use super::client::RestClient;
use super::json::NO_METADATA;
use super::multipart::{self, BatchPart, MAX_PARTS};
use crate::client::{Deadline, Idempotency, SiteRequest};
use crate::error::{ErrorKind, Result};
use crate::odata_url;
use crate::random;
use crate::rate_limiter;
use crate::response::SiteResponse;

/// A GET below `_api`.
pub(super) fn read_part(client: &RestClient, tail: &str) -> Result<BatchPart> {
    Ok(BatchPart {
        method: "GET",
        url: odata_url::api(&client.site, tail)?,
        body: None,
        etag: None,
    })
}

/// The responses in the order of the reads, whatever their status.
pub(super) async fn send_all(
    client: &RestClient,
    deadline: Deadline,
    reads: &[BatchPart],
) -> Result<Vec<SiteResponse>> {
    let mut responses: Vec<Option<SiteResponse>> = reads.iter().map(|_| None).collect();
    let mut deadline = deadline;
    let mut attempt = 0;
    loop {
        let open: Vec<usize> = (0..reads.len())
            .filter(|&index| responses[index].is_none())
            .take(MAX_PARTS)
            .collect();
        let found = match open.as_slice() {
            [] => break,
            [one] => vec![send_one(client, deadline, &reads[*one]).await?],
            several => match send_batch(client, deadline, reads, several).await? {
                Some(found) => found,
                None => vec![send_one(client, deadline, &reads[several[0]]).await?],
            },
        };
        let mut backoff = None;
        for (&index, response) in open.iter().zip(found) {
            if response.is_throttled() {
                backoff = backoff.max(Some(rate_limiter::backoff(&response.headers, attempt)));
            } else {
                responses[index] = Some(response);
            }
        }
        if open.iter().any(|&index| responses[index].is_some()) {
            // It goes on: the time for a call is the time for each batch.
            deadline = client.http.new_deadline();
            attempt = 0;
        }
        if let Some(backoff) = backoff {
            attempt += 1;
            client.http.back_off(deadline, backoff)?;
        }
    }
    Ok(responses.into_iter().flatten().collect())
}

async fn send_one(
    client: &RestClient,
    deadline: Deadline,
    read_part: &BatchPart,
) -> Result<SiteResponse> {
    let url = read_part.url.clone();
    match &read_part.body {
        None => {
            let request = SiteRequest::get(url).with("accept", NO_METADATA);
            client.http.send(deadline, &request).await
        }
        Some(body) => {
            let body = Bytes::from(body.clone());
            let request = SiteRequest::new(Method::POST, url, body, Idempotency::Idempotent)
                .with("content-type", NO_METADATA);
            client.post(deadline, request).await
        }
    }
}

/// Sends some of the reads in one batch; `None` where the site takes no batches, which it is
/// not asked for again.
async fn send_batch(
    client: &RestClient,
    deadline: Deadline,
    reads: &[BatchPart],
    indices: &[usize],
) -> Result<Option<Vec<SiteResponse>>> {
    use std::sync::atomic::Ordering;
    if client.refuses_batches.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // SharePoint wants POST in a change set, and GET outside of it.
    let (posted, read): (Vec<usize>, Vec<usize>) = indices
        .iter()
        .partition(|&&index| reads[index].body.is_some());
    let boundary = format!("batch_{}", random::uuid());
    let mut body = String::new();
    if !posted.is_empty() {
        let changes = format!("changeset_{}", random::uuid());
        body.push_str(&format!(
            "--{boundary}\r\nContent-Type: multipart/mixed; boundary={changes}\r\n\r\n"
        ));
        for &index in &posted {
            let part = multipart::to_multipart(&reads[index]);
            body.push_str(&format!("--{changes}\r\n{part}"));
        }
        body.push_str(&format!("--{changes}--\r\n\r\n"));
    }
    for &index in &read {
        let part = multipart::to_multipart(&reads[index]);
        body.push_str(&format!("--{boundary}\r\n{part}"));
    }
    body.push_str(&format!("--{boundary}--\r\n"));
    let request = multipart::to_request(&client.site, &boundary, body, Idempotency::Idempotent)?;
    let response = client.post(deadline, request).await?;
    let found = match response.error_for_status(ErrorKind::SiteNotFound) {
        Ok(response) => multipart::read(&response),
        // A batch is not the reason for refused credentials.
        Err(error) if matches!(error.status(), Some(401 | 403)) => return Err(error),
        Err(_) => None,
    };
    let Some(found) = found.filter(|found| found.len() == indices.len()) else {
        client.refuses_batches.store(true, Ordering::Relaxed);
        return Ok(None);
    };
    let mut in_order: Vec<(usize, SiteResponse)> =
        posted.into_iter().chain(read).zip(found).collect();
    in_order.sort_by_key(|(index, _)| *index);
    Ok(Some(
        in_order.into_iter().map(|(_, response)| response).collect(),
    ))
}
