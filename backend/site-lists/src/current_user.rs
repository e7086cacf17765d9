//! Who is signed in: asked of the site once a session, and compared with whom the connection
//! names. A site that answers is no proof of a sign-in: many let anybody read, and some anybody
//! write, without looking at the credentials.
//!
//! Asked by `wire` before anything else is. Where a site does not tell, it is looked whether it
//! would answer without credentials as well.

use std::fmt;

use serde_json::Value;
use url::Url;

use crate::account::{Account, is_nobody};
use crate::answer::Answer;
use crate::error::{ErrorKind, Result, SiteError};
use crate::odata_url;

/// Whom a site takes the caller for.
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
    /// The login name: `i:0#.w|corp\ada`. `None` where the site does not tell.
    pub login: Option<String>,
    /// The display name, where the site tells it.
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

/// What a site answers when it is asked who is signed in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UserResponse {
    /// Somebody, by these names.
    Somebody(CurrentUser, Vec<String>),
    /// Nobody.
    Nobody,
    /// The caller may not ask, or the site has no answer to it.
    Nothing,
}

/// How a site is asked, and what the answer has to be.
#[derive(Debug)]
pub(crate) struct Question {
    who: Url,
    site: Url,
    /// Whom the connection names, where its method has a name.
    expected: Option<Account>,
}

impl Question {
    /// For a site of SharePoint REST.
    pub(crate) fn of_rest(site: &Url, expected: Option<Account>) -> Result<Self> {
        Ok(Self {
            who: odata_url::api(site, CURRENT_USER)?,
            site: odata_url::api(site, "web?$select=Id")?,
            expected,
        })
    }

    /// For a site of Microsoft Graph.
    pub(crate) fn of_graph(site: &Url, expected: Option<Account>) -> Result<Self> {
        let mut root = site.clone();
        let version = site.path().split('/').nth(1).unwrap_or_default();
        root.set_path(version);
        Ok(Self {
            who: odata_url::joined(&root, "me?$select=id,displayName,mail,userPrincipalName")?,
            site: site.clone(),
            expected,
        })
    }

    /// Where the site says who is signed in.
    pub(crate) fn who(&self) -> &Url {
        &self.who
    }

    /// What is asked for without credentials.
    pub(crate) fn site(&self) -> &Url {
        &self.site
    }

    /// Whom an answer names; `None` where it names nobody because it does not tell.
    ///
    /// # Errors
    /// It is nobody, somebody else, or no answer.
    pub(crate) fn judged(&self, answer: &Answer) -> Result<Option<CurrentUser>> {
        let (user, names) = match told(answer)? {
            UserResponse::Nothing => return Ok(None),
            UserResponse::Nobody => {
                return Err(nobody(
                    "The site answers and knows the caller as nobody: it has not taken the credentials.",
                ));
            }
            UserResponse::Somebody(user, names) => (user, names),
        };
        match &self.expected {
            Some(expected) if !expected.is_one_of(&names) => Err(somebody_else(&user, expected)),
            _ => Ok(Some(user)),
        }
    }
}

/// What is asked for below `_api`.
pub(crate) const CURRENT_USER: &str = "web/currentuser";

/// The error for a site that lets anybody in.
pub(crate) fn nobody(why: &str) -> SiteError {
    SiteError::new(ErrorKind::NotSignedIn, why).with_hint(
        "Let an administrator of the site switch anonymous access off, or choose the authentication type that the site asks for. Nothing was written.",
    )
}

fn somebody_else(user: &CurrentUser, expected: &Account) -> SiteError {
    SiteError::new(
        ErrorKind::OtherUser,
        format!("The site takes the caller for {user}, and the connection names {expected}."),
    )
    .with_names(user.login.iter().cloned().collect())
    .with_hint("Look at user name and domain of the connection, and at what signs callers in before the site. Nothing was written.")
}

/// Reads an answer to the question, of either protocol.
fn told(answer: &Answer) -> Result<UserResponse> {
    match answer.status {
        200 => {}
        204 => return Ok(UserResponse::Nobody),
        // May not be asked by this caller (Graph: by an application), or is not known there.
        400 | 403 | 404 | 405 | 406 | 410 | 500 | 501 => return Ok(UserResponse::Nothing),
        _ => return Err(answer.refusal(ErrorKind::SiteNotFound)),
    }
    if answer.body.is_empty() {
        return Ok(UserResponse::Nobody);
    }
    let body = answer.json()?;
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
            Some(name) if numbered => UserResponse::Somebody(
                CurrentUser {
                    login: None,
                    name: Some(name),
                },
                names,
            ),
            _ => UserResponse::Nobody,
        });
    };
    let name = text("Title").or_else(|| text("displayName"));
    let user = CurrentUser {
        login: Some(login),
        name,
    };
    Ok(UserResponse::Somebody(user, names))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            status,
            headers: HeaderMap::new(),
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    fn question(username: &str, domain: Option<&str>) -> Question {
        let site = Url::parse("https://a.example/sites/it").expect("a URL");
        Question::of_rest(&site, Some(Account::windows(username, domain))).expect("a question")
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
                told(&answer(200, body)).expect("told"),
                UserResponse::Nobody,
                "{body}"
            );
            let error = question("ada", None).judged(&answer(200, body));
            let error = error.expect_err("nobody");
            assert_eq!(error.kind(), ErrorKind::NotSignedIn, "{body}");
        }
    }

    #[test]
    fn a_page_instead_of_an_answer_and_a_refusal_are_told_as_such() {
        let page = question("ada", None).judged(&answer(200, "<html>Sign in</html>"));
        assert_eq!(
            page.expect_err("a page").kind(),
            ErrorKind::UnexpectedResponse
        );
        let refused = question("ada", None).judged(&answer(401, ""));
        assert_eq!(
            refused.expect_err("refused").kind(),
            ErrorKind::SignInRefused
        );
        for status in [400, 403, 404, 500] {
            let judged = question("ada", None).judged(&answer(status, "{}"));
            assert_eq!(judged.expect("no answer"), None, "{status}");
        }
    }

    #[test]
    fn who_is_told_in_both_protocols_and_every_dialect_is_compared() {
        let ada = |body: &str| question("ada", Some("CORP")).judged(&answer(200, body));
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
