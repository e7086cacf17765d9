//! `webhook`: webhooks and their deliveries from the command line, as the operator.
//!
//! Works on the server's folder, also while the server runs: what is to be sent, the server sends.
//! Tables for people on stdout, the answers of the web services with `--json`; a secret is shown
//! once, alone on stdout. What can be asked for, `command` says.

mod command;

use std::sync::Arc;

use checklist_auth::Principal;
use checklist_services::app::App;
use checklist_services::listing::every_row;
use checklist_services::webhooks::log::{self, DeliveryQuery};
use checklist_services::webhooks::{self, write};
use checklist_shared::patch::Patch;
use checklist_shared::wire::webhooks::{
    PutWebhook, RotateSecret, Webhook, WebhookDelivery, WebhookEvent, WebhookWithSecret, Webhooks,
};

use self::command::DeliveriesOptions;
use super::access::{TenantOptions, with_present};
use super::data::OutboundServices;
use super::outbound_options::OutboundOptions;
use super::output::{print, say};
use crate::config::StartupError;

pub use self::command::WebhookCommand;

/// `webhook`.
///
/// # Errors
/// What was refused, and why.
pub fn run(command: WebhookCommand) -> Result<(), StartupError> {
    match command {
        WebhookCommand::List { of, json } => list(&of, json),
        WebhookCommand::Add {
            of,
            reach,
            name,
            url,
            event,
            off,
        } => {
            let wish = PutWebhook {
                name,
                url,
                events: if event.is_empty() {
                    WebhookEvent::ALL.to_vec()
                } else {
                    event
                },
                enabled: Patch::Set(!off),
                revision: None,
            };
            act(&of, reach_of(&reach)?, async |app, operator| {
                let made = write::create(app, operator, wish.clone()).await?;
                tell_secret("was made", &made);
                Ok(())
            })
        }
        WebhookCommand::Change {
            one,
            reach,
            name,
            url,
            event,
            on,
            off,
        } => act(&one.of, reach_of(&reach)?, async |app, operator| {
            let before = webhooks::get(app, operator, &one.id).await?;
            let wish = PutWebhook {
                name: name.clone().unwrap_or(before.name),
                url: url.clone().unwrap_or(before.url),
                events: if event.is_empty() {
                    before.events
                } else {
                    event.clone()
                },
                enabled: Patch::Set(on || (before.enabled && !off)),
                revision: Some(before.revision),
            };
            say(&row(&write::put(app, operator, &one.id, wish).await?));
            Ok(())
        }),
        WebhookCommand::Rotate {
            one,
            reach,
            keep_old_for,
        } => act(&one.of, reach_of(&reach)?, async |app, operator| {
            let wish = RotateSecret {
                keep_old_for_hours: keep_old_for,
            };
            let made = write::rotate(app, operator, &one.id, wish).await?;
            tell_secret("has a new secret", &made);
            Ok(())
        }),
        WebhookCommand::Remove(one) => act(
            &one.of,
            OutboundServices::default(),
            async |app, operator| {
                write::delete(app, operator, &one.id).await?;
                say(&format!("webhook {} is deleted", one.id));
                Ok(())
            },
        ),
        WebhookCommand::Test(one) => act(
            &one.of,
            OutboundServices::default(),
            async |app, operator| {
                waits(&write::test(app, operator, &one.id).await?);
                Ok(())
            },
        ),
        WebhookCommand::Deliveries(options) => deliveries(&options),
        WebhookCommand::Delivery(one) => act(
            &one.of,
            OutboundServices::default(),
            async |app, operator| print(&log::get(app, operator, &one.id).await?),
        ),
        WebhookCommand::Replay(one) => act(
            &one.of,
            OutboundServices::default(),
            async |app, operator| {
                waits(&log::replay(app, operator, &one.id).await?);
                Ok(())
            },
        ),
    }
}

/// Does one thing as the tenant's operator.
fn act(
    of: &TenantOptions,
    reach: OutboundServices,
    work: impl AsyncFnOnce(&App, &Principal) -> Result<(), StartupError>,
) -> Result<(), StartupError> {
    let operator = Principal::operator(&of.tenant);
    with_present(&of.data, reach, async |app| work(app, &operator).await)
}

fn reach_of(options: &OutboundOptions) -> Result<OutboundServices, StartupError> {
    Ok(OutboundServices {
        vault: options.vault()?,
        egress: Some(Arc::new(options.egress()?)),
        ..OutboundServices::default()
    })
}

fn list(of: &TenantOptions, json: bool) -> Result<(), StartupError> {
    act(of, OutboundServices::default(), async |app, operator| {
        let webhooks = every_row(async |query| {
            let page = webhooks::list(app, operator, query).await?;
            Ok((page.webhooks, page.next))
        })
        .await?;
        if json {
            return print(&Webhooks {
                webhooks,
                next: None,
            });
        }
        for webhook in &webhooks {
            say(&row(webhook));
        }
        if webhooks.is_empty() {
            say("there are no webhooks yet; make one with checklist-server webhook add");
        }
        Ok(())
    })
}

fn row(webhook: &Webhook) -> String {
    let state = match (&webhook.off_because, webhook.enabled, webhook.failing_since) {
        (Some(why), false, _) => format!("off: {why}"),
        (None, false, _) => "off".to_owned(),
        (_, true, Some(since)) => format!("on, failing since {since}"),
        (_, true, None) => "on".to_owned(),
    };
    let events: Vec<&str> = webhook.events.iter().map(|event| event.name()).collect();
    [
        &webhook.id,
        &webhook.name,
        &webhook.url,
        &events.join(","),
        &state,
    ]
    .map(String::as_str)
    .join("\t")
}

fn deliveries(options: &DeliveriesOptions) -> Result<(), StartupError> {
    act(
        &options.of,
        OutboundServices::default(),
        async |app, operator| {
            let part = DeliveryQuery {
                after: options.after.clone(),
                limit: Some(options.limit),
                webhook: options.webhook.clone(),
                state: options.state,
                event: options.event,
            };
            let page = log::page(app, operator, part).await?;
            if options.json {
                return print(&page);
            }
            for delivery in &page.deliveries {
                let fields = [
                    delivery.id.clone(),
                    delivery.created_at.to_string(),
                    delivery.event.name().to_owned(),
                    delivery.state.name().to_owned(),
                    delivery.attempts.to_string(),
                    delivery
                        .last_status
                        .map_or_else(String::new, |status| status.to_string()),
                    delivery.last_failure.clone().unwrap_or_default(),
                ];
                say(&fields.join("\t"));
            }
            if page.deliveries.is_empty() {
                say("there are no such deliveries; checklist-server webhook test makes one");
            }
            if let Some(next) = page.next {
                eprintln!("older ones: --after {next}");
            }
            Ok(())
        },
    )
}

/// The secret alone on stdout, so that it can be piped to where it is needed.
fn tell_secret(what: &str, made: &WebhookWithSecret) {
    eprintln!(
        "webhook {} ({}) {what}; its secret is shown only once:",
        made.webhook.id, made.webhook.name
    );
    say(&made.secret);
}

fn waits(delivery: &WebhookDelivery) {
    say(&delivery.id);
    eprintln!("the server sends it, as soon as it runs; see checklist-server webhook delivery");
}
