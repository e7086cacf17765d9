//! Connections in words: sign-in methods, states, steps of a test, what is granted.

use checklist_shared::wire::connections::{
    AccessChoice, ConnectionMethod, ConnectionState, GrantedAccess, TestFinding, TestOutcome,
    TestStep, TestSubject,
};

use crate::kit::*;
use crate::wording::connections::Connections;

/// A sign-in method.
pub fn method(app: App, method: ConnectionMethod) -> &'static str {
    let words = app.language.connections();
    match method {
        ConnectionMethod::Anonymous => words.method_anonymous,
        ConnectionMethod::PassThrough => words.method_pass_through,
        ConnectionMethod::SiteOnline => words.method_site_online,
        ConnectionMethod::Forms => words.method_forms,
        ConnectionMethod::Negotiate => words.method_negotiate,
        ConnectionMethod::Kerberos => words.method_kerberos,
        ConnectionMethod::Ntlm => words.method_ntlm,
        ConnectionMethod::Digest => words.method_digest,
        ConnectionMethod::Delegated => words.method_delegated,
        ConnectionMethod::Application => words.method_application,
    }
}

/// Whether a connection can be used.
pub fn state(app: App, state: ConnectionState) -> AnyView {
    let words = app.language.connections();
    match state {
        ConnectionState::Ready => pill("", words.ready),
        ConnectionState::NeedsSignIn => pill("warm", words.needs_sign_in),
        ConnectionState::NeedsSecret => pill("warm", words.needs_secret),
    }
}

/// A step of a test.
pub fn step(app: App, step: TestSubject) -> &'static str {
    let words = app.language.connections();
    match step {
        TestSubject::Dns => words.step_dns,
        TestSubject::Tls => words.step_tls,
        TestSubject::SignIn => words.step_sign_in,
        TestSubject::Site => words.step_site,
        TestSubject::List => words.step_list,
        TestSubject::Write => words.step_write,
        TestSubject::Columns => words.step_columns,
    }
}

/// The outcome of a step.
pub fn outcome(app: App, outcome: TestOutcome) -> &'static str {
    let words = app.language.connections();
    match outcome {
        TestOutcome::Passed => words.passed,
        TestOutcome::Failed => words.failed,
        TestOutcome::Unknown => words.unknown,
        TestOutcome::Skipped => words.skipped,
    }
}

/// What a step has found, in the reader's language; `None` where only the server's own sentence
/// says it.
pub fn finding(app: App, step: &TestStep) -> Option<String> {
    let words = app.language.connections();
    let sentence = match step.finding {
        TestFinding::HostKnown => words.found_host,
        TestFinding::AddressAllowed => words.found_address,
        TestFinding::NoAddress => words.found_no_address,
        TestFinding::AddressRefused => words.found_refused_address,
        TestFinding::HostUnknown => words.found_no_host,
        TestFinding::Encrypted => words.found_encrypted,
        TestFinding::Unencrypted => words.found_unencrypted,
        TestFinding::NoAnswer => words.found_no_answer,
        TestFinding::SignedIn => words.found_signed_in,
        TestFinding::SignedInUntold => words.found_signed_in_unnamed,
        TestFinding::Anonymous => words.found_anonymous,
        TestFinding::SiteThere => words.found_site,
        TestFinding::ListThere => words.found_list,
        TestFinding::ItemsWritable => words.found_writable,
        TestFinding::RightsMissing => words.found_rights_missing,
        TestFinding::ColumnsAddable => words.found_addable,
        TestFinding::ColumnsNotAddable => words.found_not_addable,
        TestFinding::RightsNotTold => words.found_no_rights_reported,
        TestFinding::NoList => words.found_no_list,
        TestFinding::NotTried => words.found_not_run,
        TestFinding::SignInRefused => words.found_sign_in_refused,
        TestFinding::NotSignedIn => words.found_not_signed_in,
        TestFinding::OtherUser => words.found_other_user,
        TestFinding::NeedsSignIn => words.found_needs_sign_in,
        TestFinding::Forbidden => words.found_forbidden,
        TestFinding::SiteNotFound => words.found_no_site,
        TestFinding::ListNotFound => words.found_list_missing,
        TestFinding::TimedOut => words.found_timed_out,
        TestFinding::Throttled => words.found_throttled,
        TestFinding::Other => return None,
    };
    let about = step.about.as_deref().unwrap_or_default();
    Some(fill(sentence, &[("about", about)]))
}

/// What a problem with a site means, where it is about the site or the connection as a whole.
#[must_use]
pub fn problem_sentence(app: App, code: ProblemCode) -> Option<&'static str> {
    let words = app.language.connections();
    Some(match code {
        ProblemCode::AddressRefused => words.found_refused_address,
        ProblemCode::SignInRefused => words.found_sign_in_refused,
        ProblemCode::NotSignedIn => words.found_not_signed_in,
        ProblemCode::ConnectionNeedsSignIn => words.found_needs_sign_in,
        ProblemCode::SiteForbidden => words.found_forbidden,
        ProblemCode::SiteNotFound => words.found_no_site,
        ProblemCode::ListNotFound => words.found_list_missing,
        ProblemCode::SiteTimedOut => words.found_timed_out,
        ProblemCode::Throttled => words.found_throttled,
        ProblemCode::SiteFailed => words.found_no_answer,
        _ => return None,
    })
}

/// A choice of what is granted: its name, and what the server says that it grants, which is
/// translated as long as the server still says it in the words that were translated.
pub fn access(app: App, choice: &AccessChoice) -> (&'static str, AnyView) {
    let of = |words: &'static Connections| match choice.access {
        GrantedAccess::AllSites => (words.access_all, words.grants_all),
        GrantedAccess::SelectedSites => (words.access_selected, words.grants_selected),
        GrantedAccess::AsListed => (words.access_listed, words.grants_listed),
    };
    let (name, translated) = of(app.language.connections());
    let grants = if of(Language::En.connections()).1 == choice.grants {
        view! { <p>{translated}</p> }.into_any()
    } else {
        server_text(app, "", choice.grants.clone())
    };
    (name, grants)
}
