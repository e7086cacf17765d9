//! Texts that are there to be copied, and secrets that are shown once.
//!
//! Where the clipboard is closed, the text is selected instead.

use leptos::prelude::*;
use leptos::web_sys::{HtmlInputElement, window};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::controls::Button;
use super::dialog::Dialog;
use crate::app::{App, use_app};
use crate::dom::element;
use crate::wording::{Wording, fill};

/// A read-only field with a button that copies its text.
#[component]
pub fn CopyField(
    id: &'static str,
    #[prop(into)] label: String,
    text: String,
    /// The class of the button.
    #[prop(optional)]
    class: &'static str,
) -> AnyView {
    let words = use_app().language.frame();
    let status = RwSignal::new("");
    let copied = text.clone();
    let copy = move || {
        let text = copied.clone();
        spawn_local(async move {
            if write_to_clipboard(&text).await {
                status.try_set(words.copied);
            } else {
                select(id);
            }
        });
    };
    view! {
        <div class="copyable">
            <div class="secret">
                <input
                    class="input"
                    id=id
                    type="text"
                    readonly
                    aria-label=label
                    prop:value=text
                    on:focus=move |_| select(id)
                />
                <Button label=words.copy class click=copy />
            </div>
            <p class="hint" role="status">{status}</p>
        </div>
    }
    .into_any()
}

async fn write_to_clipboard(text: &str) -> bool {
    let Some(window) = window() else { return false };
    JsFuture::from(window.navigator().clipboard().write_text(text))
        .await
        .is_ok()
}

fn select(id: &str) {
    if let Some(Ok(field)) = element(id).map(JsCast::dyn_into::<HtmlInputElement>) {
        field.select();
    }
}

impl App {
    /// Shows the secret of something new, once. `hint` says why it has to be stored now.
    pub fn show_secret(self, name: &str, secret: String, hint: &'static str) {
        let title = fill(self.language.keys().secret_title, &[("name", name)]);
        self.show_once(title, secret, hint);
    }

    /// Shows a text that is not shown again, to be copied.
    pub fn show_once(self, title: String, secret: String, hint: &'static str) {
        let words = self.language.keys();
        // Escape does nothing: the secret cannot be shown again.
        self.show_dialog(move || {
            let (label, secret) = (title.clone(), secret.clone());
            view! {
                <Dialog title=title.clone() cancel=|| ()>
                    <div class="dialog-body">
                        <p>{hint}</p>
                        <CopyField id="secret" label=label text=secret class="primary" />
                        <div class="buttons end">
                            <Button label=words.secret_kept class="outlined" click=move || self.close_dialog() />
                        </div>
                    </div>
                </Dialog>
            }
            .into_any()
        });
    }
}
