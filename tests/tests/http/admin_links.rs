//! The first administrator without an identity provider: the one-time link that `init`, the first
//! start and `admin-link` print, used the way the page uses it.
//! Every link here is used as a stranger would: late, twice, or from another browser.

use checklist_tests::client::{Answer, Http, json as with_json, send};
use checklist_tests::host::now;
use checklist_tests::process::Process;
use checklist_tests::setup::{free_address, init, program};
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

fn post(http: &Http, path: &str, body: &Value, cookie: &str) -> Answer {
    let mut request = http
        .request(Method::POST, path)
        .header("sec-fetch-site", "same-origin");
    if !cookie.is_empty() {
        request = request.header("cookie", cookie);
    }
    send(with_json(request, body))
}

fn cookie(answer: &Answer, name: &str) -> String {
    let set = answer.headers.get_all("set-cookie").iter();
    set.filter_map(|set| set.to_str().ok())
        .find(|set| set.starts_with(name))
        .and_then(|set| set.split(';').next())
        .unwrap_or_else(|| panic!("no cookie {name}"))
        .to_owned()
}

/// The secret of the link in what was printed.
fn secret_in(said: &str) -> String {
    let link = said.split_once("/admin/link#").expect("a link").1;
    link.split_whitespace().next().expect("a secret").to_owned()
}

#[test]
fn the_link_of_the_first_start_makes_the_first_administrator_without_an_identity_provider() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let address = free_address();
    let base = format!("http://{address}");
    init(&base, &data);
    let mut command = program();
    command
        .args([
            "serve",
            "--listen",
            &address,
            "--base-url",
            &base,
            "--data-dir",
        ])
        .arg(&data)
        .arg("--vault-key")
        .arg(data.join("vault.key"));
    let mut server = Process::start(&mut command);
    let secret = secret_in(&server.says("nobody administers this server yet"));
    let http = Http::to(&base);
    let link = json!({ "Link": secret });

    let opened = post(&http, "/session/link", &link, "");
    assert_eq!(opened.ok(), json!({ "State": "Open", "Tenant": "acme" }));
    let mine = cookie(&opened, "checklist-link=");
    let elsewhere = post(&http, "/session/link", &link, "");
    assert_eq!(elsewhere.ok(), json!({ "State": "OtherBrowser" }));
    let name = json!({ "Link": secret, "Name": "Grace Hopper" });
    let theirs = cookie(&elsewhere, "checklist-link=");
    let refused = post(&http, "/session/link/sign-in", &name, &theirs);
    refused.refused(401, "Unauthenticated");
    let nameless = post(&http, "/session/link/sign-in", &link, &mine);
    nameless.refused(422, "InvalidRequest");

    let signed_in = post(&http, "/session/link/sign-in", &name, &mine);
    assert_eq!(signed_in.ok()["Roles"], json!(["admin"]));
    let session = cookie(&signed_in, "checklist-session=");
    let request = http
        .request(Method::GET, "/session")
        .header("sec-fetch-site", "same-origin")
        .header("cookie", &session);
    assert_eq!(send(request).ok()["Name"], "Grace Hopper");
    post(&http, "/session/link/sign-in", &name, &mine).refused(401, "Unauthenticated");
    assert_eq!(
        post(&http, "/session/link", &link, &mine).ok(),
        json!({ "State": "Used" })
    );
}

