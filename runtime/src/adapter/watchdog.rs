//! Kills recorded process groups when this process disappears without closing.
//!
//! A host can die in ways no code of it survives: SIGKILL, the default action of a signal, a crash. The watchdog is a
//! tiny shell process that reads from a pipe whose other end only this process holds; end of file means that this
//! process is gone. `PR_SET_PDEATHSIG` would not do: it fires when the spawning *thread* ends, and misses grandchildren.

use std::{
    io::Write,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Mutex, PoisonError},
};

const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
groups=
while read -r op group; do
  case $op in
    +) groups="$groups $group" ;;
    -) kept=
       for g in $groups; do [ "$g" = "$group" ] || kept="$kept $g"; done
       groups=$kept ;;
  esac
done
for g in $groups; do kill -KILL "-$g" 2>/dev/null; done
"#;

/// One watchdog process, started with the first group to watch.
#[derive(Debug, Default)]
pub(super) struct Watchdog {
    process: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    stdin: ChildStdin,
}

impl Watchdog {
    pub(super) fn watch(&self, group: u32) {
        self.send('+', group);
    }

    pub(super) fn forget(&self, group: u32) {
        self.send('-', group);
    }

    /// Ends the watchdog; groups it still watches are killed.
    pub(super) fn stop(&self) {
        let running = self.lock().take();
        if let Some(Running { mut child, stdin }) = running {
            drop(stdin);
            // It has nothing to do but exit; a zombie must not stay behind in a long-lived host.
            let _ = child.wait();
        }
    }

    fn send(&self, op: char, group: u32) {
        let mut process = self.lock();
        if process.is_none() && op == '+' {
            *process = start();
        }
        if let Some(running) = process.as_mut()
            && writeln!(running.stdin, "{op} {group}").is_err()
        {
            tracing::debug!("the watchdog is gone");
            *process = None;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn start() -> Option<Running> {
    use std::os::unix::process::CommandExt;
    let spawned = Command::new("/bin/sh")
        .args(["-c", SCRIPT])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Its own group: a Ctrl-C in the terminal must not end it before it has done its work.
        .process_group(0)
        .spawn();
    match spawned {
        Ok(mut child) => child.stdin.take().map(|stdin| Running { child, stdin }),
        Err(error) => {
            tracing::debug!(%error, "no watchdog: children may outlive a killed host");
            None
        }
    }
}

/// On Windows the job object of each child does this.
#[cfg(not(unix))]
fn start() -> Option<Running> {
    let _ = (SCRIPT, Stdio::null, Command::new::<&str>);
    None
}
