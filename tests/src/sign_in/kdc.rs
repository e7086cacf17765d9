//! A Kerberos realm of its own: MIT's key distribution centre with a fresh database, in which
//! everybody has to prove the password before there is a ticket.
//!
//! Started by `Realm`; counts what was tried with whose password.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use tempfile::TempDir;

use super::people::{PASSWORD, Person, REALM};
use super::unpacked::{Unpacked, run};
use crate::process::Process;
use crate::setup::free_address;
use crate::wait::until_or_none;

/// What the site is called in the realm.
const SERVICE: &str = "HTTP/localhost";

/// What the server under test is called in the realm.
pub const SERVER: &str = "checklists";

/// So many wrong passwords lock an account.
const LOCKED_AFTER: u32 = 3;

/// A realm.
pub struct Kdc {
    /// Behind a lock for the sake of sharing; nobody asks it anything.
    process: Mutex<Option<Process>>,
    folder: TempDir,
    address: String,
    unpacked: Unpacked,
}

impl Kdc {
    #[track_caller]
    pub(super) fn start() -> Self {
        // Another process may take the port before it is bound.
        for _ in 0..5 {
            let mut kdc = Self::made();
            if kdc.listens() {
                return kdc;
            }
        }
        panic!("the key distribution centre does not start");
    }

    #[track_caller]
    fn made() -> Self {
        let kdc = Self {
            process: Mutex::default(),
            folder: TempDir::with_prefix("checklist-realm-").expect("a temporary directory"),
            address: free_address(),
            unpacked: Unpacked::find(),
        };
        // Apache, which may run as somebody else, reads the configuration and its keys.
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(kdc.path(""), readable).expect("the test's own directory");
        fs::write(kdc.configuration(), kdc.krb5_conf()).expect("the test's own directory");
        fs::write(kdc.path("kdc.conf"), kdc.kdc_conf()).expect("the test's own directory");
        let mut make = kdc.program("usr/sbin/kdb5_util");
        run(make.args(["-P", "only for tests", "create", "-s", "-r", REALM]));
        let mut queries = vec![format!("addpol -maxfailure {LOCKED_AFTER} people")];
        for person in Person::ALL {
            let life = if person == Person::Hasty {
                "-maxlife 3s"
            } else {
                ""
            };
            let name = person.name();
            queries.push(format!(
                "addprinc {life} -policy people +requires_preauth -pw \"{PASSWORD}\" {name}"
            ));
        }
        for (name, keys) in [(SERVER, kdc.keys_of_server()), (SERVICE, kdc.keys())] {
            queries.push(format!("addprinc -randkey {name}"));
            queries.push(format!("ktadd -k {} {name}", keys.display()));
        }
        kdc.admin_all(&queries);
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        fs::set_permissions(kdc.keys(), readable).expect("the test's own file");
        kdc
    }

    fn listens(&mut self) -> bool {
        let mut server = self.program("usr/sbin/krb5kdc");
        server.arg("-n");
        self.process = Mutex::new(Some(self.unpacked.start(self.folder.path(), &server)));
        let there = || {
            let ready = self.log().contains("commencing operation");
            (ready && TcpStream::connect(&self.address).is_ok()).then_some(())
        };
        until_or_none(there).is_some()
    }

    /// Where it is asked, as the client is told.
    #[must_use]
    pub fn url(&self) -> String {
        format!("tcp://{}", self.address)
    }

    /// Wrong passwords that were tried for a person: counted by the server, which locks the
    /// account after three.
    #[must_use]
    #[track_caller]
    pub fn failed_attempts(&self, person: Person) -> u32 {
        let shown = self.admin(&format!("getprinc {}", person.name()));
        let count = shown
            .lines()
            .find_map(|line| line.strip_prefix("Failed password attempts: "));
        count
            .and_then(|count| count.trim().parse().ok())
            .unwrap_or_else(|| panic!("no count of attempts in {shown}"))
    }

