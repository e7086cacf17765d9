//! Who is signed in, compared with whom the connection names. A successful response is no proof of
//! a sign-in: many sites let anybody read, and some anybody write, without looking at credentials.
//!
//! Invariant: `verify` fails for a site that takes the caller for nobody or for somebody else.

use std::fmt;

use serde_json::Value;
use url::Url;

use crate::account::{Account, is_nobody};
use crate::error::{ErrorKind, Result, SiteError};
use crate::odata_url;
use crate::response::SiteResponse;

/// The user that a site takes the caller for.
///
/// ```
/// use site_lists::CurrentUser;
///
/// let ada = CurrentUser {
///     login: Some("i:0#.w|corp\\ada".to_owned()),
///     name: Some("Ada Admin".to_owned()),
/// };
/// assert_eq!(ada.to_string(), "Ada Admin (i:0#.w|corp\\ada)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrentUser {
    /// The login name: `i:0#.w|corp\ada`. `None` where the site does not say.
    pub login: Option<String>,
    /// The display name, where the site says it.
    pub name: Option<String>,
}

impl fmt::Display for CurrentUser {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, &self.login) {
            (Some(name), Some(login)) => write!(out, "{name} ({login})"),
            (Some(one), None) | (None, Some(one)) => out.write_str(one),
            (None, None) => out.write_str("somebody whom the site does not name"),
        }
    }
}

/// A response to the request for the current user.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UserResponse {
    /// A user and all of its names.
    User(CurrentUser, Vec<String>),
    Anonymous,
    /// The caller may not ask, or the site does not know the request.
    Unavailable,
}

/// The request for the current user, and whom its response has to name.
#[derive(Debug)]
pub(crate) struct SignInCheck {
    user_url: Url,
    site: Url,
    /// Whom the connection names, where its method has a name.
    expected: Option<Account>,
}

impl SignInCheck {
    /// For a site of SharePoint REST.
    pub(crate) fn for_rest(site: &Url, expected: Option<Account>) -> Result<Self> {
        Ok(Self {
            user_url: odata_url::api(site, CURRENT_USER)?,
            site: odata_url::api(site, "web?$select=Id")?,
            expected,
        })
    }

    /// For a site of Microsoft Graph.
    pub(crate) fn for_graph(site: &Url, expected: Option<Account>) -> Result<Self> {
        let mut root = site.clone();
        let version = site.path().split('/').nth(1).unwrap_or_default();
        root.set_path(version);
        Ok(Self {
            user_url: odata_url::join_path(
                &root,
                "me?$select=id,displayName,mail,userPrincipalName",
            )?,
            site: site.clone(),
            expected,
        })
    }

    /// The URL of the current user.
    pub(crate) fn user_url(&self) -> &Url {
        &self.user_url
    }

    /// The URL that is asked for without credentials.
    pub(crate) fn site_url(&self) -> &Url {
        &self.site
    }

    /// The user that a response names; `None` where the site does not say.
    ///
    /// # Errors
    /// It names nobody or somebody else, or is an error.
    pub(crate) fn verify(&self, response: &SiteResponse) -> Result<Option<CurrentUser>> {
        let (user, names) = match parse(response)? {
            UserResponse::Unavailable => return Ok(None),
            UserResponse::Anonymous => {
                return Err(not_signed_in(
                    "The site answers and knows the caller as nobody: it has not taken the credentials.",
                ));
            }
            UserResponse::User(user, names) => (user, names),
        };
        match &self.expected {
            Some(expected) if !expected.is_one_of(&names) => Err(other_user(&user, expected)),
            _ => Ok(Some(user)),
        }
    }
}

/// The current user, below `_api`.
pub(crate) const CURRENT_USER: &str = "web/currentuser";

/// The error for a site that lets anybody in.
pub(crate) fn not_signed_in(why: &str) -> SiteError {
    SiteError::new(ErrorKind::NotSignedIn, why).with_hint(
        "Let an administrator of the site switch anonymous access off, or choose the authentication type that the site asks for. Nothing was written.",
    )
}

fn other_user(user: &CurrentUser, expected: &Account) -> SiteError {
    SiteError::new(
        ErrorKind::OtherUser,
        format!("The site takes the caller for {user}, and the connection names {expected}."),
    )
    .with_names(user.login.iter().cloned().collect())
    .with_hint("Look at user name and domain of the connection, and at what signs callers in before the site. Nothing was written.")
}

