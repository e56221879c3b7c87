//! Cursors: the place where a page of a list ended, as a text that the client sends back.
//!
//! A cursor names the last row and not a number of rows, so that rows which are added or removed in between
//! neither repeat others nor hide them.

use crate::error::StoreError;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` when this is the last.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// The page of `limit` rows, of which one more was read to see whether there are others.
    pub(crate) fn of(mut rows: Vec<T>, limit: u32, cursor: impl Fn(&T) -> String) -> Self {
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next = rows.last().filter(|_| more).map(cursor);
        Self { items: rows, next }
    }

    /// The same page of something else.
    pub(crate) fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(each).collect(), next: self.next }
    }
}

/// Makes the cursor of a list: a letter for the list, and the numbers by which its rows are ordered.
pub(crate) fn write<const N: usize>(list: char, numbers: [i64; N]) -> String {
    let digits = numbers.map(|number| format!("{:016x}", number.cast_unsigned())).concat();
    format!("{list}{digits}")
}

/// Reads a cursor that [`write`] made for the same list.
///
/// # Errors
/// When it is any other text.
pub(crate) fn read<const N: usize>(list: char, cursor: &str) -> Result<[i64; N], StoreError> {
    let parsed = (|| {
        let digits = cursor.strip_prefix(list)?;
        if digits.len() != 16 * N || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut numbers = [0; N];
        for (place, number) in numbers.iter_mut().enumerate() {
            *number = u64::from_str_radix(&digits[16 * place..16 * (place + 1)], 16).ok()?.cast_signed();
        }
        Some(numbers)
    })();
    parsed.ok_or(StoreError::BadCursor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_and_nothing_else_is_taken_for_one() {
        let cursor = write('m', [-1, i64::MAX]);
        assert_eq!(read::<2>('m', &cursor).unwrap(), [-1, i64::MAX]);
        for wrong in ["", "m", "x", "m+0000000000000010000000000000001", &cursor[1..], &format!("{cursor}0")]
        {
            assert!(matches!(read::<2>('m', wrong), Err(StoreError::BadCursor)), "{wrong}");
        }
        assert!(read::<2>('a', &cursor).is_err(), "it is another list's");
        assert!(read::<1>('m', "määäääääääää").is_err());
    }
}
