//! The built-in pages about service connections: making, changing, testing and deleting one, what
//! a person is told before granting anything, and what is said when a consent comes back.
//!
//! Each act on a page is checked where it counts: by a call that reads the connection.

use checklist_site_server::{Options, SiteServer};
use checklist_tests::browser::{Keys, Pages};
use checklist_tests::setup::free_address;
use checklist_tests::{Person, Server, Setup, incident};
use rcgen::{CertificateParams, KeyPair};
use serde_json::{Value, json};

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1")).about_sites()
}

fn connections(server: &Server) -> Vec<Value> {
    let all = admin(server).get("ServiceConnections").ok();
    let all = all["ServiceConnections"].as_array();
    all.expect("a list").clone()
}

fn delegated(name: &str) -> Value {
    json!({ "Name": name, "Method": "Delegated", "Url": "https://acme.example/sites/it",
        "Issuer": "https://login.example/acme", "ClientId": "checklists", "ClientSecret": "a secret" })
}

/// Makes a connection by a call; gives the path of its page.
fn made(server: &Server, wish: &Value) -> String {
    let made = admin(server).send("ServiceConnections", wish).ok();
    format!("/connections/{}", made["Id"].as_str().expect("an id"))
}

/// Whether a field says that it is wrong, and what it says.
fn fault(pages: &Pages, label: &str) -> String {
    let field = Pages::field(label);
    pages.until(&format!("{field}?.getAttribute('aria-invalid') === 'true'"));
    let told = pages.value(&format!(
        "__probe.tidy(document.getElementById({field}.id + '-fault').textContent)"
    ));
    told.as_str().unwrap_or_default().to_owned()
}

fn says_aloud(pages: &Pages, text: &str) {
    pages.until(&format!(
        "document.querySelector('.sr[role=status]').textContent.includes({})",
        json!(text)
    ));
}

/// A site, and a server that may ask it.
fn site_and_server() -> (SiteServer, Server) {
    let site = SiteServer::start(Options::default()).expect("a site server");
    let server = Setup::demo()
        .argument("--allow-origin")
        .argument(&site.origin())
        .start();
    (site, server)
}

#[test]
fn a_connection_is_made_after_its_faults_are_mended_changed_without_its_password_and_deleted() {
    let server = Setup::demo().with_vault().start();
    let pages = Pages::of_demo(&server, "/connections");
    pages.says("No connections yet");
    pages.click("New connection");
    pages.is_at("New connection");
    pages.click("Save");
    assert_eq!(fault(&pages, "Sign-in method"), "This field is required.");
    pages.choose("Sign-in method", "NTLM");
    pages.fill("Name", "Intranet");
    pages.fill("Site URL", "https://127.0.0.1/sites/it");
    pages.fill("Timeout per attempt (seconds)", "soon");
    pages.fill("Password", "correct horse battery staple");
    pages.click("Save");
    assert_eq!(fault(&pages, "User name"), "This field is required.");
    assert_eq!(
        fault(&pages, "Timeout per attempt (seconds)"),
        "Enter a number from 1 to 600."
    );
    assert!(!fault(&pages, "Site URL").is_empty());
    pages.until("document.activeElement.getAttribute('aria-invalid') === 'true'");
    assert!(connections(&server).is_empty(), "nothing half done");

    pages.fill("Site URL", "https://intranet.example/sites/it");
    pages.fill("User name", "svc-checklists");
    pages.fill("Domain or realm", "CORP");
    pages.fill("Timeout per attempt (seconds)", "20");
    pages.click("Save");
    pages.is_at("Intranet");
    pages.says("Ready");
    let kept = &connections(&server)[0];
    assert_eq!(kept["Method"], "NTLM");
    assert_eq!(kept["Timeout"], 20);
    assert_eq!(kept["HasPassword"], true);
    let held = pages
        .value("document.documentElement.outerHTML")
        .to_string();
    assert!(!held.contains("horse"), "a secret is gone from the page");

    pages.says("leave empty to keep it");
    pages.fill("Name", "Intranet IT");
    pages.click("Save");
    pages.is_at("Intranet IT");
    says_aloud(&pages, "Connection saved.");
    let kept = &connections(&server)[0];
    assert_eq!(kept["HasPassword"], true, "it was left empty");
    assert_eq!(kept["Revision"], 2);

    pages.fill("Site URL", "https://elsewhere.example/sites/it");
    pages.click("Save");
    assert!(fault(&pages, "Password").contains("another origin"));

    pages.click("Delete…");
    pages.says("Delete “Intranet IT”?");
    pages
        .browser
        .is_accessible("body", "a question over a field with a fault");
    pages.browser.press(Keys::Escape);
    pages.says_no_longer("Delete “Intranet IT”?");
    assert_eq!(connections(&server).len(), 1);
    pages.click("Delete…");
    pages.click("Delete connection");
    pages.is_at("Connections");
    pages.says("No connections yet");
    assert!(connections(&server).is_empty());
    pages.browser.is_untroubled();
}

