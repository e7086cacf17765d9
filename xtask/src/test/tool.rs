//! What tests need besides the project and may be missing here: each tool is looked for in a stage
//! of its own, and where it cannot be had, that stage prints the reason and the tests that need it
//! are skipped.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::nextest::Tests;
use super::npm::{self, Package};
use super::{debian, debian_tool};
use crate::files;
use crate::project::{Environment, Project, run};
use crate::stages::{Stages, step};

/// Something that tests need.
pub struct Tool {
    /// The name in the heading, behind "find".
    pub title: &'static str,
    /// Parts of the names of the tests that need it.
    pub tests: &'static [&'static str],
    /// Looks for it, and fetches it where it is not there.
    pub find: fn(&Project) -> Result<Environment>,
}

impl Tool {
    /// Looks for the tool and tells the tests, or takes those that need it out; whether it is there.
    pub fn give(&self, project: &Project, stages: &Stages, tests: &mut Tests<'_>) -> bool {
        let found = self.look_for(project, stages);
        let is_there = found.is_some();
        match found {
            Some(environment) => tests.tell(environment),
            None => self.leave_out(tests),
        }
        is_there
    }

    /// Takes the tests that need it out.
    pub fn leave_out(&self, tests: &mut Tests<'_>) {
        for name in self.tests {
            tests.without(name);
        }
    }

    /// Fetches it before it is needed, if that works.
    pub fn fetch_early(&self, project: &Project) {
        if let Err(error) = (self.find)(project) {
            println!("not fetched in advance: {}: {error:#}", self.title);
        }
    }

    /// Looks for it; the stage says why it cannot be had.
    pub fn look_for(&self, project: &Project, stages: &Stages) -> Option<Environment> {
        stages.find(&format!("find {}", self.title), || (self.find)(project))
    }
}

/// The identity provider of the tests: npm's `oidc-provider`.
pub const IDENTITY_PROVIDER: Tool = Tool {
    title: "an identity provider",
    tests: &[
        "oidc::",
        "oidc_roles::",
        "consent::",
        "downgrade::",
        "sign_in_page::",
        "with_tokens::",
    ],
    find: |project| {
        let package = Package {
            title: "the identity provider",
            source: "tests/oidc",
            folder: "oidc",
            files: &["package.json", "package-lock.json", "provider.js"],
        };
        npm::environment(project, &package, "CHECKLIST_OIDC")
    },
};

/// Apache with its modules to sign in, and MIT Kerberos.
pub const AUTHENTICATION_SERVERS: Tool = Tool {
    title: "authentication servers",
    tests: &["behind_apache::"],
    find: |project| debian_tool::AUTHENTICATION_SERVERS.find_or_fetch(project),
};

/// The reverse proxies that have samples: nginx and Caddy.
pub const REVERSE_PROXIES: Tool = Tool {
    title: "reverse proxies",
    tests: &["reverse_proxies::"],
    find: |project| debian_tool::REVERSE_PROXIES.find_or_fetch(project),
};

/// Patroni and etcd, which keep a PostgreSQL of several members.
pub const PATRONI: Tool = Tool {
    title: "Patroni",
    tests: &["failover::"],
    find: |project| debian_tool::PATRONI.find_or_fetch(project),
};

/// `promtool`, which judges metrics and alert rules.
pub const PROMETHEUS: Tool = Tool {
    title: "Prometheus",
    tests: &["monitoring::"],
    find: |project| debian_tool::PROMETHEUS.find_or_fetch(project),
};

/// A compiler for the API reference's samples in C#, and what runs them.
pub const MONO: Tool = Tool {
    title: "a compiler for C#",
    tests: &["docs::csharp::"],
    find: |project| debian_tool::MONO.find_or_fetch(project),
};

/// Clients of site lists that are not ours, from npm.
pub const SITE_CLIENTS: Tool = Tool {
    title: "clients of site lists",
    tests: &["npm_clients::"],
    find: |project| {
        let package = Package {
            title: "the clients of site lists",
            source: "tests/site-clients",
            folder: "site-clients",
            files: &[
                "package.json",
                "package-lock.json",
                "proof.js",
                "pnp.js",
                "measure.js",
                "graph.js",
            ],
        };
        npm::environment(project, &package, "CHECKLIST_SITE_CLIENTS")
    },
};