#[test]
fn an_administrator_makes_a_link_for_another_one_and_nobody_else_does() {
    let server = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]).start();
    let admin = server.as_admin().on(&incident("1"));
    let editor = server.as_editor("Bob").on(&incident("1"));
    editor
        .send("Users/AdminLink", &json!({}))
        .refused(403, "PermissionDenied");

    let made = admin.send("Users/AdminLink", &json!({})).ok();
    let address = made["Link"].as_str().expect("an address");
    assert!(address.starts_with(&server.base_url()), "{address}");
    let http = server.http();
    let link = json!({ "Link": secret_in(address) });
    let opened = post(&http, "/session/link", &link, "");
    assert_eq!(opened.ok(), json!({ "State": "Open", "Tenant": "north" }));
    let mine = cookie(&opened, "checklist-link=");
    let name = json!({ "Link": link["Link"], "Name": "Grace Hopper" });
    let signed_in = post(&http, "/session/link/sign-in", &name, &mine).ok();
    assert_eq!(signed_in["Roles"], json!(["admin"]));
    assert_eq!(signed_in["Oidc"], json!(false));
    let people = admin.get("Users").ok();
    assert_eq!(people["Users"][0]["Name"], "Grace Hopper");
}

#[test]
fn revoking_everything_ends_links_that_somebody_has_made_and_not_used() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let admin = server.as_admin().on(&incident("1"));
    let made = admin.send("Users/AdminLink", &json!({})).ok();
    let link = json!({ "Link": secret_in(made["Link"].as_str().expect("an address")) });
    let http = server.http();
    let opened = post(&http, "/session/link", &link, "");
    let mine = cookie(&opened, "checklist-link=");
    admin
        .send("Revocations", &json!({ "Everything": true }))
        .ok();
    let name = json!({ "Link": link["Link"], "Name": "Mallory" });
    let signed_in = post(&http, "/session/link/sign-in", &name, &mine);
    assert!(!signed_in.headers.contains_key("set-cookie"), "no session");
    assert_eq!(
        post(&http, "/session/link", &link, &mine).ok(),
        json!({ "State": "Used" })
    );
}

#[test]
fn a_page_of_another_site_opens_no_link() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    for path in ["/session/link", "/session/link/sign-in"] {
        let request = server
            .http()
            .request(Method::POST, path)
            .header("sec-fetch-site", "cross-site");
        send(with_json(request, &json!({ "Link": "x" }))).refused(403, "OriginRefused");
    }
}

#[test]
fn the_operator_makes_a_link_beside_the_server_and_a_typo_in_the_tenant_is_told() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let made = server.run(&["admin-link", "--tenant", "north"]);
    assert!(made.status.success(), "{}", made.said);
    let link = json!({ "Link": secret_in(&made.said) });
    let opened = post(&server.http(), "/session/link", &link, "");
    assert_eq!(opened.ok()["State"], "Open");
    for command in [
        &["admin-link"][..],
        &["key", "add", "--name", "Portal", "--role", "reader"],
        &[
            "user",
            "add",
            "--issuer",
            "https://id.example",
            "--subject",
            "7",
            "--name",
            "A",
            "--role",
            "reader",
        ],
        &["audit", "verify"],
    ] {
        let ended = server.run(&[command, &["--tenant", "nroth"]].concat());
        assert_eq!(ended.status.code(), Some(3), "{command:?}: {}", ended.said);
        assert!(ended.said.contains("Did you mean north?"), "{}", ended.said);
    }
    let tenants = server.run(&["tenant", "list"]);
    assert!(!tenants.said.contains("nroth"), "{}", tenants.said);
}

