//! A server of a test's own, and open sites on it: one for each protocol.

use std::sync::Arc;

use async_trait::async_trait;
use checklist_site_server::{Options, SiteServer};
use secrecy::SecretString;
use serde_json::Value;
use site_lists::{
    AuthenticationType, DirectTransport, ObjectExpressionParameter, Protocol, Site, SiteConnection,
    SiteItem, SiteList, SiteOptions, TokenSource, get_site_item, get_site_items,
};

/// Tokens that name a person; the server takes any.
pub struct Token(pub &'static str);

#[async_trait]
impl TokenSource for Token {
    async fn token(
        &self,
        _audience: &str,
        _refused: Option<&SecretString>,
    ) -> site_lists::Result<SecretString> {
        Ok(self.0.into())
    }
}

pub fn server() -> SiteServer {
    SiteServer::start(Options::default()).expect("a free port")
}

pub fn transport() -> Arc<DirectTransport> {
    Arc::new(DirectTransport::new().expect("a transport"))
}

/// The address of the demo's site in a protocol.
pub fn url(server: &SiteServer, protocol: Protocol) -> String {
    match protocol {
        Protocol::Graph => {
            let host = server.origin().replace("http://", "").replace(':', "%3A");
            let host = host.split("%3A").next().unwrap_or_default().to_owned();
            format!("{}/v1.0/sites/{host}:/sites/demo", server.origin())
        }
        _ => server.site_url(),
    }
}

/// A connection with a token of Alice's.
pub fn connection(server: &SiteServer, protocol: Protocol) -> (SiteConnection, SiteOptions) {
    let connection = SiteConnection {
        // Other builds may keep the machine busy.
        timeout: Some(60),
        ..SiteConnection::new(url(server, protocol), AuthenticationType::ServiceConnection)
    };
    let options = SiteOptions {
        tokens: Some(Arc::new(Token("alice"))),
        ..SiteOptions::default()
    };
    (connection, options)
}

/// A site opened by Alice.
pub fn site(server: &SiteServer, protocol: Protocol) -> Site {
    let (connection, options) = connection(server, protocol);
    Site::open(&connection, transport(), options).expect("a site")
}

/// A site opened by Alice whose attempts may last so long.
pub fn patient(server: &SiteServer, protocol: Protocol, seconds: u32) -> Site {
    let (connection, options) = connection(server, protocol);
    let connection = SiteConnection {
        timeout: Some(seconds),
        ..connection
    };
    Site::open(&connection, transport(), options).expect("a site")
}

pub fn computers() -> SiteList {
    SiteList::from("Computers")
}

pub fn all_types() -> SiteList {
    SiteList::from("All Types")
}

pub fn set(name: &str, value: impl Into<Value>) -> ObjectExpressionParameter {
    ObjectExpressionParameter::new(name, value)
}

/// Puts rows into the list of computers, for which no request comes in.
pub fn fill(server: &SiteServer, rows: impl Iterator<Item = Value>) {
    server.with_site(|site| {
        let mut lists = site.lists.iter_mut();
        let list = lists.find(|list| list.title == "Computers");
        let list = list.expect("the list");
        for row in rows {
            let row = row.as_object().expect("an object").clone();
            list.add(row.into_iter().collect(), 11).expect("a row");
        }
    });
}

pub async fn read_item(site: &Site, list: &SiteList, id: i32) -> SiteItem {
    let told = get_site_item(site, list, id).await;
    told.expect("the item").result
}

pub async fn read_items(site: &Site, list: &SiteList) -> Vec<SiteItem> {
    let told = get_site_items(site, list, "", &Value::Null).await;
    told.expect("all items").result
}

/// The requests that came in, a batch as one.
pub fn sent(server: &SiteServer) -> Vec<String> {
    let seen = server.requests().into_iter();
    seen.filter(|seen| !seen.in_batch)
        .map(|seen| format!("{} {}", seen.method, seen.target))
        .collect()
}

pub const BOTH: [Protocol; 2] = [Protocol::Rest, Protocol::Graph];

/// The id of the term that the first row of all types holds.
pub const ENGLISH: &str = "8246e3c1-19ea-4b22-8ae3-df9cbc150a74";
