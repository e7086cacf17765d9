//! `site`: the six site-list activities, and what there is to choose from, from the command line,
//! as the operator.
//!
//! Arguments are those of the contract, results come as JSON on stdout, refusals as a sentence and
//! a hint. Credentials are read from the environment and never from the command line, where others
//! on the machine see them.

use std::io::Read as _;

use checklist_auth::Principal;
use checklist_services::app::App;
use checklist_services::sites::wire::{
    AddSiteItem, ConnectionArgument, DeleteSiteItem, EditSiteItem, EstablishSiteConnection,
    GetSiteItem, GetSiteItems,
};
use checklist_services::sites::{self, SiteCaller, contents};
use checklist_store::error::{ServiceError, ServiceResult};
use clap::{Args, Subcommand};
use secrecy::SecretString;
use serde::Serialize;
use serde_json::{Value, json};
use site_lists::{AuthenticationType, ObjectExpressionParameter, Operator, SiteList};

use super::access::with_present;
use super::data::OutboundServices;
use super::data_options::DataOptions;
use super::outbound_options::OutboundOptions;
use super::output::say;
use crate::config::{Exit, StartupError};

/// The site-list activities.
#[derive(Debug, Subcommand)]
pub enum SiteCommand {
    /// Sign in, and print the connection without secrets.
    #[command(
        name = "EstablishSiteConnection",
        after_help = "Example:\n  checklist-server site EstablishSiteConnection --tenant acme --service-connection \
                      0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f"
    )]
    Establish(SiteConnectionOptions),
    /// Create an item; prints its id.
    #[command(
        name = "AddSiteItem",
        after_help = "Example:\n  checklist-server site AddSiteItem --tenant acme --service-connection 0199f3a0-5b1c-7d2e-\
                      8f30-4a5b6c7d8e9f --list Computers --field Title=PC-0815 --field Memory=32"
    )]
    Add {
        #[command(flatten)]
        place: SiteListOptions,
        #[command(flatten)]
        fields: FieldOptions,
    },
    /// Update an item.
    #[command(
        name = "EditSiteItem",
        after_help = "Example:\n  checklist-server site EditSiteItem --tenant acme --service-connection 0199f3a0-5b1c-7d2e-\
                      8f30-4a5b6c7d8e9f --list Computers --item 42 --field Memory=64"
    )]
    Edit {
        #[command(flatten)]
        place: SiteListOptions,
        /// The item's id.
        #[arg(long, value_name = "ID")]
        item: i64,
        #[command(flatten)]
        fields: FieldOptions,
        /// The version that was read; another one refuses the change.
        #[arg(long, value_name = "ETAG")]
        etag: Option<String>,
    },
    /// Delete an item.
    #[command(
        name = "DeleteSiteItem",
        after_help = "Example:\n  checklist-server site DeleteSiteItem --tenant acme --service-connection 0199f3a0-5b1c-\
                      7d2e-8f30-4a5b6c7d8e9f --list Computers --item 42"
    )]
    Delete {
        #[command(flatten)]
        place: SiteListOptions,
        /// The item's id.
        #[arg(long, value_name = "ID")]
        item: i64,
        /// The version that was read; another one refuses it.
        #[arg(long, value_name = "ETAG")]
        etag: Option<String>,
    },
    /// Read one item.
    #[command(
        name = "GetSiteItem",
        after_help = "Example:\n  checklist-server site GetSiteItem --tenant acme --service-connection 0199f3a0-5b1c-7d2e-\
                      8f30-4a5b6c7d8e9f --list Computers --item 42"
    )]
    Get {
        #[command(flatten)]
        place: SiteListOptions,
        /// The item's id.
        #[arg(long, value_name = "ID")]
        item: i64,
    },
    /// Read several items: those whose field holds a value, or all.
    #[command(
        name = "GetSiteItems",
        after_help = "Example:\n  checklist-server site GetSiteItems --tenant acme --service-connection 0199f3a0-5b1c-7d2e-\
                      8f30-4a5b6c7d8e9f --list Computers --filter Title=PC-0815"
    )]
    GetAll {
        #[command(flatten)]
        place: SiteListOptions,
        #[command(flatten)]
        filter: FilterOptions,
    },
    /// The lists of a site: id, title, number of items, address.
    #[command(
        after_help = "Example:\n  checklist-server site lists --tenant acme --service-connection 0199f3a0-5b1c-7d2e-8f30-\
                      4a5b6c7d8e9f"
    )]
    Lists(SiteConnectionOptions),
    /// The columns of a list: names, type, and what may be done with them.
    #[command(
        after_help = "Example:\n  checklist-server site columns --tenant acme --service-connection 0199f3a0-5b1c-7d2e-8f30-\
                      4a5b6c7d8e9f --list Computers"
    )]
    Columns(SiteListOptions),
}

