//! Relative addresses: of pages among each other, and of files of the repository.

/// From a page to the folder of the site.
pub fn up(address: &str) -> &'static str {
    if address.contains('/') { "../" } else { "./" }
}

/// A path of the repository, relative to a file in it.
pub fn join(source: &str, path: &str) -> String {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
