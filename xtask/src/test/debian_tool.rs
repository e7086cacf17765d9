//! Programs of Debian that the tests start themselves: unpacked into `target/tools` even where they
//! could be installed, because installing would start system services.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::project::{Environment, Project, output_of};
use crate::stages::step;
use crate::test::debian;

/// A set of packages with the programs that are wanted of them.
pub struct DebianTool {
    title: &'static str,
    /// The folder below the tools.
    folder: &'static str,
    packages: &'static [&'static str],
    /// Files without which nothing can be proved, beside the programs.
    files: &'static [&'static str],
    /// Programs, and how each says its version.
    programs: &'static [(&'static str, &'static str)],
    /// The variable that names the folder that corresponds to `/`.
    variable: &'static str,
}

/// Apache with its modules for Digest, Negotiate and NTLM, and MIT Kerberos.
pub const AUTHENTICATION_SERVERS: DebianTool = DebianTool {
    title: "Apache and MIT Kerberos",
    folder: "authentication-servers",
    packages: &[
        "apache2-bin",
        "libapache2-mod-auth-gssapi",
        "gss-ntlmssp",
        "krb5-kdc",
        "krb5-admin-server",
        "krb5-user",
    ],
    files: &[
        "usr/lib/apache2/modules/mod_auth_gssapi.so",
        "usr/lib/apache2/modules/mod_auth_digest.so",
        "usr/lib/apache2/modules/mod_proxy_http.so",
        "usr/sbin/krb5kdc",
        "usr/sbin/kdb5_util",
        "usr/sbin/kadmin.local",
        "usr/bin/kinit",
    ],
    programs: &[("usr/sbin/apache2", "-v"), ("usr/bin/klist", "-V")],
    variable: "CHECKLIST_AUTHENTICATION_SERVERS",
};

pub const REVERSE_PROXIES: DebianTool = DebianTool {
    title: "nginx and Caddy",
    folder: "reverse-proxies",
    packages: &["nginx-light", "caddy"],
    files: &[],
    programs: &[("usr/sbin/nginx", "-v"), ("usr/bin/caddy", "version")],
    variable: "CHECKLIST_REVERSE_PROXIES",
};

pub const PROMETHEUS: DebianTool = DebianTool {
    title: "Prometheus",
    folder: "prometheus",
    packages: &["prometheus"],
    files: &[],
    programs: &[("usr/bin/promtool", "--version")],
    variable: "CHECKLIST_PROMETHEUS",
};

/// Patroni with etcd. Its PostgreSQL is the one of the other tests.
pub const PATRONI: DebianTool = DebianTool {
    title: "Patroni and etcd",
    folder: "patroni",
    packages: &["patroni", "etcd-server", "python3-etcd", "python3-psycopg2"],
    files: &[],
    programs: &[
        ("usr/bin/etcd", "--version"),
        ("usr/bin/patroni", "--version"),
    ],
    variable: "CHECKLIST_PATRONI",
};

/// With what a program in C# needs to be compiled and to call a server; also where the system has it,
/// because the libraries are looked for in this one place.
pub const MONO: DebianTool = DebianTool {
    title: "a compiler for C#",
    folder: "mono",
    packages: &[
        "mono-mcs",
        "mono-runtime",
        "mono-runtime-common",
        "mono-runtime-sgen",
        "libmono-corlib4.5-dll",
        "libmono-security4.0-cil",
        "libmono-system4.0-cil",
        "libmono-system-configuration4.0-cil",
        "libmono-system-core4.0-cil",
        "libmono-system-net-http4.0-cil",
        "libmono-system-numerics4.0-cil",
        "libmono-system-security4.0-cil",
        "libmono-system-xml4.0-cil",
    ],
    files: &[],
    programs: &[("usr/bin/mono", "--version")],
    variable: "CHECKLIST_MONO",
};

impl DebianTool {
    /// Unpacks what is not there yet.
    ///
    /// # Errors
    /// There is no apt, or it gives nothing.
    pub fn find_or_fetch(&self, project: &Project) -> Result<Environment> {
        // As root, some are run by nobody in particular.
        let folder = debian::place_for_all(&project.tools()).join(self.folder);
        let root = folder.join("root");
        if self.missing_in(&root).is_err() {
            step(
                &format!("fetch {} from Debian's packages", self.title),
                || {
                    debian::need_apt(self.title)?;
                    debian::unpack(&folder, self.packages)
                },
            )?;
            self.missing_in(&root)?;
        }
        Ok(vec![(self.variable, root.into())])
    }

    /// # Errors
    /// What is not there, or does not start.
    fn missing_in(&self, root: &Path) -> Result<()> {
        let programs = self.programs.iter().map(|(program, _)| program);
        for file in self.files.iter().chain(programs) {
            ensure!(
                root.join(file).is_file(),
                "the packages do not hold /{file}"
            );
        }
        for (program, version) in self.programs {
            let libraries = debian::library_folders(root)?;
            let mut command = Command::new(root.join(program));
            command
                .arg(version)
                .env("LD_LIBRARY_PATH", &libraries)
                .env("PYTHONPATH", root.join("usr/lib/python3/dist-packages"));
            output_of(&mut command)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unpacking_that_was_interrupted_is_not_taken_for_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = |tool: DebianTool| {
            let error = tool.missing_in(folder.path());
            error.expect_err("something is missing").to_string()
        };
        assert!(missing(PROMETHEUS).contains("promtool"));
        let apache = folder.path().join("usr/sbin");
        std::fs::create_dir_all(&apache).expect("a folder");
        std::fs::write(apache.join("apache2"), "").expect("a file");
        assert!(missing(AUTHENTICATION_SERVERS).contains("mod_auth_gssapi"));
    }
}