/// Which connection, with what opens it.
#[derive(Debug, Args)]
pub struct SiteConnectionOptions {
    #[command(flatten)]
    data: DataOptions,
    /// The tenant's id.
    #[arg(long, value_name = "ID", env = "CHECKLIST_TENANT")]
    tenant: String,
    /// The service connection's id.
    #[arg(long, value_name = "ID", conflicts_with = "url")]
    service_connection: Option<String>,
    /// The site, to sign in with credentials of one's own. The password is read from the
    /// environment (CHECKLIST_SITE_PASSWORD), else from stdin.
    #[arg(long, value_name = "URL", requires = "authentication")]
    url: Option<String>,
    /// How to sign in: Anonymous, SiteOnline, Forms, Negotiate, Kerberos, NTLM or Digest.
    #[arg(long, value_name = "TYPE")]
    authentication: Option<AuthenticationType>,
    /// The user.
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// The user's domain.
    #[arg(long, value_name = "NAME")]
    domain: Option<String>,
    /// Seconds for one attempt.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=600))]
    timeout: Option<u32>,
    #[command(flatten)]
    reach: OutboundOptions,
}

/// Which list, over which connection.
#[derive(Debug, Args)]
pub struct SiteListOptions {
    #[command(flatten)]
    connection: SiteConnectionOptions,
    /// The list, by title, id or internal name.
    #[arg(long, value_name = "NAME")]
    list: String,
}

/// Fields and their values.
#[derive(Debug, Args)]
pub struct FieldOptions {
    /// A field and its value: NAME=VALUE. May be given several times. VALUE is a text, kept to the
    /// letter, and the column decides what it means: 1.10 stays 1.10 in a column of text and is
    /// the number 1.1 in a column of numbers; true and false are for yes/no columns, 2026-01-31
    /// for dates, 2026-01-31T08:00:00Z for points in time, a login name or an e-mail address for
    /// people, an item's id for look-ups, a choice or an address as it is. Nothing after the
    /// equals sign clears the field.
    #[arg(long = "field", value_name = "NAME=VALUE", value_parser = text_field,
        required_unless_present = "json_fields")]
    text_fields: Vec<ObjectExpressionParameter>,
    /// The same with a value in JSON, for what a text cannot say: several values
    /// (Tags=["a","b"]), a person by number (Owner=11), a link with its description
    /// (Link={"Url":"https://…","Description":"…"}), null. May be given several times.
    #[arg(long = "field-json", value_name = "NAME=JSON", value_parser = json_field)]
    json_fields: Vec<ObjectExpressionParameter>,
}

impl FieldOptions {
    fn all(&self) -> Vec<ObjectExpressionParameter> {
        let both = self.text_fields.iter().chain(&self.json_fields);
        both.cloned().collect()
    }
}

/// What items have to hold.
#[derive(Debug, Args)]
pub struct FilterOptions {
    /// A field and the value that it has to hold: NAME=VALUE, a text that the column decides the
    /// meaning of, as for --field; nothing after the equals sign finds items without a value.
    #[arg(long, value_name = "NAME=VALUE", value_parser = text_field)]
    filter: Option<ObjectExpressionParameter>,
    /// The same with a value in JSON.
    #[arg(long, value_name = "NAME=JSON", value_parser = json_field, conflicts_with = "filter")]
    filter_json: Option<ObjectExpressionParameter>,
    /// How the field is compared with the value: Equals, NotEquals, Less, LessOrEquals, Greater,
    /// GreaterOrEquals (numbers and times), StartsWith or Contains (texts).
    #[arg(long, value_name = "OPERATOR")]
    operator: Option<Operator>,
    /// The fields that are wanted, by name, with commas between them; all of them without.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    select: Vec<String>,
    /// How many items at most, 1 to 5000; all of them without. Next in the answer says where it
    /// goes on.
    #[arg(long, value_name = "COUNT")]
    top: Option<usize>,
    /// Where the part before this one ended: its Next.
    #[arg(long, value_name = "NEXT")]
    after: Option<String>,
}

