//! The certificate of a client: what of it is no secret, and where another one is given, pasted or
//! as files. The private key is never shown again once it is saved.

use checklist_shared::wire::connections::CertificateFacts;
use js_sys::Date;
use leptos::prelude::*;
use leptos::web_sys::{Event, File, HtmlInputElement};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

use super::form::{keeps, put};
use super::page::Page;
use crate::element::{El, el, nothing};
use crate::logs::told::time;
use crate::parts::copy::copyable;
use crate::parts::field::{Field, tick};
use crate::templates::exchange::text_of;
use crate::wording::{Wording, fill};

/// So many days before its end somebody is told.
const SOON: f64 = 30.0;
const DAY: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;

/// What is kept, and the field for another one.
pub fn fields(page: Page) -> El {
    let words = page.app.language.connections();
    let kept = page.known.with_untracked(|known| {
        let known = known.as_ref()?;
        known
            .has_client_certificate
            .then(|| known.certificate_facts.clone())
    });
    let is_kept = kept.is_some();
    let hint = if is_kept {
        words.certificate_kept
    } else if keeps(page, |known| known.has_client_secret) {
        words.certificate_replaces
    } else {
        words.certificate_files
    };
    let names = RwSignal::new(String::new());
    // Counts the files that took the place of what was pasted.
    let chosen = RwSignal::new(0_u32);
    let area = move || {
        chosen.track();
        let mut write = put(page, |draft| &mut draft.client_certificate);
        let pasted = names.with_untracked(String::is_empty);
        let typed = page
            .draft
            .with_untracked(|draft| draft.client_certificate.clone());
        Field::new("connection-certificate", words.certificate_pem)
            .class("field code-field")
            .hint(words.certificate_hint)
            .fault(page.fault("ClientCertificate"))
            .area(4, if pasted { typed } else { String::new() }, move |text| {
                names.set(String::new());
                write(text);
            })
            .view()
    };
    el("div")
        .class("form-fields")
        .maybe(kept.flatten().map(|facts| told(page, &facts)))
        .maybe(is_kept.then(|| {
            tick(
                words.certificate_remove,
                move || page.draft.with(|draft| draft.remove_client_certificate),
                move |on| {
                    page.draft
                        .update(|draft| draft.remove_client_certificate = on)
                },
            )
        }))
        .el(el("p").class("hint").text(hint))
        .live(area)
        .el(el("label")
            .class("file-field")
            .el(el("span")
                .class("button outlined")
                .attr("aria-hidden", "true")
                .text(words.certificate_choose))
            .el(el("input")
                .attr("type", "file")
                .attr("multiple", "")
                .attr("accept", ".pem,.crt,.cer,.key,.txt")
                .attr("aria-label", words.certificate_choose)
                .on("change", move |event| {
                    read(page, files(&event), names, chosen)
                }))
            .live(move || {
                let names = names.get();
                if names.is_empty() {
                    return nothing();
                }
                el("span")
                    .class("quiet long")
                    .attr("role", "status")
                    .text(fill(words.certificate_read, &[("names", &names)]))
                    .view()
            }))
}

/// What of a certificate is no secret.
fn told(page: Page, facts: &CertificateFacts) -> El {
    let (app, words) = (page.app, page.app.language.connections());
    let fact = |name: &'static str, value: El| [el("dt").text(name), el("dd").el(value)];
    let now = Date::now();
    let (from, until) = (facts.not_before.as_millis(), facts.not_after.as_millis());
    let warning = if (until as f64) < now {
        Some(("pill bad", words.certificate_ended))
    } else if (from as f64) > now {
        Some(("pill warm", words.certificate_begins))
    } else if (until as f64) < now + SOON * DAY {
        Some(("pill warm", words.certificate_ends))
    } else {
        None
    };
    let ends = el("span")
        .class("pills")
        .el(time(app, facts.not_after))
        .maybe(warning.map(|(class, text)| el("span").class(class).text(text)));
    el("div")
        .class("form-fields")
        .el(el("dl")
            .class("facts")
            .els(fact(
                words.certificate_subject,
                el("bdi").class("long").text(facts.subject.clone()),
            ))
            .els(fact(words.certificate_from, time(app, facts.not_before)))
            .els(fact(words.certificate_until, ends)))
        .el(el("div")
            .class("field")
            .el(el("p").class("label").text(words.certificate_thumbprint))
            .el(copyable(
                app,
                "connection-thumbprint",
                words.certificate_thumbprint,
                facts.thumbprint.clone(),
                "button outlined",
            )))
}

/// The files that were chosen.
fn files(event: &Event) -> Vec<File> {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let list = field.and_then(|field| field.files());
    list.map(|list| (0..list.length()).filter_map(|at| list.get(at)).collect())
        .unwrap_or_default()
}

/// Takes what stands in the files, one behind the other.
fn read(page: Page, files: Vec<File>, names: RwSignal<String>, chosen: RwSignal<u32>) {
    if files.is_empty() {
        return;
    }
    spawn_local(async move {
        let (mut all, mut called) = (String::new(), Vec::new());
        for file in &files {
            all.push_str(&text_of(file).await.unwrap_or_default());
            all.push('\n');
            called.push(file.name());
        }
        // The page may have been left, or another proof chosen.
        if names.try_set(called.join(", ")).is_some() {
            return;
        }
        page.draft.update(|draft| draft.client_certificate = all);
        chosen.update(|chosen| *chosen += 1);
    });
}
