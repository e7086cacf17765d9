//! A test may do what it likes to its copy of a desk: nobody else sees it.

use checklist_tests::service_desk::ServiceDesk;

#[test]
fn a_test_changes_its_own_copy_of_a_desk_alone() {
    let (mine, other) = (ServiceDesk::open(), ServiceDesk::open());
    mine.write("/etc/request-tracker5/mine", "mine");
    assert_eq!(mine.run("cat", &["/etc/request-tracker5/mine"]), "mine");
    let files = other.run("ls", &["/etc/request-tracker5"]);
    assert!(!files.contains("mine"), "{files}");
}

#[test]
fn nothing_that_a_test_has_started_stays_behind() {
    let desk = ServiceDesk::open();
    let sleeper = desk.start("www-data", "/tmp", &[], &["sleep", "86399"]);
    checklist_tests::until("the sleeper to run", || is_running("86399").then_some(()));
    drop(sleeper);
    assert!(!is_running("86399"), "it was sent a TERM");
    let _sleeper = desk.start("www-data", "/tmp", &[], &["sleep", "86398"]);
    checklist_tests::until("the sleeper to run", || is_running("86398").then_some(()));
    drop(desk);
    checklist_tests::until("it to end with its root", || {
        (!is_running("86398")).then_some(())
    });
}

/// Whether the system runs `sleep` with that argument.
fn is_running(seconds: &str) -> bool {
    let wanted = format!("sleep\0{seconds}\0");
    let processes = std::fs::read_dir("/proc").expect("there is /proc");
    processes.filter_map(Result::ok).any(|process| {
        std::fs::read(process.path().join("cmdline")).is_ok_and(|line| line == wanted.as_bytes())
    })
}
