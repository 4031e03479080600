//! Child processes: each leads its own process group, and none outlives the runtime.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{ChildStderr, ChildStdin, ChildStdout, Command},
};
use tokio_util::sync::CancellationToken;

use super::{descendants::Descendants, watchdog::Watchdog};

/// How long a child may take to exit after its stdin was closed, and again after SIGTERM.
const GRACE: Duration = Duration::from_millis(800);
/// How long to wait for the exit and the last output of a child that has closed its stdout.
const LAST_WORDS: Duration = Duration::from_millis(300);
const POLL: Duration = Duration::from_millis(10);
/// A killed process is gone within a few milliseconds.
#[cfg(unix)]
const REAP_TRIES: usize = 20;
/// Lines of stderr kept to explain a crash.
const STDERR_LINES: usize = 20;
/// A line of stderr is cut at this many bytes.
const STDERR_LINE_BYTES: usize = 500;

type SharedChild = Arc<Mutex<Box<dyn ChildWrapper>>>;

/// Every child process of one runtime.
#[derive(Debug, Default)]
pub struct Children {
    running: Mutex<BTreeMap<u32, SharedChild>>,
    watchdog: Watchdog,
}

impl Children {
    /// Starts a command as the leader of a new process group, with all three standard streams piped.
    pub(super) fn spawn(self: &Arc<Self>, command: Command) -> io::Result<ChildProcess> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let mut child = command.spawn()?;
        let (Some(group), Some(stdin), Some(stdout), Some(stderr)) = (
            child.id(),
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        ) else {
            let _ = child.start_kill();
            return Err(io::Error::other(
                "the child's standard streams are not piped",
            ));
        };
        let tail = StderrTail::default();
        tokio::spawn(tail.clone().follow(stderr, group));
        let child = Arc::new(Mutex::new(child));
        lock(&self.running).insert(group, child.clone());
        self.watchdog.watch(group);
        Ok(ChildProcess {
            streams: Some((stdin, stdout)),
            handle: ChildHandle {
                group,
                child,
                stderr: tail,
                children: self.clone(),
            },
        })
    }

    /// Kills every child and its group at once. Safe to call from an exit hook.
    pub fn kill_all(&self) {
        let running = std::mem::take(&mut *lock(&self.running));
        for (group, child) in running {
            let detached = Descendants::of(group);
            let _ = lock(&child).start_kill();
            detached.kill();
        }
        self.watchdog.stop();
    }

    /// Has a group that somebody else started killed when this process disappears.
    pub fn watch_group(&self, group: u32) {
        self.watchdog.watch(group);
    }

    /// Undoes [`Children::watch_group`].
    pub fn forget_group(&self, group: u32) {
        self.watchdog.forget(group);
    }

    /// How many children run.
    pub fn count(&self) -> usize {
        lock(&self.running).len()
    }
}

