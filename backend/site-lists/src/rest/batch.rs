//! Many writes over SharePoint REST in one request (`$batch`): written as a multipart of HTTP
//! requests, read back as one of answers in the same order.
//!
//! Called through `Rest` for more than one change. A batch is no transaction: each part has its
//! own outcome, and only parts that the site had no time for are sent again.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::write::{Part, part, told};
use super::{Rest, address};
use crate::answer::Answer;
use crate::chance;
use crate::change::outcome;
use crate::error::{ErrorKind, Result, SiteError};
use crate::gate;
use crate::protocol::{Change, Done, OpenList};
use crate::wire::{Call, Effect, Outgoing};

/// What a site takes in one batch: parts, and bytes (of the smaller of its editions).
pub(super) const PARTS: usize = 100;
const BYTES: usize = 1_000_000;

pub(super) async fn write(
    rest: &Rest,
    call: Call,
    list: &OpenList,
    changes: &[Change],
) -> Vec<Result<Done>> {
    let mut outcomes: Vec<Option<Result<Done>>> = changes.iter().map(|_| None).collect();
    let mut waiting: Vec<usize> = Vec::with_capacity(changes.len());
    let mut written: Vec<Option<String>> = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        match part(rest, list, change) {
            Ok(part) => {
                waiting.push(index);
                written.push(Some(in_batch(&part)));
            }
            Err(error) => {
                outcomes[index] = Some(Err(error));
                written.push(None);
            }
        }
    }
    let mut attempt = 0;
    let mut call = call;
    while !waiting.is_empty() {
        let count = fitting(&waiting, &written);
        let sent: Vec<usize> = waiting.drain(..count).collect();
        let parts: Vec<&str> = sent
            .iter()
            .filter_map(|&index| written[index].as_deref())
            .collect();
        match send(rest, call, &parts).await {
            Ok(answers) => {
                let mut throttled = Vec::new();
                let mut wait = None;
                for (position, &index) in sent.iter().enumerate() {
                    outcomes[index] = Some(match answers.get(position) {
                        Some(answer) if answer.is_throttled() => {
                            wait = wait.max(Some(gate::wait(&answer.headers, attempt)));
                            throttled.push(index);
                            Err(answer.refusal(ErrorKind::Throttled))
                        }
                        Some(answer) => outcome(answer, &changes[index], told),
                        None => Err(lost()),
                    });
                }
                if throttled.len() < sent.len() {
                    // It goes on: the time for a call is the time for each batch.
                    call = rest.wire.call();
                    attempt = 0;
                }
                if let Some(wait) = wait {
                    attempt += 1;
                    // For everybody: who comes next waits at the gate, this batch included.
                    rest.wire.close(wait);
                    if !call.allows(wait.time) {
                        mark(&mut outcomes, &waiting, &SiteError::new(ErrorKind::Throttled, "The site asks to be left alone for longer than this call may take.").with_retry_after(wait.asked));
                        break;
                    }
                    waiting.splice(0..0, throttled);
                }
            }
            Err(error) => {
                mark(&mut outcomes, &sent, &error);
                // What was not sent yet would meet the same; it is told as not done.
                let kind = if error.kind() == ErrorKind::OutcomeUnknown {
                    ErrorKind::TimedOut
                } else {
                    error.kind()
                };
                mark(&mut outcomes, &waiting, &error.clone().of_kind(kind));
                break;
            }
        }
    }
    outcomes
        .into_iter()
        .map(|outcome| outcome.unwrap_or_else(|| Err(lost())))
        .collect()
}

fn mark(outcomes: &mut [Option<Result<Done>>], indices: &[usize], error: &SiteError) {
    for &index in indices {
        outcomes[index] = Some(Err(error.clone()));
    }
}

fn lost() -> SiteError {
    SiteError::new(
        ErrorKind::OutcomeUnknown,
        "The site's answer has no part for this change; it may or may not have been made.",
    )
}

/// How many of the waiting parts fit into the next batch; at least one.
fn fitting(waiting: &[usize], written: &[Option<String>]) -> usize {
    let mut bytes = 0;
    waiting
        .iter()
        .take(PARTS)
        .take_while(|&&index| {
            bytes += written[index].as_ref().map_or(0, String::len) + 200;
            bytes < BYTES
        })
        .count()
        .max(1)
}

/// A request as a part of a batch.
pub(super) fn in_batch(part: &Part) -> String {
    let mut text = format!(
        "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n{} {} HTTP/1.1\r\n",
        part.method, part.url
    );
    let mut header = |name: &str, value: &str| {
        text.push_str(&format!("{name}: {value}\r\n"));
    };
    header("Accept", super::NO_METADATA);
    if part.body.is_some() {
        header("Content-Type", super::NO_METADATA);
    }
    if let Some(etag) = &part.etag {
        header("If-Match", etag);
    }
    text.push_str("\r\n");
    text.push_str(part.body.as_deref().unwrap_or_default());
    text.push_str("\r\n");
    text
}

