//! Configurations that would not be safe: the server refuses each at its start, with a sentence
//! that says why, an exit code that says what kind, and nothing left behind.
//! Part of the program `http`; each is the binary as an operator starts it.

use std::path::Path;

use checklist_tests::HostKey;
use checklist_tests::process::Process;
use checklist_tests::setup::{key_file, program};
use tempfile::TempDir;

/// Options, the exit code and words of the sentence. `{}` is a folder with `north-key.pem`,
/// `private.pem`, `secret` (its owner's alone) and `open-secret`.
const REFUSED: &[(&str, &[&str], i32, &str)] = &[
    ("nobody could sign in", &[], 2, "Nobody could sign in"),
    (
        "a demo for everybody",
        &["--demo", "--listen", "0.0.0.0:0"],
        2,
        "--demo gives everybody a token",
    ),
    (
        "a demo for everybody over IPv6",
        &["--demo", "--listen", "[::]:0"],
        2,
        "--demo gives everybody a token",
    ),
    (
        "a demo with a public address",
        &["--demo", "--base-url", "https://checks.example"],
        2,
        "--demo gives everybody a token",
    ),
    (
        "a public address without TLS",
        &[
            "--embed-key",
            "{}/north-key.pem",
            "--base-url",
            "http://checks.example",
        ],
        2,
        "in the clear",
    ),
    (
        "a private address without TLS",
        &[
            "--embed-key",
            "{}/north-key.pem",
            "--base-url",
            "http://10.0.0.5",
        ],
        2,
        "in the clear",
    ),
    (
        "a public socket without a base URL",
        &[
            "--embed-key",
            "{}/north-key.pem",
            "--listen",
            "192.0.2.1:80",
        ],
        2,
        "in the clear",
    ),
    (
        "everywhere without a base URL",
        &["--embed-key", "{}/north-key.pem", "--listen", "0.0.0.0:0"],
        2,
        "does not say how browsers reach",
    ),
    (
        "a private key",
        &["--embed-key", "{}/private.pem"],
        2,
        "holds a private key",
    ),
    (
        "a key that is not there",
        &["--embed-key", "{}/nowhere.pem"],
        2,
        "cannot be read",
    ),
    (
        "a provider without TLS",
        &["--oidc-issuer", "http://id.example", "--oidc-audience", "a"],
        2,
        "without TLS",
    ),
    (
        "a provider that is no address",
        &["--oidc-issuer", "id.example", "--oidc-audience", "a"],
        2,
        "no address of an identity provider",
    ),
    (
        "a provider with a password in its address",
        &[
            "--oidc-issuer",
            "https://u:p@id.example",
            "--oidc-audience",
            "a",
        ],
        2,
        "no address of an identity provider",
    ),
    (
        "a provider for nothing",
        &["--oidc-issuer", "https://id.example"],
        2,
        "neither an audience nor a client",
    ),
    (
        "an empty audience",
        &["--oidc-issuer", "https://id.example", "--oidc-audience", ""],
        2,
        "audience",
    ),
    (
        "an audience of any kind",
        &[
            "--oidc-issuer",
            "https://id.example",
            "--oidc-audience",
            "*",
        ],
        2,
        "audience",
    ),
    (
        "an audience without a provider",
        &["--embed-key", "{}/north-key.pem", "--oidc-audience", "a"],
        2,
        "says nothing without --oidc-issuer",
    ),
    (
        "a secret without its client",
        &[
            "--oidc-issuer",
            "https://id.example",
            "--oidc-audience",
            "a",
            "--oidc-client-secret-file",
            "{}/secret",
        ],
        2,
        "says nothing without --oidc-client-id",
    ),
    (
        "a secret for all to read",
        &[
            "--oidc-issuer",
            "https://id.example",
            "--oidc-client-id",
            "c",
            "--oidc-client-secret-file",
            "{}/open-secret",
        ],
        2,
        "Everybody on this machine can read",
    ),
    (
        "a secret that is not there",
        &[
            "--oidc-issuer",
            "https://id.example",
            "--oidc-client-id",
            "c",
            "--oidc-client-secret-file",
            "{}/nowhere",
        ],
        2,
        "cannot be read",
    ),
    (
        "any origin",
        &["--embed-key", "{}/north-key.pem", "--allow-origin", "*"],
        2,
        "not one origin",
    ),
    (
        "origins by a star",
        &[
            "--embed-key",
            "{}/north-key.pem",
            "--allow-origin",
            "https://*.example",
        ],
        2,
        "not one origin",
    ),
    (
        "a session that ends at once",
        &["--embed-key", "{}/north-key.pem", "--session-minutes", "0"],
        2,
        "5..=1440",
    ),
    (
        "a session without an end",
        &[
            "--embed-key",
            "{}/north-key.pem",
            "--session-minutes",
            "1000000",
        ],
        2,
        "5..=1440",
    ),
    (
        "two keys of one name",
        &[
            "--embed-key",
            "a={}/north-key.pem",
            "--embed-key",
            "a={}/north-key.pem",
        ],
        2,
        "Two keys have the kid",
    ),
    (
        "the demo's own kid",
        &["--demo", "--embed-key", "demo={}/north-key.pem"],
        2,
        "belongs to the demo",
    ),
];

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let _named_after_its_kid = key_file(folder.path(), &HostKey::of("north"));
    let write = |name: &str, text: &str, mode: u32| {
        use std::os::unix::fs::PermissionsExt as _;
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let private =
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n";
    write("private.pem", private, 0o600);
    write("secret", "s3cret", 0o600);
    write("open-secret", "s3cret", 0o644);
    folder
}

fn start(folder: &Path, options: &[&str]) -> (Option<i32>, String) {
    let mut command = program();
    command
        .arg("serve")
        .arg("--data-dir")
        .arg(folder.join("data"));
    if !options.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    for option in options {
        command.arg(option.replace("{}", folder.to_str().unwrap()));
    }
    let ended = Process::start(&mut command).ended();
    (ended.status.code(), ended.said)
}

#[test]
fn what_would_not_be_safe_does_not_start() {
    let folder = folder();
    assert!(REFUSED.len() >= 12);
    for (what, options, exit, words) in REFUSED {
        let (code, said) = start(folder.path(), options);
        assert_eq!(code, Some(*exit), "{what}: {said}");
        assert!(said.contains(words), "{what}: {said}");
        assert!(
            !said.contains("s3cret") && !said.contains("panicked"),
            "{what}: {said}"
        );
    }
}

#[test]
fn a_refused_start_leaves_no_folder_behind() {
    let folder = folder();
    for (what, options, ..) in REFUSED
        .iter()
        .filter(|(_, options, ..)| !options.contains(&"--demo"))
    {
        start(folder.path(), options);
        assert!(!folder.path().join("data").exists(), "{what}");
    }
}
