//! What does not fit together in the settings of `serve`.
//!
//! All problems are found at once, for `config check`; `serve` stops at the first.

use checklist_services::base_url::BaseUrl;

use super::{Settings, StartupError};

impl Settings {
    /// Checks combinations of options.
    ///
    /// # Errors
    /// The first of [`Self::problems`].
    pub fn check(self) -> Result<Self, StartupError> {
        match self.problems().into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(self),
        }
    }

    /// Everything that does not fit together.
    #[must_use]
    pub fn problems(&self) -> Vec<StartupError> {
        let mut problems = self.origin_problems();
        if self.demo {
            problems.extend(self.demo_problems());
        } else if !self.demo_pages.is_empty() {
            problems.push(StartupError::configuration(
                "--allow-page gives tokens of the demo to a page elsewhere, and this server does not run in demo mode.",
                "Start with --demo, or leave --allow-page (CHECKLIST_ALLOW_PAGE) out and register a key for the page's \
                 server: checklist-server key register.",
            ));
        }
        problems.extend(self.address_problem());
        problems
    }

    fn origin_problems(&self) -> Vec<StartupError> {
        let bad = self
            .allowed_origins
            .iter()
            .filter(|text| !is_plain_origin(text));
        let bad = bad.map(|origin| {
            StartupError::configuration(
                format!("{origin} is not one origin."),
                "Name scheme, host and port and nothing else, without a star: --allow-origin https://id.internal:8443.",
            )
        });
        let pages = self
            .demo_pages
            .iter()
            .filter(|text| !is_origin_of_pages(text));
        let pages = pages.map(|origin| {
            StartupError::configuration(
                format!("{origin} is not one origin."),
                "Name scheme, host and port and nothing else, as the browser's address bar shows them: --allow-page \
                 http://127.0.0.1:8082.",
            )
        });
        bad.chain(pages).collect()
    }

    /// The demo gives everybody a token, so it must not be reachable from other machines.
    fn demo_problems(&self) -> Vec<StartupError> {
        let mut problems = Vec::new();
        if self.database.folder().is_none() {
            problems.push(StartupError::configuration(
                "--demo gives everybody a token, so it does not work on a PostgreSQL that others may share.",
                "Leave out --database-url (or CHECKLIST_DATABASE_URL): the demo keeps its data in --data-dir.",
            ));
        }
        let places = [Some(self.listen), self.metrics_listen];
        let open = places.into_iter().flatten().filter(|at| !at.is_loopback());
        problems.extend(open.map(|open| {
            StartupError::configuration(
                format!("--demo gives everybody a token, so it does not listen on {open}."),
                "Listen on 127.0.0.1, or leave out --demo and register a key with --embed-key KID=FILE.",
            )
        }));
        let base = self.base_url.as_ref().filter(|base| !base.is_loopback());
        problems.extend(base.map(|base| {
            StartupError::configuration(
                format!("--demo gives everybody a token, so it is not reached as {base}."),
                "Use a base URL on localhost or 127.0.0.1, or leave out --demo and register a key with \
                 --embed-key KID=FILE.",
            )
        }));
        problems
    }

    /// Tokens do not travel in the clear, and the server knows how browsers reach it.
    fn address_problem(&self) -> Option<StartupError> {
        match &self.base_url {
            // The demo says by itself where it may be reached.
            _ if self.demo => None,
            Some(base) => clear_text_problem(base),
            None if self.listen.is_everywhere() => Some(StartupError::configuration(
                format!(
                    "Listening on {} does not say how browsers reach the server.",
                    self.listen
                ),
                "Say it with --base-url, for example --base-url https://checks.example.org/platform.",
            )),
            None if !self.listen.is_loopback() => Some(StartupError::configuration(
                format!(
                    "Tokens would travel to http://{} in the clear.",
                    self.listen
                ),
                TLS_HINT,
            )),
            None => None,
        }
    }
}

const TLS_HINT: &str = "Put a proxy with TLS before the server and name its address: --base-url https://checks.example.org.";

/// Why a base URL cannot be used: tokens would travel to it in the clear.
#[must_use]
pub fn clear_text_problem(base: &BaseUrl) -> Option<StartupError> {
    let is_clear = !base.is_https() && !base.is_loopback();
    is_clear.then(|| {
        StartupError::configuration(
            format!("Tokens would travel to {base} in the clear."),
            TLS_HINT,
        )
    })
}

/// Whether a text is an origin as browsers write it in `Origin`.
pub fn is_origin_of_pages(text: &str) -> bool {
    !text.starts_with("tcp://") && is_plain_origin(text)
}

