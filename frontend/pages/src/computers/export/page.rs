//! The page of the export: which computers, where to, which field to which column.

use checklist_shared::wire::connections::ServiceConnection;
use checklist_shared::wire::workflow::{COMPUTER_EXPORT, Run, StartRun};

use super::draft::{draft, draft_pointer, request};
use super::state::{Export, Obstacle};
use super::{mapping, target};
use crate::api::FieldError;
use crate::computers::selection::{MAX_RUN_SIZE, Selection};
use crate::connections::CALLS as CONNECTIONS;
use crate::kit::*;
use crate::route::Filter;
use crate::runs::actions::in_progress_alert;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.export();
    let computers = || Route::Computers(Filter::default());
    let is_empty = Memo::new(move |_| app.selected.with(Selection::is_empty));
    let body = move || {
        if !is_empty.get() {
            return selected(app);
        }
        view! {
            <Empty title=words.none hint=words.none_hint>
                <PageLink to=computers() class="button primary">{words.to_computers}</PageLink>
            </Empty>
        }
        .into_any()
    };
    view! {
        <BackLink to=computers() label=app.language.frame().computers />
        <PageHead title=words.title />
        {body}
    }
    .into_any()
}

fn selected(app: App) -> AnyView {
    let words = app.language.export();
    let count = Memo::new(move |_| app.selected.with(Selection::len));
    let intro = move || counted(app.language, count.get() as u64, words.intro);
    let too_many = move || {
        let text = fill(words.too_many, &[("n", &count.get().to_string())]);
        (count.get() > MAX_RUN_SIZE).then(|| view! { <Alert text /> })
    };
    let form = load(
        move || read_all::<ServiceConnection>(app, CONNECTIONS),
        move |connections| form(app, &connections),
    );
    view! { <p class="quiet export-intro">{intro}</p>{too_many}{form} }.into_any()
}

/// The form, or what is needed first.
fn form(app: App, connections: &[ServiceConnection]) -> AnyView {
    let words = app.language.export();
    let mut usable = connections.iter().filter(|one| target::is_usable(one));
    let Some(first) = usable.next() else {
        return target::no_connection(app, connections);
    };
    // Nobody has to choose where there is one connection.
    let only = usable.next().is_none().then(|| first.id.clone());
    let export = Export {
        app,
        form: Form::new("export", &draft(only)),
        columns: RwSignal::new(None),
        obstacle: RwSignal::new(None),
        last_request: StoredValue::new(None),
    };
    let form = export.form;
    let target = target::fields(export, connections);
    let has_list = Memo::new(move |_| export.columns.with(Option::is_some));
    let existing = move || has_list.get().then(|| existing_entries(export));
    view! {
        <form class="narrow-form" novalidate on:submit=submitted(move || export.submit())>
            <Panel id="export-place" title=words.place>{target}</Panel>
            {mapping::panel(export)}
            {existing}
            <div class="card padded"><Switch bind=form.flag("/DryRun") label=words.dry_run hint=words.dry_run_hint /></div>
            <FormAlert form />
            {move || export.obstacle_alert()}
            <div class="buttons"><SubmitButton label=Signal::derive(move || export.submit_label()) /></div>
        </form>
    }
    .into_any()
}

/// How entries that were not created by an export are recognized.
fn existing_entries(export: Export) -> AnyView {
    let (form, words) = (export.form, export.app.language.export());
    let is_off = Memo::new(move |_| {
        let fields = form.value("/MatchFields");
        fields.as_array().is_none_or(Vec::is_empty)
    });
    let none = move || {
        is_off
            .get()
            .then(|| view! { <p class="hint">{words.by_nothing}</p> })
    };
    view! {
        <Panel id="export-by-hand" title=words.by_hand>
            <p class="hint">{words.by_hand_hint}</p>
            <div class="ticks">
                <CheckBox bind=form.contains("/MatchFields", "SerialNumber") label=words.by_serial_number />
                <CheckBox bind=form.contains("/MatchFields", "Name") label=words.by_name />
            </div>
            {none}
        </Panel>
    }
    .into_any()
}

impl Export {
    fn submit_label(self) -> String {
        let words = self.app.language.export();
        if self.form.busy.get() {
            return words.starting.to_owned();
        }
        let forms = if self.form.flag("/DryRun").is_on.get() {
            words.preview
        } else {
            words.export
        };
        let count = self.app.selected.with(Selection::len) as u64;
        counted(self.app.language, count, forms)
    }

    /// Starts the run and opens its page.
    fn submit(self) {
        let Self { app, form, .. } = self;
        if form.busy.get_untracked() || !form.is_valid() {
            return;
        }
        self.obstacle.set(None);
        let selection = app.selected.get_untracked();
        let draft = untrack(|| form.read::<StartRun>());
        let (Some(draft), Some(columns)) = (draft, self.columns.get_untracked()) else {
            return; // still loading
        };
        if selection.len() > MAX_RUN_SIZE {
            return;
        }
        let request = self.with_operation_id(request(draft, &columns, &selection));
        let call = format!("/api/Vendor/Workflows/{COMPUTER_EXPORT}/Runs");
        let answer = api::post::<Run>(app, call, &request);
        app.send_once(form.busy, answer, move |answer| match answer {
            Ok(run) => app.leave_for(Route::Run(run.id)),
            Err(error) => self.show_error(error, &request),
        });
    }

    /// The same request as before keeps its operation id.
    fn with_operation_id(self, request: StartRun) -> StartRun {
        let last = self.last_request.get_value();
        let last = last.filter(|(last, _)| *last == request);
        let (_, operation_id) = last.unwrap_or_else(|| {
            let operation_id = checklist_control::browser::new_id().to_string();
            let new = (request.clone(), operation_id);
            self.last_request.set_value(Some(new.clone()));
            new
        });
        StartRun {
            operation_id: Some(operation_id),
            ..request
        }
    }

    fn show_error(self, mut error: ApiError, request: &StartRun) {
        if let Some(run) = error.run {
            self.obstacle.set(Some(Obstacle::Run(run)));
            return;
        }
        let indices = error.errors.iter().filter_map(|error| {
            let index = error.pointer.strip_prefix("/ComputerIds/")?;
            index.parse::<usize>().ok()
        });
        let ids = indices.filter_map(|index| request.computer_ids.get(index).cloned());
        let ids: Vec<String> = ids.collect();
        if !ids.is_empty() {
            self.obstacle.set(Some(Obstacle::MissingComputers(ids)));
            return;
        }
        if error.is(ProblemCode::KeyColumnMissing) {
            error.errors.push(FieldError {
                pointer: "/KeyColumn".to_owned(),
                code: error.code.clone(),
                detail: error.detail.clone(),
                phrase: None,
            });
        }
        for error in &mut error.errors {
            if let Some(pointer) = draft_pointer(request, &error.pointer) {
                error.pointer = pointer;
            }
        }
        self.form.show_error(&error);
    }

    fn obstacle_alert(self) -> Option<AnyView> {
        let (app, words) = (self.app, self.app.language.export());
        let view = match self.obstacle.get()? {
            Obstacle::Run(run) => in_progress_alert(app, run),
            Obstacle::MissingComputers(ids) => {
                let text = fill(words.gone, &[("names", &ids.join(", "))]);
                let remove = move || {
                    self.obstacle.set(None);
                    app.selected.update(|selected| selected.remove(ids.clone()));
                };
                view! {
                    <Alert text>
                        <div class="buttons"><Button label=words.gone_without class="outlined" click=remove /></div>
                    </Alert>
                }
                .into_any()
            }
        };
        Some(view)
    }
}
