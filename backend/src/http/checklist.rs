//! The calls on lists: read, add, update, delete, restore, refresh, undo, lock, waive.
//!
//! Each handler extracts the caller and a validated body, and calls one service.
//! `services::checklist` implements the calls, `checklist_shared` the rules for items.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use checklist_services::checklist::{self, GetItemsAnswer};
use checklist_services::{find_items, item_history};
use checklist_shared::wire::find::{FindItems, FoundItems};
use checklist_shared::wire::history::{GetItemHistory, ItemHistory};
use checklist_shared::wire::list::{GetItems, ListAnswer, ListAnswers};
use checklist_shared::wire::signals::{SendSignals, SentSignals};
use checklist_shared::wire::write::{
    AddItems, DeleteItems, LockList, ProposeItems, RefreshItems, RestoreItems, Undo, UpdateItems,
    Waive, WriteAnswer,
};

use super::Web;
use super::extract::{Body, Caller, Operation};
use super::problems::Writes;
use crate::http::problem::ProblemResponse;

type WriteResponse = Result<Json<WriteAnswer>, ProblemResponse>;

/// One list or many, as they are now.
///
/// Give `Context` for one list or `Contexts` (at most 200) for many; the latter answers
/// `{Results}` in the same order, a list or a problem each. A read never writes: a list that was
/// never written is shown as its template has it, with Revision 0. With `SinceRevision` only
/// what changed since comes along (`Delta: true`), with `View: Summary` no items at all. Before the
/// first write an item has a `DueOffset` instead of `Due`, because its date counts from that write,
/// unless it counts from a fact. With `IncludeDeleted` (permission Delete) `Deleted` tells what was deleted in the last 30 days, when,
/// by whom, and until when it can be restored. `Warnings` says where the completion rule counts
/// required items alone and there is none.
#[utoipa::path(post, path = "/GetItems", operation_id = "GetItems", tag = "Checklists", request_body = GetItems,
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "The list, or one entry for each context.", body = OneOrMany)))]
pub async fn get_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<GetItems>,
) -> Result<Response, ProblemResponse> {
    Ok(
        match checklist::get_items(&web.app, &caller, request).await? {
            GetItemsAnswer::One(list) => Json(list).into_response(),
            GetItemsAnswer::Many(lists) => Json(lists).into_response(),
        },
    )
}

/// What was done to one item, the newest first.
///
/// Who, when, what, and the values before and after, as the audit trail has it; whoever may read the
/// list may read it. Deleted items have a history too. A page has `Limit` entries (50); `Next` is
/// where to go on, also after an answer that has looked at 10,000 rows of a long list.
#[utoipa::path(post, path = "/GetItemHistory", operation_id = "GetItemHistory", tag = "Checklists",
    request_body = GetItemHistory,
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "A page of its history.", body = ItemHistory)))]
pub async fn item_history(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<GetItemHistory>,
) -> Result<Json<ItemHistory>, ProblemResponse> {
    Ok(Json(item_history::page(&web.app, &caller, request).await?))
}

/// Items across lists.
///
/// Which items are open for me, which are late, what is proposed: those that meet all that `Filter`
/// says, with what a reader needs of their lists. `Late` compares days with `Today`. Only items of
/// lists that the caller may read are found: an embed token finds those of its contexts. A list that
/// was never written has no items to find, also none that would be due; they are found once somebody
/// has changed one, or `BeginLists` has begun it. Without `Assignee`, `Due`, `Late` or `Proposed` 1,000 lists are looked through,
/// and then the answer is what was found: `Next` says where to go on.
#[utoipa::path(post, path = "/FindItems", operation_id = "FindItems", tag = "Checklists", request_body = FindItems,
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "A page of items.", body = FoundItems)))]
pub async fn find_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<FindItems>,
) -> Result<Json<FoundItems>, ProblemResponse> {
    Ok(Json(find_items::find(&web.app, &caller, request).await?))
}

/// What `GetItems` answers: a list for `Context`, results for `Contexts`.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the document's name for two shapes, never built")]
#[schema(as = GetItemsAnswer)]
enum OneOrMany {
    One(Box<ListAnswer>),
    Many(ListAnswers),
}

/// Add items.
///
/// The client may choose the ids (UUIDv7), which makes a repeat harmless; `AfterId` and
/// `BeforeId` place an item among its siblings; the items after it in the request that have
/// neither and belong to the same section follow it. Every other item goes last. Items that
/// cannot be added are reported one by one; the others are added. The first write makes the whole list.
#[utoipa::path(post, path = "/AddItems", operation_id = "AddItems", tag = "Checklists", request_body = AddItems,
    extensions(("x-needs" = json!(["Add"]))),
    responses(Writes, (status = 200, description = "What became of each item.", body = WriteAnswer)))]
pub async fn add_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<AddItems>,
) -> WriteResponse {
    Ok(Json(
        checklist::add_items(&web.app, &caller, request, hash).await?,
    ))
}

