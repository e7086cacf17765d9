//! The container image, loaded and run by the real podman, which has a store of its own. The network is
//! this machine's, so that nothing has to be set up.

use std::fs;
use std::path::Path;
use std::process::Command;

use checklist_tests::client::Http;
use checklist_tests::process::{Ended, Process};
use checklist_tests::until;
use tempfile::TempDir;

use super::{commands, file, folder};

/// podman with its own store, in a namespace where cgroups are those of version 1 or those of version 2:
/// crun takes no mixture. Limits are named because a container of podman's wants higher ones than root has
/// inside of one.
fn shell(store: &Path, script: &str) -> Command {
    let functions = format!(
        r#"umount /sys/fs/cgroup/unified 2>/dev/null || true
podman() {{
    case $1 in run) shift; set -- run --network=host --ulimit=nofile=1024:1024 --ulimit=nproc=1024:1024 \
        --env=CHECKLIST_LISTEN=127.0.0.1:0 "$@";; esac
    command podman --root={store}/store --runroot={store}/run --tmpdir={store}/tmp --storage-driver=vfs \
        --cgroup-manager=cgroupfs --events-backend=file "$@"
}}
cd {release}
"#,
        store = store.display(),
        release = folder().display()
    );
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--propagation=private", "sh", "-euc"])
        .arg(functions + script);
    command
}

#[track_caller]
fn run(store: &Path, script: &str) -> String {
    let Ended { status, said } = Process::start(&mut shell(store, script)).ended();
    assert!(status.success(), "{script}\n{said}");
    said
}

#[test]
fn a_container_makes_its_data_serves_it_and_stops_when_it_is_asked_to() {
    let place = TempDir::new().unwrap();
    let store = place.path();
    let page = commands("docs/OPERATION.md", "### Container");
    assert!(page.contains(&file(".oci.tar")), "{page}");
    let (before, serve) = page.rsplit_once("podman run").expect("three commands");
    let said = run(store, before);
    assert!(said.contains("API key of an administrator"), "{said}");

    let ended = store.join("ended");
    // The end of its input tells it to stop the container.
    let script = format!(
        "podman run --rm{serve} & pid=$!; cat > /dev/null
         podman stop --all --time 20 > /dev/null
         wait $pid && status=0 || status=$?; echo $status > {ended}",
        serve = serve.trim_end(),
        ended = ended.display()
    );
    let mut container = Process::start_with_input(&mut shell(store, &script));
    let http = Http::to(&container.says("listening on "));
    assert_eq!(http.get("/readyz").status, 200);
    drop(container);
    let status = until("its exit status", || fs::read_to_string(&ended).ok());
    assert_eq!(status.trim(), "0");
}

#[test]
fn an_image_has_the_server_authorities_and_no_shell_and_is_not_root() {
    let place = TempDir::new().unwrap();
    let store = place.path();
    let listed = run(
        store,
        &format!(
            "podman load --quiet --input {image} >&2
             image=$(podman image mount checklist-server:{version})
             cd $image && find . -type f | grep -v '^./lib\\|^./usr/lib' | sort",
            image = file(".oci.tar"),
            version = super::VERSION
        ),
    );
    let files: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with("./"))
        .collect();
    let expected = [
        "./etc/group",
        "./etc/passwd",
        "./etc/ssl/certs/ca-certificates.crt",
        "./usr/bin/checklist-server",
    ];
    assert_eq!(files, expected);
    let inspected = run(
        store,
        &format!(
            "podman image inspect --format '{{{{.User}}}} {{{{.Os}}}}' checklist-server:{}",
            super::VERSION
        ),
    );
    assert_eq!(inspected.trim(), "10001:10001 linux");
}
