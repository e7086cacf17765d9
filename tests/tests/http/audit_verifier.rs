//! Checkpoints, proofs and tiles of the audit trail, checked by programs that are not ours
//! (`tests/audit-verifier`).

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use checklist_tests::host::now;
use checklist_tests::process::feed;
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

/// How long a first checkpoint may take: the server signs at its start.
const PATIENCE: Duration = Duration::from_secs(60);

fn checkpoint(admin: &Person) -> String {
    let since = Instant::now();
    loop {
        let answer = admin.get("Audit/Checkpoint");
        if answer.status == 200 {
            return String::from_utf8(answer.body).expect("text");
        }
        assert!(since.elapsed() < PATIENCE, "there is no checkpoint");
        sleep(Duration::from_millis(200));
    }
}

/// The size that a checkpoint names.
fn size(checkpoint: &str) -> u64 {
    let line = checkpoint.lines().nth(1).expect("a size");
    line.parse().expect("a number")
}

/// What the verifier says.
fn verify(told: &Value) -> Result<String, String> {
    let python = std::env::var_os("CHECKLIST_AUDIT_VERIFIER")
        .expect("`cargo xtask test` brings the verifier and names its Python");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("audit-verifier/verify.py");
    let input = told.to_string();
    let ended = feed(Command::new(python).arg(program), input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if ended.status.success() {
        Ok(text(&ended.stdout))
    } else {
        Err(text(&ended.stderr))
    }
}

#[test]
fn programs_that_are_not_ours_verify_inclusion_consistency_and_signature() {
    let mut server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    for name in ["A", "B", "C"] {
        admin.add(name);
        admin.tick(name);
    }
    // Signs what was written.
    server.restart();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let first = size(&checkpoint(&admin));
    admin.untick("A");
    server.restart();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let since = Instant::now();
    let mut newest = checkpoint(&admin);
    while size(&newest) == first {
        assert!(since.elapsed() < PATIENCE, "{newest}");
        sleep(Duration::from_millis(200));
        newest = checkpoint(&admin);
    }
    let all = size(&newest);
    let prove = |of: &str, value: u64| {
        admin
            .get(&format!("Audit/Proof?{of}={value}&Size={all}"))
            .ok()
    };
    let mut proofs: Vec<Value> = (1..=all).map(|row| prove("Sequence", row)).collect();
    proofs.extend([1, 2, first, all].map(|old| prove("From", old)));
    let keys = server.run(&["audit", "key", "--tenant", "demo"]);
    assert!(keys.status.success(), "{}", keys.said);
    let key = keys.said.lines().next().expect("a key").to_owned();
    let told = json!({ "Key": key, "Checkpoint": newest, "Proofs": proofs });
    let said = verify(&told).expect("every proof holds");
    assert!(
        said.contains(&format!("{} proofs hold for {all} rows", all + 4)),
        "{said}"
    );

    let mut forged = told.clone();
    forged["Checkpoint"] = json!(newest.replace(&format!("\n{all}\n"), "\n1\n"));
    assert!(verify(&forged).is_err(), "a changed checkpoint");
    let mut forged = told.clone();
    forged["Proofs"][0]["Leaf"]["Words"]["Value"] = json!("{}");
    assert!(verify(&forged).is_err(), "changed words");
}

#[test]
fn proofs_hold_under_the_checkpoint_from_before_a_person_was_erased() {
    let host = HostKey::of("north");
    let mut server = Setup::for_hosts(std::slice::from_ref(&host))
        .with_vault()
        .start();
    let issuer = "https://portal.example";
    let person = server
        .as_editor("Zoe Quill")
        .with_claim("iss", json!(issuer))
        .with_claim("sub", json!("zoe-7"))
        .with_claim("iat", json!(now() - 30))
        .on(&incident("1").for_purpose("x"));
    person.add("A");
    person.tick("A");
    server.restart();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let before = checkpoint(&admin);
    let all = size(&before);
    // Fewer rows than a whole tile has.
    let tile_path = format!("Audit/Tile/0/000.p/{all}");
    let tile = admin.get(&tile_path);
    assert_eq!(tile.status, 200);
    let who = json!({ "Issuer": issuer, "Subject": "zoe-7" });
    let erasure = admin.send("Users/Erase", &who).ok();
    assert_eq!(
        erasure["AuditRows"], 3,
        "created, added, checked: {erasure}"
    );

    let prove = |of: &str, value: u64| {
        admin
            .get(&format!("Audit/Proof?{of}={value}&Size={all}"))
            .ok()
    };
    let mut proofs: Vec<Value> = (1..=all).map(|row| prove("Sequence", row)).collect();
    proofs.extend([1, 2, all].map(|old| prove("From", old)));
    let keys = server.run(&["audit", "key", "--tenant", &host.tenant]);
    let key = keys.said.lines().next().expect("a key").to_owned();
    let told = json!({ "Key": key, "Checkpoint": before, "Proofs": proofs });
    let said = verify(&told).expect("every proof holds");
    let expected = format!("{} proofs hold for {all} rows, 3 of them", all + 3);
    assert!(said.contains(&expected), "{said}");
    assert!(!told.to_string().contains("Quill"), "{told}");
    assert_eq!(admin.get(&tile_path).body, tile.body);
}