/// Tick, edit, move items.
///
/// An absent field leaves what it names, `null` clears it where it can be empty. A status is set, never toggled; setting the one that an
/// item has already is `Unchanged`. `Text` and moves need `BaseVersion`. `SeenTextHash` (the
/// item's `TextHash`) proves which wording was confirmed. A conflict brings the current item.
/// With `Atomic` everything is applied or, with 409 and the results, nothing. A `Status` that the
/// item has already, sent with the `SeenTextHash` of a wording that is new since
/// (`ChangedSinceChecked`), confirms that wording: caller and time become `StatusBy` and `StatusAt`.
///
/// An item with `NeedsPerson` is resolved by a person, or by an agent whose token says that a person
/// has confirmed this very act (`Mode: Approved`); every other program or agent gets `NeedsPerson`.
/// `Proposal` with `BaseVersion` accepts or declines what `ProposeItems` has proposed, which a person
/// does; whoever has proposed may decline it too.
///
/// An item with `SecondPerson` takes two. A `Status` that resolves it is kept as `Proposal` of the
/// caller, and the item stays `Open`, with `AwaitingConfirmation`, until another person accepts
/// (`Proposal: Accept`). Whoever has done it, also by a program or an agent, gets
/// `NeedsSecondPerson`; programs and agents get `NeedsPerson`, whatever their `Mode`. Opening it again
/// needs nobody.
///
/// An item with `RequiresEvidence` is done only with `Evidence`, else `EvidenceRequired`: it stands
/// beside the status as an accepted `Proposal` of the caller. That of a proposal counts when it is
/// accepted. Other evidence for the present status makes the caller its `StatusBy`, and
/// `NotApplicable` needs none.
///
/// An item with `AnswerFormat` is done only with an `Answer` that it accepts, else `AnswerRequired` or
/// `InvalidAnswer`. An `Answer` alone makes the item `Done`, another one makes the caller its `StatusBy`,
/// and opening the item takes it away.
///
/// `Help`, `Required` and `Kind` of an item of the template can be changed where the list names them in
/// `Changeable` (else `NotChangeable`), those of other items always. `Required: false` and `Kind: Info`
/// need `DeleteRequired`, too, where the template requires the item (`RequiredItem`). `Info` is for open
/// items without answer format, signal and open proposal (`InvalidKind`).
///
/// The status of an item with `Signal` comes from another system (`SendSignals`). A person may set
/// another one with a `Reason`, else `ReasonRequired`; it stays until a person sets the one that the
/// signal says, or the signal says the same. Programs and agents get `SetBySignal`, unless a person has
/// confirmed this very act.
#[utoipa::path(post, path = "/UpdateItems", operation_id = "UpdateItems", tag = "Checklists", request_body = UpdateItems,
    extensions(("x-needs" = json!(["Check"]))),
    responses(Writes, (status = 200, description = "What became of each item.", body = WriteAnswer)))]
pub async fn update_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<UpdateItems>,
) -> WriteResponse {
    Ok(Json(
        checklist::update_items(&web.app, &caller, request, hash).await?,
    ))
}

/// Propose statuses.
///
/// For a person to accept or decline with `UpdateItems`; until then nothing is resolved. An item has
/// one open proposal: a newer one of the same proposer takes its place, another's is refused with
/// `ProposalConflict`. It ends when somebody changes the status or the text, deletes the item, or when
/// the template does. A status that the item has already is `Unchanged`. `Evidence` is kept and shown
/// as it is given; the server never reads its `Url`.
#[utoipa::path(post, path = "/ProposeItems", operation_id = "ProposeItems", tag = "Checklists", request_body = ProposeItems,
    extensions(("x-needs" = json!(["Check"]))),
    responses(Writes, (status = 200, description = "What became of each item.", body = WriteAnswer)))]
pub async fn propose_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<ProposeItems>,
) -> WriteResponse {
    Ok(Json(
        checklist::propose_items(&web.app, &caller, request, hash).await?,
    ))
}

/// Delete items.
///
/// Softly: `RestoreItems` brings them back for 30 days, `Undo` for 24 hours. A section takes what it
/// holds with it. Items that the template requires need the permission DeleteRequired too.
#[utoipa::path(post, path = "/DeleteItems", operation_id = "DeleteItems", tag = "Checklists", request_body = DeleteItems,
    extensions(("x-needs" = json!(["Delete"]))),
    responses(Writes, (status = 200, description = "What became of each item.", body = WriteAnswer)))]
pub async fn delete_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<DeleteItems>,
) -> WriteResponse {
    Ok(Json(
        checklist::delete_items(&web.app, &caller, request, hash).await?,
    ))
}

