//! Apache before a site server: a virtual host for each way to sign in, each on a port of its own. What
//! it has proved goes on in `X-Remote-User`; one that a client sends is dropped.
//!
//! Started by `Realm`. Its log tells tests who came, and with what.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use md5::{Digest as _, Md5};
use tempfile::TempDir;

use super::kdc::Kdc;
use super::log::{FORMAT, Visit};
use super::people::{DIGEST_REALM, DOMAIN, PASSWORD, Person, REALM};
use super::unpacked::Unpacked;
use crate::process::Process;
use crate::setup::free_address;
use crate::wait::{until, until_or_none};

/// The virtual hosts, one for each way to sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VirtualHost {
    /// A password in clear, looked up in the realm.
    Basic,
    /// Digest.
    Digest,
    /// Digest whose nonces hold for a second.
    BriefDigest,
    /// Negotiate with a ticket.
    Kerberos,
    /// The same, with connections that end after a few requests.
    BriefKerberos,
    /// Negotiate with a ticket, asked for with every single request.
    KerberosEachTime,
    /// NTLM, raw or within Negotiate.
    Ntlm,
    /// The same, with connections that end after a few requests.
    BriefNtlm,
    /// Negotiate with a ticket or with NTLM in it, and raw NTLM: what Windows offers.
    Windows,
    /// Digest by name, and anybody is let in whatever they bring.
    OpenDigest,
    /// Negotiate and NTLM by name, and anybody is let in whatever they bring.
    OpenWindows,
    /// Digest for whoever brings credentials; whoever brings none is let in as nobody.
    OptionalDigest,
    /// Negotiate and NTLM likewise, which forgets by the next request who has signed in.
    OptionalWindows,
}

/// Requests per connection of the virtual hosts that close connections early.
pub const BRIEF: u32 = 7;

const MODULES: [&str; 15] = [
    "mpm_event",
    "authn_core",
    "authn_file",
    "authz_core",
    "authz_user",
    "auth_basic",
    "auth_digest",
    "socache_shmcb",
    "session",
    "auth_gssapi",
    "proxy",
    "proxy_http",
    "headers",
    "env",
    "setenvif",
];

/// The user that Apache's workers are when it is started as root.
const NOBODY: &str = "User #65534\nGroup #65534\n";

impl VirtualHost {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Basic,
        Self::Digest,
        Self::BriefDigest,
        Self::Kerberos,
        Self::BriefKerberos,
        Self::KerberosEachTime,
        Self::Ntlm,
        Self::BriefNtlm,
        Self::Windows,
        Self::OpenDigest,
        Self::OpenWindows,
        Self::OptionalDigest,
        Self::OptionalWindows,
    ];

    fn rules(self, keys: &str, digests: &str) -> String {
        let bound = if self == Self::KerberosEachTime {
            "Off"
        } else {
            "On"
        };
        let gssapi = |mechanisms: &[&str]| {
            let allowed: String = mechanisms
                .iter()
                .map(|name| format!("GssapiAllowedMech {name}\n"))
                .collect();
            format!("AuthType GSSAPI\nAuthName site\nGssapiConnectionBound {bound}\n{allowed}")
        };
        let digest = |more: &str| {
            format!(
                "AuthType Digest\nAuthName {DIGEST_REALM}\nAuthDigestProvider file\nAuthDigestQop auth\nAuthUserFile \"{digests}\"\n{more}"
            )
        };
        match self {
            Self::Basic => format!(
                "{}GssapiCredStore keytab:{keys}\nGssapiBasicAuth On\nGssapiBasicAuthMech krb5\n",
                gssapi(&["krb5"])
            ),
            Self::Digest | Self::OpenDigest | Self::OptionalDigest => digest(""),
            Self::BriefDigest => digest("AuthDigestNonceLifetime 1\n"),
            Self::Kerberos | Self::BriefKerberos | Self::KerberosEachTime => {
                format!("{}GssapiCredStore keytab:{keys}\n", gssapi(&["krb5"]))
            }
            Self::Ntlm | Self::BriefNtlm => gssapi(&["ntlmssp"]),
            // A store of its own for one mechanism takes the other's away: the keys come by the
            // environment.
            Self::Windows | Self::OpenWindows | Self::OptionalWindows => {
                gssapi(&["krb5", "ntlmssp"])
            }
        }
    }

    /// The directives that decide who gets in.
    const fn lets_in(self) -> &'static str {
        match self {
            Self::OpenDigest | Self::OpenWindows => "Require all granted\n",
            Self::OptionalDigest | Self::OptionalWindows => {
                "<If \"%{HTTP:Authorization} == ''\">\nRequire all granted\n</If>\n\
                 <Else>\nRequire valid-user\n</Else>\n"
            }
            _ => "Require valid-user\n",
        }
    }

    /// Whether callers who have not signed in may come through it.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(
            self,
            Self::OpenDigest | Self::OpenWindows | Self::OptionalDigest | Self::OptionalWindows
        )
    }

    const fn is_brief(self) -> bool {
        matches!(self, Self::BriefKerberos | Self::BriefNtlm)
    }
}

