//! Many writes over SharePoint REST in one `$batch`, which is no transaction: each part has its own
//! outcome.
//!
//! Invariant: only throttled parts are sent again.

use super::client::RestClient;
use super::multipart::{self, MAX_PARTS, read, to_multipart};
use super::write::{build_request, parse_result};
use crate::client::{Deadline, Idempotency};
use crate::error::{ErrorKind, Result, SiteError};
use crate::protocol::{ListSchema, PreparedChange, WriteResult};
use crate::random;
use crate::rate_limiter;
use crate::response::SiteResponse;
use crate::send_change::{no_response_error, parse_outcome};

/// The bytes that a site takes in one batch (of the smaller of its editions).
const BYTES: usize = 1_000_000;

pub(super) async fn write(
    client: &RestClient,
    deadline: Deadline,
    list: &ListSchema,
    changes: &[PreparedChange],
) -> Vec<Result<WriteResult>> {
    let mut outcomes: Vec<Option<Result<WriteResult>>> = changes.iter().map(|_| None).collect();
    let mut waiting: Vec<usize> = Vec::with_capacity(changes.len());
    let mut written: Vec<Option<String>> = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        match build_request(client, list, change) {
            Ok(part) => {
                waiting.push(index);
                written.push(Some(to_multipart(&part)));
            }
            Err(error) => {
                outcomes[index] = Some(Err(error));
                written.push(None);
            }
        }
    }
    let mut attempt = 0;
    let mut deadline = deadline;
    while !waiting.is_empty() {
        let count = fitting(&waiting, &written);
        let sent: Vec<usize> = waiting.drain(..count).collect();
        let parts: Vec<&str> = sent
            .iter()
            .filter_map(|&index| written[index].as_deref())
            .collect();
        match send(client, deadline, &parts).await {
            Ok(responses) => {
                let mut throttled = Vec::new();
                let mut backoff = None;
                for (position, &index) in sent.iter().enumerate() {
                    outcomes[index] = Some(match responses.get(position) {
                        Some(response) if response.is_throttled() => {
                            backoff = backoff
                                .max(Some(rate_limiter::backoff(&response.headers, attempt)));
                            throttled.push(index);
                            Err(response.to_error(ErrorKind::Throttled))
                        }
                        Some(response) => parse_outcome(response, &changes[index], parse_result),
                        None => Err(no_response_error()),
                    });
                }
                if throttled.len() < sent.len() {
                    // It goes on: the time for a call is the time for each batch.
                    deadline = client.http.new_deadline();
                    attempt = 0;
                }
                if let Some(backoff) = backoff {
                    attempt += 1;
                    if let Err(error) = client.http.back_off(deadline, backoff) {
                        fail_all(&mut outcomes, &waiting, &error);
                        break;
                    }
                    waiting.splice(0..0, throttled);
                }
            }
            Err(error) => {
                fail_all(&mut outcomes, &sent, &error);
                // What was not sent yet would fail alike; it is reported as not done.
                let kind = if error.kind() == ErrorKind::OutcomeUnknown {
                    ErrorKind::TimedOut
                } else {
                    error.kind()
                };
                fail_all(&mut outcomes, &waiting, &error.clone().of_kind(kind));
                break;
            }
        }
    }
    outcomes
        .into_iter()
        .map(|outcome| outcome.unwrap_or_else(|| Err(no_response_error())))
        .collect()
}

fn fail_all(outcomes: &mut [Option<Result<WriteResult>>], indices: &[usize], error: &SiteError) {
    for &index in indices {
        outcomes[index] = Some(Err(error.clone()));
    }
}

/// How many of the waiting parts fit into the next batch; at least one.
fn fitting(waiting: &[usize], written: &[Option<String>]) -> usize {
    let mut bytes = 0;
    waiting
        .iter()
        .take(MAX_PARTS)
        .take_while(|&&index| {
            bytes += written[index].as_ref().map_or(0, String::len) + 200;
            bytes < BYTES
        })
        .count()
        .max(1)
}

async fn send(
    client: &RestClient,
    deadline: Deadline,
    parts: &[&str],
) -> Result<Vec<SiteResponse>> {
    let batch = format!("batch_{}", random::uuid());
    let changes = format!("changeset_{}", random::uuid());
    let mut body =
        format!("--{batch}\r\nContent-Type: multipart/mixed; boundary={changes}\r\n\r\n");
    for part in parts {
        body.push_str(&format!("--{changes}\r\n{part}"));
    }
    body.push_str(&format!("--{changes}--\r\n\r\n--{batch}--\r\n"));
    let request = multipart::to_request(&client.site, &batch, body, Idempotency::NonIdempotent)?;
    let response = client
        .post(deadline, request)
        .await?
        .error_for_status(ErrorKind::SiteNotFound)?;
    read(&response).ok_or_else(|| {
        response
            .unexpected_error("is no batch")
            .of_kind(ErrorKind::OutcomeUnknown)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_ends_at_a_hundred_parts_or_at_a_million_bytes() {
        let waiting: Vec<usize> = (0..250).collect();
        let small = vec![Some("x".to_owned()); 250];
        assert_eq!(fitting(&waiting, &small), 100);
        let large = vec![Some("x".repeat(400_000)); 250];
        assert_eq!(fitting(&waiting, &large), 2);
        let huge = vec![Some("x".repeat(2_000_000)); 250];
        assert_eq!(fitting(&waiting, &huge), 1);
    }
}
