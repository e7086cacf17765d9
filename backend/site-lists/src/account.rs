//! The account that a connection names, compared with the names that a site gives the caller: claims
//! (`i:0#.w|corp\ada`), `CORP\ada`, `ada@corp.example`, in whatever case.
//!
//! Invariant: names that cannot be compared (a SID with a name, a NetBIOS domain with a DNS domain)
//! count as equal, so that no connection that works is refused on a guess.

use std::fmt;

/// Whom a connection names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    name: String,
    domain: Option<String>,
    /// Whether the name was given as `name@domain`.
    is_principal: bool,
    /// Whether it is a Windows account, where one person has several names: its
    /// principal name need not begin with the short one, nor end with the realm.
    is_windows: bool,
}

impl Account {
    /// Of a directory of Windows.
    pub(crate) fn windows(username: &str, domain: Option<&str>) -> Self {
        Self {
            is_windows: true,
            ..Self::plain(username, domain)
        }
    }

    /// Of a directory of the site's own.
    pub(crate) fn plain(username: &str, domain: Option<&str>) -> Self {
        let (name, own) = split_login(username.trim());
        let given = domain.map(str::trim).filter(|domain| !domain.is_empty());
        Self {
            name: name.to_owned(),
            domain: own.or(given).filter(|own| *own != ".").map(str::to_owned),
            is_principal: username.contains('@') && !username.contains('\\'),
            is_windows: false,
        }
    }

    /// Whether one of the names that a site gives a user is this account.
    pub(crate) fn is_one_of(&self, names: &[String]) -> bool {
        let mut names = names.iter().map(|name| strip_claim(name));
        // A site that gives the short name alone gives no principal name to compare.
        let has_no_principal =
            self.is_windows && self.is_principal && names.clone().all(|name| name.contains('\\'));
        has_no_principal || names.any(|name| self.is(name))
    }

    fn is(&self, given: &str) -> bool {
        let lower = given.to_lowercase();
        // A number that stands for a name, and what a farm calls the account that it runs as.
        if lower.starts_with("s-1-") || lower == "sharepoint\\system" {
            return true;
        }
        let (name, domain) = split_login(&lower);
        if name != self.name.to_lowercase() {
            return false;
        }
        let (Some(own), Some(domain)) = (&self.domain, domain) else {
            return true;
        };
        let own = own.to_lowercase();
        match (own.contains('.'), domain.contains('.')) {
            (false, false) => own == domain,
            (true, true) => own == domain || self.is_windows || !self.is_principal,
            _ => true,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.domain {
            Some(domain) if self.is_principal => write!(out, "{}@{domain}", self.name),
            Some(domain) => write!(out, "{domain}\\{}", self.name),
            None => out.write_str(&self.name),
        }
    }
}

/// Whether a login is one of the anonymous accounts of servers.
pub(crate) fn is_nobody(login: &str) -> bool {
    let login = strip_claim(login).to_lowercase();
    let (name, _) = split_login(&login);
    matches!(
        name,
        "" | "anonymous" | "anonymous logon" | "iusr" | "s-1-5-7"
    ) || name.starts_with("iusr_")
        || login.starts_with("urn:spo:anon")
}

/// A login without its claim.
fn strip_claim(login: &str) -> &str {
    login.rsplit('|').next().unwrap_or(login).trim()
}

/// Name and domain of a login.
fn split_login(login: &str) -> (&str, Option<&str>) {
    if let Some((domain, name)) = login.rsplit_once('\\') {
        return (name, Some(domain));
    }
    match login.split_once('@') {
        Some((name, domain)) => (name, Some(domain)),
        None => (login, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(account: &Account, given: &str) -> bool {
        account.is_one_of(&[given.to_owned()])
    }

    #[test]
    fn one_person_has_many_spellings() {
        for (username, domain) in [
            ("ada", None),
            ("ADA", Some("Corp")),
            ("CORP\\ada", None),
            ("corp\\Ada", Some("elsewhere")),
            ("ada", Some("CORP.EXAMPLE")),
            ("ada@corp.example", None),
            ("ada", Some(".")),
        ] {
            let account = Account::windows(username, domain);
            for given in [
                "i:0#.w|corp\\ada",
                "CORP\\Ada",
                "ada@corp.example",
                "i:0).w|s-1-5-21-1-2-3-1104",
                "SHAREPOINT\\system",
            ] {
                assert!(same(&account, given), "{username} {domain:?} {given}");
            }
        }
        let member = Account::plain("ada@corp.example", None);
        assert!(same(&member, "i:0#.f|membership|Ada@Corp.Example"));
    }

    #[test]
    fn somebody_else_is_somebody_else() {
        let ada = Account::windows("ada", Some("CORP"));
        for given in ["i:0#.w|corp\\bob", "i:0#.w|other\\ada", "bob@corp.example"] {
            assert!(!same(&ada, given), "{given}");
        }
        let member = Account::plain("ada@corp.example", None);
        for given in ["i:0#.f|membership|ada@other.example", "bob@corp.example"] {
            assert!(!same(&member, given), "{given}");
        }
    }

    #[test]
    fn a_principal_name_is_looked_for_among_all_names_that_are_told() {
        let ada = Account::windows("ada.admin@corp.example", None);
        let given = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            ada.is_one_of(&names)
        };
        assert!(given(&["i:0#.w|corp\\aadmin", "ada.admin@corp.example"]));
        assert!(given(&["i:0#.w|corp\\aadmin"]), "nothing to compare with");
        assert!(!given(&["i:0#.w|corp\\bob", "bob@corp.example"]));
    }

    #[test]
    fn accounts_of_servers_for_whoever_has_not_signed_in_are_nobody() {
        for login in [
            "",
            "i:0#.w|",
            "anonymous",
            "i:0#.f|membership|anonymous@demo.test",
            "NT AUTHORITY\\ANONYMOUS LOGON",
            "i:0#.w|nt authority\\iusr",
            "IUSR_WEB01",
            "i:0#.f|membership|urn:spo:anon#0123",
        ] {
            assert!(is_nobody(login), "{login}");
        }
        for login in ["i:0#.w|corp\\ada", "iusrin@corp.example", "anonymouse"] {
            assert!(!is_nobody(login), "{login}");
        }
    }
}
