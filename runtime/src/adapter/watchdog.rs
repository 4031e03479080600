//! Kills recorded process groups when this process disappears without closing.
//!
//! A host can die in ways no code of it survives: SIGKILL, the default action of a signal, a crash. The watchdog is a
//! tiny shell process that reads from a pipe whose other end only this process holds; end of file means that this
//! process is gone. `PR_SET_PDEATHSIG` would not do: it fires when the spawning *thread* ends, and misses grandchildren.
//!
//! It cannot find a process that has left its group, lost its parents and cleared its environment, all three; nor one of
//! another user. Outside Linux it finds the groups alone.

use std::{
    io::Write,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// The variable that marks a child and, as environments are inherited, whatever it starts.
pub(super) const MARK: &str = "AGENT_TOOLS_CHILD_OF";

/// Its argument is the mark as it stands in an environment. What is below a child and has left its group is found while
/// the child still lives, by its parents; what has lost them too, by the mark. Both are looked for where there is `/proc`,
/// the mark until two passes find nothing: what is just being forked, or becomes another program, has none to be seen.
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

found=
below=" $groups "
grown=yes
while [ "$grown" ]; do
  grown=
  for file in /proc/[0-9]*/stat; do
    read -r stat <"$file" || continue
    pid=${stat%% *}
    case $below in *" $pid "*) continue ;; esac
    set -- "$1" ${stat##*) }
    case $below in *" $3 "*|*" $4 "*) below="$below$pid "; found="$found $pid"; grown=yes ;; esac
  done
done
for g in $groups; do kill -KILL "-$g"; done
for pid in $found; do kill -KILL "$pid"; done
quiet=0
pass=0
while [ $quiet -lt 2 ] && [ $pass -lt 50 ]; do
  pass=$((pass + 1))
  quiet=$((quiet + 1))
  for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -KILL "${pid%/environ}" && quiet=0
  done
done
"#;

/// One watchdog process, started with the first group to watch.
#[derive(Debug)]
pub(super) struct Watchdog {
    process: Mutex<Option<Running>>,
    mark: String,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self {
            process: Mutex::default(),
            mark: unique_mark(),
        }
    }
}

#[derive(Debug)]
struct Running {
    child: Child,
    stdin: ChildStdin,
}

impl Watchdog {
    /// What [`MARK`] is set to in every child of this runtime.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    pub(super) fn watch(&self, group: u32) {
        self.send('+', group);
    }

    pub(super) fn forget(&self, group: u32) {
        self.send('-', group);
    }

    /// Ends the watchdog; the groups it still watches are killed, and whatever carries the mark.
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
            *process = start(&self.mark);
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

/// Tells this runtime's children from those of any other one, of this process and of others.
fn unique_mark() -> String {
    static RUNTIMES: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = now.map_or(0, |now| now.as_nanos());
    let number = RUNTIMES.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}-{nanos:x}.", std::process::id())
}

#[cfg(unix)]
fn start(mark: &str) -> Option<Running> {
    use std::os::unix::process::CommandExt;
    let spawned = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "agent-tools-watchdog"])
        .arg(format!("{MARK}={mark}"))
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
fn start(_mark: &str) -> Option<Running> {
    let _ = (SCRIPT, Stdio::null, Command::new::<&str>);
    None
}