#[test]
fn a_lost_passkey_makes_no_second_administrator_unless_the_operator_says_so() {
    let (server, program) = of_north();
    let made = |options: &[&str]| {
        let command = ["admin-link", "--tenant", "north"];
        server.run(&[&command[..], options].concat())
    };
    let first = made(&["--new"]);
    assert!(
        first.status.success(),
        "the first may be asked for, too: {}",
        first.said
    );
    Invitation::opened(&server, &first.said).makes("Grace", &program);
    // Neither counts: who is disabled, and who administers nothing.
    for (name, roles, disabled) in [
        ("Dora", json!(["admin"]), true),
        ("Rita", json!(["reader"]), false),
    ] {
        let user = json!({ "Issuer": "https://id.example", "Subject": name, "Name": name,
            "Roles": roles, "Disabled": disabled });
        program.put("Users", &user).ok();
    }
    let grace = user(&program, "Grace")["Subject"].clone();
    let grace = grace.as_str().expect("an id");
    let refused = made(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", refused.said);
    for part in ["Grace", &format!("--subject {grace}"), "--new"] {
        assert!(refused.said.contains(part), "{part}: {}", refused.said);
    }
    for part in ["/admin/link#", "Dora", "Rita"] {
        assert!(!refused.said.contains(part), "{part}: {}", refused.said);
    }
    let hers = Invitation::opened(&server, &made(&["--subject", grace]).said);
    let signed_in = hers.use_as("");
    assert_eq!(signed_in.ok()["Name"], "Grace");
    let both = made(&["--subject", grace, "--new"]);
    assert_eq!(both.status.code(), Some(2), "{}", both.said);
    Invitation::opened(&server, &made(&["--new"]).said).makes("Ada", &program);
}

#[test]
fn of_many_administrators_a_refusal_names_ten_and_first_those_whom_a_link_signs_in() {
    let (server, program) = of_north();
    for number in 10..22 {
        let name = format!("Administrator {number}");
        let user = json!({ "Issuer": "https://id.example", "Subject": name, "Name": name,
            "Roles": ["admin"] });
        program.put("Users", &user).ok();
    }
    let refused = server.run(&["admin-link", "--tenant", "north"]).said;
    assert!(
        refused.contains("They sign in with their identity provider"),
        "{refused}"
    );
    let link = server
        .run(&["admin-link", "--tenant", "north", "--new"])
        .said;
    Invitation::opened(&server, &link).makes("Zoë", &program);
    let refused = server.run(&["admin-link", "--tenant", "north"]).said;
    assert!(refused.contains("already: Zoë (--subject "), "{refused}");
    assert!(
        refused.contains("Administrator 18 (https://id.example), and 3 more."),
        "{refused}"
    );
    assert!(!refused.contains("Administrator 19"), "{refused}");
}

#[test]
fn the_link_in_a_log_makes_no_second_administrator_after_the_first_has_signed_in() {
    let server = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]).start();
    let made = |tenant: &str| {
        let made = server.run(&["admin-link", "--tenant", tenant]);
        json!({ "Link": secret_in(&made.said) })
    };
    let (in_log, printed, of_south) = (made("north"), made("north"), made("south"));
    let http = server.http();
    let opened = post(&http, "/session/link", &printed, "");
    let mine = cookie(&opened, "checklist-link=");
    let name = json!({ "Link": printed["Link"], "Name": "Ada" });
    post(&http, "/session/link/sign-in", &name, &mine).ok();

    let later = post(&http, "/session/link", &in_log, "");
    assert_eq!(later.ok(), json!({ "State": "Used" }));
    let theirs = cookie(&later, "checklist-link=");
    let name = json!({ "Link": in_log["Link"], "Name": "Mallory" });
    post(&http, "/session/link/sign-in", &name, &theirs).refused(401, "Unauthenticated");
    let elsewhere = post(&http, "/session/link", &of_south, "");
    assert_eq!(elsewhere.ok()["State"], "Open", "of another tenant");
}

/// What a server with these tenants says at its start, up to the last line about administrators.
fn first_start(tenants: &[&str], base: &str, address: &str) -> (TempDir, Process, Vec<String>) {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    for tenant in tenants {
        let mut command = program();
        command
            .args(["tenant", "add", tenant, "--data-dir"])
            .arg(&data);
        assert!(Process::start(&mut command).ended().status.success());
    }
    let mut key = program();
    key.args([
        "key", "add", "--tenant", tenants[0], "--name", "Portal", "--role", "reader",
    ])
    .arg("--data-dir")
    .arg(&data);
    assert!(Process::start(&mut key).ended().status.success());
    let mut serve = program();
    serve
        .args([
            "serve",
            "--listen",
            address,
            "--base-url",
            base,
            "--data-dir",
        ])
        .arg(&data);
    let mut server = Process::start(&mut serve);
    let said = tenants
        .iter()
        .map(|_| server.says("nobody administers "))
        .collect();
    (folder, server, said)
}

