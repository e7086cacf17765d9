//! Lists of people, keys, types, templates, connections and webhooks: page by page, and searched.
//!
//! Which rows a credential is shown is tested here too; who may call at all, in `matrix`.

use checklist_tests::client::error_pointers;
use checklist_tests::receiver::Receiver;
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1"))
}

/// The names of the rows of a page, and its cursor.
fn page(person: &Person, path: &str, (list, name): (&str, &str)) -> (Vec<String>, Option<String>) {
    let page = person.get(path).ok();
    let rows = page[list].as_array().unwrap_or_else(|| panic!("{page}"));
    let names = rows
        .iter()
        .map(|row| row[name].as_str().unwrap().to_owned());
    (names.collect(), page["Next"].as_str().map(str::to_owned))
}

/// All rows, two at a time.
fn by_twos(person: &Person, path: &str, row: (&str, &str)) -> Vec<String> {
    let mut seen = Vec::new();
    let mut next: Option<String> = None;
    loop {
        let after = next.map_or(String::new(), |next| format!("&After={next}"));
        let (names, more) = page(person, &format!("{path}?Limit=2{after}"), row);
        assert!(names.len() <= 2, "{names:?}");
        assert!(more.is_none() || names.len() == 2, "{names:?}");
        seen.extend(names);
        next = more;
        if next.is_none() {
            return seen;
        }
    }
}

#[test]
fn people_are_read_page_by_page_and_found_by_their_words() {
    let server = Server::demo();
    let admin = admin(&server);
    for (subject, name) in [
        ("a", "Zoë Ärmel"),
        ("b", "Anna Berg"),
        ("c", "Özlem Berg"),
        ("d", "Ben"),
        ("e", "Eve"),
    ] {
        let user = json!({ "Issuer": "https://id.example", "Subject": subject, "Name": name, "Roles": ["reader"] });
        admin.put("Users", &user).ok();
    }
    let row = ("Users", "Subject");
    assert_eq!(by_twos(&admin, "Users", row), ["b", "d", "e", "c", "a"]);
    for (search, found) in [
        ("berg", vec!["b", "c"]),
        ("BERG özlem", vec!["c"]),
        ("ÄRMEL", vec!["a"]),
        ("id.example", vec!["b", "d", "e", "c", "a"]),
        ("nobody", vec![]),
    ] {
        let (names, next) = page(&admin, &format!("Users?Search={search}"), row);
        assert_eq!(
            (names, next),
            (found.iter().map(|s| (*s).to_owned()).collect(), None)
        );
    }
    let (names, next) = page(&admin, "Users?Search=berg&Limit=1", row);
    assert_eq!(names, ["b"]);
    let after = format!("Users?Search=berg&Limit=1&After={}", next.unwrap());
    assert_eq!(page(&admin, &after, row), (vec!["c".to_owned()], None));
    // One of the order before, by issuer and subject.
    for after in ["nowhere", "VXNlcnMAaHR0cHM6Ly9pZC5leGFtcGxlAGI"] {
        admin
            .get(&format!("Users?After={after}"))
            .refused(422, "InvalidRequest");
    }
}

#[test]
fn people_are_found_by_role_together_with_words_and_page_by_page() {
    let server = Server::demo();
    let admin = admin(&server);
    for (subject, name, roles) in [
        ("a", "Zoë Ärmel", json!(["auditor", "reader"])),
        ("b", "Anna Berg", json!(["auditor"])),
        ("c", "Özlem Berg", json!(["site-operator", "auditor"])),
        ("d", "Ben", json!(["reader"])),
    ] {
        let user = json!({ "Issuer": "https://id.example", "Subject": subject, "Name": name,
            "Roles": roles, "Disabled": subject == "b" });
        admin.put("Users", &user).ok();
    }
    let row = ("Users", "Subject");
    for (query, found) in [
        ("Role=auditor", vec!["b", "c", "a"]),
        ("Role=site-operator", vec!["c"]),
        ("Role=owner", vec![]),
        ("Role=auditor&Search=berg", vec!["b", "c"]),
        ("Role=reader&Search=berg", vec![]),
    ] {
        let (subjects, next) = page(&admin, &format!("Users?{query}"), row);
        assert_eq!(
            (subjects, next),
            (found.iter().map(|s| (*s).to_owned()).collect(), None)
        );
    }
    let (subjects, next) = page(&admin, "Users?Role=auditor&Limit=2", row);
    assert_eq!(subjects, ["b", "c"]);
    let after = format!("Users?Role=auditor&Limit=2&After={}", next.unwrap());
    assert_eq!(page(&admin, &after, row), (vec!["a".to_owned()], None));
    for role in ["Auditor", "", "boss"] {
        admin
            .get(&format!("Users?Role={role}"))
            .refused(422, "InvalidRequest");
    }
}