#[test]
fn what_is_emptied_in_the_form_is_cleared_and_the_rest_stays() {
    let server = Setup::demo().with_vault().start();
    let wish = json!({ "Name": "Intranet", "Method": "Kerberos", "Url": "https://intranet.example/sites/it",
        "Username": "svc", "Password": "a secret", "Domain": "CORP", "Kdc": "tcp://kdc.example:88", "Timeout": 20 });
    let pages = Pages::of_demo(&server, &made(&server, &wish));
    pages.is_at("Intranet");
    pages.fill("Domain or realm", "");
    pages.fill("Timeout per attempt (seconds)", "");
    // It belongs to somebody else until it is saved here.
    pages.fill("Password", "another secret");
    pages.click("Save");
    says_aloud(&pages, "Connection saved.");
    let kept = &connections(&server)[0];
    assert_eq!(
        (&kept["Domain"], &kept["Timeout"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&kept["Username"], &kept["HasPassword"]),
        (&json!("svc"), &json!(true))
    );
    assert_eq!(kept["Kdc"], "tcp://kdc.example:88");
    pages.browser.is_untroubled();
}

#[test]
fn only_the_fields_that_the_way_to_sign_in_has_are_shown() {
    let server = Setup::demo().start();
    let pages = Pages::of_demo(&server, "/connections/new");
    let all = [
        "User name",
        "Password",
        "Kerberos KDC",
        "Issuer",
        "Client secret",
        "Redirect URI",
    ];
    let shown = |method: &str, fields: &[&str]| {
        pages.choose("Sign-in method", method);
        for field in all {
            let there = fields.contains(&field);
            pages.until(&format!("!!({}) === {there}", Pages::field(field)));
        }
    };
    shown("NTLM", &["User name", "Password"]);
    shown("Kerberos", &["User name", "Password", "Kerberos KDC"]);
    shown(
        "Delegated: on behalf of a user (OAuth)",
        &["Issuer", "Client secret", "Redirect URI"],
    );
    shown(
        "Application: as the app itself, with a secret or certificate (OAuth)",
        &["Issuer", "Client secret"],
    );
    shown("Anonymous: without sign-in", &[]);
    shown("PassThrough: with each caller's own credentials", &[]);
}

#[test]
fn the_servers_own_identity_needs_no_user_and_where_it_is_not_open_the_field_says_so() {
    let server = Setup::demo().start();
    let pages = Pages::of_demo(&server, "/connections/new");
    pages.fill("Name", "Intranet");
    pages.fill("Site URL", "https://intranet.example/sites/it");
    pages.choose("Sign-in method", "Kerberos");
    pages.choose("Sign in as", "This server, with its own Kerberos ticket");
    for gone in ["User name", "Password", "Kerberos KDC"] {
        pages.until(&format!("!({})", Pages::field(gone)));
    }
    pages.click("Save");
    pages.says("The operator has not allowed the server's own identity for this site");
    pages.choose("Sign in as", "User with password");
    pages.until(&format!("!!({})", Pages::field("Password")));
}

#[test]
fn a_test_tells_its_seven_steps_one_by_one() {
    let (site, server) = site_and_server();
    let wish = json!({ "Name": "Demo site", "Method": "Anonymous", "Url": site.site_url() });
    let pages = Pages::of_demo(&server, &made(&server, &wish));
    pages.is_at("Demo site");
    pages.click("Test connection");
    pages.says("The connection works.");
    let outcomes = || {
        let heads = pages.texts(".step-head");
        let outcomes = ["Passed", "Failed", "Unknown", "Skipped"];
        let told = heads.iter().map(|head| {
            let found = outcomes.iter().find(|one| head.contains(**one));
            *found.unwrap_or_else(|| panic!("no outcome in {head}"))
        });
        told.collect::<Vec<_>>()
    };
    let without_list = outcomes();
    assert_eq!(without_list.len(), 7);
    assert_eq!(without_list[0], "Passed");
    assert_eq!(without_list[3], "Passed");
    assert_eq!(without_list[4..], ["Skipped"; 3]);

    pages.fill("List", "Computers");
    pages.click("Test connection");
    pages.says("List found: Computers.");
    assert_eq!(outcomes()[4], "Passed");

    pages.fill("List", "No such list");
    pages.click("Test connection");
    pages.says("The connection does not work: List.");
    assert_eq!(outcomes()[4..], ["Failed", "Skipped", "Skipped"]);
    says_aloud(&pages, "The connection does not work: List.");
    pages.browser.is_accessible_in_every_scheme("body");

    pages.fill("Name", "Not saved");
    pages.click("Test connection");
    pages.says("Save your changes first.");
}

#[test]
fn before_anything_is_granted_the_page_says_what_and_where_browsers_come_back_to() {
    let server = Setup::demo().with_vault().start();
    let pages = Pages::of_demo(&server, "/connections/new");
    pages.fill("Site URL", "https://acme.example/sites/it");
    pages.choose("Sign-in method", "Delegated: on behalf of a user (OAuth)");
    let providers = admin(&server).get("ServiceCapabilityProviders").ok();
    let provider = &providers["ServiceCapabilityProviders"][0];
    pages.says(provider["Scope"].as_str().unwrap());
    for choice in provider["Choices"].as_array().unwrap() {
        pages.says(choice["Grants"].as_str().unwrap());
    }
    pages.says("https://acme.example/AllSites.FullControl");
    let redirect = Pages::field("Redirect URI");
    assert_eq!(
        pages.value(&format!("{redirect}.value")),
        provider["RedirectUri"]
    );
    pages.click("Copy");
    pages.until(&format!(
        "document.body.innerText.includes('Copied.') || {redirect}.selectionEnd > 0"
    ));

    pages.fill("Name", "Team");
    pages.fill("Issuer", "https://login.example/acme");
    pages.fill("Client ID", "checklists");
    pages.click("Selected sites");
    pages.click("Save");
    pages.is_at("Team");
    pages.says("Sign-in required");
    pages.says("https://acme.example/Sites.Selected");
    assert_eq!(connections(&server)[0]["Access"], "SelectedSites");
}

#[test]
fn nobody_connects_in_the_name_of_an_owner_who_is_somebody_else_and_a_silent_server_is_told() {
    let nobody = format!("http://{}", free_address());
    let server = Setup::demo()
        .argument("--allow-origin")
        .argument(&nobody)
        .start();
    let wish = json!({ "Name": "Team", "Method": "Delegated", "Url": "https://acme.example/",
        "Issuer": nobody, "ClientId": "checklists" });
    let pages = Pages::of_demo(&server, &made(&server, &wish));
    pages.click("Connect");
    pages.says("Save it first to make it yours");
    pages.click("Save");
    says_aloud(&pages, "Connection saved.");
    pages.says_no_longer("Save it first to make it yours");
    pages.click("Connect");
    pages.says("Something went wrong");
    pages.is_at("Team");
}

#[test]
fn what_a_test_has_found_is_said_in_german_too() {
    let (site, server) = site_and_server();
    let wish = json!({ "Name": "Demo site", "Method": "Anonymous", "Url": site.site_url() });
    let path = made(&server, &wish);
    let pages = Pages::of_demo(&server, "/connections");
    pages
        .browser
        .script("localStorage.setItem('checklist-language', 'de');", &[]);
    pages.open(&path);
    pages.fill("Liste", "Keine Liste");
    pages.click("Verbindung testen");
    pages.says("Site gefunden: Demo.");
    pages.says("Diese Liste gibt es auf der Site nicht.");
    let english = pages.texts(".step-words p[lang=en]");
    assert!(
        english.iter().all(|told| told.contains("list")),
        "{english:?}"
    );
    pages.fill("Liste", "Computers");
    pages.click("Verbindung testen");
    pages.says("Einträge können angelegt, geändert und gelöscht werden.");
    assert_eq!(pages.texts(".step-words p[lang=en]").len(), 0);
}

#[test]
fn what_came_of_a_consent_is_said_in_both_languages_at_the_connection_or_at_the_list() {
    let server = Setup::demo().with_vault().start();
    let path = made(&server, &delegated("Team"));
    let pages = Pages::of_demo(&server, "/connections");
    pages.browser.resize(320, 720);
    for (query, english, german) in [
        (
            "ConsentProblem=Refused",
            "the request was declined",
            "Die Anfrage wurde abgelehnt",
        ),
        (
            "ConsentProblem=Expired",
            "took too long",
            "zu lange gedauert",
        ),
        (
            "ConsentProblem=Changed",
            "has been changed in the meantime",
            "inzwischen geändert",
        ),
        (
            "ConsentProblem=ProviderFailed",
            "returned an unexpected response",
            "unerwartet geantwortet",
        ),
        (
            "ConsentProblem=NotLasting",
            "only for this session",
            "nur für diese Sitzung",
        ),
    ] {
        for (language, sentence) in [("en", english), ("de", german)] {
            pages.browser.script(
                "localStorage.setItem('checklist-language', arguments[0]);",
                &[json!(language)],
            );
            for place in [path.as_str(), "/connections"] {
                pages.open(&format!("{place}?{query}"));
                pages.until(&format!(
                    "__probe.tidy(document.querySelector('main .notice')?.textContent).includes({})",
                    json!(sentence)
                ));
                let root = "document.documentElement";
                let fits = pages.value(&format!("{root}.scrollWidth <= {root}.clientWidth"));
                assert_eq!(fits, json!(true), "{place} in {language} on 320 pixels");
            }
        }
    }
}

#[test]
fn an_address_alone_does_not_say_that_somebody_is_connected() {
    let server = Setup::demo().with_vault().start();
    let pages = Pages::of_demo(&server, "/connections");
    let path = made(&server, &delegated("Team"));
    pages.open(&format!("{path}?Connected=true"));
    pages.says("Sign-in required");
    assert!(!pages.tells("now acts on your behalf"));
    let open = json!({ "Name": "Open", "Method": "Anonymous", "Url": "https://open.example/" });
    let path = made(&server, &open);
    pages.open(&format!("{path}?Connected=true"));
    pages.says("now acts on your behalf");
}

#[test]
fn a_change_of_somebody_else_is_told_and_can_be_loaded() {
    let server = Setup::demo().with_vault().start();
    let path = made(&server, &delegated("Team"));
    let pages = Pages::of_demo(&server, &path);
    pages.fill("Name", "Mine");
    let theirs = delegated("Theirs");
    let call = path.replace("/connections", "ServiceConnections");
    admin(&server).put(&call, &theirs).ok();
    pages.click("Save");
    pages.says("Someone else has saved changes");
    assert_eq!(connections(&server)[0]["Name"], "Theirs");
    pages.click("Load current version");
    pages.is_at("Theirs");
    pages.click("Journal");
    pages.is_at("Journal");
}

/// A certificate of that name and its key, PEM.
fn certificate(name: &str) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let mut wish = CertificateParams::default();
    wish.distinguished_name = rcgen::DistinguishedName::new();
    wish.distinguished_name
        .push(rcgen::DnType::CommonName, name);
    let made = wish.self_signed(&key).expect("a certificate");
    // As a field gives it back.
    let plain = |text: String| text.replace("\r\n", "\n");
    (plain(made.pem()), plain(key.serialize_pem()))
}

