//! Behaviour of the list under waiting operations, answers and conflicts.
