//! One run of a program: its input, its output, and an end in any case.

use std::{future::Future, io, pin::pin, process::ExitStatus, sync::Arc, time::Duration};

use futures_util::future::{FusedFuture, FutureExt};
use tokio::{
    io::AsyncWriteExt,
    process::ChildStdin,
    sync::{Notify, OwnedRwLockReadGuard, RwLock},
    time::timeout,
};

use super::capture::Capture;
use crate::adapter::{
    children::{ChildHandle, Children},
    descendants::{Descendants, Pipe},
    program::ChildCommand,
};

/// How long output may still come after the program has exited.
const DRAIN: Duration = Duration::from_secs(1);
/// The same when everything that could write was killed.
const LAST_OUTPUT: Duration = Duration::from_millis(200);

/// How a program ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// `None` when it was ended because its time was over.
    pub status: Option<ExitStatus>,
    pub stdout: Capture,
    pub stderr: Capture,
    pub background: Background,
    /// Which of its limits may have ended it.
    pub limits: Option<String>,
}

/// What the program left behind in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Background {
    Nothing,
    /// It was killed. `held` says whether it held the output open.
    Killed {
        held: bool,
    },
    /// It is in a session or group of its own, goes on and holds the output open.
    GoesOn,
}

/// Why there is no end to tell of.
#[derive(Debug)]
pub(super) enum NoEnd {
    /// The program could not be started.
    NotStarted(io::Error),
    /// The plugin was closed meanwhile, and the program ended.
    Closed,
}

/// The runs of one plugin.
pub(super) struct Runs {
    children: Arc<Children>,
    closing: Notify,
    /// Held for reading by every run until nothing of it is left.
    alive: Arc<RwLock<()>>,
}

impl Runs {
    pub(super) fn new(children: Arc<Children>) -> Self {
        Self {
            children,
            closing: Notify::new(),
            alive: Arc::default(),
        }
    }

    /// Runs a command within `limit`, keeping `keep` bytes of each stream. Dropping the future ends the program and
    /// everything below it.
    pub(super) async fn run(
        &self,
        command: impl Into<ChildCommand>,
        stdin: Option<String>,
        limit: Duration,
        keep: usize,
    ) -> Result<Ended, NoEnd> {
        let alive = self.alive.clone().read_owned().await;
        tokio::select! {
            biased;
            () = self.closing.notified() => Err(NoEnd::Closed),
            ended = run(command.into(), stdin, limit, keep, &self.children, alive) => ended.map_err(NoEnd::NotStarted),
        }
    }

    /// Ends every run, and returns when nothing is left of them.
    pub(super) async fn close(&self) {
        self.closing.notify_waiters();
        drop(self.alive.write().await);
    }
}

async fn run(
    mut command: ChildCommand,
    stdin: Option<String>,
    limit: Duration,
    keep: usize,
    children: &Arc<Children>,
    alive: OwnedRwLockReadGuard<()>,
) -> io::Result<Ended> {
    use std::process::Stdio;
    let input = if stdin.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    command
        .command
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (mut streams, handle) = children.start(command)?;
    let mut running = Running {
        handle: Arc::new(handle),
        outputs: [Pipe::of(&streams.stdout), Pipe::of(&streams.stderr)].into(),
        alive: Some(alive),
    };
    let handle = running.handle.clone();
    let (mut stdout, mut stderr) = (Capture::new(keep), Capture::new(keep));

    let mut feeding = pin!(feed(streams.stdin.take(), stdin).fuse());
    let mut reading = Box::pin(
        async {
            let out = stdout.fill(&mut streams.stdout);
            tokio::join!(out, stderr.fill(&mut streams.stderr));
        }
        .fuse(),
    );
    let exited = async { timeout(limit, handle.exited()).await.ok().transpose() };
    let exited = alongside(&mut feeding, exited);
    let status = alongside(&mut reading, exited).await?;
    let mut background = Background::Nothing;
    if status.is_none() {
        // It may have last words when it is asked to end.
        alongside(&mut reading, handle.end()).await;
    } else {
        let _ = timeout(DRAIN, wait_for(&mut reading)).await;
        let held = !reading.is_terminated();
        if handle.settle() {
            background = Background::Killed { held };
        }
    }
    let _ = timeout(LAST_OUTPUT, wait_for(&mut reading)).await;
    if !reading.is_terminated() {
        let writers = Descendants::writing_to(&running.outputs);
        match status {
            Some(_) => {
                background = Background::GoesOn;
                children.adopt(writers);
            }
            None => writers.kill(),
        }
    }
    drop(reading);
    running.alive = None;
    Ok(Ended {
        status,
        stdout,
        stderr,
        background,
        limits: handle.limits(),
    })
}

