//! A response of a site, whole or a part of a batch, and what its errors mean: SharePoint's
//! `odata.error`, its verbose `error`, its Atom, and Graph's `error`.
//!
//! Invariant: error codes decide, never messages, which a site translates into its language.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::Value;

use crate::error::{ErrorKind, Result, SiteError};
use crate::rate_limiter;
use crate::transport::Response;

/// SharePoint's error codes.
const ITEM_IS_GONE: i64 = -2_130_575_338;
const LIST_VIEW_THRESHOLD: i64 = -2_147_024_860;
const LOOKUP_THRESHOLD: i64 = -2_147_024_749;
const DUPLICATE_VALUE: i64 = -2_130_575_169;
const VALIDATION_FAILED: i64 = -2_130_575_162;
const SAVE_CONFLICT: [i64; 2] = [-2_130_575_305, -2_130_246_326];
/// An exception with a sentence of its own: a user that is not there, a date in another form.
const EXCEPTION: i64 = -2_146_232_832;
/// What lists refuse with, and among it the one that says nothing.
const LISTS: std::ops::RangeInclusive<i64> = -2_130_575_999..=-2_130_575_000;
const TRY_AGAIN: i64 = -2_130_575_340;
const DIGEST_EXPIRED: [i64; 2] = [-2_130_575_251, -2_130_575_252];

/// A response that was read to its end.
#[derive(Clone, Debug)]
pub(crate) struct SiteResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The body of an error.
#[derive(Debug, Default, PartialEq)]
struct ErrorBody {
    code: Option<String>,
    message: Option<String>,
    request_id: Option<String>,
}

impl SiteResponse {
    pub(crate) fn from_http(response: &Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.body().clone(),
        }
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the site throttles: 429, 503, and at times 401 with a body that speaks of 429
    /// (sp-dev-docs#2547).
    pub(crate) fn is_throttled(&self) -> bool {
        match self.status {
            429 | 503 => true,
            401 => {
                let start = &self.body[..self.body.len().min(2_000)];
                String::from_utf8_lossy(start)
                    .to_ascii_uppercase()
                    .contains("429 TOO MANY REQUESTS")
            }
            _ => false,
        }
    }

    /// Whether the form digest was missing, wrong or too old.
    pub(crate) fn rejects_digest(&self) -> bool {
        self.status == 403
            && self
                .to_error(ErrorKind::Rejected)
                .service_number()
                .is_some_and(|code| DIGEST_EXPIRED.contains(&code))
    }

