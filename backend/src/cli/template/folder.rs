//! Templates as files: `<id>.json`, each what `GET /Templates/{id}` gives of a version, without what the
//! server decides (`Status`, `Version`).
//!
//! Invariant: what is read is sound, so that a server with the usual limits takes all of it.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use checklist_shared::limits::Limits;
use checklist_shared::template::{Template, TemplateStatus};
use serde_json::Value;

use crate::config::StartupError;

/// A template, and where it was read.
pub struct TemplateFile {
    pub template: Template,
    path: PathBuf,
}

/// The templates of a folder, by id.
///
/// # Errors
/// The folder or a file cannot be read, a file is not a valid template, or two files have one id.
pub fn read(folder: &Path) -> Result<Vec<TemplateFile>, StartupError> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.extension() == Some(OsStr::new("json")) {
            files.push(read_file(path)?);
        }
    }
    files.sort_by(|one, other| one.template.id.cmp(&other.template.id));
    if let Some([one, other]) = files
        .array_windows()
        .find(|[one, other]| one.template.id == other.template.id)
    {
        return Err(refused(
            &other.path,
            &format!("it has the same Id as {}", one.path.display()),
        ));
    }
    if files.is_empty() {
        return Err(StartupError::configuration(
            format!("There are no templates in {}.", folder.display()),
            "Templates are files named *.json; `checklist-server template export` writes them.",
        ));
    }
    Ok(files)
}

fn read_file(path: PathBuf) -> Result<TemplateFile, StartupError> {
    let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    let mut template: Template = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| refused(&path, &error.to_string()))?;
    if template.id.is_empty() {
        template.id = path
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    }
    (template.status, template.version) = (TemplateStatus::Draft, 0);
    if let Some(error) = template.validate(&Limits::default()).first() {
        return Err(refused(
            &path,
            &format!("{}: {}", error.pointer, error.detail),
        ));
    }
    Ok(TemplateFile { template, path })
}

/// Writes a template; gives the name of the file.
///
/// # Errors
/// It cannot be written.
pub fn write(folder: &Path, mut template: Template) -> Result<String, StartupError> {
    (template.status, template.version) = (TemplateStatus::Draft, 0);
    let name = format!("{}.json", file_stem(&template.id));
    let path = folder.join(&name);
    let mut value = serde_json::to_value(&template).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.remove("Status");
        fields.remove("Version");
    }
    let unwritten = |error: &std::io::Error| {
        StartupError::configuration(
            format!("{} cannot be written: {error}.", path.display()),
            "Choose a folder that you may write to.",
        )
    };
    fs::create_dir_all(folder).map_err(|error| unwritten(&error))?;
    let text = format!("{value:#}\n");
    fs::write(&path, text).map_err(|error| unwritten(&error))?;
    Ok(name)
}

/// An id as the name of a file: what file systems treat in their own way is written as in URLs.
fn file_stem(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    id.bytes()
        .map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

fn refused(path: &Path, reason: &str) -> StartupError {
    StartupError::configuration(
        format!(
            "{} is not a valid template: {}.",
            path.display(),
            // The details of field errors are sentences.
            reason.trim_end_matches('.')
        ),
        "Nothing was changed. The API reference describes templates: PutTemplateDraft.",
    )
}

fn unreadable(path: &Path, error: &std::io::Error) -> StartupError {
    let hint = match error.kind() {
        ErrorKind::NotFound => "Name the folder with the templates.",
        _ => "Name a folder and files that you may read.",
    };
    StartupError::configuration(format!("{} cannot be read: {error}.", path.display()), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_safe_and_distinct_file_name() {
        assert_eq!(file_stem("laptop-return"), "laptop-return");
        assert_eq!(file_stem("../a b%2F"), "%2E%2E%2Fa%20b%252F");
    }
}