/// schemathesis, which sends valid and invalid requests according to the OpenAPI document, with the
/// versions of `tests/conformance/requirements.txt`.
pub const SCHEMATHESIS: Tool = Tool {
    title: "schemathesis",
    tests: &["conformance::"],
    find: |project| {
        let folder = from_pypi(
            project,
            "schemathesis",
            "tests/conformance/requirements.txt",
        )?;
        let program = folder.join("bin/schemathesis");
        Ok(vec![("CHECKLIST_SCHEMATHESIS", program.into())])
    },
};

/// Programs that check proofs and signatures of the audit trail, from PyPI, with the versions of
/// `tests/audit-verifier/requirements.txt`.
pub const AUDIT_VERIFIER: Tool = Tool {
    title: "a verifier of audit trails",
    tests: &["audit_verifier::"],
    find: |project| {
        let requirements = "tests/audit-verifier/requirements.txt";
        let folder = from_pypi(project, "audit-verifier", requirements)?;
        let python = folder.join("bin/python");
        Ok(vec![("CHECKLIST_AUDIT_VERIFIER", python.into())])
    },
};

/// Clients of the Model Context Protocol that are not ours, from npm and PyPI.
pub const MCP_CLIENTS: Tool = Tool {
    title: "clients of the Model Context Protocol",
    tests: &["mcp_clients::"],
    find: find_mcp_clients,
};

/// `systemd-analyze`, for the test of the service's unit file.
pub const SYSTEMD: Tool = Tool {
    title: "systemd-analyze",
    tests: &["service_unit::"],
    find: |_| {
        debian::ensure_program("systemd-analyze", "systemd")?;
        Ok(Vec::new())
    },
};

/// Identical typefaces on every machine and a reader of PDF, from npm.
pub const LOOKS: Tool = Tool {
    title: "typefaces and a reader of PDF",
    tests: &["screenshots::", "printed::"],
    find: |project| {
        let package = Package {
            title: "typefaces and a reader of PDF",
            source: "tests/looks",
            folder: "looks",
            files: &["package.json", "package-lock.json", "pdf-text.mjs"],
        };
        npm::environment(project, &package, "CHECKLIST_LOOKS")
    },
};

fn find_mcp_clients(project: &Project) -> Result<Environment> {
    const PACKAGE: Package<'_> = Package {
        title: "a client of the Model Context Protocol",
        source: "tests/mcp-clients",
        folder: "mcp-clients",
        files: &["package.json", "package-lock.json", "client.mjs"],
    };
    let mut environment = npm::environment(project, &PACKAGE, "CHECKLIST_MCP_NPM")?;
    let requirements = "tests/mcp-clients/requirements.txt";
    let folder = from_pypi(project, "mcp-client", requirements)?;
    environment.push(("CHECKLIST_MCP_PYTHON", folder.join("bin/python").into()));
    Ok(environment)
}

/// Installs the packages of a file of requirements into an environment of their own; its folder.
fn from_pypi(project: &Project, name: &str, requirements: &str) -> Result<PathBuf> {
    let requirements = project.root.join(requirements);
    let folder = project.tools().join(name);
    let wanted = files::read(&requirements)?;
    // Written last, so that half of an installation is none.
    let done = folder.join("requirements.txt");
    if fs::read(&done).ok().as_ref() != Some(&wanted) {
        step(&format!("fetch {name} from PyPI"), || {
            let python = ["-m", "venv", "--clear"];
            run(Command::new("python3").args(python).arg(&folder))?;
            let quiet = [
                "install",
                "--quiet",
                "--disable-pip-version-check",
                // Python compiles what it runs; that is a small part of what is installed.
                "--no-compile",
                "--requirement",
            ];
            run(Command::new(folder.join("bin/pip"))
                .args(quiet)
                .arg(&requirements))?;
            files::write(&done, &wanted)
        })?;
    }
    Ok(folder)
}
