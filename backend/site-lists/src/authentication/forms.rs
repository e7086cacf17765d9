//! `Forms`: user name and password of the site's own membership, sent to its `authentication.asmx`,
//! which sets a cookie.
//!
//! The service responds with 200 to a wrong password too, so its `ErrorCode` decides (MS-AUTHWS).

use std::time::Duration;

use async_trait::async_trait;
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::authenticator::{SendResult, Sender};
use super::cookies::{CookieAuthenticator, CookieSignIn, Session, cookies_of, post};
use super::credentials::qualified_credentials;
use super::password_guard::PasswordGuard;
use super::xml::{element_text, escape_text};
use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};
use crate::response::SiteResponse;

/// How long a session holds where the service does not say.
const USUAL: Duration = Duration::from_secs(1_800);

pub(super) struct Login {
    service: Url,
    username: String,
    password: SecretString,
}

pub(super) fn forms(connection: &SiteConnection, site: &Url) -> Result<CookieAuthenticator<Login>> {
    let (username, password) = qualified_credentials(connection)?;
    let mut service = site.clone();
    service.set_path("/_vti_bin/authentication.asmx");
    Ok(CookieAuthenticator::new(Login {
        service,
        username,
        password,
    }))
}

#[async_trait]
impl CookieSignIn for Login {
    async fn sign_in(&self, guard: &PasswordGuard, sender: Sender<'_>) -> SendResult<Session> {
        let body = format!(
            r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><Login xmlns="http://schemas.microsoft.com/sharepoint/soap/"><username>{}</username><password>{}</password></Login></soap:Body></soap:Envelope>"#,
            escape_text(&self.username),
            escape_text(self.password.expose_secret()),
        );
        let request = post(&self.service, "text/xml; charset=utf-8", body);
        let mut request = request.ok_or_else(|| unexpected_error("has no address"))?;
        request.headers_mut().insert(
            "soapaction",
            HeaderValue::from_static("\"http://schemas.microsoft.com/sharepoint/soap/Login\""),
        );
        let response = sender.send(request).await?;
        if SiteResponse::from_http(&response).is_throttled() || !response.status().is_success() {
            return Err(SiteResponse::from_http(&response)
                .to_error(ErrorKind::NotSupported)
                .into());
        }
        let body = response.body();
        match element_text(body, "ErrorCode").as_deref() {
            Some("NoError") => {}
            Some("PasswordNotMatch") => return Err(guard.reject("").into()),
            Some("NotInFormsAuthenticationMode") => {
                return Err(SiteError::new(
                    ErrorKind::SignInRefused,
                    "The site does not sign in by forms.",
                )
                .with_hint("Choose another authentication type, e.g. NTLM or Negotiate.")
                .into());
            }
            Some(other) => return Err(unexpected_error(&format!("refuses with {other}")).into()),
            None => return Err(unexpected_error("answers in no way that is known").into()),
        }
        let cookies =
            cookies_of(response.headers()).ok_or_else(|| unexpected_error("gives no cookie"))?;
        let holds = element_text(body, "TimeoutSeconds")
            .and_then(|text| text.parse().ok())
            .map_or(USUAL, Duration::from_secs);
        Ok(Session::new(&cookies, holds)?)
    }
}

fn unexpected_error(what: &str) -> SiteError {
    SiteError::new(
        ErrorKind::UnexpectedResponse,
        format!("The site's sign-in service {what}."),
    )
    .with_hint("Does the URL lead to a site that signs in by forms?")
}
