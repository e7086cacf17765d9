//! The certificate of a client: what of the stored one is no secret, and where another one is
//! given, pasted or as files. The server never returns the private key.

use checklist_shared::wire::connections::CertificateFacts;
use js_sys::Date;
use leptos::web_sys::File;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

use super::state::Page;
use crate::kit::*;

const POINTER: &str = "/ClientCertificate";
/// How long before its end a certificate is marked, in milliseconds: 30 days.
const WARNING_TIME: f64 = 30.0 * 24.0 * 60.0 * 60.0 * 1_000.0;

/// The fields.
pub fn fields(page: Page) -> AnyView {
    let (form, words) = (page.form, page.app.language.connections());
    let stored = page.connection.with_untracked(|connection| {
        let connection = connection.as_ref()?;
        let facts = connection.certificate_facts.clone();
        connection.has_client_certificate.then_some(facts)
    });
    let hint = if stored.is_some() {
        words.certificate_stored
    } else if page.has_stored(|connection| connection.has_client_secret) {
        words.certificate_replaces
    } else {
        words.certificate_files
    };
    let remove = stored.is_some().then(|| {
        view! { <CheckBox bind=form.flag("/RemoveClientCertificate") label=words.certificate_remove /> }
    });
    // The names of the files that were read; what is in them is not shown.
    let files = RwSignal::new(String::new());
    let text = move || {
        let is_read = files.with(|files| !files.is_empty());
        let typed = untrack(|| form.value(POINTER));
        let typed = typed.as_str().filter(|_| !is_read);
        typed.unwrap_or_default().to_owned()
    };
    let set = move |typed: String| {
        form.set(POINTER, typed.into());
        files.set(String::new());
    };
    let error = form.error_at(POINTER, || None);
    let bind = Binding::new("connection-certificate", text, set).error(move || error.get());
    let status = move || {
        let names = files.get();
        let text = fill(words.certificate_read, &[("names", &names)]);
        (!names.is_empty()).then(|| view! { <span class="quiet long" role="status">{text}</span> })
    };
    view! {
        <div class="form-fields">
            {stored.flatten().map(|stored| about(page.app, stored))}
            {remove}
            <p class="hint">{hint}</p>
            <Field bind label=words.certificate_pem hint=words.certificate_hint rows=4 is_code=true />
            <FileField
                label=words.certificate_choose
                accept=".pem,.crt,.cer,.key,.txt"
                multiple=true
                choose=move |chosen| read(form, chosen, files)
            >
                {status}
            </FileField>
        </div>
    }
    .into_any()
}

/// What of a certificate is no secret.
fn about(app: App, stored: CertificateFacts) -> AnyView {
    let words = app.language.connections();
    let now = Date::now();
    let (from, until) = (stored.not_before.as_millis(), stored.not_after.as_millis());
    let warning = if (until as f64) < now {
        Some(pill("bad", words.certificate_expired))
    } else if (from as f64) > now {
        Some(pill("warm", words.certificate_not_yet_valid))
    } else if (until as f64) < now + WARNING_TIME {
        Some(pill("warm", words.certificate_expires_soon))
    } else {
        None
    };
    let subject = view! { <bdi class="long">{stored.subject}</bdi> }.into_any();
    let end = view! { <span class="pills">{time(stored.not_after)}{warning}</span> }.into_any();
    let facts = facts([
        (words.certificate_subject, subject),
        (words.certificate_from, time(stored.not_before)),
        (words.certificate_until, end),
    ]);
    let (label, text) = (words.certificate_thumbprint, stored.thumbprint);
    view! {
        <div class="form-fields">
            {facts}
            <div class="field">
                <p class="label">{label}</p>
                <CopyField id="connection-thumbprint" label text class="outlined" />
            </div>
        </div>
    }
    .into_any()
}

/// Puts the text of the files into the draft, one after the other.
fn read(form: Form, files: Vec<File>, names: RwSignal<String>) {
    spawn_local(async move {
        let (mut text, mut read) = (String::new(), Vec::new());
        for file in &files {
            text.push_str(&file_text(file).await.unwrap_or_default());
            text.push('\n');
            read.push(file.name());
        }
        // The page may have been left, or another proof chosen.
        if names.try_set(read.join(", ")).is_none() {
            form.set(POINTER, Value::String(text));
        }
    });
}
