//! `Digest` (RFC 7616): the password is sent only as a hash over the site's nonce. A nonce is used
//! again with a growing count, and replaced when the site calls it stale.
//!
//! Invariant: the hash covers the exact request target, path and query, as it is sent.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use digest_auth::{AuthContext, HttpMethod, Qop, WwwAuthenticateHeader};
use http::header::AUTHORIZATION;
use http::{HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};

use super::authenticator::{Authenticator, SendResult, Sender};
use super::challenge::{challenge_of, is_refused, not_offered_error};
use super::credentials::{qualified_credentials, secret_header};
use super::password_guard::PasswordGuard;
use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};
use crate::mutex::lock;
use crate::transport::{Request, Response};

/// Signs in by digest.
pub(super) struct Digest {
    username: String,
    password: SecretString,
    prompt: Mutex<Option<WwwAuthenticateHeader>>,
    guard: PasswordGuard,
    /// Whether a site that challenged nobody was asked for a challenge.
    has_asked: AtomicBool,
}

impl Digest {
    pub(super) fn new(connection: &SiteConnection) -> Result<Self> {
        let (username, password) = qualified_credentials(connection)?;
        Ok(Self {
            username,
            password,
            prompt: Mutex::default(),
            guard: PasswordGuard::default(),
            has_asked: AtomicBool::new(false),
        })
    }

    /// The request with the response to the challenge there is; as it came where there is none yet.
    fn with_response(&self, mut request: Request) -> Result<(Request, bool)> {
        let mut prompt = lock(&self.prompt);
        let Some(prompt) = prompt.as_mut() else {
            return Ok((request, false));
        };
        let target = request
            .uri()
            .path_and_query()
            .map_or("/", |target| target.as_str());
        let only_with_body = prompt
            .qop
            .as_ref()
            .is_some_and(|all| all.as_slice() == [Qop::AUTH_INT]);
        let body = only_with_body.then(|| request.body().as_ref());
        let context = AuthContext::new_with_method(
            self.username.as_str(),
            self.password.expose_secret(),
            target,
            body,
            HttpMethod::from(request.method().as_str()),
        );
        let response = prompt
            .respond(&context)
            .map_err(|error| unreadable_error(&error))?;
        let value = secret_header(&response.to_header_string())?;
        request.headers_mut().insert(AUTHORIZATION, value);
        Ok((request, true))
    }

    /// Asks a site that has let a reader in for its challenge, once: many take credentials from
    /// whoever brings some, and let others in as nobody. What is sent names nobody and proves
    /// nothing. `None` where the site has none.
    async fn request_challenge(
        &self,
        request: &Request,
        response: &Response,
        sender: Sender<'_>,
    ) -> SendResult<Option<Response>> {
        let is_reading = request.method() == Method::GET && response.status().is_success();
        if !is_reading || self.has_asked.swap(true, Ordering::AcqRel) {
            return Ok(None);
        }
        let mut asking = request.clone();
        let bare = HeaderValue::from_static("Digest");
        asking.headers_mut().insert(AUTHORIZATION, bare);
        let asked = sender.send(asking).await?;
        let has_one = is_refused(&asked) && challenge_of(asked.headers(), "Digest").is_some();
        Ok(has_one.then_some(asked))
    }

    /// Takes the challenge of a 401 for what follows; whether it says that only the nonce was old.
    fn take(&self, response: &Response) -> Result<bool> {
        let text = challenge_of(response.headers(), "Digest")
            .ok_or_else(|| not_offered_error(response.headers(), "Digest"))?;
        let prompt = WwwAuthenticateHeader::parse(&format!("Digest {text}"))
            .map_err(|error| unreadable_error(&error))?;
        let stale = prompt.stale;
        *lock(&self.prompt) = Some(prompt);
        Ok(stale)
    }
}

fn unreadable_error(error: &digest_auth::Error) -> SiteError {
    SiteError::new(
        ErrorKind::UnexpectedResponse,
        format!("The site's digest challenge cannot be answered: {error}."),
    )
}

