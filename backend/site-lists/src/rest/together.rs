//! Questions to a site that travel together: many in one `$batch`, one by one where the site
//! takes no batches.
//!
//! Every question may be asked again without harm; only those that the site had no time for are.

use bytes::Bytes;
use http::Method;

use super::client::RestClient;
use super::json::NO_METADATA;
use super::multipart::{self, PARTS, Part};
use crate::answer::Answer;
use crate::chance;
use crate::error::{ErrorKind, Result, SiteError};
use crate::gate;
use crate::odata_url;
use crate::wire::{Call, Effect, Outgoing};

/// A read of what is at an address below `_api`.
pub(super) fn read(client: &RestClient, tail: &str) -> Result<Part> {
    Ok(Part {
        method: "GET",
        url: odata_url::api(&client.site, tail)?,
        body: None,
        etag: None,
    })
}

/// The answers to questions, in the same order, whatever their status.
pub(super) async fn answers(
    client: &RestClient,
    call: Call,
    questions: &[Part],
) -> Result<Vec<Answer>> {
    let mut answers: Vec<Option<Answer>> = questions.iter().map(|_| None).collect();
    let mut call = call;
    let mut attempt = 0;
    loop {
        let open: Vec<usize> = (0..questions.len())
            .filter(|&index| answers[index].is_none())
            .take(PARTS)
            .collect();
        let found = match open.as_slice() {
            [] => break,
            [one] => vec![single(client, call, &questions[*one]).await?],
            several => match batched(client, call, questions, several).await? {
                Some(found) => found,
                None => vec![single(client, call, &questions[several[0]]).await?],
            },
        };
        let mut wait = None;
        for (&index, answer) in open.iter().zip(found) {
            if answer.is_throttled() {
                wait = wait.max(Some(gate::wait(&answer.headers, attempt)));
            } else {
                answers[index] = Some(answer);
            }
        }
        if open.iter().any(|&index| answers[index].is_some()) {
            // It goes on: the time for a call is the time for each batch.
            call = client.wire.call();
            attempt = 0;
        }
        if let Some(wait) = wait {
            attempt += 1;
            // For everybody: who comes next waits at the gate, these questions included.
            client.wire.close(wait);
            if !call.allows(wait.time) {
                return Err(SiteError::new(
                    ErrorKind::Throttled,
                    "The site asks to be left alone for longer than this call may take.",
                )
                .with_retry_after(wait.asked));
            }
        }
    }
    Ok(answers.into_iter().flatten().collect())
}

async fn single(client: &RestClient, call: Call, question: &Part) -> Result<Answer> {
    let url = question.url.clone();
    match &question.body {
        None => {
            let outgoing = Outgoing::get(url).with("accept", NO_METADATA);
            client.wire.send(call, &outgoing).await
        }
        Some(body) => {
            let body = Bytes::from(body.clone());
            let outgoing = Outgoing::new(Method::POST, url, body, Effect::Harmless)
                .with("content-type", NO_METADATA);
            client.post(call, outgoing).await
        }
    }
}

/// Asks some of the questions in one trip; `None` where the site takes no batches, which it is
/// not asked for again.
async fn batched(
    client: &RestClient,
    call: Call,
    questions: &[Part],
    asked: &[usize],
) -> Result<Option<Vec<Answer>>> {
    use std::sync::atomic::Ordering;
    if client.asks_apart.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // What is posted stands in a set of changes, what is read beside it, as sites want it.
    let (posted, read): (Vec<usize>, Vec<usize>) = asked
        .iter()
        .partition(|&&index| questions[index].body.is_some());
    let boundary = format!("batch_{}", chance::id());
    let mut body = String::new();
    if !posted.is_empty() {
        let changes = format!("changeset_{}", chance::id());
        body.push_str(&format!(
            "--{boundary}\r\nContent-Type: multipart/mixed; boundary={changes}\r\n\r\n"
        ));
        for &index in &posted {
            let part = multipart::in_batch(&questions[index]);
            body.push_str(&format!("--{changes}\r\n{part}"));
        }
        body.push_str(&format!("--{changes}--\r\n\r\n"));
    }
    for &index in &read {
        let part = multipart::in_batch(&questions[index]);
        body.push_str(&format!("--{boundary}\r\n{part}"));
    }
    body.push_str(&format!("--{boundary}--\r\n"));
    let url = odata_url::api(&client.site, "$batch")?;
    let outgoing = Outgoing::new(Method::POST, url, Bytes::from(body), Effect::Harmless).with(
        "content-type",
        &format!("multipart/mixed; boundary={boundary}"),
    );
    let answer = client.post(call, outgoing).await?;
    let found = match answer.success(ErrorKind::SiteNotFound) {
        Ok(answer) => multipart::read(&answer),
        // Credentials are no matter of how they are asked with.
        Err(error) if matches!(error.status(), Some(401 | 403)) => return Err(error),
        Err(_) => None,
    };
    let Some(found) = found.filter(|found| found.len() == asked.len()) else {
        client.asks_apart.store(true, Ordering::Relaxed);
        return Ok(None);
    };
    let mut in_order: Vec<(usize, Answer)> = posted.into_iter().chain(read).zip(found).collect();
    in_order.sort_by_key(|(index, _)| *index);
    Ok(Some(
        in_order.into_iter().map(|(_, answer)| answer).collect(),
    ))
}
