//! What a server prints when it answers: the addresses of a demo, how the first administrator signs in.

use checklist_auth::Principal;
use checklist_services::base_url::BaseUrl;
use checklist_services::{admin_links, admission, tenants};
use checklist_store::error::ServiceError;

use crate::cli::output::say;
use crate::http::Web;
use crate::http::demo_pages::line_of_html;

/// The addresses to open, for whoever has just started a demo.
pub(super) fn say_pages_of_demo(base: &BaseUrl, own_pages: &[String]) {
    for (title, path) in [
        ("Demo page", "demo"),
        ("Administration", "admin"),
        ("Documentation", "docs"),
    ] {
        say(&format!("   {title:<15} {base}/{path}/"));
    }
    let title = "Your own page";
    if own_pages.is_empty() {
        say(&format!("   {title:<15} {base}/demo/own-page"));
        return;
    }
    for origin in own_pages {
        say(&format!("   {title:<15} {origin}/"));
    }
    say(&format!(
        "   Put this line into it:\n   {}",
        line_of_html(base)
    ));
}

/// Tells the operator how to sign in to tenants that nobody administers yet. A link is made where
/// the server has one tenant; each of several may be somebody else's.
pub(super) async fn say_first_sign_in(web: &Web) {
    let link = async {
        let without = admission::without_administrator(&web.app).await?;
        let tenants = tenants::list(&web.app).await?;
        let made = match without.as_slice() {
            [only] if tenants.len() == 1 => {
                let operator = Principal::operator(only);
                Some(admin_links::create(&web.app, &operator, None).await?)
            }
            _ => None,
        };
        Ok::<_, ServiceError>((without, made))
    };
    match link.await {
        Ok((_, Some(made))) => say(&format!(
            "nobody administers this server yet: open {} once, within 10 minutes; links made before end with it",
            made.address(&web.base)
        )),
        Ok((tenants, None)) => {
            for tenant in tenants {
                say(&format!(
                    "nobody administers the tenant {tenant} yet; make a link: checklist-server admin-link --tenant {tenant} \
                     --base-url {}",
                    web.base
                ));
            }
        }
        Err(error) => tracing::warn!(code = ?error.code(), "no link for a first administrator"),
    }
}
