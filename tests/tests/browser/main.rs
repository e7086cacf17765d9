//! The control and the built-in pages in a real browser: real clicks and keys, a real server, a
//! platform's page on another origin under a strict policy.
//!
//! One module a topic. Each test starts a browser of its own and fails where there is none.

mod accessibility;
mod calm;
mod compact;
mod demo_page;
mod description;
mod descriptors;
mod drafts;
mod embedding;
mod events;
mod first_paint;
mod forms;
mod gallery;
mod gate;
mod gestures;
mod guide;
mod history;
mod items;
mod keyboard;
mod languages;
mod layout;
mod live;
mod long_lists;
mod media;
mod offline;
mod page_language;
mod pages;
mod pages_computers;
mod pages_connections;
mod pages_consent;
mod pages_drafts;
mod pages_keys;
mod pages_logs;
mod pages_looks;
mod pages_runs;
mod pages_templates;
mod pages_webhooks;
mod policy;
mod presence;
mod previews;
mod room;
mod rows;
mod screenshots;
mod scripts_in_texts;
mod sign_in_page;
mod site_server_page;
mod streams;
mod template_changes;
mod together;
mod troubled;
mod unsent;
mod upgrade;
mod words;
mod visibility;
