//! `SiteOnline` without tokens: the sign-in with user name and password (WS-Trust) that the hosted
//! service switched off in 2026, for farms and emulators that still have a token service.
//!
//! Invariant: without a token service nothing is sent.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::authenticator::{SendResult, Sender};
use super::cookies::{CookieAuthenticator, CookieSignIn, Session, cookies_of, post};
use super::credentials::credentials;
use super::password_guard::PasswordGuard;
use super::xml::{element_text, escape_text};
use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};
use crate::response::SiteResponse;
use crate::transport::Request;

/// How long such a session is taken to hold.
const HOLDS: Duration = Duration::from_secs(3_600);

/// The former dialogue: a token for user name and password, cookies for the token.
pub(super) struct Tokens {
    service: Url,
    site: Url,
    username: String,
    password: SecretString,
}

/// The error where there are neither tokens nor a former token service.
pub(super) fn unavailable_error() -> SiteError {
    SiteError::new(
        ErrorKind::NotSupported,
        "The hosted service no longer signs in with a user name and a password: that was blocked on 16 February 2026 and cannot be switched on again.",
    )
    .with_field("AuthenticationType")
    .with_hint("Use a service connection: a person agrees once (OAuth), or an app signs in with its certificate. For a farm that still speaks the former dialogue an administrator names its TokenService in a service connection. Nothing was sent.")
}

pub(super) fn legacy_site_online(
    connection: &SiteConnection,
    site: &Url,
    service: &Url,
) -> Result<CookieAuthenticator<Tokens>> {
    let (username, password) = credentials(connection)?;
    Ok(CookieAuthenticator::new(Tokens {
        service: service.clone(),
        site: site.clone(),
        username: username.to_owned(),
        password: password.clone(),
    }))
}

#[async_trait]
impl CookieSignIn for Tokens {
    async fn sign_in(&self, guard: &PasswordGuard, sender: Sender<'_>) -> SendResult<Session> {
        let realm = self.site.origin().ascii_serialization();
        let response = sender.send(self.token_request(&realm)?).await?;
        let body = response.body();
        let Some(token) =
            element_text(body, "BinarySecurityToken").filter(|token| !token.is_empty())
        else {
            let reason = element_text(body, "text").or_else(|| element_text(body, "Text"));
            let site_response = SiteResponse::from_http(&response);
            if reason.is_some() {
                return Err(guard.reject(&reason.unwrap_or_default()).into());
            }
            return Err(site_response.to_error(ErrorKind::NotSupported).into());
        };
        let mut page = self.site.clone();
        page.set_path("/_forms/default.aspx");
        page.set_query(Some("wa=wsignin1.0"));
        let request = post(&page, "application/x-www-form-urlencoded", token);
        let request = request.ok_or_else(|| unexpected_error("has no address"))?;
        let response = sender.send(request).await?;
        let cookies = cookies_of(response.headers())
            .filter(|all| all.contains("FedAuth="))
            .ok_or_else(|| unexpected_error("gives no cookie for the token"))?;
        Ok(Session::new(&cookies, HOLDS)?)
    }
}

impl Tokens {
    fn token_request(&self, realm: &str) -> Result<Request> {
        let body = format!(
            r#"<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://www.w3.org/2005/08/addressing" xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"><s:Header><a:Action s:mustUnderstand="1">http://schemas.xmlsoap.org/ws/2005/02/trust/RST/Issue</a:Action><a:ReplyTo><a:Address>http://www.w3.org/2005/08/addressing/anonymous</a:Address></a:ReplyTo><a:To s:mustUnderstand="1">{service}</a:To><o:Security s:mustUnderstand="1" xmlns:o="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"><o:UsernameToken><o:Username>{username}</o:Username><o:Password>{password}</o:Password></o:UsernameToken></o:Security></s:Header><s:Body><t:RequestSecurityToken xmlns:t="http://schemas.xmlsoap.org/ws/2005/02/trust"><wsp:AppliesTo xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy"><a:EndpointReference><a:Address>{realm}</a:Address></a:EndpointReference></wsp:AppliesTo><t:KeyType>http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey</t:KeyType><t:RequestType>http://schemas.xmlsoap.org/ws/2005/02/trust/Issue</t:RequestType><t:TokenType>urn:oasis:names:tc:SAML:1.0:assertion</t:TokenType></t:RequestSecurityToken></s:Body></s:Envelope>"#,
            service = escape_text(self.service.as_str()),
            username = escape_text(&self.username),
            password = escape_text(self.password.expose_secret()),
            realm = escape_text(realm),
        );
        let request = post(&self.service, "application/soap+xml; charset=utf-8", body);
        request.ok_or_else(|| unexpected_error("has no address"))
    }
}

fn unexpected_error(what: &str) -> SiteError {
    SiteError::new(
        ErrorKind::UnexpectedResponse,
        format!("The site's sign-in {what}."),
    )
    .with_hint("Does the site still speak the former sign-in dialogue?")
}
