//! Who a request acts as: by token, by proxy, by form, by the former dialogue, or nobody.
//!
//! What real clients rely on, asked over a real connection.

use checklist_site_server::{Options, SiteServer};
use reqwest::blocking::Client;
use serde_json::Value;

use crate::caller::{Answer, Caller, send};

fn client() -> Client {
    let client = Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none());
    client.build().expect("a client")
}

fn whoami(server: &SiteServer, header: &str, value: &str) -> Answer {
    let url = format!("{}/_api/web/currentuser", server.site_url());
    let request = client()
        .get(url)
        .header("accept", "application/json;odata=nometadata");
    let request = if header.is_empty() {
        request
    } else {
        request.header(header, value)
    };
    send(request)
}

fn title(answer: &Answer) -> Value {
    answer.json()["Title"].clone()
}

#[test]
fn a_token_acts_as_its_subject_and_nobody_as_anonymous() {
    let site = Caller::new();
    assert_eq!(title(&whoami(&site.server, "", "")), "Anonymous");
    assert_eq!(
        title(&whoami(&site.server, "authorization", "Bearer bob")),
        "Bob Baker"
    );
    assert_eq!(
        title(&whoami(&site.server, "authorization", "Bearer opaque")),
        "Alice Archer"
    );
    // {"alg":"none"} . {"sub":"carol","preferred_username":"carol@demo.test"}
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYXJvbCIsInByZWZlcnJlZF91c2VybmFtZSI6ImNhcm9sQGRlbW8udGVzdCJ9.c2ln";
    let carol = whoami(&site.server, "authorization", &format!("Bearer {token}"));
    assert_eq!(
        carol.json()["LoginName"],
        "i:0#.f|membership|carol@demo.test"
    );
}

#[test]
fn a_proxy_is_believed_only_when_it_is_trusted() {
    let untrusting = Caller::new();
    assert_eq!(
        title(&whoami(&untrusting.server, "x-remote-user", "bob")),
        "Anonymous"
    );
    let header = Some("x-remote-user".to_owned());
    let trusting = Caller::of(Options {
        remote_user_header: header,
        ..Options::default()
    });
    for name in ["bob", "BOB@SITE.TEST", "SITE\\bob"] {
        assert_eq!(
            title(&whoami(&trusting.server, "x-remote-user", name)),
            "Bob Baker",
            "{name}"
        );
    }
    assert_eq!(title(&whoami(&trusting.server, "", "")), "Anonymous");
}

#[test]
fn where_sign_in_is_required_nobody_is_let_in_without() {
    let site = Caller::of(Options {
        sign_in_required: true,
        ..Options::default()
    });
    let refused = whoami(&site.server, "", "").expect(401);
    assert!(refused.header("www-authenticate").starts_with("Bearer"));
    let graph = send(client().get(format!("{}/v1.0/me", site.server.origin())));
    assert_eq!(
        graph.expect(401).json()["error"]["code"],
        "InvalidAuthenticationToken"
    );
    whoami(&site.server, "authorization", "Bearer bob").expect(200);
}

fn login(server: &SiteServer, password: &str) -> Answer {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body><Login xmlns=\"http://schemas.microsoft.com/sharepoint/soap/\"><username>alice</username><password>{password}</password></Login></soap:Body></soap:Envelope>"
    );
    let url = format!("{}/_vti_bin/authentication.asmx", server.site_url());
    send(
        client()
            .post(url)
            .header("content-type", "text/xml; charset=utf-8")
            .body(body),
    )
}

fn cookie_of(answer: &Answer) -> String {
    answer
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn signing_in_by_form_gives_a_cookie_that_ends() {
    let site = Caller::of(Options {
        sign_in_required: true,
        ..Options::default()
    });
    let wrong = login(&site.server, "wrong").expect(200);
    assert!(
        wrong
            .text
            .contains("<ErrorCode>PasswordNotMatch</ErrorCode>")
    );
    assert_eq!(wrong.header("set-cookie"), "");
    let right = login(&site.server, "Passw0rd!").expect(200);
    assert!(
        right.text.contains("<ErrorCode>NoError</ErrorCode>")
            && right.text.contains("<TimeoutSeconds>1800</TimeoutSeconds>")
    );
    let cookie = cookie_of(&right);
    assert_eq!(
        title(&whoami(&site.server, "cookie", &cookie)),
        "Alice Archer"
    );
    let (name, value) = cookie.split_once('=').expect("a cookie");
    let decoded = value
        .replace("%2f", "/")
        .replace("%2b", "+")
        .replace("%3d", "=");
    assert_eq!(
        title(&whoami(
            &site.server,
            "cookie",
            &format!("{name}={decoded}")
        )),
        "Alice Archer"
    );
    site.server.end_sessions();
    assert_eq!(
        whoami(&site.server, "cookie", &cookie)
            .expect(403)
            .error_number(),
        "-2147024891"
    );
}

#[test]
fn the_former_dialogue_ends_in_two_cookies() {
    let site = Caller::of(Options {
        sign_in_required: true,
        ..Options::default()
    });
    let origin = site.server.origin();
    let realm = send(
        client()
            .post(format!("{origin}/GetUserRealm.srf"))
            .body("login=alice%40demo.test"),
    );
    assert_eq!(realm.expect(200).json()["NameSpaceType"], "Managed");
    let ask = |password: &str| {
        let body = format!(
            "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:o=\"urn:o\"><s:Header><o:Security><o:UsernameToken><o:Username>alice@demo.test</o:Username><o:Password>{password}</o:Password></o:UsernameToken></o:Security></s:Header><s:Body/></s:Envelope>"
        );
        send(client().post(format!("{origin}/extSTS.srf")).body(body)).expect(200)
    };
    assert!(ask("wrong").text.contains("0x80048821"));
    let text = ask("Passw0rd!").text;
    let token = text
        .split("Compact0\">")
        .nth(1)
        .and_then(|rest| rest.split('<').next());
    let token = token.expect("a token").replace("&amp;", "&");
    let url = format!("{origin}/_forms/default.aspx?wa=wsignin1.0");
    send(client().post(&url).body("t=unknown&p=")).expect(403);
    let signed_in = send(client().post(&url).body(token)).expect(302);
    let cookies: Vec<_> = signed_in
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|it| it.to_str().ok())
        .collect();
    assert!(
        cookies[0].starts_with("rtFa=") && cookies[1].starts_with("FedAuth="),
        "{cookies:?}"
    );
    let cookie = cookies[1].split(';').next().unwrap_or_default();
    assert_eq!(
        title(&whoami(&site.server, "cookie", cookie)),
        "Alice Archer"
    );
}
