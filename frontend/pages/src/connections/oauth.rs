//! The part of the form about the authorization server: who this server is there and how it proves
//! that, where browsers come back to, and what a person grants, said choice by choice.

use checklist_shared::wire::connections::{AccessChoice, ServiceCapabilityProvider};
use leptos::prelude::*;

use super::draft::Proof;
use super::form::{keeps, line, secret};
use super::page::Page;
use super::{certificate, told};
use crate::element::{El, el};
use crate::parts::copy::copyable;
use crate::parts::field::{Field, radio, tick};
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
    let provider = providers.first().filter(|_| grants);
    let shown = Memo::new(move |_| page.draft.with(|draft| draft.proof));
    el("div")
        .class("form-fields")
        .maybe(provider.map(|provider| named(page, provider)))
        .el(line(page, issuer, |draft| &mut draft.issuer))
        .el(el("div")
            .class("form-pair")
            .el(line(page, client_id, |draft| &mut draft.client_id))
            .el(proof(page)))
        .live(move || match shown.get() {
            Proof::Secret => client_secret(page, grants).view(),
            Proof::Certificate => certificate::fields(page).view(),
        })
        .maybe(provider.map(|provider| choices(page, provider)))
        .maybe(provider.map(|provider| redirect(page, provider)))
}

/// What the client proves by who it is.
fn proof(page: Page) -> El {
    let words = page.app.language.connections();
    let choices = [
        (Proof::Secret, "Secret", words.client_secret),
        (Proof::Certificate, "Certificate", words.certificate),
    ];
    let chosen = page.draft.with_untracked(|draft| draft.proof);
    let chosen = choices.iter().find(|(proof, ..)| *proof == chosen);
    Field::new("connection-proof", words.proof).choice(
        choices
            .iter()
            .map(|(_, name, words)| ((*name).to_owned(), (*words).to_owned()))
            .collect(),
        chosen.map_or("", |(_, name, _)| name),
        move |name| {
            if let Some((proof, ..)) = choices.iter().find(|(_, own, _)| *own == name) {
                page.draft.update(|draft| draft.proof = *proof);
            }
        },
    )
}

fn client_secret(page: Page, grants: bool) -> El {
    let words = page.app.language.connections();
    let is_kept = keeps(page, |known| known.has_client_secret);
    let hint = if is_kept {
        words.client_secret_kept
    } else if keeps(page, |known| known.has_client_certificate) {
        words.client_secret_replaces
    } else if grants {
        words.client_secret_public
    } else {
        words.password_new
    };
    let field = Field::new("connection-client-secret", words.client_secret)
        .hint(hint)
        .fault(page.fault("ClientSecret"));
    let remove = is_kept.then(|| {
        tick(
            words.client_secret_remove,
            move || page.draft.with(|draft| draft.remove_client_secret),
            move |on| page.draft.update(|draft| draft.remove_client_secret = on),
        )
    });
    el("div")
        .class("form-fields")
        .el(secret(page, field, |draft| &mut draft.client_secret))
        .maybe(remove)
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