async fn send(rest: &Rest, call: Call, parts: &[&str]) -> Result<Vec<Answer>> {
    let batch = format!("batch_{}", chance::id());
    let changes = format!("changeset_{}", chance::id());
    let mut body =
        format!("--{batch}\r\nContent-Type: multipart/mixed; boundary={changes}\r\n\r\n");
    for part in parts {
        body.push_str(&format!("--{changes}\r\n{part}"));
    }
    body.push_str(&format!("--{changes}--\r\n\r\n--{batch}--\r\n"));
    let url = address::api(&rest.site, "$batch")?;
    let outgoing = Outgoing::new(Method::POST, url, Bytes::from(body), Effect::Once).with(
        "content-type",
        &format!("multipart/mixed; boundary={batch}"),
    );
    let answer = rest
        .post(call, outgoing)
        .await?
        .success(ErrorKind::SiteNotFound)?;
    read(&answer).ok_or_else(|| {
        answer
            .unexpected("is no batch")
            .of_kind(ErrorKind::OutcomeUnknown)
    })
}

/// The parts of a batch's answer, in order; those of a nested set of changes in its place.
pub(crate) fn read(answer: &Answer) -> Option<Vec<Answer>> {
    let kind = answer.header("content-type")?;
    let body = String::from_utf8_lossy(&answer.body);
    parts(kind, &body)
}

fn parts(kind: &str, body: &str) -> Option<Vec<Answer>> {
    let boundary = boundary(kind)?;
    let mut found = Vec::new();
    for piece in pieces(body, boundary) {
        let (head, inner) = head_and_body(piece.trim_start_matches(['\r', '\n']));
        let headers = headers(head);
        let kind = headers
            .get("content-type")
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if kind.starts_with("multipart/") {
            found.extend(parts(kind, inner)?);
        } else {
            found.push(http_answer(inner)?);
        }
    }
    Some(found)
}

/// What stands between the lines that are the boundary, up to the closing one. A boundary may be
/// the beginning of another.
fn pieces<'a>(body: &'a str, boundary: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut begin = None;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let mark = line
            .trim_end()
            .strip_prefix("--")
            .and_then(|rest| rest.strip_prefix(boundary));
        if matches!(mark, Some("" | "--")) {
            found.extend(begin.map(|begin| &body[begin..at]));
            begin = (mark == Some("")).then_some(at + line.len());
            if begin.is_none() {
                return found;
            }
        }
        at += line.len();
    }
    found
}

fn boundary(kind: &str) -> Option<&str> {
    let (_, rest) = kind.split_once("boundary=")?;
    let value = rest.split(';').next()?.trim().trim_matches('"');
    (!value.is_empty()).then_some(value)
}

/// Splits at the first empty line, with either kind of line end.
fn head_and_body(text: &str) -> (&str, &str) {
    let windows = text.find("\r\n\r\n").map(|at| (at, 4));
    let unix = text.find("\n\n").map(|at| (at, 2));
    let first = [windows, unix].into_iter().flatten().min();
    first.map_or((text, ""), |(at, length)| {
        (&text[..at], &text[at + length..])
    })
}

fn headers(head: &str) -> HeaderMap {
    head.lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(value.trim()).ok()?))
        })
        .collect()
}

fn http_answer(text: &str) -> Option<Answer> {
    let (head, body) = head_and_body(text.trim_start_matches(['\r', '\n']));
    let mut lines = head.splitn(2, '\n');
    let status = lines.next()?.split_whitespace().nth(1)?.parse().ok()?;
    let headers = headers(lines.next().unwrap_or_default());
    let body = body.trim_end_matches(['\r', '\n']);
    Some(Answer {
        status,
        headers,
        body: Bytes::copy_from_slice(body.as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDED: &str = "--batchresponse_G\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 204 No Content\r\nCONTENT-TYPE: application/json;odata=nometadata;streaming=true;charset=utf-8\r\nETAG: \"2\"\r\n\r\n\r\n--batchresponse_G\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 404 Not Found\r\nCONTENT-TYPE: application/json\r\n\r\n{\"odata.error\":{\"code\":\"-2130575338, System.ArgumentException\",\"message\":{\"value\":\"gone\"}}}\r\n--batchresponse_G--\r\n";

    #[test]
    fn a_flat_answer_is_read_in_order() {
        let all = parts("multipart/mixed; boundary=batchresponse_G", RECORDED).expect("a batch");
        assert_eq!(
            all.iter().map(|answer| answer.status).collect::<Vec<_>>(),
            [204, 404]
        );
        assert_eq!(all[0].header("etag"), Some("\"2\""));
        assert_eq!(
            all[1].refusal(ErrorKind::Rejected).kind(),
            ErrorKind::ItemNotFound
        );
    }

    #[test]
    fn other_line_ends_quoted_boundaries_and_nested_changes_are_read_alike() {
        let unix = RECORDED.replace("\r\n", "\n");
        let all = parts("multipart/mixed; boundary=\"batchresponse_G\"", &unix).expect("a batch");
        assert_eq!(all.len(), 2);
        let nested = format!(
            "--b\r\nContent-Type: multipart/mixed; boundary=batchresponse_G\r\n\r\n{RECORDED}\r\n--b--\r\n"
        );
        assert_eq!(
            parts("multipart/mixed; boundary=b", &nested)
                .expect("a batch")
                .len(),
            2
        );
    }

    #[test]
    fn what_is_no_batch_is_told_and_not_taken_for_an_empty_one() {
        assert!(parts("text/html", "<html>").is_none());
        assert!(
            parts(
                "multipart/mixed; boundary=b",
                "--b\r\nA: b\r\n\r\nno HTTP\r\n--b--"
            )
            .is_none()
        );
    }

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
