//! Tests of `embed`: valid tokens, and a table of invalid ones.
//!
//! The tests sign with keys of their own, as a host platform or an attacker would.

use checklist_shared::Context;
use checklist_shared::item::{ActorKind, ActorMode, ActorSource};
use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::TokenContext;
use checklist_store::scope::ContextScope;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::*;
use crate::ceiling::Ceiling;
use crate::keys::read_keys;
use crate::principal::Principal;

const BASE: &str = "https://checks.example/platform";
const NOW: Timestamp = Timestamp::from_millis(1_760_000_000_000);
const SECONDS: i64 = 1_760_000_000;

/// Keys that sign nothing but these tests.
const P256_PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsinwX2yGbaaf9/Uj\nEo8xrJL6lIJqnskfcwFjhsqVnlahRANCAASe/cf32uwH+n5ibkDs5bIDvuaQ01GG\nuOuGQTnQBySi127/b+WL1Q+jYwxH4UiYjqRVJTCPSnut7XqG8IlvfoW7\n-----END PRIVATE KEY-----\n";
const P256_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnv3H99rsB/p+Ym5A7OWyA77mkNNR\nhrjrhkE50Ackotdu/2/li9UPo2MMR+FImI6kVSUwj0p7re16hvCJb36Fuw==\n-----END PUBLIC KEY-----\n";
const ED_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAVAPcLOaM7rVp0yxiZZqfOCRZ6bqnuzeYIm5qGAKfsKw=\n-----END PUBLIC KEY-----\n";
const ED_PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIEZMT2q4Rm9W2XzvcZbNWZtwJhW5hLQ0fo2Yf+x8JMYW\n-----END PRIVATE KEY-----\n";
const OTHER_ED_PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINNlqhCURDOB+Cf6frh/2mJof2Ft7JzBiJzEqyCX5brz\n-----END PRIVATE KEY-----\n";

/// A verifier with two keys: `ed` only for the tenant acme, `ec` for any tenant.
fn verifier() -> EmbedVerifier {
    let mut ring = KeyRing::default();
    for (name, pem, tenant) in [("ed", ED_PUBLIC, Some("acme")), ("ec", P256_PUBLIC, None)] {
        let mut key = read_keys(pem, name, true).expect("a public key").remove(0);
        key.tenant = tenant.map(str::to_owned);
        assert!(ring.add(key).is_ok());
    }
    EmbedVerifier::new(ring, BASE)
}

impl EmbedVerifier {
    /// Verifies a token as the authenticator does, with the configured keys only.
    fn asked(
        &self,
        token: &str,
        origin: Option<&str>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let verified = match self.recall(token, 0) {
            Some(verified) => verified,
            None => self.verify(token, &TenantTrust::default(), 0, now)?,
        };
        verified.admit(origin, now)
    }
}

fn claims() -> Value {
    json!({
        "iss": "https://acme.example", "aud": BASE, "sub": "u-1", "name": "Ada", "tenant": "acme",
        "contexts": [{"ObjectType": "incident", "ObjectId": "INC-1", "Purpose": "*"}],
        "perm": ["Read", "Check"], "exp": SECONDS + 300, "jti": "t-1",
    })
}

fn with(claim: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[claim] = value;
    claims
}

fn without(claim: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().expect("an object").remove(claim);
    claims
}

fn ed() -> EncodingKey {
    EncodingKey::from_ed_pem(ED_PRIVATE.as_bytes()).expect("a key")
}

fn ec() -> EncodingKey {
    EncodingKey::from_ec_pem(P256_PRIVATE.as_bytes()).expect("a key")
}

fn header(algorithm: Algorithm, kid: &str) -> Header {
    Header {
        kid: Some(kid.to_owned()),
        ..Header::new(algorithm)
    }
}

fn signed(claims: &Value) -> String {
    encode(&header(Algorithm::EdDSA, "ed"), claims, &ed()).expect("a token")
}

/// A token with the given header and payload and an arbitrary signature.
fn raw(header: &str, payload: &str, signature: &str) -> String {
    let part = |text: &str| base64url(text.as_bytes());
    format!("{}.{}.{signature}", part(header), part(payload))
}

fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let bits = chunk
                .iter()
                .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
                << (8 * (3 - chunk.len()));
            (0..=chunk.len())
                .map(move |place| char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]))
        })
        .collect()
}

#[test]
fn good_tokens_of_both_kinds_of_keys_say_who_is_calling() {
    let verifier = verifier();
    let of_ec = encode(&header(Algorithm::ES256, "ec"), &claims(), &ec()).expect("a token");
    for token in [signed(&claims()), of_ec] {
        let principal = verifier.asked(&token, None, NOW).expect("a good token");
        assert_eq!(
            (
                principal.tenant.as_str(),
                principal.actor.id.as_str(),
                principal.actor.name.as_str()
            ),
            ("acme", "u-1", "Ada")
        );
        assert!(principal.may(Permission::Check) && !principal.may(Permission::Edit));
        assert!(
            principal
                .contexts
                .covers(&Context::new("incident", "INC-1", "handover"))
        );
        assert!(
            !principal
                .contexts
                .covers(&Context::new("incident", "INC-2", ""))
        );
        assert_eq!(
            principal.expires_at,
            Some(Timestamp::from_millis((SECONDS + 300) * 1000))
        );
    }
}

#[test]
fn optional_claims_are_taken_over() {
    let mut claims = claims();
    claims["lang"] = json!("de-AT");
    claims["journal"] = json!(true);
    claims["template"] = json!("incident-standard");
    claims["aud"] = json!(["https://elsewhere.example", format!("{BASE}/")]);
    claims["contexts"] = json!([{"ObjectType": "*", "ObjectId": "*", "Purpose": "*"}]);
    claims["roles"] = json!("a claim of the host's own");
    let principal = verifier()
        .asked(&signed(&claims), None, NOW)
        .expect("a good token");
    assert_eq!(principal.languages, ["de-AT"]);
    assert!(principal.journal);
    assert_eq!(principal.template.as_deref(), Some("incident-standard"));
    assert_eq!(principal.contexts, ContextScope::Any);
}

#[test]
fn the_same_person_of_two_issuers_has_two_scopes() {
    let verifier = verifier();
    let scope = |issuer: &str, subject: &str| {
        let mut claims = with("iss", json!(issuer));
        claims["sub"] = json!(subject);
        verifier
            .asked(&signed(&claims), None, NOW)
            .expect("a good token")
            .idempotency_scope
    };
    assert_eq!(scope("a", "bc"), scope("a", "bc"));
    assert_ne!(scope("a", "bc"), scope("ab", "c"));
    assert_ne!(scope("a:", "b"), scope("a", ":b"));
}

