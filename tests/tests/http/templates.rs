//! Templates: drafts, publishing, and GET /Template/{fragmentId}.
//!
//! What lists do with a new version is tested in `refresh`.

use checklist_tests::client::{Answer, error_pointers, field_errors, send};
use checklist_tests::template::{author, fragment, in_german, item, publish, section, under, with};
use checklist_tests::{Person, Server, incident};
use reqwest::Method;
use serde_json::{Value, json};

#[test]
fn a_template_is_returned_for_its_fragment_id() {
    let server = Server::demo();
    let german = with(
        in_german(item("a", "Ask"), "Fragen"),
        json!({ "Help": { "en": "h" } }),
    );
    publish(
        &server,
        &fragment("my fragment/1", [section("s", "S"), under("s", german)]),
    );
    let anna = server.as_reader("Anna").on(&incident("1"));
    let template = anna.get("Template/my%20fragment%2F1").ok();
    assert_eq!(template["Id"], "my fragment/1");
    assert_eq!(
        (&template["Version"], &template["Status"]),
        (&json!(1), &json!("Published"))
    );
    assert_eq!(template["CompletionRule"], "All");
    assert_eq!(
        template["Items"][1]["Text"],
        json!({ "en": "Ask", "de": "Fragen" })
    );
    assert_eq!(template["Items"][1]["ParentKey"], "s");
}

#[test]
fn texts_are_strings_when_a_language_is_given() {
    let server = Server::demo();
    let german = in_german(item("a", "Ask"), "Fragen");
    publish(&server, &fragment("f", [german]));
    let anna = server.as_reader("Anna").on(&incident("1"));
    let template = anna.get("Template/f?Language=de").ok();
    assert_eq!(template["Items"][0]["Text"], "Fragen");
    assert_eq!(template["Name"], "f");
}

#[test]
fn an_unchanged_template_is_not_sent_again() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let anna = server.as_reader("Anna").on(&incident("1"));
    let answer = anna.get("Template/f");
    let tag = answer.header("etag").to_owned();
    assert!(tag.ends_with('"'), "no ETag: {:?}", answer.headers);
    let again = |tag: &str, path: &str| {
        send(anna.request(Method::GET, path).header("if-none-match", tag)).status
    };
    assert_eq!(again(&tag, "Template/f"), 304);
    assert_eq!(again("\"something else\"", "Template/f"), 200);
    assert_eq!(again(&format!("\"x\", {tag}"), "Template/f"), 304);
    assert_eq!(
        again(&tag, "Template/f?Language=en"),
        200,
        "another representation has another tag"
    );
    publish(&server, &fragment("f", [item("a", "A!")]));
    assert_eq!(again(&tag, "Template/f"), 200);
}

#[test]
fn an_unknown_template_or_version_is_told_so() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    anna.get("Template/no-such-template")
        .refused(404, "TemplateNotFound");
    anna.get("Template/onboarding?Version=99")
        .refused(404, "TemplateNotFound");
    author(&server)
        .put("Templates/draft", &fragment("draft", [item("a", "A")]))
        .ok();
    anna.get("Template/draft").refused(404, "TemplateNotFound");
}

#[test]
fn a_draft_changes_nothing_until_it_is_published() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "one")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    author(&server)
        .put("Templates/f", &fragment("f", [item("a", "two")]))
        .ok();
    assert_eq!(anna.list().texts(), ["one"]);
    assert_eq!(anna.get("Template/f").ok()["Version"], 1);
    let history = author(&server).get("Templates/f").ok();
    assert_eq!(history["Draft"]["Items"][0]["Text"]["en"], "two");
    assert_eq!(history["Published"]["Items"][0]["Text"]["en"], "one");
    author(&server).send("Templates/f/Publish", &json!({})).ok();
    assert_eq!(
        anna.list().texts(),
        ["two"],
        "a list never written follows at once"
    );
}

