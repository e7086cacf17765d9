//! Where an address leads: lists by any of their names, items, columns, people, and what can be
//! done with them.
//!
//! Addresses are taken in whatever case and in every spelling that clients use.

use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::lists;
use crate::odata::path::Segment;
use crate::store::{List, list as kinds};

/// Something that has an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Root,
    SiteCollection,
    Web,
    Webs,
    Lists,
    List(Uuid),
    Fields(Uuid),
    Field(Uuid, Uuid),
    Items(Uuid),
    Item(Uuid, u32),
    Attachments(Uuid, u32),
    Attachment(Uuid, u32, String),
    /// The values of an item as texts; how they are asked for.
    FieldValues(Uuid, u32, &'static str),
    Users,
    User(u32),
    Groups,
    GroupUsers(u32),
    UserGroups(u32),
    ContentTypes(Uuid),
    ContentType(Uuid),
    Views(Uuid),
    View(Uuid),
    RootFolder(Uuid),
    RecycleBin,
    Recycled(Uuid),
    RegionalSettings,
    TimeZone,
    /// A collection in which there is never anything.
    Nothing(&'static str),
}

/// What a request is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Node(Node),
    /// One property of something.
    Property(Node, String),
    /// The bare content of something.
    Content(Node, Option<String>),
    Count(Node),
    /// Something to be done.
    Function(Node, Segment),
}

/// Follows an address.
///
/// # Errors
/// It leads nowhere, or to something that is not there.
pub fn resolve(call: &Call<'_>, segments: &[Segment]) -> Rest<Target> {
    let mut node = Node::Root;
    let mut rest = segments;
    while let Some((first, after)) = rest.split_first() {
        match step(call, &node, first)? {
            Some(next) => {
                node = next;
                rest = after;
            }
            None => return last(node, first, after),
        }
    }
    Ok(Target::Node(node))
}

fn last(node: Node, segment: &Segment, after: &[Segment]) -> Rest<Target> {
    let is_value = |part: Option<&Segment>| part.is_some_and(|part| part.is("$value"));
    Ok(match after {
        [] if segment.is("$count") => Target::Count(node),
        [] if segment.is("$value") => Target::Content(node, None),
        [] if segment.arguments.is_some() || is_function(&segment.name) => {
            Target::Function(node, segment.clone())
        }
        [] => Target::Property(node, segment.name.clone()),
        [only] if is_value(Some(only)) => Target::Content(node, Some(segment.name.clone())),
        _ => return Err(RestError::no_resource(&segment.name)),
    })
}

/// What is done rather than read, where it carries no parentheses.
fn is_function(name: &str) -> bool {
    const FUNCTIONS: [&str; 18] = [
        "contextinfo",
        "ensureuser",
        super::users::PICKER,
        "getitems",
        "recycle",
        "deleteobject",
        "validateupdatelistitem",
        "addvalidateupdateitemusingpath",
        "createfieldasxml",
        "addfield",
        "add",
        "getcontextwebinformation",
        "getchanges",
        "update",
        "restore",
        "reserveitemid",
        "getlistitemchangessincetoken",
        "ensuresiteassetslibrary",
    ];
    FUNCTIONS.contains(&name.to_ascii_lowercase().as_str())
}

