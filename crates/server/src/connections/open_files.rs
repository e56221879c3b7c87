//! The limit of open files of this process. Connections need them, and so do the database, uploads, calls to
//! models and participating programs.

/// The fewest that are kept for other things than connections.
const KEPT_MIN: u64 = 64;
/// The most that are.
const KEPT_MAX: u64 = 4096;

/// The number of connections below which a warning is due.
const FEW: u64 = 4096;

/// The limit of open files and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenFiles {
    /// The number of connections that fit.
    pub(crate) connections: usize,
}

/// Raises the limit so that `wanted` connections fit, as far as the system allows, and returns the result.
pub(crate) fn raise(wanted: u32) -> OpenFiles {
    let connections = u64::from(wanted);
    let files = match rlimit::increase_nofile_limit(connections + KEPT_MAX) {
        Ok(files) => files,
        Err(error) => {
            tracing::warn!(%error, "it is not known how many files may be open");
            return OpenFiles { connections: wanted as usize };
        }
    };
    let room = room(files);
    if room < connections.min(FEW) {
        tracing::warn!(
            files,
            connections = room,
            "the system allows {files} open files, so that {room} connections are taken and not {wanted}; raise it \
             before the start (ulimit -n {0}, or LimitNOFILE={0} in a unit of systemd)",
            connections + KEPT_MAX
        );
    } else {
        tracing::info!(
            files,
            connections = room.min(connections),
            "open files and connections that are taken at the most"
        );
    }
    OpenFiles { connections: usize::try_from(room.min(connections)).unwrap_or(usize::MAX) }
}

/// The number of connections for a limit of open files: a quarter is reserved, within bounds.
fn room(files: u64) -> u64 {
    files.saturating_sub((files / 4).clamp(KEPT_MIN, KEPT_MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_files_are_kept_for_other_things() {
        assert_eq!(room(1024), 768);
        assert_eq!(room(256), 192);
        assert_eq!(room(65_536), 61_440);
        assert_eq!(room(10), 1);
    }

    #[test]
    fn no_more_connections_are_taken_than_are_wanted_or_there_are_files_for() {
        let limit = |wanted| raise(wanted).connections;
        assert_eq!(limit(8), 8);
        let (_, hard) = rlimit::Resource::NOFILE.get().expect("a limit");
        assert!(limit(u32::MAX) as u64 <= room(hard));
    }
}
