//! The samples in C#: Mono's compiler, which knows what .NET Framework knows, takes all of them, and
//! some run as they stand.

use std::fs;
use std::path::Path;
use std::process::Command;

use checklist_tests::{Server, debian};

use super::{RUN, sample_for, samples, token_of_the_demo};

/// Mono, with its libraries where they were unpacked.
fn mono() -> Command {
    let (variable, folder) = ("CHECKLIST_MONO", "mono");
    let root = debian::root(variable, folder);
    let mut command = debian::program(variable, folder, "usr/bin/mono");
    command
        .env("MONO_PATH", root.join("usr/lib/mono/4.5"))
        .env("MONO_CFG_DIR", root.join("etc"));
    command
}

/// The compiler, which is to write this file.
fn compiler(made: &Path) -> Command {
    let root = debian::root("CHECKLIST_MONO", "mono");
    let mut command = mono();
    command
        .arg(root.join("usr/lib/mono/4.5/mcs.exe"))
        .args(["-warnaserror", "-reference:System.Net.Http.dll"])
        .arg(format!("-out:{}", made.display()));
    command
}

/// Runs a program to its end; what it said.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().expect("Mono starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn every_sample_compiles() {
    let server = Server::demo();
    let folder = tempfile::tempdir().unwrap();
    let mut command = compiler(&folder.path().join("samples.dll"));
    command.arg("-target:library");
    let mut written = 0;
    for (language, call, code) in samples(&server) {
        if language != "csharp" {
            continue;
        }
        // Each is a program with the same names; in namespaces, one compiler takes them all.
        let file = folder.path().join(format!("{call}.cs"));
        fs::write(&file, format!("namespace {call} {{ {code}\n}}\n")).unwrap();
        command.arg(file);
        written += 1;
    }
    assert!(written > 60, "{written}");
    run(&mut command);
}

#[test]
fn samples_run_as_they_stand() {
    let server = Server::demo();
    let token = token_of_the_demo(&server);
    let samples = samples(&server);
    let folder = tempfile::tempdir().unwrap();
    for (call, says) in RUN {
        let source = folder.path().join(format!("{call}.cs"));
        let program = source.with_extension("exe");
        fs::write(&source, sample_for(&server, &samples, "csharp", call)).unwrap();
        run(compiler(&program).arg(&source));
        let said = run(mono().arg(&program).env("TOKEN", &token));
        assert!(said.contains(says), "{call}: {said}");
    }
}
