//! A site that is really away: its server is stopped while a run is under way, and started again
//! later, or never. The run says what it waits for and until when, survives a restart of the server
//! meanwhile, stops when somebody asks for it, and keeps no other run from being carried out.

use std::collections::BTreeMap;

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;
use checklist_site_server::{Kind, Rule};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::lane::Lane;
use crate::list::{assert_is, computer};
use crate::stage::Stage;

const COMPUTERS: usize = 5;

/// Computers in the inventory, and a new list for them.
fn prepared(lane: &Lane, list: &str) -> Vec<Computer> {
    lane.new_list(list);
    let computers: Vec<Computer> = (0..COMPUTERS)
        .map(|number| computer(&format!("{list}-{number}")))
        .collect();
    lane.import(&computers);
    computers
}

fn begin(lane: &Lane, list: &str, computers: &[Computer]) -> String {
    let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();
    lane.export(list, &ids)
}

/// Begins a run and takes the site away before it has read the list.
fn begin_and_go_away(lane: &Lane, list: &str, computers: &[Computer]) -> String {
    let slow = Rule::once(Kind::Slow).lasting(1).of_method("GET");
    lane.site.fault(slow.containing("/items?"));
    let run = begin(lane, list, computers);
    lane.site.go_away();
    run
}

fn waits_for_the_site(shown: &Value) -> bool {
    shown["Waiting"]["Reason"] == "SiteUnreachable"
}

fn time(of: &Value) -> Timestamp {
    let text = of.as_str().unwrap_or_else(|| panic!("a time: {of}"));
    text.parse().expect("a time")
}

/// A run failed within half a minute.
#[test]
fn a_run_whose_site_is_away_waits_says_so_survives_a_restart_and_ends_well() {
    let stage = Stage::with_lanes(1);
    let lane = &stage.lanes[0];
    let computers = prepared(lane, "Away");
    let run = begin_and_go_away(lane, "Away", &computers);
    let shown = lane
        .program
        .until(&run, "waiting for its site", waits_for_the_site);
    assert_eq!(shown["State"], "Running", "{shown:#}");
    let waiting = &shown["Waiting"];
    let (since, give_up) = (time(&waiting["Since"]), time(&waiting["GiveUpAt"]));
    let patience = give_up.as_millis() - since.as_millis();
    assert_eq!(patience, 24 * 60 * 60 * 1_000, "{shown:#}");
    let detail = waiting["Detail"].as_str().unwrap_or_default();
    assert!(detail.contains("cannot be reached"), "{shown:#}");

    // Many more tries than the six after which it failed, and all of them are one step.
    let first = time(&waiting["Until"]);
    let later = lane.program.until(&run, "pausing for longer", |shown| {
        waits_for_the_site(shown)
            && time(&shown["Waiting"]["Until"]).as_millis() > first.as_millis() + 12_000
    });
    assert_eq!(later["State"], "Running", "{later:#}");
    let steps = later["Steps"].as_array().expect("steps");
    assert!(steps.len() <= 4, "{later:#}");
    assert!(
        steps.iter().all(|step| step["Name"] != "Write"),
        "{later:#}"
    );

    stage.server().crash_and_restart();
    let after = lane
        .program
        .until(&run, "waiting again", waits_for_the_site);
    assert_eq!(after["Waiting"]["Since"], waiting["Since"], "{after:#}");
    assert_eq!(after["Waiting"]["GiveUpAt"], waiting["GiveUpAt"]);

    lane.site.come_back().expect("the address is free");
    let home = lane.bring_home(&run);
    assert_eq!(home.retried, 0, "{:#}", home.run);
    assert_eq!(home.run["Waiting"], Value::Null, "{:#}", home.run);
    assert_is(lane, "Away", &computers, &[], &BTreeMap::new(), "away");
}

#[test]
fn a_site_that_goes_away_in_the_middle_of_writing_gets_nothing_twice() {
    let stage = Stage::giving_up_after(600, 1);
    let lane = &stage.lanes[0];
    let computers = prepared(lane, "Middle");
    // The batch arrives and its answer is lost with the server.
    let slow = Rule::once(Kind::Slow).lasting(1).containing("$batch");
    lane.site.fault(slow);
    let run = begin(lane, "Middle", &computers);
    lane.program.until(&run, "writing", |shown| {
        shown["Steps"]
            .as_array()
            .is_some_and(|steps| steps.iter().any(|step| step["Name"] == "Write"))
    });
    lane.site.go_away();
    let shown = lane
        .program
        .until(&run, "waiting for its site", waits_for_the_site);
    for step in shown["Steps"].as_array().expect("steps") {
        let claims = step["Detail"].as_str().unwrap_or_default();
        assert!(!claims.contains("every outcome is certain"), "{shown:#}");
    }
    lane.site.come_back().expect("the address is free");
    let home = lane.bring_home(&run);
    assert_eq!(home.retried, 0, "{:#}", home.run);
    assert_is(lane, "Middle", &computers, &[], &BTreeMap::new(), "middle");
}