#[test]
fn a_certificate_is_given_after_its_faults_are_mended_replaced_by_files_and_removed() {
    const PEM: &str = "Certificate and private key (PEM)";
    let server = Setup::demo().with_vault().start();
    let pages = Pages::of_demo(&server, "/connections/new");
    let (first, key) = certificate("checklists-2026");
    pages.fill("Name", "Unattended");
    pages.fill("Site URL", "https://acme.example/sites/it");
    pages.choose(
        "Sign-in method",
        "Application: as the app itself, with a secret or certificate (OAuth)",
    );
    pages.fill("Issuer", "https://login.example/acme");
    pages.fill("Client ID", "checklists");
    pages.choose("Authenticate with", "Certificate");
    pages.until(&format!("!({})", Pages::field("Client secret")));
    pages.says("Microsoft Entra ID accepts RSA only");
    paste(&pages, PEM, &first);
    pages.click("Save");
    assert!(fault(&pages, PEM).starts_with("There is no private key in it"));
    pages.until("document.activeElement.id === 'connection-certificate'");
    assert!(connections(&server).is_empty());
    paste(&pages, PEM, &format!("{first}{key}"));
    pages.click("Save");
    pages.is_at("Unattended");
    pages.says("Ready");
    let kept = connections(&server)[0].clone();
    let facts = &kept["CertificateFacts"];
    assert_eq!(facts["Subject"], "CN=checklists-2026");
    pages.says("CN=checklists-2026");
    assert_eq!(
        pages.value(&format!("{}.value", Pages::field("SHA-256 thumbprint"))),
        facts["Thumbprint"]
    );
    let held = pages
        .value("document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map((one) => one.value).join()")
        .to_string();
    assert!(
        !held.contains("PRIVATE KEY"),
        "the key is gone from the page"
    );

    let (second, key) = certificate("checklists-2027");
    pages.choose_file("Choose files…", "app.pem", format!("{key}{second}"));
    pages.says("Read: app.pem");
    pages.click("Save");
    pages.says("CN=checklists-2027");
    assert!(!pages.tells("checklists-2026"));
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.resize(320, 720);
    pages.browser.fits_its_window();

    pages.fill("Name", "Unattended still");
    pages.click("Save");
    says_aloud(&pages, "Connection saved.");
    assert_eq!(connections(&server)[0]["HasClientCertificate"], true);
    pages.click("Remove the certificate when saving");
    pages.click("Save");
    pages.says("Secret missing");
    assert_eq!(connections(&server)[0]["HasClientCertificate"], false);
    pages.browser.is_untroubled();
}