#[test]
fn the_first_start_prints_a_link_that_works_behind_a_proxy_and_below_a_path() {
    let address = free_address();
    let base = "https://checks.example/platform";
    let (_folder, _server, said) = first_start(&["acme"], base, &address);
    let start = format!("this server yet: open {base}/admin/link#");
    assert!(said[0].starts_with(&start), "{said:?}");
    let link = json!({ "Link": secret_in(&said[0]) });
    // As the proxy asks: the address of the server, the path of the base URL.
    let http = Http::to(&format!("http://{address}"));
    let opened = post(&http, "/platform/session/link", &link, "");
    assert_eq!(opened.ok()["State"], "Open");
    let mine = cookie(&opened, "__Host-checklist-link=");
    let name = json!({ "Link": link["Link"], "Name": "Grace Hopper" });
    let begun = post(&http, "/platform/session/link/sign-in", &name, &mine);
    assert_eq!(begun.ok()["Roles"], json!(["admin"]));
    assert!(!cookie(&begun, "__Host-checklist-session=").is_empty());
}

#[test]
fn a_first_start_with_two_tenants_says_for_each_how_to_make_a_link() {
    let address = free_address();
    let base = format!("http://{address}");
    let (_folder, _server, said) = first_start(&["acme", "beta"], &base, &address);
    for (line, tenant) in said.iter().zip(["acme", "beta"]) {
        assert!(
            line.contains(&format!("admin-link --tenant {tenant} ")),
            "{said:?}"
        );
        assert!(!line.contains("/admin/link#"), "{said:?}");
    }
}

#[test]
fn of_a_second_tenant_a_start_says_how_to_make_a_link_and_makes_none() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let run = |arguments: &[&str]| {
        let mut command = program();
        command.args(arguments).arg("--data-dir").arg(&data);
        assert!(Process::start(&mut command).ended().status.success());
    };
    run(&["tenant", "add", "acme"]);
    run(&["tenant", "add", "beta"]);
    run(&[
        "user",
        "add",
        "--tenant",
        "acme",
        "--issuer",
        "https://id.example",
        "--subject",
        "ada",
        "--name",
        "Ada",
        "--role",
        "admin",
    ]);
    run(&[
        "key", "add", "--tenant", "acme", "--name", "Portal", "--role", "reader",
    ]);
    let mut serve = program();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    let mut server = Process::start(serve.arg(&data));
    let said = server.says("nobody administers ");
    assert!(said.contains("admin-link --tenant beta "), "{said}");
    assert!(!said.contains("/admin/link#"), "{said}");
}

#[test]
fn a_link_is_over_after_ten_minutes_and_opens_its_own_tenant_alone() {
    let mut server = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")]).start();
    let link = |tenant: &str| {
        let made = server.run(&["admin-link", "--tenant", tenant]);
        json!({ "Link": secret_in(&made.said) })
    };
    let (north, south) = (link("north"), link("south"));
    let http = server.http();
    let opened = post(&http, "/session/link", &north, "");
    assert_eq!(opened.ok()["Tenant"], "north");
    let mine = cookie(&opened, "checklist-link=");
    let opened = post(&http, "/session/link", &south, &mine);
    assert_eq!(opened.ok()["Tenant"], "south");
    server.stop();
    server.spoil("UPDATE admin_link SET expires_at = created_at - 1 WHERE tenant = 'north'");
    server.start_again();
    let http = server.http();
    let late = post(&http, "/session/link", &north, &mine);
    assert_eq!(late.ok(), json!({ "State": "Expired" }));
    let name = json!({ "Link": north["Link"], "Name": "Grace Hopper" });
    post(&http, "/session/link/sign-in", &name, &mine).refused(401, "Unauthenticated");
    let name = json!({ "Link": south["Link"], "Name": "Ada Lovelace" });
    let begun = post(&http, "/session/link/sign-in", &name, &mine);
    assert_eq!(begun.ok()["Tenant"], "south");
}

