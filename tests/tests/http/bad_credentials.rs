//! What must not open anything: forty bad tokens, thirty origins, a hundred ids that try to climb.
//!
//! Table tests; what cookies are worth is in `sessions`.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::host::now;
use checklist_tests::promise::held;
use checklist_tests::{API, Answer, HostKey, Server, Setup, incident};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::Method;
use serde_json::{Value, json};

fn host_server() -> (HostKey, Server) {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host))
        .argument("--failed-sign-ins=0")
        .start();
    (host, server)
}

fn read(server: &Server, authorization: &str) -> Answer {
    let request = server
        .http()
        .request(Method::POST, &format!("{API}/GetItems"))
        .header("authorization", authorization);
    send(with_json(
        request,
        &json!({ "Context": incident("1").context() }),
    ))
}

fn changed(claims: &Value, claim: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    claims[claim] = value;
    claims
}

fn without(claims: &Value, claim: &str) -> Value {
    let mut claims = claims.clone();
    claims.as_object_mut().unwrap().remove(claim);
    claims
}

#[test]
fn no_bad_token_opens_anything() {
    let (host, server) = host_server();
    let good = host.claims(&server.base_url(), "anna", &["Read"]);
    let token = host.sign(&good);
    read(&server, &format!("Bearer {token}")).ok();

    let mut bad: Vec<(String, String)> = Vec::new();
    let mut refuse =
        |why: &str, token: String| bad.push((why.to_owned(), format!("Bearer {token}")));
    let wrong_claims = [
        ("aud", json!("https://elsewhere.example")),
        ("aud", json!([])),
        ("aud", json!(format!("{}/more", server.base_url()))),
        ("exp", json!(now() - 60)),
        ("exp", json!(now() + 3_600)),
        ("exp", json!(-1)),
        ("exp", json!("later")),
        ("exp", json!(1e300)),
        ("nbf", json!(now() + 600)),
        ("iat", json!(now() + 600)),
        ("sub", json!("")),
        ("sub", json!("a\u{0}b")),
        ("sub", json!("a".repeat(201))),
        ("sub", json!(["anna"])),
        ("name", json!("")),
        ("tenant", json!("")),
        ("tenant", json!("south")),
        ("tenant", json!("North")),
        ("tenant", json!("north\u{0}")),
        ("perm", json!("Read")),
        ("perm", json!(["read"])),
        ("perm", json!(["Everything"])),
        ("contexts", json!("*")),
        ("contexts", json!([{ "ObjectType": "incident" }])),
        ("jti", json!("")),
    ];
    for (claim, value) in wrong_claims {
        refuse(
            &format!("{claim}={value}"),
            host.sign(&changed(&good, claim, value)),
        );
    }
    for claim in [
        "iss", "aud", "exp", "sub", "name", "tenant", "perm", "contexts", "jti",
    ] {
        refuse(&format!("no {claim}"), host.sign(&without(&good, claim)));
    }
    let header = |algorithm| Header {
        kid: Some(host.kid.clone()),
        ..Header::new(algorithm)
    };
    let shared = EncodingKey::from_secret(host.public_pem.as_bytes());
    for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
        let forged = jsonwebtoken::encode(&header(algorithm), &good, &shared).unwrap();
        refuse("signed with the public key as a secret", forged);
    }
    refuse(
        "a stranger's key",
        HostKey::of("stranger").called(&host.kid).sign(&good),
    );
    refuse(
        "a key of another kind",
        HostKey::on_p256("north").called(&host.kid).sign(&good),
    );
    refuse("an unknown kid", host.clone().called("unknown").sign(&good));
    refuse(
        "a kid that climbs",
        host.clone().called("../../etc/passwd").sign(&good),
    );
    refuse(
        "a kid that injects",
        host.clone().called("' OR 1=1 --").sign(&good),
    );
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let (head, payload) = signed.split_once('.').unwrap();
    refuse("no signature", format!("{signed}."));
    refuse("no third part", signed.to_owned());
    refuse("half a signature", format!("{signed}.{}", &signature[..40]));
    refuse(
        "parts that changed places",
        format!("{payload}.{head}.{signature}"),
    );
    refuse("four parts", format!("{token}.{signature}"));
    refuse("an empty token", String::new());
    refuse("dots", "..".to_owned());
    refuse("no base64", "ä.ö.ü".escape_unicode().to_string());
    refuse("very long", "a".repeat(6_000));
    refuse("an API key of nobody", format!("ck_{}", "A".repeat(43)));
    refuse("an API key without bits", "ck_".to_owned());
    for (why, authorization) in [
        ("another scheme", format!("Basic {token}")),
        ("no scheme", token.clone()),
        ("two tokens", format!("Bearer {token}, Bearer {token}")),
        ("a scheme alone", "Bearer".to_owned()),
    ] {
        bad.push((why.to_owned(), authorization));
    }
    assert!(bad.len() >= 40, "{}", bad.len());
    let count = bad.len();
    for (why, authorization) in bad {
        let answer = read(&server, &authorization);
        assert_eq!(answer.status, 401, "{why}: {}", answer.text());
        let code = answer.json()["Code"].clone();
        assert!(
            code == "Unauthenticated" || code == "TokenExpired",
            "{why}: {code}"
        );
        assert!(
            answer.header("www-authenticate").starts_with("Bearer"),
            "{why}"
        );
    }
    held("S11", format!("{count} bad tokens refused"));
}

