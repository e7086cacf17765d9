//! Which requests are sent: nothing reaches a listener on this machine that the operator has not
//! allowed, however its address is written.
//!
//! A canary listens on loopback; nothing leaves the machine.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use site_lists::{Limits, Transport as _, TransportError};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use super::*;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(5),
    bytes: 1_000,
};

fn get(url: &str) -> Request<Vec<u8>> {
    Request::get(url).body(Vec::new()).expect("a request")
}

/// A server that gives every request the same response.
async fn answering(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut caller, _)) = listener.accept().await {
            let mut asked = [0; 4_096];
            let _ = caller.read(&mut asked).await;
            let _ = caller.write_all(answer.as_bytes()).await;
        }
    });
    origin
}

#[tokio::test]
async fn nothing_reaches_this_machine_in_any_notation() {
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = canary.local_addr().expect("an address").port();
    let egress = Egress::new([]).expect("a client");
    for host in [
        "127.0.0.1",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "169.254.169.254",
        "10.0.0.1",
        "192.168.0.1",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
    ] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            let Ok(request) = Request::get(&url).body(Vec::new()) else {
                continue;
            };
            let error = egress.send(request, LIMITS).await.expect_err(&url);
            // Not every system resolves the name with a trailing dot.
            let unknown = host == "localhost." && matches!(error, TransportError::NotConnected(_));
            let refused = matches!(error, TransportError::Refused(_));
            assert!(refused || unknown, "{url}: {error}");
        }
    }
    let nobody = tokio::time::timeout(Duration::from_millis(50), canary.accept()).await;
    assert!(nobody.is_err(), "somebody came");
}

#[tokio::test]
async fn an_allowed_origin_is_reached_and_its_neighbour_is_not() {
    let origin = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let other = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno").await;
    let egress = Egress::new([origin.clone()]).expect("a client");
    let answer = egress.send(get(&format!("{origin}/a?b=c#d")), LIMITS).await;
    assert_eq!(answer.expect("an answer").body(), b"ok");
    let by_name = origin.replace("127.0.0.1", "localhost");
    for url in [other, by_name, origin.replace("http://", "https://")] {
        let refused = egress.send(get(&url), LIMITS).await;
        assert!(matches!(refused, Err(TransportError::Refused(_))), "{url}");
    }
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
    let origin = answering(answer).await;
    let egress = Egress::new([origin.clone()]).expect("a client");
    let answer = egress.send(get(&origin), LIMITS).await.expect("an answer");
    assert_eq!(answer.status(), 302);
}

#[tokio::test]
async fn an_answer_that_is_too_large_or_never_comes_is_given_up() {
    let large = answering("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n").await;
    let silent = answering("").await;
    let egress = Egress::new([large.clone(), silent.clone()]).expect("a client");
    let limits = Limits {
        time: Duration::from_millis(300),
        bytes: 1_000,
    };
    assert_eq!(
        egress.send(get(&large), limits).await.err(),
        Some(TransportError::TooLarge)
    );
    let none = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let mute = format!("http://{}", none.local_addr().expect("an address"));
    let egress = Egress::new([mute.clone()]).expect("a client");
    assert_eq!(
        egress.send(get(&mute), limits).await.err(),
        Some(TransportError::TimedOut)
    );
}

#[tokio::test]
async fn passwords_in_addresses_and_other_schemes_are_refused() {
    let egress = Egress::new([]).expect("a client");
    for url in [
        "https://a:b@example.org/",
        "ftp://example.org/",
        "https://u@example.org/",
    ] {
        let refused = egress.send(get(url), LIMITS).await;
        assert!(matches!(refused, Err(TransportError::Refused(_))), "{url}");
    }
}

#[tokio::test]
async fn a_connection_of_ones_own_leads_to_the_site_alone_and_never_into_this_machine() {
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = canary.local_addr().expect("an address").port();
    let egress = Arc::new(Egress::new([]).expect("a client"));
    let site = Url::parse(&format!("https://localhost:{port}/sites/it")).expect("a URL");
    let transport = SiteTransport::new(Arc::clone(&egress), &site, TlsTrust::default());
    let dedicated = transport.and_then(|transport| transport.open_dedicated());
    let dedicated = dedicated.expect("a transport");
    let elsewhere = Url::parse(&format!("http://127.0.0.1:{port}/")).expect("a URL");
    for url in [&site, &elsewhere] {
        let sent = dedicated.send(get(url.as_str()).map(Bytes::from), LIMITS);
        let error = sent.await.expect_err("it is this machine");
        assert!(
            matches!(error, TransportError::Refused(_)),
            "{url}: {error}"
        );
    }
    let nobody = tokio::time::timeout(Duration::from_millis(50), canary.accept()).await;
    assert!(nobody.is_err(), "somebody came");

    let allowed = Arc::new(Egress::new([format!("http://localhost:{port}")]).expect("a client"));
    let site = Url::parse(&format!("http://localhost:{port}/sites/it")).expect("a URL");
    let transport = SiteTransport::new(allowed, &site, TlsTrust::default());
    let dedicated = transport.and_then(|transport| transport.open_dedicated());
    let dedicated = dedicated.expect("a transport");
    let answering = async {
        let (mut caller, _) = canary.accept().await.expect("a connection");
        let mut start = [0; 9];
        caller.read_exact(&mut start).await.expect("a request");
        let answer = b"HTTP/1.1 204 No Content\r\n\r\n";
        caller.write_all(answer).await.expect("an answer");
        start
    };
    let sent = dedicated.send(get(site.as_str()).map(Bytes::from), LIMITS);
    let (sent, start) = tokio::join!(sent, answering);
    assert_eq!(
        &start, b"GET /site",
        "in clear, as the operator has allowed"
    );
    assert_eq!(sent.expect("an answer").status(), 204);
}
