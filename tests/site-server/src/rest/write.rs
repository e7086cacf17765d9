//! Answers to everything that changes something: making, changing and taking away lists, columns
//! and items, and the functions that are called rather than read.

use http::Method;
use serde_json::json;
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::node::{Node, Target};
use super::{
    attachments, caml, digest, field_xml, fields, form_write, item_body, item_entity, items, lists,
    read, shape, users, web,
};
use crate::odata::path::Segment;
use crate::odata::projection::Projection;
use crate::request::{Answer, Incoming};

/// What a request wants done: its method, or the one that a POST names in a header.
#[must_use]
pub fn verb(incoming: &Incoming) -> Method {
    let named = incoming
        .header("x-http-method")
        .filter(|_| incoming.method == Method::POST);
    match named {
        Some(name) => {
            Method::from_bytes(name.to_ascii_uppercase().as_bytes()).unwrap_or(Method::POST)
        }
        None => incoming.method.clone(),
    }
}

/// Answers a change.
///
/// # Errors
/// It is refused; then nothing has changed.
pub fn answer(call: &mut Call<'_>, target: &Target, verb: &Method) -> Rest<Answer> {
    match (verb.as_str(), target) {
        ("POST", Target::Function(node, function)) => do_function(call, node, function),
        // A name without parentheses is a function when something is sent to it.
        ("POST", Target::Property(node, name)) => {
            let function = Segment {
                name: name.clone(),
                arguments: None,
            };
            do_function(call, node, &function)
        }
        ("POST", Target::Node(node)) => create(call, node),
        ("MERGE" | "PATCH" | "PUT", Target::Node(node)) => update(call, node),
        ("DELETE", Target::Node(node)) => remove(call, node),
        ("PUT", Target::Content(Node::Attachment(id, number, file), None)) => {
            attachments::replace(call, *id, *number, file)
        }
        (verb, _) => Err(RestError::no_method(verb)),
    }
}

fn created(call: &Call<'_>, node: &Node) -> Rest<Answer> {
    let projection = match node {
        Node::Item(..) => Projection::default(),
        _ => call.projection(),
    };
    let entity = shape::entity(call, node, &projection)?;
    Ok(read::one(call, 201, &entity).with("location", &entity.uri))
}

fn create(call: &mut Call<'_>, node: &Node) -> Rest<Answer> {
    match node {
        Node::Lists => {
            let id = lists::create(call)?;
            created(call, &Node::List(id))
        }
        Node::Fields(list) => {
            let id = fields::create(call, *list)?;
            created(call, &Node::Field(*list, id))
        }
        Node::Items(list) => {
            let of = call.list(*list)?;
            if of.template == crate::store::list::PEOPLE {
                return Err(RestError::access_denied());
            }
            let kind = of.item_type_name();
            let values = item_body::read(call, of, true)?;
            let user = call.user;
            let of = call
                .site
                .list_mut(*list)
                .ok_or_else(RestError::no_list_with_id)?;
            let number = of
                .add(values, user)
                .map_err(|refusal| RestError::refused(&refusal, &kind))?
                .id;
            created(call, &Node::Item(*list, number))
        }
        // A plain POST on something that is there, with the change in its body.
        Node::Item(..) | Node::List(_) | Node::Field(..) => update(call, node),
        _ => Err(RestError::no_method("POST")),
    }
}

fn update(call: &mut Call<'_>, node: &Node) -> Rest<Answer> {
    match node {
        Node::Item(list, number) => {
            let of = call.list(*list)?;
            let kind = of.item_type_name();
            let item = of.items.get(number).ok_or_else(RestError::no_item)?;
            let if_match = call.incoming.header("if-match");
            crate::store::list::expect_version(item, if_match)
                .map_err(|refusal| RestError::refused(&refusal, &kind))?;
            let values = item_body::read(call, of, false)?;
            let (user, if_match) = (call.user, if_match.map(str::to_owned));
            let of = call
                .site
                .list_mut(*list)
                .ok_or_else(RestError::no_list_with_id)?;
            let item = of
                .update(*number, values, if_match.as_deref(), user)
                .map_err(|refusal| RestError::refused(&refusal, &kind))?
                .ok_or_else(RestError::no_item)?;
            let etag = call.core.etag_of(item);
            Ok(done(call, 204).with("etag", &etag))
        }
        Node::List(id) => {
            lists::update(call, *id)?;
            Ok(done(call, 204))
        }
        Node::Field(list, field) => {
            fields::update(call, *list, *field)?;
            Ok(done(call, 204))
        }
        _ => Err(RestError::no_method("MERGE")),
    }
}

fn remove(call: &mut Call<'_>, node: &Node) -> Rest<Answer> {
    match node {
        Node::Item(list, number) => {
            remove_item(call, *list, *number, false)?;
        }
        Node::List(id) => {
            call.site.lists.retain(|list| list.id != *id);
        }
        Node::Field(list, field) => {
            let list = call
                .site
                .list_mut(*list)
                .ok_or_else(RestError::no_list_with_id)?;
            list.remove_field(*field)
                .map_err(|refusal| RestError::refused(&refusal, "SP.Field"))?;
        }
        Node::Attachment(id, number, file) => attachments::remove(call, *id, *number, file)?,
        Node::Recycled(id) => call.site.recycled.retain(|kept| kept.id != *id),
        _ => return Err(RestError::no_method("DELETE")),
    }
    Ok(done(call, 200))
}

