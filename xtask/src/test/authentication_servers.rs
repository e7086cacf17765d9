//! The servers that the tests of site lists sign in to: Apache with its modules for Digest,
//! Negotiate and NTLM, and MIT Kerberos. Debian's packages are unpacked into `target/tools` (into
//! `/var/cache` if Apache's workers could not read them there), even
//! where they could be installed, because installing would start system services. The tests start
//! the unpacked programs. If they are unavailable, the stage prints the reason, and the tests that
//! need them are skipped.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::project::{Environment, Project, output_of};
use crate::stages::step;
use crate::test::debian;

const PACKAGES: [&str; 6] = [
    "apache2-bin",
    "libapache2-mod-auth-gssapi",
    "gss-ntlmssp",
    "krb5-kdc",
    "krb5-admin-server",
    "krb5-user",
];

/// Programs, and how each says that it starts and finds its libraries.
const PROGRAMS: [(&str, &str); 2] = [("usr/sbin/apache2", "-v"), ("usr/bin/klist", "-V")];

/// Files without which nothing can be proved. Their folders are named after the machine.
const FILES: [&str; 7] = [
    "usr/lib/apache2/modules/mod_auth_gssapi.so",
    "usr/lib/apache2/modules/mod_auth_digest.so",
    "usr/lib/apache2/modules/mod_proxy_http.so",
    "usr/sbin/krb5kdc",
    "usr/sbin/kdb5_util",
    "usr/sbin/kadmin.local",
    "usr/bin/kinit",
];

/// Unpacks what is not there yet.
///
/// # Errors
/// There is no apt, or it gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<Environment> {
    // As root, Apache's workers are nobody in particular.
    let folder = debian::place_for_all(&project.tools()).join("authentication-servers");
    let root = folder.join("root");
    if missing_in(&root).is_err() {
        step("fetch Apache and Kerberos from Debian's packages", || {
            debian::need_apt("Apache and MIT Kerberos")?;
            debian::unpack(&folder, &PACKAGES)
        })?;
        missing_in(&root)?;
    }
    Ok(vec![("CHECKLIST_AUTHENTICATION_SERVERS", root.into())])
}

/// # Errors
/// What is not there, or does not start.
fn missing_in(root: &Path) -> Result<()> {
    for file in FILES {
        ensure!(
            root.join(file).is_file(),
            "the packages do not hold /{file}"
        );
    }
    let libraries = debian::library_folders(root)?;
    for (program, says) in PROGRAMS {
        output_of(
            Command::new(root.join(program))
                .arg(says)
                .env("LD_LIBRARY_PATH", &libraries),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unpacking_that_was_interrupted_is_not_taken_for_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let apache = folder.path().join("usr/sbin");
        std::fs::create_dir_all(&apache).expect("a folder");
        std::fs::write(apache.join("apache2"), "").expect("a file");
        let error = missing_in(folder.path()).expect_err("modules are missing");
        assert!(error.to_string().contains("mod_auth_gssapi"), "{error}");
    }
}
