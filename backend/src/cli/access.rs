//! `tenant`, `key` and `revoke`: who may sign in, from the command line; `user` has a file of its own.
//!
//! Works on the server's folder, also while the server runs: it notices within a second. The
//! services decide, as they do for the web services; the operator may do everything.

use std::path::{Path, PathBuf};

use checklist_auth::Principal;
use checklist_services::app::App;
use checklist_services::{api_keys, embed_keys, revocations, tenants};
use checklist_shared::permission::{Permission, Permissions, Role};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::{NewApiKey, PutEmbedKey, Revocation};
use checklist_shared::wire::admin::TokenContext;
use checklist_store::error::ServiceError;
use clap::{Args, Subcommand};

use super::data;
use super::data::OutboundServices;
use super::data_options::DataOptions;
use super::output::say;
use crate::config::{Exit, StartupError};

/// Tenants: whose lists they are.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// List the tenants.
    #[command(
        after_help = "Example:\n  checklist-server tenant list --data-dir /var/lib/checklist"
    )]
    List(DataOptions),
    /// Add a tenant, or give it another name.
    #[command(after_help = "Example:\n  checklist-server tenant add acme --name \"Acme Inc.\"")]
    Add {
        #[command(flatten)]
        data: DataOptions,
        /// The id, as tokens name it.
        id: String,
        /// The name for people.
        #[arg(long)]
        name: Option<String>,
    },
    /// Let nobody of a tenant in any more.
    #[command(after_help = "Example:\n  checklist-server tenant disable acme")]
    Disable(OneTenant),
    /// Let the people of a disabled tenant in again.
    #[command(after_help = "Example:\n  checklist-server tenant enable acme")]
    Enable(OneTenant),
}

/// One tenant.
#[derive(Debug, Args)]
pub struct OneTenant {
    #[command(flatten)]
    data: DataOptions,
    /// The tenant's id.
    id: String,
}

/// Where, and whose.
#[derive(Debug, Args)]
pub struct TenantOptions {
    #[command(flatten)]
    pub data: DataOptions,
    /// The tenant's id.
    #[arg(long, value_name = "ID", env = "CHECKLIST_TENANT")]
    pub tenant: String,
}

/// Keys of programs (API keys) and of host platforms (embed keys).
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// List a tenant's keys.
    #[command(after_help = "Example:\n  checklist-server key list --tenant acme")]
    List(TenantOptions),
    /// Make an API key for a program, and print it. It is not shown again.
    #[command(
        after_help = "Example:\n  checklist-server key add --tenant acme --name Portal --role editor"
    )]
    Add {
        #[command(flatten)]
        of: TenantOptions,
        /// The name for people.
        #[arg(long)]
        name: String,
        /// What it may do: reader, checker, editor, owner, auditor, template-admin, site-operator,
        /// admin. May be given several times.
        #[arg(long, required = true, value_parser = role)]
        role: Vec<Role>,
        /// A system whose signals it may send. May be given several times.
        #[arg(long, value_name = "NAME")]
        source: Vec<String>,
        /// When it ends, for example 2027-01-01T00:00:00Z; never without.
        #[arg(long, value_name = "TIME")]
        expires: Option<Timestamp>,
    },
    /// Register the public key of a host platform.
    #[command(
        after_help = "Example:\n  checklist-server key register --tenant acme portal-2027 portal.pub.pem --origin \
                      https://portal.example.org"
    )]
    Register {
        #[command(flatten)]
        of: TenantOptions,
        /// The name in the header of its tokens.
        kid: String,
        /// The public key: PEM or JWK, Ed25519 or P-256.
        file: PathBuf,
        /// The only origins whose pages may use its tokens. May be given several times.
        #[arg(long)]
        origin: Vec<String>,
        /// The only issuer (iss) that its tokens may name.
        #[arg(long, value_name = "TEXT")]
        issuer: Option<String>,
        /// The most that its tokens may allow, whatever they claim: Read, Check, UncheckOthers, Edit,
        /// Add, Delete, Reorder, Refresh, Lock, DeleteRequired, Waive, Audit, Templates, Sites. Without
        /// it the work on lists, Read to Waive. May be given several times.
        #[arg(long, value_name = "NAME", value_parser = embedded_permission, value_delimiter = ',')]
        permission: Vec<Permission>,
        /// The only lists that its tokens may open, as TYPE/ID/PURPOSE, or TYPE/ID/PURPOSE/TEMPLATE
        /// with the only template that they may be begun with; a star stands for anything. May be
        /// given several times.
        #[arg(long, value_name = "LISTS", value_parser = context)]
        context: Vec<TokenContext>,
        /// When it ends; never without.
        #[arg(long, value_name = "TIME")]
        expires: Option<Timestamp>,
    },
    /// Revoke a key for good: an API key by its id, an embed key by its kid.
    #[command(after_help = "Example:\n  checklist-server key revoke --tenant acme portal-2026")]
    Revoke {
        #[command(flatten)]
        of: TenantOptions,
        /// The id or the kid.
        id: String,
    },
}

