//! One connection that nobody else uses, for sign-in methods that bind it: it is held here, not in
//! a pool, which may open another one between two tokens of a handshake.
//!
//! Transports give it out from `Transport::exclusive`; how a connection comes about is theirs.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use http::header::HOST;
use http::uri::PathAndQuery;
use http::{HeaderValue, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::interface::{ByteStream, Limits, Request, Response, Transport, TransportError};

/// Makes connections for an [`DedicatedConnection`].
#[async_trait]
pub trait Connector: Send + Sync {
    /// A connection to the host of a URI, encrypted where its scheme is `https`, to an address
    /// that was looked at.
    async fn connect(&self, to: &Uri) -> Result<Box<dyn ByteStream>, TransportError>;
}

/// A transport of one connection. Where that ends, the next request makes another one.
pub struct DedicatedConnection {
    connect: Arc<dyn Connector>,
    open: Mutex<Option<OpenConnection>>,
}

struct OpenConnection {
    to: (Option<String>, Option<String>),
    sender: SendRequest<Full<Bytes>>,
}

impl DedicatedConnection {
    /// A transport without a connection yet.
    #[must_use]
    pub fn new(connect: Arc<dyn Connector>) -> Self {
        Self {
            connect,
            open: Mutex::default(),
        }
    }

    async fn open_connection(&self, to: &Uri) -> Result<OpenConnection, TransportError> {
        let stream = self.connect.connect(to).await?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| TransportError::NotConnected(error.to_string()))?;
        // Ends with the connection; its error reaches the request that waits for a response.
        tokio::spawn(async move { connection.await.ok() });
        Ok(OpenConnection {
            to: origin(to),
            sender,
        })
    }

    /// The connection there is, where it still holds.
    async fn reusable(open: Option<OpenConnection>, to: &Uri) -> Option<OpenConnection> {
        let mut open = open.filter(|open| open.to == origin(to))?;
        open.sender.ready().await.is_ok().then_some(open)
    }

    async fn exchange(
        &self,
        request: Request,
        limits: Limits,
        slot: &mut Option<OpenConnection>,
    ) -> Result<Response, TransportError> {
        let to = request.uri().clone();
        let mut request = to_origin_form(request)?;
        // Taken out: after an error unread data may be left on it.
        let mut reusable = Self::reusable(slot.take(), &to).await;
        loop {
            let is_new = reusable.is_none();
            let mut open = match reusable.take() {
                Some(open) => open,
                None => self.open_connection(&to).await?,
            };
            match open.sender.try_send_request(request).await {
                Ok(response) => {
                    let response = read(response, limits).await?;
                    *slot = Some(open);
                    return Ok(response);
                }
                Err(mut error) => match error.take_message() {
                    // The connection ended before anything was sent.
                    Some(unsent) if !is_new => request = unsent,
                    _ => return Err(TransportError::Broken(error.error().to_string())),
                },
            }
        }
    }
}

#[async_trait]
impl Transport for DedicatedConnection {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let mut slot = self.open.lock().await;
        timeout(limits.time, self.exchange(request, limits, &mut slot))
            .await
            .map_err(|_| TransportError::TimedOut)?
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Ok(Arc::new(Self::new(Arc::clone(&self.connect))))
    }
}

fn origin(uri: &Uri) -> (Option<String>, Option<String>) {
    let scheme = uri.scheme_str().map(str::to_owned);
    (scheme, uri.authority().map(|it| it.as_str().to_owned()))
}