#[test]
fn a_site_that_stays_away_fails_the_run_at_the_time_that_was_told() {
    let stage = Stage::giving_up_after(3, 1);
    let lane = &stage.lanes[0];
    let computers = prepared(lane, "Gone");
    let run = begin_and_go_away(lane, "Gone", &computers);
    let waiting = lane
        .program
        .until(&run, "waiting for its site", waits_for_the_site);
    let ended = lane.program.until_it_stands(&run);
    assert_eq!(ended["State"], "Failed", "{ended:#}");
    let (ended_at, give_up) = (
        time(&ended["EndedAt"]),
        time(&waiting["Waiting"]["GiveUpAt"]),
    );
    assert!(ended_at >= give_up, "{ended:#}");
    let why = ended["Problem"]["detail"].as_str().unwrap_or_default();
    assert!(why.contains("has been away since"), "{ended:#}");
    assert_eq!(ended["Counts"]["Failed"], COMPUTERS, "{ended:#}");

    lane.site.come_back().expect("the address is free");
    lane.bring_home(&run);
    assert_is(lane, "Gone", &computers, &[], &BTreeMap::new(), "gone");
}

#[test]
fn a_run_that_waits_can_be_stopped_and_holds_its_list_until_then() {
    let stage = Stage::with_lanes(1);
    let lane = &stage.lanes[0];
    let computers = prepared(lane, "Stopped");
    let run = begin_and_go_away(lane, "Stopped", &computers);
    lane.program
        .until(&run, "waiting for its site", waits_for_the_site);
    lane.site.come_back().expect("the address is free");
    let throttled = Rule::once(Kind::ThrottledSeconds).lasting(900);
    lane.site.fault(throttled.always());
    let shown = lane.program.until(&run, "throttled", |shown| {
        shown["Waiting"]["Reason"] == "Throttled"
    });
    let waiting = &shown["Waiting"];
    let left = time(&waiting["Until"]).as_millis() - time(&shown["UpdatedAt"]).as_millis();
    assert!(left >= 890_000, "{shown:#}");
    let stopped = format!("Workflows/Runs/{run}/Cancel");
    assert_eq!(lane.program.post(&stopped, &json!({})).status, 200);
    let ended = lane.program.until_it_stands(&run);
    assert_eq!(ended["State"], "Cancelled", "{ended:#}");
    assert_eq!(ended["Counts"]["Skipped"], COMPUTERS, "{ended:#}");
    assert_eq!(ended["Waiting"], Value::Null, "{ended:#}");
}

/// A worker carries out four runs at once. Four whose sites ask for half a minute kept a fifth
/// from being begun.
#[test]
fn runs_that_wait_keep_no_other_run_waiting() {
    let mut stage = Stage::with_lanes(5);
    // So that a call may wait for that long by itself.
    stage.lanes.iter_mut().for_each(Lane::be_patient);
    let (last, first) = stage.lanes.split_last().expect("five of them");
    let waiting: Vec<String> = first
        .iter()
        .enumerate()
        .map(|(number, lane)| {
            let list = format!("Waits-{number}");
            let computers = prepared(lane, &list);
            let rule = Rule::once(Kind::ThrottledSeconds).lasting(40);
            lane.site.fault(rule.of_method("GET").containing("/items?"));
            begin(lane, &list, &computers)
        })
        .collect();
    for run in &waiting {
        let shown = last.program.until(run, "throttled", |shown| {
            shown["Waiting"]["Reason"] == "Throttled"
        });
        assert_eq!(shown["State"], "Running", "{shown:#}");
    }
    let computers = prepared(last, "Goes-on");
    let home = last.bring_home(&begin(last, "Goes-on", &computers));
    assert_eq!(home.count("Created"), COMPUTERS as u64, "{:#}", home.run);
    for run in &waiting {
        let shown = last.program.get(&format!("Workflows/Runs/{run}?Limit=1"));
        assert_eq!(shown["Waiting"]["Reason"], "Throttled", "{shown:#}");
    }
}

#[test]
fn a_server_that_is_killed_while_a_site_wants_to_be_left_alone_still_leaves_it_alone() {
    const SECONDS: u64 = 14;
    let mut stage = Stage::with_lanes(1);
    stage.lanes.iter_mut().for_each(Lane::be_patient);
    let lane = &stage.lanes[0];
    let computers = prepared(lane, "Killed");
    let rule = Rule::once(Kind::ThrottledSeconds).lasting(SECONDS);
    lane.site.fault(rule.of_method("GET").containing("/items?"));
    let run = begin(lane, "Killed", &computers);
    lane.program.until(&run, "throttled", |shown| {
        shown["Waiting"]["Reason"] == "Throttled"
    });
    stage.server().crash_and_restart();
    lane.bring_home(&run);
    let seen = lane.site.requests();
    let throttled = seen.iter().position(|seen| seen.fault.is_some());
    let throttled = throttled.expect("the fault was met");
    let until = seen[throttled].at + SignedDuration::from_secs(SECONDS.cast_signed());
    let early = seen[throttled + 1..].iter().find(|later| later.at < until);
    assert!(early.is_none(), "asked to wait until {until}: {early:?}");
    assert_is(lane, "Killed", &computers, &[], &BTreeMap::new(), "killed");
}