/// Reads the response of either protocol.
fn parse(response: &SiteResponse) -> Result<UserResponse> {
    match response.status {
        200 => {}
        204 => return Ok(UserResponse::Anonymous),
        // May not be asked by this caller (Graph: by an application), or is not known there.
        400 | 403 | 404 | 405 | 406 | 410 | 500 | 501 => return Ok(UserResponse::Unavailable),
        _ => return Err(response.to_error(ErrorKind::SiteNotFound)),
    }
    if response.body.is_empty() {
        return Ok(UserResponse::Anonymous);
    }
    let body = response.json()?;
    let inner = body.get("d").unwrap_or(&body);
    let user = inner.get("CurrentUser").unwrap_or(inner);
    let text = |name: &str| {
        let text = user.get(name).and_then(Value::as_str).map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let names: Vec<String> = [
        "LoginName",
        "UserPrincipalName",
        "userPrincipalName",
        "Email",
        "mail",
    ]
    .into_iter()
    .filter_map(text)
    .collect();
    let login = text("LoginName").or_else(|| text("userPrincipalName"));
    let login = login.or_else(|| names.first().cloned());
    let Some(login) = login.filter(|login| !is_nobody(login)) else {
        // Somebody of the directory may have no name to sign in with, and has a number there.
        let numbered = user.get("id").is_some_and(Value::is_string);
        return Ok(match text("displayName") {
            Some(name) if numbered => UserResponse::User(
                CurrentUser {
                    login: None,
                    name: Some(name),
                },
                names,
            ),
            _ => UserResponse::Anonymous,
        });
    };
    let name = text("Title").or_else(|| text("displayName"));
    let user = CurrentUser {
        login: Some(login),
        name,
    };
    Ok(UserResponse::User(user, names))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    fn response(status: u16, body: &str) -> SiteResponse {
        SiteResponse {
            status,
            headers: HeaderMap::new(),
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    fn question(username: &str, domain: Option<&str>) -> SignInCheck {
        let site = Url::parse("https://a.example/sites/it").expect("a URL");
        SignInCheck::for_rest(&site, Some(Account::windows(username, domain))).expect("a question")
    }

    #[test]
    fn nobody_is_told_in_many_ways() {
        for body in [
            "",
            "null",
            "{}",
            r#"{"odata.null":true}"#,
            r#"{"@odata.null":true}"#,
            r#"{"d":{"CurrentUser":null}}"#,
            r#"{"d":null}"#,
            r#"{"LoginName":"","Title":""}"#,
            r#"{"LoginName":"i:0#.w|nt authority\\anonymous logon"}"#,
            r#"{"LoginName":"NT AUTHORITY\\IUSR","Title":"IUSR"}"#,
        ] {
            assert_eq!(
                parse(&response(200, body)).expect("told"),
                UserResponse::Anonymous,
                "{body}"
            );
            let error = question("ada", None).verify(&response(200, body));
            let error = error.expect_err("nobody");
            assert_eq!(error.kind(), ErrorKind::NotSignedIn, "{body}");
        }
    }

    #[test]
    fn a_page_instead_of_an_answer_and_a_refusal_are_told_as_such() {
        let page = question("ada", None).verify(&response(200, "<html>Sign in</html>"));
        assert_eq!(
            page.expect_err("a page").kind(),
            ErrorKind::UnexpectedResponse
        );
        let refused = question("ada", None).verify(&response(401, ""));
        assert_eq!(
            refused.expect_err("refused").kind(),
            ErrorKind::SignInRefused
        );
        for status in [400, 403, 404, 500] {
            let verify = question("ada", None).verify(&response(status, "{}"));
            assert_eq!(verify.expect("no answer"), None, "{status}");
        }
    }

    #[test]
    fn who_is_told_in_both_protocols_and_every_dialect_is_compared() {
        let ada = |body: &str| question("ada", Some("CORP")).verify(&response(200, body));
        for body in [
            r#"{"LoginName":"i:0#.w|corp\\ada","Title":"Ada"}"#,
            r#"{"d":{"LoginName":"CORP\\Ada"}}"#,
            r#"{"d":{"CurrentUser":{"LoginName":"i:0#.w|CORP\\ADA"}}}"#,
            r#"{"id":"1","userPrincipalName":"ada@corp.example","displayName":"Ada"}"#,
        ] {
            assert!(ada(body).expect("Ada").is_some(), "{body}");
        }
        let bob = ada(r#"{"LoginName":"i:0#.w|corp\\bob","Title":"Bob"}"#);
        let error = bob.expect_err("somebody else");
        assert_eq!(error.kind(), ErrorKind::OtherUser);
        assert!(error.to_string().contains("Bob (i:0#.w|corp\\bob)"));
        assert!(error.to_string().contains("CORP\\ada"), "{error}");
        assert_eq!(error.names(), ["i:0#.w|corp\\bob"]);
    }
}
