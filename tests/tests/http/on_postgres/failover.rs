//! What happens when the primary of several PostgreSQL servers is killed, lost or frozen under load, or its
//! standby is: another one takes over, and everything that was acknowledged is there, once.
//!
//! The servers are kept by Patroni with a synchronous standby, as the documentation describes it.

use checklist_tests::patroni::{Fault, PatroniCluster};
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident, promise, until};
use serde_json::{Value, json};

use super::load::{Following, WRITERS, editor, setup, the_chain_holds, under_load};

#[test]
fn a_primary_that_is_killed_lost_or_frozen_takes_nothing_with_it_that_was_acknowledged() {
    let mut cluster = PatroniCluster::start();
    let one = setup().in_postgres_at(cluster.url(), "").start();
    let nodes = [one.another_node(), one];
    editor(&nodes[0], 0).add("the first");
    let mut expected = vec![Vec::new(); WRITERS];
    expected[0].push("the first".to_owned());
    let run = Run::begin(&nodes[0]);
    let faults = [
        Fault::DatabaseKilled,
        Fault::MachineLost,
        Fault::MachineFrozen,
        Fault::StandbyFrozen,
    ];
    let rounds = promise::times(faults.len(), 28);
    let mut pauses = Vec::new();
    for (round, fault) in (0..rounds).zip(faults.into_iter().cycle()) {
        cluster.heals();
        // With new tokens: all rounds take longer than one is good for.
        let people: Vec<Vec<Person>> = (0..WRITERS)
            .map(|writer| nodes.iter().map(|node| editor(node, writer)).collect())
            .collect();
        let following = nodes.iter().map(|node| Following::of(editor(node, 0)));
        let following: Vec<Following> = following.collect();
        let mut pause = None;
        let texts = under_load(&people, &format!("round {round}"), |seen| {
            let struck = cluster.strike(fault);
            if fault == Fault::StandbyFrozen {
                // Writes wait for it; reads do not.
                assert!(!people[0][0].list().texts().is_empty());
            }
            cluster.has_a_primary_after(&struck);
            seen.acknowledges(2 * WRITERS);
            pause = Some(seen.longest_pause());
            cluster.comes_back(&struck);
        });
        pauses.extend(pause);
        for mut following in following {
            following.hears_of(&texts[0]);
        }
        for (writer, texts) in texts.into_iter().enumerate() {
            expected[writer].extend(texts);
            for person in &people[writer] {
                let list = person.list();
                assert_eq!(list.texts(), expected[writer], "writer {writer}, {fault:?}");
            }
        }
    }
    run.is_done_once(&nodes[1]);
    the_chain_holds(&nodes[1]);
    let written: usize = expected.iter().map(Vec::len).sum();
    let longest = pauses.into_iter().max().unwrap_or_default();
    let figure = format!(
        "{rounds} servers struck, {written} writes, none acknowledged for at most {:.1} s",
        longest.as_secs_f64()
    );
    promise::held("D9", figure);
}

/// A run of `ApplyTemplate` that goes on meanwhile.
struct Run {
    id: String,
    lists: usize,
}

impl Run {
    fn begin(server: &Server) -> Self {
        publish(server, &fragment("more", [item("a", "A"), item("b", "B")]));
        let lists = promise::times(1_000, 10_000);
        let contexts: Vec<Value> = (0..lists)
            .map(|number| json!({ "ObjectType": "incident", "ObjectId": format!("run {number}") }))
            .collect();
        let wish = json!({ "Template": "more", "Contexts": contexts });
        let admin = server.as_admin().on(&incident("1"));
        let run = admin.send("ApplyTemplate", &wish).ok();
        Self {
            id: run["Id"].as_str().expect("an id").to_owned(),
            lists,
        }
    }

    #[track_caller]
    fn is_done_once(&self, server: &Server) {
        let admin = server.as_admin().on(&incident("1"));
        let run = until("the run to be completed", || {
            let run = admin.get(&format!("ApplyTemplate/Runs/{}?Limit=1", self.id));
            let run = run.ok();
            (run["State"] == "Completed").then_some(run)
        });
        let expected = json!({ "Appended": 0, "Begun": self.lists, "Unchanged": 0, "Skipped": 0,
            "Items": self.lists * 2 });
        assert_eq!(run["Counts"], expected);
    }
}
