//! A copy by PostgreSQL's own tools, put back as `docs/OPERATION.md` says.
//!
//! The server's own `backup` is for the folder with SQLite; see `http/backups`.

use checklist_tests::{HostKey, Setup, incident};

#[test]
fn a_server_goes_on_where_a_restored_dump_ends() {
    let mut server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let place = incident("1").for_purpose("x");
    let anna = server.editor_on(&place);
    anna.add("Ask the owner");
    anna.add("Tell the owner");
    anna.tick("Ask the owner");
    server.stop();
    server
        .postgres()
        .expect("a PostgreSQL")
        .copy_lose_and_restore();
    server.start_again();
    let anna = server.editor_on(&place);
    let list = anna.list();
    assert_eq!(list.item("Ask the owner")["Status"], "Done");
    assert_eq!(list.item("Tell the owner")["Status"], "Open");
    anna.tick("Tell the owner");
    server.stop();
    let verified = server.run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);
    assert!(verified.said.contains("unbroken"), "{}", verified.said);
}
