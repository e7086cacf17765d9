//! Runs of the example workflow on several nodes: whoever carries one out may die, or stand still
//! and come back, and the list is the same in the end.
//! Part of the program `postgres`; nodes are processes of their own.

use std::time::{Duration, Instant};

use checklist_site_server::{Kind, Rule};
use checklist_tests::export::{ExportWorld, computer};
use checklist_tests::{Person, Server, incident, until};
use serde_json::Value;

/// Computers of a run: enough for several chunks.
const COMPUTERS: usize = 600;

/// A world with a second node that begins no run by itself, and a run that has begun to write.
fn under_way() -> (ExportWorld, String) {
    let world = ExportWorld::new();
    let ids: Vec<String> = (0..COMPUTERS).map(|number| number.to_string()).collect();
    let all: Vec<Value> = ids.iter().map(|id| computer(id, "InUse")).collect();
    world.import(&all);
    // Slowly, so that there is a middle.
    let slow = Rule::once(Kind::Slow).containing("$batch").lasting(1);
    world.site.fault(slow.always());
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let id = world.begin(&world.wish(&ids));
    until("a chunk is written", || (written(&world) > 0).then_some(()));
    (world, id)
}

fn written(world: &ExportWorld) -> usize {
    world.list("Computers", |list| list.items.len())
}

fn at(world: &ExportWorld, node: &Server) -> Person {
    let place = incident("1");
    let anybody = node.as_admin().on(&place);
    anybody.with_token(&world.program.token).about_workflows()
}

/// Waits until the run has ended, as this node tells it.
fn ended(person: &Person, id: &str) -> Value {
    let begun = Instant::now();
    loop {
        let run = person.get(&format!("Runs/{id}")).ok();
        if run["State"] == "Completed" {
            return run;
        }
        assert!(begun.elapsed() < Duration::from_secs(90), "{run:#}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_run_goes_on_at_another_node_when_its_own_is_killed() {
    let (mut world, id) = under_way();
    let other = world.server.another_node();
    world.server.kill();
    let run = ended(&at(&world, &other), &id);
    assert_eq!(run["Counts"]["Created"], COMPUTERS, "{run:#}");
    assert_eq!(written(&world), COMPUTERS);
}

#[test]
fn a_node_that_stood_still_changes_nothing_when_it_comes_back() {
    let (world, id) = under_way();
    world.server.stand_still();
    let other = world.server.another_node();
    let person = at(&world, &other);
    let run = ended(&person, &id);
    assert_eq!(run["Counts"]["Created"], COMPUTERS, "{run:#}");
    world.server.go_on();
    let own = at(&world, &world.server);
    until("it answers again", || {
        (own.get("Runs").status == 200).then_some(())
    });
    std::thread::sleep(Duration::from_secs(2));
    let later = person.get(&format!("Runs/{id}")).ok();
    assert_eq!(later["Revision"], run["Revision"], "nothing was stored");
    assert_eq!(written(&world), COMPUTERS);
}