/// Whether a text is a single origin without wildcards. KDCs have the scheme `tcp`.
fn is_plain_origin(text: &str) -> bool {
    if let Some(tickets) = text.strip_prefix("tcp://") {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-.[]:".contains(letter);
        let port = tickets
            .rsplit_once(':')
            .map(|(_, port)| port.parse::<u16>());
        return tickets.chars().all(plain) && matches!(port, Some(Ok(_)));
    }
    text.parse::<BaseUrl>()
        .is_ok_and(|base| base.path().is_empty() && base.to_string() == text)
        && !text.contains('*')
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::{Exit, Proxies, Synchronous};
    use checklist_auth::demo::DemoIssuer;
    use checklist_auth::keys::KeyRing;
    use checklist_auth::rates::Rates;
    use checklist_services::retention::Retention;
    use checklist_shared::limits::Limits;
    use checklist_store::database::Database;
    use checklist_workflow::retry::RetryPolicy;

    fn settings(
        demo: bool,
        keys: bool,
        listen: &str,
        base_url: Option<&str>,
    ) -> Result<Settings, StartupError> {
        let mut ring = KeyRing::default();
        if keys {
            let (_, key) = DemoIssuer::new("http://127.0.0.1").expect("randomness");
            assert!(ring.add(key).is_ok());
        }
        Settings {
            demo,
            listen: listen.parse().expect("an address"),
            metrics_listen: None,
            base_url: base_url.map(|url| url.parse().expect("a URL")),
            database: Database::Folder("data".into()),
            keys: ring,
            oidc: None,
            allowed_origins: Vec::new(),
            demo_site: None,
            demo_pages: Vec::new(),
            private_ranges: Vec::new(),
            own_identity: Vec::new(),
            vault: None,
            rates: Rates::default(),
            proxies: Proxies::default(),
            handle_seconds: 60,
            run_retries: RetryPolicy::default(),
            streams: 10,
            list_memory: 1_000_000,
            max_connections: None,
            head_timeout: Duration::from_secs(1),
            idle_timeout: Duration::from_secs(1),
            write_timeout: Duration::from_secs(1),
            drain: Duration::ZERO,
            retention: Retention::default(),
            audit_reads: false,
            session_seconds: 3_600,
            synchronous: Synchronous::Full,
            limits: Limits::default(),
        }
        .check()
    }

    fn refused(demo: bool, keys: bool, listen: &str, base_url: Option<&str>) -> StartupError {
        let refusal = settings(demo, keys, listen, base_url)
            .err()
            .expect("a refusal");
        assert_eq!(refusal.exit, Exit::Configuration);
        refusal
    }

    #[test]
    fn a_demo_here_and_a_server_with_a_key_anywhere_may_start() {
        assert!(settings(true, false, "127.0.0.1:8080", None).is_ok());
        assert!(
            settings(
                true,
                true,
                "localhost:0",
                Some("http://localhost:8080/platform")
            )
            .is_ok()
        );
        assert!(settings(false, true, "127.0.0.1:8080", None).is_ok());
        assert!(
            settings(
                false,
                true,
                "0.0.0.0:80",
                Some("https://checks.example.org")
            )
            .is_ok()
        );
    }

    #[test]
    fn a_demo_does_not_share_a_database() {
        let mut settings = settings(true, false, "127.0.0.1:8080", None).expect("a demo");
        settings.database = Database::Shared("postgres://db/x".parse().expect("a URL"));
        let refusal = settings.check().err().expect("a refusal");
        assert_eq!(refusal.exit, Exit::Configuration);
        assert!(refusal.hint.contains("--database-url"));
    }

    #[test]
    fn a_demo_is_reached_from_this_machine_only() {
        for listen in ["0.0.0.0:8080", "192.168.1.5:8080", "[::]:8080"] {
            assert!(refused(true, false, listen, None).sentence.contains(listen));
        }
        for base in [
            "https://checks.example.org",
            "http://127.0.0.1.example.org",
            "http://192.168.1.5:8080",
        ] {
            assert!(
                refused(true, false, "127.0.0.1:8080", Some(base))
                    .sentence
                    .contains(base)
            );
        }
    }

    #[test]
    fn listening_everywhere_needs_a_base_url() {
        assert!(
            refused(false, true, "0.0.0.0:80", None)
                .hint
                .contains("--base-url")
        );
    }

    #[test]
    fn pages_elsewhere_get_tokens_of_a_demo_only_and_are_named_by_their_origin() {
        let with_page = |demo: bool, page: &str| {
            let mut settings = settings(demo, true, "127.0.0.1:8080", None).expect("settings");
            settings.demo_pages = vec![page.to_owned()];
            settings.check().err()
        };
        assert_eq!(with_page(true, "http://127.0.0.1:8082"), None);
        let refusal = with_page(false, "http://127.0.0.1:8082").expect("no demo");
        assert!(refusal.hint.contains("--demo"));
        for bad in [
            "*",
            "null",
            "127.0.0.1:8082",
            "http://127.0.0.1:8082/page",
            "http://127.0.0.1:8082/",
            "http://*.example",
            "tcp://127.0.0.1:88",
        ] {
            assert!(with_page(true, bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn all_problems_are_found_at_once() {
        let mut settings = settings(true, true, "127.0.0.1:8080", None).expect("settings");
        settings.allowed_origins = vec!["*".to_owned()];
        settings.listen = "0.0.0.0:80".parse().expect("an address");
        settings.base_url = Some("https://checks.example.org".parse().expect("a URL"));
        assert_eq!(settings.problems().len(), 3);
    }
}
