//! How forms are drawn: on a page, and in a dialog.

use leptos::prelude::*;

use super::controls::{Alert, Button, SubmitButton};
use super::dialog::Dialog;
use super::form::Form;
use crate::app::use_app;
use crate::wording::Wording;

/// The alert of a form, above its buttons.
#[component]
pub fn FormAlert(form: Form) -> AnyView {
    (move || form.alert.get().map(|text| view! { <Alert text /> })).into_any()
}

/// A form on a page, with a button that saves it.
#[component]
pub fn PageForm(form: Form, submit: impl Fn() + 'static, children: Children) -> AnyView {
    let words = use_app().language.frame();
    let label = move || {
        if form.busy.get() {
            words.saving.to_owned()
        } else {
            words.save.to_owned()
        }
    };
    view! {
        <form class="narrow-form" novalidate on:submit=submitted(submit)>
            {children()}
            <FormAlert form />
            <div class="buttons">
                <SubmitButton label=Signal::derive(label) />
            </div>
        </form>
    }
    .into_any()
}

/// A form in a dialog. It stays open until the page closes it, or it is cancelled: not while it is
/// being sent, since the answer may hold a secret that is shown once.
#[component]
pub fn FormDialog(
    form: Form,
    #[prop(into)] title: String,
    /// The label of the button that submits it.
    action: &'static str,
    submit: impl Fn() + Send + 'static,
    children: Children,
) -> AnyView {
    let app = use_app();
    let close = move || {
        if !form.busy.get_untracked() {
            app.close_dialog();
        }
    };
    view! {
        <Dialog title cancel=close>
            <form class="dialog-body" novalidate on:submit=submitted(submit)>
                {children()}
                <FormAlert form />
                <div class="buttons end">
                    <Button label=app.language.frame().cancel click=close />
                    <SubmitButton label=action />
                </div>
            </form>
        </Dialog>
    }
    .into_any()
}

/// A listener for `submit` that keeps the browser from sending the form itself.
pub fn submitted(submit: impl Fn() + 'static) -> Box<dyn FnMut(leptos::ev::SubmitEvent)> {
    Box::new(move |event| {
        event.prevent_default();
        submit();
    })
}