/// What to revoke beside keys.
#[derive(Debug, Args)]
pub struct RevokeOptions {
    #[command(flatten)]
    of: TenantOptions,
    /// One token, by its jti.
    #[arg(
        long,
        conflicts_with = "everything",
        required_unless_present = "everything"
    )]
    jti: Option<String>,
    /// Everything that was given out: every token, session, API key and embed key.
    #[arg(long)]
    everything: bool,
}

fn names(permissions: Permissions) -> String {
    let names: Vec<&str> = permissions.iter().map(Permission::name).collect();
    names.join(", ")
}

/// A permission that embed tokens can allow.
pub(super) fn embedded_permission(text: &str) -> Result<Permission, String> {
    let ever = Permissions::ever_embedded();
    let found = Permission::from_name(text).filter(|permission| ever.allows(*permission));
    found.ok_or_else(|| format!("one of {}", names(ever)))
}

/// What [`context`] takes.
const CONTEXT: &str = "TYPE/ID/PURPOSE, for example incident/*/*, or TYPE/ID/PURPOSE/TEMPLATE";

/// Lists as `TYPE/ID/PURPOSE`, with the template that is pinned as a fourth part.
pub(super) fn context(text: &str) -> Result<TokenContext, String> {
    let parts: Vec<&str> = text.split('/').collect();
    let (object_type, object_id, purpose, template) = match parts.as_slice() {
        [object_type, object_id, purpose] => (object_type, object_id, purpose, None),
        [object_type, object_id, purpose, template] => {
            (object_type, object_id, purpose, Some(template))
        }
        _ => return Err(CONTEXT.to_owned()),
    };
    if object_type.is_empty() || object_id.is_empty() || template.is_some_and(|id| id.is_empty()) {
        return Err(CONTEXT.to_owned());
    }
    Ok(TokenContext {
        object_type: (*object_type).to_owned(),
        object_id: (*object_id).to_owned(),
        purpose: (*purpose).to_owned(),
        template_id: template.map(|id| (*id).to_owned()),
        facts: None,
    })
}

pub(super) fn role(text: &str) -> Result<Role, String> {
    serde_json::from_value(serde_json::Value::String(text.to_owned())).map_err(|_| {
        "one of reader, checker, editor, owner, auditor, template-admin, site-operator, admin"
            .into()
    })
}

/// `tenant`.
///
/// # Errors
/// What was refused, and why.
pub fn tenant(command: TenantCommand) -> Result<(), StartupError> {
    match command {
        TenantCommand::List(data) => with_directory(&data, async |app| {
            let all = tenants::list(app).await?;
            for tenant in &all {
                let state = if tenant.disabled {
                    "disabled"
                } else {
                    "enabled"
                };
                say(&format!("{}\t{}\t{state}", tenant.id, tenant.name));
            }
            if all.is_empty() {
                say("there are no tenants yet; add one with checklist-server tenant add ID");
            }
            Ok(())
        }),
        TenantCommand::Add { data, id, name } => with_new_directory(&data, async |app| {
            let tenant = tenants::put(app, &id, name.clone(), None).await?;
            say(&format!("tenant {} ({}) is there", tenant.id, tenant.name));
            Ok(())
        }),
        TenantCommand::Disable(one) => set_disabled(&one, true),
        TenantCommand::Enable(one) => set_disabled(&one, false),
    }
}

fn set_disabled(one: &OneTenant, disabled: bool) -> Result<(), StartupError> {
    with_directory(&one.data, async |app| {
        known_tenant(app, &one.id).await?;
        let tenant = tenants::put(app, &one.id, None, Some(disabled)).await?;
        let state = if disabled { "disabled" } else { "enabled" };
        say(&format!("tenant {} is {state}", tenant.id));
        Ok(())
    })
}

