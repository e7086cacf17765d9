//! Reads that show a part of the list, or nothing of it: no entry is deleted because of what
//! could not be seen, and none without somebody having been asked.

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_site_server::{Kind, Rule};
use checklist_tests::promise::held;

use crate::lane::Lane;
use crate::list::{computer, entries};
use crate::stage::Stage;

/// In the list, and how many of them are scrapped then.
const COMPUTERS: usize = 40;
const SCRAPPED: u64 = 13;

const KINDS: [Kind; 8] = [
    Kind::EmptyPage,
    Kind::ShortPage,
    Kind::TruncatedPage,
    Kind::HalfBody,
    Kind::WrongType,
    Kind::Threshold,
    Kind::BadRequestPage,
    Kind::ServerError,
];

/// How often a read comes out that way: once, as often as it may be asked again, always.
const TIMES: [Option<u32>; 4] = [Some(1), Some(2), Some(5), None];

/// It took what it could not see for gone, and asked nobody about the few that were left.
#[test]
fn a_scrapped_computer_whose_entry_a_short_read_hid_is_not_taken_for_gone() {
    let stage = Stage::with_lanes(1);
    let lane = &stage.lanes[0];
    let ids = export_and_scrap(lane, "Inventory");
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let run = lane.export("Inventory", &ids);
    let rule = Rule::once(Kind::ShortPage).of_method("GET");
    lane.site.fault(rule.containing("/items?").times(2));
    let stands = lane.program.until_it_stands(&run);
    assert_eq!(stands["State"], "AwaitingConfirmation", "{stands:#}");
    assert_eq!(stands["Confirmation"]["Deletes"], SCRAPPED, "{stands:#}");
    assert_eq!(stands["Counts"]["NotPresent"], 0, "{stands:#}");
}

#[test]
fn nothing_is_deleted_unasked_because_a_read_was_empty_or_partial() {
    let stage = Stage::with_lanes(16);
    let cases: Vec<(Kind, Option<u32>)> = KINDS
        .into_iter()
        .flat_map(|kind| TIMES.map(|times| (kind, times)))
        .collect();
    std::thread::scope(|scope| {
        for (number, lane) in stage.lanes.iter().enumerate() {
            let mine = cases.iter().skip(number).step_by(stage.lanes.len());
            scope.spawn(move || mine.for_each(|case| read_badly(lane, *case)));
        }
    });
    held(
        "W4",
        format!(
            "{} reads that were empty or partial: 0 unconfirmed deletes",
            cases.len()
        ),
    );
}

/// Exports computers, then scraps more than a fifth of them: few enough in each half of the list to
/// go unnoticed. Gives the ids of all.
fn export_and_scrap(lane: &Lane, list: &str) -> Vec<String> {
    lane.new_list(list);
    let mut computers: Vec<Computer> = (0..COMPUTERS)
        .map(|number| computer(&format!("{list}-{number:02}")))
        .collect();
    lane.import(&computers);
    let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();
    lane.bring_home(&lane.export(list, &ids));
    for one in computers.iter_mut().take(9) {
        one.status = ComputerStatus::Scrapped;
    }
    for one in computers.iter_mut().skip(36) {
        one.status = ComputerStatus::Scrapped;
    }
    lane.import(&computers);
    computers.into_iter().map(|one| one.id).collect()
}

fn read_badly(lane: &Lane, (kind, times): (Kind, Option<u32>)) {
    let name = format!("{} {times:?}", kind.name());
    let list = format!("{}-{}", kind.name(), times.unwrap_or_default());
    lane.site.clear_faults();
    let ids = export_and_scrap(lane, &list);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let run = lane.export(&list, &ids);
    let rule = Rule::once(kind).of_method("GET").containing("/items");
    lane.site.fault(match times {
        Some(times) => rule.times(times),
        None => rule.always(),
    });
    let stands = lane.program.until_it_stands(&run);
    let left = entries(lane, &list);
    assert_eq!(left.len(), COMPUTERS, "{name}: {stands:#}");
    let counts = &stands["Counts"];
    let told = (counts["Deleted"].as_u64(), counts["NotPresent"].as_u64());
    assert_eq!(told, (Some(0), Some(0)), "{name}: {stands:#}");

    lane.site.clear_faults();
    let home = lane.bring_home(&run);
    assert!(!home.confirmed.is_empty(), "{name}: {:#}", home.run);
    let home = lane.bring_home(&lane.export(&list, &ids));
    assert_eq!(home.count("NotPresent"), SCRAPPED, "{name}: {:#}", home.run);
    let rest = COMPUTERS - SCRAPPED as usize;
    assert_eq!(
        home.count("Unchanged"),
        rest as u64,
        "{name}: {:#}",
        home.run
    );
    assert_eq!(entries(lane, &list).len(), rest, "{name}");
}
