//! Programs of Debian that the tests start themselves: unpacked into `target/tools` even where they
//! could be installed, because installing would start system services.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::project::{Environment, Project, output_of};
use crate::stages::step;
use crate::test::debian;

/// A set of packages with the programs that are wanted of them.
struct DebianTool {
    title: &'static str,
    /// The folder below the tools.
    folder: &'static str,
    packages: &'static [&'static str],
    /// Programs, and how each says its version.
    programs: &'static [(&'static str, &'static str)],
    /// The variable that names the folder that corresponds to `/`.
    variable: &'static str,
}

const REVERSE_PROXIES: DebianTool = DebianTool {
    title: "nginx and Caddy",
    folder: "reverse-proxies",
    packages: &["nginx-light", "caddy"],
    programs: &[("usr/sbin/nginx", "-v"), ("usr/bin/caddy", "version")],
    variable: "CHECKLIST_REVERSE_PROXIES",
};

const PROMETHEUS: DebianTool = DebianTool {
    title: "Prometheus",
    folder: "prometheus",
    packages: &["prometheus"],
    programs: &[("usr/bin/promtool", "--version")],
    variable: "CHECKLIST_PROMETHEUS",
};

/// Patroni with etcd. Its PostgreSQL is the one of the other tests.
const PATRONI: DebianTool = DebianTool {
    title: "Patroni and etcd",
    folder: "patroni",
    packages: &["patroni", "etcd-server", "python3-etcd", "python3-psycopg2"],
    programs: &[
        ("usr/bin/etcd", "--version"),
        ("usr/bin/patroni", "--version"),
    ],
    variable: "CHECKLIST_PATRONI",
};

/// With what a program in C# needs to be compiled and to call a server; also where the system has it,
/// because the libraries are looked for in this one place.
const MONO: DebianTool = DebianTool {
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
    programs: &[("usr/bin/mono", "--version")],
    variable: "CHECKLIST_MONO",
};

/// nginx and Caddy.
///
/// # Errors
/// There is no apt, or it gives nothing.
pub fn reverse_proxies(project: &Project) -> Result<Environment> {
    REVERSE_PROXIES.find_or_fetch(project)
}

/// Prometheus with `promtool`.
///
/// # Errors
/// There is no apt, or it gives nothing.
pub fn prometheus(project: &Project) -> Result<Environment> {
    PROMETHEUS.find_or_fetch(project)
}

/// Patroni with etcd.
///
/// # Errors
/// There is no apt, or it gives nothing.
pub fn patroni(project: &Project) -> Result<Environment> {
    PATRONI.find_or_fetch(project)
}

/// Mono with its compiler.
///
/// # Errors
/// There is no apt, or it gives nothing.
pub fn mono(project: &Project) -> Result<Environment> {
    MONO.find_or_fetch(project)
}

impl DebianTool {
    fn find_or_fetch(&self, project: &Project) -> Result<Environment> {
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
        for (program, version) in self.programs {
            let file = root.join(program);
            ensure!(file.is_file(), "the packages do not hold /{program}");
            let libraries = debian::library_folders(root)?;
            let mut command = Command::new(file);
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
        let error = PROMETHEUS
            .missing_in(folder.path())
            .expect_err("nothing is there");
        assert!(error.to_string().contains("promtool"), "{error}");
    }
}