/// `key`.
///
/// # Errors
/// What was refused, and why.
pub fn key(command: KeyCommand) -> Result<(), StartupError> {
    match command {
        KeyCommand::List(of) => with_directory(&of.data, async |app| {
            let operator = Principal::operator(&of.tenant);
            let programs = api_keys::all(app, &operator).await?;
            let hosts = embed_keys::all(app, &operator).await?;
            if programs.is_empty() && hosts.is_empty() {
                say("there are no keys yet; make one with checklist-server key add");
            }
            for key in programs {
                let state = state(key.revoked_at, key.expires_at);
                say(&format!("API key\t{}\t{}\t{state}", key.id, key.name));
            }
            for key in hosts {
                let state = state(key.revoked_at, key.expires_at);
                say(&format!(
                    "embed key\t{}\t{}\t{state}\t{}",
                    key.kid,
                    key.algorithm,
                    names(key.permissions)
                ));
            }
            Ok(())
        }),
        KeyCommand::Add {
            of,
            name,
            role,
            source,
            expires,
        } => with_directory(&of.data, async |app| {
            known_tenant(app, &of.tenant).await?;
            let wish = NewApiKey {
                name: name.clone(),
                roles: role.clone(),
                contexts: None,
                sources: Some(source.clone()),
                expires_at: expires,
            };
            let made = api_keys::create(app, &Principal::operator(&of.tenant), wish).await?;
            eprintln!("API key {} was made; it is shown only once:", made.key.id);
            say(&made.secret);
            Ok(())
        }),
        KeyCommand::Register {
            of,
            kid,
            file,
            origin,
            issuer,
            permission,
            context,
            expires,
        } => {
            let public_key = read(&file)?;
            with_directory(&of.data, async |app| {
                known_tenant(app, &of.tenant).await?;
                let wish = PutEmbedKey {
                    public_key: public_key.clone(),
                    origins: (!origin.is_empty()).then(|| origin.clone()).into(),
                    issuer: issuer.clone().into(),
                    permissions: (!permission.is_empty()).then(|| permission.clone()).into(),
                    contexts: (!context.is_empty()).then(|| context.clone()).into(),
                    expires_at: expires.into(),
                };
                let operator = Principal::operator(&of.tenant);
                let key = embed_keys::put(app, &operator, &kid, wish).await?;
                say(&format!(
                    "embed key {} ({}) is registered; its tokens may allow {} at most",
                    key.kid,
                    key.algorithm,
                    names(key.permissions)
                ));
                Ok(())
            })
        }
        KeyCommand::Revoke { of, id } => with_directory(&of.data, async |app| {
            let operator = Principal::operator(&of.tenant);
            if api_keys::revoke(app, &operator, &id).await.is_err() {
                embed_keys::revoke(app, &operator, &id).await?;
            }
            say(&format!("key {id} is revoked"));
            Ok(())
        }),
    }
}

fn state(revoked_at: Option<Timestamp>, expires_at: Option<Timestamp>) -> String {
    match (revoked_at, expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(end)) => format!("until {end}"),
        (None, None) => "without end".to_owned(),
    }
}

/// The tenant of that id, which has to be there.
pub(super) async fn known_tenant(app: &App, id: &str) -> Result<String, StartupError> {
    if tenants::exists(app, id).await? {
        return Ok(id.to_owned());
    }
    Err(data::no_tenant(id, &tenants::list(app).await?))
}

/// `revoke`.
///
/// # Errors
/// What was refused, and why.
pub fn revoke(options: &RevokeOptions) -> Result<(), StartupError> {
    with_directory(&options.of.data, async |app| {
        let wish = Revocation {
            jti: options.jti.clone(),
            everything: options.everything.then_some(true),
        };
        let operator = Principal::operator(&options.of.tenant);
        let revoked = revocations::revoke(app, &operator, wish).await?;
        say(&match revoked.before {
            Some(before) => format!(
                "everything from before {before} is revoked: tokens, sessions, API keys and embed keys"
            ),
            None => "the token is revoked".to_owned(),
        });
        Ok(())
    })
}

fn read(file: &Path) -> Result<String, StartupError> {
    std::fs::read_to_string(file).map_err(|error| {
        StartupError::configuration(
            format!("The key file {} cannot be read: {error}.", file.display()),
            "Name a file with a public key as PEM or JWK.",
        )
    })
}

/// Works on a directory that is there.
pub(super) fn with_directory(
    data: &DataOptions,
    work: impl AsyncFnOnce(&App) -> Result<(), StartupError>,
) -> Result<(), StartupError> {
    with_present(data, OutboundServices::default(), work)
}

/// Works on a directory that is there, with what opens its connections.
pub fn with_present(
    data: &DataOptions,
    reach: OutboundServices,
    work: impl AsyncFnOnce(&App) -> Result<(), StartupError>,
) -> Result<(), StartupError> {
    let database = data.database()?;
    data::with_runtime(async {
        let app = data::open_present_directory(&database, reach).await?;
        run_and_close(app, work).await
    })
}

/// Works on a directory, which is made where there is none.
pub fn with_new_directory(
    data: &DataOptions,
    work: impl AsyncFnOnce(&App) -> Result<(), StartupError>,
) -> Result<(), StartupError> {
    let database = data.database()?;
    data::with_runtime(async {
        let app = data::open_directory(&database, OutboundServices::default()).await?;
        run_and_close(app, work).await
    })
}

async fn run_and_close(
    app: App,
    work: impl AsyncFnOnce(&App) -> Result<(), StartupError>,
) -> Result<(), StartupError> {
    let done = work(&app).await;
    app.close().await.map_err(|error| {
        StartupError::new(
            Exit::Failed,
            format!("The database could not be closed well: {error}."),
            "Look at the disk.",
        )
    })?;
    done
}

/// What a service refuses, as the command line says it.
impl From<ServiceError> for StartupError {
    fn from(error: ServiceError) -> Self {
        let fields: Vec<String> = error
            .problem
            .errors
            .iter()
            .map(|field| {
                format!(
                    "{}: {}",
                    field.pointer.trim_start_matches('/'),
                    field.detail
                )
            })
            .collect();
        let detail = error.problem.detail.unwrap_or(error.problem.title);
        if fields.is_empty() {
            return Self::new(Exit::Failed, detail, "Look at what there is with `list`.");
        }
        Self::configuration(fields.join(" "), "Give it as --help says.")
    }
}
