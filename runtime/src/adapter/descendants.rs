//! What a child has started and what has left its process group since (`setsid`, a shell with job control). Linux only.
//!
//! Looked for while the child lives: a process whose parents are gone belongs to nobody. It is only known by what it
//! holds, such as the pipe for the child's output.

/// Processes as of one moment. Each is told from a later one with its number by its start time.
#[derive(Debug, Default)]
pub(super) struct Descendants(Vec<Process>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: u32,
    started: u64,
}

/// What processes use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Memory that is not a file's, in bytes; what processes share counts for each.
    pub memory_bytes: u64,
    /// Processes that run.
    pub processes: u64,
}

impl Descendants {
    /// Everything below `pid`.
    #[cfg(target_os = "linux")]
    pub(super) fn of(pid: u32) -> Self {
        let all: Vec<(u32, Process)> = pids().filter_map(read).collect();
        let mut found = Vec::new();
        let mut parents = vec![pid];
        while let Some(parent) = parents.pop() {
            for (_, child) in all.iter().filter(|(of, _)| *of == parent) {
                parents.push(child.pid);
                found.push(child.clone());
            }
        }
        Self(found)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(_pid: u32) -> Self {
        Self::default()
    }

    /// Everything that may still write to one of the pipes, whoever started it.
    #[cfg(target_os = "linux")]
    pub(super) fn writing_to(pipes: &[Pipe]) -> Self {
        let writers = pids().filter(|pid| pipes.iter().any(|pipe| pipe.is_written_by(*pid)));
        Self(
            writers
                .filter_map(read)
                .map(|(_, process)| process)
                .collect(),
        )
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn writing_to(_pipes: &[Pipe]) -> Self {
        Self::default()
    }

    /// What they and the process above them use. Nothing is known outside Linux.
    pub(super) fn usage_with(&self, pid: u32) -> Usage {
        let pids = self.0.iter().map(|process| process.pid).chain([pid]);
        let used = pids.filter_map(memory_of);
        used.fold(Usage::default(), |sum, bytes| Usage {
            memory_bytes: sum.memory_bytes.saturating_add(bytes),
            processes: sum.processes + 1,
        })
    }

    /// Whether one of them still runs.
    pub(super) fn any_alive(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.0.iter().any(Process::is_alive);
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Adds what was found later.
    pub(super) fn and(mut self, later: Self) -> Self {
        self.0.extend(later.0);
        self
    }

    /// Kills those that still run.
    pub(super) fn kill(&self) {
        #[cfg(target_os = "linux")]
        for process in &self.0 {
            use nix::{
                sys::signal::{Signal, kill},
                unistd::Pid,
            };
            if process.is_alive()
                && let Ok(pid) = i32::try_from(process.pid)
            {
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
        }
    }
}

/// A pipe, by the name that the system has for it.
#[derive(Debug)]
pub(super) struct Pipe {
    #[cfg(target_os = "linux")]
    name: Option<std::path::PathBuf>,
}

impl Pipe {
    /// The pipe of which this is an end.
    #[cfg(target_os = "linux")]
    pub(super) fn of(end: &impl std::os::fd::AsRawFd) -> Self {
        let link = format!("/proc/self/fd/{}", end.as_raw_fd());
        Self {
            name: std::fs::read_link(link).ok(),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn of<T>(_end: &T) -> Self {
        Self {}
    }

    /// Whether the process holds an end for writing. One for reading says nothing: every process that is being started
    /// has those of this process for a moment.
    #[cfg(target_os = "linux")]
    fn is_written_by(&self, pid: u32) -> bool {
        use std::os::unix::fs::PermissionsExt;
        const WRITABLE: u32 = 0o200;
        let entries = std::fs::read_dir(format!("/proc/{pid}/fd"));
        let mut links = entries.into_iter().flatten().flatten();
        self.name.is_some()
            && links.any(|link| {
                let mode = link
                    .path()
                    .symlink_metadata()
                    .map(|link| link.permissions().mode());
                std::fs::read_link(link.path()).ok() == self.name
                    && mode.is_ok_and(|mode| mode & WRITABLE != 0)
            })
    }
}

#[cfg(target_os = "linux")]
impl Process {
    fn is_alive(&self) -> bool {
        read(self.pid).is_some_and(|(_, now)| now == *self)
    }
}

#[cfg(target_os = "linux")]
fn pids() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// A process and its parent, from `/proc/<pid>/stat` (proc(5)).
#[cfg(target_os = "linux")]
fn read(pid: u32) -> Option<(u32, Process)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name stands in parentheses and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    Some((parent, Process { pid, started }))
}

/// The memory of a process that runs, in bytes, from `/proc/<pid>/status` (proc(5)). A zombie has none.
#[cfg(target_os = "linux")]
fn memory_of(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let kilobytes = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.trim().parse().ok()
    };
    Some((kilobytes("RssAnon:")? + kilobytes("RssShmem:").unwrap_or(0)) * 1024)
}

#[cfg(not(target_os = "linux"))]
fn memory_of(_pid: u32) -> Option<u64> {
    None
}
