//! `audit`: verifies audit trails, prints the keys and checkpoints that others need to verify them,
//! and replaces a key.

use std::path::{Path, PathBuf};

use checklist_auth::Principal;
use checklist_services::audit::note::{TreeHead, VerifierKey};
use checklist_services::audit::{self, Trusted, Verdict, keys, proofs};
use checklist_services::tenants;
use checklist_store::error::ServiceError;
use clap::Subcommand;

use super::access::{TenantOptions, with_present};
use super::data::{OutboundServices, no_tenant};
use super::data_options::DataOptions;
use super::output::say;
use crate::config::{Exit, StartupError, vault};

/// The audit trail.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Prove that nobody has edited the audit trail.
    ///
    /// Computes every row of every tenant (or of one) again and names the first that is not what was
    /// written; the tree of all rows has to be the one of every signed checkpoint. With a checkpoint
    /// and a key that were kept elsewhere it also finds what somebody has altered who can write to
    /// the whole database. Works beside a running server, on a stopped one's data, or on a copy of
    /// it. Ends with 5 when the trail was altered, with 3 when there is no such tenant.
    #[command(
        after_help = "Examples:\n  checklist-server audit verify --data-dir /var/lib/checklist\n  checklist-server audit \
                      verify --checkpoint 2027-01-31.checkpoint --public-key acme.audit-key"
    )]
    Verify {
        #[command(flatten)]
        data: DataOptions,
        /// Only this tenant's trail.
        #[arg(long, value_name = "NAME")]
        tenant: Option<String>,
        /// A checkpoint that was kept elsewhere; the trail has to begin with what it was signed for.
        #[arg(long, value_name = "FILE", requires = "public_key")]
        checkpoint: Option<PathBuf>,
        /// The verifier keys that may have signed, one a line, instead of those in the database.
        #[arg(long, value_name = "FILE")]
        public_key: Option<PathBuf>,
        /// Also compare every list with the trail: which items it has, and their statuses.
        #[arg(long)]
        lists: bool,
    },
    /// Print the verifier keys of a tenant's checkpoints, the newest last.
    ///
    /// The server makes the first one with the first checkpoint. Keep a copy elsewhere.
    #[command(after_help = "Example:\n  checklist-server audit key --tenant acme > acme.audit-key")]
    Key(TenantOptions),
    /// Print the newest checkpoint, to be kept elsewhere.
    #[command(
        after_help = "Example:\n  checklist-server audit checkpoint --tenant acme > 2027-01-31.checkpoint"
    )]
    Checkpoint(TenantOptions),
    /// Make a new key for a tenant's checkpoints.
    ///
    /// The act is in the trail. Checkpoints so far stay valid with the key that has signed them.
    #[command(
        after_help = "Example:\n  checklist-server audit rotate-key --tenant acme --vault-key /etc/checklist/vault.key"
    )]
    RotateKey {
        #[command(flatten)]
        of: TenantOptions,
        /// The key file of the vault, which keeps the private half.
        #[arg(long, value_name = "FILE", env = "CHECKLIST_VAULT_KEY")]
        vault_key: PathBuf,
    },
}

