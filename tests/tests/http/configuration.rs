//! One configuration: what `config show` and `config check` say, and what `serve` takes from a file.
//!
//! The checks look at everything and change nothing.

use std::path::Path;
use std::process::Command;

use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::{free_address, program};
use checklist_tests::{HostKey, Setup};
use tempfile::TempDir;

fn run(command: &mut Command) -> Ended {
    Process::start(command).ended()
}

fn config(what: &str, file: &Path) -> Command {
    let mut command = program();
    command.args(["config", what, "--config"]).arg(file);
    command
}

/// A configuration of `init`, in a folder of its own.
fn initialised() -> (TempDir, std::path::PathBuf, String) {
    let folder = TempDir::new().unwrap();
    let address = free_address();
    let mut command = program();
    command
        .args(["init", "--tenant", "acme", "--base-url"])
        .arg(format!("http://{address}"))
        .arg("--data-dir")
        .arg(folder.path().join("data"));
    let made = run(&mut command);
    assert!(made.status.success(), "{}", made.said);
    assert!(made.said.contains("serve --config"), "{}", made.said);
    assert!(
        !made.said.contains("/admin/link#"),
        "the one link is that of the start: {}",
        made.said
    );
    let file = folder.path().join("data/checklist.env");
    (folder, file, address)
}

#[test]
fn a_server_starts_from_the_file_of_init_and_an_option_wins_over_it() {
    let (folder, file, address) = initialised();
    let checked = run(&mut config("check", &file));
    assert!(checked.status.success(), "{}", checked.said);
    assert!(checked.said.contains("can be used"), "{}", checked.said);

    let shown = run(config("show", &file)
        .args(["--max-items", "7"])
        .env("CHECKLIST_LOG", "debug"));
    assert!(shown.status.success(), "{}", shown.said);
    let line = |name: &str| {
        let mut lines = shown.said.lines();
        let line = lines.find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap_or_else(|| panic!("no {name}: {}", shown.said))
            .to_owned()
    };
    assert!(line("--base-url").contains("line "), "{}", shown.said);
    assert!(
        line("--max-items").ends_with("command line"),
        "{}",
        shown.said
    );
    assert!(
        line("--log").contains("environment (CHECKLIST_LOG)"),
        "{}",
        shown.said
    );
    assert!(
        line("--idle-timeout").ends_with("default"),
        "{}",
        shown.said
    );
    assert!(
        line("--oidc-issuer").contains("CHECKLIST_OIDC_ISSUER"),
        "{}",
        shown.said
    );

    let mut command = program();
    command.args(["serve", "--config"]).arg(&file);
    let mut server = Process::start(&mut command);
    // At the address of the base URL, which is one of this machine.
    server.says(&format!("listening on http://{address}"));
    // While it runs, its folder and its address are in use, and that is no problem.
    let checked = run(config("check", &file).args(["--listen", &address]));
    assert!(checked.status.success(), "{}", checked.said);
    assert!(
        checked.said.contains("a server is running"),
        "{}",
        checked.said
    );
    drop(folder);
}

#[test]
fn serve_reads_the_file_that_init_has_written_beside_the_data_and_says_so() {
    let (folder, file, address) = initialised();
    let mut command = program();
    command.arg("serve").current_dir(folder.path());
    let mut server = Process::start(&mut command);
    server.says("settings: data/checklist.env");
    server.says(&format!("listening on http://{address}"));
    let link = server.says("nobody administers this server yet");
    assert!(
        link.contains(&format!("http://{address}/admin/link#")),
        "{link}"
    );
    let shown = run(program()
        .args(["config", "show", "--data-dir"])
        .arg(file.parent().unwrap()));
    let base = format!("http://{address}");
    assert!(shown.said.contains(&base), "{}", shown.said);
}