#[test]
fn every_bad_token_is_refused() {
    let verifier = verifier();
    let many: Vec<_> = (0..=200)
        .map(|n| json!({"ObjectType": "a", "ObjectId": n.to_string(), "Purpose": ""}))
        .collect();
    let good = signed(&claims());
    let (message, signature) = good.rsplit_once('.').expect("three parts");
    let (_, other_signature) = signed(&with("sub", json!("u-2")))
        .rsplit_once('.')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .expect("three parts");
    let text = claims().to_string();
    let public_as_secret = EncodingKey::from_secret(ED_PUBLIC.as_bytes());
    let other = EncodingKey::from_ed_pem(OTHER_ED_PRIVATE.as_bytes()).expect("a key");
    let mut jku = header(Algorithm::EdDSA, "ed");
    jku.jku = Some("https://evil.example/keys".into());

    let table: Vec<(&str, String)> = vec![
        ("nothing", String::new()),
        ("an agent without an id", signed(&with("act", json!({})))),
        (
            "an agent whose id is empty",
            signed(&with("act", json!({ "sub": "" }))),
        ),
        (
            "a person who acts for another",
            signed(&with("act", json!({ "sub": "bob", "kind": "Person" }))),
        ),
        (
            "a program with a mode",
            signed(&with(
                "act",
                json!({ "sub": "sync", "kind": "Program", "mode": "Approved" }),
            )),
        ),
        (
            "an agent with a model that is too long",
            signed(&with(
                "act",
                json!({ "sub": "finch", "model": "x".repeat(201) }),
            )),
        ),
        ("no token at all", "hello".into()),
        ("two parts", message.into()),
        ("four parts", format!("{good}.x")),
        ("no signature", format!("{message}.")),
        ("a cut signature", format!("{message}.{}", &signature[..40])),
        (
            "the signature of another token",
            format!("{message}.{other_signature}"),
        ),
        (
            "no algorithm",
            raw(r#"{"alg":"none","kid":"ed"}"#, &text, ""),
        ),
        (
            "no algorithm, capitals",
            raw(r#"{"alg":"NONE","kid":"ed"}"#, &text, ""),
        ),
        (
            "an algorithm that does not exist",
            raw(r#"{"alg":"X","kid":"ed"}"#, &text, signature),
        ),
        (
            "no algorithm member",
            raw(r#"{"kid":"ed"}"#, &text, signature),
        ),
        (
            "the public key as a shared secret",
            encode(
                &header(Algorithm::HS256, "ed"),
                &claims(),
                &public_as_secret,
            )
            .expect("a token"),
        ),
        (
            "another algorithm than the key's",
            encode(&header(Algorithm::ES256, "ed"), &claims(), &ec()).expect("a token"),
        ),
        (
            "signed by the other registered key",
            encode(&header(Algorithm::EdDSA, "ec"), &claims(), &ed()).expect("a token"),
        ),
        (
            "signed by a stranger",
            encode(&header(Algorithm::EdDSA, "ed"), &claims(), &other).expect("a token"),
        ),
        (
            "keys from an address in the header",
            encode(&jku, &claims(), &other).expect("a token"),
        ),
        (
            "an unknown kid",
            encode(&header(Algorithm::EdDSA, "nobody"), &claims(), &ed()).expect("a token"),
        ),
        (
            "no kid",
            encode(&Header::new(Algorithm::EdDSA), &claims(), &ed()).expect("a token"),
        ),
        ("no object as claims", signed(&json!("claims"))),
        ("no iss", signed(&without("iss"))),
        ("no aud", signed(&without("aud"))),
        ("no sub", signed(&without("sub"))),
        ("no name", signed(&without("name"))),
        ("no tenant", signed(&without("tenant"))),
        ("no contexts", signed(&without("contexts"))),
        ("no perm", signed(&without("perm"))),
        ("no exp", signed(&without("exp"))),
        ("no jti", signed(&without("jti"))),
        ("an empty sub", signed(&with("sub", json!("")))),
        ("a sub of another type", signed(&with("sub", json!(1)))),
        (
            "control characters in the name",
            signed(&with("name", json!("A\u{0}da"))),
        ),
        (
            "an endless name",
            signed(&with("name", json!("a".repeat(201)))),
        ),
        (
            "another server",
            signed(&with("aud", json!("https://elsewhere.example"))),
        ),
        (
            "the server without its path",
            signed(&with("aud", json!("https://checks.example"))),
        ),
        ("no audience among many", signed(&with("aud", json!([])))),
        (
            "a tenant that is not the key's",
            signed(&with("tenant", json!("other"))),
        ),
        (
            "an unknown permission",
            signed(&with("perm", json!(["Read", "Everything"]))),
        ),
        (
            "permissions as a text",
            signed(&with("perm", json!("Read Check"))),
        ),
        ("too many contexts", signed(&with("contexts", json!(many)))),
        (
            "a context without an object",
            signed(&with("contexts", json!([{"ObjectType": "incident"}]))),
        ),
        (
            "a context with more fields",
            signed(&with(
                "contexts",
                json!([{"ObjectType": "a", "ObjectId": "b", "Tenant": "c"}]),
            )),
        ),
        (
            "an end too far ahead",
            signed(&with("exp", json!(SECONDS + 15 * 60 + 6))),
        ),
        (
            "an end that is no number",
            signed(&with("exp", json!("tomorrow"))),
        ),
        ("an end beyond all time", signed(&with("exp", json!(1e300)))),
        ("not yet", signed(&with("nbf", json!(SECONDS + 60)))),
        (
            "longer than any token",
            format!("{good}{}", "A".repeat(70_000)),
        ),
    ];
    for (what, token) in table {
        match verifier.asked(&token, None, NOW) {
            Ok(principal) => panic!("{what} was accepted as {principal:?}"),
            Err(denied) => assert_eq!(
                denied.code,
                ProblemCode::Unauthenticated,
                "{what}: {}",
                denied.detail
            ),
        }
    }
    assert_eq!(verifier.recent.len(), 0, "a refused token was remembered");
}

#[test]
fn a_token_ends_at_its_end_even_when_it_was_verified_before() {
    let verifier = verifier();
    let token = signed(&claims());
    let after = |seconds: i64| Timestamp::from_millis((SECONDS + seconds) * 1000);
    assert!(verifier.asked(&token, None, after(299)).is_ok());
    assert_eq!(verifier.recent.len(), 1);
    assert_eq!(
        verifier
            .asked(&token, None, after(306))
            .expect_err("it has ended")
            .code,
        ProblemCode::TokenExpired
    );
    let ended = signed(&with("exp", json!(SECONDS - 6)));
    assert_eq!(
        verifier
            .asked(&ended, None, NOW)
            .expect_err("it has ended")
            .code,
        ProblemCode::TokenExpired
    );
}

#[test]
fn a_token_for_one_origin_is_refused_on_another_also_when_remembered() {
    let verifier = verifier();
    let token = signed(&with("origin", json!("https://acme.example")));
    for origin in [
        None,
        Some("https://acme.example"),
        Some("HTTPS://acme.example"),
    ] {
        assert!(verifier.asked(&token, origin, NOW).is_ok(), "{origin:?}");
    }
    for origin in [
        "https://evil.example",
        "http://acme.example",
        "https://acme.example:8443",
        "null",
    ] {
        let denied = verifier
            .asked(&token, Some(origin), NOW)
            .expect_err("another page");
        assert_eq!(denied.code, ProblemCode::OriginRefused, "{origin}");
        assert!(
            denied.detail.contains(&format!("not of {origin}")),
            "{}",
            denied.detail
        );
    }
}

fn verified_until(ends: f64) -> Arc<VerifiedToken> {
    let principal = verifier()
        .asked(&signed(&claims()), None, NOW)
        .expect("a good token");
    Arc::new(VerifiedToken {
        principal,
        origin: None,
        origins: None,
        ends,
        generation: 0,
    })
}

#[test]
fn the_token_that_was_not_used_for_longest_leaves_first() {
    let recent = TokenCache::new(4_000);
    recent.put([1; 32], 500, verified_until(30.0));
    recent.put([2; 32], 500, verified_until(30.0));
    assert!(recent.get(&[1; 32]).is_some());
    recent.put([3; 32], 500, verified_until(30.0));
    assert!(recent.get(&[2; 32]).is_none(), "the oldest left");
    assert!(recent.get(&[1; 32]).is_some() && recent.get(&[3; 32]).is_some());
    recent.put([4; 32], 5_000, verified_until(30.0));
    assert_eq!(recent.len(), 0, "one that is too large is not kept");
}

#[test]
fn more_tokens_are_remembered_than_there_may_be_streams() {
    let recent = TokenCache::new(REMEMBERED);
    let verified = verified_until(30.0);
    let name = |n: usize| fingerprint(&n.to_string());
    for n in 0..2 * checklist_live::STREAMS {
        recent.put(name(n), 800, Arc::clone(&verified));
    }
    assert!((0..2 * checklist_live::STREAMS).all(|n| recent.get(&name(n)).is_some()));
}

#[test]
fn a_token_allows_no_more_than_its_keys_ceiling_and_never_administration() {
    let mut ring = KeyRing::default();
    let mut key = read_keys(ED_PUBLIC, "ed", true)
        .expect("a public key")
        .remove(0);
    let only = TokenContext {
        object_type: "incident".into(),
        object_id: "INC-1".into(),
        purpose: "*".into(),
        template_id: None,
        facts: None,
    };
    key.ceiling = Ceiling::of(
        Some([Permission::Read, Permission::Admin].into_iter().collect()),
        Some(vec![only]),
    );
    assert!(ring.add(key).is_ok());
    let verifier = EmbedVerifier::new(ring, BASE);
    let mut greedy = with("perm", json!(["Read", "Check", "Admin"]));
    greedy["contexts"] = json!([{"ObjectType": "*", "ObjectId": "*", "Purpose": "*"}]);
    let caller = verifier
        .asked(&signed(&greedy), None, NOW)
        .expect("a good token");
    assert_eq!(caller.permissions, [Permission::Read].into_iter().collect());
    let covers = |id: &str| caller.contexts.covers(&Context::new("incident", id, ""));
    assert!(covers("INC-1") && !covers("INC-2"));
}

#[test]
fn the_issuer_and_the_key_are_part_of_who_acts() {
    let caller = |claims: &Value| {
        let token = signed(claims);
        verifier()
            .asked(&token, None, NOW)
            .expect("a good token")
            .actor
    };
    let ada = caller(&claims());
    assert_eq!(ada.source, Some(ActorSource::EmbedToken));
    assert_eq!(ada.issuer.as_deref(), Some("https://acme.example"));
    assert_eq!(ada.key.as_deref(), Some("ed"));
    let other = caller(&with("iss", json!("https://other.example")));
    assert!(!ada.is_same(&other));
    let operator = caller(&with("sub", json!("operator")));
    assert!(!operator.is_same(&Principal::operator("acme").actor));
}

#[test]
fn an_agent_acts_for_the_person_and_is_not_the_person() {
    let caller = |claims: &Value| {
        let token = signed(claims);
        verifier().asked(&token, None, NOW).expect("a good token")
    };
    let ada = caller(&claims());
    let finch = caller(&with(
        "act",
        json!({ "sub": "finch", "name": "Finch", "client": "Desk", "version": "3.1", "model": "m-9",
            "mode": "Approved", "act": { "sub": "somebody before" } }),
    ));
    let actor = &finch.actor;
    assert_eq!((actor.id.as_str(), actor.kind), ("finch", ActorKind::Agent));
    assert_eq!(actor.mode, Some(ActorMode::Approved));
    assert_eq!(actor.acted_for(), &ada.actor);
    assert!(!actor.is_same(&ada.actor));
    let software = actor.software.as_deref().expect("said");
    assert_eq!(software.model.as_deref(), Some("m-9"));
    assert_ne!(finch.idempotency_scope, ada.idempotency_scope);
    assert_eq!(
        (finch.permissions, &finch.contexts),
        (ada.permissions, &ada.contexts)
    );
    // Without a word about it nobody has confirmed anything.
    let alone = caller(&with("act", json!({ "sub": "finch" }))).actor;
    assert_eq!(alone.mode, Some(ActorMode::Autonomous));
    assert_eq!((alone.name.as_str(), alone.software), ("finch", None));
    // Who names themselves as the agent does not get the agent's operations.
    let named = caller(&with("sub", json!("finch")));
    assert!(!named.actor.is_same(&ada.actor));
    assert_ne!(named.idempotency_scope, finch.idempotency_scope);
}

#[test]
fn no_host_signs_in_the_name_of_this_server_or_of_another_issuer() {
    for own in [BASE.to_owned(), format!("{BASE}/")] {
        let token = signed(&with("iss", json!(own)));
        assert!(verifier().asked(&token, None, NOW).is_err(), "{own}");
    }
    let mut ring = KeyRing::default();
    let mut key = read_keys(ED_PUBLIC, "ed", true)
        .expect("a public key")
        .remove(0);
    key.issuer = Some("https://acme.example".to_owned());
    assert!(ring.add(key).is_ok());
    let verifier = EmbedVerifier::new(ring, BASE);
    assert!(verifier.asked(&signed(&claims()), None, NOW).is_ok());
    let other = signed(&with("iss", json!("https://other.example")));
    assert!(verifier.asked(&other, None, NOW).is_err());
}
