//! What the command line takes about webhooks.
//!
//! Carried out by `webhook`.

use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent};
use clap::{Args, Subcommand};

use crate::cli::access::TenantOptions;
use crate::cli::outbound_options::OutboundOptions;

/// Webhooks: events to other systems.
#[derive(Debug, Subcommand)]
pub enum WebhookCommand {
    /// List the webhooks, by name.
    #[command(after_help = "Example:\n  checklist-server webhook list --tenant acme")]
    List {
        #[command(flatten)]
        of: TenantOptions,
        /// JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Make a webhook, and print its secret. It is not shown again.
    #[command(
        after_help = "Example:\n  checklist-server webhook add --tenant acme --vault-key vault.key --name Desk --url \
                      https://desk.example.org/hooks/checklists --event checklist.completed --event checklist.reopened"
    )]
    Add {
        #[command(flatten)]
        of: TenantOptions,
        #[command(flatten)]
        reach: OutboundOptions,
        /// The name for people.
        #[arg(long)]
        name: String,
        /// The receiver's address.
        #[arg(long)]
        url: String,
        /// What to send: checklist.completed, checklist.reopened, checklist.waived,
        /// checklist.waiver-revoked, item.assigned, item.resolved, item.due, item.overdue,
        /// journal.entry, template.published, audit.checkpoint. May be given several times; all of them without.
        #[arg(long, value_name = "NAME", value_parser = event)]
        event: Vec<WebhookEvent>,
        /// Send nothing until it is turned on.
        #[arg(long)]
        off: bool,
    },
    /// Change a webhook: what is not named stays as it is.
    #[command(
        after_help = "Examples:\n  checklist-server webhook change --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f \
                      --off\n  checklist-server webhook change --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f --on \
                      --url https://desk.example.org/hooks/new"
    )]
    Change {
        #[command(flatten)]
        one: ByIdOptions,
        #[command(flatten)]
        reach: OutboundOptions,
        /// Another name.
        #[arg(long)]
        name: Option<String>,
        /// Another address.
        #[arg(long)]
        url: Option<String>,
        /// What to send instead. May be given several times.
        #[arg(long, value_name = "NAME", value_parser = event)]
        event: Vec<WebhookEvent>,
        /// Turn it on.
        #[arg(long, conflicts_with = "off")]
        on: bool,
        /// Turn it off; what happens meanwhile is not sent.
        #[arg(long)]
        off: bool,
    },
    /// Give a webhook a new secret, and print it.
    #[command(
        after_help = "Example:\n  checklist-server webhook rotate --tenant acme --vault-key vault.key \
                      0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f --keep-old-for 48"
    )]
    Rotate {
        #[command(flatten)]
        one: ByIdOptions,
        #[command(flatten)]
        reach: OutboundOptions,
        /// For how many hours the secret before signs as well: 0 to 168; 24 without.
        #[arg(long, value_name = "HOURS")]
        keep_old_for: Option<u32>,
    },
    /// Delete a webhook, its secret, and everything that waits for it.
    #[command(
        after_help = "Example:\n  checklist-server webhook remove --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Remove(ByIdOptions),
    /// Have the server send a test event.
    #[command(
        after_help = "Example:\n  checklist-server webhook test --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Test(ByIdOptions),
    /// List the deliveries of the last thirty days, the newest first.
    #[command(
        after_help = "Examples:\n  checklist-server webhook deliveries --tenant acme --state Failed\n  \
                      checklist-server webhook deliveries --tenant acme --event checklist.completed --json"
    )]
    Deliveries(DeliveriesOptions),
    /// Show a delivery with its body and its attempts.
    #[command(
        after_help = "Example:\n  checklist-server webhook delivery --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Delivery(ByIdOptions),
    /// Have the server send a delivery again, whatever became of it.
    #[command(
        after_help = "Example:\n  checklist-server webhook replay --tenant acme 0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Replay(ByIdOptions),
}

/// One webhook, or one delivery.
#[derive(Debug, Args)]
pub struct ByIdOptions {
    #[command(flatten)]
    pub of: TenantOptions,
    /// The id.
    pub id: String,
}

/// Which deliveries to list.
#[derive(Debug, Args)]
pub struct DeliveriesOptions {
    #[command(flatten)]
    pub of: TenantOptions,
    /// To this webhook only.
    #[arg(long, value_name = "ID")]
    pub webhook: Option<String>,
    /// In this state only: Pending, Delivered or Failed.
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub state: Option<DeliveryState>,
    /// Of this event only.
    #[arg(long, value_name = "NAME", value_parser = event)]
    pub event: Option<WebhookEvent>,
    /// How many, 1 to 200.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: u32,
    /// Older than this delivery, to go on where a page ended.
    #[arg(long, value_name = "ID")]
    pub after: Option<String>,
    /// JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

fn event(text: &str) -> Result<WebhookEvent, String> {
    WebhookEvent::from_name(text).ok_or_else(|| {
        let names = WebhookEvent::ALL.map(WebhookEvent::name);
        format!("one of {}", names.join(", "))
    })
}

fn state(text: &str) -> Result<DeliveryState, String> {
    let found = DeliveryState::ALL
        .into_iter()
        .find(|state| state.name() == text);
    found.ok_or_else(|| {
        format!(
            "one of {}",
            DeliveryState::ALL.map(DeliveryState::name).join(", ")
        )
    })
}