impl FilterOptions {
    fn condition(&self) -> Option<&ObjectExpressionParameter> {
        self.filter.as_ref().or(self.filter_json.as_ref())
    }
}

fn parts(text: &str) -> Option<(&str, &str)> {
    let parts = text.split_once('=');
    parts.filter(|(name, _)| !name.trim().is_empty())
}

/// A value is what stands there; what it means is the column's to say.
fn text_field(text: &str) -> Result<ObjectExpressionParameter, String> {
    let (name, value) = parts(text).ok_or("a field is NAME=VALUE")?;
    Ok(ObjectExpressionParameter::new(name, value))
}

fn json_field(text: &str) -> Result<ObjectExpressionParameter, String> {
    let (name, value) = parts(text).ok_or("a field is NAME=JSON")?;
    let value: Value = serde_json::from_str(value)
        .map_err(|error| format!("the value is no JSON ({error}); texts are for NAME=VALUE"))?;
    Ok(ObjectExpressionParameter::new(name, value))
}

/// Runs it.
///
/// # Errors
/// What was refused, by us or by the site.
pub fn run(command: SiteCommand) -> Result<(), StartupError> {
    match command {
        SiteCommand::Establish(connection) => {
            let connection = &connection;
            act(connection, async |app, asking| {
                let given = connection.argument()?;
                let request = match given.service_connection {
                    Some(id) => EstablishSiteConnection {
                        service_connection: Some(id),
                        credentials: None,
                    },
                    None => EstablishSiteConnection {
                        service_connection: None,
                        credentials: Some(given),
                    },
                };
                Ok(to_json(sites::establish(app, asking, request).await?))
            })
        }
        SiteCommand::Add { place, fields } => act(&place.connection, async |app, asking| {
            let request = AddSiteItem {
                connection: place.connection.argument()?,
                list: SiteList::from(place.list.as_str()),
                fields: fields.all(),
            };
            Ok(to_json(sites::add(app, asking, request).await?))
        }),
        SiteCommand::Edit {
            place,
            item,
            fields,
            etag,
        } => act(&place.connection, async |app, asking| {
            let request = EditSiteItem {
                connection: place.connection.argument()?,
                list: SiteList::from(place.list.as_str()),
                item_id: item,
                fields: fields.all(),
                e_tag: etag.clone(),
            };
            Ok(to_json(sites::edit(app, asking, request).await?))
        }),
        SiteCommand::Delete { place, item, etag } => act(&place.connection, async |app, asking| {
            let request = DeleteSiteItem {
                connection: place.connection.argument()?,
                list: SiteList::from(place.list.as_str()),
                item_id: item,
                e_tag: etag.clone(),
            };
            Ok(to_json(sites::delete(app, asking, request).await?))
        }),
        SiteCommand::Get { place, item } => act(&place.connection, async |app, asking| {
            let request = GetSiteItem {
                connection: place.connection.argument()?,
                list: SiteList::from(place.list.as_str()),
                item_id: item,
            };
            Ok(to_json(sites::get(app, asking, request).await?))
        }),
        SiteCommand::GetAll { place, filter } => act(&place.connection, async |app, asking| {
            let request = GetSiteItems {
                connection: place.connection.argument()?,
                list: SiteList::from(place.list.as_str()),
                field: filter.condition().map(|filter| filter.name.clone()),
                value: filter
                    .condition()
                    .map_or(Value::Null, |filter| filter.value.clone()),
                operator: filter.operator,
                select: filter.select.clone(),
                top: filter.top,
                after: filter.after.clone(),
            };
            Ok(to_json(sites::get_all(app, asking, request).await?))
        }),
        SiteCommand::Lists(connection) => act(&connection, async |app, asking| {
            let place = contents::SiteRef::Connection(Box::new(connection.argument()?));
            Ok(to_json(contents::lists(app, asking, place).await?))
        }),
        SiteCommand::Columns(place) => act(&place.connection, async |app, asking| {
            let at = contents::SiteRef::Connection(Box::new(place.connection.argument()?));
            let columns = contents::columns(app, asking, at, &place.list).await?;
            Ok(to_json(columns))
        }),
    }
}