/// A link that a person has made for another administrator, opened in a browser of its own.
struct Invitation {
    http: Http,
    secret: String,
    browser: String,
}

impl Invitation {
    fn by(maker: &Person, server: &Server) -> Self {
        let made = maker.send("Users/AdminLink", &json!({})).ok();
        Self::opened(server, made["Link"].as_str().expect("an address"))
    }

    fn opened(server: &Server, said: &str) -> Self {
        let (http, secret) = (server.http(), secret_in(said));
        let opened = post(&http, "/session/link", &json!({ "Link": secret }), "");
        assert_eq!(opened.ok()["State"], "Open");
        let browser = cookie(&opened, "checklist-link=");
        Self {
            http,
            secret,
            browser,
        }
    }

    fn state(&self) -> Value {
        let link = json!({ "Link": self.secret });
        post(&self.http, "/session/link", &link, &self.browser).ok()["State"].clone()
    }

    fn use_as(&self, name: &str) -> Answer {
        let wish = json!({ "Link": self.secret, "Name": name });
        post(&self.http, "/session/link/sign-in", &wish, &self.browser)
    }

    /// Uses the link; the new administrator, with the session of its browser.
    fn makes(&self, name: &str, any: &Person) -> Person {
        let signed_in = self.use_as(name);
        assert_eq!(signed_in.ok()["Roles"], json!(["admin"]));
        any.with_cookie(&cookie(&signed_in, "checklist-session="))
    }

    #[track_caller]
    fn has_ended(&self, why: &str) {
        assert_eq!(self.state(), "Expired", "{why}");
        self.use_as("Mallory").refused(401, "Unauthenticated");
    }
}

fn of_north() -> (Server, Person) {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let program = server.as_admin().on(&incident("1"));
    (server, program)
}

