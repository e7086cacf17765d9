//! Signing in where the server speaks the dialogue itself: bearer tokens, Forms, the former
//! dialogue of the hosted service, and what is told when it fails. NTLM, Kerberos and Digest need
//! servers of their own.
//!
//! On a server of the test's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use checklist_site_server::{Kind, Options, Rule, SiteServer};
use secrecy::SecretString;
use site_lists::{
    AuthenticationType, ErrorKind, Identity, Site, SiteConnection, SiteOptions, TokenSource,
    add_site_item, establish_site_connection, get_site_item,
};

use crate::place::{computers, server, set, transport};

/// A token that names Bob; the server reads it and does not check it.
const BOB: &str =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1cG4iOiJib2JAZGVtby50ZXN0In0.c2lnbmF0dXJl";

fn closed() -> SiteServer {
    SiteServer::start(Options {
        sign_in_required: true,
        ..Options::default()
    })
    .expect("a free port")
}

fn forms(server: &SiteServer, password: &str) -> SiteConnection {
    SiteConnection::new(server.site_url(), AuthenticationType::Forms)
        .with_credentials("alice@demo.test", password)
}

async fn opened(connection: &SiteConnection, options: SiteOptions) -> site_lists::Result<Site> {
    establish_site_connection(connection, transport(), options).await
}

#[tokio::test]
async fn nobody_in_particular_is_let_in_only_where_the_site_is_open() {
    let open = server();
    let connection = SiteConnection::new(open.site_url(), AuthenticationType::Anonymous);
    opened(&connection, SiteOptions::default())
        .await
        .expect("open");
    assert!(open.requests().iter().all(|seen| seen.user == "anonymous"));
    let closed = closed();
    let connection = SiteConnection::new(closed.site_url(), AuthenticationType::Anonymous);
    let error = opened(&connection, SiteOptions::default())
        .await
        .expect_err("closed");
    assert_eq!(
        (error.kind(), error.status()),
        (ErrorKind::SignInRefused, Some(401))
    );
}

#[tokio::test]
async fn the_callers_own_token_is_handed_on() {
    let server = closed();
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::PassThrough);
    let options = SiteOptions {
        pass_through: Some(format!("Bearer {BOB}").into()),
        ..SiteOptions::default()
    };
    let site = opened(&connection, options).await.expect("signed in");
    add_site_item(&site, &computers(), &[set("Title", "PC")])
        .await
        .expect("an item");
    assert!(
        server
            .requests()
            .iter()
            .all(|seen| seen.user.contains("bob")),
        "{:?}",
        server.requests()
    );
    let error = opened(&connection, SiteOptions::default())
        .await
        .expect_err("nothing to hand on");
    assert_eq!(error.kind(), ErrorKind::InvalidConnection);
}

/// Gives out numbered tokens, and counts how often it is asked because one was refused.
#[derive(Default)]
struct Counting {
    given: AtomicUsize,
    refused: AtomicUsize,
}