fn step(call: &Call<'_>, node: &Node, segment: &Segment) -> Rest<Option<Node>> {
    let name = segment.name.to_ascii_lowercase();
    let argument = call.argument(segment);
    let found = match node {
        Node::Root => match name.as_str() {
            "web" => Some(Node::Web),
            "site" => Some(Node::SiteCollection),
            // `_api/lists` and the like are short for `_api/web/lists`.
            "lists" => return of_web(call, "lists", argument.as_deref()),
            _ => None,
        },
        Node::SiteCollection if name == "rootweb" => Some(Node::Web),
        Node::Web => return of_web(call, &name, argument.as_deref()),
        Node::Lists => match (name.as_str(), argument) {
            ("getbytitle", Some(title)) => Some(Node::List(titled(call, &title)?)),
            ("getbyid", Some(id)) => Some(Node::List(with_id(call, &id)?)),
            _ => None,
        },
        Node::List(id) => return of_list(call, *id, &name, argument.as_deref()),
        Node::Fields(id) => match (name.as_str(), argument) {
            ("getbyinternalnameortitle" | "getbytitle", Some(called)) => {
                let list = call.list(*id)?;
                let field = list.field_called(&called);
                let field = field.ok_or_else(|| RestError::no_column(&called))?;
                Some(Node::Field(*id, field.id))
            }
            ("getbyid", Some(field)) => Some(column(call.list(*id)?, &field)?),
            _ => None,
        },
        Node::Items(id) => match (name.as_str(), argument) {
            ("getbyid" | "getitembyid" | "getbystringid", Some(number)) => {
                Some(item(call, *id, &number)?)
            }
            _ => None,
        },
        Node::Item(id, number) => of_item(call, *id, *number, &name, argument)?,
        Node::Attachments(id, number) => match (name.as_str(), argument) {
            ("getbyfilename", Some(file)) => Some(attachment(call, *id, *number, &file)?),
            _ => None,
        },
        Node::Users | Node::GroupUsers(_) => match (name.as_str(), argument) {
            ("getbyid", Some(id)) => Some(user(call, &id)?),
            ("getbyemail" | "getbyloginname", Some(name)) => Some(user(call, &name)?),
            _ => None,
        },
        Node::Groups => match (name.as_str(), argument) {
            ("getbyid" | "getbyname", Some(name)) => Some(user(call, &name)?),
            _ => None,
        },
        Node::User(id) => match name.as_str() {
            "users" => Some(Node::GroupUsers(*id)),
            "groups" => Some(Node::UserGroups(*id)),
            _ => None,
        },
        Node::Views(id) => match (name.as_str(), argument) {
            ("getbytitle", Some(title)) => Some(view(*id, lists::is_view_title(&title))?),
            ("getbyid", Some(view_id)) => Some(view(*id, is_view_id(*id, &view_id))?),
            _ => None,
        },
        Node::RegionalSettings if name == "timezone" => Some(Node::TimeZone),
        Node::RecycleBin if name == "getbyid" => {
            let id = argument.and_then(|id| Uuid::parse_str(&id).ok());
            id.map(Node::Recycled)
        }
        _ => None,
    };
    Ok(found)
}

fn of_web(call: &Call<'_>, name: &str, argument: Option<&str>) -> Rest<Option<Node>> {
    Ok(Some(match (name, argument) {
        ("lists", None) => Node::Lists,
        ("lists" | "getlistbyid", Some(id)) => Node::List(with_id(call, id)?),
        ("getlistbytitle", Some(title)) => Node::List(titled(call, title)?),
        ("getlist", Some(path)) => Node::List(at(call, path)?),
        ("currentuser", _) => Node::User(call.user),
        ("siteusers", None) => Node::Users,
        ("siteusers" | "getuserbyid", Some(name)) => user(call, name)?,
        ("siteuserinfolist", _) => people(call)?,
        ("sitegroups", None) => Node::Groups,
        ("sitegroups", Some(name)) => user(call, name)?,
        ("associatedmembergroup" | "associatedownergroup" | "associatedvisitorgroup", _) => {
            Node::User(crate::store::person::MEMBERS)
        }
        ("recyclebin", None) => Node::RecycleBin,
        ("recyclebin", Some(id)) => match Uuid::parse_str(id) {
            Ok(id) => Node::Recycled(id),
            Err(_) => return Err(RestError::no_resource("RecycleBin")),
        },
        ("regionalsettings", _) => Node::RegionalSettings,
        ("webs", None) => Node::Webs,
        (
            "features" | "fields" | "roledefinitions" | "availablecontenttypes" | "contenttypes",
            None,
        ) => Node::Nothing("SP.Web"),
        _ => return Ok(None),
    }))
}

fn people(call: &Call<'_>) -> Rest<Node> {
    let mut lists = call.site.lists.iter();
    let found = lists.find(|list| list.template == kinds::PEOPLE);
    found
        .map(|list| Node::List(list.id))
        .ok_or_else(RestError::no_list_with_id)
}

fn of_list(call: &Call<'_>, id: Uuid, name: &str, argument: Option<&str>) -> Rest<Option<Node>> {
    Ok(Some(match (name, argument) {
        ("items", None) => Node::Items(id),
        ("items" | "getitembyid", Some(number)) => item(call, id, number)?,
        ("fields", None) => Node::Fields(id),
        ("fields", Some(field)) => column(call.list(id)?, field)?,
        ("rootfolder", _) => Node::RootFolder(id),
        ("contenttypes", None) => Node::ContentTypes(id),
        ("contenttypes", Some(_)) => Node::ContentType(id),
        ("views", None) => Node::Views(id),
        ("views", Some(view_id)) => view(id, is_view_id(id, view_id))?,
        ("defaultview", _) => Node::View(id),
        ("parentweb", _) => Node::Web,
        ("eventreceivers" | "workflowassociations" | "roleassignments" | "subscriptions", None) => {
            Node::Nothing("SP.List")
        }
        _ => return Ok(None),
    }))
}

