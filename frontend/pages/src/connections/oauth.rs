//! The part of the form about the authorization server: who this server is there, where browsers
//! come back to, and what a person grants, said choice by choice.
//!
//! Called by `form`.

use checklist_shared::wire::connections::{AccessChoice, ServiceCapabilityProvider};
use leptos::prelude::*;

use super::form::{keeps, line, secret};
use super::page::Page;
use super::told;
use crate::element::{El, el};
use crate::parts::copy::copyable;
use crate::parts::field::{Field, radio};
use crate::wording::Wording;

/// The fields. `grants` says whether a person is asked, and not the application alone.
pub fn client(page: Page, providers: &[ServiceCapabilityProvider], grants: bool) -> El {
    let words = page.app.language.connections();
    let issuer = Field::new("connection-issuer", words.issuer)
        .hint(words.issuer_hint)
        .fault(page.fault("Issuer"));
    let client_id = Field::new("connection-client", words.client_id)
        .hint(words.client_id_hint)
        .fault(page.fault("ClientId"));
    let hint = if keeps(page, |known| known.has_client_secret) {
        words.client_secret_kept
    } else if grants {
        words.client_secret_public
    } else {
        words.password_new
    };
    let client_secret = Field::new("connection-client-secret", words.client_secret)
        .hint(hint)
        .fault(page.fault("ClientSecret"));
    let provider = providers.first().filter(|_| grants);
    el("div")
        .class("form-fields")
        .maybe(provider.map(|provider| named(page, provider)))
        .el(line(page, issuer, |draft| &mut draft.issuer))
        .el(el("div")
            .class("form-pair")
            .el(line(page, client_id, |draft| &mut draft.client_id))
            .el(secret(page, client_secret, |draft| {
                &mut draft.client_secret
            })))
        .maybe(provider.map(|provider| choices(page, provider)))
        .maybe(provider.map(|provider| redirect(page, provider)))
}

/// Which provider it is, with its scope as it is listed.
fn named(page: Page, provider: &ServiceCapabilityProvider) -> El {
    let words = page.app.language.connections();
    el("dl")
        .class("facts")
        .el(el("dt").text(words.provider))
        .el(el("dd").el(told::from_server(page.app, provider.name.clone())))
        .el(el("dt").text(words.provider_scope))
        .el(el("dd").el(el("code").class("long").text(provider.scope.clone())))
}

fn choices(page: Page, provider: &ServiceCapabilityProvider) -> El {
    let words = page.app.language.connections();
    el("fieldset")
        .class("field")
        .el(el("legend").class("label").text(words.access))
        .el(el("div").class("ticks").els(
            provider
                .choices
                .iter()
                .enumerate()
                .map(|(number, choice)| one(page, number, choice)),
        ))
}

fn one(page: Page, number: usize, choice: &AccessChoice) -> El {
    let words = page.app.language.connections();
    let (name, grants) = told::access(page.app, choice);
    let access = choice.access;
    let (rest, graph) = (choice.rest_scopes.clone(), choice.graph_scopes.clone());
    let asked = el("p")
        .class("hint long")
        .text([words.asked_for, " "].concat())
        .el(el("code").follow_text(move || page.draft.with(|draft| draft.scopes(&rest, &graph))));
    radio(
        "connection-access",
        name,
        (
            format!("connection-access-{number}"),
            el("div").el(grants).el(asked),
        ),
        move || page.draft.with(|draft| draft.access == access),
        move || page.draft.update(|draft| draft.access = access),
    )
}

fn redirect(page: Page, provider: &ServiceCapabilityProvider) -> El {
    let words = page.app.language.connections();
    el("div")
        .class("field")
        .el(el("p").class("label").text(words.redirect_uri))
        .el(copyable(
            page.app,
            "connection-redirect",
            words.redirect_uri,
            provider.redirect_uri.clone(),
            "button outlined",
        ))
        .el(el("p").class("hint").text(words.redirect_uri_hint))
}
