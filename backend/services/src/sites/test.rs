//! The connection test: checks a service connection step by step and reports which step fails.
//!
//! Invariant: nothing is written on the site. What cannot be determined without writing is reported
//! as unknown.

use std::time::Instant;

use checklist_auth::Principal;
use checklist_shared::administration::Action;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::connections::{
    ConnectionTest, TestFinding, TestOutcome, TestServiceConnection, TestStep, TestSubject,
};
use checklist_store::administration::{Act, Target};
use checklist_store::error::ServiceResult;
use site_lists::{ErrorKind, Limits, ListPermissions, Site, SiteError, SiteList, TransportError};
use url::Url;

use super::caller::SiteCaller;
use super::connection_ref::ConnectionRef;
use super::open;
use crate::access;
use crate::app::App;
use crate::connections::decrypted::{self, DecryptedConnection};
use crate::connections::note_sign_in;

/// The limits of the reachability check.
const GLANCE: Limits = Limits {
    time: std::time::Duration::from_secs(10),
    bytes: 1 << 20,
};

/// Tests a connection.
///
/// # Errors
/// `PermissionDenied`, `ConnectionNotFound`, `VaultMissing`. Errors of the site are outcomes of
/// steps instead.
pub async fn run(
    app: &App,
    principal: &Principal,
    id: &str,
    wish: TestServiceConnection,
) -> ServiceResult<ConnectionTest> {
    access::need_admin(principal)?;
    let opened = decrypted::open(app, &principal.tenant, id).await?;
    let tested = opened.id.clone();
    let mut report = TestReport::default();
    if looks_reachable(app, &opened, &mut report).await {
        let asking = SiteCaller {
            principal,
            site_authorization: None,
        };
        let connection_ref = ConnectionRef::Stored(Box::new(opened.clone()));
        match open::site(app, &asking, &connection_ref).await {
            Ok(site) => {
                ask_site(&site, wish.list, &mut report).await;
                if let Some(signed_in) = report.signed_in() {
                    note_sign_in(app, &principal.tenant, &opened, signed_in.err()).await;
                }
            }
            Err(error) => {
                let finding = match error.code() {
                    ProblemCode::ConnectionNeedsSignIn => TestFinding::NeedsSignIn,
                    ProblemCode::AddressRefused => TestFinding::AddressRefused,
                    _ => TestFinding::Other,
                };
                let detail = error.problem.detail.unwrap_or(error.problem.title);
                report.tell(
                    TestSubject::SignIn,
                    TestOutcome::Failed,
                    finding,
                    detail,
                    None,
                );
            }
        }
    }
    let act = Act::new(
        principal.stamp(app.clock().now()),
        Target::Connection(tested),
        Action::Tested,
    );
    app.store().record_act(&principal.tenant, act).await?;
    Ok(report.done())
}

/// The results so far.
#[derive(Default)]
struct TestReport {
    steps: Vec<TestStep>,
    since: Option<Instant>,
}

impl TestReport {
    fn begin(&mut self) {
        self.since = Some(Instant::now());
    }

    fn tell(
        &mut self,
        step: TestSubject,
        outcome: TestOutcome,
        finding: TestFinding,
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
            finding,
            about: None,
            detail: detail.into(),
            hint,
            milliseconds: u64::try_from(took).unwrap_or(u64::MAX),
        });
    }

    /// Whether there is a result for this step.
    fn has(&self, step: TestSubject) -> bool {
        self.steps.iter().any(|known| known.step == step)
    }

    /// Adds what the last result is about.
    fn about(&mut self, what: impl Into<String>) {
        if let Some(last) = self.steps.last_mut() {
            last.about = Some(what.into());
        }
    }

    /// Whether the credentials were accepted, or else the site's message; `None` if neither is
    /// known.
    fn signed_in(&self) -> Option<Result<(), &str>> {
        let mut steps = self.steps.iter();
        let step = steps.find(|step| step.step == TestSubject::SignIn)?;
        match (step.outcome, step.finding) {
            (TestOutcome::Passed, _) => Some(Ok(())),
            (TestOutcome::Failed, TestFinding::SignInRefused) => Some(Err(&step.detail)),
            _ => None,
        }
    }

    fn report_failure(&mut self, step: TestSubject, error: &SiteError) {
        let hint = error.hint().map(str::to_owned);
        let finding = finding_of(error.kind());
        self.tell(step, TestOutcome::Failed, finding, error.to_string(), hint);
    }

    /// Adds skipped results for the remaining steps, up to all seven.
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
            if !self.has(subject) {
                let (finding, why) = if works {
                    (TestFinding::NoList, "No list was named.")
                } else {
                    let why = "Not tried, because a step before it failed.";
                    (TestFinding::NotTried, why)
                };
                self.tell(subject, TestOutcome::Skipped, finding, why, None);
            }
        }
        ConnectionTest {
            works,
            steps: self.steps,
        }
    }
}

