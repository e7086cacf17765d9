//! Signing in by form: SOAP `Login` at `_vti_bin/authentication.asmx`.
//!
//! A wrong password is told inside an answer that says 200, as the service's own does.

use roxmltree::Document;

use super::{COOKIE, cookie, knows, text_in};
use crate::core::Core;
use crate::request::{Answer, Incoming};
use crate::store::Site;

const SOAP: &str = "http://schemas.microsoft.com/sharepoint/soap/";

/// Answers `Login` and `Mode`.
pub fn answer(core: &Core, site: &Site, incoming: &Incoming) -> Answer {
    if incoming.method != http::Method::POST {
        return Answer::empty(405);
    }
    let text = String::from_utf8_lossy(&incoming.body);
    let Ok(document) = Document::parse(text.trim_start_matches('\u{feff}')) else {
        return fault("The request is no SOAP message.");
    };
    let has = |name: &str| {
        document
            .descendants()
            .any(|node| node.tag_name().name() == name)
    };
    if has("Mode") {
        return message(
            "<ModeResponse xmlns=\"",
            "\"><ModeResult>Forms</ModeResult></ModeResponse>",
        );
    }
    if !has("Login") {
        return fault("The message asks for nothing that there is.");
    }
    let seconds = core.options.session_seconds;
    let name = knows(
        core,
        site,
        text_in(&document, "username"),
        text_in(&document, "password"),
    );
    // Clients read all three members before they look at the code.
    let code = if name.is_some() {
        "NoError"
    } else {
        "PasswordNotMatch"
    };
    let result = format!(
        "\"><LoginResult><CookieName>{COOKIE}</CookieName><ErrorCode>{code}</ErrorCode><TimeoutSeconds>{seconds}</TimeoutSeconds></LoginResult></LoginResponse>"
    );
    let answer = message("<LoginResponse xmlns=\"", &result);
    match name {
        Some(name) => {
            let value = core.sessions.begin(&name, seconds);
            answer.with("set-cookie", &cookie(COOKIE, &value))
        }
        None => answer,
    }
}

fn message(before: &str, after: &str) -> Answer {
    envelope(200, &format!("{before}{SOAP}{after}"))
}

fn fault(reason: &str) -> Answer {
    let body = format!(
        "<soap:Fault><faultcode>soap:Client</faultcode><faultstring>{reason}</faultstring></soap:Fault>"
    );
    envelope(500, &body)
}

fn envelope(status: u16, body: &str) -> Answer {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>{body}</soap:Body></soap:Envelope>"
    );
    Answer::text(status, "text/xml; charset=utf-8", text)
}
