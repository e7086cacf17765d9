//! The one time that a secret is shown: with a button that copies it, and no way to close by
//! accident.

use leptos::prelude::*;

use crate::app::App;
use crate::element::{button, el};
use crate::parts::copy::copyable;
use crate::parts::dialog::dialog;
use crate::wording::{Wording, fill};

/// A secret: the key's name and what programs send.
pub type Secret = (String, String);

/// The dialog with the secret; `hint` says why it is to be kept.
pub fn shown(
    app: App,
    (name, secret): &Secret,
    hint: &'static str,
    kept: impl FnMut() + 'static,
) -> AnyView {
    let words = app.language.keys();
    let title = fill(words.secret_title, &[("name", name)]);
    let body = el("div")
        .class("dialog-body")
        .el(el("p").text(hint))
        .el(copyable(
            app,
            "secret",
            title.clone(),
            secret.clone(),
            "button primary",
        ))
        .el(el("div")
            .class("buttons end")
            .el(button("button outlined", words.secret_kept, kept)));
    // Escape does nothing: what is closed is gone.
    dialog(title, body.view(), || {})
}
