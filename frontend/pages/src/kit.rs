//! What the pages are made of: lists of resources, forms, dialogs, actions, polling, and the small
//! elements.
//!
//! Components take the [`App`] from the context. Pages import all of it with `use crate::kit::*`.

mod action;
mod controls;
mod copy;
mod dialog;
mod field;
mod file;
mod form;
mod form_field;
mod form_view;
mod list;
mod load;
mod more_actions;
mod page;
mod paged_list;
mod poll;
mod problem;
mod row;
mod search_form;
mod table;

pub(crate) use controls::*;
pub(crate) use copy::*;
pub(crate) use dialog::*;
pub(crate) use field::*;
pub(crate) use file::*;
pub(crate) use form::*;
pub(crate) use form_field::*;
pub(crate) use form_view::*;
pub(crate) use list::*;
pub(crate) use load::*;
pub(crate) use more_actions::*;
pub(crate) use page::*;
pub(crate) use paged_list::*;
pub(crate) use poll::*;
pub(crate) use problem::*;
pub(crate) use row::RowType;
pub(crate) use search_form::*;
pub(crate) use table::*;

pub(crate) use crate::api::{self, ApiError};
pub(crate) use crate::app::{App, use_app};
pub(crate) use crate::dom::*;
pub(crate) use crate::navigation::{href, parameter};
pub(crate) use crate::route::{PageSearch, Route, encoded};
pub(crate) use crate::wording::{Language, Wording, counted, fill};
pub(crate) use checklist_shared::problem::ProblemCode;
pub(crate) use gloo_net::http::Method;
pub(crate) use leptos::prelude::*;