fn of_item(
    call: &Call<'_>,
    id: Uuid,
    number: u32,
    name: &str,
    argument: Option<String>,
) -> Rest<Option<Node>> {
    Ok(Some(match (name, argument) {
        ("attachmentfiles", None) => Node::Attachments(id, number),
        ("attachmentfiles", Some(file)) => attachment(call, id, number, &file)?,
        ("fieldvaluesastext", _) => Node::FieldValues(id, number, "FieldValuesAsText"),
        ("fieldvaluesashtml", _) => Node::FieldValues(id, number, "FieldValuesAsHtml"),
        ("fieldvaluesforedit", _) => Node::FieldValues(id, number, "FieldValuesForEdit"),
        ("parentlist", _) => Node::List(id),
        ("contenttype", _) => Node::ContentType(id),
        ("author" | "editor", None) => {
            let list = call.list(id)?;
            let row = list.items.get(&number).ok_or_else(RestError::no_item)?;
            Node::User(if name == "author" {
                row.author
            } else {
                row.editor
            })
        }
        _ => return Ok(None),
    }))
}

fn titled(call: &Call<'_>, title: &str) -> Rest<Uuid> {
    let list = call.site.list_titled(title);
    list.map(|list| list.id)
        .ok_or_else(|| RestError::no_list(title, &call.web))
}

fn with_id(call: &Call<'_>, id: &str) -> Rest<Uuid> {
    let id = Uuid::parse_str(id.trim_matches(['{', '}']));
    let found = id.ok().and_then(|id| call.site.list(id));
    found
        .map(|list| list.id)
        .ok_or_else(RestError::no_list_with_id)
}

fn at(call: &Call<'_>, path: &str) -> Rest<Uuid> {
    let whole = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{}/{path}", call.site.path)
    };
    let found = call.site.list_at(&whole);
    found.map(|list| list.id).ok_or_else(|| {
        RestError::new(
            404,
            -2_147_024_894,
            "System.IO.FileNotFoundException",
            "File Not Found.",
        )
    })
}

fn item(call: &Call<'_>, id: Uuid, number: &str) -> Rest<Node> {
    let number = number.trim().parse::<u32>();
    let number = number.map_err(|_| RestError::expression("items"))?;
    if call.list(id)?.items.contains_key(&number) {
        Ok(Node::Item(id, number))
    } else {
        Err(RestError::no_item())
    }
}

fn column(list: &List, id: &str) -> Rest<Node> {
    let field = Uuid::parse_str(id.trim_matches(['{', '}'])).ok();
    let field = field.and_then(|id| list.field_with_id(id));
    let field = field.ok_or_else(|| RestError::no_column(id))?;
    Ok(Node::Field(list.id, field.id))
}

/// The one view of a list goes by the list's own id.
fn is_view_id(list: Uuid, id: &str) -> bool {
    Uuid::parse_str(id.trim_matches(['{', '}'])).is_ok_and(|id| id == list)
}

fn view(list: Uuid, is_there: bool) -> Rest<Node> {
    if is_there {
        return Ok(Node::View(list));
    }
    Err(RestError::new(
        404,
        -2_147_024_809,
        "System.ArgumentException",
        "The specified view is invalid.",
    ))
}

fn attachment(call: &Call<'_>, id: Uuid, number: u32, file: &str) -> Rest<Node> {
    let row = call.list(id)?.items.get(&number);
    let row = row.ok_or_else(RestError::no_item)?;
    let named = |kept: &&crate::store::item::Attachment| kept.name.eq_ignore_ascii_case(file);
    match row.attachments.iter().find(named) {
        Some(kept) => Ok(Node::Attachment(id, number, kept.name.clone())),
        None => Err(RestError::new(
            404,
            -2_147_024_894,
            "System.IO.FileNotFoundException",
            format!("The file {file} does not exist."),
        )),
    }
}

fn user(call: &Call<'_>, name: &str) -> Rest<Node> {
    let by_number = name.parse().ok().and_then(|id| call.site.person(id));
    let found = by_number.or_else(|| call.site.person_named(name));
    found
        .map(|person| Node::User(person.id))
        .ok_or_else(|| RestError::no_user(""))
}
