//! Lists of a remote site, read and written: six activities over two protocols, SharePoint REST
//! and Microsoft Graph, with nine ways to sign in.
//!
//! ```no_run
//! use std::sync::Arc;
//! use serde_json::json;
//! use site_lists::{
//!     AuthenticationType, DirectTransport, ObjectExpressionParameter, SiteConnection, SiteList, SiteOptions,
//!     add_site_item, establish_site_connection, get_site_items,
//! };
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let connection = SiteConnection::new("https://intranet.example/sites/it", AuthenticationType::Digest)
//!     .with_credentials("ada", std::env::var("SITE_PASSWORD")?);
//! let site = establish_site_connection(&connection, Arc::new(DirectTransport::new()?), SiteOptions::default()).await?;
//!
//! let computers = SiteList::from("Computers");
//! let known = get_site_items(&site, &computers, "Title", &json!("PC-0815")).await?;
//! if known.result.is_empty() {
//!     add_site_item(&site, &computers, &[ObjectExpressionParameter::new("Title", "PC-0815")]).await?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Start reading at [`activities`](establish_site_connection), then [`Site`]. Inside, `client` sends
//! requests, `authentication` signs them in, `rest` and `graph` are the two protocols behind the
//! interface in `protocol`, and `field` knows values and columns.
#![warn(missing_docs)]

// Files of the fuzz targets, which know this crate from outside, are part of its tests.
#[cfg(test)]
extern crate self as site_lists;

mod account;
mod activities;
mod authentication;
mod client;
#[cfg(test)]
mod client_tests;
mod connection;
mod current_user;
mod error;
mod field;
mod filter;
#[cfg(any(test, feature = "fuzzed"))]
pub mod fuzzed;
mod graph;
mod item;
mod item_query;
mod list;
mod list_cache;
mod mutex;
mod odata_url;
mod options;
#[cfg(test)]
mod parsing_tests;
mod protocol;
mod random;
mod rate_limiter;
mod read;
mod reader;
mod response;
mod rest;
mod send_change;
mod site;
mod site_url;
mod system_kerberos;
mod token_source;
mod transport;
mod user;
#[cfg(test)]
mod vectors_tests;
mod warnings;
mod write;

pub use activities::{
    WithWarnings, add_site_item, delete_site_item, edit_site_item, establish_site_connection,
    get_site_item, get_site_items,
};
pub use connection::{
    AuthenticationType, DEFAULT_TIMEOUT, MAX_TIMEOUT, SiteConnection, UnknownAuthenticationType,
};
pub use current_user::CurrentUser;
pub use error::{ErrorKind, Result, SiteError};
pub use field::{
    Column, ConversionError, FromFieldValue, NewColumn, ObjectExpressionParameter, SiteFieldType,
    SiteItemField, SiteLookup, SiteUrl, UnknownFieldType,
};
pub use item::{STANDARD_KEYS, SiteItem, StandardFields};
pub use item_query::{ItemFilter, ItemPage, ItemQuery, Operator};
pub use list::{SiteList, SiteListParts};
pub use options::{Identity, Protocol, SiteOptions};
pub use protocol::{ListInfo, ListPermissions, SiteInfo};
pub use site::Site;
pub use system_kerberos::{SystemKerberos, TicketContext, TicketError, use_system_kerberos};
pub use token_source::TokenSource;
#[cfg(feature = "direct")]
pub use transport::DirectTransport;
pub use transport::{
    ByteStream, Connector, DedicatedConnection, Limits, Request, Response, Transport,
    TransportError,
};
pub use user::SiteUserOrGroup;
pub use warnings::Warnings;
pub use write::{ItemChange, ItemOutcome};