#[test]
fn keys_types_and_templates_are_read_page_by_page_and_found_by_their_words() {
    let server = Server::demo();
    let admin = admin(&server);
    for name in ["One", "Two", "Three"] {
        let wish = json!({ "Name": name, "Roles": ["reader"] });
        admin.send("ApiKeys", &wish).ok();
    }
    let mut names = by_twos(&admin, "ApiKeys", ("ApiKeys", "Name"));
    names.sort();
    assert_eq!(names, ["One", "Three", "Two"]);
    let found = page(&admin, "ApiKeys?Search=thr", ("ApiKeys", "Name")).0;
    assert_eq!(found, ["Three"]);

    publish(&server, &fragment("zebra", [item("a", "Ask")]));
    let all = [
        "handover",
        "incident-standard",
        "onboarding",
        "server-decommission",
        "zebra",
    ];
    let row = ("Templates", "Id");
    assert_eq!(by_twos(&admin, "Templates", row), all);
    assert_eq!(page(&admin, "Templates?Search=ZEB", row).0, ["zebra"]);

    admin
        .put(
            "Types/review",
            &json!({ "Templates": { "four-eyes": "zebra" } }),
        )
        .ok();
    let row = ("Types", "Name");
    assert_eq!(
        by_twos(&admin, "Types", row),
        ["asset", "incident", "review", "task"]
    );
    assert_eq!(page(&admin, "Types?Search=four", row).0, ["review"]);
}

#[test]
fn connections_and_webhooks_are_read_page_by_page_and_found_by_their_words() {
    let server = Setup::demo().with_vault().start();
    let connections = admin(&server).about_sites();
    for (name, url) in [
        ("Zürich", "https://zuerich.example/sites/it"),
        ("archive", "https://archive.example/"),
        ("Österreich", "https://wien.example/"),
        ("Berlin", "https://berlin.example/"),
    ] {
        let wish = json!({ "Name": name, "Url": url, "Method": "Anonymous" });
        connections.send("ServiceConnections", &wish).ok();
    }
    let row = ("ServiceConnections", "Name");
    assert_eq!(
        by_twos(&connections, "ServiceConnections", row),
        ["archive", "Berlin", "Zürich", "Österreich"]
    );
    for (search, found) in [
        ("ÖSTER", "Österreich"),
        ("wien", "Österreich"),
        ("rch", "archive"),
    ] {
        let path = format!("ServiceConnections?Search={search}");
        assert_eq!(
            page(&connections, &path, row),
            (vec![found.to_owned()], None)
        );
    }

    let webhooks = admin(&server).about_webhooks();
    for name in ["two", "One", "two", "Three"] {
        let url = format!("https://hooks.example/{}", name.to_lowercase());
        let wish = json!({ "Name": name, "Url": url, "Events": ["checklist.completed"] });
        webhooks.send("", &wish).ok();
    }
    let row = ("Webhooks", "Name");
    assert_eq!(by_twos(&webhooks, "", row), ["One", "Three", "two", "two"]);
    assert_eq!(page(&webhooks, "?Search=THR", row).0, ["Three"]);
    let refused = webhooks.get("?Limit=0");
    refused.refused(422, "InvalidRequest");
}

#[test]
fn a_token_for_one_incident_lists_the_types_and_templates_of_it_alone() {
    let server = Server::demo();
    let place = incident("1");
    let reader = server
        .as_reader("Anna")
        .only_for(std::slice::from_ref(&place))
        .on(&place);
    assert_eq!(page(&reader, "Types", ("Types", "Name")).0, ["incident"]);
    let kind = reader.get("Types/incident").ok();
    let own: &Value = &kind["Templates"][""];
    let shown = page(&reader, "Templates", ("Templates", "Id")).0;
    assert_eq!(json!(shown), json!([own]));
    // A preview is configured before there is an object, so what is named is read.
    reader.get("Types/task").ok();
    let author = admin(&server);
    assert!(page(&author, "Types", ("Types", "Name")).0.len() > 1);
}

