//! The Debian package, installed, configured, upgraded, removed and purged by the real dpkg. The root
//! that this happens in is this machine's, with a layer above it that keeps every change and is
//! gone with the test (overlayfs in a namespace of its own).

use std::fs;
use std::process::Command;

use checklist_tests::client::Http;
use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::without_settings;
use tempfile::TempDir;

use super::{commands, file, folder};

/// What the documents say without being root, and without systemd.
const WORDS: &str = r#"
sudo() { if [ "$1" = -u ]; then user=$2; shift 2; runuser -u "$user" -- "$@"; else "$@"; fi; }
apt() { shift; dpkg --install "$@"; }
systemctl() { :; }
"#;
const SETTINGS: &str = "/etc/checklist/checklist.env";

const DOCUMENTS: &str = "/usr/share/doc/checklist-server";

/// A root whose changes nobody else sees.
struct Root {
    /// Holds the namespace, and ends with the test.
    holder: Process,
    folder: TempDir,
}

impl Root {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let place = folder.path().display();
        let script = format!(
            "mount -t tmpfs none {place} && cd {place} && mkdir upper work root
             mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work overlay root
             mount -t proc proc root/proc && mount --rbind /dev root/dev
             mkdir root/release && mount --bind {release} root/release
             # As on a machine that has never had it.
             rm -rf root/etc/checklist root/var/lib/checklist
             echo ready && cat > end",
            release = folder_of_release()
        );
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "--propagation=private", "sh", "-euc", &script]);
        let mut holder = Process::start_with_input(&mut unshare);
        holder.says("ready");
        Self { holder, folder }
    }

    /// A shell in the root.
    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("nsenter");
        without_settings(&mut command);
        command
            .arg(format!("--mount=/proc/{}/ns/mnt", self.holder.id()))
            .args([
                "chroot".as_ref(),
                self.folder.path().join("root").as_os_str(),
            ])
            .args(["/bin/sh", "-euc", &format!("{WORDS}{script}")])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("HOME", "/root");
        command
    }

    /// Runs commands there; what they have said.
    #[track_caller]
    fn run(&self, script: &str) -> String {
        let Ended { status, said } = Process::start(&mut self.shell(script)).ended();
        assert!(status.success(), "{script}\n{said}");
        said
    }

    #[track_caller]
    fn has(&self, path: &str) -> bool {
        self.run(&format!("test -e {path} && echo yes || echo no"))
            .trim()
            == "yes"
    }
}

fn folder_of_release() -> String {
    folder().display().to_string()
}

/// The same package as a later version, with another line in its configuration.
fn later(root: &Root) {
    root.run(&format!(
        "cd /tmp && dpkg-deb --raw-extract /release/{package} later
         sed -i 's/^Version: .*/Version: 99.0-1/' later/DEBIAN/control
         echo '# A later line.' >> later{SETTINGS}
         dpkg-deb -Zgzip -z1 --build later later.deb",
        package = file(".deb")
    ));
}

