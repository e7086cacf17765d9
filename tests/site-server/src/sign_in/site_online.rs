//! The legacy sign-in of SiteOnline: a token service that takes a name and a password, and a page
//! that takes its token for cookies. The real one is blocked; farms and emulators still speak it.

use jiff::SignedDuration;
use roxmltree::Document;
use serde_json::json;

use super::{COOKIE, cookie, knows, text_in};
use crate::clock;
use crate::core::Core;
use crate::odata::query::Query;
use crate::request::{Answer, Incoming};
use crate::store::Site;

/// How a token begins; what follows is who it was issued to, signed by nobody: only this server
/// takes it.
const TOKEN: &str = "t=EwAAA+";

/// Answers one of the addresses.
pub fn answer(core: &Core, site: &Site, incoming: &Incoming, path: &str) -> Answer {
    if path.ends_with("/getuserrealm.srf") {
        return realm(incoming);
    }
    if path.ends_with("/extsts.srf") {
        return token_service(core, site, incoming);
    }
    if incoming.method == http::Method::POST {
        return cookies(core, incoming);
    }
    let page = "<!DOCTYPE html><html lang=\"en\"><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Programs sign in with a SOAP message to <code>/_vti_bin/authentication.asmx</code>.</p></body></html>";
    Answer::text(200, "text/html; charset=utf-8", page.to_owned())
}

/// Says that names of this directory are managed here.
fn realm(incoming: &Incoming) -> Answer {
    let form = Query::read(&String::from_utf8_lossy(&incoming.body));
    let query = incoming.read_query();
    let login = form.get("login").or_else(|| query.get("login"));
    let body = json!({"State": 3, "UserState": 2, "Login": login.unwrap_or_default(),
        "NameSpaceType": "Managed", "DomainName": crate::store::person::DOMAIN,
        "CloudInstanceName": "local"});
    Answer::json(200, "application/json; charset=utf-8", &body)
}

fn token_service(core: &Core, site: &Site, incoming: &Incoming) -> Answer {
    let text = String::from_utf8_lossy(&incoming.body);
    let Ok(document) = Document::parse(text.trim_start_matches('\u{feff}')) else {
        return failed("S:Sender", "The request is no SOAP message.", "0x80048820");
    };
    let Some(name) = knows(
        core,
        site,
        text_in(&document, "Username"),
        text_in(&document, "Password"),
    ) else {
        return failed(
            "wst:FailedAuthentication",
            "The entered and stored passwords do not match.",
            "0x80048821",
        );
    };
    let value = core.sessions.begin(&name, core.options.session_seconds);
    let now = clock::now();
    let ends = clock::written(now + SignedDuration::from_hours(24));
    envelope(
        200,
        &format!(
            "<wst:RequestSecurityTokenResponse xmlns:wst=\"http://schemas.xmlsoap.org/ws/2005/02/trust\"><wst:TokenType>urn:passport:compact</wst:TokenType><wst:Lifetime><wsu:Created xmlns:wsu=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\">{}</wsu:Created><wsu:Expires xmlns:wsu=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\">{ends}</wsu:Expires></wst:Lifetime><wst:RequestedSecurityToken><wsse:BinarySecurityToken xmlns:wsse=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\" Id=\"Compact0\">{TOKEN}{value}&amp;p=</wsse:BinarySecurityToken></wst:RequestedSecurityToken></wst:RequestSecurityTokenResponse>",
            clock::written(now)
        ),
    )
}

/// Takes a token of the token service for the cookies of a session.
fn cookies(core: &Core, incoming: &Incoming) -> Answer {
    let text = String::from_utf8_lossy(&incoming.body);
    let value = text.trim().strip_prefix(TOKEN);
    let value = value.map(|rest| rest.split('&').next().unwrap_or(rest).to_owned());
    let known = value.filter(|value| {
        let mut asked = incoming.clone();
        if let Ok(header) = http::HeaderValue::from_str(&format!("{COOKIE}={value}")) {
            asked.headers.insert("cookie", header);
        }
        matches!(core.sessions.named_in(&asked), Some(Some(_)))
    });
    let Some(value) = known else {
        return Answer::text(403, "text/plain", "The token is not known.".to_owned());
    };
    let mut answer = Answer::empty(302).with("location", "/");
    for (name, value) in [("rtFa", value.as_str()), (COOKIE, &value)] {
        if let Ok(value) = http::HeaderValue::from_str(&cookie(name, value)) {
            answer.headers.append("set-cookie", value);
        }
    }
    answer
}

fn failed(code: &str, reason: &str, number: &str) -> Answer {
    envelope(
        200,
        &format!(
            "<S:Fault><S:Code><S:Value>S:Sender</S:Value><S:Subcode><S:Value>{code}</S:Value></S:Subcode></S:Code><S:Reason><S:Text xml:lang=\"en-US\">Authentication Failure</S:Text></S:Reason><S:Detail><psf:error xmlns:psf=\"http://schemas.microsoft.com/Passport/SoapServices/SOAPFault\"><psf:value>0x80048800</psf:value><psf:internalerror><psf:code>{number}</psf:code><psf:text>{reason}</psf:text></psf:internalerror></psf:error></S:Detail></S:Fault>"
        ),
    )
}

fn envelope(status: u16, body: &str) -> Answer {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" ?><S:Envelope xmlns:S=\"http://www.w3.org/2003/05/soap-envelope\"><S:Body>{body}</S:Body></S:Envelope>"
    );
    Answer::text(status, "application/soap+xml; charset=utf-8", text)
}
