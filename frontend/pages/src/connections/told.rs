//! What is said of connections: ways to sign in, states, steps of a test, faults at fields.

use checklist_shared::wire::connections::{
    AccessChoice, ConnectionMethod, ConnectionState, GrantedAccess, SiteProtocol, TestFinding,
    TestOutcome, TestStep, TestSubject,
};

use crate::api::ApiError;
use crate::app::App;
use crate::element::{El, el};
use crate::templates::faults::said;
use crate::wording::connections::Connections;
use crate::wording::{Language, Wording, fill};

/// A way to sign in, in words.
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

/// What a site speaks: its name on the wire and in words.
pub fn protocols(app: App) -> [(SiteProtocol, &'static str, &'static str); 3] {
    let words = app.language.connections();
    [
        (SiteProtocol::Auto, "Auto", words.protocol_auto),
        (SiteProtocol::Rest, "Rest", words.protocol_rest),
        (SiteProtocol::Graph, "Graph", words.protocol_graph),
    ]
}

/// Whether a connection can be used, as a pill.
pub fn state(app: App, state: ConnectionState) -> El {
    let words = app.language.connections();
    let (class, text) = match state {
        ConnectionState::Ready => ("pill", words.ready),
        ConnectionState::NeedsSignIn => ("pill warm", words.needs_sign_in),
        ConnectionState::NeedsSecret => ("pill warm", words.needs_secret),
    };
    el("span").class(class).text(text)
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

/// What came of a step.
pub fn outcome(app: App, outcome: TestOutcome) -> &'static str {
    let words = app.language.connections();
    match outcome {
        TestOutcome::Passed => words.passed,
        TestOutcome::Failed => words.failed,
        TestOutcome::Unknown => words.unknown,
        TestOutcome::Skipped => words.skipped,
    }
}

/// What a step of a test has found, in the reader's language; `None` where only the server's own
/// sentence says it.
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
        TestFinding::SignedInUntold => words.found_signed_in_untold,
        TestFinding::Anonymous => words.found_anonymous,
        TestFinding::SiteThere => words.found_site,
        TestFinding::ListThere => words.found_list,
        TestFinding::ItemsWritable => words.found_writable,
        TestFinding::RightsMissing => words.found_rights_missing,
        TestFinding::ColumnsAddable => words.found_addable,
        TestFinding::ColumnsNotAddable => words.found_not_addable,
        TestFinding::RightsNotTold => words.found_not_told,
        TestFinding::NoList => words.found_no_list,
        TestFinding::NotTried => words.found_not_tried,
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

/// A choice of what is granted: its name, and what the server says that it grants. Where that is
/// known in the reader's language it is said so.
pub fn access(app: App, choice: &AccessChoice) -> (&'static str, El) {
    let of = |words: &'static Connections| match choice.access {
        GrantedAccess::AllSites => (words.access_all, words.grants_all),
        GrantedAccess::SelectedSites => (words.access_selected, words.grants_selected),
        GrantedAccess::AsListed => (words.access_listed, words.grants_listed),
    };
    let (name, known) = of(app.language.connections());
    let grants = if of(Language::En.connections()).1 == choice.grants {
        el("p").text(known)
    } else {
        from_server(app, choice.grants.clone())
    };
    (name, grants)
}

/// A sentence in the server's own words, which are English.
pub fn from_server(app: App, text: String) -> El {
    let sentence = el("p").text(text);
    if app.language == Language::En {
        sentence
    } else {
        sentence.attr("lang", "en")
    }
}

/// What is wrong with a field, named as on the wire.
pub fn fault(app: App, failure: &ApiError, field: &str) -> Option<String> {
    let words = app.language.connections();
    if failure.code == "NameTaken" && field == "Name" {
        return Some(words.name_taken.to_owned());
    }
    let fault = failure
        .errors
        .iter()
        .find(|fault| fault.pointer.strip_prefix('/') == Some(field))?;
    Some(match (field, fault.code.as_str()) {
        // The server says why what is kept does not count any more.
        ("Password", "Required") => fault.detail.clone(),
        ("Timeout", _) => words.timeout_wrong.to_owned(),
        ("Identity", "Invalid") => words.identity_wrong.to_owned(),
        ("Kdc", "Invalid") => words.kdc_wrong.to_owned(),
        ("TokenService", "Invalid") => words.token_service_wrong.to_owned(),
        ("CaBundle", "Invalid") => words.ca_bundle_wrong.to_owned(),
        _ => said(app, fault),
    })
}