    /// Whether two writers met, and trying again may help.
    pub(crate) fn is_save_conflict(&self) -> bool {
        self.status == 409
            || (self.status >= 400
                && self
                    .to_error(ErrorKind::Rejected)
                    .service_number()
                    .is_some_and(|code| SAVE_CONFLICT.contains(&code)))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The response where it is a success; a 404 is an error of the kind `missing`.
    pub(crate) fn error_for_status(self, missing: ErrorKind) -> Result<Self> {
        if self.is_success() {
            Ok(self)
        } else {
            Err(self.to_error(missing))
        }
    }

    /// The JSON of a success.
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let kind = self.header("content-type").unwrap_or("no type");
            let message =
                format!("The site's answer cannot be read: {error} (it is of the type {kind}).");
            self.with_trace(SiteError::new(ErrorKind::UnexpectedResponse, message))
                .with_hint(
                    "Does the URL lead to the site itself, and not to a sign-in page or a proxy?",
                )
        })
    }

    /// The error for a response that is well-formed and violates the protocol.
    pub(crate) fn unexpected_error(&self, what: &str) -> SiteError {
        let message = format!("The site's answer {what}.");
        self.with_trace(SiteError::new(ErrorKind::UnexpectedResponse, message))
    }

    fn with_trace(&self, mut error: SiteError) -> SiteError {
        let id = ["request-id", "sprequestguid", "x-ms-request-id"]
            .iter()
            .find_map(|name| self.header(name));
        error = error.with_status(self.status);
        if let Some(id) = id {
            error = error.with_request_id(id);
        }
        error
    }

    /// The error of an unsuccessful response; a 404 is of the kind `missing`.
    pub(crate) fn to_error(&self, missing: ErrorKind) -> SiteError {
        let error_body = parse_error_body(&self.body);
        let kind = self.error_kind(&error_body, missing);
        let status = StatusCode::from_u16(self.status)
            .ok()
            .and_then(|status| status.canonical_reason())
            .map_or_else(
                || self.status.to_string(),
                |reason| format!("{} {reason}", self.status),
            );
        let message = match &error_body.message {
            Some(message) => format!("The site answered {status}: {message}"),
            None => format!("The site answered {status}."),
        };
        let mut error = self.with_trace(SiteError::new(kind, message));
        if let Some(code) = error_body.code {
            error = error.with_service_code(code);
        }
        if let (None, Some(id)) = (error.request_id(), error_body.request_id) {
            error = error.with_request_id(id);
        }
        if let Some(backoff) = rate_limiter::requested_backoff(&self.headers) {
            error = error.with_retry_after(backoff);
        }
        match hint(kind) {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    fn error_kind(&self, error_body: &ErrorBody, missing: ErrorKind) -> ErrorKind {
        let code = error_body.code.as_deref().unwrap_or_default();
        let number: Option<i64> = code
            .split(',')
            .next()
            .and_then(|number| number.trim().parse().ok());
        match number {
            Some(ITEM_IS_GONE) => return ErrorKind::ItemNotFound,
            Some(LIST_VIEW_THRESHOLD) => return ErrorKind::ListViewThreshold,
            Some(LOOKUP_THRESHOLD) => return ErrorKind::LookupThreshold,
            Some(DUPLICATE_VALUE) => return ErrorKind::Duplicate,
            Some(VALIDATION_FAILED) => return ErrorKind::InvalidValue,
            Some(code) if SAVE_CONFLICT.contains(&code) => return ErrorKind::Conflict,
            _ => {}
        }
        if code.contains("InvalidClientQueryException") {
            return ErrorKind::QueryRefused;
        }
        match (self.status, code) {
            _ if self.is_throttled() => ErrorKind::Throttled,
            (_, "activityLimitReached") => ErrorKind::Throttled,
            (_, "itemNotFound") | (404 | 410, _) => missing,
            (_, "nameAlreadyExists") => ErrorKind::Duplicate,
            (401, _) => ErrorKind::SignInRefused,
            (403, _) => ErrorKind::Forbidden,
            (409 | 412, _) => ErrorKind::Conflict,
            (300..=399, _) => ErrorKind::UnexpectedResponse,
            (500..=599, _) if !number.is_some_and(is_list_error) => ErrorKind::Failed,
            _ => ErrorKind::Rejected,
        }
    }
}

/// Whether a number says that SharePoint does not take the request, although it answers 500: those
/// of its lists, and the one of its own exceptions. All others are errors inside the site.
fn is_list_error(number: i64) -> bool {
    number == EXCEPTION || (LISTS.contains(&number) && number != TRY_AGAIN)
}

fn hint(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::SignInRefused => {
            "Check user name, password, domain and authentication type. It was tried once, so that no account is locked out."
        }
        ErrorKind::Forbidden => "Ask an administrator of the site for the right to do this.",
        ErrorKind::ListViewThreshold => {
            "Let an administrator of the site index the column that is filtered by."
        }
        ErrorKind::Conflict => "Read the item again and repeat the change.",
        ErrorKind::UnexpectedResponse => {
            "Does the URL lead to the site itself, and not to a sign-in page or a proxy?"
        }
        ErrorKind::SiteNotFound => "Check the URL of the site.",
        ErrorKind::ListNotFound => "Check the title of the list, and that the account may see it.",
        _ => return None,
    })
}

fn parse_error_body(body: &[u8]) -> ErrorBody {
    if let Ok(json) = serde_json::from_slice::<Value>(body) {
        return parse_json_error(&json);
    }
    let text = String::from_utf8_lossy(body);
    let element = |tag: &str| -> Option<String> {
        let (_, rest) = text.split_once(&format!("<m:{tag}"))?;
        let (_, rest) = rest.split_once('>')?;
        let (element, _) = rest.split_once('<')?;
        (!element.trim().is_empty()).then(|| element.trim().to_owned())
    };
    ErrorBody {
        code: element("code"),
        message: element("message"),
        request_id: None,
    }
}

