//! Two nodes on one database: the one goes on where the other stood still, and the one that stood
//! still is told before it writes anything more.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use checklist_shared::computer::Computer;
use checklist_site_server::store::Site;

use crate::lane::{Lane, Protocol, list_of};
use crate::list::{assert_is, computer, entries};
use crate::stage::Stage;

/// In chunks of two.
const COMPUTERS: usize = 24;

#[test]
fn a_node_that_stood_still_in_the_middle_of_a_run_writes_nothing_more() {
    let stage = Stage::with_chunks_of(2, 1, Protocol::Rest);
    let lane = &stage.lanes[0];
    let computers: Vec<Computer> = (0..COMPUTERS)
        .map(|number| computer(&format!("c-{number}")))
        .collect();
    let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();
    lane.new_list("Inventory");
    lane.import(&computers);

    let run = lane.export("Inventory", &ids);
    let (tell, told) = channel();
    // By then some chunks are written.
    let list = "Inventory";
    let look = move |site: &mut Site| {
        let _ = tell.send(list_of(site, list).items.len());
    };
    lane.site.after(8, look);
    let written = told.recv_timeout(Duration::from_secs(30));
    stage.server().stand_still();
    let other = stage.server().another_node();
    assert!(written.is_ok(), "the run never came so far");
    assert!(entries(lane, list).len() < COMPUTERS, "it was done already");

    let mut program = lane.program.clone();
    program.http = other.http();
    let lane = Lane {
        site: Arc::clone(&lane.site),
        protocol: lane.protocol,
        connection: lane.connection.clone(),
        exports: 100.into(),
        program,
    };
    let home = lane.bring_home(&run);
    assert_eq!(home.count("Created"), COMPUTERS as u64, "{:#}", home.run);
    assert_is(&lane, list, &computers, &[], &BTreeMap::new(), "taken over");
    let seen = lane.site.requests().len();

    stage.server().go_on();
    // It comes to itself, finds that the run is not its own any more, and lets it be.
    std::thread::sleep(Duration::from_secs(4));
    let late: Vec<_> = lane.site.requests().split_off(seen);
    let writes: Vec<_> = late
        .iter()
        .filter(|seen| seen.in_batch || seen.method != "GET")
        .collect();
    assert!(writes.is_empty(), "{writes:#?}");
    assert_is(&lane, list, &computers, &[], &BTreeMap::new(), "gone on");
    assert_eq!(lane.program.whole(&run)["State"], "Completed");
}