#[test]
fn what_is_wrong_with_a_certificate_is_said_in_german_too() {
    let server = Setup::demo().with_vault().start();
    let path = made(&server, &delegated("Team"));
    let pages = Pages::of_demo(&server, "/connections");
    pages
        .browser
        .script("localStorage.setItem('checklist-language', 'de');", &[]);
    pages.open(&path);
    pages.choose("Authentifizieren mit", "Zertifikat");
    pages.says("Ein Client-Geheimnis ist hinterlegt.");
    const PEM: &str = "Zertifikat und privater Schlüssel (PEM)";
    for (text, told) in [
        ("nonsense".to_owned(), "Darin ist kein Zertifikat"),
        (
            [certificate("a").0, certificate("b").1].concat(),
            "gehört nicht zum Zertifikat",
        ),
    ] {
        paste(&pages, PEM, &text);
        pages.click("Speichern");
        pages.until(&format!(
            "document.getElementById('connection-certificate-fault').textContent.includes({})",
            json!(told)
        ));
    }
    let kept = connections(&server)[0].clone();
    assert_eq!(kept["HasClientSecret"], true, "nothing half done");
}

/// Pastes a text of several lines into a field, replacing what it holds.
fn paste(pages: &Pages, label: &str, text: &str) {
    let field = Pages::field(label);
    pages.until(&format!("!!({field})"));
    pages.browser.click(&field);
    pages.browser.press_with(Keys::Control, 'a');
    pages.browser.script(
        "document.execCommand('insertText', false, arguments[0]);",
        &[json!(text)],
    );
    pages.until(&format!("{field}.value === {}", json!(text)));
}

