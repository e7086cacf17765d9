//! The fields of a connection: the site, and those that the chosen sign-in method has.
//!
//! They are drawn anew once the connection is saved, as their hints say which secrets are stored.

use checklist_shared::wire::connections::{ConnectionMethod, ServiceCapabilityProvider};
use serde_json::Value;

use super::draft::{self, Group};
use super::state::Page;
use super::{format, oauth};
use crate::kit::*;

/// Seconds; the server says which ones it takes.
const SECONDS: Conversion = Conversion {
    format: |value| value.as_u64().map_or_else(String::new, |n| n.to_string()),
    parse: |text| Some(draft::seconds(text)),
};

/// The fields.
pub fn fields(page: Page, providers: Vec<ServiceCapabilityProvider>) -> AnyView {
    let (app, form, words) = (page.app, page.form, page.app.language.connections());
    let protocols = options([
        ("Auto", words.protocol_auto),
        ("Rest", words.protocol_rest),
        ("Graph", words.protocol_graph),
    ]);
    let methods = ConnectionMethod::ALL.map(|method| (method.name(), format::method(app, method)));
    let methods = [("", words.choose)].into_iter().chain(methods);
    let timeout = form.at("/Timeout").optional().converted(SECONDS);
    let ca_bundle = form
        .at("/CaBundle")
        .optional()
        .invalid(words.ca_bundle_wrong);
    let method = Memo::new(move |_| form.value("/Method"));
    let sign_in_fields = move || {
        // A memo that is only tracked, and never read, notifies nobody.
        method.with(|_| ());
        page.connection.track();
        untrack(|| sign_in_fields(page, &providers))
    };
    view! {
        <Panel id="site-title" title=words.about_site>
            <Field bind=form.at("/Name").required() label=words.name hint=words.name_hint />
            <Field bind=form.at("/Url").required() label=words.url hint=words.url_hint />
            <div class="form-pair">
                <Select bind=form.at("/Protocol") label=words.protocol options=protocols />
                <Field bind=timeout.invalid(words.timeout_wrong) label=words.timeout hint=words.timeout_hint />
            </div>
            <Field bind=ca_bundle label=words.ca_bundle hint=words.ca_bundle_hint rows=2 is_code=true />
        </Panel>
        <Panel id="sign-in-title" title=words.sign_in>
            <Select bind=form.at("/Method").optional().required() label=words.method options=options(methods) />
            {sign_in_fields}
        </Panel>
    }
    .into_any()
}

fn sign_in_fields(page: Page, providers: &[ServiceCapabilityProvider]) -> AnyView {
    let (form, words) = (page.form, page.app.language.connections());
    let draft = form.value("");
    let hint = match draft::method(&draft) {
        Some(ConnectionMethod::Anonymous) => Some(words.anonymous_hint),
        Some(ConnectionMethod::PassThrough) => Some(words.pass_through_hint),
        Some(ConnectionMethod::Application) => Some(words.application_hint),
        _ => None,
    };
    let identity = draft::has(&draft, Group::Identity).then(|| {
        let bind = form.at("/Identity").invalid(words.identity_wrong);
        let options = options([
            ("Credentials", words.identity_credentials),
            ("Service", words.identity_service),
        ]);
        view! { <Select bind label=words.identity options hint=words.identity_hint /> }
    });
    // Without the choice itself, which keeps the focus.
    let chosen = Memo::new(move |_| form.value("/Identity"));
    let account = move || {
        chosen.with(|_| ());
        untrack(|| account(page, &form.value("")))
    };
    let client = draft::has(&draft, Group::Client)
        .then(|| oauth::client(page, providers, draft::has(&draft, Group::Access)));
    view! {
        <div class="form-fields">
            {hint.map(|hint| view! { <p class="quiet">{hint}</p> })}
            {identity}
            {account}
            {client}
        </div>
    }
    .into_any()
}

/// The account that signs in at the site.
fn account(page: Page, draft: &Value) -> AnyView {
    let (form, words) = (page.form, page.app.language.connections());
    let user = draft::has(draft, Group::User).then(|| {
        let has_password = page.has_stored(|connection| connection.has_password);
        let (hint, missing) = if has_password {
            (words.password_stored, words.password_again)
        } else {
            (words.password_new, page.app.language.frame().fault_required)
        };
        let password = form.at("/Password").optional().converted(VERBATIM).missing(missing);
        view! {
            <div class="form-pair">
                <Field bind=form.at("/Username").optional() label=words.username />
                <Field bind=form.at("/Domain").optional() label=words.domain hint=words.domain_hint />
            </div>
            <Field bind=password label=words.password hint kind="password" />
        }
    });
    let kdc = draft::has(draft, Group::Kdc).then(|| {
        let bind = form.at("/Kdc").optional().invalid(words.kdc_wrong);
        view! { <Field bind label=words.kdc hint=words.kdc_hint /> }
    });
    let token_service = draft::has(draft, Group::TokenService).then(|| {
        let bind = form
            .at("/TokenService")
            .optional()
            .invalid(words.token_service_wrong);
        view! { <Field bind label=words.token_service hint=words.token_service_hint /> }
    });
    view! { <div class="form-fields">{user}{kdc}{token_service}</div> }.into_any()
}
