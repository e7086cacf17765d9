//! A list with more entries than a page has that people made, and more computers that are exported
//! to it: many batches of each.

use std::collections::BTreeMap;

use checklist_shared::computer::Computer;

use crate::list::{assert_is, computer, entries};
use crate::stage::Stage;

#[test]
fn many_entries_made_by_hand_meet_more_computers() {
    let computers = 1800;
    // Of the entries, those found by serial number, by name, twice, and not at all.
    let [by_serial, by_name, twice, not_at_all] = [840, 180, 30, 120];
    assert_eq!(by_serial + by_name + 2 * twice + not_at_all, 1200);
    let mut stage = Stage::with_lanes(1);
    stage.lanes[0].be_patient();
    let lane = &stage.lanes[0];
    let list = "Inventory";
    lane.new_list(list);
    let computers: Vec<Computer> = (0..computers)
        .map(|number| computer(&format!("c-{number:04}")))
        .collect();
    lane.by_hand(list, |list| {
        let mut add = |title: &str, serial: &str| {
            let mut values = BTreeMap::from([("Title".to_owned(), title.into())]);
            if !serial.is_empty() {
                values.insert("SerialNumber".to_owned(), serial.into());
            }
            list.add(values, 11).expect("an entry");
        };
        let mut rest = computers.iter();
        let serial = |one: &Computer| one.serial_number.clone().unwrap_or_default();
        for one in rest.by_ref().take(by_serial) {
            add("A computer", &format!(" {}", serial(one).to_lowercase()));
        }
        for one in rest.by_ref().take(by_name) {
            add(&one.name.to_uppercase(), "To be filled by O.E.M.");
        }
        for one in rest.by_ref().take(twice) {
            add(&one.name, &serial(one));
            add("Its twin", &serial(one));
        }
        for number in 0..not_at_all {
            add(&format!("Printer {number}"), "None");
        }
    });
    let before = entries(lane, list);
    lane.import(&computers);
    let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();

    let run = lane.export(list, &ids);
    let stands = lane.program.until_it_stands(&run);
    assert_eq!(stands["State"], "AwaitingConfirmation", "{stands:#}");
    assert_eq!(stands["Confirmation"]["FirstRun"], true, "{stands:#}");
    assert_eq!(
        stands["Confirmation"]["Adoptions"],
        by_serial + by_name,
        "{stands:#}"
    );
    let versions = |all: &BTreeMap<u32, checklist_site_server::store::Item>| -> Vec<(u32, u32)> {
        all.values().map(|item| (item.id, item.version)).collect()
    };
    assert_eq!(
        versions(&entries(lane, list)),
        versions(&before),
        "nothing is written before somebody has said so"
    );

    let home = lane.bring_home(&run);
    let ambiguous = by_serial + by_name..by_serial + by_name + twice;
    assert_eq!(home.count("Adopted"), (by_serial + by_name) as u64);
    assert_eq!(home.count("Ambiguous"), twice as u64);
    assert_eq!(
        home.count("Created"),
        (computers.len() - ambiguous.end) as u64
    );
    let (mut present, absent): (Vec<_>, Vec<_>) =
        (computers.clone(), computers[ambiguous.clone()].to_vec());
    present.drain(ambiguous);
    let others: BTreeMap<_, _> = before.into_iter().skip(by_serial + by_name).collect();
    assert_is(lane, list, &present, &absent, &others, "after the export");
}

/// It was asked about again and again, because of what had been said of the entry before it.
#[test]
fn an_entry_put_in_the_place_of_a_confirmed_one_is_asked_about_once_and_adopted() {
    let stage = Stage::with_lanes(1);
    let lane = &stage.lanes[0];
    let list = "Inventory";
    lane.new_list(list);
    let one = computer("c-1");
    lane.import(std::slice::from_ref(&one));
    let add = || {
        lane.by_hand(list, |list| {
            let entry = BTreeMap::from([("Title".to_owned(), one.name.clone().into())]);
            list.add(entry, 11).expect("an entry").id
        })
    };
    let first = add();
    let run = lane.export(list, &["c-1"]);
    lane.program.until_it_stands(&run);
    lane.by_hand(list, |list| list.remove(first));
    let second = add();
    let home = lane.bring_home(&run);
    assert_eq!(home.confirmed.len(), 2, "{:#?}", home.confirmed);
    assert_eq!(home.count("Adopted"), 1, "{:#}", home.run);
    let found: Vec<u32> = entries(lane, list).into_keys().collect();
    assert_eq!(found, [second]);
}
