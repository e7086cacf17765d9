//! The tools that read: find lists, read one, say what is open.

use checklist_auth::Principal;
use checklist_services::checklist::{self, GetItemsAnswer};
use checklist_services::lists::{self, ListsQuery};
use checklist_shared::context::Context;
use checklist_shared::progress::State;
use checklist_shared::wire::list::{GetItems, View};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::tool::Tool;
use crate::http::Web;
use crate::http::problem::{ProblemResponse, internal};

/// Finds the checklists that somebody has begun, by object, purpose, template and state. Lists that
/// nobody has begun are not among them; `read_list` shows them. Needs a credential for all lists.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub(super) struct FindLists {
    /// Only lists of that type of object, for example `incident`.
    object_type: Option<String>,
    /// Only lists of objects whose id begins with this text.
    object_id: Option<String>,
    /// Only lists of that purpose; the empty text finds the default lists.
    purpose: Option<String>,
    /// Only lists that follow the template of that id.
    template: Option<String>,
    /// Only lists in that state.
    state: Option<State>,
    /// `Next` of the answer before, for the page after it.
    after: Option<String>,
    /// How many: 1 to 500, 100 unless said otherwise.
    limit: Option<u32>,
}

impl Tool for FindLists {
    const NAME: &'static str = "find_lists";
    const TITLE: &'static str = "Find checklists";
    const WRITES: bool = false;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        let query = ListsQuery {
            object_type: self.object_type,
            object_id: self.object_id,
            purpose: self.purpose,
            template: self.template,
            state: self.state,
            update_offered: None,
            after: self.after,
            limit: self.limit,
        };
        to_value(&lists::list(&web.app, agent, query).await?)
    }
}

/// Reads one checklist: its items with their ids, statuses and who set them, whether it is completed,
/// in `Blockers` the first items that keep it from being completed, and in `Waived` who has let it pass
/// all the same, and why.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct ReadList {
    /// Which list.
    context: Context,
    /// The language of its texts, for example `de`.
    #[serde(default)]
    language: Option<String>,
}

impl Tool for ReadList {
    const NAME: &'static str = "read_list";
    const TITLE: &'static str = "Read a checklist";
    const WRITES: bool = false;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        read(web, agent, self.context, self.language, View::Full).await
    }
}

/// Says why a checklist is not completed: its state, how many items are open, the first of those that
/// keep it from being completed, and who has waived it and why, without the other items.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct ExplainOpen {
    /// Which list.
    context: Context,
    /// The language of its texts, for example `de`.
    #[serde(default)]
    language: Option<String>,
}

impl Tool for ExplainOpen {
    const NAME: &'static str = "explain_open";
    const TITLE: &'static str = "Explain what is open";
    const WRITES: bool = false;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        read(web, agent, self.context, self.language, View::Summary).await
    }
}

async fn read(
    web: &Web,
    agent: &Principal,
    context: Context,
    language: Option<String>,
    view: View,
) -> Result<Value, ProblemResponse> {
    let request = GetItems {
        context: Some(context),
        language,
        view,
        ..GetItems::default()
    };
    match checklist::get_items(&web.app, agent, request).await? {
        GetItemsAnswer::One(list) => to_value(&list),
        GetItemsAnswer::Many(lists) => to_value(&lists),
    }
}

fn to_value(answer: &impl Serialize) -> Result<Value, ProblemResponse> {
    serde_json::to_value(answer).map_err(|_| internal())
}