fn to_json(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_else(|_| json!({}))
}

impl SiteConnectionOptions {
    /// The connection as a call names it.
    fn argument(&self) -> ServiceResult<ConnectionArgument> {
        let mut argument = ConnectionArgument {
            service_connection: self.service_connection.clone(),
            ..ConnectionArgument::default()
        };
        if self.service_connection.is_none() {
            argument.url.clone_from(&self.url);
            argument.authentication_type = self.authentication;
            argument.username.clone_from(&self.username);
            argument.domain.clone_from(&self.domain);
            argument.timeout = self.timeout;
            argument.password = self.username.as_ref().and_then(|_| password());
        }
        Ok(argument)
    }
}

/// The password: from the environment, else the first line of stdin.
#[expect(
    clippy::disallowed_methods,
    reason = "an option would show the password to every user of the machine"
)]
fn password() -> Option<SecretString> {
    if let Ok(password) = std::env::var("CHECKLIST_SITE_PASSWORD") {
        return Some(password.into());
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).ok()?;
    let line = text.lines().next()?.to_owned();
    Some(line.into())
}

/// Does one thing as the operator and prints what came of it.
fn act(
    connection: &SiteConnectionOptions,
    work: impl AsyncFnOnce(&App, &SiteCaller<'_>) -> ServiceResult<Value>,
) -> Result<(), StartupError> {
    let reach = OutboundServices {
        vault: connection.reach.vault()?,
        egress: Some(std::sync::Arc::new(connection.reach.egress()?)),
        ..OutboundServices::default()
    };
    let principal = Principal::operator(&connection.tenant);
    with_present(&connection.data, reach, async |app| {
        let asking = SiteCaller {
            principal: &principal,
            site_authorization: None,
        };
        let answer = work(app, &asking).await.map_err(startup_error)?;
        say(&format!("{answer:#}"));
        Ok(())
    })
}

/// What was refused, with everything that the site said.
pub(super) fn startup_error(error: ServiceError) -> StartupError {
    let code = error.code();
    let problem = error.problem;
    let mut sentence = problem.detail.unwrap_or(problem.title);
    for error in &problem.errors {
        sentence.push_str(&format!(" {}: {}", error.pointer, error.detail));
    }
    let site = problem.site.unwrap_or_default();
    let mut hints = vec![format!("Code {code:?}.")];
    hints.extend(site.hint);
    hints.extend(
        site.status
            .map(|status| format!("The site answered {status}.")),
    );
    hints.extend(site.service_code.map(|code| format!("Its code: {code}.")));
    hints.extend(site.request_id.map(|id| format!("Its request: {id}.")));
    hints.extend(
        error
            .retry_after
            .map(|seconds| format!("Try again in {seconds} seconds.")),
    );
    StartupError::new(Exit::Failed, sentence, hints.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_on_the_command_line_stays_as_it_stands() {
        for text in [
            "1.10",
            "1e5",
            "007",
            "true",
            "null",
            "2026-01-02",
            "[1]",
            "\"a\"",
            " x ",
            "",
        ] {
            let field = text_field(&format!("Title={text}")).expect("a field");
            assert_eq!(field.value, json!(text), "{text}");
        }
        let field = text_field("A=b=c").expect("a field");
        assert_eq!((field.name.as_str(), field.value), ("A", json!("b=c")));
        assert!(text_field("=x").is_err());
    }

    #[test]
    fn json_on_the_command_line_is_json_or_refused() {
        let field = json_field("Tags=[\"a\", \"b\"]").expect("a field");
        assert_eq!(field.value, json!(["a", "b"]));
        assert_eq!(
            json_field("Owner=null").expect("a field").value,
            Value::Null
        );
        let refused = json_field("Title=PC-0815").expect_err("no JSON");
        assert!(refused.contains("NAME=VALUE"), "{refused}");
    }
}
