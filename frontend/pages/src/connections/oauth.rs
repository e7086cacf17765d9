//! The fields of OAuth: authorization server, client and its secret, what a person grants, and
//! where browsers come back to.

use checklist_shared::wire::connections::{AccessChoice, ServiceCapabilityProvider};
use serde_json::json;

use super::state::Page;
use super::{certificate, draft, format};
use crate::kit::*;

/// The fields. `is_delegated` says whether a person is asked, and not the application alone.
pub fn client(page: Page, providers: &[ServiceCapabilityProvider], is_delegated: bool) -> AnyView {
    let (app, form, words) = (page.app, page.form, page.app.language.connections());
    let provider = providers.first().filter(|_| is_delegated);
    let proofs = options([
        ("Secret", words.client_secret),
        ("Certificate", words.certificate),
    ]);
    let proof = Memo::new(move |_| form.value("/Proof"));
    let secret = move || {
        if proof.get() == "Certificate" {
            untrack(|| certificate::fields(page))
        } else {
            untrack(|| client_secret(page, is_delegated))
        }
    };
    let about = provider.map(|provider| {
        let scope = provider.scope.clone();
        facts([
            (words.provider, server_text(app, "", provider.name.clone())),
            (
                words.provider_scope,
                view! { <code class="long">{scope}</code> }.into_any(),
            ),
        ])
    });
    let issuer = form.at("/Issuer").optional();
    view! {
        <div class="form-fields">
            {about}
            <Field bind=issuer label=words.issuer hint=words.issuer_hint />
            <div class="form-pair">
                <Field bind=form.at("/ClientId").optional() label=words.client_id hint=words.client_id_hint />
                <Select bind=form.at("/Proof") label=words.proof options=proofs />
            </div>
            {secret}
            {provider.map(|provider| grants(page, provider))}
            {provider.map(|provider| redirect_uri(app, provider))}
        </div>
    }
    .into_any()
}

fn client_secret(page: Page, is_delegated: bool) -> AnyView {
    let (form, words) = (page.form, page.app.language.connections());
    let is_stored = page.has_stored(|connection| connection.has_client_secret);
    let hint = if is_stored {
        words.client_secret_stored
    } else if page.has_stored(|connection| connection.has_client_certificate) {
        words.client_secret_replaces
    } else if is_delegated {
        words.client_secret_public
    } else {
        words.password_new
    };
    let bind = form.at("/ClientSecret").optional().converted(VERBATIM);
    let remove = is_stored.then(|| {
        view! { <CheckBox bind=form.flag("/RemoveClientSecret") label=words.client_secret_remove /> }
    });
    view! {
        <div class="form-fields">
            <Field bind label=words.client_secret hint kind="password" />
            {remove}
        </div>
    }
    .into_any()
}

fn grants(page: Page, provider: &ServiceCapabilityProvider) -> AnyView {
    let choices = provider.choices.iter().enumerate();
    let choices = choices.map(|(number, choice)| grant(page, number, choice));
    let choices: Vec<AnyView> = choices.collect();
    view! {
        <fieldset class="field">
            <legend class="label">{page.app.language.connections().access}</legend>
            <div class="ticks">{choices}</div>
        </fieldset>
    }
    .into_any()
}

fn grant(page: Page, number: usize, choice: &AccessChoice) -> AnyView {
    let (app, form) = (page.app, page.form);
    let (label, grants) = format::access(app, choice);
    let access = json!(choice.access);
    let own = access.clone();
    let bind = Flag::new(
        move || form.value("/Access") == own,
        move |_| form.set("/Access", access.clone()),
    );
    let (rest, graph) = (choice.rest_scopes.clone(), choice.graph_scopes.clone());
    let scopes = move || draft::scopes(&form.value(""), &rest, &graph);
    let about = format!("connection-access-{number}");
    view! {
        <Radio group="connection-access" label about bind>
            {grants}
            <p class="hint long">{app.language.connections().asked_for}" "<code>{scopes}</code></p>
        </Radio>
    }
    .into_any()
}

fn redirect_uri(app: App, provider: &ServiceCapabilityProvider) -> AnyView {
    let words = app.language.connections();
    let text = provider.redirect_uri.clone();
    view! {
        <div class="field">
            <p class="label">{words.redirect_uri}</p>
            <CopyField id="connection-redirect" label=words.redirect_uri text class="outlined" />
            <p class="hint">{words.redirect_uri_hint}</p>
        </div>
    }
    .into_any()
}
