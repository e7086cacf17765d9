//! What stands in a connection, as fields: only those that the chosen way to sign in has.
//!
//! Fields are drawn anew after saving, so that a secret that was typed is gone from the page.

use checklist_shared::wire::connections::{
    ConnectionIdentity, ConnectionMethod, ServiceCapabilityProvider, ServiceConnection,
};
use leptos::prelude::*;

use super::draft::{Draft, Field as Part};
use super::page::Page;
use super::{oauth, told};
use crate::element::{El, all, button, el, live, nothing};
use crate::parts::field::Field;
use crate::parts::load::{alert, sentence};
use crate::parts::panel::panel;
use crate::wording::Wording;

/// The form.
pub fn form(page: Page, providers: Vec<ServiceCapabilityProvider>) -> El {
    let app = page.app;
    el("form")
        .class("narrow-form")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            page.save();
        })
        .live(move || {
            page.known.track();
            all(vec![site(page).view(), sign_in(page, providers.clone())])
        })
        .live(move || trouble(page))
        .el(el("div").class("buttons").el(el("button")
            .attr("type", "submit")
            .class("button primary")
            .follow_text(move || {
                let words = app.language.frame();
                if page.busy.get() {
                    words.saving
                } else {
                    words.save
                }
                .to_owned()
            })))
}

fn trouble(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    match page.failure.get() {
        None => nothing(),
        Some(failure) if failure.code == "ConnectionChanged" => alert(words.changed)
            .el(el("div")
                .class("buttons")
                .el(button("button", words.load_again, move || {
                    page.load_again()
                })))
            .view(),
        Some(failure) if failure.code == "NameTaken" => {
            alert(app.language.frame().failed_fields).view()
        }
        Some(failure) => alert(sentence(app, &failure)).view(),
    }
}

/// A line that is typed into the draft.
pub fn line(page: Page, field: Field, text: fn(&mut Draft) -> &mut String) -> El {
    field.line(typed(page, text), put(page, text))
}

/// A secret that is typed into the draft, and never shown.
pub fn secret(page: Page, field: Field, text: fn(&mut Draft) -> &mut String) -> El {
    field.of_kind("password", typed(page, text), put(page, text))
}

fn typed(page: Page, text: fn(&mut Draft) -> &mut String) -> String {
    text(&mut page.draft.get_untracked()).clone()
}

pub fn put(page: Page, text: fn(&mut Draft) -> &mut String) -> impl FnMut(String) + 'static {
    move |typed| page.draft.update(|draft| *text(draft) = typed)
}

/// Whether the server keeps a secret of the connection.
pub fn keeps(page: Page, secret: fn(&ServiceConnection) -> bool) -> bool {
    page.known
        .with_untracked(|known| known.as_ref().is_some_and(secret))
}

fn site(page: Page) -> El {
    let (app, words) = (page.app, page.app.language.connections());
    let name = Field::new("connection-name", words.name)
        .hint(words.name_hint)
        .fault(page.fault("Name"));
    let url = Field::new("connection-url", words.url)
        .hint(words.url_hint)
        .fault(page.fault("Url"));
    let protocols = told::protocols(app);
    let chosen = page.draft.with_untracked(|draft| draft.protocol);
    let chosen = protocols
        .iter()
        .find(|(protocol, ..)| *protocol == chosen)
        .map_or("", |(_, name, _)| name);
    let protocol = Field::new("connection-protocol", words.protocol).choice(
        protocols
            .iter()
            .map(|(_, name, words)| ((*name).to_owned(), (*words).to_owned()))
            .collect(),
        chosen,
        move |name| {
            let chosen = protocols.iter().find(|(_, own, _)| *own == name);
            if let Some((protocol, ..)) = chosen {
                page.draft.update(|draft| draft.protocol = *protocol);
            }
        },
    );
    let timeout = Field::new("connection-timeout", words.timeout)
        .hint(words.timeout_hint)
        .fault(page.fault("Timeout"));
    let certificates = Field::new("connection-ca", words.ca_bundle)
        .class("field code-field")
        .hint(words.ca_bundle_hint)
        .fault(page.fault("CaBundle"))
        .area(
            2,
            typed(page, |draft| &mut draft.ca_bundle),
            put(page, |draft| &mut draft.ca_bundle),
        );
    let body = el("div")
        .el(line(page, name, |draft| &mut draft.name))
        .el(line(page, url, |draft| &mut draft.url))
        .el(el("div")
            .class("form-pair")
            .el(protocol)
            .el(line(page, timeout, |draft| &mut draft.timeout)))
        .el(certificates);
    panel("site-title", words.about_site, body)
}

