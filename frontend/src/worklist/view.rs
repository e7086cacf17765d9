//! Draws a worklist: a card with a title, its rows or what stands in their place, and the button for more.
//!
//! Class names and parts are those of the control where they mean the same; `more` is its own
//! (`style/worklist/worklist.css`).

use leptos::prelude::*;
use web_sys::MouseEvent;

use super::controller::{Reading, Stage, WorklistController};
use super::focus::focus_soon;
use super::row_view::move_focus;
use super::wording::Wording;
use crate::browser;
use crate::i18n::fill;

impl WorklistController {
    /// The view, for the place where the worklist is mounted.
    #[must_use]
    pub fn view(&self) -> AnyView {
        let (card, spoken) = (self.clone(), self.clone());
        view! {
            <div
                class="control"
                on:input=|event| event.stop_propagation()
                on:change=|event| event.stop_propagation()
            >
                {move || card.card()}
                <div class="sr" role="status" aria-live="polite">
                    {move || spoken.spoken()}
                </div>
            </div>
        }
        .into_any()
    }

    fn card(&self) -> AnyView {
        let language = self.mode().words.language;
        let (busy, body, title) = (self.clone(), self.clone(), self.clone());
        let is_busy = move || {
            let is_busy = busy.stage() == Stage::Loading || busy.reading() == Reading::Busy;
            is_busy.to_string()
        };
        view! {
            <section
                class="card worklist"
                part="card"
                lang=language.tag()
                dir=language.direction()
                aria-labelledby="worklist-title"
                aria-busy=is_busy
            >
                <header class="header" part="header">
                    <h2 class="title" part="title" id="worklist-title" dir="auto">
                        {move || title.title()}
                    </h2>
                </header>
                {move || body.body()}
            </section>
        }
        .into_any()
    }

    fn title(&self) -> String {
        let wording = self.wording();
        self.with_settings(|settings| {
            if settings.late {
                wording.late.to_owned()
            } else if settings.proposed {
                wording.proposed.to_owned()
            } else if let Some(id) = settings.other_assignee() {
                fill(wording.of_other, &[("name", &self.name_of(id))])
            } else if settings.is_of_caller() {
                wording.mine.to_owned()
            } else {
                wording.all.to_owned()
            }
        })
    }

    fn body(&self) -> AnyView {
        match self.stage() {
            Stage::Loading => skeleton(self.wording()),
            Stage::Failed(why) => self.failure(self.wording().load_failed, why),
            Stage::Ready => {
                let (failed, list, end) = (self.clone(), self.clone(), self.clone());
                let is_empty = {
                    let rows = self.clone();
                    Memo::new(move |_| rows.rows().is_empty())
                };
                view! {
                    {move || failed.refresh_failure()}
                    {move || if is_empty.get() { list.empty() } else { list.list() }}
                    {move || end.end()}
                }
                .into_any()
            }
        }
    }

    /// Why nothing could be read, with a way to try again.
    fn failure(&self, what: &'static str, why: String) -> AnyView {
        let again = self.clone();
        view! {
            <div class="failure" part="failure" role="alert">
                <div>
                    <p>
                        <strong>{what}</strong>
                    </p>
                    <p>{why}</p>
                </div>
                <button type="button" class="button" on:click=move |_| again.refresh()>
                    {self.mode().texts().try_again()}
                </button>
            </div>
        }
        .into_any()
    }

    fn refresh_failure(&self) -> Option<AnyView> {
        match self.reading() {
            Reading::Failed(why) => Some(self.failure(self.wording().refresh_failed, why)),
            Reading::Idle | Reading::Busy => None,
        }
    }

    fn empty(&self) -> AnyView {
        let (wording, texts) = (self.wording(), self.mode().texts());
        let (title, hint) = self.with_settings(|settings| {
            let is_searched = !settings.text.trim().is_empty();
            let (title, hint) = if is_searched {
                (texts.no_matches(), wording.none_text_hint)
            } else if settings.late {
                (wording.none_late, wording.none_late_hint)
            } else if settings.proposed {
                (wording.none_proposed, wording.none_proposed_hint)
            } else if settings.is_of_caller() {
                (wording.none_mine, wording.none_mine_hint)
            } else {
                (wording.none_all, wording.none_all_hint)
            };
            match settings.other_assignee().filter(|_| !is_searched) {
                Some(name) => (
                    fill(wording.none_other, &[("name", name)]),
                    wording.none_other_hint,
                ),
                None => (title.to_owned(), hint),
            }
        });
        view! {
            <div class="empty" part="empty">
                <slot name="empty">
                    <p class="empty-title">{title}</p>
                    <p>{hint}</p>
                </slot>
            </div>
        }
        .into_any()
    }

    fn list(&self) -> AnyView {
        let (rows, row) = (self.clone(), self.clone());
        view! {
            <ul class="list" part="list" role="list" on:keydown=move_focus>
                <For each=move || rows.rows() key=|row| row.key.clone() children=move |one| row.row(one) />
            </ul>
        }
        .into_any()
    }

    /// The button for further items, which takes the focus to the first of them.
    fn end(&self) -> Option<AnyView> {
        if !self.has_more() {
            return None;
        }
        let (more, label) = (self.clone(), self.clone());
        let click = move |event: MouseEvent| {
            let card = browser::origin(&event)
                .and_then(|button| button.closest(".worklist").ok().flatten());
            let focus = move |id: u32| {
                if let Some(card) = card {
                    focus_soon(card, format!("#c{id}"));
                }
            };
            more.load_more(Box::new(focus));
        };
        let label = move || {
            let is_empty = label.rows().is_empty();
            match label.reading() {
                Reading::Busy => label.mode().texts().part_loading(),
                _ if is_empty => label.wording().search_on,
                _ => label.wording().more,
            }
        };
        let view = view! {
            <div class="more" part="more">
                <button type="button" class="button" on:click=click>
                    {label}
                </button>
            </div>
        };
        Some(view.into_any())
    }
}

/// In the shape of what follows.
fn skeleton(wording: &Wording) -> AnyView {
    let bars: Vec<_> = (0..4).map(|_| view! { <span></span> }.into_any()).collect();
    view! {
        <p class="sr">{wording.loading}</p>
        <div class="skeleton" aria-hidden="true">
            {bars}
        </div>
    }
    .into_any()
}
