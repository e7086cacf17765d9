//! `admin-link`: a one-time link that opens the administration without an identity provider.

use checklist_auth::Principal;
use checklist_services::admin_links;
use checklist_services::base_url::BaseUrl;
use clap::Args;

use super::access::{TenantOptions, known_tenant, with_directory};
use super::output::say;
use crate::config::StartupError;

/// For whom a one-time link is made.
#[derive(Debug, Args)]
pub struct AdminLinkOptions {
    #[command(flatten)]
    of: TenantOptions,
    /// Signs in this local administrator, by the id that `user list` shows; without it, whoever
    /// uses the link becomes a new one.
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
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
        let operator = Principal::operator(&tenant);
        let link = admin_links::create(app, &operator, options.subject.as_deref()).await?;
        eprintln!(
            "opens the administration once, within 10 minutes, in the first browser that opens it:"
        );
        say(&link.address(&options.base_url));
        Ok(())
    })
}
