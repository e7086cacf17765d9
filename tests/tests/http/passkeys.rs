//! Passkeys of local administrators: added after a one-time link, used to sign in, renamed, removed.
//!
//! The authenticator is one in software, so that it can also do what none does: answer for another
//! page, twice, or with a counter that goes back. A real browser's is in the browser tests.

use checklist_tests::authenticator::Passkey;
use checklist_tests::client::{Answer, json as with_json, send};
use checklist_tests::{HostKey, Server, Setup};
use reqwest::Method;
use serde_json::{Value, json};

/// Where browsers reach the server: authenticators know it by this name.
const BASE: &str = "https://checks.example";
const LINK: &str = "__Host-checklist-link";
const SESSION: &str = "__Host-checklist-session";

fn server() -> Server {
    Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")])
        .argument("--base-url")
        .argument(BASE)
        .start()
}

fn ask(server: &Server, method: Method, path: &str, body: Option<&Value>, cookie: &str) -> Answer {
    let mut request = server
        .http()
        .request(method, path)
        .header("sec-fetch-site", "same-origin");
    if !cookie.is_empty() {
        request = request.header("cookie", cookie);
    }
    if let Some(body) = body {
        request = with_json(request, body);
    }
    send(request)
}

fn post(server: &Server, path: &str, body: &Value, cookie: &str) -> Answer {
    ask(server, Method::POST, path, Some(body), cookie)
}

fn cookie(answer: &Answer, name: &str) -> String {
    let set = answer.headers.get_all("set-cookie").iter();
    set.filter_map(|set| set.to_str().ok())
        .find(|set| set.starts_with(name))
        .and_then(|set| set.split(';').next())
        .unwrap_or_else(|| panic!("no cookie {name}: {answer:?}"))
        .to_owned()
}

/// The session of a new local administrator.
fn administrator(server: &Server, tenant: &str, name: &str) -> String {
    let made = server.run(&["admin-link", "--tenant", tenant]);
    let secret = made.said.split_once("/admin/link#").expect("a link").1;
    let secret = secret.split_whitespace().next().expect("a secret");
    let opened = post(server, "/session/link", &json!({ "Link": secret }), "");
    let mine = cookie(&opened, LINK);
    let wish = json!({ "Link": secret, "Name": name });
    let begun = post(server, "/session/link/sign-in", &wish, &mine);
    assert_eq!(begun.ok()["Passkeys"], true);
    cookie(&begun, SESSION)
}

/// Registers an administrator who never signs in.
fn beside_another_administrator(server: &Server, tenant: &str) {
    let added = server.run(&[
        "user",
        "add",
        "--tenant",
        tenant,
        "--issuer",
        "https://id.example",
        "--subject",
        "joan",
        "--name",
        "Joan",
        "--role",
        "admin",
    ]);
    assert!(added.status.success(), "{}", added.said);
}

fn options(server: &Server, session: &str) -> Value {
    let path = "/session/passkeys/options";
    post(server, path, &json!({}), session).ok()["PublicKey"].clone()
}

fn add(server: &Server, session: &str, name: &str) -> Passkey {
    let (passkey, credential) = Passkey::create(&options(server, session), BASE, name);
    let wish = json!({ "Name": name, "Credential": credential });
    let added = post(server, "/session/passkeys", &wish, session).ok();
    assert_eq!(added["Name"], name);
    passkey
}

fn challenge(server: &Server) -> Value {
    let path = "/session/passkey/options";
    post(server, path, &json!({}), "").ok()["PublicKey"].clone()
}

fn sign_in(server: &Server, credential: &Value) -> Answer {
    post(
        server,
        "/session/passkey",
        &json!({ "Credential": credential }),
        "",
    )
}

fn list(server: &Server, session: &str) -> Value {
    ask(server, Method::GET, "/session/passkeys", None, session).ok()["Passkeys"].clone()
}

