//! The syntax of searches, and cursors: the first line is what is searched for, the second a cursor.

use std::cell::RefCell;

use crate::fixtures::{Local, local};
use quorate_store::SearchFilter;

thread_local!(static LOCAL: RefCell<Option<Local>> = const { RefCell::new(None) });

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn search(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (words, cursor) = text.split_once('\n').map_or((text, None), |(words, cursor)| (words, Some(cursor)));
    LOCAL.with_borrow_mut(|server| {
        let server = server.get_or_insert_with(local);
        let filter = SearchFilter { words: words.to_owned(), ..SearchFilter::default() };
        let found = server.runtime.block_on(server.store.search(filter, cursor, 20));
        if let Err(error) = found {
            assert!(
                !format!("{error:?}").contains("Sqlite"),
                "{words:?} is refused by the database: {error:?}"
            );
        }
    });
}
