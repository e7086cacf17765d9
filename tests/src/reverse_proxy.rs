//! A real reverse proxy before servers: nginx or Caddy, with the sample that operators get.
//!
//! Of the sample only addresses and files are replaced, so that what is tested is what is shown.
//! `cargo xtask test` unpacks the programs from Debian's packages.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustix::process::getuid;
use tempfile::TempDir;

use crate::process::Process;
use crate::server::Server;
use crate::setup::free_address;
use crate::wait::until;

/// The programs that have a sample.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// nginx.
    Nginx,
    /// Caddy.
    Caddy,
}

/// A running proxy with TLS, gone when it is dropped.
pub struct ReverseProxy {
    /// Its base URL.
    pub url: String,
    /// The certificate that it shows, PEM.
    pub certificate: String,
    // Before its folder.
    process: Process,
    _folder: TempDir,
}

impl Drop for ReverseProxy {
    /// Why a proxy has failed a request, only the proxy knows.
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the proxy's own log:\n{}", self.process.errors());
        }
    }
}

impl ReverseProxy {
    /// One before these two servers.
    ///
    /// # Panics
    /// When it is not there, or the sample does not start it.
    #[must_use]
    #[track_caller]
    pub fn start(program: Program, servers: [&Server; 2]) -> Self {
        let folder = TempDir::with_prefix("checklist-proxy-").expect("a temporary directory");
        let address = free_address();
        let port = address.rsplit(':').next().unwrap_or_default();
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let (certificate, key) = (
            folder.path().join("cert.pem"),
            folder.path().join("key.pem"),
        );
        write(&certificate, &cert.pem());
        write(&key, &signing_key.serialize_pem());
        let replaced = [
            ("10.0.0.11:8080", servers[0].address.clone()),
            ("10.0.0.12:8080", servers[1].address.clone()),
        ];
        let files = [certificate.display().to_string(), key.display().to_string()];
        let mut command = match program {
            Program::Nginx => nginx(folder.path(), port, &files, &replaced),
            Program::Caddy => caddy(folder.path(), port, &files, &replaced),
        };
        let process = Process::start(&mut command);
        until("the proxy to listen", || {
            TcpStream::connect(&address).ok().map(drop)
        });
        Self {
            url: format!("https://localhost:{port}"),
            certificate: cert.pem(),
            process,
            _folder: folder,
        }
    }
}

/// The sample with these parts replaced.
///
/// # Panics
/// When one of them is not in it.
#[track_caller]
fn sample(name: &str, replaced: &[(&str, String)]) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../backend/service", name]
        .iter()
        .collect();
    let mut text = fs::read_to_string(&path).expect("a sample");
    for (part, by) in replaced {
        assert!(text.contains(part), "{name} has no {part}");
        text = text.replace(part, by);
    }
    text
}

#[track_caller]
fn nginx(folder: &Path, port: &str, files: &[String; 2], servers: &[(&str, String)]) -> Command {
    let here = folder.display();
    let own = [
        ("listen 443 ", format!("listen 127.0.0.1:{port} ")),
        (
            "server_name checks.example.org",
            "server_name localhost".to_owned(),
        ),
        ("/etc/ssl/checks.example.org.pem", files[0].clone()),
        ("/etc/ssl/private/checks.example.org.key", files[1].clone()),
    ];
    let replaced: Vec<_> = servers.iter().cloned().chain(own).collect();
    write(
        &folder.join("sample.conf"),
        &sample("nginx.conf", &replaced),
    );
    // Its own user is nobody, who may not read the folder of the tests.
    let user = if getuid().is_root() { "user root;" } else { "" };
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {here}/{kind};\n"))
        .concat();
    let whole = format!(
        "daemon off; pid {here}/pid; {user} error_log stderr warn; worker_processes 2;\n\
         events {{}}\nhttp {{\n{temporary} access_log off;\ninclude {here}/sample.conf;\n}}\n"
    );
    write(&folder.join("nginx.conf"), &whole);
    let mut command = program_of("usr/sbin/nginx");
    command
        .arg("-p")
        .arg(folder)
        .arg("-c")
        .arg(folder.join("nginx.conf"));
    command
}

#[track_caller]
fn caddy(folder: &Path, port: &str, files: &[String; 2], servers: &[(&str, String)]) -> Command {
    let own = [(
        "\nchecks.example.org {\n",
        format!(
            "\nhttps://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {} {}\n",
            files[0], files[1]
        ),
    )];
    let replaced: Vec<_> = servers.iter().cloned().chain(own).collect();
    let global = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
    let text = sample("Caddyfile", &replaced);
    write(&folder.join("Caddyfile"), &format!("{global}{text}"));
    let mut command = program_of("usr/bin/caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]);
    command.arg(folder.join("Caddyfile"));
    command
        .env("XDG_DATA_HOME", folder)
        .env("XDG_CONFIG_HOME", folder);
    command
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the test's own directory");
}

#[track_caller]
fn program_of(path: &str) -> Command {
    crate::debian::program("CHECKLIST_REVERSE_PROXIES", "reverse-proxies", path)
}