/// Checks that the host name resolves, is permitted, and that a server responds.
async fn looks_reachable(app: &App, opened: &DecryptedConnection, report: &mut TestReport) -> bool {
    let Ok(url) = Url::parse(&opened.site.url) else {
        report.tell(
            TestSubject::Dns,
            TestOutcome::Failed,
            TestFinding::NoAddress,
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
            let finding = if url.domain().is_none() {
                TestFinding::AddressAllowed
            } else {
                TestFinding::HostKnown
            };
            let detail = format!("{host} {how}.");
            report.tell(TestSubject::Dns, TestOutcome::Passed, finding, detail, None);
            report.about(&host);
        }
        Err(error) => {
            let hint = match &error {
                TransportError::Refused(_) => Some(
                    "If the site lies in a private network, the operator opens it with --allow-private-range."
                        .to_owned(),
                ),
                _ => None,
            };
            let finding = match &error {
                TransportError::Refused(_) => TestFinding::AddressRefused,
                _ => TestFinding::HostUnknown,
            };
            report.tell(
                TestSubject::Dns,
                TestOutcome::Failed,
                finding,
                format!("{error}."),
                hint,
            );
            report.about(&host);
            return false;
        }
    }
    report.begin();
    let answer = match open::transport(app, opened) {
        Ok(transport) => transport.probe(&url, GLANCE).await,
        Err(error) => Err(error),
    };
    match answer {
        // Any response means that the server is reachable.
        Ok(()) | Err(TransportError::TooLarge) => {
            let (finding, how) = if url.scheme() == "https" {
                let how = "encrypted, with a certificate that is trusted";
                (TestFinding::Encrypted, how)
            } else {
                let how = "without encryption, as the operator has allowed";
                (TestFinding::Unencrypted, how)
            };
            report.tell(
                TestSubject::Tls,
                TestOutcome::Passed,
                finding,
                format!("{host} answers, {how}."),
                None,
            );
            report.about(&host);
            true
        }
        Err(error) => {
            let hint = "Look at port and certificate; a certificate of the site's own authority goes into CaBundle.";
            report.tell(
                TestSubject::Tls,
                TestOutcome::Failed,
                TestFinding::NoAnswer,
                format!("{error}."),
                Some(hint.to_owned()),
            );
            report.about(&host);
            false
        }
    }
}

/// Signs in and reports the current user. Returns whether the test may go on.
async fn signs_in(site: &Site, report: &mut TestReport) -> bool {
    report.begin();
    let (subject, passed) = (TestSubject::SignIn, TestOutcome::Passed);
    match site.refresh_current_user().await {
        Ok(Some(who)) if who.login.is_some() || who.name.is_some() => {
            let detail = format!("The credentials are taken. Signed in as {who}.");
            report.tell(subject, passed, TestFinding::SignedIn, detail, None);
            report.about(who.to_string());
        }
        Ok(Some(_)) => {
            let detail = "The credentials are taken. The site does not say whose they are.";
            report.tell(subject, passed, TestFinding::SignedInUntold, detail, None);
        }
        Ok(None) => {
            // An anonymous sign-in is proven by the first response, in `as_nobody`.
            return true;
        }
        Err(error) => {
            report.report_failure(subject, &error);
            let whom = error.names().first().cloned();
            if let Some(whom) = whom.filter(|_| error.kind() == ErrorKind::OtherUser) {
                report.about(whom);
            }
            return false;
        }
    }
    true
}

/// Reports an anonymous sign-in, unless there is a result for it.
fn as_nobody(report: &mut TestReport) {
    if !report.has(TestSubject::SignIn) {
        report.tell(
            TestSubject::SignIn,
            TestOutcome::Passed,
            TestFinding::Anonymous,
            "Nobody signs in, and the site answers.",
            None,
        );
    }
}