#[async_trait]
impl Authenticator for Digest {
    async fn send(&self, request: Request, sender: Sender<'_>) -> SendResult {
        let _alone = self.guard.acquire(sender.limits.time).await?;
        // At most: no challenge yet, a nonce that is stale or forgotten, and the last word.
        for _ in 0..3 {
            let (sent, answered) = self.with_response(request.clone())?;
            let mut response = sender.send(sent).await?;
            if !is_refused(&response) {
                if answered {
                    self.guard.mark_accepted();
                    return Ok(response);
                }
                match self.request_challenge(&request, &response, sender).await? {
                    Some(challenge) => response = challenge,
                    None => return Ok(response),
                }
            }
            let proved = self.guard.is_accepted();
            let stale = self.take(&response)?;
            if answered && !stale && !proved {
                return Err(self.guard.reject("").into());
            }
            if answered && !stale {
                // It was right a moment ago: the site forgot the nonce. Once more, by one of those
                // who were told so, and no more.
                let _alone = self.guard.reacquire(sender.limits.time).await?;
                let (sent, _) = self.with_response(request)?;
                let response = sender.send(sent).await?;
                if is_refused(&response) {
                    return Err(self
                        .guard
                        .reject("They were right before; was the password changed?")
                        .into());
                }
                return Ok(response);
            }
        }
        Err(self.guard.reject("It calls every answer stale.").into())
    }

    fn is_refused(&self) -> bool {
        self.guard.is_refused()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::header::WWW_AUTHENTICATE;

    use super::*;
    use crate::connection::AuthenticationType;

    fn digest() -> Digest {
        let connection = SiteConnection::new("https://a.example", AuthenticationType::Digest)
            .with_credentials("Mufasa", "Circle of Life");
        Digest::new(&connection).expect("credentials")
    }

    fn refusal(challenge: &'static str) -> Response {
        http::Response::builder()
            .status(401)
            .header(WWW_AUTHENTICATE, challenge)
            .body(Bytes::new())
            .expect("an answer")
    }

    fn sent(digest: &Digest, target: &str) -> String {
        let request = http::Request::get(format!("https://a.example{target}"))
            .body(Bytes::new())
            .expect("a request");
        let (request, _) = digest.with_response(request).expect("answered");
        request.headers()[AUTHORIZATION]
            .to_str()
            .expect("text")
            .to_owned()
    }

    #[test]
    fn the_hash_covers_path_and_query_as_they_travel_and_the_nonce_is_counted() {
        let digest = digest();
        assert!(
            !digest
                .take(&refusal(
                    "Digest realm=\"r\", qop=\"auth, auth-int\", nonce=\"n\", algorithm=MD5"
                ))
                .expect("a challenge")
        );
        let target = "/sites/it/_api/web/lists/GetByTitle('a%20b')?$select=Id%2CTitle";
        let first = sent(&digest, target);
        assert!(
            first.contains(&format!("uri=\"{target}\""))
                && first.contains("nc=00000001")
                && first.contains("qop=auth,"),
            "{first}"
        );
        assert!(sent(&digest, target).contains("nc=00000002"));
    }

    #[test]
    fn a_stale_nonce_is_replaced() {
        let digest = digest();
        digest
            .take(&refusal("Digest realm=\"r\", qop=\"auth\", nonce=\"one\""))
            .expect("a challenge");
        assert!(
            digest
                .take(&refusal(
                    "Digest realm=\"r\", qop=\"auth\", nonce=\"two\", stale=true"
                ))
                .expect("a challenge")
        );
        let next = sent(&digest, "/");
        assert!(
            next.contains("nonce=\"two\"") && next.contains("nc=00000001"),
            "{next}"
        );
    }

    #[test]
    fn a_site_without_digest_is_told_with_what_it_offers() {
        let error = digest().take(&refusal("NTLM")).expect_err("no digest");
        assert!(error.to_string().contains("offers NTLM"), "{error}");
    }
}
