//! Child processes: each leads its own session and process group, and none outlives the runtime.

mod stderr_tail;

use std::{
    collections::BTreeMap,
    io,
    process::ExitStatus,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use super::{
    confinement::{ChildLimits, Jail, Overrun},
    descendants::Descendants,
    program::ChildCommand,
    watchdog::{MARK, Watchdog},
};
use stderr_tail::StderrTail;

/// How long a child may take to exit after its stdin was closed, and again after SIGTERM.
const GRACE: Duration = Duration::from_millis(800);
/// How long to wait for the exit and the last output of a child that has closed its stdout.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How often what a child uses is looked at, where that is limited.
const USAGE_CHECK: Duration = Duration::from_millis(100);
const POLL: Duration = Duration::from_millis(10);
/// A killed process is gone within a few milliseconds.
#[cfg(unix)]
const REAP_TRIES: usize = 20;

type SharedChild = Arc<Mutex<Box<dyn ChildWrapper>>>;

/// Every child process of one runtime.
#[derive(Debug, Default)]
pub struct Children {
    running: Mutex<BTreeMap<u32, SharedChild>>,
    adopted: Mutex<Vec<Descendants>>,
    watchdog: Watchdog,
}

impl Children {
    /// Starts a command as [`Children::start`] does, with all three standard streams piped; its stderr is followed.
    ///
    /// `plugin` is named in the log beside what the child writes there.
    pub(super) fn spawn(
        self: &Arc<Self>,
        command: impl Into<ChildCommand>,
        plugin: Arc<str>,
    ) -> io::Result<ChildProcess> {
        let (streams, handle) = self.start(command)?;
        let stdin = streams.stdin.ok_or_else(not_piped)?;
        tokio::spawn(handle.stderr.clone().follow(streams.stderr, plugin));
        Ok(ChildProcess {
            streams: Some((stdin, streams.stdout)),
            handle,
        })
    }

    /// Starts a command whose stdout and stderr are piped as the leader of a new session and process group. A session
    /// of its own has no terminal, so that no program can ask there for what nobody sees.
    pub(super) fn start(
        self: &Arc<Self>,
        command: impl Into<ChildCommand>,
    ) -> io::Result<(ChildStreams, ChildHandle)> {
        let ChildCommand {
            mut command,
            limits,
            jail,
        } = command.into();
        command.env(MARK, self.watchdog.mark());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessSession);
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let mut child = match &jail {
            Some(jail) => jail.start(|| command.spawn())?,
            None => command.spawn()?,
        };
        let stdin = child.stdin().take();
        let (Some(group), Some(stdout), Some(stderr)) =
            (child.id(), child.stdout().take(), child.stderr().take())
        else {
            let _ = child.start_kill();
            return Err(not_piped());
        };
        let child = Arc::new(Mutex::new(child));
        lock(&self.running).insert(group, child.clone());
        self.watchdog.watch(group);
        let streams = ChildStreams {
            stdin,
            stdout,
            stderr,
        };
        let limits = limits.map(|limits| Watched {
            limits,
            overrun: Arc::default(),
        });
        if let Some(watched) = limits
            .clone()
            .filter(|watched| watched.limits.are_watched())
        {
            tokio::spawn(watched.watch(group, child.clone(), self.clone()));
        }
        let handle = ChildHandle {
            group,
            child,
            limits,
            _temporary: jail.map(Jail::into_temporary_folder),
            stderr: StderrTail::default(),
            children: self.clone(),
        };
        Ok((streams, handle))
    }

    /// Takes over what a child that has ended left behind: it may go on until the runtime closes.
    pub(super) fn adopt(&self, left: Descendants) {
        let mut adopted = lock(&self.adopted);
        adopted.retain(Descendants::any_alive);
        adopted.push(left);
    }

    /// Kills every child and its group at once. Safe to call from an exit hook.
    pub fn kill_all(&self) {
        let running = std::mem::take(&mut *lock(&self.running));
        for (group, child) in running {
            let detached = Descendants::of(group);
            let _ = lock(&child).start_kill();
            detached.kill();
        }
        for left in std::mem::take(&mut *lock(&self.adopted)) {
            left.kill();
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

fn not_piped() -> io::Error {
    io::Error::other("the child's standard streams are not piped")
}

/// The standard streams of a child; stdin where it is piped.
pub(super) struct ChildStreams {
    pub stdin: Option<ChildStdin>,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

#[cfg(unix)]
fn group_exists(group: u32) -> bool {
    let group = i32::try_from(group).map(nix::unistd::Pid::from_raw);
    group.is_ok_and(|group| nix::sys::signal::killpg(group, None).is_ok())
}

/// On Windows the job object ends it with the child.
#[cfg(not(unix))]
fn group_exists(_group: u32) -> bool {
    false
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
    limits: Option<Watched>,
    /// The temporary folder of its own.
    _temporary: Option<tempfile::TempDir>,
    children: Arc<Children>,
}

/// The limits of a child, and the one that it was ended for.
#[derive(Clone)]
struct Watched {
    limits: ChildLimits,
    overrun: Arc<OnceLock<Overrun>>,
}

impl Watched {
    /// Looks at what the child and everything below it use, and ends all of it when that is too much.
    async fn watch(self, group: u32, child: SharedChild, children: Arc<Children>) {
        loop {
            tokio::time::sleep(USAGE_CHECK).await;
            if !lock(&children.running).contains_key(&group) {
                return;
            }
            let below = Descendants::of(group);
            if let Some(overrun) = self.limits.overrun(below.usage_with(group)) {
                let _ = self.overrun.set(overrun);
                let _ = lock(&child).start_kill();
                below.kill();
            }
        }
    }
}

impl ChildHandle {
    /// Waits for the child to exit by itself (its stdin must be closed), then asks it to, then kills the whole group.
    pub(super) async fn stop(&self) {
        // Looked for before it exits: afterwards nobody knows whose they are.
        let below = Descendants::of(self.group);
        self.exits_within(GRACE).await;
        self.end_with(below).await;
    }

    /// Asks the child to exit, then kills the whole group.
    pub(super) async fn end(&self) {
        self.end_with(Descendants::of(self.group)).await;
    }

    async fn end_with(&self, below: Descendants) {
        if !self.exits_within(Duration::ZERO).await {
            self.terminate();
            self.exits_within(GRACE).await;
        }
        let below = below.and(Descendants::of(self.group));
        self.kill();
        below.kill();
        // Reap it, so that no zombie stays behind.
        self.exits_within(GRACE).await;
    }

    /// Why the child ended, for an error message: its exit status and the last lines of its stderr.
    pub(super) async fn explain_exit(&self) -> Option<String> {
        self.exits_within(LAST_WORDS).await;
        // What it wrote may still be on its way through the pipe.
        let _ = tokio::time::timeout(LAST_WORDS, self.stderr.ended()).await;
        let status = lock(&self.child).try_wait().ok().flatten()?;
        let stderr = self.stderr.text();
        let mut ended = format!("it ended with {status}");
        if let Some(limits) = self.limits() {
            ended.push_str(&format!("; {limits}"));
        }
        Some(if stderr.is_empty() {
            ended
        } else {
            format!("{ended}; its last words on stderr:\n{stderr}")
        })
    }

    /// The limit that the child was ended for, or those that it lives under and may have met.
    pub(super) fn limits(&self) -> Option<String> {
        let watched = self.limits.as_ref()?;
        Some(match watched.overrun.get() {
            Some(overrun) => overrun.to_string(),
            None => format!("its limits are {}", watched.limits),
        })
    }

    /// Waits for the child to exit by itself.
    pub(super) async fn exited(&self) -> io::Result<ExitStatus> {
        loop {
            let status = lock(&self.child).try_wait()?;
            if let Some(status) = status {
                return Ok(status);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Kills what a child that has exited left in its group, and says whether there was something.
    pub(super) fn settle(&self) -> bool {
        let left = group_exists(self.group);
        self.kill();
        left
    }

    /// How the child, which has closed its stdout, ends by itself, if it does.
    pub(super) async fn ended(&self) -> Option<ExitStatus> {
        self.exits_within(GRACE).await;
        lock(&self.child).try_wait().ok().flatten()
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

    /// Kills the group, once: later its number may be that of another one.
    fn kill(&self) {
        if lock(&self.children.running).remove(&self.group).is_some() {
            let _ = lock(&self.child).start_kill();
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

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;
    use tokio::{
        io::{AsyncBufReadExt, BufReader},
        process::Command,
    };

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
        let (stdin, stdout, handle) = children
            .spawn(shell(script), "x".into())
            .unwrap()
            .into_parts()
            .unwrap();
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
            let (stdin, stdout, handle) = children
                .spawn(shell(script), "x".into())
                .unwrap()
                .into_parts()
                .unwrap();
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

    /// What the watchdog does when the other end of its pipe is gone, which is all it sees of the host's death.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_has_left_its_group_goes_with_the_host() {
        for script in [
            "setsid sh -c 'sleep 300 & echo $!; wait' & wait",
            // No environment, but its parents live.
            "env -i setsid sleep 300 & echo $!; wait",
            // Its parent is gone, but it has the mark.
            "(setsid sleep 300 & echo $!); exec sleep 300",
        ] {
            let children = Arc::new(Children::default());
            let (_stdin, stdout, _handle) = children
                .spawn(shell(script), "x".into())
                .unwrap()
                .into_parts()
                .unwrap();
            let grandchild = first_line(stdout).await;
            assert!(alive(&grandchild), "{script}");
            children.watchdog.stop();
            assert!(gone(&grandchild).await, "{script}");
        }
    }

    #[test]
    fn c066_a_child_outlives_the_thread_that_spawned_it() {
        let children = Arc::new(Children::default());
        let theirs = children.clone();
        let spawning = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let _guard = runtime.enter();
            theirs.spawn(shell("exec sleep 300"), "x".into()).unwrap()
        });
        let child = spawning.join().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(alive(&child.handle.group.to_string()));
    }

    #[tokio::test]
    async fn kill_all_works_at_once() {
        let children = Arc::new(Children::default());
        let (_stdin, stdout, _handle) = children
            .spawn(shell("sleep 300 & echo $!; wait"), "x".into())
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
            .spawn(shell("echo no token >&2; exit 3"), "x".into())
            .unwrap()
            .into_parts()
            .unwrap();
        let text = handle.explain_exit().await.unwrap();
        assert!(text.contains("3") && text.contains("no token"), "{text}");
    }
}
