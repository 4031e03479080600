//! What a child has started and what has left its process group since (`setsid`, a shell with job control).
//!
//! Looked for while the child lives: a process whose parents are gone belongs to nobody. Linux only.

/// Processes as of one moment. Each is told from a later one with its number by its start time.
#[derive(Debug, Default)]
pub(super) struct Descendants(Vec<Process>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: u32,
    started: u64,
}

impl Descendants {
    /// Everything below `pid`.
    #[cfg(target_os = "linux")]
    pub(super) fn of(pid: u32) -> Self {
        let all: Vec<(u32, Process)> = std::fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(read)
            .collect();
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
            let still_there = read(process.pid).is_some_and(|(_, now)| now == *process);
            if still_there && let Ok(pid) = i32::try_from(process.pid) {
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
        }
    }
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
