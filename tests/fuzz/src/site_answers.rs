//! What a site answers before it is known to be one: requests to wait, and challenges to sign in
//! with. Whatever comes, the client ends with a result or an error, in its time.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::HeaderValue;
use site_lists::{
    AuthenticationType, Limits, Request, Response, SiteConnection, SiteOptions, Transport,
    TransportError, establish_site_connection,
};

const PASSWORD: &str = "correct horse battery staple";

/// A site that always gives the same answer.
struct Always {
    status: u16,
    header: &'static str,
    value: HeaderValue,
    body: Bytes,
}

#[async_trait]
impl Transport for Always {
    async fn send(&self, request: Request, _limits: Limits) -> Result<Response, TransportError> {
        let sent = format!("{:?}", request.headers());
        assert!(!sent.contains(PASSWORD), "the password travels: {sent}");
        let answer = http::Response::builder()
            .status(self.status)
            .header(self.header, self.value.clone())
            .body(self.body.clone());
        answer.map_err(|error| TransportError::Broken(error.to_string()))
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Ok(Arc::new(Self {
            status: self.status,
            header: self.header,
            value: self.value.clone(),
            body: self.body.clone(),
        }))
    }
}

fn ask(kind: AuthenticationType, site: Always) {
    let connection = SiteConnection::new("https://intranet.example/sites/it", kind)
        .with_credentials("ada", PASSWORD.to_owned());
    // Waiting takes no time here.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let done = runtime.block_on(establish_site_connection(
        &connection,
        Arc::new(site),
        SiteOptions::default(),
    ));
    if let Err(error) = done {
        assert!(!format!("{error} {error:?}").contains(PASSWORD));
    }
}

/// `Retry-After` in an answer that asks for patience; the first byte says which answer it is.
pub fn hold_wait(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let Ok(value) = HeaderValue::from_bytes(rest) else {
        return;
    };
    let status = [429, 503, 401, 200][usize::from(first % 4)];
    let site = Always {
        status,
        header: "retry-after",
        value,
        body: Bytes::copy_from_slice(rest),
    };
    ask(AuthenticationType::Anonymous, site);
}

/// A challenge behind `Digest` or `NTLM`; the first byte says which.
pub fn hold_challenge(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let (kind, scheme) = match first % 2 {
        0 => (AuthenticationType::Digest, "Digest "),
        _ => (AuthenticationType::Ntlm, "NTLM "),
    };
    let Ok(value) = HeaderValue::from_bytes(&[scheme.as_bytes(), rest].concat()) else {
        return;
    };
    let site = Always {
        status: 401,
        header: "www-authenticate",
        value,
        body: Bytes::new(),
    };
    ask(kind, site);
}
