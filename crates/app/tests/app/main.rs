//! An app over a real database, with simulated participants and with pretended vendors.

mod home;
mod library;
mod meetings;
mod off_record;