    /// Gives a person another password.
    #[track_caller]
    pub fn change_password(&self, person: Person, password: &str) {
        self.admin(&format!("cpw -pw \"{password}\" {}", person.name()));
    }

    /// How many tickets of a person were asked for with a proof of the password.
    #[must_use]
    pub fn tickets_of(&self, person: Person) -> usize {
        let client = format!(" {}@{REALM} for krbtgt/", person.name());
        let log = self.log();
        let lines = log.lines();
        lines
            .filter(|line| line.contains("AS_REQ") && line.contains(": ISSUE:"))
            .filter(|line| line.contains(&client))
            .count()
    }

    /// The keytab of the server under test.
    #[must_use]
    pub fn keys_of_server(&self) -> PathBuf {
        self.path("server.keytab")
    }

    /// A ticket cache of that name with the server's ticket in it, as `kinit` leaves one.
    #[must_use]
    #[track_caller]
    pub fn tickets_of_server(&self, name: &str) -> PathBuf {
        let cache = self.path(name);
        let keys = self.keys_of_server();
        run(self
            .program("usr/bin/kinit")
            .args(["-k", "-t"])
            .arg(&keys)
            .arg("-c")
            .arg(&cache)
            .arg(SERVER));
        cache
    }

    /// What a program needs in its environment to find the realm, and its library.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, String); 2] {
        [
            ("KRB5_CONFIG", shown(&self.configuration())),
            ("LD_LIBRARY_PATH", self.unpacked.libraries()),
        ]
    }

    pub(super) fn keys(&self) -> PathBuf {
        self.path("http.keytab")
    }

    pub(super) fn configuration(&self) -> PathBuf {
        self.path("krb5.conf")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("kdc.log")).unwrap_or_default()
    }

    #[track_caller]
    fn admin(&self, query: &str) -> String {
        run(self
            .program("usr/sbin/kadmin.local")
            .args(["-r", REALM, "-q", query]))
    }

    /// All in one program: starting it takes longer than any of them, and each test has a realm.
    #[track_caller]
    fn admin_all(&self, queries: &[String]) {
        let script = self.path("queries");
        fs::write(&script, queries.join("\n") + "\n").expect("the test's own directory");
        let mut program = self.program("usr/sbin/kadmin.local");
        let script = fs::File::open(script).expect("the test's own file");
        run(program.args(["-r", REALM]).stdin(script));
    }

    fn program(&self, path: &str) -> Command {
        let mut command = self.unpacked.program(path);
        command
            .env("KRB5_CONFIG", self.configuration())
            .env("KRB5_KDC_PROFILE", self.path("kdc.conf"))
            .env("LC_ALL", "C.UTF-8");
        command
    }

    fn krb5_conf(&self) -> String {
        format!(
            "[libdefaults]\n default_realm = {REALM}\n dns_lookup_kdc = false\n dns_lookup_realm = false\n \
             dns_canonicalize_hostname = false\n rdns = false\n udp_preference_limit = 1\n\
             [realms]\n {REALM} = {{\n  kdc = {}\n }}\n\
             [domain_realm]\n localhost = {REALM}\n",
            self.address
        )
    }

    fn kdc_conf(&self) -> String {
        let file = |name: &str| shown(&self.path(name));
        let plugins = shown(&self.unpacked.library("krb5/plugins/kdb"));
        format!(
            "[kdcdefaults]\n kdc_listen = {address}\n kdc_tcp_listen = {address}\n\
             [realms]\n {REALM} = {{\n  database_name = {database}\n  key_stash_file = {stash}\n  \
             acl_file = {acl}\n  supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal\n  \
             database_module = files\n }}\n\
             [dbmodules]\n db_module_dir = {plugins}\n files = {{\n  db_library = db2\n }}\n\
             [logging]\n kdc = FILE:{log}\n",
            address = self.address,
            database = file("principal"),
            stash = file("stash"),
            acl = file("kadm5.acl"),
            log = file("kdc.log"),
        )
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
