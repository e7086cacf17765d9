//! The options of `checklist-server serve`, each with its environment variable, and the settings that
//! come of them.

use std::time::Duration;

use checklist_auth::ceiling::Ceiling;
use checklist_auth::rates::Rates;
use checklist_auth::session;
use checklist_live::STREAMS;
use checklist_services::app::HANDLE_SECONDS;
use checklist_services::base_url::BaseUrl;
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::TokenContext;
use checklist_store::list_cache::LIST_MEMORY;
use clap::Args;
use clap::builder::FalseyValueParser;
use ipnet::IpNet;

use super::access::{context, embedded_permission};
use super::data_options::DataOptions;
use super::log::LogFormat;
use super::outbound_options::{OutboundOptions, RunRetryOptions};
use super::retention_options::RetentionOptions;
use crate::config::listen::Listen;
use crate::config::{
    Exit, ForwardedBy, Proxies, Settings, StartupError, Synchronous, keys, oidc, proxies,
};

/// The most items that a list can be configured to hold.
const MOST_ITEMS: usize = 10_000;

#[derive(Debug, Args)]
pub(super) struct ServeOptions {
    /// Try the product: loopback only, example data, tokens for everybody on this machine.
    #[arg(long, env = "CHECKLIST_DEMO", value_parser = FalseyValueParser::new())]
    demo: bool,
    /// The address of a site that the demo gets a service connection to; its origin has to be
    /// allowed with --allow-origin.
    #[arg(long, value_name = "URL", requires = "demo")]
    demo_site: Option<String>,
    /// The origin of a page of your own that the demo gives tokens to, such as
    /// http://127.0.0.1:8082, which stands for http://localhost:8082 too. May be given several times.
    #[arg(
        long,
        value_name = "ORIGIN",
        env = "CHECKLIST_ALLOW_PAGE",
        value_delimiter = ','
    )]
    allow_page: Vec<String>,
    /// Where to listen: address and port. Port 0 takes a free one.
    #[arg(
        long,
        value_name = "ADDR",
        env = "CHECKLIST_LISTEN",
        default_value = "127.0.0.1:8080"
    )]
    listen: Listen,
    /// Where figures are asked for (Prometheus, at /metrics): address and port, apart from the
    /// others. Without it nobody sees any.
    #[arg(long, value_name = "ADDR", env = "CHECKLIST_METRICS_LISTEN")]
    metrics_listen: Option<Listen>,
    #[command(flatten)]
    data: DataOptions,
    /// Where browsers reach the server, with a path if it has one; tokens name it as their
    /// audience. Without it: where the server listens.
    #[arg(long, value_name = "URL", env = "CHECKLIST_BASE_URL")]
    base_url: Option<BaseUrl>,
    /// A public key of a host platform (PEM, JWK or JWK set; Ed25519 or P-256), as FILE or
    /// KID=FILE. Without KID a PEM key is named by its file. May be given several times.
    #[arg(
        long,
        value_name = "[KID=]FILE",
        env = "CHECKLIST_EMBED_KEY",
        value_delimiter = ','
    )]
    embed_key: Vec<String>,
    /// The tenant that the keys may sign for: once for all keys, or once for each in the same
    /// order. Without it a key may sign for any tenant.
    #[arg(
        long,
        value_name = "NAME",
        env = "CHECKLIST_TENANT",
        value_delimiter = ','
    )]
    tenant: Vec<String>,
    /// The most that tokens of these keys may allow, whatever they claim: Read, Check,
    /// UncheckOthers, Edit, Add, Delete, Reorder, Refresh, Lock, DeleteRequired, Waive, Audit,
    /// Templates, Sites. Without it the work on lists, Read to Waive. Administration is never among them.
    #[arg(long, value_name = "NAME", env = "CHECKLIST_EMBED_PERMISSIONS", value_delimiter = ',',
          value_parser = embedded_permission)]
    embed_permission: Vec<Permission>,

    /// The only lists that tokens of these keys may open, whatever they claim, as TYPE/ID/PURPOSE,
    /// or TYPE/ID/PURPOSE/TEMPLATE with the only template that they may be begun with; a star stands
    /// for anything. Without it every list.
    #[arg(long, value_name = "LISTS", env = "CHECKLIST_EMBED_CONTEXTS", value_delimiter = ',',
          value_parser = context)]
    embed_context: Vec<TokenContext>,

    #[command(flatten)]
    oidc: oidc::OidcOptions,
    #[command(flatten)]
    reach: OutboundOptions,
    /// Requests a second for each API key and each person who has signed in; 0 for any number.
    #[arg(long, value_name = "N", env = "CHECKLIST_RATE_LIMIT", default_value_t = Rates::default().requests)]
    rate_limit: u32,
    /// Requests a second for each person with embed tokens; 0 for any number.
    #[arg(long, value_name = "N", env = "CHECKLIST_EMBED_RATE_LIMIT", default_value_t = Rates::default().embed_requests)]
    embed_rate_limit: u32,
    /// Failed sign-ins a minute for each address; 0 for any number.
    #[arg(long, value_name = "N", env = "CHECKLIST_FAILED_SIGN_INS", default_value_t = Rates::default().failures)]
    failed_sign_ins: u32,
    /// A proxy that stands before the server, by address or network. What it says of whom it asks
    /// for is believed when failed sign-ins are counted by address. May be given several times.
    #[arg(long, value_name = "CIDR", env = "CHECKLIST_TRUSTED_PROXY", value_delimiter = ',',
          value_parser = proxies::network)]
    trusted_proxy: Vec<IpNet>,
    /// The header in which the trusted proxies write whom they ask for: x-forwarded-for, unless
    /// this says otherwise. Only what they write themselves is believed, so it has to be the one
    /// that they set or add to.
    #[arg(long, value_name = "NAME", env = "CHECKLIST_FORWARDED_HEADER")]
    forwarded_header: Option<ForwardedBy>,
    /// How many live streams there may be at once; later ones are asked to come back.
    #[arg(long, value_name = "N", env = "CHECKLIST_MAX_STREAMS", default_value_t = STREAMS,
          value_parser = between::<1, MOST_STREAMS>)]
    max_streams: usize,
    /// How many MiB the lists in use take in memory at most: 1 to 65,536. Any other is read from the
    /// database when it is asked for.
    #[arg(long, value_name = "MIB", env = "CHECKLIST_LIST_MEMORY", default_value_t = LIST_MEMORY / MIB,
          value_parser = between::<1, MOST_LIST_MEMORY>)]
    list_memory: usize,
    /// How many connections there may be at once; without it as many as the system lets the server
    /// open files, less what it needs itself. At the limit the connection that has waited longest
    /// for a request makes room.
    #[arg(long, value_name = "N", env = "CHECKLIST_MAX_CONNECTIONS", value_parser = between::<2, MOST_CONNECTIONS>)]
    max_connections: Option<usize>,

    /// How many seconds the head of a request may take: 1 to 600.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_HEADER_TIMEOUT", default_value_t = 15,
          value_parser = clap::value_parser!(u64).range(1..=600))]
    header_timeout: u64,

    /// How many seconds a connection may wait for its next request: 1 to 3600. Longer than a proxy
    /// before the server keeps its connections, so that the proxy ends them first.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_IDLE_TIMEOUT", default_value_t = 75,
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    idle_timeout: u64,

    /// How many seconds a reader may take nothing of what is sent before the connection ends: 1 to
    /// 600.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_WRITE_TIMEOUT", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=600))]
    write_timeout: u64,
    /// How many seconds the server still answers after SIGTERM while /readyz says 503, so that a load
    /// balancer sends nothing more before connections are refused: 0 to 300. Ctrl+C, a second signal
    /// and the demo do not wait.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_DRAIN_SECONDS", default_value_t = 5,
          value_parser = clap::value_parser!(u64).range(..=300))]
    drain_seconds: u64,
    /// How long a session of the built-in pages lasts, in minutes: 5 to 1440.
    #[arg(long, value_name = "N", env = "CHECKLIST_SESSION_MINUTES", default_value_t = session::USUAL / 60,
          value_parser = clap::value_parser!(i64).range(5..=1440))]
    session_minutes: i64,
    /// How many seconds the handle that EstablishSiteConnection gives holds: 1 to 86400.
    #[arg(long, value_name = "SECONDS", env = "CHECKLIST_HANDLE_SECONDS", default_value_t = HANDLE_SECONDS,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    handle_seconds: u32,
    #[command(flatten)]
    run_retries: RunRetryOptions,
    #[command(flatten)]
    retention: RetentionOptions,
    /// Each read of the audit trail is a row in it too; exports as a file always are.
    #[arg(long, env = "CHECKLIST_AUDIT_READS", value_parser = FalseyValueParser::new())]
    audit_reads: bool,
    /// Whether an acknowledged write is on the disk.
    #[arg(
        long,
        value_name = "MODE",
        env = "CHECKLIST_SYNCHRONOUS",
        default_value = "full"
    )]
    synchronous: Synchronous,
    /// How many items a list may hold, at most 10000.
    #[arg(long, value_name = "N", env = "CHECKLIST_MAX_ITEMS", default_value_t = Limits::default().items,
          value_parser = between::<1, MOST_ITEMS>)]
    max_items: usize,
    /// What to log on stderr: a level, or levels by module as `tracing` reads them.
    #[arg(
        long,
        value_name = "FILTER",
        env = "CHECKLIST_LOG",
        default_value = "info"
    )]
    pub(super) log: String,
    /// How lines of the log are written: for people, or one JSON object a line for programs.
    #[arg(
        long,
        value_name = "FORM",
        env = "CHECKLIST_LOG_FORMAT",
        default_value = "text"
    )]
    pub(super) log_format: LogFormat,
}

