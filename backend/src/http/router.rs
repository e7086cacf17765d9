//! All routes in one list, which the API document is generated from.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post, put};
use axum::{Extension, Router};
use tower_http::compression::CompressionLevel;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::docs::DocumentSource;
use super::extract::MostBytes;
use super::paths::{COMPUTERS, DELIVERIES, PREFIX, SITES, WEBHOOKS, WORKFLOWS};
use super::{
    Web, admin_links, apply, assets, audit, checklist, computers, connections, demo, docs,
    document, health, journal, keys, layers, lists, live, mcp, not_found, pages, passkeys,
    platform_type, preview, problem, render, root, runs, session, sign_in, sites, template,
    template_health, webhooks, workflows,
};

fn api() -> OpenApiRouter<Arc<Web>> {
    // What a page waits for before it shows anything is worth three milliseconds of compression.
    let rendered = OpenApiRouter::new()
        .routes(routes!(render::render))
        .layer(layers::compression(CompressionLevel::Default));
    let applied = OpenApiRouter::new()
        .routes(routes!(apply::apply))
        .layer(DefaultBodyLimit::max(apply::MOST_BYTES))
        .layer(Extension(MostBytes(apply::MOST_BYTES)));
    let checklists = OpenApiRouter::new()
        .merge(rendered)
        .merge(applied)
        .routes(routes!(template::get_template))
        .routes(routes!(checklist::get_items))
        .routes(routes!(checklist::find_items))
        .routes(routes!(checklist::item_history))
        .routes(routes!(checklist::add_items))
        .routes(routes!(checklist::update_items))
        .routes(routes!(checklist::propose_items))
        .routes(routes!(checklist::delete_items))
        .routes(routes!(checklist::restore_items))
        .routes(routes!(checklist::refresh_items))
        .routes(routes!(checklist::undo))
        .routes(routes!(checklist::lock))
        .routes(routes!(checklist::waive))
        .routes(routes!(runs::start_again))
        .routes(routes!(runs::runs))
        .routes(routes!(live::events))
        .routes(routes!(platform_type::list))
        .routes(routes!(
            platform_type::get,
            platform_type::put,
            platform_type::delete
        ))
        .routes(routes!(checklist::send_signals))
        .routes(routes!(lists::list, lists::begin))
        .routes(routes!(lists::overview))
        .routes(routes!(apply::list))
        .routes(routes!(apply::get))
        .routes(routes!(apply::stop))
        .routes(routes!(apply::resume))
        .routes(routes!(template::list))
        .routes(routes!(
            template::history,
            template::put_draft,
            template::discard_draft
        ))
        .routes(routes!(template::export))
        .routes(routes!(template::import))
        .routes(routes!(template::delete))
        .routes(routes!(template::publish))
        .routes(routes!(template::retire))
        .routes(routes!(template::offer))
        .routes(routes!(template::impact))
        .routes(routes!(template_health::get))
        .routes(routes!(journal::page))
        .routes(routes!(audit::page))
        .routes(routes!(audit::verification))
        .routes(routes!(audit::checkpoint))
        .routes(routes!(audit::proof))
        .routes(routes!(keys::api_keys, keys::create_api_key))
        .routes(routes!(keys::revoke_api_key))
        .routes(routes!(keys::embed_keys))
        .routes(routes!(keys::put_embed_key, keys::revoke_embed_key))
        .routes(routes!(keys::users, keys::put_user))
        .routes(routes!(keys::delete_user))
        .routes(routes!(keys::create_admin_link))
        .routes(routes!(keys::erase_user))
        .routes(routes!(keys::retention, keys::put_retention))
        .routes(routes!(keys::end_sessions))
        .routes(routes!(keys::revoke))
        .routes(routes!(keys::mint))
        .routes(routes!(preview::by_template))
        .routes(routes!(preview::by_type));
    let activities = OpenApiRouter::new()
        .routes(routes!(sites::establish))
        .routes(routes!(sites::add))
        .routes(routes!(sites::edit))
        .routes(routes!(sites::delete))
        .routes(routes!(sites::get))
        .routes(routes!(sites::get_all))
        .routes(routes!(sites::test))
        .routes(routes!(sites::lists))
        .routes(routes!(sites::columns))
        .routes(routes!(connections::list, connections::create))
        .routes(routes!(
            connections::get,
            connections::put,
            connections::delete
        ))
        .routes(routes!(connections::connect))
        .routes(routes!(connections::providers));
    let large = OpenApiRouter::new()
        .routes(routes!(computers::import))
        .layer(DefaultBodyLimit::max(computers::MOST_IMPORTED))
        .layer(Extension(MostBytes(computers::MOST_IMPORTED)));
    let inventory = OpenApiRouter::new()
        .routes(routes!(computers::list))
        .routes(routes!(computers::get))
        .merge(large);
    let runs = OpenApiRouter::new()
        .routes(routes!(workflows::start))
        .routes(routes!(workflows::list))
        .routes(routes!(workflows::get))
        .routes(routes!(workflows::cancel))
        .routes(routes!(workflows::retry_failed))
        .routes(routes!(workflows::confirm))
        .routes(routes!(workflows::events));
    let hooks = OpenApiRouter::new()
        .routes(routes!(webhooks::list, webhooks::create))
        .routes(routes!(webhooks::get, webhooks::put, webhooks::delete))
        .routes(routes!(webhooks::rotate))
        .routes(routes!(webhooks::test));
    let deliveries = OpenApiRouter::new()
        .routes(routes!(webhooks::deliveries))
        .routes(routes!(webhooks::delivery))
        .routes(routes!(webhooks::replay));
    OpenApiRouter::with_openapi(document::head())
        .nest(PREFIX, checklists)
        .nest(SITES, activities)
        .nest(COMPUTERS, inventory)
        .nest(WORKFLOWS, runs)
        .nest(WEBHOOKS, hooks)
        .nest(DELIVERIES, deliveries)
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
}