#[test]
fn published_versions_never_change() {
    let server = Server::demo();
    for text in ["one", "two", "three"] {
        publish(&server, &fragment("f", [item("a", text)]));
    }
    let anna = server.as_reader("Anna").on(&incident("1"));
    let text = |version: u64| {
        anna.get(&format!("Template/f?Version={version}&Language=en"))
            .ok()["Items"][0]["Text"]
            .clone()
    };
    assert_eq!([text(1), text(2), text(3)], ["one", "two", "three"]);
    let history = author(&server).get("Templates/f").ok();
    let versions: Vec<&Value> = history["Versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["Version"])
        .collect();
    assert_eq!(versions, [3, 2, 1]);
    assert_eq!(history["Versions"][0]["PublishedBy"]["Name"], "Somebody");
    let again = author(&server).send("Templates/f/Publish", &json!({}));
    assert!(
        (400..500).contains(&again.status),
        "there is no draft to publish: {}",
        again.text()
    );
}

#[test]
fn all_templates_are_listed_in_their_newest_version() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    author(&server)
        .put(
            "Templates/f",
            &fragment("f", [item("a", "A"), item("b", "B")]),
        )
        .ok();
    let list = author(&server).get("Templates").ok();
    let row = |id: &str| {
        let rows = list["Templates"].as_array().unwrap();
        rows.iter()
            .find(|row| row["Id"] == id)
            .cloned()
            .unwrap_or_else(|| panic!("no {id} in {list}"))
    };
    assert_eq!(
        (
            row("f")["Version"].clone(),
            row("f")["DraftVersion"].clone()
        ),
        (json!(1), json!(2))
    );
    for (id, version) in [
        ("incident-standard", 1),
        ("handover", 1),
        ("onboarding", 1),
        ("server-decommission", 2),
    ] {
        assert_eq!(row(id)["Version"], version, "{id}");
        assert_eq!(row(id)["Status"], "Published");
    }
    assert_eq!(
        row("f")["Items"],
        2,
        "those of the newest version, the draft"
    );
}

#[test]
fn a_template_with_errors_is_refused_with_all_of_them_at_once() {
    let server = Server::demo();
    let bad = fragment(
        "f",
        [
            item("a", "A"),
            item("a", "twice"),
            item("b", "  "),
            under("nowhere", item("c", "C")),
            with(item("d", "D"), json!({ "DueOffset": "soon" })),
        ],
    );
    let problem = author(&server)
        .put("Templates/f", &bad)
        .refused(422, "InvalidRequest");
    let pointers = error_pointers(&problem);
    assert_eq!(
        pointers,
        [
            "/Items/1/Key",
            "/Items/2/Text",
            "/Items/3/ParentKey",
            "/Items/4/DueOffset"
        ]
    );
    author(&server)
        .get("Templates/f")
        .refused(404, "TemplateNotFound");
}

#[test]
fn a_draft_of_an_earlier_version_that_assigns_items_to_me_is_not_published() {
    let mut server = Server::demo();
    let role = |role: &str| {
        let item = with(item("a", "A"), json!({ "AssigneeRole": role }));
        fragment("f", [item])
    };
    let refused = author(&server).put("Templates/f", &role("Me"));
    let pointers = error_pointers(&refused.refused(422, "InvalidRequest"));
    assert_eq!(pointers, ["/Items/0/AssigneeRole"]);
    author(&server).put("Templates/f", &role("Mx")).ok();
    server.stop();
    server.spoil("UPDATE template_version SET document = replace(document, '\"Mx\"', '\"Me\"') WHERE template_id = 'f'");
    server.start_again();
    let publish = || author(&server).send("Templates/f/Publish", &json!({}));
    let pointers = error_pointers(&publish().refused(422, "InvalidRequest"));
    assert_eq!(pointers, ["/Items/0/AssigneeRole"]);
    author(&server).put("Templates/f", &role("Mx")).ok();
    publish().ok();
}

#[test]
fn the_id_in_the_path_and_in_the_body_have_to_agree() {
    let server = Server::demo();
    let answer = author(&server).put("Templates/f", &fragment("g", [item("a", "A")]));
    let problem = answer.refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/Id");
}

#[test]
fn only_template_admins_write_templates() {
    let server = Server::demo();
    let olga = server.as_owner("Olga").on(&incident("1"));
    olga.put("Templates/f", &fragment("f", [item("a", "A")]))
        .refused(403, "PermissionDenied");
    olga.send("Templates/onboarding/Publish", &json!({}))
        .refused(403, "PermissionDenied");
}

