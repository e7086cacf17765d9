//! The control: a controller that holds a list, and the view that draws it.

pub mod port;