/// Checks sign-in, site, list and permissions.
async fn ask_site(site: &Site, list: Option<String>, report: &mut TestReport) {
    if !signs_in(site, report).await {
        return;
    }
    report.begin();
    match site.info().await {
        Ok(facts) => {
            as_nobody(report);
            report.tell(
                TestSubject::Site,
                TestOutcome::Passed,
                TestFinding::SiteThere,
                format!("The site is there: {}.", facts.title),
                None,
            );
            report.about(facts.title);
        }
        Err(error) if of_site(error.kind()) || report.has(TestSubject::SignIn) => {
            as_nobody(report);
            report.report_failure(TestSubject::Site, &error);
            return;
        }
        Err(error) => {
            report.report_failure(TestSubject::SignIn, &error);
            return;
        }
    }
    let Some(list) = list.filter(|list| !list.trim().is_empty()) else {
        return;
    };
    let list = SiteList::from(list.as_str());
    report.begin();
    match site.list(&list).await {
        Ok(facts) => {
            report.tell(
                TestSubject::List,
                TestOutcome::Passed,
                TestFinding::ListThere,
                format!("The list is there: {}.", facts.title),
                None,
            );
            report.about(facts.title);
        }
        Err(error) => {
            report.report_failure(TestSubject::List, &error);
            return;
        }
    }
    report.begin();
    match site.permissions(&list).await {
        Ok(Some(rights)) => tell_rights(rights, report),
        Ok(None) => {
            let why = "This protocol does not tell rights; the first write will.";
            let (unknown, finding) = (TestOutcome::Unknown, TestFinding::RightsNotTold);
            report.tell(TestSubject::Write, unknown, finding, why, None);
            report.tell(TestSubject::Columns, unknown, finding, why, None);
        }
        Err(error) => report.report_failure(TestSubject::Write, &error),
    }
}

fn tell_rights(rights: ListPermissions, report: &mut TestReport) {
    let mut missing = Vec::new();
    for (has, what) in [
        (rights.can_add, "add"),
        (rights.can_edit, "edit"),
        (rights.can_delete, "delete"),
    ] {
        if !has {
            missing.push(what);
        }
    }
    if missing.is_empty() {
        report.tell(
            TestSubject::Write,
            TestOutcome::Passed,
            TestFinding::ItemsWritable,
            "Items may be added, edited and deleted.",
            None,
        );
    } else {
        report.tell(
            TestSubject::Write,
            TestOutcome::Failed,
            TestFinding::RightsMissing,
            format!("The right to {} items is missing.", missing.join(" and ")),
            Some("Give the user the right to contribute to the list.".to_owned()),
        );
        report.about(missing.join(", "));
    }
    if rights.can_add_columns {
        report.tell(
            TestSubject::Columns,
            TestOutcome::Passed,
            TestFinding::ColumnsAddable,
            "Columns may be added.",
            None,
        );
    } else {
        report.tell(
            TestSubject::Columns,
            TestOutcome::Unknown,
            TestFinding::ColumnsNotAddable,
            "Columns may not be added; an export needs an indexed, unique column that is there already.",
            None,
        );
    }
}

/// The finding for a kind of site error.
const fn finding_of(kind: ErrorKind) -> TestFinding {
    match kind {
        ErrorKind::SignInRefused => TestFinding::SignInRefused,
        ErrorKind::NotSignedIn => TestFinding::NotSignedIn,
        ErrorKind::OtherUser => TestFinding::OtherUser,
        ErrorKind::NeedsSignIn => TestFinding::NeedsSignIn,
        ErrorKind::Forbidden => TestFinding::Forbidden,
        ErrorKind::SiteNotFound => TestFinding::SiteNotFound,
        ErrorKind::ListNotFound => TestFinding::ListNotFound,
        ErrorKind::AddressRefused => TestFinding::AddressRefused,
        ErrorKind::Unreachable => TestFinding::NoAnswer,
        ErrorKind::TimedOut => TestFinding::TimedOut,
        ErrorKind::Throttled => TestFinding::Throttled,
        _ => TestFinding::Other,
    }
}

/// Whether an error means that the sign-in worked and the site itself failed.
const fn of_site(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::SiteNotFound | ErrorKind::Forbidden)
}