#[test]
fn commands_beside_serve_take_their_settings_from_the_file_in_the_data_directory() {
    let (_folder, file, address) = initialised();
    let data = file.parent().expect("a folder");
    let mut serve = program();
    serve.args(["serve", "--data-dir"]).arg(data);
    let mut server = Process::start(&mut serve);
    server.says(&format!("listening on http://{address}"));
    let with = |arguments: &[&str]| {
        let mut command = program();
        command
            .args(arguments)
            .args(["--tenant", "acme", "--data-dir"]);
        run(command.arg(data))
    };
    let done = |arguments: &[&str]| {
        let ended = with(arguments);
        assert!(ended.status.success(), "{arguments:?}: {}", ended.said);
        ended.said
    };
    let link = done(&["admin-link"]);
    assert!(
        link.contains(&format!("http://{address}/admin/link#")),
        "{link}"
    );
    // The secret is sealed with the key of the vault that the file names.
    let add = [
        "webhook",
        "add",
        "--url",
        "https://hooks.example/",
        "--name",
    ];
    let added = done(&[&add[..], &["Desk"]].concat());
    assert!(added.contains("whsec_"), "{added}");
    let text = std::fs::read_to_string(&file).unwrap();
    let without = text.replace("CHECKLIST_VAULT_KEY=", "#CHECKLIST_VAULT_KEY=");
    assert_ne!(text, without);
    std::fs::write(&file, without).unwrap();
    let refused = with(&[&add[..], &["Other"]].concat());
    assert!(!refused.status.success(), "{}", refused.said);
    let listed = done(&["webhook", "list"]);
    assert!(
        listed.contains("Desk") && !listed.contains("Other"),
        "{listed}"
    );
}

#[test]
fn a_database_that_the_file_in_the_data_directory_names_is_that_of_every_command() {
    const NOBODY_LISTENS: &str = "127.0.0.1:1";
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let url = |place: &str| format!("postgres://checklist@{place}/checklist");
    let text = format!("CHECKLIST_DATABASE_URL={}\n", url(NOBODY_LISTENS));
    std::fs::write(data.join("checklist.env"), text).unwrap();
    let command = |arguments: &[&str]| {
        let mut command = program();
        command.args(arguments).arg("--data-dir").arg(&data);
        command
    };
    let refused = |command: &mut Command| {
        let ended = run(command);
        assert_eq!(ended.status.code(), Some(3), "{command:?}: {}", ended.said);
        ended.said
    };
    let of = |command: &[&'static str]| [command, &["--tenant", "acme"]].concat();
    for arguments in [
        vec!["serve", "--listen", "127.0.0.1:0"],
        vec!["migrate"],
        vec!["tenant", "list"],
        vec!["audit", "verify"],
        of(&["key", "list"]),
        of(&["user", "list"]),
        of(&["webhook", "list"]),
        of(&["webhook", "deliveries"]),
        of(&["workflow", "runs"]),
        of(&["admin-link"]),
    ] {
        let said = refused(&mut command(&arguments));
        assert!(said.contains(NOBODY_LISTENS), "{arguments:?}: {said}");
    }
    let files = std::fs::read_dir(&data).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["checklist.env"], "no second database is made");
    // What the command itself is told wins over the file.
    let list = ["tenant", "list"];
    let other = url("127.0.0.1:2");
    let said = refused(command(&list).env("CHECKLIST_DATABASE_URL", &other));
    assert!(said.contains("127.0.0.1:2"), "{said}");
    let said = refused(command(&list).args(["--database-url", &other]));
    assert!(said.contains("127.0.0.1:2"), "{said}");
    let none = folder.path().join("none.env");
    std::fs::write(&none, "").unwrap();
    let said = refused(command(&list).arg("--config").arg(&none));
    assert!(said.contains("There is no database in"), "{said}");
}

