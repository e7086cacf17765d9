//! Verifies audit trails: computes each row's leaf again, and the tree of all of them, which has to
//! be the one of every checkpoint.
//!
//! What is appended meanwhile is not looked at. What cannot be read is an error, not a verdict.

use std::collections::{BTreeSet, VecDeque};

use checklist_shared::audit_trail::merkle::{Frontier, Hash, leaf_hash};
use checklist_shared::audit_trail::tile::{Tile, WIDTH};
use checklist_store::audit::{Checkpoint, StoredRow, TreeState};
use checklist_store::error::ServiceResult;

use super::keys;
use super::lists::Lists;
use super::note::{TreeHead, VerifierKey};
use crate::app::App;

/// The number of rows or checkpoints that are read at a time.
const PAGE: u32 = 1_000;

/// The result of verifying a tenant's trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The verified tenant; the origin of a checkpoint that no tenant has.
    pub tenant: String,
    /// The number of intact rows, from the first on.
    pub rows: u64,
    /// How many of them a checkpoint was signed for.
    pub signed: u64,
    /// What is broken first, if anything.
    pub broken: Option<Break>,
    /// What in the lists is not as the trail says, a sentence each; looked for if asked for.
    pub differences: Vec<String>,
}

/// Where a trail is not what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The sequence number of the first row that is not known to be intact.
    pub sequence: u64,
    /// The reason, as a sentence.
    pub reason: String,
}

/// What the verifier has from elsewhere, and what else is to be verified.
#[derive(Clone, Debug, Default)]
pub struct Trusted {
    /// The keys that may have signed checkpoints, instead of those in the database.
    pub keys: Vec<VerifierKey>,
    /// A checkpoint of one of the trails.
    pub checkpoint: Option<TreeHead>,
    /// Whether lists are compared with the trail.
    pub lists: bool,
}

/// Verifies the trail of every tenant, or of one. An unknown tenant yields no verdict.
///
/// # Errors
/// The store failed.
pub async fn verify(
    app: &App,
    tenant: Option<&str>,
    trusted: &Trusted,
) -> ServiceResult<Vec<Verdict>> {
    let tenants = match tenant {
        Some(tenant) if app.store().has_tenant(tenant).await? => vec![tenant.to_owned()],
        Some(_) => Vec::new(),
        None => app.store().audited_tenants().await?,
    };
    let of_checkpoint = trusted.checkpoint.iter().map(|head| &head.origin);
    let of_keys = trusted.keys.iter().map(VerifierKey::name);
    let mut missing: BTreeSet<&str> = of_checkpoint.map(String::as_str).chain(of_keys).collect();
    let mut verdicts = Vec::new();
    for of in tenants {
        let own = keys::verifiers(app, &of).await?;
        // What is given is of the tenant that is named, or of the one that has its origin.
        let is_own = |origin: &str| tenant.is_some() || own.iter().any(|key| key.name() == origin);
        missing.retain(|origin| !is_own(origin));
        let checkpoint = trusted.checkpoint.as_ref();
        let checkpoint = checkpoint.filter(|head| is_own(&head.origin));
        let given = trusted.keys.iter().filter(|key| is_own(key.name()));
        let mut keys: Vec<VerifierKey> = given.cloned().collect();
        if keys.is_empty() {
            keys = own;
        }
        let lists = if trusted.lists {
            Some(Lists::read(app, &of).await?)
        } else {
            None
        };
        let state = app.store().audit_tree(&of).await?;
        let walk = Walk {
            app,
            tenant: of,
            state,
            keys,
            held: checkpoint,
            lists,
            tree: Frontier::default(),
            leaves: Vec::new(),
            checkpoints: VecDeque::new(),
            read: 0,
            signed: 0,
        };
        let verdict = walk.verdict().await?;
        // A tenant that has only types has no audit trail yet.
        if tenant.is_some() || verdict.rows > 0 || verdict.broken.is_some() {
            verdicts.push(verdict);
        }
    }
    if tenant.is_none() {
        verdicts.extend(missing.into_iter().map(|origin| Verdict {
            tenant: origin.to_owned(),
            rows: 0,
            signed: 0,
            broken: Some(Break {
                sequence: 1,
                reason: "there is no trail of that origin".to_owned(),
            }),
            differences: Vec::new(),
        }));
    }
    Ok(verdicts)
}

/// Why a trail is broken, and up to which row it is intact.
struct Broken(u64, String);

/// The walk along a tenant's trail.
struct Walk<'a> {
    app: &'a App,
    tenant: String,
    state: TreeState,
    keys: Vec<VerifierKey>,
    /// A checkpoint from elsewhere that was not compared yet.
    held: Option<&'a TreeHead>,
    /// The lists that are compared with the trail.
    lists: Option<Lists>,
    tree: Frontier,
    /// The leaves of the tile that is not complete yet.
    leaves: Vec<Hash>,
    /// The next checkpoints, and the number of the last one that was read.
    checkpoints: VecDeque<Checkpoint>,
    read: u64,
    signed: u64,
}

