//! Sign-in: which tokens open a list, and how the others are refused.
//!
//! The tokens are signed by a host platform of the test's own, well or badly.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::host::now;
use checklist_tests::{API, HostKey, Server, Setup, incident};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::Method;
use serde_json::{Value, json};

fn read(server: &Server, token: &str) -> checklist_tests::Answer {
    server.get_items_with(token, None)
}

fn claims(host: &HostKey, server: &Server) -> Value {
    host.claims(&server.base_url(), "anna", &["Read"])
}

#[test]
fn tokens_signed_with_either_algorithm_are_accepted() {
    let hosts = [HostKey::of("north"), HostKey::on_p256("south")];
    let server = Setup::for_hosts(&hosts).start();
    for host in &hosts {
        read(&server, &host.sign(&claims(host, &server))).ok();
    }
}

#[test]
fn without_a_token_nothing_is_answered() {
    let server = Server::demo();
    for (method, path) in [
        (Method::POST, "GetItems"),
        (Method::POST, "AddItems"),
        (Method::POST, "UpdateItems"),
        (Method::POST, "DeleteItems"),
        (Method::POST, "RefreshItemsOnTemplateChange"),
        (Method::POST, "Undo"),
        (Method::POST, "Lock"),
        (Method::POST, "Waive"),
        (Method::GET, "Template/onboarding"),
        (Method::GET, "Types"),
        (Method::GET, "Types/incident"),
        (Method::GET, "Templates"),
        (Method::GET, "Templates/onboarding"),
        (Method::GET, "Journal"),
        (Method::GET, "Audit"),
    ] {
        let request = server.http().request(method, &format!("{API}/{path}"));
        let answer = send(with_json(
            request,
            &json!({ "Context": incident("1").context() }),
        ));
        answer.refused(401, "Unauthenticated");
        assert!(
            answer.header("www-authenticate").starts_with("Bearer"),
            "{path}"
        );
    }
}

#[test]
fn credentials_of_another_kind_are_refused() {
    let server = Server::demo();
    let token = server.as_admin().token();
    for value in [
        format!("Basic {token}"),
        "Bearer".to_owned(),
        token.clone(),
        "Bearer a.b.c".to_owned(),
    ] {
        let request = server
            .http()
            .request(Method::POST, &format!("{API}/GetItems"))
            .header("authorization", value);
        send(with_json(
            request,
            &json!({ "Context": incident("1").context() }),
        ))
        .refused(401, "Unauthenticated");
    }
    let in_url = server
        .http()
        .post(&format!("{API}/GetItems?access_token={token}"), &json!({}));
    in_url.refused(401, "Unauthenticated");
}

#[test]
fn an_expired_token_says_so() {
    let (host, server) = Server::with_host();
    let mut claims = claims(&host, &server);
    claims["exp"] = json!(now() - 30);
    read(&server, &host.sign(&claims)).refused(401, "TokenExpired");
}

#[test]
fn claims_that_do_not_fit_are_refused() {
    let (host, server) = Server::with_host();
    let good = claims(&host, &server);
    read(&server, &host.sign(&good)).ok();
    let many: Vec<Value> = (0..201)
        .map(|n| incident(&n.to_string()).context())
        .collect();
    let broken: [(&str, &str, Value); 13] = [
        (
            "another server's",
            "aud",
            json!("https://elsewhere.example"),
        ),
        ("nobody's", "aud", json!(null)),
        ("far too long", "exp", json!(now() + 3600)),
        ("endless", "exp", json!(null)),
        ("textual end", "exp", json!("tomorrow")),
        ("not yet valid", "nbf", json!(now() + 120)),
        ("no subject", "sub", json!("")),
        ("no tenant", "tenant", json!(null)),
        ("another tenant's", "tenant", json!("south")),
        ("no contexts", "contexts", json!(null)),
        ("too many contexts", "contexts", json!(many)),
        ("unheard permission", "perm", json!(["Fly"])),
        ("no permissions", "perm", json!(null)),
    ];
    for (name, claim, value) in broken {
        let mut claims = good.clone();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(claim);
        } else {
            claims[claim] = value;
        }
        let answer = read(&server, &host.sign(&claims));
        assert_eq!(answer.status, 401, "{name}: {}", answer.text());
        answer.refused(401, "Unauthenticated");
    }
}