fn sign_in(page: Page, providers: Vec<ServiceCapabilityProvider>) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    let chosen = page
        .draft
        .with_untracked(|draft| draft.method.map_or("", ConnectionMethod::name));
    let choose = std::iter::once((String::new(), words.choose.to_owned()));
    let all_methods = ConnectionMethod::ALL.into_iter().map(|method| {
        (
            method.name().to_owned(),
            told::method(app, method).to_owned(),
        )
    });
    let choice = Field::new("connection-method", words.method)
        .fault(page.fault("Method"))
        .choice(choose.chain(all_methods).collect(), chosen, move |name| {
            let chosen = ConnectionMethod::ALL
                .into_iter()
                .find(|method| method.name() == name);
            page.draft.update(|draft| draft.method = chosen);
        });
    let method = Memo::new(move |_| page.draft.with(|draft| draft.method));
    // Everything below follows the choice, and only the choice.
    let fields = live(move || fields(page, method.get(), &providers));
    let body = el("div").el(choice).child(fields);
    panel("sign-in-title", words.sign_in, body).view()
}

fn fields(
    page: Page,
    method: Option<ConnectionMethod>,
    providers: &[ServiceCapabilityProvider],
) -> AnyView {
    let words = page.app.language.connections();
    let has = |part: Part| page.draft.with_untracked(|draft| draft.has(part));
    let hint = match method {
        Some(ConnectionMethod::Anonymous) => Some(words.anonymous_hint),
        Some(ConnectionMethod::PassThrough) => Some(words.pass_through_hint),
        Some(ConnectionMethod::Application) => Some(words.application_hint),
        _ => None,
    };
    let account = method
        .is_some_and(ConnectionMethod::has_password)
        .then(|| account(page));
    el("div")
        .class("form-fields")
        .maybe(hint.map(|hint| el("p").class("quiet").text(hint)))
        .maybe(has(Part::Identity).then(|| identity(page)))
        .maybe(account)
        .maybe(has(Part::Client).then(|| oauth::client(page, providers, has(Part::Access))))
        .view()
}

/// Who signs in there, with what that takes: it follows the choice, which keeps the focus.
fn account(page: Page) -> El {
    let whose = Memo::new(move |_| page.draft.with(|draft| draft.identity));
    el("div").live(move || {
        // Read, not only tracked: a memo that nobody has read hears of nothing.
        whose.with(|_| ());
        let words = page.app.language.connections();
        let has = |part: Part| page.draft.with_untracked(|draft| draft.has(part));
        let kdc = Field::new("connection-kdc", words.kdc)
            .hint(words.kdc_hint)
            .fault(page.fault("Kdc"));
        let token_service = Field::new("connection-token-service", words.token_service)
            .hint(words.token_service_hint)
            .fault(page.fault("TokenService"));
        el("div")
            .class("form-fields")
            .maybe(has(Part::User).then(|| user(page)))
            .maybe(has(Part::Kdc).then(|| line(page, kdc, |draft| &mut draft.kdc)))
            .maybe(
                has(Part::TokenService)
                    .then(|| line(page, token_service, |draft| &mut draft.token_service)),
            )
            .view()
    })
}

fn identity(page: Page) -> El {
    let words = page.app.language.connections();
    let own = page
        .draft
        .with_untracked(|draft| draft.identity == ConnectionIdentity::Service);
    let choices = [
        ("Credentials", words.identity_credentials),
        ("Service", words.identity_service),
    ];
    Field::new("connection-identity", words.identity)
        .hint(words.identity_hint)
        .fault(page.fault("Identity"))
        .choice(
            choices
                .map(|(name, words)| (name.to_owned(), words.to_owned()))
                .to_vec(),
            choices[usize::from(own)].0,
            move |name| {
                let chosen = if name == "Service" {
                    ConnectionIdentity::Service
                } else {
                    ConnectionIdentity::Credentials
                };
                page.draft.update(|draft| draft.identity = chosen);
            },
        )
}

fn user(page: Page) -> El {
    let words = page.app.language.connections();
    let username = Field::new("connection-username", words.username).fault(page.fault("Username"));
    let domain = Field::new("connection-domain", words.domain)
        .hint(words.domain_hint)
        .fault(page.fault("Domain"));
    let password = Field::new("connection-password", words.password)
        .hint(if keeps(page, |known| known.has_password) {
            words.password_kept
        } else {
            words.password_new
        })
        .fault(page.fault("Password"));
    el("div")
        .class("form-fields")
        .el(el("div")
            .class("form-pair")
            .el(line(page, username, |draft| &mut draft.username))
            .el(line(page, domain, |draft| &mut draft.domain)))
        .el(secret(page, password, |draft| &mut draft.password))
}
