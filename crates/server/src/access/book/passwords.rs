//! Passwords: made and compared a few at a time, apart from what must not wait.

use std::sync::LazyLock;

use axum::http::StatusCode;
use quorate_store::{hash_password, is_password};

use super::Access;
use crate::problem::Problem;

/// What is compared where there is no account of the name: it takes as long, and tells nothing.
pub(super) static NOBODY: LazyLock<String> =
    LazyLock::new(|| hash_password("nobody has this").unwrap_or_default());

impl Access {
    /// Whether a password is the one of which `kept` was made. Takes its time in any case.
    pub(crate) async fn is_right(&self, password: String, kept: Option<String>) -> Result<bool, Problem> {
        let _permit = self.0.hashing.acquire().await;
        let compare = move || {
            let known = kept.is_some();
            let kept = kept.unwrap_or_else(|| NOBODY.clone());
            is_password(&password, &kept).map(|right| right && known)
        };
        let compared = tokio::task::spawn_blocking(compare).await.ok().flatten();
        compared.ok_or_else(|| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "damaged",
                ("what is kept of the password cannot be read", "保存的密码无法读取"),
            )
            .hint((
                "set another password in the terminal, or restore a backup of the database",
                "在终端另设密码，或用备份恢复数据库",
            ))
        })
    }

    /// What is kept of a password.
    pub(crate) async fn hashed(&self, password: String) -> Result<String, Problem> {
        let _permit = self.0.hashing.acquire().await;
        let hashed = tokio::task::spawn_blocking(move || hash_password(&password)).await;
        match hashed {
            Ok(Ok(hash)) => Ok(hash),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => {
                let (status, detail) =
                    (StatusCode::SERVICE_UNAVAILABLE, ("the server stops", "服务正在停止"));
                let hint = ("try again when it is there again", "等它恢复后再试");
                Err(Problem::new(status, "stopping", detail).hint(hint).retry_after(5))
            }
        }
    }
}