/// Kills the process group that `pid` leads. Nothing happens when there is none.
///
/// A leader that is a child of this process is reaped, as whoever started it may not be there to do it.
pub fn kill_group(pid: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(pid)
        && group > 1
    {
        use nix::{
            sys::{
                signal::{Signal, killpg},
                wait::{WaitPidFlag, WaitStatus, waitpid},
            },
            unistd::Pid,
        };
        let leader = Pid::from_raw(group);
        let _ = killpg(leader, Signal::SIGKILL);
        for _ in 0..REAP_TRIES {
            if !matches!(
                waitpid(leader, Some(WaitPidFlag::WNOHANG)),
                Ok(WaitStatus::StillAlive)
            ) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// A started child with its streams not yet taken.
pub(super) struct ChildProcess {
    streams: Option<(ChildStdin, ChildStdout)>,
    handle: ChildHandle,
}

impl ChildProcess {
    /// The streams, and what controls the process.
    pub(super) fn into_parts(mut self) -> Option<(ChildStdin, ChildStdout, ChildHandle)> {
        let (stdin, stdout) = self.streams.take()?;
        Some((stdin, stdout, self.handle))
    }
}

/// Controls one child. Dropping it kills the group.
pub(super) struct ChildHandle {
    group: u32,
    child: SharedChild,
    stderr: StderrTail,
    children: Arc<Children>,
}

impl ChildHandle {
    /// Waits for the child to exit by itself (its stdin must be closed), then asks it to, then kills the whole group.
    pub(super) async fn stop(&self) {
        let detached = Descendants::of(self.group);
        if !self.exits_within(GRACE).await {
            self.terminate();
            self.exits_within(GRACE).await;
        }
        let detached = detached.and(Descendants::of(self.group));
        self.kill();
        detached.kill();
        // Reap it, so that no zombie stays behind.
        self.exits_within(GRACE).await;
    }

    /// Why the child ended, for an error message: its exit status and the last lines of its stderr.
    pub(super) async fn explain_exit(&self) -> Option<String> {
        self.exits_within(LAST_WORDS).await;
        // What it wrote may still be on its way through the pipe.
        let _ = tokio::time::timeout(LAST_WORDS, self.stderr.ended.cancelled()).await;
        let status = lock(&self.child).try_wait().ok().flatten()?;
        let stderr = self.stderr.text();
        Some(if stderr.is_empty() {
            format!("it ended with {status}")
        } else {
            format!("it ended with {status}; its last words on stderr:\n{stderr}")
        })
    }

    /// Whether the child, which has closed its stdout, ends by itself and says that all went well.
    pub(super) async fn succeeded(&self) -> bool {
        self.exits_within(GRACE).await;
        let ended = lock(&self.child).try_wait().ok().flatten();
        ended.is_some_and(|status| status.success())
    }

    async fn exits_within(&self, limit: Duration) -> bool {
        let end = tokio::time::Instant::now() + limit;
        loop {
            if !matches!(lock(&self.child).try_wait(), Ok(None)) {
                return true;
            }
            if tokio::time::Instant::now() >= end {
                return false;
            }
            tokio::time::sleep(POLL).await;
        }
    }

    fn terminate(&self) {
        #[cfg(unix)]
        let _ = lock(&self.child).signal(15);
    }

    fn kill(&self) {
        let _ = lock(&self.child).start_kill();
        if lock(&self.children.running).remove(&self.group).is_some() {
            self.children.watchdog.forget(self.group);
        }
    }
}

impl Drop for ChildHandle {
    fn drop(&mut self) {
        let known = lock(&self.children.running).contains_key(&self.group);
        let detached = known.then(|| Descendants::of(self.group));
        self.kill();
        if let Some(detached) = detached {
            detached.kill();
        }
    }
}

#[derive(Debug, Clone, Default)]
struct StderrTail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Cancelled when stderr has been read to its end.
    ended: CancellationToken,
}

impl StderrTail {
    /// Reads stderr to its end, so that a chatty child never blocks on a full pipe.
    async fn follow(self, stderr: ChildStderr, group: u32) {
        let _ended = self.ended.clone().drop_guard();
        let mut reader = BufReader::new(stderr);
        let mut line = Vec::new();
        loop {
            line.clear();
            // A line without an end is taken in pieces, so that memory stays bounded.
            let mut piece = tokio::io::AsyncReadExt::take(&mut reader, 64 * 1024);
            match piece.read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return,
                Ok(_) => self.push(&line, group),
            }
        }
    }

    fn push(&self, line: &[u8], group: u32) {
        let end = line.len().min(STDERR_LINE_BYTES);
        let text = String::from_utf8_lossy(&line[..end]).trim_end().to_owned();
        tracing::debug!(child = group, "{text}");
        let mut lines = lock(&self.lines);
        if lines.len() == STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(text);
    }

    fn text(&self) -> String {
        lock(&self.lines)
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    async fn first_line(stdout: ChildStdout) -> String {
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).await.unwrap();
        line.trim().to_owned()
    }

    fn alive(pid: &str) -> bool {
        // A zombie whose parent is gone is reaped by init sooner or later; it does not count.
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
            !stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .trim()
                .starts_with('Z')
        })
    }

    async fn gone(pid: &str) -> bool {
        for _ in 0..200 {
            if !alive(pid) {
                return true;
            }
            tokio::time::sleep(POLL).await;
        }
        false
    }

    #[tokio::test]
    async fn a_stubborn_grandchild_is_killed_with_its_group() {
        let children = Arc::new(Children::default());
        let script = "trap '' TERM; (trap '' TERM; exec sleep 300) & echo $!; wait";
        let (stdin, stdout, handle) = children.spawn(shell(script)).unwrap().into_parts().unwrap();
        let grandchild = first_line(stdout).await;
        assert!(alive(&grandchild));
        drop(stdin);
        handle.stop().await;
        assert!(gone(&grandchild).await);
        assert_eq!(children.count(), 0);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_grandchild_in_a_session_of_its_own_is_killed_too() {
        for at_once in [false, true] {
            let children = Arc::new(Children::default());
            let script = "setsid sleep 300 & echo $!; wait";
            let (stdin, stdout, handle) =
                children.spawn(shell(script)).unwrap().into_parts().unwrap();
            let grandchild = first_line(stdout).await;
            assert!(alive(&grandchild));
            if at_once {
                children.kill_all();
            } else {
                drop(stdin);
                handle.stop().await;
            }
            assert!(gone(&grandchild).await);
        }
    }

    #[tokio::test]
    async fn kill_all_works_at_once() {
        let children = Arc::new(Children::default());
        let (_stdin, stdout, _handle) = children
            .spawn(shell("sleep 300 & echo $!; wait"))
            .unwrap()
            .into_parts()
            .unwrap();
        let grandchild = first_line(stdout).await;
        children.kill_all();
        assert!(gone(&grandchild).await);
    }

    #[tokio::test]
    async fn an_exit_is_explained() {
        let children = Arc::new(Children::default());
        let (_stdin, _stdout, handle) = children
            .spawn(shell("echo no token >&2; exit 3"))
            .unwrap()
            .into_parts()
            .unwrap();
        let text = handle.explain_exit().await.unwrap();
        assert!(text.contains("3") && text.contains("no token"), "{text}");
    }
}
