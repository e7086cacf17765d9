//! The body of a SharePoint `$batch`, in every way in which real clients write it: line ends with
//! or without CR, a MIME preamble before the first boundary, quoted boundaries, folded headers,
//! `Name:value` without a space, changesets. And the answer, in the one way that clients read.

use http::{HeaderMap, HeaderName, HeaderValue, Method};

use crate::request::Answer;

/// One request of a batch.
#[derive(Clone, Debug)]
pub struct Part {
    pub method: Method,
    /// As it was written: an absolute address, mostly.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// How deep changesets may lie in each other.
const DEEPEST: usize = 3;

/// The requests of a batch in order, those of changesets among them.
///
/// `None` when the body is no batch.
#[must_use]
pub fn read(content_type: &str, body: &[u8]) -> Option<Vec<Part>> {
    let text = std::str::from_utf8(body).ok()?;
    let boundary = boundary_of(content_type).or_else(|| first_boundary(text))?;
    let mut parts = Vec::new();
    read_parts(text, &boundary, &mut parts, 0)?;
    Some(parts)
}

fn boundary_of(content_type: &str) -> Option<String> {
    let at = content_type.to_ascii_lowercase().find("boundary=")?;
    let value = content_type[at + "boundary=".len()..].trim_start();
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value.split([';', ' ', '\r', '\n']).next()?,
    };
    (!value.is_empty()).then(|| value.to_owned())
}

/// Where no header names it, the first line that begins like one does.
fn first_boundary(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("--"))?;
    Some(line.trim_end()[2..].to_owned())
}

fn read_parts(text: &str, boundary: &str, parts: &mut Vec<Part>, depth: usize) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    let opening = format!("--{boundary}");
    let closing = format!("--{boundary}--");
    let mut begins = None;
    let mut at = 0;
    let mut closed = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if bare == opening || bare == closing {
            if let Some(from) = begins {
                read_part(&text[from..at], parts, depth)?;
            }
            begins = Some(at + line.len());
            if bare == closing {
                closed = true;
                break;
            }
        }
        at += line.len();
    }
    closed.then_some(())
}

fn read_part(text: &str, parts: &mut Vec<Part>, depth: usize) -> Option<()> {
    let (headers, rest) = headers_of(text)?;
    let content_type = headers.get("content-type").and_then(|it| it.to_str().ok());
    let content_type = content_type.unwrap_or("application/http");
    if content_type
        .to_ascii_lowercase()
        .starts_with("multipart/mixed")
    {
        return read_parts(rest, &boundary_of(content_type)?, parts, depth + 1);
    }
    let request = rest.trim_start_matches(['\r', '\n']);
    let (line, rest) = request.split_once('\n')?;
    // An address may hold spaces that its writer did not encode: the words at both ends count.
    let (method, target) = line.trim_end().split_once(' ')?;
    let target = target
        .rsplit_once(" HTTP/")
        .map_or(target, |(target, _)| target);
    let (headers, body) = headers_of(rest)?;
    parts.push(Part {
        method: Method::from_bytes(method.as_bytes()).ok()?,
        target: target.trim().replace(' ', "%20"),
        headers,
        body: body.trim().as_bytes().to_vec(),
    });
    Some(())
}

/// The headers at the beginning of a text, and what follows the empty line behind them.
fn headers_of(text: &str) -> Option<(HeaderMap, &str)> {
    let mut lines: Vec<String> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim_end();
        if bare.is_empty() {
            break;
        }
        match lines.last_mut() {
            Some(last) if line.starts_with([' ', '\t']) => {
                last.push(' ');
                last.push_str(bare.trim_start());
            }
            _ => lines.push(bare.to_owned()),
        }
    }
    let mut headers = HeaderMap::new();
    for line in &lines {
        let (name, value) = line.split_once(':')?;
        let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
        headers.insert(name, HeaderValue::from_str(value.trim()).ok()?);
    }
    Some((headers, &text[at..]))
}

