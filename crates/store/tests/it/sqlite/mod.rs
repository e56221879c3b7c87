//! What holds for a file of SQLite alone: copies of it, damage in it, processes that die while they write it.

mod backup;
mod crash;
mod damage;
mod opening;
mod storage;