#[test]
fn a_name_that_another_connection_has_is_told_at_the_name() {
    let server = Setup::demo().with_vault().start();
    let _ = made(&server, &delegated("Team"));
    let pages = Pages::of_demo(&server, "/connections/new");
    pages.choose("Sign-in method", "Anonymous: without sign-in");
    pages.fill("Name", "team");
    pages.fill("Site URL", "https://open.example/");
    pages.click("Save");
    assert_eq!(
        fault(&pages, "Name"),
        "A connection with this name already exists."
    );
}

#[test]
fn a_connection_is_found_among_many_by_its_name_or_its_site() {
    let server = Setup::demo().with_vault().start();
    for number in 0..120 {
        let open = json!({ "Name": format!("Site {number:03}"), "Method": "Anonymous",
            "Url": format!("https://site-{number}.example/") });
        let _ = made(&server, &open);
    }
    let pages = Pages::of_demo(&server, "/connections");
    pages.until("document.querySelectorAll('tbody tr').length === 100");
    pages.click("Load more");
    pages.until("document.querySelectorAll('tbody tr').length === 120");
    pages.fill("Search by name, site or owner", "site-117.example");
    pages.browser.press(Keys::Enter);
    pages.until("document.querySelectorAll('tbody tr').length === 1");
    pages.says("Site 117");
    pages.fill("Search by name, site or owner", "nowhere");
    pages.browser.press(Keys::Enter);
    pages.says("No matches");
}