#[test]
fn a_check_reports_every_problem_at_once_with_its_place_and_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("checklist.env");
    let data = folder.path().join("none/yet");
    let text = format!(
        "CHECKLIST_DATA_DIR='{}'\nCHECKLIST_LISTEN=everywhere\nCHECKLIST_LISTN=127.0.0.1:80\n\
         CHECKLIST_BASE_URL=http://checks.example.org\nCHECKLIST_EMBED_KEY=missing.pem\n\
         CHECKLIST_VAULT_KEY=missing.key\nCHECKLIST_MAX_ITEMS=many\n",
        data.display()
    );
    std::fs::write(&file, text).unwrap();
    let checked = run(&mut config("check", &file));
    assert_eq!(checked.status.code(), Some(2), "{}", checked.said);
    for part in [
        "CHECKLIST_LISTN",
        "mean CHECKLIST_LISTEN?",
        "--listen everywhere",
        "line 2 of the file",
        "--max-items many",
        "missing.pem",
        "missing.key",
    ] {
        assert!(checked.said.contains(part), "{part}: {}", checked.said);
    }
    assert!(
        checked.said.matches("error: ").count() >= 5,
        "{}",
        checked.said
    );
    assert!(!data.exists() && !folder.path().join("none").exists());
}

#[test]
fn what_the_machine_does_not_give_is_found_before_the_start() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("checklist.env");
    std::fs::write(folder.path().join("data"), "a file, no folder").unwrap();
    let text = format!(
        "CHECKLIST_DATA_DIR='{}'\nCHECKLIST_OIDC_ISSUER=http://127.0.0.1:9\nCHECKLIST_OIDC_CLIENT_ID=x\n",
        folder.path().join("data").display()
    );
    std::fs::write(&file, text).unwrap();
    let occupied = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = occupied.local_addr().unwrap().to_string();
    let checked = run(config("check", &file).args(["--listen", &address]));
    assert!(!checked.status.success(), "{}", checked.said);
    for part in ["data", &address, "http://127.0.0.1:9"] {
        assert!(checked.said.contains(part), "{part}: {}", checked.said);
    }
    // Also where something else cannot even be read.
    let checked =
        run(config("check", &file).args(["--listen", &address, "--vault-key", "missing.key"]));
    for part in ["missing.key", &address] {
        assert!(checked.said.contains(part), "{part}: {}", checked.said);
    }
}

#[test]
fn no_password_is_shown_and_a_database_that_is_away_is_told() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("checklist.env");
    let url = "postgres://checklist:s3cr3t@127.0.0.1:9/checklist?sslmode=disable";
    std::fs::write(&file, format!("CHECKLIST_DATABASE_URL='{url}'\n")).unwrap();
    let shown = run(&mut config("show", &file));
    assert!(shown.status.success(), "{}", shown.said);
    let checked = run(&mut config("check", &file));
    assert_eq!(checked.status.code(), Some(3), "{}", checked.said);
    assert!(
        checked.said.contains("cannot be reached"),
        "{}",
        checked.said
    );
    let mut help = program();
    let help = run(help.args(["serve", "--help", "--config"]).arg(&file));
    for said in [&shown.said, &checked.said, &help.said] {
        assert!(!said.contains("s3cr3t"), "{said}");
    }
}

#[test]
fn a_setting_that_there_is_not_stops_every_command_unless_a_cluster_has_set_it() {
    for (name, hint) in [
        ("CHECKLIST_LISTN", "Did you mean CHECKLIST_LISTEN?"),
        (
            "CHECKLIST_THEME_OF_THE_DAY",
            "Remove it from the environment.",
        ),
    ] {
        for arguments in [&["serve", "--demo"][..], &["tenant", "list"], &["openapi"]] {
            let ended = run(program().args(arguments).env(name, "x"));
            assert_eq!(ended.status.code(), Some(2), "{}", ended.said);
            assert!(
                ended.said.contains(name) && ended.said.contains(hint),
                "{}",
                ended.said
            );
        }
    }
    let server = Setup::demo()
        .environment("CHECKLIST_SERVICE_HOST", "10.0.0.7")
        .environment("CHECKLIST_PORT_8080_TCP", "tcp://10.0.0.7:8080")
        .start();
    assert_eq!(server.http().get("/healthz").status, 200);
}

