//! What the command line takes about templates.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use secrecy::SecretString;
use url::Url;

/// Templates as files, one JSON file a template.
#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// Write the published templates of a server into a folder.
    ///
    /// Files of the same names are replaced, other files stay.
    #[command(
        after_help = "Example:\n  CHECKLIST_API_KEY=$(cat deploy.key) checklist-server template export --server \
                      https://checks.example.org templates"
    )]
    Export(FolderOptions),
    /// Say what would change on the server, and change nothing.
    ///
    /// Ends with 8 if anything would. Templates of the server that have no file are left alone.
    #[command(
        after_help = "Example:\n  CHECKLIST_API_KEY=$(cat deploy.key) checklist-server template diff --server \
                      https://checks.example.org templates"
    )]
    Diff(FolderOptions),
    /// Write what has changed as drafts, and publish them.
    ///
    /// Every file is read and compared first. Templates of the server that have no file are left alone.
    #[command(
        after_help = "Examples:\n  CHECKLIST_API_KEY=$(cat deploy.key) checklist-server template apply --server \
                      https://checks.example.org templates\n  checklist-server template apply --server \
                      https://checks.example.org --api-key-file deploy.key --drafts-only templates"
    )]
    Apply(ApplyOptions),
}

/// Which folder, and which server.
#[derive(Debug, Args)]
pub struct FolderOptions {
    #[command(flatten)]
    pub server: ServerOptions,
    /// The folder with the files.
    pub folder: PathBuf,
}

/// How files are brought to the server.
#[derive(Debug, Args)]
pub struct ApplyOptions {
    #[command(flatten)]
    pub of: FolderOptions,
    /// Publish nothing: somebody looks at the drafts first.
    #[arg(long)]
    pub drafts_only: bool,
    /// Replace drafts that somebody has begun on the server.
    #[arg(long)]
    pub replace_drafts: bool,
}

/// A running server, and who asks it.
#[derive(Debug, Args)]
pub struct ServerOptions {
    /// The server's base URL.
    #[arg(long, value_name = "URL", env = "CHECKLIST_SERVER")]
    pub server: Url,
    /// A file with an API key that may write templates; else the variable `CHECKLIST_API_KEY` has it.
    #[arg(long, value_name = "FILE")]
    pub api_key_file: Option<PathBuf>,
    #[arg(long, env = "CHECKLIST_API_KEY", hide = true, hide_env_values = true)]
    api_key: Option<SecretString>,
}

impl ServerOptions {
    /// The key as the environment has it.
    pub fn api_key(&self) -> Option<&SecretString> {
        self.api_key.as_ref()
    }
}
