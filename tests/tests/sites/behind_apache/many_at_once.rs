//! Sixty-four callers who begin at once, through the server, with a wrong password: one attempt
//! at Apache or at the key distribution centre. And what the log holds of sign-ins at its most
//! talkative: nothing that they were made of.
//! Part of `behind_apache`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checklist_tests::sign_in::people::{DOMAIN, REALM};
use checklist_tests::sign_in::{PASSWORD, Person, Realm, VirtualHost};
use serde_json::json;

use crate::many_at_once::Crowd;

fn crowd(method: &str, virtual_host: VirtualHost, domain: &str, person: Person) -> Crowd {
    let realm = Realm::get();
    let mut wish = json!({ "Name": method, "Method": method, "Url": realm.site_url(virtual_host),
        "Username": person.name(), "Password": "guessed" });
    if !domain.is_empty() {
        wish["Domain"] = json!(domain);
    }
    if domain == REALM {
        wish["Kdc"] = json!(realm.kdc.url());
    }
    Crowd::of(
        wish,
        &[&realm.apache.origin(virtual_host), &realm.kdc.url()],
    )
}

/// Nothing of what was brought to Apache stands in the log, nor any line of another crate below
/// `info`, where sign-ins write down their keys.
#[track_caller]
fn tells_nothing(crowd: Crowd) {
    let mut server = crowd.server;
    server.stop();
    let log = server.errors();
    assert!(
        log.contains("DEBUG"),
        "the log is not at its most talkative"
    );
    for line in log.lines() {
        let mut words = line.split_whitespace().skip(1);
        let level = words.next().unwrap_or_default();
        if matches!(level, "TRACE" | "DEBUG") {
            let told = line.split_once(level).map_or("", |(_, told)| told.trim());
            let ours = ["checklist_", "site_lists::"];
            assert!(ours.iter().any(|one| told.starts_with(one)), "{line}");
        }
    }
    assert!(!log.contains(PASSWORD) && !log.contains("guessed"));
    for credential in Realm::get().apache.credentials() {
        let (_, token) = credential.split_once(' ').unwrap_or_default();
        let Ok(bytes) = STANDARD.decode(token) else {
            continue;
        };
        if bytes.len() < 16 {
            continue;
        }
        let shown = format!("{bytes:?}");
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        for trace in [token, &shown, &hex] {
            assert!(!log.contains(trace), "{trace}");
        }
    }
}

#[test]
fn a_wrong_password_is_tried_once_by_ntlm() {
    let person = Person::ManyByNtlm;
    let crowd = crowd("NTLM", VirtualHost::Ntlm, DOMAIN, person);
    crowd.is_refused();
    assert_eq!(Realm::get().apache.attempts_for(person).len(), 1);
    crowd.works_with(PASSWORD);
    tells_nothing(crowd);
}

#[test]
fn a_wrong_password_is_tried_once_by_digest() {
    let person = Person::ManyByDigest;
    let crowd = crowd("Digest", VirtualHost::Digest, "", person);
    crowd.is_refused();
    assert_eq!(Realm::get().apache.attempts_for(person).len(), 1);
    crowd.works_with(PASSWORD);
    tells_nothing(crowd);
}

#[test]
fn a_wrong_password_is_tried_once_by_kerberos() {
    let person = Person::ManyByKerberos;
    let crowd = crowd("Kerberos", VirtualHost::Kerberos, REALM, person);
    crowd.is_refused();
    assert_eq!(Realm::get().kdc.failed_attempts(person), 1);
    crowd.works_with(PASSWORD);
    tells_nothing(crowd);
}

#[test]
fn a_wrong_password_is_tried_once_by_negotiate() {
    let person = Person::ManyByNegotiate;
    let crowd = crowd("Negotiate", VirtualHost::Windows, REALM, person);
    crowd.is_refused();
    assert_eq!(Realm::get().kdc.failed_attempts(person), 1);
    crowd.works_with(PASSWORD);
    tells_nothing(crowd);
}

#[test]
fn a_site_that_lets_anybody_in_fails_the_test_of_its_connection_and_gets_no_entry() {
    for (method, virtual_host, domain) in [
        ("Digest", VirtualHost::OpenDigest, ""),
        ("NTLM", VirtualHost::OpenWindows, DOMAIN),
        ("Negotiate", VirtualHost::OpenWindows, DOMAIN),
    ] {
        let crowd = crowd(method, virtual_host, domain, Person::Stray);
        let title = format!("{method} through the server");
        let step = crowd.test();
        assert_eq!(step["Outcome"], "Failed", "{method}: {step}");
        assert_eq!(step["Finding"], "NotSignedIn", "{method}: {step}");
        let problem = crowd.adds(&title).refused(424, "NotSignedIn");
        assert!(!problem.to_string().contains("guessed"), "{problem}");
        let held = Realm::get().open_site.with_site(|site| {
            let list = site.list_titled("Computers").expect("the list");
            let titles = list.items.values().map(|item| item.values.get("Title"));
            titles.flatten().any(|known| *known == title)
        });
        assert!(!held, "{method}: it was written");
    }
}
