//! What a person has granted, used by several nodes: a refresh token works once, so one node
//! renews, and the others use what it was given.
//!
//! Two real processes on one database, a real authorization server that counts.

use std::time::Duration;

use checklist_tests::granted_site::{World, add};
use checklist_tests::{Person, Server, until};
use serde_json::json;

/// How long a token may be begun with that lives forty seconds.
const FIRST_HALF: Duration = Duration::from_secs(20);

/// The same program at another node, as soon as that one knows its key.
fn known_at(program: &Person, node: &Server) -> Person {
    let there = program.through(node);
    until("the other node to know the key", || {
        let refused = there.send("EstablishSiteConnection", &json!({})).status;
        (refused == 422).then_some(())
    });
    there
}

#[test]
fn eight_calls_at_once_on_two_nodes_renew_once() {
    let world = World::start();
    let other = world.server.another_node();
    let mut ada = world.admin("ada");
    let mut wish = world.wish();
    wish["ClientId"] = json!("site-app-minute");
    let path = world.connection_as(&ada, &wish);
    world.connect(&mut ada, &path);
    let here = world.operator();
    let there = known_at(&here, &other);
    for round in 1..=2 {
        std::thread::scope(|scope| {
            for caller in [&here, &there].into_iter().cycle().take(8) {
                scope.spawn(|| add(caller, &path).ok());
            }
        });
        assert_eq!(world.provider.granted("refresh_token"), round);
        if round == 1 {
            std::thread::sleep(FIRST_HALF + Duration::from_secs(1));
        }
    }
}

#[test]
fn a_token_that_the_site_refuses_is_renewed_and_not_taken_from_the_other_node() {
    let world = World::start();
    let other = world.server.another_node();
    let mut ada = world.admin("ada");
    let path = world.connection(&ada);
    world.connect(&mut ada, &path);
    let here = world.operator();
    let there = known_at(&here, &other);
    // Tokens live two seconds: each node meets one of the other's that has ended.
    for _ in 0..3 {
        add(&here, &path).ok();
        std::thread::sleep(Duration::from_millis(1_500));
        add(&there, &path).ok();
    }
}
