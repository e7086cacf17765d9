//! Bearer tokens of a certified authorization server, which the site verifies by that server's
//! keys: ServiceConnection, SiteOnline as it is signed in to today, and PassThrough.
//! The authorization server is `checklist_tests::identity_provider`'s.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use checklist_site_server::{Options, SiteServer};
use checklist_tests::identity_provider::{AUDIENCE, IdentityProvider, OTHER, SHORT, USUAL};
use secrecy::{ExposeSecret as _, SecretString};
use site_lists::{AuthenticationType, ErrorKind, Site, SiteConnection, TokenSource, get_site_item};

use crate::work::{self, Program, closed, of_lists, run};

/// Whom the tokens name.
const ROBOT: &str = "robot";

/// Whoever keeps a service connection: has a token, and asks for another one when it is refused.
struct Keeper {
    provider: Arc<Mutex<IdentityProvider>>,
    resource: &'static str,
    kept: tokio::sync::Mutex<Option<SecretString>>,
    asked: AtomicUsize,
}

impl Keeper {
    fn of(provider: &Arc<Mutex<IdentityProvider>>, resource: &'static str) -> Arc<Self> {
        Arc::new(Self {
            provider: Arc::clone(provider),
            resource,
            kept: tokio::sync::Mutex::default(),
            asked: AtomicUsize::new(0),
        })
    }
}

