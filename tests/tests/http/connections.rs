//! Service connections as an administrator keeps them: what may stand in one, what is never told
//! again, and what a change takes along.
//! Against a server of its own; what a site makes of a connection is tried by the program `sites`.

use checklist_tests::client::{error_pointers, field_errors};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery staple";

fn server() -> Server {
    Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")])
        .with_vault()
        .start()
}

/// An administrator of a tenant, with a name of their own.
fn admin_of(server: &Server, tenant: &str, name: &str) -> Person {
    let admin = server.as_admin().on(&incident("1"));
    admin
        .with_token(&server.admin_key(tenant, name))
        .about_sites()
}

fn ntlm(name: &str) -> Value {
    json!({ "Name": name, "Method": "NTLM", "Url": "https://intranet.example/sites/it/",
        "Username": "svc", "Password": PASSWORD, "Domain": "CORP", "Timeout": 20 })
}

fn delegated(name: &str) -> Value {
    json!({ "Name": name, "Method": "Delegated", "Url": "https://acme.example/sites/it",
        "Issuer": "https://login.example/acme", "ClientId": "checklists", "ClientSecret": PASSWORD })
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

fn without(mut body: Value, name: &str) -> Value {
    body.as_object_mut().expect("an object").remove(name);
    body
}

#[test]
fn a_connection_is_made_read_changed_and_deleted_and_its_password_never_told() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let made = ada.send("ServiceConnections", &ntlm("Intranet")).ok();
    assert_eq!(made["Url"], "https://intranet.example/sites/it");
    assert_eq!(made["Origin"], "https://intranet.example");
    assert_eq!(made["HasPassword"], true);
    assert_eq!(made["State"], "Ready");
    assert_eq!(made["OwnerName"], "ada");
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    assert_eq!(ada.get(&path).ok(), made);
    assert_eq!(
        ada.get(
            &path
                .to_uppercase()
                .replace("SERVICECONNECTIONS", "ServiceConnections")
        )
        .ok(),
        made
    );
    let all = ada.get("ServiceConnections");
    assert_eq!(all.ok()["ServiceConnections"], json!([made]));
    assert!(!all.text().contains("horse"));

    let change = without(with(ntlm("Renamed"), "Timeout", json!(40)), "Password");
    let changed = ada.put(&path, &change).ok();
    assert_eq!(changed["Name"], "Renamed");
    assert_eq!(changed["Revision"], 2);
    assert_eq!(changed["HasPassword"], true, "it stays when it is left out");
    ada.remove(&path).ok();
    ada.get(&path).refused(404, "ConnectionNotFound");
    ada.remove(&path).refused(404, "ConnectionNotFound");
}

#[test]
fn a_server_without_a_ticket_of_its_own_refuses_to_sign_in_as_itself() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let own = json!({ "Name": "As itself", "Method": "Kerberos", "Identity": "Service",
        "Url": "https://intranet.example/sites/it" });
    let problem = ada
        .send("ServiceConnections", &own)
        .refused(422, "InvalidRequest");
    let invalid = |pointer: &str| (pointer.to_owned(), "Invalid".to_owned());
    assert_eq!(field_errors(&problem), [invalid("/Identity")]);
    assert!(problem.to_string().contains("system-kerberos"), "{problem}");
    // No other way to sign in has it, and a user's name or another ticket server makes no sense.
    let mixed = with(ntlm("Mixed"), "Identity", json!("Service"));
    let mixed = with(mixed, "Kdc", json!("tcp://kdc.example:88"));
    let problem = ada
        .send("ServiceConnections", &mixed)
        .refused(422, "InvalidRequest");
    let wrong = ["/Domain", "/Identity", "/Kdc", "/Password", "/Username"];
    assert_eq!(field_errors(&problem), wrong.map(invalid));
    let plain = ada.send("ServiceConnections", &ntlm("Plain")).ok();
    assert_eq!(plain["Identity"], "Credentials");
    assert_eq!(
        ada.get("ServiceConnections").ok()["ServiceConnections"],
        json!([plain])
    );
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_where_it_stands() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let wrong = json!({ "Name": " ", "Method": "Digest", "Url": "https://intranet.example/?a=b", "Timeout": 0,
        "Password": "", "ClientId": "x", "Kdc": "tcp://kdc:88", "CaBundle": "nonsense" });
    let problem = ada
        .send("ServiceConnections", &wrong)
        .refused(422, "InvalidRequest");
    let pointers = error_pointers(&problem);
    assert_eq!(
        pointers,
        [
            "/CaBundle",
            "/ClientId",
            "/Kdc",
            "/Name",
            "/Password",
            "/Timeout",
            "/Url",
            "/Username"
        ]
    );
    let bare = json!({ "Name": "x", "Method": "Delegated", "Url": "https://acme.example" });
    let problem = ada
        .send("ServiceConnections", &bare)
        .refused(422, "InvalidRequest");
    let errors = field_errors(&problem);
    assert_eq!(errors[0].0, "/ClientId");
    assert_eq!(errors[1].0, "/Issuer");
}

#[test]
fn an_address_that_may_not_be_asked_is_refused_when_it_is_written() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    for url in [
        "http://intranet.example/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest",
        "https://user:secret@intranet.example/",
        "file:///etc/passwd",
        "gopher://intranet.example/",
        "intranet.example",
        "",
    ] {
        let wish = with(ntlm("x"), "Url", json!(url));
        let problem = ada
            .send("ServiceConnections", &wish)
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/Url", "{url}");
        let wish = with(delegated("y"), "Issuer", json!(url));
        let problem = ada
            .send("ServiceConnections", &wish)
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/Issuer", "{url}");
    }
}

