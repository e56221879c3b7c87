//! An app over a real database, with simulated participants and with pretended vendors.

mod library;
mod meetings;
mod off_record;
mod test_app;