#[async_trait]
impl TokenSource for Keeper {
    async fn token(
        &self,
        _audience: &str,
        refused: Option<&SecretString>,
    ) -> site_lists::Result<SecretString> {
        let mut kept = self.kept.lock().await;
        let is = |a: &SecretString, b: &SecretString| a.expose_secret() == b.expose_secret();
        if let Some(token) = kept.as_ref()
            && !refused.is_some_and(|refused| is(refused, token))
        {
            return Ok(token.clone());
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        let (provider, resource) = (Arc::clone(&self.provider), self.resource);
        let token = tokio::task::spawn_blocking(move || issued(&provider, resource));
        let token = SecretString::from(token.await.expect("a token"));
        *kept = Some(token.clone());
        Ok(token)
    }
}

fn issued(provider: &Mutex<IdentityProvider>, resource: &str) -> String {
    let provider = provider.lock().expect("nobody has failed");
    provider.token_of(ROBOT, resource)
}

fn provider() -> Arc<Mutex<IdentityProvider>> {
    Arc::new(Mutex::new(IdentityProvider::start()))
}

/// A site that takes the tokens of that provider alone.
fn site_of(provider: &Mutex<IdentityProvider>) -> SiteServer {
    let issuer = provider.lock().expect("nobody has failed").issuer.clone();
    closed(Options {
        check_tokens: Some(issuer),
        audience: Some(AUDIENCE.to_owned()),
        ..Options::default()
    })
}

fn program(keeper: &Arc<Keeper>) -> Program {
    let mut program = Program::new();
    program.options.tokens = Some(keeper.clone());
    program
}

fn by_service_connection(server: &SiteServer) -> SiteConnection {
    SiteConnection::new(server.site_url(), AuthenticationType::ServiceConnection)
}

fn fifty_and_a_large_body_act_as_the_robot(server: &SiteServer, site: &Site) {
    let item = run(async {
        work::fifty_at_eight_at_once(site).await;
        work::post_a_large_body(site).await
    });
    assert_eq!(work::author(&item), ROBOT);
    work::all_acted_as(ROBOT, &of_lists(server));
}

#[test]
fn a_service_connections_token_signs_in_and_the_site_knows_who_it_is() {
    let provider = provider();
    let (server, keeper) = (site_of(&provider), Keeper::of(&provider, USUAL));
    let site = program(&keeper).open(&by_service_connection(&server));
    let item = run(work::post_a_large_body(&site));
    assert_eq!(work::author(&item), ROBOT);
    work::all_acted_as(ROBOT, &of_lists(&server));
    assert_eq!(keeper.asked.load(Ordering::Relaxed), 1);
}

#[test]
fn today_site_online_is_signed_in_to_by_token() {
    let provider = provider();
    let (server, keeper) = (site_of(&provider), Keeper::of(&provider, USUAL));
    let connection = SiteConnection::new(server.site_url(), AuthenticationType::SiteOnline);
    let site = program(&keeper).open(&connection);
    fifty_and_a_large_body_act_as_the_robot(&server, &site);
}

#[test]
fn a_token_that_ends_in_the_middle_is_replaced() {
    let provider = provider();
    let (server, keeper) = (site_of(&provider), Keeper::of(&provider, SHORT));
    let site = program(&keeper).open(&by_service_connection(&server));
    let item = run(async {
        work::add(&site, "with the first token").await;
        tokio::time::sleep(Duration::from_millis(3_100)).await;
        work::post_a_large_body(&site).await
    });
    assert_eq!(work::author(&item), ROBOT);
    assert!(keeper.asked.load(Ordering::Relaxed) >= 2);
    let seen = of_lists(&server);
    assert!(
        seen.iter().any(|seen| seen.status == 401),
        "it never ended: {seen:#?}"
    );
}

#[test]
fn a_token_for_somebody_else_is_told_and_replaced_once() {
    let provider = provider();
    let (server, keeper) = (site_of(&provider), Keeper::of(&provider, OTHER));
    let site = program(&keeper).open(&by_service_connection(&server));
    let error = run(async { get_site_item(&site, &work::computers(), 1).await });
    let error = error.expect_err("it is not for this site");
    assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
    assert_eq!(error.status(), Some(401));
    assert_eq!(keeper.asked.load(Ordering::Relaxed), 2);
    assert_eq!(of_lists(&server).len(), 2);
}

#[test]
fn fifty_requests_at_eight_at_once_are_all_answered() {
    let provider = provider();
    let (server, keeper) = (site_of(&provider), Keeper::of(&provider, USUAL));
    let site = program(&keeper).open(&by_service_connection(&server));
    run(work::fifty_at_eight_at_once(&site));
    work::all_acted_as(ROBOT, &of_lists(&server));
    assert_eq!(keeper.asked.load(Ordering::Relaxed), 1);
}

/// A program that hands on the token that its caller brought.
fn handing_on(token: &str) -> Program {
    let mut program = Program::new();
    program.options.pass_through = Some(format!("Bearer {token}").into());
    program
}

fn passing_through(server: &SiteServer) -> SiteConnection {
    SiteConnection::new(server.site_url(), AuthenticationType::PassThrough)
}

#[test]
fn the_callers_token_is_handed_on_and_the_site_knows_who_it_is() {
    let provider = provider();
    let server = site_of(&provider);
    let site = handing_on(&issued(&provider, USUAL)).open(&passing_through(&server));
    fifty_and_a_large_body_act_as_the_robot(&server, &site);
}

#[test]
fn a_callers_token_of_another_issuer_is_told_by_all_requests_and_sent_once() {
    let (provider, another) = (provider(), provider());
    let server = site_of(&provider);
    let site = handing_on(&issued(&another, USUAL)).open(&passing_through(&server));
    run(work::refused_nine_times(&site));
    assert_eq!(of_lists(&server).len(), 1);
}

#[test]
fn a_callers_token_that_ends_in_the_middle_is_told_and_nothing_stands_in_for_it() {
    let provider = provider();
    let server = site_of(&provider);
    let site = handing_on(&issued(&provider, SHORT)).open(&passing_through(&server));
    let error = run(async {
        work::add(&site, "while it lasts").await;
        tokio::time::sleep(Duration::from_millis(3_100)).await;
        get_site_item(&site, &work::computers(), 1).await
    });
    assert_eq!(
        error.expect_err("it has ended").kind(),
        ErrorKind::SignInRefused
    );
    let seen = of_lists(&server);
    let named = seen
        .iter()
        .all(|seen| seen.user == ROBOT || seen.status == 401);
    assert!(named, "{seen:#?}");
}