#[test]
fn no_other_page_uses_a_token_that_is_bound_to_one() {
    let (host, server) = host_server();
    let mut claims = host.claims(&server.base_url(), "anna", &["Read"]);
    claims["origin"] = json!("https://forms.example");
    let token = host.sign(&claims);
    let from = |origin: &str| server.get_items_with(&token, Some(origin));
    from("https://forms.example").ok();
    let others = [
        "null",
        "",
        "*",
        "http://forms.example",
        "https://forms.example:8443",
        "https://forms.example.evil.example",
        "https://evil.example",
        "https://evilforms.example",
        "https://forms.example@evil.example",
        "https://forms.exampl",
        "https://forms.example.",
        "https://sub.forms.example",
        "https://forms-example",
        "https://forms.example/path",
        "https://forms.example?a",
        "https://forms.example#a",
        "https://forms.example\\",
        "https://forms_example",
        "https:forms.example",
        "forms.example",
        "//forms.example",
        "file://",
        "data:",
        "about:blank",
        "chrome-extension://abcdef",
        "capacitor://localhost",
        "http://localhost",
        "http://127.0.0.1",
        "https://[::1]",
        "https://xn--frms-5qa.example",
        "wss://forms.example",
    ];
    assert!(others.len() >= 30);
    for origin in others {
        let answer = from(origin);
        answer.refused(403, "OriginRefused");
        assert_eq!(
            answer.header("access-control-allow-credentials"),
            "",
            "{origin}"
        );
    }
    held("S11", format!("{} foreign origins refused", others.len()));
}

#[test]
fn no_id_climbs_out_of_its_place() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let climbing = [
        "..",
        "../..",
        "../../etc/passwd",
        "....//....//etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "..\\..\\win.ini",
        "~/.ssh/id_rsa",
        "file:///etc/passwd",
        "\u{0}",
        "a\u{0}.json",
        "%2e%2e",
        "%2e%2e%2f",
        "%252e%252e%252f",
        "..%c0%af",
        "..%ef%bc%8f",
        "onboarding/../handover",
        "onboarding/..",
        "./onboarding",
        "onboarding.",
        "onboarding ",
        " onboarding",
        "ONBOARDING",
        "onboarding\u{0}",
        "onboarding%00",
        "onboarding;a=b",
        "onboarding?Version=1",
        "onboarding#a",
        "' OR '1'='1",
        "\"; DROP TABLE item; --",
        "*",
        "%",
        "_",
        "onboardin_",
        "${jndi:ldap://a}",
        "{{7*7}}",
        "<script>",
        "\u{202e}gnidraobno",
        "ｏｎｂｏａｒｄｉｎｇ",
        "a/b/c",
    ];
    let places = [
        (Method::GET, "Template/{}"),
        (Method::GET, "Templates/{}"),
        (Method::GET, "Types/{}"),
        (Method::DELETE, "ApiKeys/{}"),
        (Method::DELETE, "EmbedKeys/{}"),
        (Method::GET, "Preview/{}"),
    ];
    let mut tried = 0;
    for id in climbing {
        let encoded: String = id.bytes().map(|byte| format!("%{byte:02X}")).collect();
        for (method, place) in &places {
            let path = place.replace("{}", &encoded);
            let answer = send(admin.request(method.clone(), &path));
            assert_eq!(
                answer.status,
                404,
                "{method} {path} ({id:?}): {}",
                answer.text()
            );
            assert!(!answer.text().contains("root:"), "{id:?}");
            tried += 1;
        }
    }
    for path in [
        "/control/..%2f..%2fetc%2fpasswd",
        "/control/%2e%2e%2fCargo.toml",
        "/docs/..%2f..%2fetc%2fpasswd",
        "/docs/%2e%2e/%2e%2e/etc/passwd",
        "/demo/..%2findex.html",
        "/demo/%2fetc%2fpasswd",
    ] {
        let answer = server.http().get(path);
        assert_eq!(answer.status, 404, "{path}");
        tried += 1;
    }
    assert!(tried >= 120, "{tried}");
    held(
        "S11",
        format!("{tried} climbing ids and addresses lead nowhere"),
    );
}

#[test]
fn an_address_that_fails_too_often_is_told_to_wait_and_good_tokens_go_on() {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host))
        .argument("--failed-sign-ins=5")
        .start();
    let good = format!(
        "Bearer {}",
        host.sign(&host.claims(&server.base_url(), "anna", &["Read"]))
    );
    for _ in 0..5 {
        read(&server, "Bearer nonsense").refused(401, "Unauthenticated");
    }
    let answer = read(&server, "Bearer nonsense");
    answer.refused(429, "TooManyRequests");
    assert!(
        answer
            .header("retry-after")
            .parse::<u32>()
            .is_ok_and(|seconds| seconds > 0)
    );
    read(&server, &good).ok();
}

#[test]
fn a_program_that_asks_too_often_is_told_to_wait_and_its_neighbour_is_not() {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host))
        .argument("--rate-limit=2")
        .start();
    let admin = server.as_admin().on(&incident("1"));
    let key = || format!("Bearer {}", admin.program("Portal", &["reader"]).token);
    let (wild, calm) = (key(), key());
    let refused = (0..50)
        .map(|_| read(&server, &wild))
        .find(|answer| answer.status != 200);
    let refused = refused.expect("fifty requests at once are too many");
    refused.refused(429, "TooManyRequests");
    assert!(!refused.header("retry-after").is_empty());
    read(&server, &calm).ok();
}