/// What lies behind the virtual hosts.
#[derive(Clone, Copy)]
pub(super) struct Sites<'a> {
    /// A site that lets in nobody whom Apache does not name.
    pub(super) closed: &'a str,
    /// One that lets in everybody.
    pub(super) open: &'a str,
}

/// A running Apache.
pub struct Apache {
    /// Behind a lock for the sake of sharing; nobody asks it anything.
    process: Mutex<Option<Process>>,
    folder: TempDir,
    addresses: Vec<(VirtualHost, String)>,
}

impl Apache {
    #[track_caller]
    pub(super) fn start(sites: Sites<'_>, kdc: &Kdc) -> Self {
        // Another process may take a port before it is bound.
        let mut said = String::new();
        for _ in 0..5 {
            let mut apache = Self {
                process: Mutex::default(),
                folder: TempDir::with_prefix("checklist-apache-").expect("a temporary directory"),
                addresses: VirtualHost::ALL
                    .map(|virtual_host| (virtual_host, free_address()))
                    .to_vec(),
            };
            if apache.listens(sites, kdc) {
                return apache;
            }
            said = fs::read_to_string(apache.path("error.log")).unwrap_or_default();
            if let Ok(Some(process)) = apache.process.into_inner() {
                said += &process.errors();
            }
        }
        panic!("Apache does not start: {said}");
    }

    #[track_caller]
    fn listens(&mut self, sites: Sites<'_>, kdc: &Kdc) -> bool {
        let unpacked = Unpacked::find();
        let write = |name: &str, text: String| {
            fs::write(self.path(name), text).expect("the test's own directory");
        };
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(self.folder.path(), readable).expect("the test's own directory");
        write("digests", people(digest));
        write("ntlm", people(ntlm));
        let ntlm = unpacked.library("gssntlmssp/gssntlmssp.so");
        write(
            "mechanisms",
            format!("gssntlmssp_v1 1.3.6.1.4.1.311.2.2.10 {}\n", ntlm.display()),
        );
        let modules = unpacked.path("usr/lib/apache2/modules");
        write("httpd.conf", self.configuration(&modules, sites, kdc));
        let mut server = unpacked.program("usr/sbin/apache2");
        server
            .arg("-DFOREGROUND")
            .arg("-f")
            .arg(self.path("httpd.conf"))
            .env("KRB5_CONFIG", kdc.configuration())
            .env("KRB5_KTNAME", format!("FILE:{}", kdc.keys().display()))
            .env("KRB5RCACHENAME", "none:")
            .env("GSS_MECH_CONFIG", self.path("mechanisms"))
            .env("NTLM_USER_FILE", self.path("ntlm"));
        self.process = Mutex::new(Some(unpacked.start(self.folder.path(), &server)));
        let all_there = || {
            let there = |address: &String| TcpStream::connect(address).is_ok();
            let all = self.addresses.iter().all(|(_, address)| there(address));
            all.then_some(())
        };
        until_or_none(all_there).is_some()
    }

    /// Where a virtual host is.
    #[must_use]
    pub fn origin(&self, virtual_host: VirtualHost) -> String {
        let found = self
            .addresses
            .iter()
            .find(|(known, _)| *known == virtual_host);
        let port = found.and_then(|(_, address)| address.rsplit(':').next());
        // By name: nobody asks for tickets of a number.
        format!("http://localhost:{}", port.unwrap_or_default())
    }

    /// What the program of that name did: all the requests that it has `sent`. Apache writes a
    /// line after its answer, so the last ones may still be on their way.
    ///
    /// # Panics
    /// When they are not written down in time.
    #[must_use]
    #[track_caller]
    pub fn visits_of(&self, agent: &str, sent: usize) -> Vec<Visit> {
        until("Apache's log", || {
            let mut visits = self.all();
            visits.retain(|visit| visit.agent == agent);
            (visits.len() >= sent).then_some(visits)
        })
    }