#[test]
fn a_file_that_cannot_be_read_says_which_line() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("checklist.env");
    let ended = run(&mut config("check", &file));
    assert_eq!(ended.status.code(), Some(2), "{}", ended.said);
    std::fs::write(&file, "# a comment\nCHECKLIST_LISTEN\n").unwrap();
    let ended = run(&mut config("check", &file));
    assert!(ended.said.contains("Line 2"), "{}", ended.said);
}

#[test]
fn the_address_of_the_server_leads_somewhere_in_every_mode() {
    use checklist_tests::client::send;
    use reqwest::Method;
    let north = || Setup::for_hosts(&[HostKey::of("north")]);
    let demo = |setup: Setup| {
        if checklist_tests::data::on_postgres() {
            None
        } else {
            Some(setup)
        }
    };
    let modes = [
        (demo(Setup::demo()), "/demo/", ""),
        (
            demo(Setup::demo().below("/platform")),
            "/platform/demo/",
            "/platform",
        ),
        (Some(north()), "/admin/", ""),
        (
            Some(north().below("/platform")),
            "/platform/admin/",
            "/platform",
        ),
    ];
    for (setup, page, base) in modes {
        let Some(setup) = setup else { continue };
        let server = setup.start();
        let http = checklist_tests::client::Http::to(&server.address_as_origin());
        let browser = |path: &str| {
            send(
                http.request(Method::GET, path)
                    .header("accept", "text/html,*/*;q=0.8"),
            )
        };
        for path in [
            format!("{base}/"),
            if base.is_empty() {
                "/".into()
            } else {
                base.to_owned()
            },
        ] {
            let answer = browser(&path);
            assert_eq!(answer.status, 307, "{path}");
            assert_eq!(answer.headers["location"], page, "{path}");
        }
        let program = http.get(&format!("{base}/")).ok();
        assert_eq!(
            program["Administration"],
            format!("{}/admin/", server.base_url())
        );
        assert_eq!(program["Demo"].is_string(), page.contains("demo"));
        if !base.is_empty() {
            assert_eq!(browser("/").headers["location"], page);
            // What a proxy asks for that leaves out the path: it ends, and says why.
            let answer = browser("/admin/");
            assert_eq!(answer.status, 404);
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            assert!(text.contains("<code>/platform/</code>"), "{text}");
            let problem = http.get("/admin/");
            let detail = problem.refused(404, "NotFound")["detail"].clone();
            let detail = detail.as_str().unwrap();
            assert!(detail.contains("below /platform/"), "{detail}");
        }
    }
}

#[test]
fn a_browser_gets_a_page_where_there_is_nothing_and_a_program_a_problem() {
    use checklist_tests::client::send;
    use reqwest::Method;
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .below("/platform")
        .start();
    let http = checklist_tests::client::Http::to(&server.address_as_origin());
    let browser = |path: &str, language: &str| {
        let request = http.request(Method::GET, path);
        let request = request.header("accept", "text/html,*/*;q=0.8");
        send(request.header("accept-language", language))
    };
    for path in ["/platform/nowhere<b>", "/platform/docs/nowhere", "/beside"] {
        let page = browser(path, "en");
        assert_eq!(page.status, 404, "{path}");
        assert!(
            page.header("content-type").starts_with("text/html"),
            "{path}"
        );
        assert!(
            page.header("content-security-policy")
                .contains("default-src 'none'"),
            "{path}"
        );
        assert!(page.text().contains("Page not found"), "{path}");
        // The way on, below the path of the base URL, and nothing of what was asked for.
        assert!(page.text().contains("href=\"/platform/admin/\""), "{path}");
        assert!(!page.text().contains("nowhere"), "{path}");
        for best_is_german in ["de-AT,en;q=0.5", "en;q=0.5, de-AT;q=0.9"] {
            let german = browser(path, best_is_german);
            assert!(german.text().contains("Seite nicht gefunden"), "{path}");
        }
        // Another language whose tag begins alike.
        let english = browser(path, "del,de;q=0.5");
        assert!(english.text().contains("Page not found"), "{path}");
        http.get(path).refused(404, "NotFound");
    }
}