/// A list that comes in pages, one row each.
struct PagedList {
    name: &'static str,
    ask: Box<dyn Fn(&str) -> Answer>,
}

impl PagedList {
    fn of(name: &'static str, person: &Person, path: &'static str) -> Self {
        let person = person.clone();
        Self {
            name,
            ask: Box::new(move |after| person.get(&format!("{path}?Limit=1{after}"))),
        }
    }

    fn after(&self, cursor: &str) -> Answer {
        (self.ask)(&format!("&After={cursor}"))
    }

    fn next(&self) -> String {
        let page = (self.ask)("").ok();
        let next = page["Next"].as_str();
        next.unwrap_or_else(|| panic!("{} is one page: {page}", self.name))
            .to_owned()
    }
}

/// A server with two rows in each list.
fn full(receiver: &Receiver) -> Server {
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .with_vault()
        .argument("--allow-origin")
        .argument(&receiver.origin)
        .start();
    let admin = admin(&server);
    for number in ["1", "2"] {
        let name = format!("n{number}");
        let user = json!({ "Issuer": "https://id.example", "Subject": name, "Name": name, "Roles": ["reader"] });
        admin.put("Users", &user).ok();
        let key = json!({ "Name": name, "Roles": ["reader"] });
        admin.send("ApiKeys", &key).ok();
        let key = json!({ "PublicKey": HostKey::of(&name).public_pem });
        admin.put(&format!("EmbedKeys/{name}"), &key).ok();
        publish(&server, &fragment(&name, [item("a", "Ask")]));
        let kind = json!({ "Templates": { "": name } });
        admin.put(&format!("Types/{name}"), &kind).ok();
        let connection =
            json!({ "Name": name, "Url": "https://archive.example/", "Method": "Anonymous" });
        admin
            .about_sites()
            .send("ServiceConnections", &connection)
            .ok();
        let computers = json!({ "Computers": [{ "Id": name, "Name": name, "Status": "InUse" }] });
        admin.about_computers().send("Import", &computers).ok();
        let webhook =
            json!({ "Name": name, "Url": receiver.url(), "Events": ["checklist.completed"] });
        admin.about_webhooks().send("", &webhook).ok();
        let list = admin.at(&incident(number));
        list.add("Ask");
        let run = json!({ "Contexts": [incident(number).context()], "Template": "n1" });
        assert_eq!(admin.send("ApplyTemplate", &run).status, 202);
    }
    let done = admin.at(&incident("3"));
    done.add("Ask");
    // A delivery to each of the two webhooks.
    done.tick("Ask");
    receiver.waits_for(2);
    server
}

#[test]
fn the_cursor_of_a_list_leads_nowhere_in_another_list() {
    let receiver = Receiver::open();
    let server = full(&receiver);
    let admin = admin(&server);
    let open_items = admin.clone();
    let find = move |after: &str| {
        let after = after.strip_prefix("&After=");
        open_items.send("FindItems", &json!({ "Limit": 1, "After": after }))
    };
    let lists = [
        PagedList::of("people", &admin, "Users"),
        PagedList::of("API keys", &admin, "ApiKeys"),
        PagedList::of("embed keys", &admin, "EmbedKeys"),
        PagedList::of("types", &admin, "Types"),
        PagedList::of("templates", &admin, "Templates"),
        PagedList::of("checklists", &admin, "Lists"),
        PagedList::of("runs of templates", &admin, "ApplyTemplate/Runs"),
        PagedList::of("connections", &admin.about_sites(), "ServiceConnections"),
        PagedList::of("computers", &admin.about_computers(), ""),
        PagedList::of("webhooks", &admin.about_webhooks(), ""),
        PagedList::of("deliveries", &admin.about_deliveries(), ""),
        PagedList {
            name: "items",
            ask: Box::new(find),
        },
    ];
    // What a run of a workflow needs, `workflows` has.
    let runs = PagedList::of("runs", &admin.about_workflows(), "Runs");
    for of in &lists {
        let cursor = of.next();
        of.after(&cursor).ok();
        for other in lists.iter().chain([&runs]) {
            if other.name == of.name {
                continue;
            }
            let answer = other.after(&cursor);
            let what = format!("{} after a page of {}", other.name, of.name);
            assert_eq!(answer.status, 422, "{what}: {}", answer.text());
            let refused = answer.refused(422, "InvalidRequest");
            assert_eq!(error_pointers(&refused), ["/After"], "{what}");
        }
    }
}
