//! `init`: a tenant, a signing key for its host platform, an API key, a key for the vault, a
//! configuration, and what a page needs to embed the control.
//!
//! What is there already is not overwritten: a second `init` in the same folder is refused before
//! anything is written. Only the sample of the settings that a package has brought is filled in.

use std::cell::RefCell;
use std::fs;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use checklist_auth::Principal;
use checklist_auth::keys::public_jwk;
use checklist_auth::own_key::{generate, private_pem};
use checklist_services::base_url::BaseUrl;
use checklist_services::{admin_links, api_keys, embed_keys, tenants};
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::wire::access::{NewApiKey, PutEmbedKey};
use checklist_store::database::Database;
use clap::Args;

use super::access::with_new_directory;
use super::data_options::DataOptions;
use super::output::say;
use crate::config::check::{clear_text_problem, is_origin_of_pages};
use crate::config::{Exit, StartupError, vault};

/// The name of the first key.
const KID: &str = "host-1";

/// Minting a token in the languages of host platforms, as files in the folder.
const SNIPPETS: [(&str, &str); 4] = [
    ("mint.mjs", include_str!("snippets/mint.mjs")),
    ("mint.py", include_str!("snippets/mint.py")),
    ("Mint.java", include_str!("snippets/Mint.java")),
    ("Mint.cs", include_str!("snippets/Mint.cs")),
];

/// Make everything that a first server needs.
///
/// Writes the database with a tenant, a private key for the host platform that signs its tokens
/// (`host-1.private.pem`, for the owner's eyes), an API key, the key that seals passwords of
/// service connections (`vault.key`), and `checklist.env` with the options of `serve`. With `--embed-origin` also small programs that mint a token, and it prints
/// what a page needs.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  checklist-server init --tenant acme --base-url https://checks.example.org \
                  --embed-origin https://portal.example.org"
)]
pub struct InitOptions {
    #[command(flatten)]
    data: DataOptions,
    /// The tenant's id, as tokens name it.
    #[arg(long, value_name = "ID")]
    tenant: String,
    /// Where browsers will reach the server.
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080")]
    base_url: BaseUrl,
    /// Where the configuration is written, with the vault's key beside it, for a service that reads
    /// it from there: /etc/checklist/checklist.env. Otherwise both lie in the data directory.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The origin of the pages that will embed the control: scheme, host and port.
    #[arg(long, value_name = "ORIGIN", value_parser = origin_of_pages)]
    embed_origin: Option<String>,
}

