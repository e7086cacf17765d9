//! Fields: a label, something to write in or choose from, a hint, and what is wrong with it.
//!
//! Label, hint and fault are tied to the field, so that they are read out with it.

use std::borrow::Cow;

use leptos::web_sys::window;

use crate::element::{El, el, focus, live, nothing, ticked, typed};

type Fault = Box<dyn Fn() -> Option<String> + Send + Sync>;

/// A field that is being put together.
pub struct Field {
    id: String,
    label: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
    fault: Option<std::sync::Arc<Fault>>,
    class: &'static str,
    lang: Option<String>,
}

impl Field {
    /// A field with an id that no other element of the page has.
    #[must_use]
    pub fn new(id: impl Into<String>, label: impl Into<Cow<'static, str>>) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            hint: None,
            fault: None,
            class: "field",
            lang: None,
        }
    }

    /// What stands below it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What is wrong with it, following what the function reads.
    #[must_use]
    pub fn fault(mut self, fault: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        self.fault = Some(std::sync::Arc::new(Box::new(fault)));
        self
    }

    /// Another class than `field`.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// As one line of text.
    #[must_use]
    pub fn line(self, value: impl Into<String>, act: impl FnMut(String) + 'static) -> El {
        self.of_kind("text", value, act)
    }

    /// As one line of that input type.
    #[must_use]
    pub fn of_kind(
        self,
        kind: &'static str,
        value: impl Into<String>,
        mut act: impl FnMut(String) + 'static,
    ) -> El {
        let input = el("input")
            .attr("type", kind)
            .attr("autocomplete", "off")
            .value(value);
        self.around(input.on("input", move |event| act(typed(&event))))
    }

    /// As several lines.
    #[must_use]
    pub fn area(
        self,
        rows: u32,
        value: impl Into<String>,
        mut act: impl FnMut(String) + 'static,
    ) -> El {
        let mut area = el("textarea").attr("rows", rows.to_string()).value(value);
        // What is no text is not for a dictionary, which may be somebody else's service.
        if self.class.contains("code-field") {
            area = area.attr("spellcheck", "false").attr("autocomplete", "off");
        }
        self.around(area.on("input", move |event| act(typed(&event))))
    }

    /// As a choice among pairs of value and words.
    #[must_use]
    pub fn choice(
        self,
        options: Vec<(String, String)>,
        chosen: &str,
        mut act: impl FnMut(String) + 'static,
    ) -> El {
        let options = options.into_iter().map(|(value, words)| {
            let option = el("option").flag("selected", value == chosen);
            option.attr("value", value).text(words)
        });
        self.around(
            el("select")
                .els(options)
                .on("change", move |event| act(typed(&event))),
        )
    }

    fn around(self, input: El) -> El {
        let Self {
            id,
            label,
            hint,
            fault,
            class,
            lang,
        } = self;
        let (hint_id, fault_id) = (format!("{id}-hint"), format!("{id}-fault"));
        let mut described = Vec::new();
        if hint.is_some() {
            described.push(hint_id.clone());
        }
        if fault.is_some() {
            described.push(fault_id.clone());
        }
        let mut input = input.class("input").id(id.clone());
        if !described.is_empty() {
            input = input.attr("aria-describedby", described.join(" "));
        }
        if let Some(lang) = lang {
            input = input.attr("lang", lang).attr("dir", "auto");
        }
        if let Some(fault) = fault.clone() {
            input = input.follow("aria-invalid", move || fault().map(|_| "true".to_owned()));
        }
        let shown = fault.map(|fault| {
            el("div").id(fault_id).child(live(move || match fault() {
                Some(sentence) => el("p").class("hint danger").text(sentence).view(),
                None => nothing(),
            }))
        });
        el("div")
            .class(class)
            .el(el("label").class("label").attr("for", id).text(label))
            .el(input)
            .maybe(hint.map(|hint| el("p").class("hint").id(hint_id).text(hint)))
            .maybe(shown)
    }
}

/// A switch: on or off.
#[must_use]
pub fn switch(
    label: impl Into<Cow<'static, str>>,
    hint: Option<&'static str>,
    on: impl Fn() -> bool + Send + 'static,
    mut act: impl FnMut(bool) + 'static,
) -> El {
    let words = el("span").class("switch-words").el(el("span").text(label));
    let words = words.maybe(hint.map(|hint| el("small").text(hint)));
    el("label").class("switch").el(words).el(el("input")
        .attr("type", "checkbox")
        .attr("role", "switch")
        .checked(on)
        .on("change", move |event| act(ticked(&event))))
}

/// One of several things that may be chosen together.
#[must_use]
pub fn tick(
    label: impl Into<Cow<'static, str>>,
    on: impl Fn() -> bool + Send + 'static,
    mut act: impl FnMut(bool) + 'static,
) -> El {
    el("label")
        .class("tick")
        .el(el("input")
            .attr("type", "checkbox")
            .class("box")
            .checked(on)
            .on("change", move |event| act(ticked(&event))))
        .el(el("span").text(label))
}

/// Gives the first field with a fault the focus, once that is drawn.
pub fn focus_first_fault() {
    let act = || {
        let document = window().and_then(|window| window.document());
        let field =
            document.and_then(|document| document.query_selector("[aria-invalid=true]").ok()?);
        if let Some(field) = field {
            focus(&field);
        }
    };
    checklist_control::browser::set_timeout(0, Box::new(act));
}
