//! `template`: templates as files in a folder, compared with those of a server, and brought there.
//!
//! Works on a running server over its web services, with an API key that may write templates. Invariant:
//! nothing is written before every file was read, checked and compared, and no draft that somebody has
//! begun on the server is replaced unless that was asked for.

mod difference;
mod folder;
mod options;
mod server;

use checklist_shared::template::Template;
use difference::Difference;
use folder::TemplateFile;
pub use options::TemplateCommand;
use options::{ApplyOptions, FolderOptions};
use server::{Server, StoredTemplate};

use super::data::with_runtime;
use super::output::say;
use crate::config::{Exit, StartupError};

/// Runs the command.
///
/// # Errors
/// What is wrong with the files, or with the server; for `diff`, that it would change something.
pub fn run(command: TemplateCommand) -> Result<(), StartupError> {
    with_runtime(async {
        match command {
            TemplateCommand::Export(options) => export(&options).await,
            TemplateCommand::Diff(options) => diff(&options).await,
            TemplateCommand::Apply(options) => apply(&options).await,
        }
    })
}

/// What has to be done about a file.
struct Planned {
    file: TemplateFile,
    stored: StoredTemplate,
    difference: Difference,
}

impl Planned {
    /// Whether a draft lies on the server that is not what the file says.
    fn has_other_draft(&self) -> bool {
        let draft = self.stored.history.draft.as_ref();
        draft.is_some_and(|draft| !Difference::between(Some(draft), &self.file.template).is_none())
    }
}

async fn export(options: &FolderOptions) -> Result<(), StartupError> {
    let server = Server::of(&options.server)?;
    let templates: Vec<Template> = server.published().await?;
    let count = templates.len();
    for template in templates {
        let name = folder::write(&options.folder, template)?;
        say(&name);
    }
    say(&counted(count, "template"));
    Ok(())
}

/// All files, each compared with what is published.
async fn plan(server: &Server, options: &FolderOptions) -> Result<Vec<Planned>, StartupError> {
    let mut planned = Vec::new();
    for file in folder::read(&options.folder)? {
        let stored = server.template(&file.template.id).await?;
        let difference = Difference::between(stored.history.published.as_ref(), &file.template);
        planned.push(Planned {
            file,
            stored,
            difference,
        });
    }
    Ok(planned)
}

async fn diff(options: &FolderOptions) -> Result<(), StartupError> {
    let server = Server::of(&options.server)?;
    let planned = plan(&server, options).await?;
    let changes = tell(&planned);
    if changes == 0 {
        return Ok(());
    }
    Err(StartupError::new(
        Exit::WouldChange,
        format!(
            "{changes} of {} would change.",
            counted(planned.len(), "template")
        ),
        "`checklist-server template apply` changes them.",
    ))
}

async fn apply(options: &ApplyOptions) -> Result<(), StartupError> {
    let server = Server::of(&options.of.server)?;
    let planned = plan(&server, &options.of).await?;
    tell(&planned);
    if !options.replace_drafts
        && let Some(other) = planned
            .iter()
            .find(|one| !one.difference.is_none() && one.has_other_draft())
    {
        return Err(StartupError::new(
            Exit::Failed,
            format!(
                "Somebody has begun another draft of {} on the server; nothing was changed.",
                other.file.template.id
            ),
            "Publish or discard it there, or replace it with --replace-drafts.",
        ));
    }
    for one in planned {
        if one.difference.is_none() {
            continue;
        }
        let is_drafted = one.stored.history.draft.is_some() && !one.has_other_draft();
        if options.drafts_only && is_drafted {
            continue;
        }
        let id = one.file.template.id.clone();
        let written = server.put_draft(one.file.template, &one.stored).await?;
        if options.drafts_only {
            say(&format!("{id}: draft written"));
            continue;
        }
        let published = server.publish(&id, written).await?;
        say(&format!("{id}: version {} published", published.version));
        for warning in published.warnings() {
            say(&format!("  warning: {warning}"));
        }
    }
    Ok(())
}

/// Says what would change; gives how many templates.
fn tell(planned: &[Planned]) -> usize {
    let mut changes = 0;
    for one in planned {
        let id = &one.file.template.id;
        let lines = match &one.difference {
            Difference::None => continue,
            Difference::New { items } => {
                say(&format!("{id}: new, {}", counted(*items, "item")));
                &Vec::new()
            }
            Difference::Changed(lines) => {
                say(&format!("{id}: changed"));
                lines
            }
        };
        for line in lines {
            say(&format!("  {line}"));
        }
        changes += 1;
    }
    if changes == 0 {
        let templates = counted(planned.len(), "template");
        say(&format!("{templates}, unchanged"));
    }
    changes
}

/// A number of things with their name, which takes an `s` in the plural.
fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}