#[test]
fn a_passkey_signs_in_is_renamed_and_removed_and_the_audit_trail_says_so() {
    let server = server();
    let ways = || ask(&server, Method::GET, "/session", None, "").json()["SignIn"].clone();
    assert_eq!(ways()["Passkey"], false, "nobody has one yet");
    let session = administrator(&server, "north", "Grace Hopper");
    let wanted = options(&server, &session);
    assert_eq!(wanted["rp"]["id"], "checks.example");
    assert_eq!(wanted["user"]["name"], "Grace Hopper");
    let mut laptop = add(&server, &session, "Laptop");
    add(&server, &session, "Security key");
    let present = options(&server, &session)["excludeCredentials"].clone();
    assert_eq!(present.as_array().map(Vec::len), Some(2));
    assert_eq!(ways()["Passkey"], true);

    let begun = sign_in(&server, &laptop.sign(&challenge(&server), BASE));
    assert_eq!(begun.ok()["Name"], "Grace Hopper");
    let session = cookie(&begun, SESSION);
    let all = list(&server, &session);
    assert_eq!(all[0]["Name"], "Laptop");
    assert!(all[0]["UsedAt"].is_string(), "{all}");
    assert!(all[1]["UsedAt"].is_null(), "{all}");

    let path = format!("/session/passkeys/{}", all[0]["Id"].as_str().unwrap());
    let name = json!({ "Name": "Work laptop" });
    let renamed = ask(&server, Method::PUT, &path, Some(&name), &session);
    assert_eq!(renamed.ok()["Name"], "Work laptop");
    let nameless = json!({ "Name": " " });
    ask(&server, Method::PUT, &path, Some(&nameless), &session).refused(422, "InvalidRequest");
    assert_eq!(
        ask(&server, Method::DELETE, &path, None, &session).status,
        204
    );
    ask(&server, Method::DELETE, &path, None, &session).refused(404, "NotFound");
    sign_in(&server, &laptop.sign(&challenge(&server), BASE)).refused(401, "Unauthenticated");
    assert_eq!(list(&server, &session).as_array().map(Vec::len), Some(1));

    let path = "/api/Vendor/ChecklistControl/Audit?Category=Administration";
    let trail = ask(&server, Method::GET, path, None, &session).ok();
    let acts: Vec<String> = trail["Rows"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|entry| entry["Act"].clone())
        .filter(|act| act["Subject"] == "Passkey")
        .map(|act| {
            format!(
                "{} {}",
                act["Action"].as_str().unwrap(),
                act["Name"].as_str().unwrap()
            )
        })
        .collect();
    for act in [
        "Created Laptop",
        "Created Security key",
        "Changed Work laptop",
        "Deleted Work laptop",
    ] {
        assert!(acts.iter().any(|one| one == act), "{act}: {trail}");
    }
}

#[test]
fn an_answer_counts_once_and_only_for_this_server_and_the_session_that_asked() {
    let server = server();
    let grace = administrator(&server, "north", "Grace Hopper");
    let other = administrator(&server, "south", "Ada Lovelace");
    let wish = |credential: &Value| json!({ "Name": "Laptop", "Credential": credential });
    let add_as = |session: &str, credential: &Value| {
        post(&server, "/session/passkeys", &wish(credential), session)
    };
    // Made on a page of somebody else, for somebody else's session, or for no challenge of ours.
    let (_, elsewhere) = Passkey::create(&options(&server, &grace), "https://evil.example", "a");
    add_as(&grace, &elsewhere).refused(422, "InvalidRequest");
    let (_, stolen) = Passkey::create(&options(&server, &grace), BASE, "b");
    add_as(&other, &stolen).refused(422, "InvalidRequest");
    add_as(&grace, &stolen).refused(422, "InvalidRequest");
    for nonsense in [json!({}), json!("x"), json!({ "id": "x" }), Value::Null] {
        add_as(&grace, &nonsense).refused(422, "InvalidRequest");
    }
    let mut laptop = add(&server, &grace, "Laptop");
    let (_, again) = Passkey::create(&options(&server, &other), BASE, "Laptop");
    add_as(&other, &again).refused(422, "InvalidRequest");

    let asked = challenge(&server);
    let answer = laptop.sign(&asked, BASE);
    sign_in(&server, &answer).ok();
    sign_in(&server, &answer).refused(401, "Unauthenticated");
    sign_in(&server, &laptop.sign(&asked, BASE)).refused(401, "Unauthenticated");
    let elsewhere = laptop.sign(&challenge(&server), "https://evil.example");
    sign_in(&server, &elsewhere).refused(401, "Unauthenticated");
    let (mut unknown, _) = Passkey::create(&options(&server, &grace), BASE, "unknown");
    sign_in(&server, &unknown.sign(&challenge(&server), BASE)).refused(401, "Unauthenticated");
    let mut forged = laptop.sign(&challenge(&server), BASE);
    forged["response"]["signature"] =
        unknown.sign(&challenge(&server), BASE)["response"]["signature"].clone();
    sign_in(&server, &forged).refused(401, "Unauthenticated");
    // A challenge for a new passkey signs nobody in.
    let for_registration = options(&server, &grace);
    sign_in(&server, &laptop.sign(&for_registration, BASE)).refused(401, "Unauthenticated");
    sign_in(&server, &laptop.sign(&challenge(&server), BASE)).ok();
}