#[test]
fn only_the_registered_key_and_its_own_algorithm_count() {
    let (host, server) = Server::with_host();
    let claims = claims(&host, &server);
    let header = |algorithm| Header {
        kid: Some(host.kid.clone()),
        ..Header::new(algorithm)
    };

    let shared = EncodingKey::from_secret(host.public_pem.as_bytes());
    let confused = jsonwebtoken::encode(&header(Algorithm::HS256), &claims, &shared).unwrap();
    read(&server, &confused).refused(401, "Unauthenticated");

    let stranger = HostKey::of("stranger").called(&host.kid);
    read(&server, &stranger.sign(&claims)).refused(401, "Unauthenticated");

    let other_kind = HostKey::on_p256("north").called(&host.kid);
    read(&server, &other_kind.sign(&claims)).refused(401, "Unauthenticated");

    let unregistered = host.clone().called("unheard");
    read(&server, &unregistered.sign(&claims)).refused(401, "Unauthenticated");

    let good = host.sign(&claims);
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let unsigned = format!(
        "{}.{}.",
        base64_url(&json!({ "alg": "none", "kid": host.kid })),
        signed.split_once('.').unwrap().1
    );
    read(&server, &unsigned).refused(401, "Unauthenticated");
    read(&server, &format!("{signed}.")).refused(401, "Unauthenticated");

    let mut elevated = claims.clone();
    elevated["perm"] = json!(["Read", "Admin"]);
    let elevated = host.sign(&elevated);
    let swapped = format!("{}.{signature}", elevated.rsplit_once('.').unwrap().0);
    read(&server, &swapped).refused(401, "Unauthenticated");
}

#[test]
fn a_list_outside_the_token_is_as_if_it_were_not_there() {
    let server = Server::demo();
    let inside = incident("1").for_purpose("x");
    server
        .editor_on(&incident("2").for_purpose("x"))
        .add("secret");
    let anna = server
        .as_owner("Anna")
        .only_for(std::slice::from_ref(&inside))
        .on(&inside);
    let id = anna.add("A");
    for outside in [
        incident("2").for_purpose("x"),
        incident("1").for_purpose("y"),
        checklist_tests::task("1").for_purpose("x"),
    ] {
        let anna = anna.at(&outside);
        for (call, body) in [
            ("GetItems", json!({})),
            ("AddItems", json!({ "Items": [{ "Text": "B" }] })),
            (
                "UpdateItems",
                json!({ "Items": [{ "Id": id, "Status": "Done" }] }),
            ),
            ("DeleteItems", json!({ "Ids": [id] })),
            ("RefreshItemsOnTemplateChange", json!({})),
            ("Undo", json!({ "Undoes": "op" })),
            ("Lock", json!({ "Locked": true })),
            ("Waive", json!({ "Reason": "urgent" })),
        ] {
            anna.call(call, body).refused(404, "ContextNotFound");
        }
    }
}

#[test]
fn a_star_covers_every_purpose_of_an_object() {
    let server = Server::demo();
    let anna = server
        .as_editor("Anna")
        .only_for(&[incident("1").for_purpose("*")])
        .on(&incident("1"));
    anna.at(&incident("1").for_purpose("x")).add("A");
    anna.at(&incident("2").for_purpose("x"))
        .call("GetItems", json!({}))
        .refused(404, "ContextNotFound");
}

#[test]
fn a_token_bound_to_an_origin_is_refused_from_another_page() {
    let (host, server) = Server::with_host();
    let mut claims = claims(&host, &server);
    claims["origin"] = json!("https://forms.example");
    let token = host.sign(&claims);
    let from = |origin: &str| server.get_items_with(&token, Some(origin));
    from("https://forms.example").ok();
    from("https://evil.example").refused(403, "OriginRefused");
}

#[test]
fn the_token_names_language_and_template_where_the_request_does_not() {
    let (host, server) = Server::with_host();
    use checklist_tests::template::{fragment, in_german, item, publish};
    let asked = in_german(item("a", "Ask"), "Fragen");
    publish(&server, &fragment("f", [asked]));
    let mut claims = claims(&host, &server);
    claims["lang"] = json!("de");
    claims["template"] = json!("f");
    let list = read(&server, &host.sign(&claims)).ok();
    assert_eq!(list["Items"][0]["Text"], "Fragen");
    assert_eq!(list["TemplateId"], "f");
}

fn base64_url(value: &Value) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in value.to_string().as_bytes().chunks(3) {
        let bits = chunk
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            text.push(char::from(
                ALPHABET[(bits >> (18 - 6 * place) & 63) as usize],
            ));
        }
    }
    text
}
