//! `checklist-site-server`: the local site server as a program.
//!
//! Started by `cargo xtask site-server`, and by people who want to look at what was exported.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use checklist_site_server::{Options, SiteServer};
use clap::Parser;

/// A local site server: lists over SharePoint REST and Microsoft Graph.
#[derive(Parser)]
#[command(
    name = "checklist-site-server",
    version,
    after_help = "Examples:\n  \
    checklist-site-server\n  \
    checklist-site-server --tls --data site.json\n  \
    checklist-site-server --check-tokens http://127.0.0.1:9000"
)]
struct CommandLine {
    /// Address and port without TLS.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8090")]
    listen: SocketAddr,
    /// Listen with TLS too; Graph's own client insists on it.
    #[arg(long)]
    tls: bool,
    /// Address and port with TLS.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8443")]
    tls_listen: SocketAddr,
    /// Where the certificate of the test authority is written.
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Keep the site in this file; without it everything is in memory.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Take only bearer tokens of this issuer; without it anybody's are taken.
    #[arg(long, value_name = "ISSUER")]
    check_tokens: Option<String>,
    /// What those tokens must be issued for.
    #[arg(long, value_name = "AUDIENCE", requires = "check_tokens")]
    audience: Option<String>,
    /// Refuse requests that nobody has signed in for.
    #[arg(long)]
    require_sign_in: bool,
    /// Believe a proxy on this machine who has signed in with it.
    #[arg(long, value_name = "HEADER", num_args = 0..=1, default_missing_value = "X-Remote-User")]
    trust_remote_user: Option<String>,
    /// The zone of dates without a time.
    #[arg(long, value_name = "ZONE", default_value = "America/Los_Angeles")]
    time_zone: String,
    /// How many seconds a form digest holds.
    #[arg(long, value_name = "SECONDS", default_value_t = 1_800)]
    digest_seconds: i64,
    /// Beyond how many rows a query needs an index.
    #[arg(long, value_name = "ROWS", default_value_t = 5_000)]
    threshold: usize,
    /// Write ETags with the item's id, as today's lists do.
    #[arg(long)]
    guid_etags: bool,
    /// End with the process that has started this one.
    #[arg(long, hide = true)]
    end_with_parent: bool,
}

impl CommandLine {
    fn options(self) -> Options {
        let usual_ca = || checklist_site_server::tls::usual_ca_file(self.tls_listen.port());
        Options {
            listen: self.listen,
            ca_file: self
                .tls
                .then(|| self.ca_file.clone().unwrap_or_else(usual_ca)),
            tls: self.tls.then_some(self.tls_listen),
            data: self.data,
            check_tokens: self.check_tokens,
            audience: self.audience,
            remote_user_header: self.trust_remote_user.map(|name| name.to_ascii_lowercase()),
            sign_in_required: self.require_sign_in,
            zone: self.time_zone,
            digest_seconds: self.digest_seconds,
            threshold: self.threshold,
            guid_etags: self.guid_etags,
            ..Options::default()
        }
    }
}

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    if command_line.end_with_parent {
        end_with_parent();
    }
    let options = command_line.options();
    if let Err(error) = jiff::tz::TimeZone::get(&options.zone) {
        eprintln!("error: {error}\nhint: name a zone like America/Los_Angeles or UTC");
        return ExitCode::from(2);
    }
    let wanted = options.listen;
    match SiteServer::start(options) {
        Ok(server) => {
            println!("listening on {}", server.origin());
            println!("the site is {}", server.site_url());
            if let (Some(origin), Some(file)) = (server.tls_origin(), server.ca_file()) {
                println!("with TLS on {origin}, signed by {}", file.display());
                println!("Graph is {origin}/v1.0");
            }
            server.wait();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: the server cannot start on {wanted}: {error}");
            eprintln!("hint: name another address with --listen, or another file with --data");
            ExitCode::FAILURE
        }
    }
}

/// Ends this process as soon as its parent has ended.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "a site beside a demo is in memory: there is nothing to write down"
)]
fn end_with_parent() {
    use std::os::unix::process::parent_id;

    let parent = parent_id();
    std::thread::spawn(move || {
        while parent_id() == parent {
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        std::process::exit(0);
    });
}

#[cfg(not(unix))]
fn end_with_parent() {}