#[test]
fn a_name_is_taken_once() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    ada.send("ServiceConnections", &ntlm("Intranet")).ok();
    ada.send("ServiceConnections", &ntlm(" INTRANET "))
        .refused(409, "NameTaken");
    admin_of(&server, "south", "sam")
        .send("ServiceConnections", &ntlm("Intranet"))
        .ok();
}

#[test]
fn a_connection_is_not_there_for_another_tenant() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let sam = admin_of(&server, "south", "sam");
    let made = ada.send("ServiceConnections", &ntlm("Intranet")).ok();
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    sam.get(&path).refused(404, "ConnectionNotFound");
    sam.put(&path, &ntlm("Mine"))
        .refused(404, "ConnectionNotFound");
    sam.remove(&path).refused(404, "ConnectionNotFound");
    assert_eq!(
        sam.get("ServiceConnections").ok()["ServiceConnections"],
        json!([])
    );
    assert_eq!(ada.get(&path).ok(), made);
}

#[test]
fn a_password_does_not_follow_a_connection_elsewhere_nor_into_other_hands() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let ben = admin_of(&server, "north", "ben");
    let made = ada.send("ServiceConnections", &ntlm("Intranet")).ok();
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    let bare = without(ntlm("Intranet"), "Password");

    let elsewhere = with(bare.clone(), "Url", json!("https://evil.example/sites/it"));
    let problem = ada.put(&path, &elsewhere).refused(422, "InvalidRequest");
    assert_eq!(
        field_errors(&problem),
        [("/Password".to_owned(), "Required".to_owned())]
    );
    let problem = ben.put(&path, &bare).refused(422, "InvalidRequest");
    assert!(
        problem["Errors"][0]["Detail"]
            .as_str()
            .unwrap()
            .contains("belongs to ada")
    );
    let weaker = with(bare.clone(), "Method", json!("Forms"));
    ada.put(&path, &weaker).refused(422, "InvalidRequest");

    let taken_over = ben.put(&path, &ntlm("Intranet")).ok();
    assert_eq!(taken_over["OwnerName"], "ben");
    assert_ne!(taken_over["Owner"], made["Owner"]);
    let other_user = with(bare, "Username", json!("other"));
    let changed = ben.put(&path, &other_user).ok();
    assert_eq!(
        changed["HasPassword"], false,
        "a password belongs to its user"
    );
    assert_eq!(changed["State"], "NeedsSecret");
}

#[test]
fn a_client_secret_that_is_kept_can_be_removed() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let made = ada.send("ServiceConnections", &delegated("Team")).ok();
    assert_eq!(made["HasClientSecret"], true);
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    let bare = without(delegated("Team"), "ClientSecret");
    assert_eq!(ada.put(&path, &bare).ok()["HasClientSecret"], true);
    let both = with(delegated("Team"), "RemoveClientSecret", json!(true));
    let problem = ada.put(&path, &both).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/RemoveClientSecret");
    let removed = with(bare, "RemoveClientSecret", json!(true));
    assert_eq!(ada.put(&path, &removed).ok()["HasClientSecret"], false);
    assert_eq!(ada.get(&path).ok()["HasClientSecret"], false);
    let of_a_password = with(ntlm("Intranet"), "RemoveClientSecret", json!(true));
    ada.send("ServiceConnections", &of_a_password)
        .refused(422, "InvalidRequest");
}

#[test]
fn a_change_of_what_somebody_else_has_changed_meanwhile_is_refused() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let made = ada.send("ServiceConnections", &ntlm("Intranet")).ok();
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    let seen = with(ntlm("First"), "Revision", json!(1));
    ada.put(&path, &seen).ok();
    let problem = ada.put(&path, &seen).refused(412, "ConnectionChanged");
    assert!(problem["detail"].as_str().unwrap().contains("revision 2"));
}

#[test]
fn the_delegated_provider_is_listed_with_its_scope_word_by_word() {
    let server = server();
    let ada = admin_of(&server, "north", "ada");
    let providers = ada.get("ServiceCapabilityProviders").ok();
    let provider = &providers["ServiceCapabilityProviders"][0];
    assert_eq!(provider["Kind"], "Delegated");
    assert_eq!(
        provider["Scope"],
        "offline_access+openid+User.Read+AllSites.FullControl"
    );
    let back = format!("{}/connections/callback", server.base_url());
    assert_eq!(provider["RedirectUri"], back.as_str());
    assert!(
        provider["Choices"][0]["Grants"]
            .as_str()
            .unwrap()
            .contains("Full control")
    );
    let made = ada.send("ServiceConnections", &delegated("Team")).ok();
    assert_eq!(made["State"], "NeedsSignIn");
    assert_eq!(
        made["Scopes"][2],
        "https://acme.example/AllSites.FullControl"
    );
}

#[test]
fn without_a_key_for_the_vault_nothing_that_authenticates_is_taken() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let ada = admin_of(&server, "north", "ada");
    let problem = ada
        .send("ServiceConnections", &ntlm("Intranet"))
        .refused(409, "VaultMissing");
    assert!(problem["detail"].as_str().unwrap().contains("--vault-key"));
    let anonymous = json!({ "Name": "Open", "Method": "Anonymous", "Url": "https://open.example" });
    let made = ada.send("ServiceConnections", &anonymous).ok();
    assert_eq!(made["State"], "Ready");
}
