//! How long names are kept, and which texts go with them: a dialog of the page People.

use checklist_shared::wire::erasure::{ErasableText, Retention};
use serde_json::{Value, json};

use crate::kit::*;

/// Days as a number; empty means for ever.
const DAYS: Conversion = Conversion {
    format: |days| {
        days.as_u64()
            .map(|days| days.to_string())
            .unwrap_or_default()
    },
    parse: |text| Some(json!(text.trim().parse::<u32>().ok()?)),
};

/// Reads what is decided, and shows it for a change.
pub fn open(app: App) {
    let request = api::get::<Retention>(app, "Retention");
    app.send(request, move |decided| {
        app.show_dialog(move || form(app, &decided))
    });
}

fn form(app: App, decided: &Retention) -> AnyView {
    let words = app.language.keys();
    // For ever has to be said, since what is not named stays as it is.
    let form = Form::new(
        "retention",
        &json!({ "PersonalDays": decided.personal_days, "Texts": decided.texts }),
    );
    let save = move || {
        form.submit(
            move |draft: Value| api::put::<Retention>(app, "Retention", draft),
            move |_| {
                app.close_dialog();
                app.say(words.retention_saved);
            },
        );
    };
    let label = |text: ErasableText| match text {
        ErasableText::Notes => words.retention_notes,
        ErasableText::Reasons => words.retention_reasons,
        ErasableText::AddedItems => words.retention_added_items,
    };
    let boxes = ErasableText::ALL.map(|text| {
        let name = json!(text);
        let name = name.as_str().unwrap_or_default();
        (form.contains("/Texts", name), label(text))
    });
    let days = form.at("/PersonalDays").optional().converted(DAYS);
    let days = days.invalid(words.retention_days_wrong);
    view! {
        <FormDialog form title=words.retention action=app.language.frame().save submit=save>
            <Field bind=days label=words.retention_days hint=words.retention_days_hint />
            <CheckBoxes legend=words.retention_texts boxes=boxes.into() error=form.error_at("/Texts", || None) />
        </FormDialog>
    }
    .into_any()
}
