//! Files that belong to an item.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::lists::members;
use super::node::Node;
use super::read;
use super::shape::{self, Shape};
use crate::request::Answer;
use crate::store::Item;
use crate::store::item::Attachment;

/// A file.
///
/// # Errors
/// The list is gone.
pub fn shape(call: &Call<'_>, id: Uuid, number: u32, file: &str) -> Rest<Shape> {
    let list = call.list(id)?;
    let path = format!("{}/Attachments/{number}/{file}", call.site.path_of(list));
    let own = json!({"FileName": file, "FileNameAsPath": {"DecodedUrl": file},
        "ServerRelativePath": {"DecodedUrl": path}, "ServerRelativeUrl": path});
    let address = format!("Web/Lists(guid'{id}')/Items({number})/AttachmentFiles('{file}')");
    Ok(Shape {
        kind: "SP.Attachment".to_owned(),
        uri: call.uri(&address),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: Vec::new(),
    })
}

fn item<'a>(call: &'a mut Call<'_>, id: Uuid, number: u32) -> Rest<&'a mut Item> {
    let list = call
        .site
        .list_mut(id)
        .ok_or_else(RestError::no_list_with_id)?;
    list.items.get_mut(&number).ok_or_else(RestError::no_item)
}

/// Keeps the body as a file of that name.
///
/// # Errors
/// There is one already.
pub fn add(call: &mut Call<'_>, id: Uuid, number: u32, file: &str) -> Rest<Answer> {
    let content = STANDARD.encode(&call.incoming.body);
    let item = item(call, id, number)?;
    if item
        .attachments
        .iter()
        .any(|kept| kept.name.eq_ignore_ascii_case(file))
    {
        return Err(RestError::new(
            400,
            -2_130_575_257,
            "Microsoft.SharePoint.SPException",
            "The specified name is already in use.\n\nThe document or folder name was not changed.  To change the name, close this dialog and edit the properties of the document or folder.",
        ));
    }
    item.attachments.push(Attachment {
        name: file.to_owned(),
        content,
    });
    item.version += 1;
    let node = Node::Attachment(id, number, file.to_owned());
    let entity = shape::entity(call, &node, &call.projection())?;
    Ok(read::one(call, 200, &entity))
}

/// Replaces a file's content by the body.
///
/// # Errors
/// There is no such file.
pub fn replace(call: &mut Call<'_>, id: Uuid, number: u32, file: &str) -> Rest<Answer> {
    let content = STANDARD.encode(&call.incoming.body);
    let item = item(call, id, number)?;
    for kept in item.attachments.iter_mut().filter(|kept| kept.name == file) {
        kept.content.clone_from(&content);
    }
    item.version += 1;
    Ok(Answer::empty(200))
}

/// Takes a file away.
///
/// # Errors
/// The item is gone.
pub fn remove(call: &mut Call<'_>, id: Uuid, number: u32, file: &str) -> Rest<()> {
    let item = item(call, id, number)?;
    item.attachments.retain(|kept| kept.name != file);
    item.version += 1;
    Ok(())
}

/// A file's content.
///
/// # Errors
/// There is no such file.
pub fn content(call: &Call<'_>, id: Uuid, number: u32, file: &str) -> Rest<Answer> {
    let item = call
        .list(id)?
        .items
        .get(&number)
        .ok_or_else(RestError::no_item)?;
    let kept = item.attachments.iter().find(|kept| kept.name == file);
    let kept = kept.ok_or_else(|| RestError::no_resource(file))?;
    let mut answer = Answer::empty(200).with("content-type", "application/octet-stream");
    answer.body = STANDARD.decode(&kept.content).unwrap_or_default();
    Ok(answer)
}