/// Runs it.
///
/// # Errors
/// What is there already, or could not be written.
pub fn run(options: &InitOptions) -> Result<(), StartupError> {
    let folder = &options.data.data_dir;
    let private = folder.join(format!("{KID}.private.pem"));
    let settings = options
        .config
        .clone()
        .unwrap_or_else(|| folder.join("checklist.env"));
    let vault_key = settings.with_file_name("vault.key");
    // What `serve` would refuse later.
    if let Some(problem) = clear_text_problem(&options.base_url) {
        return Err(problem);
    }
    for file in [&private, &settings, &vault_key] {
        if file.exists() && !is_untouched_sample(file) {
            return Err(StartupError::new(
                Exit::Data,
                format!("{} already exists; nothing was changed.", file.display()),
                "Choose another folder with --data-dir, or go on with `checklist-server key` and `user`. A folder where a demo \
                 has run stays the demo's.",
            ));
        }
    }
    let (key, public) = generate(KID, &options.tenant).map_err(no_key)?;
    let public_key = public_jwk(&public).ok_or_else(|| no_key("it cannot be written down"))?;
    let link = RefCell::new(None);
    with_new_directory(&options.data, async |app| {
        let operator = Principal::operator(&options.tenant);
        tenants::put(app, &options.tenant, None, None).await?;
        let wish = PutEmbedKey {
            public_key: public_key.clone(),
            origins: options
                .embed_origin
                .clone()
                .map(|origin| vec![origin])
                .into(),
            // The work on lists, and nothing else.
            issuer: Patch::Keep,
            permissions: Patch::Keep,
            contexts: Patch::Keep,
            expires_at: Patch::Keep,
        };
        embed_keys::put(app, &operator, KID, wish).await?;
        let wish = NewApiKey {
            name: "First administrator".to_owned(),
            roles: vec![Role::Admin],
            contexts: None,
            sources: None,
            expires_at: None,
        };
        let made = api_keys::create(app, &operator, wish).await?;
        // It is there already unless the database is elsewhere.
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        write(&private, &private_pem(&key), true)?;
        if let Some(parent) = settings.parent() {
            fs::create_dir_all(parent).map_err(|error| cannot_write(parent, &error))?;
        }
        vault::write_new(&vault_key, "first", None)?;
        let text = environment(options, &vault_key);
        if is_untouched_sample(&settings) {
            // Its owner and permissions are the package's.
            fs::write(&settings, text).map_err(|error| cannot_write(&settings, &error))?;
        } else {
            // It may come to hold secrets: the address of a database, the client secret of a provider.
            write(&settings, &text, true)?;
        }
        say(&format!(
            "Created tenant {}; its data is in {}",
            options.tenant,
            folder.display()
        ));
        say(&format!(
            "private key of the host platform: {}",
            private.display()
        ));
        say(&format!(
            "  its tokens name kid={KID} iss={tenant} tenant={tenant} aud={}",
            options.base_url,
            tenant = options.tenant,
        ));
        say(&format!(
            "key of the vault, to be kept apart from backups of the database: {}",
            vault_key.display()
        ));
        say(&format!(
            "API key of an administrator, shown only once: {}",
            made.secret
        ));
        // What a service says at its start is in a journal; whoever starts a server sees it.
        if options.config.is_some() {
            let made = admin_links::create(app, &operator, None).await?;
            *link.borrow_mut() = Some(made.address(&options.base_url));
        }
        Ok(())
    })?;
    if let Some(origin) = &options.embed_origin {
        for (name, text) in SNIPPETS {
            write(&folder.join(name), &fill_template(text, options), false)?;
        }
        embedding(options, origin);
    }
    if options.config.is_some() {
        say(&format!(
            "look over {} (the address to listen on, the proxy), then start the service",
            settings.display()
        ));
    } else {
        say(
            "start the server; it prints the link that makes you the first administrator, and takes its settings from the file:",
        );
        say(&format!(
            "  checklist-server serve --config {}",
            settings.display()
        ));
    }
    if let Some(name) = name_for_passkeys(&options.base_url) {
        say(&format!(
            "passkeys do not work at an IP address, so every sign-in takes a new link; for passkeys choose a name: --base-url {name}"
        ));
    }
    if let Some(link) = link.into_inner() {
        say(
            "then open the administration with this link, once and within 10 minutes (another one: checklist-server admin-link):",
        );
        say(&format!("  {link}"));
    }
    Ok(())
}

fn origin_of_pages(text: &str) -> Result<String, String> {
    let origin = text.strip_suffix('/').unwrap_or(text);
    if is_origin_of_pages(origin) {
        return Ok(origin.to_owned());
    }
    Err("scheme, host and port are needed, such as https://desk.example.org".to_owned())
}

/// A base URL with a name, where the one given has an IP address: browsers make no passkeys there.
fn name_for_passkeys(base: &BaseUrl) -> Option<String> {
    let host = base.host();
    let ip: IpAddr = host.trim_matches(['[', ']']).parse().ok()?;
    let name = if ip.is_loopback() {
        "localhost"
    } else {
        "checks.example.org"
    };
    Some(base.to_string().replacen(host, name, 1))
}