#[test]
fn a_connection_is_made_with_keys_alone() {
    let server = Setup::demo().with_vault().start();
    let pages = Pages::of_demo(&server, "/connections");
    pages.is_at("Connections");
    pages.until("document.activeElement.localName === 'h1'");
    pages.browser.press(Keys::Tab);
    pages.browser.press(Keys::Enter);
    pages.is_at("New connection");
    pages.until("document.activeElement.localName === 'h1'");
    let next = || pages.browser.press(Keys::Tab);
    next();
    pages.browser.keys("By keys");
    next();
    pages.browser.keys("https://acme.example/sites/it");
    // What the site speaks, seconds, certificates, then how to sign in: the first choice.
    for _ in 0..4 {
        next();
    }
    pages.until("document.activeElement.id === 'connection-method'");
    pages.browser.press(Keys::Down);
    next();
    pages.browser.keys("https://login.example");
    next();
    pages.browser.keys("checklists");
    // What the client proves who it is by, and the secret.
    next();
    pages.until("document.activeElement.id === 'connection-proof'");
    next();
    next();
    pages.until("document.activeElement.type === 'radio'");
    pages.browser.press(Keys::Down);
    pages.until("document.activeElement.type === 'radio' && document.activeElement.checked");
    pages.browser.press(Keys::Enter);
    pages.is_at("By keys");
    let kept = &connections(&server)[0];
    assert_eq!(kept["Method"], "Delegated");
    assert_eq!(kept["Access"], "SelectedSites");
    // What is granted, and the state, are there for everybody, and on a narrow view too.
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.resize(320, 720);
    pages.browser.fits_its_window();
}

#[test]
fn after_the_last_page_the_focus_is_at_the_count_and_a_search_finds_one_or_none() {
    let server = Setup::demo().with_vault().start();
    let admin = admin(&server);
    for n in 0..105 {
        let name = format!("Site {n:03}");
        let wish =
            json!({ "Name": name, "Method": "Anonymous", "Url": "https://acme.example/sites/it" });
        admin.send("ServiceConnections", &wish).ok();
    }
    let pages = Pages::of_demo(&server, "/connections");
    let rows = |count: usize| {
        pages.until(&format!(
            "document.querySelectorAll('tbody tr').length === {count}"
        ))
    };
    rows(100);
    pages.until("(() => { const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Load more'); button?.focus(); return document.activeElement === button; })()");
    pages.browser.press(Keys::Enter);
    rows(105);
    // The button is gone, and the view stays where it was.
    pages.until("document.activeElement.id === 'serviceconnections-count'");
    pages.until("scrollY > 0");
    pages.fill("Search by name, site or owner", "Site 104");
    pages.browser.press(Keys::Enter);
    rows(1);
    pages.fill("Search by name, site or owner", "zebra");
    pages.browser.press(Keys::Enter);
    pages.says("No matches found");
    pages.browser.is_untroubled();
}
