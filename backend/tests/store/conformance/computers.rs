//! The inventory of computers: imports, pages, searches, and what an export reads.
//!
//! Part of the conformance suite.

use checklist_auth::{Credential, Principal};
use checklist_services::computers::import::{self, Rows};
use checklist_services::computers::{self, ComputerQuery};
use checklist_shared::computer::{Computer, ComputerField, ComputerStatus};
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::computers::{ComputersPage, ImportAnswer, ImportOutcome};
use checklist_store::error::ServiceResult;

use super::{World, admin};

fn computer(id: &str, name: &str) -> Computer {
    Computer::new(id, name, ComputerStatus::InUse)
}

fn program(tenant: &str) -> Principal {
    Principal {
        tenant: tenant.to_owned(),
        permissions: [Permission::Sites].into_iter().collect(),
        credential: Credential::Own,
        ..admin()
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

impl World {
    async fn import_as(
        &self,
        caller: &Principal,
        rows: Rows,
        dry_run: bool,
    ) -> ServiceResult<ImportAnswer> {
        import::run(&self.app, caller, rows, dry_run).await
    }

    async fn import(&self, computers: &[Computer]) -> ImportAnswer {
        let rows = Rows::Computers(computers.to_vec());
        let done = self.import_as(&program("acme"), rows, false).await;
        done.expect("an import")
    }

    async fn found(&self, query: &ComputerQuery) -> ComputersPage {
        let page = computers::list(&self.app, &program("acme"), query).await;
        page.expect("a page")
    }

    async fn search(&self, text: &str) -> Vec<String> {
        let query = ComputerQuery {
            search: some(text),
            limit: Some(1_000),
            ..ComputerQuery::default()
        };
        let page = self.found(&query).await;
        assert_eq!(page.total, page.computers.len() as u64, "{text}");
        let ids = page.computers.into_iter().map(|view| view.computer.id);
        ids.collect()
    }
}

fn counts(answer: &ImportAnswer) -> (u32, u32, u32, u32) {
    (
        answer.created,
        answer.updated,
        answer.unchanged,
        answer.failed,
    )
}

pub async fn a_new_computer_is_created_and_reads_back_as_it_was_imported(world: &World) {
    let whole = Computer {
        serial_number: some("SN-1"),
        asset_tag: some("AT-1"),
        manufacturer: some("Dell"),
        model: some("Latitude \"5440\""),
        assigned_to: some("zoë@example.org"),
        department: some("IT"),
        location: some("Köln, 3.12"),
        operating_system: some("Windows 11"),
        memory: Some(16),
        purchased_on: "2024-02-29".parse().ok(),
        warranty_until: "2027-02-28".parse().ok(),
        note: some("one\ntwo"),
        ..computer("c-1", "PC-Ä")
    };
    let bare = computer("c-2", "PC-B");
    let answer = world.import(&[whole.clone(), bare.clone()]).await;
    assert_eq!(counts(&answer), (2, 0, 0, 0));
    let read = async |id| computers::get(&world.app, &program("acme"), id).await;
    let one = read("c-1").await.expect("a computer");
    assert_eq!(one.computer, whole);
    assert_eq!(one.created_at, one.updated_at);
    assert_eq!(read("c-2").await.expect("a computer").computer, bare);
    for nobody in ["c-3", "C-1", "", "c\0"] {
        let error = read(nobody).await.expect_err("nobody");
        assert_eq!(error.code(), ProblemCode::ComputerNotFound, "{nobody:?}");
    }
}

pub async fn an_import_tells_what_changes_and_leaves_the_rest_as_it_was(world: &World) {
    let old = computer("c-1", "PC-1");
    let same = computer("c-2", "PC-2");
    let other = computer("c-3", "PC-3");
    world.import(&[old.clone(), same.clone(), other]).await;
    world.clock.advance_seconds(60);
    let moved = Computer {
        location: some("Bonn"),
        status: ComputerStatus::InRepair,
        ..old
    };
    let answer = world
        .import(&[same, moved.clone(), computer("c-4", "PC-4")])
        .await;
    assert_eq!(counts(&answer), (1, 1, 1, 0));
    let told: Vec<_> = answer
        .changes
        .iter()
        .map(|change| (change.row, change.outcome))
        .collect();
    assert_eq!(
        told,
        [(2, ImportOutcome::Updated), (3, ImportOutcome::Created)]
    );
    let fields: Vec<_> = answer.changes[0].fields.iter().map(|it| it.field).collect();
    assert_eq!(fields, [ComputerField::Status, ComputerField::Location]);

    let page = world.found(&ComputerQuery::default()).await;
    assert_eq!(page.total, 4);
    let times: Vec<i64> = page
        .computers
        .iter()
        .map(|view| view.updated_at.as_millis() - view.created_at.as_millis())
        .collect();
    assert_eq!(times, [60_000, 0, 0, 0], "only the first was changed");
    assert_eq!(page.computers[0].computer, moved);
}

pub async fn one_wrong_row_and_nothing_is_imported(world: &World) {
    let rows = vec![
        computer("c-1", "PC-1"),
        computer("c-2", ""),
        computer("c-1", "PC-1 again"),
    ];
    let done = world
        .import_as(&program("acme"), Rows::Computers(rows.clone()), false)
        .await;
    let problem = done.expect_err("two rows are wrong").problem;
    assert_eq!(problem.code, ProblemCode::InvalidRequest);
    let pointers: Vec<&str> = problem.errors.iter().map(|it| &*it.pointer).collect();
    assert_eq!(pointers, ["/Computers/1/Name", "/Computers/2/Id"]);
    assert_eq!(world.found(&ComputerQuery::default()).await.total, 0);
    // A preview returns the same, row by row, and what it would do with the valid rows.
    let told = world
        .import_as(&program("acme"), Rows::Computers(rows), true)
        .await
        .expect("a preview");
    assert_eq!(counts(&told), (1, 0, 0, 2));
    assert_eq!(told.changes[0].row, 2);
    assert_eq!(told.changes[0].errors[0].pointer, "/Name");
    assert_eq!(told.changes[1].row, 3);
    let none = world
        .import_as(&program("acme"), Rows::Computers(Vec::new()), false)
        .await;
    assert_eq!(none.expect_err("empty").code(), ProblemCode::InvalidRequest);
}

pub async fn a_table_is_imported_like_json(world: &World) {
    let table = "Id;Name;Status;Location\nc-1;PC-1;In use;Köln\nc-2;PC-2;Lost;Bonn\n";
    let import = async |text: &str, dry_run| {
        let rows = Rows::Csv(text.as_bytes().to_vec());
        world.import_as(&program("acme"), rows, dry_run).await
    };
    let problem = import(table, false).await.expect_err("a wrong row").problem;
    assert_eq!(problem.errors[0].pointer, "/3/Status");
    assert!(problem.errors[0].detail.starts_with("Line 3: 'Lost'"));
    let mended = table.replace("Lost", "Missing");
    let done = import(&mended, false).await.expect("an import");
    assert_eq!(counts(&done), (2, 0, 0, 0));
    let again = import(&mended, false).await.expect("an import");
    assert_eq!(counts(&again), (0, 0, 2, 0));
    let kept = computers::get(&world.app, &program("acme"), "c-1").await;
    let expected = Computer {
        location: some("Köln"),
        ..computer("c-1", "PC-1")
    };
    assert_eq!(kept.expect("a computer").computer, expected);
}

pub async fn a_dry_run_tells_what_the_import_then_does_and_writes_nothing(world: &World) {
    world.import(&[computer("c-1", "PC-1")]).await;
    let rows = Rows::Computers(vec![computer("c-1", "PC-one"), computer("c-2", "PC-2")]);
    let caller = program("acme");
    let told = world.import_as(&caller, rows.clone(), true).await;
    let told = told.expect("a preview");
    assert!(told.dry_run);
    assert_eq!(world.search("pc-1").await, ["c-1"], "nothing was written");
    let done = world.import_as(&caller, rows, false).await;
    let expected = ImportAnswer {
        dry_run: false,
        ..told
    };
    assert_eq!(done.expect("an import"), expected);
    assert_eq!(world.search("pc-").await, ["c-2", "c-1"]);
}

pub async fn pages_follow_each_other_by_name_whatever_the_case_and_lose_nobody(world: &World) {
    let names = ["b", "B", "a", "Ä", "ä", "Z", "a b", "a", "\u{10ffff}", "ß"];
    let all: Vec<Computer> = names
        .iter()
        .enumerate()
        .map(|(number, name)| computer(&format!("c-{number}"), name))
        .collect();
    world.import(&all).await;
    let ordered = [
        "c-2", "c-7", "c-6", "c-0", "c-1", "c-5", "c-9", "c-3", "c-4", "c-8",
    ];
    for limit in [1, 3, 10, 100] {
        let mut seen = Vec::new();
        let mut query = ComputerQuery {
            limit: Some(limit),
            ..ComputerQuery::default()
        };
        loop {
            let page = world.found(&query).await;
            assert_eq!(page.total, 10);
            seen.extend(page.computers.into_iter().map(|view| view.computer.id));
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        assert_eq!(seen, ordered, "{limit} at a time");
    }
    for limit in [0, 1_001] {
        let query = ComputerQuery {
            limit: Some(limit),
            ..ComputerQuery::default()
        };
        let refused = computers::list(&world.app, &program("acme"), &query).await;
        let problem = refused.expect_err("no such page").problem;
        assert_eq!(problem.errors[0].pointer, "/Limit");
    }
}

pub async fn a_search_finds_words_in_five_fields_and_takes_nothing_for_a_pattern(world: &World) {
    let one = Computer {
        serial_number: some("5CG-100%"),
        asset_tag: some("AT_7"),
        assigned_to: some("zoë@example.org"),
        location: some("Köln, Raum 3"),
        note: some("unsought"),
        ..computer("c-1", "PC-EINS")
    };
    world.import(&[one, computer("c-2", "PC-ZWEI")]).await;
    for word in [
        "pc-eins",
        "EINS",
        "5cg",
        "100%",
        "at_7",
        "ZOË",
        "köln",
        "KÖLN raum",
        "3 eins köln",
    ] {
        assert_eq!(world.search(word).await, ["c-1"], "{word}");
    }
    for word in ["", "  ", "pc-", "PC"] {
        assert_eq!(world.search(word).await, ["c-1", "c-2"], "{word:?}");
    }
    for word in ["%", "_"] {
        assert_eq!(world.search(word).await, ["c-1"], "{word}");
    }
    for word in [
        "p%s",
        "5_g",
        "at%7",
        "unsought",
        "eins zwei",
        "\\",
        "'",
        "eins\n5cg-200",
    ] {
        assert_eq!(world.search(word).await, Vec::<String>::new(), "{word}");
    }
    let too_long = ComputerQuery {
        search: Some("x".repeat(201)),
        ..ComputerQuery::default()
    };
    let refused = computers::list(&world.app, &program("acme"), &too_long).await;
    assert_eq!(
        refused.expect_err("too long").code(),
        ProblemCode::LimitExceeded
    );
}

pub async fn a_filter_by_status_counts_what_it_finds(world: &World) {
    let all: Vec<Computer> = (0..30)
        .map(|number| {
            let status = ComputerStatus::ALL[number % 6];
            Computer::new(format!("c-{number:02}"), format!("PC-{number:02}"), status)
        })
        .collect();
    world.import(&all).await;
    let query = ComputerQuery {
        status: Some(ComputerStatus::Scrapped),
        limit: Some(2),
        ..ComputerQuery::default()
    };
    let page = world.found(&query).await;
    assert_eq!((page.total, page.computers.len()), (5, 2));
    assert_eq!(page.computers[0].computer.id, "c-05");
    let narrowed = ComputerQuery {
        search: some("pc-1"),
        ..query
    };
    assert_eq!(world.found(&narrowed).await.total, 2);
}

pub async fn computers_are_their_tenants_own(world: &World) {
    world.import(&[computer("c-1", "PC-1")]).await;
    let beta = program("beta");
    let read = async || computers::get(&world.app, &beta, "c-1").await;
    let error = read().await.expect_err("not beta's");
    assert_eq!(error.code(), ProblemCode::ComputerNotFound);
    let theirs = world
        .import_as(
            &beta,
            Rows::Computers(vec![computer("c-1", "Theirs")]),
            false,
        )
        .await
        .expect("an import");
    assert_eq!(counts(&theirs), (1, 0, 0, 0));
    assert_eq!(read().await.expect("theirs").computer.name, "Theirs");
    assert_eq!(world.search("pc").await, ["c-1"]);
    assert_eq!(world.search("theirs").await, Vec::<String>::new());
    let store = world.app.store();
    let of = async |tenant| store.names_and_serials(tenant).await.expect("names").len();
    assert_eq!((of("acme").await, of("gamma").await), (1, 0));
}

pub async fn two_imports_at_once_leave_one_of_them(world: &World) {
    let named = |name: &str| -> Vec<Computer> {
        (0..200)
            .map(|number| computer(&format!("c-{number}"), name))
            .collect()
    };
    let (one, other) = (named("one"), named("other"));
    let (one, other) = tokio::join!(world.import(&one), world.import(&other));
    // The import that came second reports that it has replaced the rows of the first.
    let mut told = [counts(&one), counts(&other)];
    told.sort_unstable();
    assert_eq!(told, [(0, 200, 0, 0), (200, 0, 0, 0)]);
    let left = (
        world.search("one").await.len(),
        world.search("other").await.len(),
    );
    assert!(matches!(left, (200, 0) | (0, 200)), "{left:?}");
}

pub async fn what_an_export_asks_for_is_found_by_id_and_by_name_and_serial(world: &World) {
    let with_serial = Computer {
        serial_number: some("SN-1"),
        ..computer("c-1", "PC-1")
    };
    let all: Vec<Computer> = (2..=2_500)
        .map(|number| computer(&format!("c-{number}"), "PC"))
        .chain([with_serial.clone()])
        .collect();
    world.import(&all).await;
    let store = world.app.store();
    let ids = (1..=3_000).map(|number| format!("c-{number}")).collect();
    let found = store.computers_by_id("acme", ids).await.expect("computers");
    assert_eq!(found.len(), 2_500, "those that there are");
    let odd = vec!["c-1".to_owned(), "c\0".to_owned(), "'".to_owned()];
    let found = store.computers_by_id("acme", odd).await.expect("computers");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].computer, with_serial);
    let names = store.names_and_serials("acme").await.expect("names");
    assert_eq!(names.len(), 2_500);
    let one = names.iter().find(|one| one.id == "c-1").expect("it");
    assert_eq!(one.serial_number.as_deref(), Some("SN-1"));
    assert_eq!((&*one.name, one.status), ("PC-1", ComputerStatus::InUse));
}

pub async fn the_inventory_is_for_those_who_may_run_site_activities(world: &World) {
    let stranger = Principal {
        permissions: Permission::ALL
            .into_iter()
            .filter(|permission| *permission != Permission::Sites)
            .collect::<Permissions>(),
        ..program("acme")
    };
    let rows = || Rows::Computers(vec![computer("c-1", "PC-1")]);
    let query = ComputerQuery::default();
    let refusals = [
        computers::list(&world.app, &stranger, &query).await.err(),
        computers::get(&world.app, &stranger, "c-1").await.err(),
        world.import_as(&stranger, rows(), false).await.err(),
        world.import_as(&stranger, rows(), true).await.err(),
    ];
    for refused in refusals {
        let code = refused.map(|error| error.code());
        assert_eq!(code, Some(ProblemCode::PermissionDenied));
    }
    assert_eq!(world.found(&query).await.total, 0);
}
