//! Answers that lead somewhere else: a next page on another origin, a redirect, a URL that holds a
//! password. Credentials stay with the site they were given for.
//!
//! On a server of the test's own, with a listener beside it that nobody may come to.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use site_lists::{
    AuthenticationType, DirectTransport, ErrorKind, Limits, Protocol, Request, Response, Site,
    SiteConnection, SiteOptions, Transport, TransportError, get_site_items,
};
use tokio::net::TcpListener;

use crate::place::{BOTH, all_types, connection, server};

/// A site that was taken over: its pages go on at another origin.
struct TakenOver {
    way: DirectTransport,
    elsewhere: String,
}

#[async_trait]
impl Transport for TakenOver {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let is_page = request.uri().path().ends_with("/items");
        let answer = self.way.send(request, limits).await?;
        Ok(answer.map(|body| {
            let text = String::from_utf8_lossy(&body);
            if !is_page {
                return body;
            }
            let link = format!("{}/next", self.elsewhere);
            let begin = format!("{{\"odata.nextLink\":\"{link}\",\"@odata.nextLink\":\"{link}\",");
            Bytes::from(text.replacen('{', &begin, 1))
        }))
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        self.way.open_dedicated()
    }
}

#[tokio::test]
async fn a_next_page_on_another_origin_is_not_asked_for() {
    let server = server();
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let elsewhere = format!("http://{}", canary.local_addr().expect("an address"));
    for protocol in BOTH {
        let (connection, options) = connection(&server, protocol);
        let way = DirectTransport::new().expect("a transport");
        let transport = TakenOver {
            way,
            elsewhere: elsewhere.clone(),
        };
        let site = Site::open(&connection, Arc::new(transport), options).expect("a site");
        let error = get_site_items(&site, &all_types(), "", &serde_json::Value::Null)
            .await
            .expect_err("elsewhere");
        assert_eq!(
            error.kind(),
            ErrorKind::AddressRefused,
            "{protocol:?}: {error:?}"
        );
    }
    let nobody = tokio::time::timeout(Duration::from_millis(50), canary.accept()).await;
    assert!(nobody.is_err(), "somebody came");
}

#[tokio::test]
async fn a_url_that_cannot_be_a_site_is_refused_before_anything_is_sent() {
    for url in [
        "",
        "intranet",
        "ftp://intranet/",
        "https://ada:secret@intranet.example/",
        "file:///etc/passwd",
    ] {
        let connection = SiteConnection::new(url, AuthenticationType::Anonymous);
        let transport = Arc::new(DirectTransport::new().expect("a transport"));
        let error = Site::open(&connection, transport, SiteOptions::default()).expect_err(url);
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::InvalidConnection, Some("Url")),
            "{url}"
        );
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    let connection = SiteConnection::new(
        "https://intranet.example/sites/it",
        AuthenticationType::Anonymous,
    );
    let graph = SiteOptions {
        protocol: Protocol::Graph,
        ..SiteOptions::default()
    };
    let error = Site::open(
        &connection,
        Arc::new(DirectTransport::new().expect("a transport")),
        graph,
    )
    .expect_err("no Graph");
    assert!(error.to_string().contains("/v1.0/sites/"), "{error}");
}

#[tokio::test]
async fn a_timeout_is_one_second_to_ten_minutes() {
    for (seconds, fits) in [(0, false), (1, true), (600, true), (601, false)] {
        let connection = SiteConnection {
            timeout: Some(seconds),
            ..SiteConnection::new("https://intranet.example", AuthenticationType::Anonymous)
        };
        let opened = Site::open(
            &connection,
            Arc::new(DirectTransport::new().expect("a transport")),
            SiteOptions::default(),
        );
        assert_eq!(opened.is_ok(), fits, "{seconds}");
    }
}