/// Tells what a page of `origin` needs.
fn embedding(options: &InitOptions, origin: &str) {
    let base = &options.base_url;
    let own = base.origin();
    say(&format!("\nOn pages of {origin}:"));
    say(&format!(
        "  <script type=\"module\" src=\"{base}/control/checklist-control.js\"></script>\n  \
         <checklist-control object-type=\"incident\" object-id=\"INC-1\" token-url=\"/checklist-token\"></checklist-control>"
    ));
    say("Their policy:");
    say(&format!(
        "  Content-Security-Policy: script-src 'self' {own} 'wasm-unsafe-eval'; style-src 'self' {own}; \
         connect-src 'self' {own}"
    ));
    say("/checklist-token answers {\"Token\": …, \"ExpiresAt\": …}; a token is minted as in:");
    for (name, _) in SNIPPETS {
        say(&format!("  {}", options.data.data_dir.join(name).display()));
    }
    say("");
}

fn fill_template(text: &str, options: &InitOptions) -> String {
    text.replace("{KID}", KID)
        .replace("{TENANT}", &options.tenant)
        .replace("{BASE_URL}", &options.base_url.to_string())
}

/// The settings of a service, as the package brings them.
const OF_SERVICE: &str = include_str!("../../service/checklist.env");

fn environment(options: &InitOptions, vault_key: &Path) -> String {
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let elsewhere = match options.data.database() {
        Ok(Database::Shared(_)) => {
            "# CHECKLIST_DATABASE_URL holds a password, so it is not written down here.\n"
        }
        _ => "",
    };
    let listen = listen_line(&options.base_url);
    let own = format!(
        "{elsewhere}CHECKLIST_DATA_DIR='{}'\nCHECKLIST_BASE_URL='{}'\nCHECKLIST_VAULT_KEY='{}'\n",
        whole(&options.data.data_dir).display(),
        options.base_url,
        whole(vault_key).display()
    ) + &listen;
    if options.config.is_none() {
        return format!(
            "# Options of `checklist-server serve`; all of them: checklist-server serve --help\n{own}"
        );
    }
    // The sample's own lines about the same settings go.
    let is_ours = |line: &str| {
        let line = line.trim_start_matches('#');
        ["CHECKLIST_BASE_URL=", "CHECKLIST_VAULT_KEY="]
            .iter()
            .any(|name| line.starts_with(name))
            || !listen.is_empty() && line.starts_with("CHECKLIST_LISTEN=")
    };
    let sample: String = OF_SERVICE
        .lines()
        .filter(|line| !is_ours(line))
        .map(|line| format!("{line}\n"))
        .collect();
    format!("{sample}{own}")
}

/// The address to listen on, where the base URL says it: that of this machine alone, without a proxy.
fn listen_line(base: &BaseUrl) -> String {
    let address = base.origin().strip_prefix("http://").unwrap_or_default();
    // Passkeys work on `localhost`, and not on its number.
    let address = address.replace("localhost:", "127.0.0.1:");
    match address.parse::<std::net::SocketAddr>() {
        Ok(address) if address.ip().is_loopback() => format!("CHECKLIST_LISTEN='{address}'\n"),
        _ => String::new(),
    }
}

/// Whether a file is the sample as a package has laid it there, so that nothing of anybody's is in it.
fn is_untouched_sample(file: &Path) -> bool {
    fs::read(file).is_ok_and(|bytes| bytes == OF_SERVICE.as_bytes())
}

/// Writes a file that was not there; `secret` for the owner's eyes alone.
fn write(path: &PathBuf, text: &str, secret: bool) -> Result<(), StartupError> {
    let mut how = fs::File::options();
    how.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        how.mode(if secret { 0o600 } else { 0o644 });
    }
    how.open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> StartupError {
    StartupError::new(
        Exit::Data,
        format!("{} cannot be written: {error}.", path.display()),
        "Choose another folder with --data-dir.",
    )
}

fn no_key(reason: impl std::fmt::Display) -> StartupError {
    StartupError::new(
        Exit::Failed,
        format!("No key could be made: {reason}."),
        "Try again.",
    )
}
