//! Everything that has an address, as an entity: its own members, those shown only when selected,
//! and what it leads to.
//!
//! One engine applies `$select` and `$expand` to all of them; items alone have their own
//! (`item_entity`), because their members are columns.

use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::node::Node;
use super::{attachments, fields, item_entity, item_texts, items, lists, users, web};
use crate::odata::entity::{Entity, Property};
use crate::odata::projection::Projection;
use crate::store::{Item, List};

/// What a thing has to show.
pub struct Shape {
    pub kind: String,
    pub uri: String,
    pub etag: Option<String>,
    /// Shown by itself, in the service's order.
    pub own: Vec<(String, Property)>,
    /// Shown when it is selected.
    pub extra: Vec<(String, Property)>,
    /// What it leads to, shown when it is expanded.
    pub navigations: Vec<(&'static str, Node)>,
}

/// What an item leads to besides what its columns lead to.
pub const ITEM_NAVIGATIONS: [&str; 11] = [
    "AttachmentFiles",
    "ContentType",
    "FieldValuesAsHtml",
    "FieldValuesAsText",
    "FieldValuesForEdit",
    "FirstUniqueAncestorSecurableObject",
    "Folder",
    "File",
    "ParentList",
    "RoleAssignments",
    "Versions",
];

impl Shape {
    /// Applies what the caller wants to see.
    ///
    /// # Errors
    /// It wants something that this does not have.
    pub fn entity(self, call: &Call<'_>, projection: &Projection) -> Rest<Entity> {
        let mut properties = Vec::new();
        let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        for (name, node) in &self.navigations {
            let wanted = projection.shows_all() || projection.selects(name);
            match projection.expanded(name) {
                Some(below) if wanted => {
                    properties.push(((*name).to_owned(), expanded(call, node, below)?));
                }
                None if projection.shows_all() => {
                    let link = Property::Deferred((*name).to_owned());
                    properties.push(((*name).to_owned(), link));
                }
                _ => {}
            }
        }
        let known = |name: &String| {
            let members = self.own.iter().chain(&self.extra);
            members.into_iter().any(|(own, _)| same(own, name))
                || self.navigations.iter().any(|(own, _)| same(own, name))
        };
        let named = projection.select.iter();
        let named = named
            .chain(projection.expand.keys())
            .chain(projection.below.keys());
        if let Some(unknown) = named.into_iter().find(|name| !known(name)) {
            return Err(RestError::no_field(unknown));
        }
        let all = projection.shows_all();
        let selected = |name: &str| projection.select.iter().any(|wanted| same(wanted, name));
        let own = self.own.into_iter();
        properties.extend(own.filter(|(name, _)| all || selected(name)));
        let extra = self.extra.into_iter();
        properties.extend(extra.filter(|(name, _)| selected(name)));
        Ok(Entity {
            kind: self.kind,
            uri: self.uri,
            etag: self.etag,
            properties,
        })
    }
}

fn expanded(call: &Call<'_>, node: &Node, below: &Projection) -> Rest<Property> {
    Ok(match node {
        node if is_collection(node) => Property::Many(collection(call, node, below)?),
        node => Property::One(Some(Box::new(entity(call, node, below)?))),
    })
}

/// Whether an address leads to several things.
#[must_use]
pub fn is_collection(node: &Node) -> bool {
    matches!(
        node,
        Node::Webs
            | Node::Lists
            | Node::Fields(_)
            | Node::Items(_)
            | Node::Attachments(..)
            | Node::Users
            | Node::Groups
            | Node::GroupUsers(_)
            | Node::UserGroups(_)
            | Node::ContentTypes(_)
            | Node::Views(_)
            | Node::RecycleBin
            | Node::Nothing(_)
    )
}

/// The type of what a collection holds, as its metadata names it.
#[must_use]
pub fn collection_kind(call: &Call<'_>, node: &Node) -> String {
    match node {
        Node::Lists => "SP.ApiData.Lists".to_owned(),
        Node::Fields(_) => "SP.ApiData.Fields1".to_owned(),
        Node::Items(id) => {
            let list = call.site.list(*id);
            let kind = list.map(List::item_type_name).unwrap_or_default();
            format!("{}s", kind.replacen("SP.Data", "SP.ListData", 1))
        }
        Node::Users | Node::GroupUsers(_) => "SP.ApiData.Users".to_owned(),
        Node::Groups | Node::UserGroups(_) => "SP.ApiData.Groups".to_owned(),
        Node::Attachments(..) => "SP.ApiData.Attachments".to_owned(),
        _ => "SP.ApiData.Collection".to_owned(),
    }
}

/// One thing, as far as it was asked for.
///
/// # Errors
/// It is not there, or something that it does not have was asked for.
pub fn entity(call: &Call<'_>, node: &Node, projection: &Projection) -> Rest<Entity> {
    if let Node::Item(id, number) = node {
        let list = call.list(*id)?;
        let item = list.items.get(number).ok_or_else(RestError::no_item)?;
        items::check(list, projection)?;
        return item_entity::entity(call, list, item, projection);
    }
    if let Node::FieldValues(id, number, name) = node {
        return field_values(call, *id, *number, name, projection);
    }
    shape(call, node)?.entity(call, projection)
}

fn shape(call: &Call<'_>, node: &Node) -> Rest<Shape> {
    match node {
        Node::Web => Ok(web::web(call)),
        Node::SiteCollection => Ok(web::collection_of_sites(call)),
        Node::List(id) => Ok(lists::shape(call, call.list(*id)?)),
        Node::Field(list, field) => {
            let list = call.list(*list)?;
            let found = list.field_with_id(*field);
            let found = found.ok_or_else(|| RestError::no_column(&field.to_string()))?;
            Ok(fields::shape(call, list, found))
        }
        Node::RootFolder(id) => Ok(lists::root_folder(call, call.list(*id)?)),
        Node::ContentType(id) => Ok(lists::content_type(call, call.list(*id)?)),
        Node::View(id) => Ok(lists::view(call, call.list(*id)?)),
        Node::User(id) => users::shape(call, *id),
        Node::RegionalSettings => Ok(web::regional_settings(call)),
        Node::TimeZone => Ok(web::time_zone(call)),
        Node::Attachment(id, number, file) => attachments::shape(call, *id, *number, file),
        Node::Recycled(id) => web::recycled(call, *id),
        _ => Err(RestError::no_resource("resource")),
    }
}

/// Several things, as far as they were asked for. Items are asked for with `items::query`, except
/// where a list was expanded into them.
///
/// # Errors
/// As for one of them.
pub fn collection(call: &Call<'_>, node: &Node, projection: &Projection) -> Rest<Vec<Entity>> {
    if let Node::Items(id) = node {
        let list = call.list(*id)?;
        items::check(list, projection)?;
        let rows = list.items.values().take(100);
        return rows
            .map(|item| item_entity::entity(call, list, item, projection))
            .collect();
    }
    let nodes = members(call, node)?;
    let all = nodes.iter().map(|node| entity(call, node, projection));
    all.collect()
}

/// What a collection holds.
///
/// # Errors
/// What it belongs to is not there.
pub fn members(call: &Call<'_>, node: &Node) -> Rest<Vec<Node>> {
    let people = |groups: bool| {
        let people = call.site.people.iter();
        people
            .filter(move |person| (person.kind == crate::store::PrincipalType::SiteGroup) == groups)
            .map(|person| Node::User(person.id))
            .collect()
    };
    Ok(match node {
        Node::Lists => call
            .site
            .lists
            .iter()
            .map(|list| Node::List(list.id))
            .collect(),
        Node::Fields(id) => {
            let list = call.list(*id)?;
            let fields = list.fields.iter();
            fields.map(|field| Node::Field(*id, field.id)).collect()
        }
        Node::Users => people(false),
        Node::Groups => people(true),
        Node::GroupUsers(id) => {
            let group = call
                .site
                .person(*id)
                .ok_or_else(|| RestError::no_user(""))?;
            group.members.iter().map(|&id| Node::User(id)).collect()
        }
        Node::UserGroups(id) => {
            let groups = call.site.people.iter();
            let of = groups.filter(|group| group.members.contains(id));
            of.map(|group| Node::User(group.id)).collect()
        }
        Node::Attachments(id, number) => {
            let item = call.list(*id)?.items.get(number);
            let item = item.ok_or_else(RestError::no_item)?;
            let kept = item.attachments.iter();
            kept.map(|kept| Node::Attachment(*id, *number, kept.name.clone()))
                .collect()
        }
        Node::ContentTypes(id) => vec![Node::ContentType(*id)],
        Node::Views(id) => vec![Node::View(*id)],
        Node::RecycleBin => {
            let kept = call.site.recycled.iter();
            kept.map(|kept| Node::Recycled(kept.id)).collect()
        }
        _ => Vec::new(),
    })
}

/// What an item leads to, as far as it was expanded.
///
/// # Errors
/// What was asked of it is not there.
pub fn item_navigations(
    call: &Call<'_>,
    list: &List,
    item: &Item,
    projection: &Projection,
    properties: &mut Vec<(String, Property)>,
) -> Rest<()> {
    for name in ITEM_NAVIGATIONS {
        let Some(below) = projection.expanded(name) else {
            if projection.shows_all() {
                properties.push((name.to_owned(), Property::Deferred(name.to_owned())));
            }
            continue;
        };
        if !(projection.shows_all() || projection.selects(name)) {
            continue;
        }
        let (id, number) = (list.id, item.id);
        let property = match name {
            "AttachmentFiles" => expanded(call, &Node::Attachments(id, number), below)?,
            "ContentType" => expanded(call, &Node::ContentType(id), below)?,
            "ParentList" => expanded(call, &Node::List(id), below)?,
            "FieldValuesAsHtml" | "FieldValuesAsText" | "FieldValuesForEdit" => {
                expanded(call, &Node::FieldValues(id, number, name), below)?
            }
            "RoleAssignments" | "Versions" => Property::Many(Vec::new()),
            _ => Property::One(None),
        };
        properties.push((name.to_owned(), property));
    }
    Ok(())
}

fn field_values(
    call: &Call<'_>,
    id: Uuid,
    number: u32,
    name: &str,
    projection: &Projection,
) -> Rest<Entity> {
    let list = call.list(id)?;
    let item = list.items.get(&number).ok_or_else(RestError::no_item)?;
    let texts = item_texts::as_texts(call, list, item, name == "FieldValuesAsHtml");
    let texts = texts
        .into_iter()
        .map(|(name, text)| (name, Property::Plain(text)));
    let shape = Shape {
        kind: "SP.FieldStringValues".to_owned(),
        uri: call.uri(&format!("Web/Lists(guid'{id}')/Items({number})/{name}")),
        etag: None,
        own: texts.collect(),
        extra: Vec::new(),
        navigations: Vec::new(),
    };
    shape.entity(call, projection)
}