/// Runs it.
///
/// # Errors
/// `AuditBroken` when a trail was altered; what was refused, and why.
pub fn run(command: AuditCommand) -> Result<(), StartupError> {
    let nothing = OutboundServices::default;
    match command {
        AuditCommand::Verify {
            data,
            tenant,
            checkpoint,
            public_key,
            lists,
        } => {
            let trusted = Trusted {
                lists,
                ..trusted(checkpoint.as_deref(), public_key.as_deref())?
            };
            with_present(&data, nothing(), async |app| {
                let verdicts = audit::verify(app, tenant.as_deref(), &trusted).await;
                let verdicts = verdicts.map_err(|error| unreadable(&error))?;
                if let Some(tenant) = &tenant
                    && verdicts.is_empty()
                {
                    let there = tenants::list(app).await.unwrap_or_default();
                    return Err(no_tenant(tenant, &there));
                }
                report(&verdicts)
            })
        }
        AuditCommand::Key(of) => with_present(&of.data, nothing(), async |app| {
            let keys = keys::verifiers(app, &of.tenant).await?;
            if keys.is_empty() {
                return Err(StartupError::new(
                    Exit::Data,
                    format!("The trail of {} has no key yet.", of.tenant),
                    "The server makes one with the first checkpoint, if it was started with --vault-key.",
                ));
            }
            for key in keys {
                say(&key.to_string());
            }
            Ok(())
        }),
        AuditCommand::Checkpoint(of) => with_present(&of.data, nothing(), async |app| {
            let newest = proofs::checkpoint(app, &Principal::operator(&of.tenant)).await?;
            say(newest.trim_end_matches('\n'));
            Ok(())
        }),
        AuditCommand::RotateKey { of, vault_key } => {
            let reach = OutboundServices {
                vault: vault::read(Some(&vault_key))?,
                ..nothing()
            };
            with_present(&of.data, reach, async |app| {
                let key = keys::rotate(app, &Principal::operator(&of.tenant)).await?;
                say(&key.to_string());
                Ok(())
            })
        }
    }
}

/// What the verifier has from elsewhere.
fn trusted(checkpoint: Option<&Path>, keys: Option<&Path>) -> Result<Trusted, StartupError> {
    let keys: Vec<VerifierKey> = match keys {
        None => Vec::new(),
        Some(file) => {
            let lines = read(file)?;
            let keys = lines.lines().filter(|line| !line.trim().is_empty());
            let keys: Result<_, _> = keys.map(|line| line.trim().parse()).collect();
            keys.map_err(|error| unusable(file, &error))?
        }
    };
    let checkpoint = match checkpoint {
        None => None,
        Some(file) => {
            let head = TreeHead::open(&read(file)?, &keys);
            Some(head.map_err(|error| unusable(file, &error))?)
        }
    };
    Ok(Trusted {
        keys,
        checkpoint,
        lists: false,
    })
}

fn read(file: &Path) -> Result<String, StartupError> {
    std::fs::read_to_string(file).map_err(|error| unusable(file, &error))
}

fn unusable(file: &Path, error: &dyn std::fmt::Display) -> StartupError {
    StartupError::configuration(
        format!("{} cannot be used: {error}.", file.display()),
        "--public-key takes what `checklist-server audit key` prints, --checkpoint what `GET /Audit/Checkpoint` answers.",
    )
}

fn unreadable(error: &ServiceError) -> StartupError {
    let problem = &error.problem;
    let detail = problem.detail.as_deref().unwrap_or(&problem.title);
    StartupError::new(
        Exit::Failed,
        format!("The audit trail cannot be read: {detail}"),
        "Try again on a copy of the data.",
    )
}

fn report(verdicts: &[Verdict]) -> Result<(), StartupError> {
    let (mut broken, mut altered) = (Vec::new(), Vec::new());
    for verdict in verdicts {
        let tenant = &verdict.tenant;
        match &verdict.broken {
            None => say(&format!(
                "tenant {tenant}: {} rows, unbroken; {} of them signed",
                verdict.rows, verdict.signed
            )),
            Some(found) => {
                say(&format!(
                    "tenant {tenant}: broken at row {}: {}",
                    found.sequence, found.reason
                ));
                broken.push(tenant.as_str());
            }
        }
        for difference in &verdict.differences {
            say(&format!("tenant {tenant}: {difference}"));
        }
        if !verdict.differences.is_empty() {
            altered.push(tenant.as_str());
        }
    }
    if verdicts.is_empty() {
        say("there is no audit trail yet");
    }
    if broken.is_empty() && !altered.is_empty() {
        return Err(StartupError::new(
            Exit::AuditBroken,
            format!(
                "Lists of {} are not as the audit trail says.",
                altered.join(", ")
            ),
            "The trail itself is as it was written: what it says of these lists happened.",
        ));
    }
    if broken.is_empty() {
        return Ok(());
    }
    Err(StartupError::new(
        Exit::AuditBroken,
        format!(
            "The audit trail of {} is not what was written.",
            broken.join(", ")
        ),
        "Compare with a backup from before; rows before the one named are as they were written.",
    ))
}