fn parse_json_error(json: &Value) -> ErrorBody {
    let error = json
        .get("odata.error")
        .or_else(|| json.get("error"))
        .unwrap_or(json);
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let message = error.get("message");
    let inner = error.get("innerError").or_else(|| error.get("innererror"));
    ErrorBody {
        code: text(error.get("code")),
        message: text(message)
            .or_else(|| text(message.and_then(|message| message.get("value"))))
            // OAuth's shape, which proxies of a site answer with.
            .or_else(|| text(json.get("error_description"))),
        request_id: text(inner.and_then(|inner| inner.get("request-id"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, body: &str) -> SiteResponse {
        SiteResponse {
            status,
            headers: HeaderMap::new(),
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    fn error_kind(status: u16, body: &str) -> ErrorKind {
        response(status, body)
            .to_error(ErrorKind::ItemNotFound)
            .kind()
    }

    #[test]
    fn numbers_decide_and_not_the_language_of_the_site() {
        let body = |code: &str| {
            format!(
                r#"{{"odata.error":{{"code":"{code}","message":{{"lang":"de-DE","value":"Nein."}}}}}}"#
            )
        };
        for (status, code, wanted) in [
            (
                500,
                "-2147024860, Microsoft.SharePoint.SPQueryThrottledException",
                ErrorKind::ListViewThreshold,
            ),
            (
                500,
                "-2147024749, Microsoft.SharePoint.SPQueryThrottledException",
                ErrorKind::LookupThreshold,
            ),
            (
                500,
                "-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException",
                ErrorKind::Duplicate,
            ),
            (
                404,
                "-2130575338, System.ArgumentException",
                ErrorKind::ItemNotFound,
            ),
            (
                412,
                "-1, Microsoft.SharePoint.Client.ClientServiceException",
                ErrorKind::Conflict,
            ),
            (
                409,
                "-2130575305, Microsoft.SharePoint.SPException",
                ErrorKind::Conflict,
            ),
            (
                400,
                "-1, Microsoft.SharePoint.Client.InvalidClientQueryException",
                ErrorKind::QueryRefused,
            ),
        ] {
            assert_eq!(error_kind(status, &body(code)), wanted, "{code}");
        }
    }

    #[test]
    fn an_error_inside_the_site_is_told_from_a_refusal() {
        let body = |code: &str| {
            format!(
                r#"{{"error":{{"code":"{code}","message":{{"value":"Something went wrong."}}}}}}"#
            )
        };
        for code in [
            "-1, Microsoft.SharePoint.Client.UnknownError",
            "-2147467259, Microsoft.SharePoint.SPException",
            "-2130575340, Microsoft.SharePoint.SPException",
            "generalException",
            "",
        ] {
            let mut failed = response(500, &body(code));
            let id = http::HeaderValue::from_static("5d2e-correlation");
            failed.headers.insert("sprequestguid", id);
            let error = failed.to_error(ErrorKind::ItemNotFound);
            assert_eq!(error.kind(), ErrorKind::Failed, "{code}");
            assert_eq!(error.request_id(), Some("5d2e-correlation"));
        }
        assert_eq!(
            error_kind(500, "<html>Runtime Error</html>"),
            ErrorKind::Failed
        );
        for code in [
            "-2146232832, Microsoft.SharePoint.SPException",
            "-2130575155, Microsoft.SharePoint.SPException",
        ] {
            assert_eq!(error_kind(500, &body(code)), ErrorKind::Rejected, "{code}");
        }
    }

    #[test]
    fn every_shape_of_an_error_is_understood() {
        for body in [
            r#"{"odata.error":{"code":"-1, X","message":{"lang":"en-US","value":"No."}}}"#,
            r#"{"error":{"code":"-1, X","message":{"lang":"en-US","value":"No."}}}"#,
            r#"{"error":{"code":"-1, X","message":"No.","innerError":{"request-id":"r"}}}"#,
            r#"<?xml version="1.0"?><m:error xmlns:m="x"><m:code>-1, X</m:code><m:message xml:lang="en-US">No.</m:message></m:error>"#,
        ] {
            let error = response(500, body).to_error(ErrorKind::ItemNotFound);
            assert_eq!(error.service_code(), Some("-1, X"), "{body}");
            assert!(error.to_string().ends_with(": No."), "{error}");
        }
        let graph =
            r#"{"error":{"code":"itemNotFound","message":"x","innerError":{"request-id":"abc"}}}"#;
        let error = response(404, graph).to_error(ErrorKind::ListNotFound);
        assert_eq!(
            (error.kind(), error.request_id()),
            (ErrorKind::ListNotFound, Some("abc"))
        );
        assert_eq!(
            error_kind(400, "<html><body>Bad Request</body></html>"),
            ErrorKind::Rejected
        );
    }

    #[test]
    fn a_401_that_speaks_of_429_is_throttling_and_no_wrong_password() {
        assert_eq!(
            error_kind(401, "429 TOO MANY REQUESTS"),
            ErrorKind::Throttled
        );
        assert_eq!(error_kind(401, "{}"), ErrorKind::SignInRefused);
    }

    #[test]
    fn an_expired_form_digest_is_told_from_a_missing_right() {
        let expired = r#"{"odata.error":{"code":"-2130575251, Microsoft.SharePoint.SPException","message":{"value":"x"}}}"#;
        assert!(response(403, expired).rejects_digest());
        let forbidden = r#"{"odata.error":{"code":"-2147024891, System.UnauthorizedAccessException","message":{"value":"x"}}}"#;
        assert!(!response(403, forbidden).rejects_digest());
        assert_eq!(error_kind(403, forbidden), ErrorKind::Forbidden);
    }
}
