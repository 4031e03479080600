//! How much a child may take of the system.
//!
//! CPU time and open files are limits that the system keeps for each process and whatever it starts (setrlimit(2)); nobody
//! can leave them. Memory and number of all processes together have no such limit for a user without privileges
//! (RLIMIT_NPROC counts everything the user runs), so they are looked at while the child lives; Linux only. Between two
//! looks RLIMIT_DATA holds each process back. It is wider, as it counts what a runtime only reserves to write in (512 MB for
//! the code of V8); RLIMIT_AS would count even more.

use std::{fmt, num::NonZeroU64};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::adapter::{descendants::Usage, program::ChildCommand};

/// Between SIGXCPU, which a program may use to say what it was doing, and SIGKILL.
const LAST_SECONDS: u64 = 5;
/// What a runtime may reserve beside the memory that it uses, in MB.
const RESERVED_MB: u64 = 1024;

/// Limits of a child process. What is absent has none but the system's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ChildLimits {
    /// Memory in MB (1024 × 1024 bytes): what the program and everything below it use together.
    pub memory_mb: Option<NonZeroU64>,
    /// CPU time of each process, in seconds.
    pub cpu_seconds: Option<NonZeroU64>,
    /// Open files of each process, connections included.
    pub open_files: Option<NonZeroU64>,
    /// How many processes there may be, the program's own included.
    pub processes: Option<NonZeroU64>,
}

/// More than was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::adapter) enum Overrun {
    /// MB of all processes together.
    Memory { used: u64, allowed: u64 },
    /// Processes.
    Processes { used: u64, allowed: u64 },
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { used, allowed } => write!(
                f,
                "it was ended because it used {used} MB of memory, and `limits.memoryMb` allows {allowed}"
            ),
            Self::Processes { used, allowed } => write!(
                f,
                "it was ended because it had {used} processes, and `limits.processes` allows {allowed}"
            ),
        }
    }
}

/// As a list for people.
impl fmt::Display for ChildLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = [
            ("memoryMb", self.memory_mb),
            ("cpuSeconds", self.cpu_seconds),
            ("openFiles", self.open_files),
            ("processes", self.processes),
        ];
        let set: Vec<String> = each
            .into_iter()
            .filter_map(|(name, limit)| Some(format!("{name} {}", limit?)))
            .collect();
        f.write_str(&set.join(", "))
    }
}

impl ChildLimits {
    /// Has the command run under the limits.
    pub(super) fn apply(&self, command: ChildCommand) -> ChildCommand {
        let command = match self.script() {
            Some(script) if cfg!(unix) => command.through("/bin/sh", ["-c", &script]),
            _ => command,
        };
        ChildCommand {
            limits: Some(*self),
            ..command
        }
    }

    /// What a shell does before it becomes the program. A limit that the system does not allow ends it with a message.
    fn script(&self) -> Option<String> {
        let memory = self.memory_mb.map(|mb| {
            let reserved = mb.get().saturating_mul(2).saturating_add(RESERVED_MB);
            format!("ulimit -d {}", reserved.saturating_mul(1024))
        });
        let files = self.open_files.map(|files| format!("ulimit -n {files}"));
        let cpu = self.cpu_seconds.map(|seconds| {
            let last = seconds.get() + LAST_SECONDS;
            format!("ulimit -St {seconds} && ulimit -Ht {last}")
        });
        let set: Vec<String> = [memory, files, cpu].into_iter().flatten().collect();
        (!set.is_empty()).then(|| format!("{} && exec \"$0\" \"$@\"", set.join(" && ")))
    }

    /// Whether there is something to look at while the child lives.
    pub(in crate::adapter) fn are_watched(&self) -> bool {
        cfg!(target_os = "linux") && (self.memory_mb.is_some() || self.processes.is_some())
    }

    /// Which limit a child and what is below it have passed.
    pub(in crate::adapter) fn overrun(&self, usage: Usage) -> Option<Overrun> {
        let over = |used: u64, limit: Option<NonZeroU64>| {
            let allowed = limit?.get();
            (used > allowed).then_some((used, allowed))
        };
        let memory = over(usage.memory_bytes / (1024 * 1024), self.memory_mb);
        let memory = memory.map(|(used, allowed)| Overrun::Memory { used, allowed });
        memory.or_else(|| {
            let (used, allowed) = over(usage.processes, self.processes)?;
            Some(Overrun::Processes { used, allowed })
        })
    }

    /// What the system cannot do of it.
    pub(super) fn shortfall(&self) -> Option<String> {
        if cfg!(windows) {
            return Some("`limits` have no effect on Windows".into());
        }
        let watched = self.memory_mb.is_some() || self.processes.is_some();
        (watched && !cfg!(target_os = "linux"))
            .then(|| "of `limits`, `memoryMb` and `processes` have no effect outside Linux".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn limits(value: serde_json::Value) -> ChildLimits {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn limits_are_set_by_a_shell_that_becomes_the_program() {
        let all = json!({"memoryMb": 512, "cpuSeconds": 60, "openFiles": 64, "processes": 4});
        assert_eq!(
            limits(all.clone()).script().unwrap(),
            r#"ulimit -d 2097152 && ulimit -n 64 && ulimit -St 60 && ulimit -Ht 65 && exec "$0" "$@""#
        );
        assert_eq!(limits(json!({"processes": 4})).script(), None);
        assert_eq!(
            limits(all).to_string(),
            "memoryMb 512, cpuSeconds 60, openFiles 64, processes 4"
        );
        for wrong in [
            json!({"memoryMb": 0}),
            json!({"memoryMB": 1}),
            json!({"cpuSeconds": -1}),
        ] {
            assert!(serde_json::from_value::<ChildLimits>(wrong).is_err());
        }
    }

    #[test]
    fn what_is_too_much_is_told() {
        let limits = limits(json!({"memoryMb": 10, "processes": 2}));
        let usage = |mb: u64, processes| Usage {
            memory_bytes: mb << 20,
            processes,
        };
        assert_eq!(limits.overrun(usage(10, 2)), None);
        let memory = limits.overrun(usage(11, 2)).unwrap().to_string();
        assert!(
            memory.contains("used 11 MB") && memory.contains("allows 10"),
            "{memory}"
        );
        let processes = limits.overrun(usage(1, 3)).unwrap().to_string();
        assert!(processes.contains("had 3 processes"), "{processes}");
        assert_eq!(ChildLimits::default().overrun(usage(1 << 20, 999)), None);
    }
}
