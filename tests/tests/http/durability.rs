//! What was acknowledged is there, whatever happens to the server.
//!
//! Promise D1: several hundred writes and three kills in every run, 10,000 and twenty in full.

use std::sync::atomic::{AtomicBool, Ordering};

use checklist_tests::client::{json as with_json, try_send};
use checklist_tests::{HostKey, Person, Server, Setup, incident, promise};
use reqwest::Method;
use serde_json::json;

const WRITERS: usize = 8;

/// Adds notices until the server is gone; gives the texts of what was acknowledged and what was
/// sent without an answer.
fn write_until_killed(
    anna: &Person,
    name: &str,
    acknowledged: impl Fn(),
    stop: &AtomicBool,
) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut unclear) = (Vec::new(), Vec::new());
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let text = format!("{name} {n}");
        let body = json!({
            "Context": anna.place.context(), "OperationId": text, "Items": [{ "Text": text, "Kind": "Info" }]
        });
        match try_send(with_json(anna.request(Method::POST, "AddItems"), &body)) {
            Ok(answer) => {
                answer.ok();
                kept.push(text);
                acknowledged();
            }
            Err(_) => {
                unclear.push(text);
                break;
            }
        }
    }
    (kept, unclear)
}

#[test]
fn no_acknowledged_write_is_lost_or_doubled_by_kills() {
    let mut server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .start();
    let place = |writer: usize| incident(&writer.to_string()).for_purpose("x");
    let kills = promise::times(3, 20);
    // Acknowledged before each kill, over all writers.
    let writes = promise::times(150, 500);
    let mut kept: Vec<Vec<String>> = vec![Vec::new(); WRITERS];
    for round in 0..kills {
        let people: Vec<Person> = (0..WRITERS)
            .map(|writer| server.editor_on(&place(writer)))
            .collect();
        let stop = AtomicBool::new(false);
        let (tell, acknowledged) = std::sync::mpsc::channel();
        let written: Vec<_> = std::thread::scope(|scope| {
            let writers: Vec<_> = people
                .iter()
                .map(|anna| {
                    let (tell, stop) = (tell.clone(), &stop);
                    scope.spawn(move || {
                        write_until_killed(
                            anna,
                            &format!("round {round}"),
                            || tell.send(()).unwrap_or_default(),
                            stop,
                        )
                    })
                })
                .collect();
            for _ in 0..writes {
                acknowledged.recv().unwrap();
            }
            server.kill();
            stop.store(true, Ordering::Relaxed);
            writers
                .into_iter()
                .map(|writer| writer.join().unwrap())
                .collect()
        });
        server.start_again();
        for (writer, (acknowledged, unclear)) in written.into_iter().enumerate() {
            let anna = server.editor_on(&place(writer));
            kept[writer].extend(acknowledged);
            // What had no answer is sent once more and then is there, once.
            for text in unclear {
                let body =
                    json!({ "OperationId": text, "Items": [{ "Text": text, "Kind": "Info" }] });
                anna.call("AddItems", body).ok();
                kept[writer].push(text);
            }
            assert_eq!(
                anna.list().texts(),
                kept[writer],
                "writer {writer} after kill {round}"
            );
        }
    }
    let all = kept.iter().map(Vec::len).sum::<usize>();
    assert!(all >= kills * writes);
    server.stop();
    let verified = server.run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);
    let database = server.postgres().map_or("SQLite", |_| "PostgreSQL");
    promise::held(
        "D1",
        format!("{database}: 0 lost, 0 doubled of {all} writes over {kills} kills"),
    );
}

#[test]
fn everything_is_as_it_was_after_a_restart() {
    let mut server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let place = incident("1").for_purpose("x");
    let owner = server.as_owner("Olga").on(&place);
    owner.add_items(
        json!([{ "Text": "S", "Kind": "Section" }, { "Text": "A", "Help": "h" }, { "Text": "B" }]),
    );
    owner.tick("A");
    owner.change("B", json!({ "Note": "Ask Ben" }));
    owner.waive("urgent");
    owner.lock("closed");
    let before = owner.list();
    // The administrator's key of the second look is a row of its own.
    let trail = |server: &Server| {
        let mut rows = server.as_admin().on(&place).audit();
        rows.retain(|row| row["Category"] == "Checklist");
        rows
    };
    let audit = trail(&server);
    server.restart();
    assert_eq!(server.as_owner("Olga").on(&place).list(), before);
    assert_eq!(trail(&server), audit);
}
