//! Promise D2: a loss of power takes nothing with it that was acknowledged.
//!
//! A library that is loaded before the server's own keeps the database and its log as they stood
//! at each moment when one of them was handed to the disk. Of such moments a server is started
//! that has nothing else, as after a loss of power right then.

use std::fs;
use std::path::{Path, PathBuf};

use checklist_tests::{HostKey, Setup, incident, preloaded, promise};
use serde_json::json;
use tempfile::TempDir;

const LISTS: usize = 4;

/// The moments that were kept so far, by number: which file, and its copy.
fn moments(folder: &Path) -> Vec<(usize, String, PathBuf)> {
    let entries = fs::read_dir(folder).expect("the folder").flatten();
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let number = path.file_stem()?.to_str()?.parse().ok()?;
            let kind = path.extension()?.to_str()?.to_owned();
            Some((number, kind, path))
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_loss_of_power_at_any_moment_takes_nothing_acknowledged_with_it() {
    let rounds = promise::times(40, 150);
    let restarts = promise::times(8, 200);
    let folder = TempDir::new().unwrap();
    let kept = folder.path().join("moments");
    fs::create_dir(&kept).unwrap();
    let library = preloaded::compile("tests/http/power/at_each_sync.c", folder.path());
    let setup = Setup::for_hosts(&[HostKey::of("north")]);
    let mut server = setup
        .environment("LD_PRELOAD", &library.display().to_string())
        .environment("POWER_MOMENTS", &kept.display().to_string())
        .start();
    let place = |list: usize| incident(&list.to_string()).for_purpose("x");

    // What was acknowledged, and up to which moment the disk had been handed everything then.
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let written: Vec<(usize, String)> = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..LISTS)
                .map(|list| {
                    let anna = server.editor_on(&place(list));
                    scope.spawn(move || {
                        let text = format!("round {round}");
                        anna.add_items(json!([{ "Text": text, "Kind": "Info" }]));
                        (list, text)
                    })
                })
                .collect();
            writers
                .into_iter()
                .map(|writer| writer.join().unwrap())
                .collect()
        });
        let moment = moments(&kept).last().map_or(0, |(number, ..)| *number);
        acknowledged.push((moment, written));
    }
    server.kill();

    let moments = moments(&kept);
    let first = acknowledged.first().expect("a round").0;
    let later: Vec<usize> = moments
        .iter()
        .map(|(number, ..)| *number)
        .filter(|number| *number >= first)
        .collect();
    assert!(
        later.len() >= rounds,
        "{} moments for {rounds} rounds",
        later.len()
    );
    let step = (later.len() / restarts).max(1);
    let mut tried = 0;
    let data = server.data_dir();
    for moment in later.iter().step_by(step).chain(later.last()) {
        fs::remove_dir_all(&data).unwrap();
        fs::create_dir(&data).unwrap();
        let newest = |kind: &str| {
            let mut before = moments.iter().rev().filter(|(number, ..)| number <= moment);
            before.find(|(_, of, _)| of == kind).map(|(.., path)| path)
        };
        fs::copy(
            newest("database").expect("a database"),
            data.join("checklist.sqlite3"),
        )
        .unwrap();
        if let Some(log) = newest("log") {
            fs::copy(log, data.join("checklist.sqlite3-wal")).unwrap();
        }
        server.start_again();
        for list in 0..LISTS {
            let shown = server.editor_on(&place(list)).list();
            let texts = shown.texts();
            let missing = acknowledged
                .iter()
                .filter(|(known, _)| known <= moment)
                .flat_map(|(_, written)| written)
                .find(|(of, text)| *of == list && !texts.contains(&text.as_str()));
            assert_eq!(missing, None, "at moment {moment} of {}", moments.len());
        }
        server.kill();
        tried += 1;
    }
    let writes = rounds * LISTS;
    promise::held(
        "D2",
        format!(
            "{writes} writes, {} moments, {tried} restarts: 0 missing",
            moments.len()
        ),
    );
}
