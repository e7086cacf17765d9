//! What happens when the database goes away under load, or a node stands still in the middle of
//! its work: refusals that say so, and afterwards everything that was acknowledged, once.
//!
//! The database is killed for real, so it is one of the test's own.

use checklist_tests::own_postgres::OwnPostgres;
use checklist_tests::{Person, until};
use serde_json::json;

use super::load::{Following, WRITERS, WRITES, editor, setup, the_chain_holds, under_load};

#[test]
fn a_database_that_is_killed_under_load_loses_and_doubles_nothing() {
    let mut own = OwnPostgres::start(&[], |_| {});
    let server = setup().in_own_postgres(&own, "").start();
    let people: Vec<Vec<Person>> = (0..WRITERS)
        .map(|writer| vec![editor(&server, writer)])
        .collect();
    let mut expected = vec![Vec::new(); WRITERS];
    for round in 0..2 {
        let texts = under_load(&people, &format!("round {round}"), |seen| {
            own.kill();
            let before = seen.refusals();
            until("writes to be refused", || {
                (seen.refusals() > before).then_some(())
            });
            let reading = people[0][0].call("GetItems", json!({}));
            reading.refused(503, "Busy");
            assert_ne!(reading.header("retry-after"), "");
            assert_eq!(server.http().get("/readyz").status, 503);
            assert_eq!(server.http().get("/healthz").status, 200);
            own.start_again();
        });
        for (writer, texts) in texts.into_iter().enumerate() {
            expected[writer].extend(texts);
            let list = people[writer][0].list();
            assert_eq!(list.texts(), expected[writer], "writer {writer}");
        }
    }
    the_chain_holds(&server);
}

#[test]
fn those_who_follow_a_list_at_any_node_hear_all_of_it_though_the_database_was_away() {
    let mut own = OwnPostgres::start(&[], |_| {});
    let nodes = {
        let one = setup().in_own_postgres(&own, "").start();
        let other = one.another_node();
        [one, other]
    };
    // Written at the first, followed at both.
    let people = [vec![editor(&nodes[0], 0)]];
    people[0][0].add("the first");
    let mut following: Vec<Following> = nodes
        .iter()
        .map(|node| Following::of(editor(node, 0)))
        .collect();
    let texts = under_load(&people, "told", |seen| {
        own.kill();
        until("writes to be refused", || {
            (seen.refusals() > 0).then_some(())
        });
        own.start_again();
    });
    for following in &mut following {
        following.hears_of(&texts[0]);
    }
}

#[test]
fn a_node_that_stands_still_holds_nobody_up_and_doubles_nothing_when_it_goes_on() {
    let one = setup().start();
    let nodes = [one.another_node(), one];
    let people: Vec<Vec<Person>> = (0..WRITERS)
        .map(|writer| nodes.iter().map(|node| editor(node, writer)).collect())
        .collect();
    let mut expected = vec![Vec::new(); WRITERS];
    for round in 0..3 {
        let texts = under_load(&people, &format!("round {round}"), |seen| {
            nodes[0].stand_still();
            // The other one takes the very lists over that the first was writing.
            seen.acknowledges(WRITES);
            nodes[0].go_on();
        });
        for (writer, texts) in texts.into_iter().enumerate() {
            expected[writer].extend(texts);
            for person in &people[writer] {
                assert_eq!(person.list().texts(), expected[writer], "writer {writer}");
            }
        }
    }
    the_chain_holds(&nodes[1]);
}
