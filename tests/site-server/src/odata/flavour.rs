//! The three ways in which an answer may carry metadata, and how the caller says which it wants.

/// How much an answer says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// `{"d":{…}}`, with `__metadata` in every entity.
    Verbose,
    /// `odata.…` members.
    Minimal,
    /// Nothing but the data.
    None,
}

impl Flavour {
    /// What an `Accept` header asks for; `None` where it asks for no JSON.
    #[must_use]
    pub fn accepted(header: Option<&str>) -> Option<Self> {
        let header = header?.to_ascii_lowercase();
        header.split(',').find_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            if !matches!(
                media,
                "application/json" | "text/json" | "*/*" | "application/*"
            ) {
                return None;
            }
            let wanted = parts.find_map(|part| part.strip_prefix("odata=").map(str::to_owned));
            match wanted.as_deref() {
                // Anything goes: then the service writes Atom, unless JSON was named.
                None if media != "application/json" && media != "text/json" => None,
                Some("verbose") => Some(Self::Verbose),
                Some("nometadata") => Some(Self::None),
                _ => Some(Self::Minimal),
            }
        })
    }

    /// What a `Content-Type` says of a body.
    #[must_use]
    pub fn of_body(header: Option<&str>) -> Self {
        let header = header.unwrap_or_default().to_ascii_lowercase();
        if header.contains("odata=verbose") {
            Self::Verbose
        } else if header.contains("odata=nometadata") {
            Self::None
        } else {
            Self::Minimal
        }
    }

    /// The media type of an answer.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Verbose => "application/json;odata=verbose;charset=utf-8",
            Self::Minimal => "application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
            Self::None => "application/json;odata=nometadata;streaming=true;charset=utf-8",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accept_header_chooses() {
        let of = |header: &str| Flavour::accepted(Some(header));
        assert_eq!(of("application/json;odata=verbose"), Some(Flavour::Verbose));
        assert_eq!(
            of("application/json; odata=nometadata"),
            Some(Flavour::None)
        );
        assert_eq!(of("application/json"), Some(Flavour::Minimal));
        assert_eq!(
            of("application/json, text/plain, */*"),
            Some(Flavour::Minimal)
        );
        assert_eq!(of("application/atom+xml"), None);
        assert_eq!(of("*/*"), None);
        assert_eq!(Flavour::accepted(None), None);
    }
}