/// The request in origin form (RFC 9112, 3.2.1), with the host in a header.
fn to_origin_form(request: Request) -> Result<http::Request<Full<Bytes>>, TransportError> {
    let invalid = || TransportError::Refused("the address names no host".to_owned());
    let (mut parts, body) = request.into_parts();
    let authority = parts.uri.authority().ok_or_else(invalid)?;
    let default_port = if parts.uri.scheme_str() == Some("https") {
        443
    } else {
        80
    };
    let host = match authority.port_u16().filter(|port| *port != default_port) {
        Some(port) => format!("{}:{port}", authority.host()),
        None => authority.host().to_owned(),
    };
    let host = HeaderValue::from_str(&host).map_err(|_| invalid())?;
    parts.headers.insert(HOST, host);
    let target = parts.uri.path_and_query().cloned();
    parts.uri = target
        .unwrap_or_else(|| PathAndQuery::from_static("/"))
        .into();
    Ok(http::Request::from_parts(parts, Full::new(body)))
}

async fn read(
    response: http::Response<Incoming>,
    limits: Limits,
) -> Result<Response, TransportError> {
    let (parts, mut body) = response.into_parts();
    let mut read = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| TransportError::Broken(error.to_string()))?;
        if let Some(data) = frame.data_ref() {
            read.extend_from_slice(data);
        }
        if read.len() > limits.bytes {
            return Err(TransportError::TooLarge);
        }
    }
    Ok(Response::from_parts(parts, read.freeze()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    const LIMITS: Limits = Limits {
        time: Duration::from_secs(5),
        bytes: 64,
    };

    /// Connections to a server that answers so many requests on each, with the connection's
    /// number, and then ends it.
    struct Numbered {
        made: AtomicUsize,
        requests: usize,
    }

    #[async_trait]
    impl Connector for Numbered {
        async fn connect(&self, _to: &Uri) -> Result<Box<dyn ByteStream>, TransportError> {
            let number = self.made.fetch_add(1, Ordering::Relaxed);
            let (ours, theirs) = duplex(4_096);
            tokio::spawn(serve(theirs, number, self.requests));
            Ok(Box::new(ours))
        }
    }

    async fn serve(mut stream: DuplexStream, number: usize, requests: usize) {
        for _ in 0..requests {
            let mut text = Vec::new();
            while !text.ends_with(b"\r\n\r\n") {
                match stream.read_u8().await {
                    Ok(byte) => text.push(byte),
                    Err(_) => return,
                }
            }
            let text = String::from_utf8_lossy(&text).to_lowercase();
            assert!(text.starts_with("get /a?b=c http/1.1"), "{text}");
            assert!(text.contains("host: site.example:8080\r\n"), "{text}");
            let response = format!("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{number}");
            if stream.write_all(response.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    fn own(requests: usize) -> DedicatedConnection {
        DedicatedConnection::new(Arc::new(Numbered {
            made: AtomicUsize::new(0),
            requests,
        }))
    }

    async fn asked(own: &DedicatedConnection) -> String {
        let request = http::Request::get("http://site.example:8080/a?b=c").body(Bytes::new());
        let response = own.send(request.expect("a request"), LIMITS).await;
        String::from_utf8_lossy(response.expect("an answer").body()).into_owned()
    }

    #[tokio::test]
    async fn requests_follow_each_other_on_one_connection() {
        let own = own(3);
        for _ in 0..3 {
            assert_eq!(asked(&own).await, "0");
        }
    }

    #[tokio::test]
    async fn a_connection_that_ended_is_replaced() {
        let own = own(1);
        assert_eq!(asked(&own).await, "0");
        // The end has to arrive first: what is sent into it may have been carried out.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(asked(&own).await, "1");
    }

    #[tokio::test]
    async fn an_answer_beyond_the_limit_is_not_read() {
        let own = own(1);
        let request = http::Request::get("http://site.example:8080/a?b=c").body(Bytes::new());
        let small = Limits { bytes: 0, ..LIMITS };
        let error = own.send(request.expect("a request"), small).await;
        assert_eq!(error.expect_err("too large"), TransportError::TooLarge);
    }

    #[tokio::test]
    async fn an_address_without_a_host_is_refused() {
        let request = http::Request::get("/a").body(Bytes::new());
        let error = own(1).send(request.expect("a request"), LIMITS).await;
        assert!(matches!(error, Err(TransportError::Refused(_))));
    }
}