#[test]
fn due_dates_count_from_the_lists_creation() {
    let server = Server::demo();
    let due = with(
        item("a", "A"),
        json!({ "DueOffset": "P2D", "AssigneeRole": "first line" }),
    );
    publish(&server, &fragment("f", [due]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    anna.change("A", json!({ "Note": "n" }));
    let list = anna.list();
    let time = |member: &str| {
        list.item("A")[member]
            .as_str()
            .unwrap()
            .parse::<checklist_shared::Timestamp>()
            .unwrap()
    };
    let days = (time("Due").as_millis() - time("CreatedAt").as_millis()) / 86_400_000;
    assert_eq!(days, 2);
    let role = json!({ "Id": "first line", "Name": "first line" });
    assert_eq!(list.item("A")["Assignee"], role);
}

#[test]
fn an_id_that_is_an_address_of_its_own_is_refused_with_the_reason() {
    let server = Server::demo();
    let author = author(&server);
    for id in ["Export", "Import"] {
        let draft = fragment(id, [item("a", "A")]);
        let problem = author
            .put(&format!("Templates/{id}"), &draft)
            .refused(422, "InvalidRequest");
        assert_eq!(
            field_errors(&problem),
            [("/Id".to_owned(), "Invalid".to_owned())]
        );
        let bundle = json!({ "Templates": [fragment("fine", [item("a", "A")]), draft] });
        let problem = author
            .send("Templates/Import", &bundle)
            .refused(422, "InvalidRequest");
        assert_eq!(
            field_errors(&problem),
            [("/Templates/1/Id".to_owned(), "Invalid".to_owned())]
        );
    }
    author
        .get("Templates/fine")
        .refused(404, "TemplateNotFound");
}

fn import_text(
    author: &Person,
    query: &str,
    media_type: &str,
    body: impl Into<reqwest::blocking::Body>,
) -> Answer {
    let request = author.request(Method::POST, &format!("Templates/Import{query}"));
    send(request.header("content-type", media_type).body(body))
}

#[test]
fn a_task_list_is_imported_as_a_draft_after_it_was_looked_at() {
    let server = Server::demo();
    let author = author(&server);
    let text = "# Rückgabe\n\n## Prüfen\n- [x] Seriennummer\n";
    let query = "?DryRun=true&Language=de&Name=x";
    let told = import_text(&author, query, "text/markdown; charset=utf-8", text).ok();
    assert_eq!(told["DryRun"], true);
    assert_eq!(told["Templates"], json!([]));
    assert_eq!(told["Drafts"][0]["Items"][1]["Text"]["de"], "Seriennummer");
    assert_eq!(told["Notes"][0]["Line"], 4);
    assert_eq!(told["Notes"][0]["Phrase"]["Code"], "ImportChecked");
    author
        .get("Templates/rückgabe")
        .refused(404, "TemplateNotFound");
    let done = import_text(&author, "?Language=de", "text/markdown", text).ok();
    assert_eq!(done["Templates"][0]["DraftVersion"], 1);
    assert_eq!(done.get("Drafts"), None);
    let made = author.get("Templates/rückgabe").ok();
    assert_eq!(made["Draft"]["Name"]["de"], "Rückgabe");
    let again = import_text(&author, query, "text/markdown", text).ok();
    assert_eq!(
        again["Templates"][0]["DraftVersion"], 1,
        "it would be replaced"
    );
}

#[test]
fn a_table_from_excel_is_read_and_its_errors_have_lines() {
    let server = Server::demo();
    let author = author(&server);
    let western: &[u8] = b"Text;F\xe4llig\r\nT\xfcr schlie\xdfen;P1D\r\n";
    let told = import_text(&author, "?DryRun=true&Name=Abend", "text/csv", western).ok();
    let draft = &told["Drafts"][0];
    assert_eq!(draft["Items"][0]["Text"]["en"], "Tür schließen");
    assert_eq!(
        (&draft["Id"], &draft["Items"][0]["DueOffset"]),
        (&json!("abend"), &json!("P1D"))
    );
    assert_eq!(told["Notes"][0]["Phrase"]["Code"], "ImportNotUtf8");
    let wrong = "Text,Due,Required\nOne,soon,\n,P1D,\nTwo,,perhaps\n";
    let problem = import_text(&author, "", "text/csv", wrong).refused(422, "InvalidRequest");
    let errors: Vec<String> = field_errors(&problem).into_iter().map(|it| it.0).collect();
    assert_eq!(errors, ["/2/Due", "/3/Text", "/4/Required"]);
    import_text(&author, "", "text/html", "<p>").refused(415, "UnsupportedMediaType");
    let problem = import_text(&author, "?Language=no%20tag&Name=%20", "text/plain", "x");
    let errors = field_errors(&problem.refused(422, "InvalidRequest"));
    let places: Vec<String> = errors.into_iter().map(|it| it.0).collect();
    assert_eq!(places, ["/Language", "/Name"]);
    let reader = server.as_somebody_who_may(&["Read"]).on(&incident("none"));
    import_text(&reader, "?DryRun=true", "text/plain", "x").refused(403, "PermissionDenied");
}

#[test]
fn the_list_of_templates_says_how_many_lists_follow_each() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "one")]));
    let lists = || {
        let templates = author(&server).get("Templates").ok();
        let rows = templates["Templates"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        rows.into_iter().find(|row| row["Id"] == "f").unwrap()["Lists"].clone()
    };
    assert_eq!(lists(), 0, "a list that was only read follows nothing");
    for id in ["1", "2"] {
        let place = incident(id).for_purpose("x").from_template("f");
        server.editor_on(&place).tick("one");
    }
    assert_eq!(lists(), 2);
}
