//! `admin-link`: a one-time link that opens the administration without an identity provider.
//!
//! A lost passkey makes no second administrator: where there is an administrator, the operator says whether the
//! link is for one of them or for a new one.

use checklist_auth::Principal;
use checklist_services::admin_links;
use checklist_services::admission;
use checklist_services::base_url::BaseUrl;
use checklist_services::sessions::LOCAL;
use checklist_store::directory::UserRecord;
use clap::Args;

use super::access::{TenantOptions, known_tenant, with_directory};
use super::output::say;
use crate::config::StartupError;

/// How many administrators a refusal names.
const NAMED: usize = 10;

/// For whom a one-time link is made.
#[derive(Debug, Args)]
pub struct AdminLinkOptions {
    #[command(flatten)]
    of: TenantOptions,
    /// Signs in this local administrator, by the id that `user list` shows.
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Makes whoever uses the link a new administrator, beside those that there are. A tenant's first one needs
    /// no option.
    #[arg(long, conflicts_with = "subject")]
    new: bool,
    /// Where browsers reach the server.
    #[arg(
        long,
        value_name = "URL",
        env = "CHECKLIST_BASE_URL",
        default_value = "http://127.0.0.1:8080"
    )]
    base_url: BaseUrl,
}

/// Runs it.
///
/// # Errors
/// What was refused, and why.
pub fn run(options: &AdminLinkOptions) -> Result<(), StartupError> {
    with_directory(&options.of.data, async |app| {
        let tenant = known_tenant(app, &options.of.tenant).await?;
        if options.subject.is_none() && !options.new {
            let present = admission::administrators(app, &tenant).await?;
            if !present.is_empty() {
                return Err(has_administrators(&tenant, &present));
            }
        }
        let operator = Principal::operator(&tenant);
        let link = admin_links::create(app, &operator, options.subject.as_deref()).await?;
        eprintln!(
            "opens the administration once, within 10 minutes, in the first browser that opens it:"
        );
        say(&link.address(&options.base_url));
        Ok(())
    })
}

/// Who administers the tenant, and how to say for whom the link is.
fn has_administrators(tenant: &str, present: &[UserRecord]) -> StartupError {
    let is_local = |user: &UserRecord| user.issuer == LOCAL;
    // Those whom a link can sign in come first.
    let (local, others): (Vec<_>, Vec<_>) = present.iter().partition(|user| is_local(user));
    let mut named: Vec<String> = local
        .iter()
        .map(|user| format!("{} (--subject {})", user.name, user.subject))
        .chain(
            others
                .iter()
                .map(|user| format!("{} ({})", user.name, user.issuer)),
        )
        .take(NAMED)
        .collect();
    if present.len() > NAMED {
        named.push(format!("and {} more", present.len() - NAMED));
    }
    let hint = if local.is_empty() {
        "They sign in with their identity provider. For a link that makes another administrator, say --new."
    } else {
        "For a link that signs one of them in, say --subject with the ID; for one that makes another administrator, --new."
    };
    StartupError::configuration(
        format!(
            "The tenant {tenant} has administrators already: {}.",
            named.join(", ")
        ),
        hint,
    )
}
