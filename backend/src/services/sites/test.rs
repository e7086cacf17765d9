//! Trying a service connection step by step, so that an administrator sees which one fails.
//!
//! Nothing is written on the site. What cannot be told without writing is said to be unknown.
//! Called by the handler of `Test`.

use std::time::Instant;

use checklist_shared::wire::connections::{
    ConnectionTest, TestOutcome, TestServiceConnection, TestStep, TestSubject,
};
use http::Request;
use site_lists::{ErrorKind, ListRights, Site, SiteError, SiteList};
use url::Url;

use super::whose::Meant;
use super::{Asking, open};
use crate::app::App;
use crate::auth::Principal;
use crate::egress::{Bounds, EgressError};
use crate::error::ServiceResult;
use crate::services::access;
use crate::services::connections::opened::{self, Opened};

/// What looking whether somebody answers may cost.
const GLANCE: Bounds = Bounds {
    time: std::time::Duration::from_secs(10),
    bytes: 1 << 20,
};

/// Tries a connection.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`, `VaultMissing`; whatever the site does is an outcome
/// and no error.
pub async fn run(
    app: &App,
    principal: &Principal,
    id: &str,
    wish: TestServiceConnection,
) -> ServiceResult<ConnectionTest> {
    access::need_admin(principal)?;
    let opened = opened::open(app, &principal.tenant, id).await?;
    let mut report = Report::default();
    if looks_reachable(app, &opened, &mut report).await {
        let asking = Asking {
            principal,
            site_authorization: None,
        };
        let meant = Meant::Stored(Box::new(opened));
        match open::site(app, &asking, &meant).await {
            Ok(site) => ask_site(&site, wish.list, &mut report).await,
            Err(error) => {
                let detail = error.problem.detail.unwrap_or(error.problem.title);
                report.tell(TestSubject::SignIn, TestOutcome::Failed, detail, None);
            }
        }
    }
    Ok(report.done())
}

/// The steps so far.
#[derive(Default)]
struct Report {
    steps: Vec<TestStep>,
    since: Option<Instant>,
}

impl Report {
    fn begin(&mut self) {
        self.since = Some(Instant::now());
    }

    fn tell(
        &mut self,
        step: TestSubject,
        outcome: TestOutcome,
        detail: impl Into<String>,
        hint: Option<String>,
    ) {
        let took = self
            .since
            .take()
            .map_or(0, |since| since.elapsed().as_millis());
        self.steps.push(TestStep {
            step,
            outcome,
            detail: detail.into(),
            hint,
            milliseconds: u64::try_from(took).unwrap_or(u64::MAX),
        });
    }

    fn failed(&mut self, step: TestSubject, error: &SiteError) {
        let hint = error.hint().map(str::to_owned);
        self.tell(step, TestOutcome::Failed, error.to_string(), hint);
    }

    /// All seven steps; those that were not come to are skipped.
    fn done(mut self) -> ConnectionTest {
        const ALL: [TestSubject; 7] = [
            TestSubject::Dns,
            TestSubject::Tls,
            TestSubject::SignIn,
            TestSubject::Site,
            TestSubject::List,
            TestSubject::Write,
            TestSubject::Columns,
        ];
        let works = !self
            .steps
            .iter()
            .any(|step| step.outcome == TestOutcome::Failed);
        for subject in ALL {
            if !self.steps.iter().any(|step| step.step == subject) {
                let why = if works {
                    "No list was named."
                } else {
                    "Not tried, because a step before it failed."
                };
                self.tell(subject, TestOutcome::Skipped, why, None);
            }
        }
        ConnectionTest {
            works,
            steps: self.steps,
        }
    }
}

