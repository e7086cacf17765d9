//! Serves the built control: its permanent URL, and the hashed files that it loads.
//!
//! A name is looked up in a table of files inside the program (`embedded`), so there are no paths to
//! traverse. Files are compressed at build time.

use axum::extract::Path;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::embedded::{File, embedded};
use super::entity_tag::accepts;
use super::problem;

const CROSS_ORIGIN: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// `GET /control/{file}`.
pub async fn control(Path(name): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    match embedded().control.iter().find(|file| file.name == name) {
        Some(file) => {
            let mut response = respond(file, &headers);
            // Pages of other origins that isolate themselves may still load the control.
            response
                .headers_mut()
                .insert(CROSS_ORIGIN, HeaderValue::from_static("cross-origin"));
            response
        }
        None => problem::not_found(uri).await.into_response(),
    }
}

/// The name of the control's style sheet, for pages that are rendered here.
#[must_use]
pub fn style_sheet() -> Option<&'static str> {
    embedded()
        .control
        .iter()
        .map(|file| file.name)
        .find(|name| name.ends_with(".css"))
}

/// The control's styles, for what is rendered here with them inside.
#[must_use]
pub fn styles() -> &'static str {
    let mut sheets = embedded()
        .control
        .iter()
        .filter(|file| file.name.ends_with(".css"));
    let sheet = sheets.next().map_or(&[][..], |file| file.plain);
    std::str::from_utf8(sheet).unwrap_or_default()
}

/// A file in the best form that the client takes, or `304`.
pub fn respond(file: &'static File, asked: &HeaderMap) -> Response {
    let (body, encoding) = match choose_encoding(file, asked) {
        Encoding::Brotli(body) => (body, Some("br")),
        Encoding::Gzip(body) => (body, Some("gzip")),
        Encoding::Plain => (file.plain, None),
    };
    let lasts = if file.immutable {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };

    let mut headers = HeaderMap::new();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasts));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if add_tag(&mut headers, file.sha256, asked) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(file.content_type),
    );
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    (headers, body).into_response()
}

/// Adds the tag of a file, and says whether the client has that file already. The layer `entity_tag`
/// gives each form its own.
pub fn add_tag(headers: &mut HeaderMap, sha256: &str, asked: &HeaderMap) -> bool {
    let tag = format!("\"{sha256}\"");
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    is_known(asked, &tag)
}

/// Whether `If-None-Match` names that tag, weakly compared.
#[must_use]
pub fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let known = asked.get_all(header::IF_NONE_MATCH);
    known
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|entry| {
            let entry = entry.trim();
            entry == "*" || entry.strip_prefix("W/").unwrap_or(entry) == tag
        })
}

enum Encoding {
    Brotli(&'static [u8]),
    Gzip(&'static [u8]),
    Plain,
}

fn choose_encoding(file: &'static File, asked: &HeaderMap) -> Encoding {
    let accepts = |wanted: &str| accepts(asked, wanted);
    match (file.brotli, file.gzip) {
        (Some(body), _) if accepts("br") => Encoding::Brotli(body),
        (_, Some(body)) if accepts("gzip") => Encoding::Gzip(body),
        _ => Encoding::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::super::embedded::{HASHED, embed_two_files};
    use super::*;
    use axum::body::to_bytes;

    static PERMANENT: File = HASHED;
    static LASTING: File = File {
        name: "checklist-control.js",
        content_type: "text/javascript; charset=utf-8",
        immutable: false,
        ..HASHED
    };

    fn asked(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_str(value).expect("a header"),
                )
            })
            .collect()
    }

    fn header_of(response: &Response, name: &str) -> String {
        response
            .headers()
            .get(name)
            .map(|value| value.to_str().expect("text").to_owned())
            .unwrap_or_default()
    }

    #[tokio::test]
    async fn the_best_form_that_the_client_takes_is_sent() {
        for (accept, encoding, body) in [
            ("gzip, deflate, br, zstd", "br", "br"),
            ("gzip", "gzip", "gz"),
            ("br;q=0, gzip;q=0.5", "gzip", "gz"),
            ("identity", "", "plain"),
            ("", "", "plain"),
        ] {
            let response = respond(&PERMANENT, &asked(&[("accept-encoding", accept)]));
            assert_eq!(
                header_of(&response, "content-encoding"),
                encoding,
                "{accept}"
            );
            assert_eq!(header_of(&response, "vary"), "accept-encoding");
            assert_eq!(header_of(&response, "content-type"), "application/wasm");
            let sent = to_bytes(response.into_body(), 100).await.expect("a body");
            assert_eq!(sent, body.as_bytes(), "{accept}");
        }
    }

    #[test]
    fn hashed_files_stay_for_good_and_the_lasting_one_is_asked_for_again() {
        let none = HeaderMap::new();
        assert_eq!(
            header_of(&respond(&PERMANENT, &none), "cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(
            header_of(&respond(&LASTING, &none), "cache-control"),
            "no-cache"
        );
    }

    #[test]
    fn a_known_file_is_not_sent_again() {
        let tag = header_of(&respond(&LASTING, &HeaderMap::new()), "etag");
        assert_eq!(tag, "\"00ff\"");
        for known in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"x\", {tag}"),
            "*".into(),
        ] {
            assert_eq!(
                respond(&LASTING, &asked(&[("if-none-match", &known)])).status(),
                304,
                "{known}"
            );
        }
    }

    #[tokio::test]
    async fn only_names_of_the_table_are_answered() {
        embed_two_files();
        let answer_to = async |name: &str| {
            let uri = Uri::from_static("/control/x");
            control(Path(name.to_owned()), uri, HeaderMap::new()).await
        };
        assert_eq!(answer_to(HASHED.name).await.status(), 200);
        for name in [
            "",
            ".",
            "..",
            "../Cargo.toml",
            "..%2fCargo.toml",
            "/etc/passwd",
            "manifest.json",
            "checklist-control.js\0",
        ] {
            assert_eq!(answer_to(name).await.status(), 404, "{name}");
        }
    }
}
