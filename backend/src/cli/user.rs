//! `user`: people who may sign in, from the command line, also while the server runs.
//!
//! The rules are those of the page *People*: the last administrator stays one. Only `add` lets the operator
//! take the role from them.

use checklist_auth::Principal;
use checklist_services::template::ExpectedState;
use checklist_services::{erasure, users};
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::access::{PutUser, UserRef};
use checklist_store::error::ServiceError;
use clap::{Args, Subcommand};

use super::access::{TenantOptions, known_tenant, role, with_directory};
use super::output::say;
use crate::config::{Exit, StartupError};

/// People who may sign in.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// List a tenant's people.
    #[command(after_help = "Example:\n  checklist-server user list --tenant acme")]
    List(TenantOptions),
    /// Register a person, or change name and roles.
    #[command(
        after_help = "Example:\n  checklist-server user add --tenant acme --issuer https://id.example.org --subject \
                      248289761001 --name Anna --role admin"
    )]
    Add {
        #[command(flatten)]
        person: OnePerson,
        /// The name for people.
        #[arg(long)]
        name: String,
        /// What the person may do. May be given several times.
        #[arg(long, required = true, value_parser = role)]
        role: Vec<Role>,
    },
    /// Let a person in no more. Their sessions and tokens end.
    #[command(
        after_help = "Example:\n  checklist-server user disable --tenant acme --issuer https://id.example.org \
                      --subject 248289761001"
    )]
    Disable(OnePerson),
    /// Let a disabled person in again.
    #[command(
        after_help = "Example:\n  checklist-server user enable --tenant acme --issuer https://id.example.org \
                      --subject 248289761001"
    )]
    Enable(OnePerson),
    /// Delete a person with their sessions and passkeys.
    ///
    /// What they did stays in journal and audit trail, under their name unless it is erased.
    #[command(
        after_help = "Example:\n  checklist-server user delete --tenant acme --issuer https://id.example.org \
                      --subject 248289761001 --erase"
    )]
    Delete {
        #[command(flatten)]
        person: OnePerson,
        /// Also erase the name wherever the tenant's data has it, of somebody who is not registered as well. The
        /// server does it within an hour, or when it starts. It cannot be undone.
        #[arg(long)]
        erase: bool,
    },
}

/// One person.
#[derive(Debug, Args)]
pub struct OnePerson {
    #[command(flatten)]
    of: TenantOptions,
    /// The identity provider, as its tokens name it; `local` for a local administrator.
    #[arg(long, value_name = "URL")]
    issuer: String,
    /// The person's id there (`sub`).
    #[arg(long, value_name = "ID")]
    subject: String,
}

impl OnePerson {
    fn operator(&self) -> Principal {
        Principal::operator(&self.of.tenant)
    }

    fn to_ref(&self) -> UserRef {
        UserRef {
            issuer: self.issuer.clone(),
            subject: self.subject.clone(),
        }
    }
}

/// Runs it.
///
/// # Errors
/// What was refused, and why.
pub fn run(command: UserCommand) -> Result<(), StartupError> {
    match command {
        UserCommand::List(of) => list(&of),
        UserCommand::Add { person, name, role } => with_directory(&person.of.data, async |app| {
            known_tenant(app, &person.of.tenant).await?;
            let wish = PutUser {
                issuer: person.issuer.clone(),
                subject: person.subject.clone(),
                name: name.clone(),
                roles: role.clone(),
                disabled: Patch::Keep,
                last_sign_in_at: None,
            };
            let user = users::put(app, &person.operator(), wish, &ExpectedState::Anything).await?;
            let state = if user.disabled { ", and disabled" } else { "" };
            say(&format!(
                "{} ({}) is registered{state}",
                user.name, user.subject
            ));
            Ok(())
        }),
        UserCommand::Disable(person) => set_disabled(&person, true),
        UserCommand::Enable(person) => set_disabled(&person, false),
        UserCommand::Delete { person, erase } => with_directory(&person.of.data, async |app| {
            let (operator, subject) = (person.operator(), &person.subject);
            if erase {
                let begun = erasure::begin(app, &operator, person.to_ref()).await;
                begun.map_err(refusal)?;
                say(&format!(
                    "{subject} is deleted; the server erases the name within an hour, or when it starts"
                ));
            } else {
                let deleted = users::delete(app, &operator, person.to_ref()).await;
                deleted.map_err(refusal)?;
                say(&format!("{subject} is deleted"));
            }
            Ok(())
        }),
    }
}

fn list(of: &TenantOptions) -> Result<(), StartupError> {
    with_directory(&of.data, async |app| {
        let people = users::all(app, &Principal::operator(&of.tenant)).await?;
        for user in &people {
            let roles = serde_json::to_string(&user.roles).unwrap_or_default();
            let state = if user.disabled { "disabled" } else { &roles };
            say(&format!(
                "{}\t{}\t{}\t{state}",
                user.issuer, user.subject, user.name
            ));
        }
        if people.is_empty() {
            say("nobody is registered yet; do it with checklist-server user add");
        }
        Ok(())
    })
}

fn set_disabled(person: &OnePerson, disabled: bool) -> Result<(), StartupError> {
    with_directory(&person.of.data, async |app| {
        let user = users::set_disabled(app, &person.operator(), person.to_ref(), disabled).await;
        let user = user.map_err(refusal)?;
        let state = if disabled { "disabled" } else { "enabled" };
        say(&format!("{} ({}) is {state}", user.name, user.subject));
        Ok(())
    })
}

/// What a service refuses; of the last administrator with what to do first.
fn refusal(error: ServiceError) -> StartupError {
    if error.code() != ProblemCode::LastAdministrator {
        return error.into();
    }
    StartupError::new(
        Exit::Failed,
        "Nobody else administrates this tenant.",
        "Make somebody else an administrator first: `checklist-server user add` with `--role admin`, or \
         `checklist-server admin-link --new`.",
    )
}