/// Whether the name is known and may be asked, and somebody answers there.
async fn looks_reachable(app: &App, opened: &Opened, report: &mut Report) -> bool {
    let Ok(url) = Url::parse(&opened.url) else {
        report.tell(
            TestSubject::Dns,
            TestOutcome::Failed,
            "The site has no usable address.",
            None,
        );
        return false;
    };
    let host = url.host_str().unwrap_or_default().to_owned();
    report.begin();
    match app.egress().resolve(&url).await {
        Ok(count) => {
            let how = if url.domain().is_none() {
                "may be asked".to_owned()
            } else if count == 1 {
                "is known, with one address".to_owned()
            } else {
                format!("is known, with {count} addresses")
            };
            let told = format!("{host} {how}.");
            report.tell(TestSubject::Dns, TestOutcome::Passed, told, None);
        }
        Err(error) => {
            let hint = match &error {
                EgressError::Refused(_) => Some(
                    "If the site lies in a private network, the operator opens it with --allow-private-range."
                        .to_owned(),
                ),
                _ => None,
            };
            report.tell(
                TestSubject::Dns,
                TestOutcome::Failed,
                format!("{error}."),
                hint,
            );
            return false;
        }
    }
    report.begin();
    let answer = match (
        open::way(app, opened),
        Request::get(url.as_str()).body(Vec::new()),
    ) {
        (Ok(way), Ok(request)) => way.send(request, GLANCE).await.map(drop),
        (Err(error), _) => Err(error),
        (_, Err(error)) => Err(EgressError::Failed(error.to_string())),
    };
    match answer {
        // Whatever it says: it answers.
        Ok(()) | Err(EgressError::TooLarge) => {
            let how = if url.scheme() == "https" {
                "encrypted, with a certificate that is trusted"
            } else {
                "without encryption, as the operator has allowed"
            };
            report.tell(
                TestSubject::Tls,
                TestOutcome::Passed,
                format!("{host} answers, {how}."),
                None,
            );
            true
        }
        Err(error) => {
            let hint = "Look at port and certificate; a certificate of the site's own authority goes into CaBundle.";
            report.tell(
                TestSubject::Tls,
                TestOutcome::Failed,
                format!("{error}."),
                Some(hint.to_owned()),
            );
            false
        }
    }
}

/// Sign-in, site, list and rights.
async fn ask_site(site: &Site, list: Option<String>, report: &mut Report) {
    report.begin();
    match site.facts().await {
        Ok(facts) => {
            report.tell(
                TestSubject::SignIn,
                TestOutcome::Passed,
                "The credentials are taken.",
                None,
            );
            report.tell(
                TestSubject::Site,
                TestOutcome::Passed,
                format!("The site is there: {}.", facts.title),
                None,
            );
        }
        Err(error) if of_site(error.kind()) => {
            report.tell(
                TestSubject::SignIn,
                TestOutcome::Passed,
                "The credentials are taken.",
                None,
            );
            report.failed(TestSubject::Site, &error);
            return;
        }
        Err(error) => {
            report.failed(TestSubject::SignIn, &error);
            return;
        }
    }
    let Some(list) = list.filter(|list| !list.trim().is_empty()) else {
        return;
    };
    let list = SiteList::from(list.as_str());
    report.begin();
    match site.list(&list).await {
        Ok(facts) => report.tell(
            TestSubject::List,
            TestOutcome::Passed,
            format!("The list is there: {}.", facts.title),
            None,
        ),
        Err(error) => {
            report.failed(TestSubject::List, &error);
            return;
        }
    }
    report.begin();
    match site.rights(&list).await {
        Ok(Some(rights)) => tell_rights(rights, report),
        Ok(None) => {
            let why = "This protocol does not tell rights; the first write will.";
            report.tell(TestSubject::Write, TestOutcome::Unknown, why, None);
            report.tell(TestSubject::Columns, TestOutcome::Unknown, why, None);
        }
        Err(error) => report.failed(TestSubject::Write, &error),
    }
}

fn tell_rights(rights: ListRights, report: &mut Report) {
    let mut missing = Vec::new();
    for (has, what) in [
        (rights.add, "add"),
        (rights.edit, "edit"),
        (rights.delete, "delete"),
    ] {
        if !has {
            missing.push(what);
        }
    }
    if missing.is_empty() {
        report.tell(
            TestSubject::Write,
            TestOutcome::Passed,
            "Items may be added, edited and deleted.",
            None,
        );
    } else {
        report.tell(
            TestSubject::Write,
            TestOutcome::Failed,
            format!("The right to {} items is missing.", missing.join(" and ")),
            Some("Give the user the right to contribute to the list.".to_owned()),
        );
    }
    if rights.columns {
        report.tell(
            TestSubject::Columns,
            TestOutcome::Passed,
            "Columns may be added.",
            None,
        );
    } else {
        report.tell(
            TestSubject::Columns,
            TestOutcome::Unknown,
            "Columns may not be added; an export needs an indexed, unique column that is there already.",
            None,
        );
    }
}

/// Whether an error says that the sign-in worked and the site is the trouble.
const fn of_site(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::SiteNotFound | ErrorKind::Forbidden)
}