#[test]
fn a_counter_that_goes_back_betrays_a_copy_of_the_key() {
    let server = server();
    let session = administrator(&server, "north", "Grace Hopper");
    let mut original = add(&server, &session, "Laptop");
    let mut copy = original.clone();
    sign_in(&server, &original.sign(&challenge(&server), BASE)).ok();
    sign_in(&server, &original.sign(&challenge(&server), BASE)).ok();
    sign_in(&server, &copy.sign(&challenge(&server), BASE)).refused(401, "Unauthenticated");
    sign_in(&server, &original.sign(&challenge(&server), BASE)).ok();
}

#[test]
fn whoever_is_disabled_gets_in_with_no_passkey_and_another_tenant_sees_none() {
    let server = server();
    let north = administrator(&server, "north", "Grace Hopper");
    let south = administrator(&server, "south", "Ada Lovelace");
    beside_another_administrator(&server, "north");
    let mut graces = add(&server, &north, "Laptop");
    let mut adas = add(&server, &south, "Phone");
    let id = list(&server, &north)[0]["Id"].as_str().unwrap().to_owned();
    assert_eq!(list(&server, &south).as_array().map(Vec::len), Some(1));
    let path = format!("/session/passkeys/{id}");
    ask(&server, Method::DELETE, &path, None, &south).refused(404, "NotFound");
    let name = json!({ "Name": "Mine" });
    ask(&server, Method::PUT, &path, Some(&name), &south).refused(404, "NotFound");
    assert_eq!(list(&server, &north)[0]["Name"], "Laptop");

    let me = ask(&server, Method::GET, "/session", None, &north).ok();
    let subject = me["Subject"].as_str().unwrap();
    let person = [
        "--tenant",
        "north",
        "--issuer",
        "local",
        "--subject",
        subject,
    ];
    let disabled = server.run(&[&["user", "disable"][..], &person].concat());
    assert!(disabled.status.success(), "{}", disabled.said);
    sign_in(&server, &graces.sign(&challenge(&server), BASE)).refused(401, "Unauthenticated");
    sign_in(&server, &adas.sign(&challenge(&server), BASE)).ok();
    let disabled = server.run(&["tenant", "disable", "south"]);
    assert!(disabled.status.success(), "{}", disabled.said);
    checklist_tests::until("the tenant to be disabled", || {
        let answer = sign_in(&server, &adas.sign(&challenge(&server), BASE));
        (answer.status == 401).then_some(())
    });
}

#[test]
fn only_pages_of_this_server_may_ask_and_no_token_stands_for_a_session() {
    let server = server();
    for path in ["/session/passkey/options", "/session/passkey"] {
        let request = server
            .http()
            .request(Method::POST, path)
            .header("sec-fetch-site", "cross-site");
        send(with_json(request, &json!({ "Credential": {} }))).refused(403, "OriginRefused");
    }
    let key = server.admin_key("north", "Ada Admin");
    for (method, path) in [
        (Method::GET, "/session/passkeys"),
        (Method::DELETE, "/session/passkeys/x"),
    ] {
        let request = server.http().request(method, path).bearer_auth(&key);
        send(request).refused(401, "Unauthenticated");
    }
    ask(&server, Method::GET, "/session/passkeys", None, "").refused(401, "Unauthenticated");
}

#[test]
fn a_server_that_is_reached_by_an_ip_address_offers_no_passkeys() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let session = ask(&server, Method::GET, "/session", None, "");
    assert_eq!(session.json()["SignIn"]["Passkey"], false);
    post(&server, "/session/passkey/options", &json!({}), "").refused(404, "NotFound");
}