/// More ports than that has no address.
const MOST_CONNECTIONS: usize = 65_536;
/// More would not fit in the memory of most machines.
const MOST_STREAMS: usize = 65_536;
const MIB: usize = 1024 * 1024;
/// In MiB.
const MOST_LIST_MEMORY: usize = 65_536;

/// Reads a number from `LEAST` to `MOST`: clap has ranges for numbers of a fixed size alone.
fn between<const LEAST: usize, const MOST: usize>(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("a number from {LEAST} to {MOST} is needed"))
}

impl ServeOptions {
    /// The most that tokens of the configured keys may allow.
    fn ceiling(&self) -> Ceiling {
        let permissions = self.embed_permission.iter().copied();
        let contexts = self.embed_context.clone();
        Ceiling::of(
            (!self.embed_permission.is_empty()).then(|| permissions.collect()),
            (!contexts.is_empty()).then_some(contexts),
        )
    }

    /// What the server is started with.
    ///
    /// # Errors
    /// The first thing that does not fit together, or cannot be read.
    pub(super) fn settings(&self) -> Result<Settings, StartupError> {
        let mut problems = Vec::new();
        let settings = self.read(&mut problems);
        match (problems.into_iter().next(), settings) {
            (None, Some(settings)) => Ok(settings),
            (Some(problem), _) => Err(problem),
            (None, None) => Err(StartupError::new(
                Exit::Failed,
                "The settings cannot be read.",
                "This is a fault of the server.",
            )),
        }
    }