/// Bring deleted items back.
///
/// For 30 days after they were deleted, by whoever may delete, whoever deleted them; `GetItems` with
/// `IncludeDeleted` names them. An item comes back where it stood and as it was, and follows the
/// template version that its list follows by now. A section brings what was deleted with it, an item
/// the section that held it (or stands last, where that is gone for good); `Results` names what came
/// along. What the template itself has taken away is refused.
#[utoipa::path(post, path = "/RestoreItems", operation_id = "RestoreItems", tag = "Checklists", request_body = RestoreItems,
    extensions(("x-needs" = json!(["Delete"]))),
    responses(Writes, (status = 200, description = "What became of each item.", body = WriteAnswer)))]
pub async fn restore_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<RestoreItems>,
) -> WriteResponse {
    Ok(Json(
        checklist::restore_items(&web.app, &caller, request, hash).await?,
    ))
}

/// Bring a list to another version of its template.
///
/// Adds what is new, follows what changed, removes what is gone, and never loses what a person
/// has touched. `DryRun` only tells what would happen; another `TemplateId` in the context moves
/// the list to that template. The whole refresh is one undo step.
#[utoipa::path(post, path = "/RefreshItemsOnTemplateChange", operation_id = "RefreshItemsOnTemplateChange", tag = "Checklists",
    request_body = RefreshItems,
    extensions(("x-needs" = json!(["Refresh"]))),
    responses(Writes, (status = 200, description = "What changed, case by case.", body = WriteAnswer)))]
pub async fn refresh_items(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<RefreshItems>,
) -> WriteResponse {
    Ok(Json(
        checklist::refresh_items(&web.app, &caller, request, hash).await?,
    ))
}

/// Take an operation back.
///
/// Names the operation by its `OperationId`. 409 `CannotUndo` says why when somebody has built
/// on it meanwhile.
#[utoipa::path(post, path = "/Undo", operation_id = "Undo", tag = "Checklists", request_body = Undo,
    extensions(("x-needs" = json!(["Check", "UncheckOthers", "Edit", "Add", "Delete", "Reorder", "Refresh", "Lock"]))),
    responses(Writes, (status = 200, description = "The items as they are again.", body = WriteAnswer)))]
pub async fn undo(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<Undo>,
) -> WriteResponse {
    Ok(Json(
        checklist::undo(&web.app, &caller, request, hash).await?,
    ))
}

/// Lock or unlock a list.
///
/// While it is locked, every write answers 409 `Locked`.
#[utoipa::path(post, path = "/Lock", operation_id = "Lock", tag = "Checklists", request_body = LockList,
    extensions(("x-needs" = json!(["Lock"]))),
    responses(Writes, (status = 200, description = "The lock in force.", body = WriteAnswer)))]
pub async fn lock(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<LockList>,
) -> WriteResponse {
    Ok(Json(
        checklist::lock(&web.app, &caller, request, hash).await?,
    ))
}

/// Report what other systems know.
///
/// A template binds an item to a signal: `Signal` with a `Source` and the `Key` that it has there. What
/// the source reports here sets the status of each such item of the list, with `Evidence` where there is
/// some, unless a person has overridden it with a reason; then the report stands beside that. Each report
/// is taken for itself, and only if its `AsOf` is newer than that of the one before, so the same call
/// again changes nothing and needs no `OperationId`. Report what changes, and, where the template says
/// `StaleAfter`, the same again within that time. The caller is an API key with the permission `Check`
/// that names the source among its `Sources`; a source that it does not name refuses the whole request. `Results` says of each report
/// what became of it at which item, or why it was not taken (`ItemNotFound`: no item of the list is bound
/// to it).
#[utoipa::path(post, path = "/Signals", operation_id = "SendSignals", tag = "Checklists", request_body = SendSignals,
    extensions(("x-needs" = json!(["ApiKey"]))),
    responses(Writes, (status = 200, description = "What became of each report.", body = SentSignals)))]
pub async fn send_signals(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<SendSignals>,
) -> Result<Json<SentSignals>, ProblemResponse> {
    Ok(Json(
        checklist::send_signals(&web.app, &caller, request).await?,
    ))
}

/// Let a list pass although items are open.
///
/// `State` becomes `Waived`, `Completed` stays false, and whatever waits for the list may go on. The
/// waiver is in force until it is revoked with `Revoke`, whatever happens to the items; while all that
/// counts is resolved, the list is `Complete` all the same. `Reason` is for everybody to read. 409
/// `CannotWaive` says why when the list is complete, empty or waived already, has no waiver to revoke,
/// or when no person is behind the call.
#[utoipa::path(post, path = "/Waive", operation_id = "Waive", tag = "Checklists", request_body = Waive,
    extensions(("x-needs" = json!(["Waive"]))),
    responses(Writes, (status = 200, description = "The waiver in force.", body = WriteAnswer)))]
pub async fn waive(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Operation(request, hash): Operation<Waive>,
) -> WriteResponse {
    Ok(Json(
        checklist::waive(&web.app, &caller, request, hash).await?,
    ))
}