#[async_trait]
impl TokenSource for Counting {
    async fn token(
        &self,
        audience: &str,
        refused: Option<&SecretString>,
    ) -> site_lists::Result<SecretString> {
        assert!(audience.starts_with("http://127.0.0.1:"), "{audience}");
        if refused.is_some() {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        Ok(format!("token-{}", self.given.fetch_add(1, Ordering::Relaxed)).into())
    }
}

#[tokio::test]
async fn a_token_that_the_site_refuses_is_replaced_once() {
    let server = server();
    let tokens = Arc::new(Counting::default());
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::ServiceConnection);
    let options = SiteOptions {
        tokens: Some(tokens.clone()),
        ..SiteOptions::default()
    };
    let site = opened(&connection, options).await.expect("signed in");
    server.fault(Rule::once(Kind::SignInEnded).of_method("POST"));
    add_site_item(&site, &computers(), &[set("Title", "PC")])
        .await
        .expect("an item");
    assert_eq!(tokens.refused.load(Ordering::Relaxed), 1);
    let mut always = Rule::once(Kind::SignInEnded);
    always.times = None;
    server.fault(always);
    let error = get_site_item(&site, &computers(), 1)
        .await
        .expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
    assert_eq!(tokens.refused.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn forms_sign_in_once_for_many_and_again_when_the_session_ends() {
    let server = closed();
    let site = opened(&forms(&server, "Passw0rd!"), SiteOptions::default())
        .await
        .expect("signed in");
    let logins = || {
        server
            .requests()
            .iter()
            .filter(|seen| seen.target.contains("authentication.asmx"))
            .count()
    };
    assert_eq!(logins(), 1);
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let site = site.clone();
            tokio::spawn(async move {
                add_site_item(&site, &computers(), &[set("Title", format!("PC-{number}"))]).await
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic").expect("an item");
    }
    assert_eq!(logins(), 1);
    server.end_sessions();
    add_site_item(&site, &computers(), &[set("Title", "after")])
        .await
        .expect("signed in again");
    assert_eq!(logins(), 2);
    assert!(
        server
            .requests()
            .iter()
            .any(|seen| seen.user.contains("alice"))
    );
}

#[tokio::test]
async fn a_wrong_password_is_tried_once_however_many_ask() {
    let server = closed();
    let site = Site::open(
        &forms(&server, "wrong"),
        transport(),
        SiteOptions::default(),
    )
    .expect("a site");
    assert!(!site.has_refused_credentials());
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let site = site.clone();
            tokio::spawn(async move { get_site_item(&site, &computers(), 1).await })
        })
        .collect();
    for task in tasks {
        let error = task.await.expect("no panic").expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
        assert!(!format!("{error:?}").contains("wrong\""), "{error:?}");
    }
    let tries = server
        .requests()
        .iter()
        .filter(|seen| seen.target.contains("authentication.asmx"))
        .count();
    assert_eq!(tries, 1);
    assert!(site.has_refused_credentials());
}

#[tokio::test]
async fn an_expired_form_digest_is_renewed_in_the_middle() {
    let server = closed();
    let site = opened(&forms(&server, "Passw0rd!"), SiteOptions::default())
        .await
        .expect("signed in");
    add_site_item(&site, &computers(), &[set("Title", "one")])
        .await
        .expect("an item");
    server.end_digests();
    add_site_item(&site, &computers(), &[set("Title", "two")])
        .await
        .expect("an item");
    let digests = server
        .requests()
        .iter()
        .filter(|seen| seen.target.to_lowercase().contains("contextinfo"))
        .count();
    assert_eq!(digests, 2);
}

#[tokio::test]
async fn the_hosted_service_takes_no_passwords_any_more_and_says_so() {
    let server = server();
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::SiteOnline)
        .with_credentials("alice@demo.test", "Passw0rd!");
    let error = opened(&connection, SiteOptions::default())
        .await
        .expect_err("switched off");
    assert_eq!(error.kind(), ErrorKind::NotSupported);
    assert!(
        error.to_string().contains("2026")
            && error
                .hint()
                .is_some_and(|hint| hint.contains("service connection")),
        "{error:?}"
    );
}

#[tokio::test]
async fn the_former_dialogue_works_where_a_farm_still_speaks_it() {
    let server = closed();
    let service = format!("{}/extSTS.srf", server.origin())
        .parse()
        .expect("a URL");
    let options = || SiteOptions {
        legacy_token_service: Some(service),
        ..SiteOptions::default()
    };
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::SiteOnline);
    let right = connection
        .clone()
        .with_credentials("alice@demo.test", "Passw0rd!");
    let site = opened(&right, options()).await.expect("signed in");
    add_site_item(&site, &computers(), &[set("Title", "PC")])
        .await
        .expect("an item");
}

#[tokio::test]
async fn a_program_without_the_systems_kerberos_asks_no_site_as_itself() {
    assert!(!Identity::has_service());
    let server = closed();
    for (method, kind, why) in [
        (
            AuthenticationType::Kerberos,
            ErrorKind::NotSupported,
            "system-kerberos",
        ),
        (
            AuthenticationType::Forms,
            ErrorKind::InvalidConnection,
            "Kerberos does",
        ),
    ] {
        // Whose password is there, it is not taken instead.
        let connection = SiteConnection::new(server.site_url(), method)
            .with_credentials("alice@demo.test", "Passw0rd!");
        let options = SiteOptions {
            identity: Identity::Service,
            ..SiteOptions::default()
        };
        let error = opened(&connection, options).await.expect_err("no ticket");
        assert_eq!(error.kind(), kind, "{method}");
        assert!(error.to_string().contains(why), "{error}");
    }
    assert!(server.requests().is_empty());
}