/// Does `work` while the other future goes on as well.
async fn alongside<T>(
    other: &mut (impl FusedFuture<Output = ()> + Unpin),
    work: impl Future<Output = T>,
) -> T {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            value = &mut work => return value,
            () = &mut *other, if !other.is_terminated() => {}
        }
    }
}

async fn wait_for(other: &mut (impl FusedFuture<Output = ()> + Unpin)) {
    if !other.is_terminated() {
        other.await;
    }
}

/// Writes the input and closes the pipe. A program that does not read it is no error.
async fn feed(stdin: Option<ChildStdin>, text: Option<String>) {
    if let (Some(mut stdin), Some(text)) = (stdin, text) {
        let _ = stdin.write_all(text.as_bytes()).await;
    }
}

/// A program that runs. Dropping it ends the program in the background: first it is asked to, then it is killed.
struct Running {
    handle: Arc<ChildHandle>,
    outputs: Arc<[Pipe]>,
    /// `None` once it has ended.
    alive: Option<OwnedRwLockReadGuard<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(alive), Ok(runtime)) = (self.alive.take(), runtime) {
            let (handle, outputs) = (self.handle.clone(), self.outputs.clone());
            runtime.spawn(async move {
                handle.end().await;
                Descendants::writing_to(&outputs).kill();
                drop(alive);
            });
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;
    use tokio::process::Command;

    const PATIENT: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    async fn ended(script: &str, stdin: Option<&str>, limit: Duration) -> Ended {
        let runs = Runs::new(Arc::default());
        let stdin = stdin.map(str::to_owned);
        let ended = runs.run(shell(script), stdin, limit, 1 << 20).await;
        assert_eq!(runs.children.count(), 0);
        runs.children.kill_all();
        ended.unwrap()
    }

    fn text(capture: Capture) -> String {
        String::from_utf8(capture.pieces().0).unwrap()
    }

    #[tokio::test]
    async fn both_streams_the_code_and_the_input() {
        let ended = ended("cat; echo err >&2; exit 3", Some("in"), PATIENT).await;
        assert_eq!(ended.status.unwrap().code(), Some(3));
        assert_eq!(
            (text(ended.stdout), text(ended.stderr)),
            ("in".into(), "err\n".into())
        );
        assert_eq!(ended.background, Background::Nothing);
    }

    #[tokio::test]
    async fn input_that_nobody_reads_and_closed_input_harm_nothing() {
        let much = "x".repeat(1 << 20);
        let unread = ended("exit 0", Some(&much), PATIENT).await;
        assert_eq!(unread.status.unwrap().code(), Some(0));
        let closed = ended("cat; echo end", None, PATIENT).await;
        assert_eq!(text(closed.stdout), "end\n");
    }

    #[tokio::test]
    async fn what_is_asked_to_end_may_say_so_and_what_does_not_listen_is_killed() {
        let limit = Duration::from_millis(300);
        let polite = ended(
            "trap 'echo bye; exit' TERM; echo hi; sleep 60 & wait",
            None,
            limit,
        )
        .await;
        assert!(polite.status.is_none());
        assert_eq!(text(polite.stdout), "hi\nbye\n");

        let began = Instant::now();
        let deaf = ended(
            "trap '' TERM; echo $$; while :; do sleep 1; done",
            None,
            limit,
        )
        .await;
        assert!(deaf.status.is_none() && began.elapsed() < Duration::from_secs(20));
        assert_gone(text(deaf.stdout).trim()).await;
    }

    #[tokio::test]
    async fn the_end_of_the_program_is_the_end_of_the_call() {
        let began = Instant::now();
        let killed = ended("sleep 60 & echo $!", None, PATIENT).await;
        assert_eq!(killed.background, Background::Killed { held: true });
        assert_gone(text(killed.stdout).trim()).await;
        let silent = ended("sleep 60 >/dev/null 2>&1 & echo $!", None, PATIENT).await;
        assert_eq!(silent.background, Background::Killed { held: false });
        assert_gone(text(silent.stdout).trim()).await;
        assert!(began.elapsed() < Duration::from_secs(30));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_left_the_group_goes_on_until_the_runtime_closes() {
        let runs = Runs::new(Arc::default());
        let script = shell("setsid sleep 60 & sleep 0.2; echo $!");
        let ended = runs.run(script, None, PATIENT, 100).await.unwrap();
        assert_eq!(ended.background, Background::GoesOn);
        let pid = text(ended.stdout);
        assert!(is_running(pid.trim()));
        runs.children.kill_all();
        assert_gone(pid.trim()).await;
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn when_the_time_is_over_an_orphan_in_a_session_of_its_own_is_killed_too() {
        let script = "(setsid sh -c 'echo $$; exec sleep 60' &); sleep 60";
        let late = ended(script, None, Duration::from_millis(500)).await;
        assert!(late.status.is_none());
        assert_gone(text(late.stdout).trim()).await;
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_dropped_run_ends_the_program_and_what_is_below() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pids");
        let script = format!(
            "(setsid sh -c 'echo $$ > {file}; exec sleep 60' &); sleep 0.2; echo $$ >> {file}; sleep 60",
            file = file.display()
        );
        let runs = Runs::new(Arc::default());
        let running = runs.run(shell(&script), None, PATIENT, 100);
        let written = async {
            loop {
                let pids = std::fs::read_to_string(&file).unwrap_or_default();
                if pids.lines().count() == 2 && pids.ends_with('\n') {
                    return pids;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let pids = tokio::select! {
            _ = running => panic!("it ended"),
            pids = written => pids,
        };
        runs.close().await;
        for pid in pids.split_whitespace() {
            assert_gone(pid).await;
        }
        runs.children.kill_all();
    }

    #[tokio::test]
    async fn closing_ends_what_runs_and_nothing_else() {
        let runs = Runs::new(Arc::default());
        let running = runs.run(shell("sleep 60"), None, PATIENT, 100);
        let closing = async {
            while runs.children.count() == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            runs.close().await;
        };
        let (ended, ()) = tokio::join!(running, closing);
        assert!(matches!(ended, Err(NoEnd::Closed)));
        assert_eq!(runs.children.count(), 0);
        let later = runs.run(shell("echo x"), None, PATIENT, 100).await;
        assert_eq!(text(later.unwrap().stdout), "x\n");
        runs.children.kill_all();
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn no_terminal_is_there() {
        let ended = ended("echo x > /dev/tty", None, PATIENT).await;
        assert!(!ended.status.unwrap().success());
        assert!(text(ended.stderr).contains("/dev/tty"));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_hundred_runs_leave_nothing_open() {
        let runs = Runs::new(Arc::default());
        let script = |script| runs.run(shell(script), None, PATIENT, 100);
        script("true").await.unwrap();
        let (tasks, files) = open_things();
        for _ in 0..5 {
            let twenty = (0..20).map(|_| script("setsid sleep 60 & echo ok"));
            for ended in futures_util::future::join_all(twenty).await {
                assert_eq!(text(ended.unwrap().stdout), "ok\n");
            }
        }
        assert_eq!(open_things().0, tasks);
        // Other tests of this process open and close files meanwhile.
        assert!(open_things().1 < files + 50);
        runs.children.kill_all();
    }

    #[cfg(target_os = "linux")]
    fn open_things() -> (usize, usize) {
        let tasks = tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks();
        (tasks, std::fs::read_dir("/proc/self/fd").unwrap().count())
    }

    fn is_running(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(')').next().unwrap_or_default().trim();
        !state.is_empty() && !state.starts_with('Z')
    }

    async fn assert_gone(pid: &str) {
        for _ in 0..500 {
            if !is_running(pid) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{pid} still runs");
    }
}