/// Who has that name among the people.
fn user(program: &Person, name: &str) -> Value {
    let people = program.get("Users").ok();
    let mut users = people["Users"].as_array().expect("users").iter();
    let found = users.find(|user| user["Name"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name}: {people}"));
    json!({ "Issuer": found["Issuer"], "Subject": found["Subject"], "Name": name })
}

#[test]
fn a_link_ends_with_the_administration_of_whoever_made_it() {
    let (server, program) = of_north();
    let ada = Invitation::by(&program, &server).makes("Ada", &program);
    let of_ada = Invitation::by(&ada, &server);
    let with = |mut user: Value, field: &str, value: Value| {
        user[field] = value;
        user
    };
    let gives_up_the_role = |user: Value| {
        let (less, again) = (json!(["reader"]), json!(["admin"]));
        program
            .put("Users", &with(user.clone(), "Roles", less))
            .ok();
        program.put("Users", &with(user, "Roles", again)).ok();
    };
    let is_disabled = |user: Value| {
        let user = with(user, "Roles", json!(["admin"]));
        let disabled = with(user.clone(), "Disabled", json!(true));
        program.put("Users", &disabled).ok();
        program
            .put("Users", &with(user, "Disabled", json!(false)))
            .ok();
    };
    let call = |call: &str, user: &Value| {
        let who = json!({ "Issuer": user["Issuer"], "Subject": user["Subject"] });
        let answer = program.send(&format!("Users/{call}"), &who);
        assert!(answer.status < 300, "{}", answer.text());
    };
    let is_deleted = |user: Value| {
        call("Delete", &user);
        program
            .put("Users", &with(user, "Roles", json!(["admin"])))
            .ok();
    };
    let is_erased = |user: Value| call("Erase", &user);
    let is_signed_out = |user: Value| call("EndSessions", &user);
    let ends: [(&str, &dyn Fn(Value)); 5] = [
        ("gave up the role", &gives_up_the_role),
        ("was disabled", &is_disabled),
        ("was deleted", &is_deleted),
        ("was erased", &is_erased),
        ("was signed out", &is_signed_out),
    ];
    for (why, happens) in ends {
        let grace = Invitation::by(&program, &server).makes("Grace", &program);
        let (one, other) = (
            Invitation::by(&grace, &server),
            Invitation::by(&grace, &server),
        );
        // While she administers, one of her links works.
        one.makes("Joan", &program);
        let grace = user(&program, "Grace");
        happens(grace.clone());
        other.has_ended(why);
        if why != "was erased" {
            call("Delete", &grace);
        }
        call("Delete", &user(&program, "Joan"));
    }
    assert_eq!(of_ada.state(), "Open", "whatever happens to others");
    of_ada.makes("Alan", &program);
}

#[test]
fn a_link_of_an_api_key_ends_when_the_key_is_revoked() {
    let (server, program) = of_north();
    let wish = json!({ "Name": "Setup", "Roles": ["admin"] });
    let key = program.send("ApiKeys", &wish).ok();
    let setup = program.with_token(key["Secret"].as_str().expect("a secret"));
    let (of_setup, other) = (
        Invitation::by(&setup, &server),
        Invitation::by(&program, &server),
    );
    let id = key["Id"].as_str().expect("an id");
    assert_eq!(program.remove(&format!("ApiKeys/{id}")).status, 204);
    of_setup.has_ended("the key was revoked");
    other.makes("Ada", &program);
}

#[test]
fn the_trail_says_who_has_invited_an_administrator() {
    let (server, program) = of_north();
    let printed = server.run(&["admin-link", "--tenant", "north"]).said;
    let grace = Invitation::opened(&server, &printed).makes("Grace", &program);
    Invitation::by(&grace, &server).makes("Ada", &program);
    Invitation::by(&program, &server).makes("Alan", &program);
    let trail = program.get("Audit?Subject=User&Action=Created").ok();
    let rows = trail["Rows"].as_array().expect("rows").iter();
    let made: Vec<_> = rows
        .map(|row| (row["Act"]["Name"].clone(), row["Actor"]["Name"].clone()))
        .collect();
    let expected = [
        ("Grace", "Operator"),
        ("Ada", "Grace"),
        ("Alan", "Ada Admin"),
    ];
    assert_eq!(made, expected.map(|(who, by)| (json!(who), json!(by))));
}

#[test]
fn whoever_uses_a_link_ends_those_of_the_operator_and_none_that_was_made_for_somebody_else() {
    let (server, program) = of_north();
    let printed = server.run(&["admin-link", "--tenant", "north"]).said;
    let in_log = Invitation::opened(&server, &printed);
    let (one, other) = (
        Invitation::by(&program, &server),
        Invitation::by(&program, &server),
    );
    one.makes("Ada", &program);
    assert_eq!(in_log.state(), "Used");
    in_log.use_as("Mallory").refused(401, "Unauthenticated");
    other.makes("Alan", &program);
    assert_eq!(other.state(), "Used");
}

#[test]
fn no_link_lets_into_a_disabled_tenant_nor_into_one_that_was_disabled_since() {
    let (server, program) = of_north();
    let printed = server.run(&["admin-link", "--tenant", "north"]).said;
    let links = [
        Invitation::by(&program, &server),
        Invitation::opened(&server, &printed),
    ];
    for switch in ["disable", "enable"] {
        let switched = server.run(&["tenant", switch, "north"]);
        assert!(switched.status.success(), "{}", switched.said);
        for link in &links {
            until("the server has noticed", || {
                (link.state() == "Expired").then_some(())
            });
            link.has_ended(switch);
        }
    }
    until("the tenant is in again", || {
        let anna = server.as_reader("Anna").with_claim("iat", json!(now()));
        let anna = anna.on(&incident("1"));
        (anna.call("GetItems", json!({})).status == 200).then_some(())
    });
    let printed = server.run(&["admin-link", "--tenant", "north"]).said;
    Invitation::opened(&server, &printed).makes("Ada", &program);
}
