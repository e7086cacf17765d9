//! One fault in one place: whatever a site answers while a run creates, changes, adopts or deletes,
//! at the beginning, in the middle or at the end, the list comes to be as the inventory says, and
//! the site is left alone for as long as it asks.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_site_server::Seen;
use checklist_tests::promise::held;
use jiff::{SignedDuration, Timestamp};

use crate::fault::{Case, Meets, Operation, cases, is_long};
use crate::lane::{Home, Lane, Protocol};
use crate::list::{assert_is, computer, entries, entry_of};
use crate::stage::Stage;

/// Computers to a chunk, and three chunks.
const CHUNK: usize = 2;
const COMPUTERS: usize = 3 * CHUNK;

/// Servers and, for each of them, as many sites as it exports to at once.
const STAGES: usize = 3;
const LANES: usize = 4;

#[test]
fn one_fault_anywhere_changes_nothing_about_the_end() {
    try_all(Protocol::Rest);
    if is_long() {
        try_all(Protocol::Graph);
    }
}

fn try_all(protocol: Protocol) {
    let cases = cases();
    let faults: std::collections::BTreeSet<&str> =
        cases.iter().map(|case| case.fault.name()).collect();
    assert!(faults.len() >= 12, "{faults:?}");
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let asked_again = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..STAGES {
            scope.spawn(|| {
                let stage = Stage::with_chunks_of(CHUNK, LANES, protocol);
                std::thread::scope(|scope| {
                    for lane in &stage.lanes {
                        scope.spawn(|| take_turns(lane, &cases, &next, &wrong, &asked_again));
                    }
                });
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_default();
    let asked_again = asked_again.into_inner();
    println!(
        "{protocol:?}: {} cases; in {asked_again} somebody had to ask for what failed once more",
        cases.len()
    );
    assert!(
        wrong.is_empty(),
        "{} of {} cases: {wrong:#?}",
        wrong.len(),
        cases.len()
    );
    held(
        "W1",
        format!(
            "{protocol:?}: {} cases of {} faults: the list is what it should be in each",
            cases.len(),
            faults.len()
        ),
    );
}

/// Takes the next case until there is none; a case that fails does not keep others from being
/// tried.
fn take_turns(
    lane: &Lane,
    cases: &[Case],
    next: &AtomicUsize,
    wrong: &Mutex<Vec<String>>,
    asked_again: &AtomicUsize,
) {
    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(lane, *case)));
        match tried {
            Ok(home) if home.retried > 0 => drop(asked_again.fetch_add(1, Ordering::Relaxed)),
            Ok(_) => {}
            Err(_) => wrong.lock().expect("nobody panics here").push(case.name()),
        }
    }
}

fn run(lane: &Lane, case: Case) -> Home {
    let name = case.name();
    let list = name.replace(' ', "-");
    lane.site.clear_faults();
    lane.site.forget_requests();
    lane.new_list(&list);
    let computers: Vec<Computer> = (0..COMPUTERS)
        .map(|number| computer(&format!("{list}-{number}")))
        .collect();
    let ids: Vec<&str> = computers
        .iter()
        .map(|computer| computer.id.as_str())
        .collect();
    lane.import(&computers);

    let mut others = BTreeMap::new();
    let (present, absent, outcome) = match case.operation {
        Operation::Create => (computers.clone(), Vec::new(), "Created"),
        Operation::Update => {
            lane.bring_home(&lane.export(&list, &ids));
            let changed: Vec<Computer> = computers
                .iter()
                .map(|computer| Computer {
                    model: Some("ThinkPad T14".to_owned()),
                    ..computer.clone()
                })
                .collect();
            lane.import(&changed);
            (changed, Vec::new(), "Updated")
        }
        Operation::Adopt => {
            lane.by_hand(&list, |list| {
                for computer in &computers {
                    let mut entry = entry_of(computer);
                    entry.remove("Memory");
                    list.add(entry.into_iter().collect(), 11).expect("an entry");
                }
                let someone_elses = [("Title".to_owned(), "The printer".into())].into();
                list.add(someone_elses, 11).expect("an entry");
            });
            others.extend(entries(lane, &list).into_iter().next_back());
            (computers.clone(), Vec::new(), "Adopted")
        }
        Operation::Delete => {
            lane.bring_home(&lane.export(&list, &ids));
            let scrapped: Vec<Computer> = computers
                .iter()
                .map(|computer| Computer {
                    status: ComputerStatus::Scrapped,
                    ..computer.clone()
                })
                .collect();
            lane.import(&scrapped);
            (Vec::new(), scrapped, "Deleted")
        }
    };

    let began = lane.site.requests().len();
    let home = if case.operation == Operation::Adopt {
        let run = lane.export(&list, &ids);
        let stands = lane.program.until_it_stands(&run);
        assert_eq!(
            stands["State"], "AwaitingConfirmation",
            "{name}: {stands:#}"
        );
        lane.site.fault(case.rule(lane.protocol));
        lane.bring_home(&run)
    } else {
        if case.meets == Meets::Read {
            // Before a run is accepted the list is looked at as well.
            let run = lane.export(&list, &ids);
            lane.site.fault(case.rule(lane.protocol));
            lane.bring_home(&run)
        } else {
            lane.site.fault(case.rule(lane.protocol));
            lane.bring_home(&lane.export(&list, &ids))
        }
    };

    assert_is(lane, &list, &present, &absent, &others, &name);
    let all = COMPUTERS as u64;
    assert_eq!(home.run["Settled"], all, "{name}");
    // Whoever asks for what failed once more is told what there was left to do.
    let told = home.count(outcome) + home.count("Unchanged") + home.count("NotPresent");
    assert_eq!(told, all, "{name}: {:#}", home.run);
    if home.retried == 0 {
        assert_eq!(home.count(outcome), all, "{name}: {:#}", home.run);
    }
    let seen = &lane.site.requests()[began..];
    if case.meets != Meets::Read {
        assert!(
            seen.iter().any(|seen| seen.fault.is_some()),
            "{name}: nothing met the fault"
        );
    }
    assert_left_alone(seen, &name);

    // What is as it should be stays as it is.
    let before = entries(lane, &list);
    let again = lane.bring_home(&lane.export(&list, &ids));
    let wanted = if case.operation == Operation::Delete {
        "NotPresent"
    } else {
        "Unchanged"
    };
    assert_eq!(again.count(wanted), all, "{name}: {:#}", again.run);
    let versions = |all: BTreeMap<u32, checklist_site_server::store::Item>| -> Vec<(u32, u32)> {
        all.into_values()
            .map(|item| (item.id, item.version))
            .collect()
    };
    assert_eq!(versions(entries(lane, &list)), versions(before), "{name}");
    home
}

/// After an answer that asked to wait, nothing came before that time was over.
#[track_caller]
fn assert_left_alone(seen: &[Seen], name: &str) {
    for (number, throttled) in seen.iter().enumerate() {
        let until = match throttled.fault.as_deref() {
            Some("429-seconds") => throttled.at + SignedDuration::from_secs(1),
            // Written in whole seconds.
            Some("429-date") => {
                let until = throttled.at + SignedDuration::from_secs(1);
                Timestamp::from_second(until.as_second()).expect("a time")
            }
            _ => continue,
        };
        let early = seen[number..]
            .iter()
            .find(|later| !later.in_batch && later.at > throttled.at && later.at < until);
        assert!(
            early.is_none(),
            "{name}: asked to wait until {until}, but {early:?}"
        );
    }
}
