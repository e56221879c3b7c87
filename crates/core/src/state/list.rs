//! A list that costs nothing to copy until one of the copies changes.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What a meeting has gathered of one kind, in order. A meeting is copied for each command, and for whoever looks at it: a
/// copy shares the list, and the first change to it after that makes a list of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct List<T>(Arc<Vec<T>>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Deref for List<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Clone> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(&mut self.0)
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Clone> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self(Arc::new(items))
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(Arc::new(items.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_shares_the_list_until_one_of_them_changes() {
        let list: List<u32> = (1..=3).collect();
        let mut copy = list.clone();
        assert_eq!(list.as_ptr(), copy.as_ptr());
        copy.push(4);
        assert_eq!((list.as_slice(), copy.as_slice()), (&[1, 2, 3][..], &[1, 2, 3, 4][..]));
        let before = copy.as_ptr();
        copy[0] = 9;
        assert_eq!(copy.as_ptr(), before, "what nobody shares is changed in place");
        assert_eq!(serde_json::to_string(&copy).unwrap(), "[9,2,3,4]");
    }
}