fn remove_item(call: &mut Call<'_>, list: Uuid, number: u32, recycled: bool) -> Rest<Uuid> {
    let of = call.list(list)?;
    let kind = of.item_type_name();
    let item = of.items.get(&number).ok_or_else(RestError::no_item)?;
    crate::store::list::expect_version(item, call.incoming.header("if-match"))
        .map_err(|refusal| RestError::refused(&refusal, &kind))?;
    let user = call.user;
    call.site
        .remove_item(list, number, user, recycled)
        .ok_or_else(RestError::no_item)
}

/// An answer without a body; the media type stands there all the same, as with the service.
fn done(call: &Call<'_>, status: u16) -> Answer {
    Answer::empty(status).with("content-type", call.flavour.media_type())
}

fn do_function(call: &mut Call<'_>, node: &Node, function: &Segment) -> Rest<Answer> {
    let name = function.name.to_ascii_lowercase();
    match (name.as_str(), node) {
        (_, Node::TimeZone) => web::converted(call, function),
        ("contextinfo", Node::Root) => Ok(digest::context_info(call)),
        ("ensureuser", Node::Web) => {
            let login = call.argument(function);
            let id = users::ensure(call, login)?;
            let entity = shape::entity(call, &Node::User(id), &call.projection())?;
            Ok(read::one(call, 200, &entity))
        }
        (users::PICKER, Node::Root) => {
            let found = users::resolved(call)?;
            let kind = "ClientPeoplePickerResolveUser";
            Ok(read::bare(call, kind, "Edm.String", &json!(found)))
        }
        ("getitems", Node::List(id)) => {
            let rows = caml::query(call, *id)?;
            Ok(read::several(call, &Node::Items(*id), &rows, None))
        }
        ("createfieldasxml", Node::Fields(list)) => {
            let id = field_xml::create(call, *list)?;
            let entity = shape::entity(call, &Node::Field(*list, id), &call.projection())?;
            Ok(read::one(call, 200, &entity))
        }
        ("addfield" | "add", Node::Fields(list)) => {
            let id = fields::create(call, *list)?;
            created(call, &Node::Field(*list, id))
        }
        ("add" | "addusingpath", Node::Attachments(id, number)) => {
            let file = argument_named(call, function)?;
            attachments::add(call, *id, *number, &file)
        }
        ("validateupdatelistitem", Node::Item(list, number)) => {
            let results = form_write::update(call, *list, *number)?;
            Ok(read::bare(
                call,
                "ValidateUpdateListItem",
                FORM_VALUES,
                &results,
            ))
        }
        ("addvalidateupdateitemusingpath", Node::List(id)) => {
            let results = form_write::create(call, *id)?;
            Ok(read::bare(
                call,
                "AddValidateUpdateItemUsingPath",
                FORM_VALUES,
                &results,
            ))
        }
        ("recycle", Node::Item(list, number)) => {
            let id = remove_item(call, *list, *number, true)?;
            Ok(read::bare(call, "Recycle", "Edm.Guid", &json!(id)))
        }
        ("recycle", Node::List(id)) => {
            call.site.lists.retain(|list| list.id != *id);
            let id = crate::clock::new_id();
            Ok(read::bare(call, "Recycle", "Edm.Guid", &json!(id)))
        }
        ("deleteobject", node) => remove(call, node),
        ("enableindex" | "disableindex", Node::Field(list, field)) => {
            let list = call
                .site
                .list_mut(*list)
                .ok_or_else(RestError::no_list_with_id)?;
            let on = name == "enableindex";
            list.change_field(*field, |field| {
                field.indexed = on;
                Ok(())
            })
            .map_err(|refusal| RestError::refused(&refusal, "SP.Field"))?;
            let result = json!(u8::from(on));
            Ok(read::bare(call, &function.name, "Edm.Int32", &result))
        }
        // Forms are not drawn here; who sets what they show is told that it was set.
        ("setshowindisplayform" | "setshowineditform" | "setshowinnewform", Node::Field(..)) => {
            Ok(done(call, 200))
        }
        ("restore", Node::Recycled(id)) => {
            if call.site.restore(*id) {
                Ok(done(call, 200))
            } else {
                Err(RestError::no_resource("RecycleBin"))
            }
        }
        ("reserveitemid" | "reservelistitemid", Node::List(id)) => {
            let list = call
                .site
                .list_mut(*id)
                .ok_or_else(RestError::no_list_with_id)?;
            list.last_item += 1;
            let reserved = json!(list.last_item);
            Ok(read::bare(
                call,
                "ReserveListItemId",
                "Edm.Int32",
                &reserved,
            ))
        }
        _ => Err(RestError::no_resource(&function.name)),
    }
}

const FORM_VALUES: &str = "Collection(SP.ListItemFormUpdateValue)";

/// The argument of a function that names it: `add(FileName='a.txt')`.
fn argument_named(call: &Call<'_>, function: &Segment) -> Rest<String> {
    let argument = call.argument(function).filter(|text| !text.is_empty());
    argument.ok_or_else(|| RestError::query("A required parameter is missing."))
}

/// What the items of a query are, for readers that want them as the service shows them.
pub(super) fn all_items(
    call: &Call<'_>,
    id: Uuid,
    numbers: &[u32],
) -> Rest<Vec<crate::odata::entity::Entity>> {
    let list = call.list(id)?;
    let projection = call.projection();
    items::check(list, &projection)?;
    let rows = numbers.iter().filter_map(|number| list.items.get(number));
    rows.map(|item| item_entity::entity(call, list, item, &projection))
        .collect()
}