/// The routes that the built-in pages sign in with. Outside CORS, so that pages of other sites
/// cannot read the responses.
fn session_api() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default()
        .routes(routes!(session::current))
        .routes(routes!(session::sign_out))
        .routes(routes!(admin_links::open))
        .routes(routes!(admin_links::sign_in))
        .routes(routes!(sign_in::begin))
        .routes(routes!(sign_in::finish))
        .routes(routes!(connections::finish))
        .routes(routes!(passkeys::sign_in_options))
        .routes(routes!(passkeys::sign_in))
        .routes(routes!(passkeys::options))
        .routes(routes!(passkeys::list, passkeys::add))
        .routes(routes!(passkeys::rename, passkeys::remove))
}

fn demo_api() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default().routes(routes!(session::begin_demo))
}

/// Apart from the rest of the demo, because pages elsewhere may ask for tokens (`--allow-page`).
fn demo_tokens() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default().routes(routes!(demo::token))
}

/// The API document.
#[must_use]
pub fn openapi() -> OpenApi {
    let mut document = api().into_openapi();
    document.merge(session_api().into_openapi());
    document.merge(demo_tokens().into_openapi());
    document.merge(demo_api().into_openapi());
    document::complete(document)
}

/// The whole server, ready to be served.
pub fn router(web: Arc<Web>) -> Router {
    let in_demo = web.demo.is_some();
    let open = Router::from(api())
        .route(&format!("{PREFIX}/Audit/Tile/{{*path}}"), get(audit::tile))
        .route(
            &format!("{PREFIX}/Templates/Export"),
            put(template::reserved_id),
        )
        .route(
            &format!("{PREFIX}/Templates/Import"),
            put(template::reserved_id),
        )
        .route(
            "/openapi.json",
            get(docs::openapi).layer(Extension(DocumentSource(openapi))),
        )
        .route(mcp::PATH, post(mcp::endpoint))
        .route(mcp::METADATA, get(mcp::metadata))
        .route("/docs/", get(docs::page))
        .route("/docs/{*file}", get(docs::file))
        .route("/docs", get(docs::to_page))
        .route("/llms.txt", get(docs::to_llms))
        .route("/control/{file}", get(assets::control))
        .method_not_allowed_fallback(problem::method_not_allowed)
        .fallback(not_found::not_found);
    let open = layers::around(
        open.with_state(Arc::clone(&web)),
        in_demo,
        &web.metrics,
        &web.proxies,
    )
    .layer(layers::cors());
    let own = Router::from(session_api())
        .route("/", get(root::root))
        .route("/admin", get(pages::to_pages))
        .route("/computers", get(pages::to_computers))
        .route("/open-items", get(pages::to_open_items))
        .route("/open-items/", get(pages::to_open_items))
        .route("/admin/", get(pages::page))
        .route("/admin/{*page}", get(pages::page))
        .route("/admin/assets/{file}", get(pages::file))
        .method_not_allowed_fallback(problem::method_not_allowed);
    let own = layers::around(
        own.with_state(Arc::clone(&web)),
        in_demo,
        &web.metrics,
        &web.proxies,
    );
    let everything = if in_demo {
        open.merge(own).merge(demo_pages(&web))
    } else {
        open.merge(own)
    };
    below(&web, everything)
}

/// The demo's page and tokens. The page and its session are outside CORS, so that pages of other
/// sites cannot read the responses.
fn demo_pages(web: &Arc<Web>) -> Router {
    let around = |routes: Router<Arc<Web>>| {
        let routes = routes.method_not_allowed_fallback(problem::method_not_allowed);
        let routes = routes.with_state(Arc::clone(web));
        layers::around(routes, true, &web.metrics, &web.proxies)
    };
    let pages = Router::from(demo_api())
        .route("/demo", get(demo::to_page))
        .route("/demo/", get(demo::page))
        .route("/demo/gallery", get(docs::to_gallery))
        .route("/demo/{file}", get(demo::file));
    let tokens = web.demo_pages.open(around(Router::from(demo_tokens())));
    around(pages).merge(tokens)
}

/// Nests all routes below the path of the base URL, if it has one.
fn below(web: &Arc<Web>, routes: Router) -> Router {
    let path = web.base.path();
    if path.is_empty() {
        return routes;
    }
    let elsewhere = layers::around(
        Router::new()
            .route("/", get(root::root))
            .fallback(not_found::elsewhere)
            .with_state(Arc::clone(web)),
        web.demo.is_some(),
        &web.metrics,
        &web.proxies,
    );
    // `nest` leaves out the path with a slash at its end.
    let root = routes.clone();
    elsewhere
        .nest(path, routes)
        .nest_service(&format!("{path}/"), root)
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
