//! The parameters of a statement.

use rusqlite::ToSql;
use rusqlite::types::Value;

use super::Result;

/// Values for the parameters of a statement, in their order: an array of one type, a tuple, or [`super::params!`].
pub(crate) trait Params {
    /// Hands each value over.
    fn each(&self, take: &mut dyn FnMut(&dyn ToSql) -> Result<()>) -> Result<()>;
}

impl Params for [&dyn ToSql; 0] {
    fn each(&self, _: &mut dyn FnMut(&dyn ToSql) -> Result<()>) -> Result<()> {
        Ok(())
    }
}

impl Params for &[&dyn ToSql] {
    fn each(&self, take: &mut dyn FnMut(&dyn ToSql) -> Result<()>) -> Result<()> {
        self.iter().try_for_each(|value| take(*value))
    }
}

macro_rules! arrays {
    ($($length:literal)*) => {
        $(impl<T: ToSql> Params for [T; $length] {
            fn each(&self, take: &mut dyn FnMut(&dyn ToSql) -> Result<()>) -> Result<()> {
                self.iter().try_for_each(|value| take(value))
            }
        })*
    };
}
arrays!(1 2 3 4 5 6 7 8);

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: ToSql),+> Params for ($($name,)+) {
            #[expect(non_snake_case, reason = "each type names its value")]
            fn each(&self, take: &mut dyn FnMut(&dyn ToSql) -> Result<()>) -> Result<()> {
                let ($($name,)+) = self;
                $(take($name)?;)+
                Ok(())
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);
tuples!(A B C D E F G H I J K L M);
tuples!(A B C D E F G H I J K L M N);
tuples!(A B C D E F G H I J K L M N O);
tuples!(A B C D E F G H I J K L M N O P);
tuples!(A B C D E F G H I J K L M N O P Q);

/// Values that are gathered while the statement is put together.
pub(crate) struct Gathered(Vec<Value>);

/// Values from anything that can be gone through.
pub(crate) fn params_from_iter<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Gathered {
    Gathered(values.into_iter().map(Into::into).collect())
}

impl Params for Gathered {
    fn each(&self, take: &mut dyn FnMut(&dyn ToSql) -> Result<()>) -> Result<()> {
        self.0.iter().try_for_each(|value| take(value))
    }
}
