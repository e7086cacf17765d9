//! The example workflow against a site in trouble once more, on PostgreSQL: the modules are those
//! of `workflow`, the name of this program is what puts the server's data there. `nodes` is about
//! what only several nodes can show.

#[path = "../workflow/away.rs"]
mod away;
#[path = "../workflow/by_hand.rs"]
mod by_hand;
#[path = "../workflow/chance.rs"]
mod chance;
#[path = "../workflow/fault.rs"]
mod fault;
#[path = "../workflow/faults.rs"]
mod faults;
#[path = "../workflow/kills.rs"]
mod kills;
#[path = "../workflow/lane.rs"]
mod lane;
#[path = "../workflow/list.rs"]
mod list;
mod nodes;
#[path = "../workflow/partial.rs"]
mod partial;
#[path = "../workflow/stage.rs"]
mod stage;
#[path = "../workflow/world.rs"]
mod world;
#[path = "../workflow/worlds.rs"]
mod worlds;