    /// Who has proved to be whom at a virtual host so far, once for each request that was let in.
    #[must_use]
    pub fn users_at(&self, virtual_host: VirtualHost) -> Vec<String> {
        let port = self.origin(virtual_host);
        let port = port.rsplit(':').next().and_then(|port| port.parse().ok());
        let mut visits = self.all();
        visits.retain(|visit| Some(visit.port) == port && visit.status != 401);
        visits.into_iter().filter_map(|visit| visit.user).collect()
    }

    /// What was brought by somebody of that name that only who knows a password could have made,
    /// right or wrong, at any virtual host. Apache writes a line after its answer, so one more visit is
    /// made, and waited for.
    ///
    /// # Panics
    /// When that visit is not written down in time.
    #[must_use]
    #[track_caller]
    pub fn attempts_for(&self, person: Person) -> Vec<Visit> {
        let agent = format!("look-for-{}-{}", person.name(), self.all().len());
        let address = self.origin(VirtualHost::Digest).replace("http://", "");
        let request = format!(
            "GET / HTTP/1.1\r\nHost: {address}\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n"
        );
        let mut line = TcpStream::connect(&address).expect("Apache answers");
        line.write_all(request.as_bytes()).expect("Apache reads");
        let _visit = self.visits_of(&agent, 1);
        let mut visits = self.all();
        visits.retain(|visit| visit.tried_a_password() && visit.is_of(person.name()));
        visits
    }

    /// What was brought to all virtual hosts so far, as it stood in the header.
    #[must_use]
    pub fn credentials(&self) -> Vec<String> {
        let visits = self.all().into_iter();
        visits.map(|visit| visit.credential).collect()
    }

    fn all(&self) -> Vec<Visit> {
        let text = fs::read_to_string(self.path("access.log")).unwrap_or_default();
        text.lines().filter_map(Visit::read).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configuration(&self, modules: &Path, sites: Sites<'_>, kdc: &Kdc) -> String {
        use std::fmt::Write as _;
        let file = |name: &str| self.path(name).display().to_string();
        let folder = self.folder.path().display();
        let mut text = format!(
            "ServerRoot \"{folder}\"\nServerName 127.0.0.1\nDefaultRuntimeDir \"{folder}\"\nPidFile \"{}\"\nErrorLog \"{}\"\n\
             LogLevel warn auth_gssapi:info\nLogFormat \"{FORMAT}\" visits\nKeepAlive On\nMaxKeepAliveRequests 0\n\
             StartServers 1\nServerLimit 2\nThreadsPerChild 64\nMaxRequestWorkers 128\n",
            file("pid"),
            file("error.log"),
        );
        for module in MODULES {
            let path = modules.join(format!("mod_{module}.so"));
            let _ = writeln!(text, "LoadModule {module}_module \"{}\"", path.display());
        }
        if rustix::process::geteuid().is_root() {
            text += NOBODY;
        }
        let keys = kdc.keys().display().to_string();
        for (virtual_host, address) in &self.addresses {
            let rules = virtual_host.rules(&keys, &file("digests"));
            let lets_in = virtual_host.lets_in();
            let site = if virtual_host.is_open() {
                sites.open
            } else {
                sites.closed
            };
            let brief = if virtual_host.is_brief() {
                format!("MaxKeepAliveRequests {BRIEF}\n")
            } else {
                String::new()
            };
            let _ = write!(
                text,
                "Listen {address}\n<VirtualHost {address}>\n{brief}CustomLog \"{}\" visits\n\
                 SetEnvIf Authorization \"^(.*)$\" CREDENTIAL=$1\n\
                 RequestHeader unset X-Remote-User early\nAllowEncodedSlashes NoDecode\nProxyPreserveHost On\n\
                 ProxyPass \"/\" \"{site}/\" nocanon\n\
                 <Location \"/\">\n{rules}{lets_in}\
                 RequestHeader set X-Remote-User \"expr=%{{REMOTE_USER}}\"\nRequestHeader unset Authorization\n</Location>\n</VirtualHost>\n",
                file("access.log"),
            );
        }
        text
    }
}

fn people(line: fn(Person) -> String) -> String {
    Person::ALL.map(line).concat()
}

fn digest(person: Person) -> String {
    let name = person.name();
    let hash = Md5::digest(format!("{name}:{DIGEST_REALM}:{PASSWORD}"));
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{name}:{DIGEST_REALM}:{hash}\n")
}

fn ntlm(person: Person) -> String {
    // The realm has accounts for NTLM as well, under its own name.
    let account = |domain: &str| format!("{domain}:{}:{PASSWORD}\n", person.name());
    [account(DOMAIN), account(REALM)].concat()
}