/// The answers as one body, flat and in order, with the boundary that clients look for.
#[must_use]
pub fn written(answers: &[Answer], id: &str) -> (String, Vec<u8>) {
    let boundary = format!("batchresponse_{id}");
    let mut out = Vec::new();
    for answer in answers {
        let reason = http::StatusCode::from_u16(answer.status);
        let reason = reason
            .ok()
            .and_then(|it| it.canonical_reason())
            .unwrap_or("Unknown");
        out.extend(format!("--{boundary}\r\n").bytes());
        out.extend(b"Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n");
        out.extend(format!("HTTP/1.1 {} {reason}\r\n", answer.status).bytes());
        for (name, value) in &answer.headers {
            // A value with a colon would be dropped by a client that splits at each of them.
            out.extend(name.as_str().to_ascii_uppercase().bytes());
            out.extend(b": ");
            out.extend(value.as_bytes());
            out.extend(b"\r\n");
        }
        out.extend(b"\r\n");
        out.extend(&answer.body);
        out.extend(b"\r\n");
    }
    out.extend(format!("--{boundary}--\r\n").bytes());
    (format!("multipart/mixed; boundary={boundary}"), out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_end_without_cr_and_changesets_are_flat() {
        let body = "--batch_1\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\nGET http://h/_api/web HTTP/1.1\naccept: application/json\n\n--batch_1\nContent-Type: multipart/mixed; boundary=\"changeset_2\"\n\n--changeset_2\nContent-Type: application/http\n\nPOST http://h/_api/x HTTP/1.1\ncontent-type: application/json\n\n{\"a\":1}\n\n--changeset_2--\n\n--batch_1--\n";
        let parts = read("multipart/mixed; boundary=batch_1", body.as_bytes()).expect("a batch");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].target, "http://h/_api/web");
        assert_eq!(parts[1].body, b"{\"a\":1}");
    }

    #[test]
    fn a_preamble_quotes_and_folded_headers_are_understood() {
        let body = "Content-Type: multipart/mixed;\n boundary=\"batch_1\"\nMIME-Version: 1.0\n\n--batch_1\r\nContent-Type: multipart/mixed;\r\n boundary=\"cs\"\r\n\r\n--cs\r\nContent-Type:application/http\r\n\r\nPOST http://h/_api/web/lists/GetByTitle('a b') HTTP/1.1\r\nAccept:application/json\r\nX-RequestDigest:0x1\r\n\r\n{}\r\n--cs--\r\n--batch_1--\r\n";
        let parts = read("multipart/mixed; boundary=batch_1", body.as_bytes()).expect("a batch");
        assert_eq!(
            parts[0].target,
            "http://h/_api/web/lists/GetByTitle('a%20b')"
        );
        assert_eq!(parts[0].headers["x-requestdigest"], "0x1");
        assert!(read("multipart/mixed", body.as_bytes()).is_some());
    }

    #[test]
    fn a_batch_that_is_cut_off_is_none() {
        let body = "--b\nContent-Type: application/http\n\nGET http://h/ HTTP/1.1\n\n";
        assert!(read("multipart/mixed; boundary=b", body.as_bytes()).is_none());
        assert!(read("multipart/mixed; boundary=other", body.as_bytes()).is_none());
        assert!(read("application/json", b"{}").is_none());
    }

    #[test]
    fn the_answer_ends_as_clients_expect() {
        let (content_type, body) = written(&[Answer::empty(204).with("etag", "\"2\"")], "7");
        let body = String::from_utf8(body).expect("text");
        assert_eq!(content_type, "multipart/mixed; boundary=batchresponse_7");
        assert!(
            body.contains("HTTP/1.1 204 No Content\r\nETAG: \"2\"\r\n\r\n"),
            "{body}"
        );
        assert!(body.ends_with("--batchresponse_7--\r\n"), "{body}");
    }
}
