//! The order of a list after very many moves to one place, and what else reads such a list.
//!
//! The rules themselves are tested in `shared`; here they meet the store, the batches, the stream
//! and the automatic refresh.

use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident, until};
use serde_json::{Value, json};

const TEXTS: [&str; 4] = ["A", "B", "C", "D"];

/// A version of the template in which an item follows each of the others, or none.
fn version(news: &[&str]) -> Value {
    let mut items = Vec::new();
    for text in TEXTS {
        items.push(item(text, text));
        let new = news.contains(&text).then(|| format!("new after {text}"));
        items.extend(new.map(|text| item(&text.replace(' ', "-"), &text)));
    }
    let mut template = fragment("order", items);
    template["RefreshPolicy"] = json!("Auto");
    template
}

/// Moves the last item to the top, so many times.
fn move_to_the_top(person: &Person, times: usize) {
    let mut list = person.list();
    let mut items: Vec<(String, u64)> = list
        .items()
        .iter()
        .map(|item| {
            let id = item["Id"].as_str().expect("an id");
            (id.to_owned(), item["Version"].as_u64().expect("a version"))
        })
        .collect();
    for _ in 0..times {
        let (id, base) = items.pop().expect("an item");
        let first = &items.first().expect("another item").0;
        let update = json!({ "Id": id, "BaseVersion": base, "BeforeId": first });
        let moved = person
            .call("UpdateItems", json!({ "Items": [update] }))
            .ok();
        assert_eq!(moved["Results"][0]["Outcome"], "Updated", "{moved}");
        items.insert(0, (id, base + 1));
    }
    list = person.list();
    let ids: Vec<&str> = items.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(list.ids(), ids);
}

#[test]
fn after_140_moves_to_the_top_everything_that_reads_or_changes_the_list_goes_on() {
    let server = Server::demo();
    publish(&server, &version(&[]));
    let list = |id: &str| {
        server
            .as_owner("Anna")
            .on(&incident(id).from_template("order"))
    };
    let (moved, other) = (list("1"), list("2"));
    moved.tick("A");
    other.tick("A");
    move_to_the_top(&moved, 140);
    let top = moved.list().texts()[0].to_owned();

    // The gap is used by the next version of the template.
    let places = [moved.place.clone(), other.place.clone()];
    let everyone = server.as_admin().on(&moved.place);
    let stream = everyone.follow_from(&places, None);
    publish(&server, &version(&[top.as_str()]));
    let new = format!("new after {top}");
    until("both lists to follow", || {
        (moved.list().has(&new) && other.list().has(&new)).then_some(())
    });
    let texts = moved.list();
    assert_eq!(texts.texts()[..2], [top.as_str(), new.as_str()]);

    // And by somebody who adds an item there.
    let first = texts.id(&top);
    for text in ["one", "two", "three"] {
        let item = json!({ "Text": text, "AfterId": first });
        moved.add_items(json!([item])).only("Created");
    }
    assert_eq!(
        moved.list().texts()[..5],
        [top.as_str(), "three", "two", "one", new.as_str()]
    );

    let contexts = places.each_ref().map(|place| place.context());
    let batch = everyone
        .send("GetItems", &json!({ "Contexts": contexts }))
        .ok();
    assert_eq!(batch["Results"][0]["Items"], moved.list().0["Items"]);
    assert_eq!(batch["Results"][1]["Items"], other.list().0["Items"]);
    let drawn = everyone
        .send("Render", &json!({ "Contexts": contexts }))
        .ok();
    for at in 0..2 {
        let html = drawn["Results"][at]["Html"].as_str().unwrap_or_default();
        assert!(html.contains(&new), "{}", drawn["Results"][at]);
    }
    moved.refresh();
    other.tick("B");
    stream.until("list", |told| {
        told["Context"] == other.place.context() && told["Counts"]["Done"] == 2
    });

    // Lists that come later are still brought along by themselves.
    let later = list("3");
    later.tick("A");
    publish(&server, &version(&["A", "B"]));
    until("the later list to follow", || {
        later.list().has("new after B").then_some(())
    });
}
