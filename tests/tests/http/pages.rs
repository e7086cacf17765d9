//! The built-in pages from outside: one page for every address, its policy, its files.
//!
//! What is on them is tested in a browser.

use checklist_tests::{Server, Setup};

#[test]
fn every_address_below_admin_is_the_same_page_under_a_strict_policy() {
    let server = Server::demo();
    let page = server.http().get("/admin/");
    assert_eq!(page.status, 200);
    for path in [
        "/admin/templates",
        "/admin/templates/of/a%2Fb",
        "/admin/audit?Text=x",
        "/admin/nothing",
    ] {
        let other = server.http().get(path);
        assert_eq!((other.status, other.text()), (200, page.text()), "{path}");
        let policy = other.header("content-security-policy").to_owned();
        for part in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "require-trusted-types-for 'script'",
            "frame-ancestors 'none'",
            "form-action 'none'",
        ] {
            assert!(policy.contains(part), "{path} has no {part}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(
            other.header("access-control-allow-origin"),
            "",
            "no other page reads it"
        );
    }
    assert_eq!(server.http().get("/admin").status, 308);
}

#[test]
fn the_page_holds_no_data_and_nothing_inline() {
    let page = Server::demo().http().get("/admin/");
    for inline in ["<style", "style=", " on", "javascript:"] {
        let told = page.text().replace(" one", "");
        assert!(!told.contains(inline), "{inline} in {told}");
    }
}

#[test]
fn its_files_are_named_by_their_content_and_stay_for_good() {
    let server = Server::demo();
    let page = server.http().get("/admin/");
    let names: Vec<&str> = page
        .text()
        .split('"')
        .filter(|text| text.starts_with("/admin/assets/checklist-"))
        .collect();
    assert_eq!(names.len(), 3, "styles, glue and start: {names:?}");
    for name in names {
        let file = server.http().get(name);
        assert_eq!(file.status, 200, "{name}");
        assert!(file.header("cache-control").contains("immutable"), "{name}");
    }
    server
        .http()
        .get("/admin/assets/index.html")
        .refused(404, "NotFound");
    server
        .http()
        .get("/admin/assets/..%2Findex.html")
        .refused(404, "NotFound");
}

#[test]
fn the_page_is_not_sent_again_while_it_is_the_same() {
    let server = Server::demo();
    let page = server.http().get("/admin/");
    let tag = page.header("etag").to_owned();
    let again = checklist_tests::client::send(
        server
            .http()
            .request(reqwest::Method::GET, "/admin/")
            .header("if-none-match", tag),
    );
    assert_eq!(again.status, 304);
    assert!(
        again
            .header("content-security-policy")
            .contains("default-src")
    );
}

#[test]
fn below_a_path_the_page_names_its_files_there() {
    let server = Setup::demo().below("/platform").start();
    let page = server.http().get("/admin/types");
    assert!(page.text().contains("data-base=\"/platform\""));
    let start = page
        .text()
        .split('"')
        .find(|text| text.starts_with("/platform/admin/assets/") && text.ends_with(".js"))
        .and_then(|path| path.strip_prefix("/platform"))
        .expect("a script");
    assert_eq!(server.http().get(start).status, 200);
}

#[test]
fn the_download_stays_below_688_kilobytes() {
    let server = Server::demo();
    let page = server.http().get("/admin/").text().to_owned();
    let start = page
        .split('"')
        .rfind(|text| text.starts_with("/admin/assets/") && text.ends_with(".js"))
        .expect("a script")
        .to_owned();
    let script = server.http().get(&start).text().to_owned();
    let named = script
        .split(['"', '`', '/'])
        .filter(|text| text.starts_with("checklist-"));
    let mut names: Vec<String> = named.map(|name| format!("/admin/assets/{name}")).collect();
    names.push(start);
    assert!(
        names.iter().any(|name| name.ends_with(".wasm")),
        "{names:?}"
    );
    let weight: usize = names
        .iter()
        .map(|name| {
            let request = server.http().request(reqwest::Method::GET, name);
            let file = checklist_tests::client::send(request.header("accept-encoding", "br"));
            assert_eq!(
                (file.status, file.header("content-encoding")),
                (200, "br"),
                "{name}"
            );
            file.body.len()
        })
        .sum();
    assert!(weight < 688 * 1024, "{weight} bytes");
}
