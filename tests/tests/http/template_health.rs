//! The health of a template: what is counted over its lists, as JSON and as a file, and for whom.

use checklist_tests::client::{error_pointers, send};
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Place, Server, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// A server whose incidents follow `f`, and its administrator.
fn world() -> (Server, Person) {
    let server = Server::demo();
    let ask = json!({ "Key": "ask", "Text": { "en": "Ask", "de": "Fragen" } });
    publish(&server, &fragment("f", [ask, item("build", "=Build")]));
    let admin = server.as_admin().on(&incident("1"));
    let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": { "": "f" } });
    admin.put("Types/incident", &kind).ok();
    (server, admin)
}

fn health(admin: &Person) -> Value {
    admin.get("Templates/f/Health").ok()
}

#[test]
fn a_template_without_lists_has_its_items_and_no_figures() {
    let (_server, admin) = world();
    let health = health(&admin);
    assert_eq!(
        (&health["Lists"], &health["AtMost"]),
        (&json!(0), &json!(10_000))
    );
    assert_eq!(health["Recurring"], json!([]));
    let items = health["Items"].as_array().expect("items");
    let keys: Vec<_> = items.iter().map(|item| &item["Key"]).collect();
    assert_eq!(keys, ["ask", "build"]);
    assert_eq!(
        (&items[0]["Lists"], &items[0]["MedianSeconds"]),
        (&json!(0), &Value::Null)
    );
}

#[test]
fn what_people_do_is_counted_and_nobody_is_named() {
    let (_server, admin) = world();
    for id in ["1", "2", "3"] {
        admin.at(&incident(id)).tick("Ask");
    }
    admin.untick("Ask");
    for id in ["2", "3"] {
        admin.at(&incident(id)).add("Order a  charger");
    }
    let health = health(&admin);
    let ask = &health["Items"][0];
    let figures = ["Lists", "Done", "Open", "Reopened"].map(|name| ask[name].clone());
    assert_eq!(json!(figures), json!([3, 2, 1, 1]));
    assert!(ask["MedianSeconds"].is_u64(), "{ask}");
    let expected = json!([{ "Text": "Order a  charger", "Lists": 2 }]);
    assert_eq!(health["Recurring"], expected);
    let name = admin.list().item("Ask")["ModifiedBy"]["Name"].clone();
    let name = name.as_str().expect("a name");
    assert!(!health.to_string().contains(name), "{health}");
    let german = admin.get("Templates/f/Health?Language=de").ok();
    assert_eq!(german["Items"][0]["Text"], "Fragen");
}

#[test]
fn a_purged_or_deleted_item_and_a_list_of_another_template_are_not_counted() {
    let (server, admin) = world();
    publish(&server, &fragment("g", [item("ask", "Ask")]));
    let kind = json!({ "Name": "note", "Classes": ["ChecklistItem"], "Templates": { "": "g" } });
    admin.put("Types/note", &kind).ok();
    for id in ["1", "2"] {
        let note = admin.at(&Place::new("note", id));
        note.tick("Ask");
        note.add("By hand");
        let incident = admin.at(&incident(id));
        incident.add("By hand");
        incident.delete("By hand");
        incident.delete("Ask");
    }
    let health = health(&admin);
    let ask = &health["Items"][0];
    assert_eq!((&ask["Lists"], &ask["Deleted"]), (&json!(0), &json!(2)));
    assert_eq!(health["Recurring"], json!([]));
}

#[test]
fn the_file_has_a_row_for_each_item_and_text_and_no_formula() {
    let (_server, admin) = world();
    let long = "x".repeat(500);
    for id in ["1", "2"] {
        let list = admin.at(&incident(id));
        list.add("=1+1");
        list.add(&long);
        list.add("اتصل بالعميل, \"فورًا\"");
    }
    let file = admin.get("Templates/f/Health?Format=Csv");
    assert_eq!(
        file.header("content-type"),
        "text/csv; charset=utf-8; header=present"
    );
    assert!(
        file.header("content-disposition")
            .contains("template-health-")
    );
    let text = file.text();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').split("\r\n").collect();
    let head = "Source,Key,Text,IsCurrent,Lists,Done,NotApplicable,Open,Edited,Deleted,Reopened,\
                ResolvedLate,Overdue,MedianSeconds,Truncated";
    assert_eq!(lines[0], head);
    assert_eq!(lines[1], "Template,ask,Ask,true,2,0,0,2,0,0,0,0,0,,false");
    assert_eq!(
        lines[2],
        "Template,build,'=Build,true,2,0,0,2,0,0,0,0,0,,false"
    );
    assert_eq!(lines[3], "Added,,'=1+1,false,2,,,,,,,,,,false");
    assert_eq!(lines[4], format!("Added,,{long},false,2,,,,,,,,,,false"));
    assert_eq!(
        lines[5],
        "Added,,\"اتصل بالعميل, \"\"فورًا\"\"\",false,2,,,,,,,,,,false"
    );
    assert_eq!(lines.len(), 7, "{text}");
    let request = admin.request(Method::GET, "Templates/f/Health");
    let negotiated = send(request.header("accept", "text/csv"));
    assert_eq!(negotiated.text(), text);
}

#[test]
fn what_is_wrong_with_a_question_is_said() {
    let (_server, admin) = world();
    for (query, pointer) in [
        ("Version=0", "/Version"),
        ("Language=no%20tag", "/Language"),
    ] {
        let refused = admin.get(&format!("Templates/f/Health?{query}"));
        let refused = refused.refused(422, "InvalidRequest");
        assert_eq!(error_pointers(&refused), [pointer], "{query}");
    }
    for query in ["Since=yesterday", "Version=x", "Colour=red", "Format=Xml"] {
        let refused = admin.get(&format!("Templates/f/Health?{query}"));
        assert!(
            [400, 422].contains(&refused.status),
            "{query}: {}",
            refused.text()
        );
        assert!(refused.json()["Code"].is_string(), "{query}");
    }
    for path in ["Templates/nothing/Health", "Templates/f/Health?Version=9"] {
        admin.get(path).refused(404, "TemplateNotFound");
    }
    admin
        .put("Templates/new", &fragment("new", [item("a", "A")]))
        .ok();
    admin
        .get("Templates/new/Health")
        .refused(404, "TemplateNotFound");
}

#[test]
fn whoever_works_on_lists_alone_is_refused() {
    let (server, _admin) = world();
    let editor = server.as_editor("Eda").on(&incident("1"));
    editor
        .get("Templates/f/Health")
        .refused(403, "PermissionDenied");
}
