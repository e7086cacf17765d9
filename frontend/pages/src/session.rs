//! Who is signed in: reading the session, signing in, signing out, and a session that ends meanwhile.
//!
//! A session that ends leaves the page as it is: a dialog asks to sign in again, in place in the
//! demo and in a second tab with a provider, and unsaved input stays.

use checklist_shared::wire::access::{self, SignInWays};
use serde::de::IgnoredAny;
use wasm_bindgen_futures::spawn_local;

use crate::app::{Person, Session};
use crate::kit::*;
use crate::navigation::{base, icon};
use crate::{passkeys, webauthn};

/// Reads the session again.
pub fn refresh(app: App) {
    spawn_local(async move {
        let session = read().await;
        let is_signed_in = matches!(session, Session::SignedIn(_));
        // A page that is open stays open while nobody is signed in.
        if is_signed_in || !matches!(app.session.get_untracked(), Session::SignedIn(_)) {
            app.session.set(session);
        }
        if is_signed_in {
            app.sign_in_problem.set(String::new());
        }
        if is_signed_in && app.has_session_ended.get_untracked() {
            app.has_session_ended.set(false);
            api::resume_waiting_calls();
        }
    });
}

async fn read() -> Session {
    let url = [&base(), "/session"].concat();
    match api::once::<access::Session>(Method::GET, &url, None).await {
        Ok(access::Session {
            name,
            tenant,
            permissions,
            passkeys,
            oidc,
            ..
        }) => Session::SignedIn(Person {
            name,
            tenant,
            permissions,
            passkeys,
            oidc,
        }),
        Err(error) if error.status == 401 => Session::SignedOut(error.sign_in),
        Err(_) => Session::Unreachable,
    }
}

async fn post(path: &str) -> Result<IgnoredAny, ApiError> {
    api::once(Method::POST, &[&base(), path].concat(), Some("{}")).await
}

/// Signs in as the administrator of the demo.
fn enter_demo(app: App) {
    spawn_local(async move {
        match post("/demo/session").await {
            Ok(_) => refresh(app),
            Err(_) => app.say(app.language.frame().unreachable),
        }
    });
}

/// Ends the session.
pub fn sign_out(app: App) {
    spawn_local(async move {
        if post("/session/sign-out").await.is_ok() {
            app.unsaved.set(false);
            app.session.set(read().await);
        } else {
            app.say(app.language.frame().unreachable);
        }
    });
}

/// The page where nobody is signed in.
pub fn sign_in_page(app: App, methods: SignInWays) -> AnyView {
    let words = app.language.frame();
    let hint = match methods {
        SignInWays { demo: true, .. } => words.demo_hint,
        SignInWays { oidc: true, .. } => words.oidc_hint,
        SignInWays { passkey: true, .. } => app.language.passkeys().sign_in_hint,
        _ => words.no_sign_in,
    };
    let lost_passkey_hint = methods.passkey.then(|| {
        let text = app.language.passkeys().lost_passkey_hint;
        view! { <p class="hint">{text}</p> }
    });
    view! {
        <main class="entrance">
            <section class="card entrance-card" aria-labelledby="entrance-title">
                <img src=icon() alt="" width="44" height="44" />
                <h1 id="entrance-title" class="page-title">{words.product}</h1>
                {move || problem(app)}
                <p class="quiet">{hint}</p>
                {buttons(app, methods, false)}
                {lost_passkey_hint}
                <p class="sr" role="status">{move || app.announcement.get()}</p>
            </section>
        </main>
    }
    .into_any()
}

/// Why a sign-in failed, with what an administrator needs to register the person.
fn problem(app: App) -> Option<AnyView> {
    let words = app.language.frame();
    let sentence = match app.sign_in_problem.get().as_str() {
        "" => return None,
        "Expired" => words.sign_in_expired,
        "NotRegistered" => words.sign_in_not_registered,
        "NoRole" => words.sign_in_no_role,
        "GroupsLeftOut" => words.sign_in_groups_left_out,
        "ProviderFailed" => words.sign_in_provider_failed,
        "Passkey" => app.language.passkeys().sign_in_failed,
        "PasskeyCancelled" => app.language.passkeys().sign_in_cancelled,
        _ => words.sign_in_refused,
    };
    let value = |name| view! { <code>{parameter(name)}</code> }.into_any();
    let account = (!parameter("SignInSubject").is_empty()).then(|| {
        facts([
            (words.issuer, value("SignInIssuer")),
            (words.account_id, value("SignInSubject")),
        ])
    });
    Some(view! { <Alert text=sentence />{account} }.into_any())
}

/// The page where the server did not answer.
pub fn unreachable_page(app: App) -> AnyView {
    let words = app.language.frame();
    let retry = move || {
        app.session.set(Session::Loading);
        refresh(app);
    };
    view! {
        <main class="entrance">
            <section class="card entrance-card" role="alert">
                <h1 class="page-title">{words.unreachable}</h1>
                <p class="quiet">{words.unreachable_hint}</p>
                <div class="buttons"><Button label=words.try_again class="primary" click=retry /></div>
            </section>
        </main>
    }
    .into_any()
}

fn buttons(app: App, methods: SignInWays, in_new_tab: bool) -> AnyView {
    let words = app.language.frame();
    let provider = methods.oidc.then(|| {
        let path = if in_new_tab {
            "/".to_owned()
        } else {
            app.route.get_untracked().path()
        };
        let back: String =
            form_urlencoded::byte_serialize(["/admin", &path].concat().as_bytes()).collect();
        let href = [&base(), "/session/sign-in?ReturnTo=", &back].concat();
        let (target, rel) = (
            in_new_tab.then_some("_blank"),
            in_new_tab.then_some("opener"),
        );
        view! { <a class="button primary" href=href target=target rel=rel>{words.sign_in}</a> }
    });
    let demo = methods.demo.then(|| {
        view! { <Button label=words.enter_demo class="primary" focused=true click=move || enter_demo(app) /> }
    });
    let passkey = (methods.passkey && webauthn::is_supported()).then(|| {
        let label = app.language.passkeys().sign_in;
        // One primary button; the identity provider is the usual way.
        let class = if methods.oidc { "" } else { "primary" };
        view! { <Button label class click=move || passkeys::sign_in(app, refresh) /> }
    });
    let check = (in_new_tab && methods.oidc)
        .then(|| view! { <Button label=words.signed_in_there click=move || refresh(app) /> });
    view! { <div class="buttons">{provider}{passkey}{demo}{check}</div> }.into_any()
}

/// The dialog over a page whose session has ended.
pub fn ended_dialog(app: App) -> AnyView {
    let words = app.language.frame();
    let methods = RwSignal::new(SignInWays::default());
    spawn_local(async move {
        match read().await {
            Session::SignedOut(all) => drop(methods.try_set(all)),
            Session::SignedIn(_) => refresh(app),
            Session::Loading | Session::Unreachable => {}
        }
    });
    view! {
        <Dialog title=words.ended cancel=|| {}>
            <p>{words.ended_hint}</p>
            <div>{move || buttons(app, methods.get(), true)}</div>
        </Dialog>
    }
    .into_any()
}