#[test]
fn the_package_is_installed_configured_upgraded_removed_and_purged() {
    let root = Root::new();
    let page = commands("docs/OPERATION.md", "### Debian and Ubuntu");
    assert!(page.contains(&file(".deb")), "{page}");
    let said = root.run(&format!("cd /release\n{page}"));
    assert!(said.contains("admin-link"), "{said}");

    // What was installed is what was packed, and belongs to whom it should.
    assert_eq!(root.run("dpkg --verify checklist-server").trim(), {
        // `init` has filled in the configuration.
        format!("??5?????? c {SETTINGS}")
    });
    let owners = format!(
        "stat -c '%U %a' /etc/checklist {SETTINGS} /etc/checklist/vault.key /var/lib/checklist"
    );
    assert_eq!(
        root.run(&owners).lines().collect::<Vec<_>>(),
        [
            "checklist 750",
            "checklist 600",
            "checklist 600",
            "checklist 700"
        ]
    );
    let enabled = "/etc/systemd/system/multi-user.target.wants/checklist-server.service";
    root.run(&format!("test -L {enabled}"));
    root.run("zcat /usr/share/man/man8/checklist-server.8.gz | grep -q 'serve'");

    // The service's own command, with the service's own settings.
    let serve = format!(
        "set -a; . {SETTINGS}; set +a
         exec runuser -u checklist -- checklist-server serve --listen 127.0.0.1:0 --metrics-listen 127.0.0.1:0"
    );
    let mut server = Process::start(&mut root.shell(&serve));
    let http = Http::to(&server.says("listening on "));
    assert_eq!(http.get("/readyz").status, 200);
    drop(server);

    let settings = root.run(&format!("cat {SETTINGS}"));
    later(&root);
    root.run("dpkg --force-confdef --force-confold --install /tmp/later.deb");
    assert_eq!(
        root.run("dpkg-query --show --showformat '${Version}' checklist-server")
            .trim(),
        "99.0-1"
    );
    assert_eq!(root.run(&format!("cat {SETTINGS}")), settings);
    assert_eq!(root.run(&owners).lines().next_back(), Some("checklist 700"));

    root.run("dpkg --remove checklist-server");
    assert!(!root.has("/usr/bin/checklist-server"));
    for kept in [
        SETTINGS,
        "/etc/checklist/vault.key",
        "/var/lib/checklist/checklist.sqlite3",
    ] {
        assert!(root.has(kept), "{kept}");
    }
    root.run("dpkg --purge checklist-server");
    for gone in ["/etc/checklist", "/var/lib/checklist"] {
        assert!(!root.has(gone), "{gone}");
    }
    assert_eq!(
        root.run("find /etc/systemd /var/lib/systemd -name 'checklist-server*'"),
        ""
    );
    // Its number must not become another user's, who could read a backup then.
    root.run("id checklist");
}

#[test]
fn nothing_of_the_package_is_left_on_this_machine() {
    let root = Root::new();
    root.run(&format!("dpkg --install /release/{}", file(".deb")));
    assert!(root.has("/usr/share/doc/checklist-server/README.Debian"));
    assert!(!fs::exists("/usr/share/doc/checklist-server/README.Debian").unwrap());
}

#[test]
fn the_package_has_the_samples_and_every_document_that_its_documents_lead_to() {
    let root = Root::new();
    root.run(&format!("dpkg --install /release/{}", file(".deb")));
    for document in [
        "checklist-replicate.service",
        "nginx.conf",
        "Caddyfile",
        "monitoring/alerts.yml",
        "monitoring/dashboard.json",
        "LICENSE-MIT",
        "changelog.gz",
    ] {
        assert!(
            root.has(&format!("{DOCUMENTS}/{document}")),
            "{document} is missing"
        );
    }
    let page = root.run(&format!("cat {DOCUMENTS}/docs/OPERATION.md"));
    let links = page.split("](").skip(1);
    let links = links.filter_map(|link| link.split([')', '#']).next());
    let mut followed = 0;
    for link in links.filter(|link| !link.is_empty() && !link.contains(':')) {
        assert!(root.has(&format!("{DOCUMENTS}/docs/{link}")), "{link}");
        followed += 1;
    }
    assert!(followed > 5, "{followed}");
}

#[test]
fn settings_of_an_administrator_are_not_filled_in_by_init() {
    let root = Root::new();
    root.run(&format!("dpkg --install /release/{}", file(".deb")));
    root.run(&format!("echo CHECKLIST_LISTEN=127.0.0.1:9 >> {SETTINGS}"));
    let before = root.run(&format!("cat {SETTINGS}"));
    let init = format!(
        "runuser -u checklist -- checklist-server init --tenant acme \
         --data-dir /var/lib/checklist --config {SETTINGS}"
    );
    let refused = Process::start(&mut root.shell(&init)).ended();
    assert!(!refused.status.success(), "{}", refused.said);
    assert!(refused.said.contains("already exists"), "{}", refused.said);
    assert_eq!(root.run(&format!("cat {SETTINGS}")), before);
}