    /// The same; adds everything that does not fit together or cannot be read to `problems`.
    /// Without settings there is at least one.
    pub(super) fn read(&self, problems: &mut Vec<StartupError>) -> Option<Settings> {
        fn keep<T>(read: Result<T, StartupError>, problems: &mut Vec<StartupError>) -> Option<T> {
            read.map_err(|problem| problems.push(problem)).ok()
        }
        let database = keep(self.data.database(), problems);
        let keys = keep(
            keys::read(&self.embed_key, &self.tenant, &self.ceiling()),
            problems,
        );
        let oidc = keep(oidc::read(self.oidc.clone()), problems);
        let private_ranges = keep(self.reach.private_ranges(), problems);
        let own_identity = keep(self.reach.own_identity(), problems);
        let vault = keep(self.reach.vault(), problems);
        let proxies = keep(
            Proxies::new(self.trusted_proxy.clone(), self.forwarded_header),
            problems,
        );
        let settings = Settings {
            demo: self.demo,
            demo_site: self.demo_site.clone(),
            // With the slash that an address bar copies along.
            demo_pages: self
                .allow_page
                .iter()
                .map(|page| page.strip_suffix('/').unwrap_or(page).to_owned())
                .collect(),
            listen: self.listen,
            metrics_listen: self.metrics_listen,
            base_url: self.base_url.clone(),
            database: database?,
            keys: keys?,
            oidc: oidc?,
            allowed_origins: self.reach.allow_origin.clone(),
            private_ranges: private_ranges?,
            own_identity: own_identity?,
            vault: vault?,
            rates: Rates {
                requests: self.rate_limit,
                embed_requests: self.embed_rate_limit,
                failures: self.failed_sign_ins,
            },
            proxies: proxies?,
            streams: self.max_streams,
            list_memory: self.list_memory * MIB,
            max_connections: self.max_connections,
            head_timeout: Duration::from_secs(self.header_timeout),
            idle_timeout: Duration::from_secs(self.idle_timeout),
            write_timeout: Duration::from_secs(self.write_timeout),
            drain: Duration::from_secs(if self.demo { 0 } else { self.drain_seconds }),
            session_seconds: self.session_minutes * 60,
            handle_seconds: self.handle_seconds,
            run_retries: self.run_retries.policy(),
            retention: self.retention.retention(),
            audit_reads: self.audit_reads,
            synchronous: self.synchronous,
            limits: Limits {
                items: self.max_items,
                ..Limits::default()
            },
        };
        problems.extend(settings.problems());
        Some(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_store::database::Database;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn serve(arguments: &[&str]) -> Result<ServeOptions, clap::Error> {
        let line = Line::try_parse_from(["serve"].iter().chain(arguments))?;
        Ok(line.options)
    }

    #[test]
    fn the_defaults_are_those_of_the_readme() {
        let options = serve(&["--demo"]).expect("options");
        assert_eq!(options.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(options.max_items, 200);
        assert_eq!(options.synchronous, Synchronous::Full);
        assert!(options.settings().is_ok());
    }

    #[test]
    fn values_outside_their_range_are_refused_by_the_parser() {
        for bad in [
            ["--max-items", "0"],
            ["--max-items", "10001"],
            ["--listen", "everywhere"],
            ["--base-url", "checks.example.org"],
            ["--synchronous", "off"],
            ["--max-streams", "0"],
            ["--list-memory", "0"],
            ["--write-timeout", "0"],
            ["--header-timeout", "0"],
            ["--idle-timeout", "3601"],
            ["--max-connections", "1"],
            ["--drain-seconds", "301"],
            ["--keep-deleted-days", "0"],
            ["--keep-deliveries-days", "3"],
            ["--embed-permission", "Admin"],
            ["--embed-context", "incident"],
            ["--run-give-up-after", "2592001"],
            ["--run-longest-pause", "0"],
            ["--trusted-proxy", "0.0.0.0/0"],
            ["--forwarded-header", "x-real-ip"],
        ] {
            assert!(serve(&bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_database_url_is_one_of_postgres() {
        let options = serve(&["--database-url", "postgres://db/x"]).expect("options");
        assert!(matches!(options.data.database(), Ok(Database::Shared(_))));
        let options = serve(&["--database-url", "mysql://me:secret@db/x"]).expect("options");
        let refusal = options.data.database().expect_err("a refusal");
        assert_eq!(refusal.exit, Exit::Configuration);
        assert!(!refusal.to_string().contains("me:secret"), "{refusal}");
    }
}