impl Walk<'_> {
    async fn verdict(mut self) -> ServiceResult<Verdict> {
        let (rows, broken) = match self.walk().await? {
            Ok(()) => (self.tree.size(), None),
            Err(Broken(rows, reason)) => (rows, Some(reason)),
        };
        let differences = match self.lists.take() {
            // Rows that are not intact say nothing about lists.
            Some(lists) if broken.is_none() => lists.differences(self.app, &self.tenant).await?,
            _ => Vec::new(),
        };
        Ok(Verdict {
            differences,
            tenant: self.tenant,
            rows,
            signed: self.signed,
            broken: broken.map(|reason| Break {
                sequence: rows + 1,
                reason,
            }),
        })
    }

    async fn walk(&mut self) -> ServiceResult<Result<(), Broken>> {
        let mut after = None;
        'rows: while self.tree.size() < self.state.size || after.is_none() {
            let rows = self
                .app
                .store()
                .audit_rows(&self.tenant, after, PAGE)
                .await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.sequence);
            for row in &rows {
                if self.tree.size() == self.state.size && row.sequence > self.state.size {
                    break 'rows;
                }
                if let Err(broken) = self.step(row).await? {
                    return Ok(Err(broken));
                }
            }
        }
        let rows = self.tree.size();
        if rows < self.state.size {
            return Ok(self.broken("the rows from here on are missing"));
        }
        if let Some((list, row)) = self.app.store().missing_audit_row(&self.tenant).await? {
            let (object_type, object_id) = (list.object_type, list.object_id);
            return Ok(self.broken(&format!(
                "a list of {object_type} {object_id} knows of row {row}, which is missing"
            )));
        }
        self.fill().await?;
        let beyond = self.checkpoints.front().map(|checkpoint| checkpoint.size);
        if let Some(size) = beyond.or(self.held.map(|head| head.size)) {
            return Ok(self.broken(&format!("a checkpoint was signed for {size} rows")));
        }
        Ok(Ok(()))
    }

    /// Takes the next row.
    async fn step(&mut self, row: &StoredRow) -> ServiceResult<Result<(), Broken>> {
        let rows = self.tree.size();
        if row.sequence != rows + 1 {
            return Ok(self.broken("the row is missing"));
        }
        let leaf = leaf_hash(&row.leaf(&self.tenant));
        if row.hash != Some(leaf) {
            return Ok(self.broken("the row is not what was written"));
        }
        self.tree.push(leaf);
        self.leaves.push(leaf);
        if let Some(lists) = &mut self.lists {
            lists.take(row);
        }
        if self.leaves.len() == WIDTH as usize
            && let Err(broken) = self.compare_tile(rows / u64::from(WIDTH)).await?
        {
            return Ok(Err(broken));
        }
        self.compare_checkpoints().await
    }

    /// Compares a complete tile with the stored one, which was made of the rows as they were.
    async fn compare_tile(&mut self, number: u64) -> ServiceResult<Result<(), Broken>> {
        let leaves = std::mem::take(&mut self.leaves);
        let tile = Tile {
            level: 0,
            number,
            width: WIDTH,
        };
        let stored = self
            .app
            .store()
            .audit_tiles(&self.tenant, vec![tile])
            .await?;
        let stored = stored.into_iter().next().unwrap_or_default();
        let same = leaves
            .iter()
            .zip(&stored)
            .take_while(|(leaf, stored)| leaf == stored);
        let same = same.count() as u64;
        if same == u64::from(WIDTH) {
            return Ok(Ok(()));
        }
        let reason = "the row is not the one of its tile";
        Ok(Err(Broken(
            number * u64::from(WIDTH) + same,
            reason.to_owned(),
        )))
    }

    /// Compares the tree with the checkpoints of its present size.
    async fn compare_checkpoints(&mut self) -> ServiceResult<Result<(), Broken>> {
        let (size, root) = (self.tree.size(), self.tree.root());
        let other = |since: u64, whose: &str| {
            let reason =
                format!("the rows from here to {size} are not those that {whose} was signed for");
            Ok(Err(Broken(since, reason)))
        };
        if let Some(head) = self.held.take_if(|head| head.size == size)
            && head.root != root
        {
            return other(self.signed, "the given checkpoint");
        }
        loop {
            self.fill().await?;
            let Some(next) = self.checkpoints.front() else {
                return Ok(Ok(()));
            };
            if next.size > size {
                return Ok(Ok(()));
            }
            match TreeHead::open(&next.note, &self.keys) {
                Ok(head) if head.size == size && next.size == size => {
                    if head.root != root {
                        return other(self.signed, &format!("the checkpoint of {}", next.at));
                    }
                }
                Ok(_) => {
                    let reason = "the checkpoints are not in the order of the rows";
                    return Ok(Err(Broken(self.signed, reason.to_owned())));
                }
                Err(error) => {
                    let reason = format!("the checkpoint of {} is not valid: {error}", next.at);
                    return Ok(Err(Broken(self.signed, reason)));
                }
            }
            self.signed = size;
            self.checkpoints.pop_front();
        }
    }

    /// Reads the next checkpoints, up to the newest one at the beginning of the walk.
    async fn fill(&mut self) -> ServiceResult<()> {
        let newest = self.state.checkpoint.as_ref().map_or(0, |last| last.number);
        if !self.checkpoints.is_empty() || self.read >= newest {
            return Ok(());
        }
        let store = self.app.store();
        let read = store
            .audit_checkpoints(&self.tenant, self.read, PAGE)
            .await?;
        self.read = read.last().map_or(newest, |last| last.number);
        let known = read
            .into_iter()
            .filter(|checkpoint| checkpoint.number <= newest);
        self.checkpoints.extend(known);
        Ok(())
    }

    fn broken(&self, reason: &str) -> Result<(), Broken> {
        Err(Broken(self.tree.size(), reason.to_owned()))
    }
}
