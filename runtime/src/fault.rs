//! Faults of this program: what a panic says, and what becomes of it where it must not go on.

use std::{
    backtrace::Backtrace,
    io::Write,
    panic::{self, AssertUnwindSafe},
};

use futures_util::FutureExt;

use crate::{
    reply::{Code, Failure},
    secrets::scrub,
};

/// From now on a panic of this process writes its message on stderr without secrets. Rust's own hook shows it as it is, and a
/// message may quote whatever was at hand.
pub fn scrub_panics() {
    panic::set_hook(Box::new(|panicked| {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("<unnamed>");
        let backtrace = Backtrace::capture();
        let told = format!("thread '{name}' {panicked}\n{backtrace}");
        // Nobody is left to be told that stderr is gone.
        let _ = writeln!(std::io::stderr(), "{}", scrub(&told));
    }));
}

/// Does the work; a panic of it is a failure that says nothing of its message.
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| fault("the runtime"))
}

/// As [`contained`], for what is waited for. `what` is named in the failure.
pub async fn contained_in<T>(what: &str, work: impl Future<Output = T>) -> Result<T, Failure> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.map_err(|_| fault(what))
}

/// The panic itself is on stderr.
fn fault(what: &str) -> Failure {
    Failure::new(
        Code::Internal,
        format!("{what} met a fault of this program"),
    )
    .with_hint("Tell the user, who can report it with what the program wrote on stderr.")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::secrets::remember;

    const IN_CHILD: &str = "AGENT_TOOLS_TEST_PANICS";

    /// The hook is the process's, so that the panics are a child's: this test again.
    #[test]
    fn a_panic_shows_no_secret_and_goes_no_further() {
        if std::env::var_os(IN_CHILD).is_some() {
            scrub_panics();
            remember("panic/Canary\"1");
            let failure = contained(|| panic!("met {:?}", "panic/Canary\"1")).unwrap_err();
            assert!(!format!("{failure:?}").contains("Canary"), "{failure:?}");
            let work = contained_in("x", async { panic!("met panic/Canary\"1") });
            let failure = work.now_or_never().unwrap().unwrap_err();
            assert_eq!(failure.error, "x met a fault of this program");
            let thread = std::thread::Builder::new().name("panic/Canary\"1".into());
            let thread = thread.spawn(|| panic!("met a thread")).unwrap();
            assert!(thread.join().is_err());
            return;
        }
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture"])
            .arg("fault::tests::a_panic_shows_no_secret_and_goes_no_further")
            .env(IN_CHILD, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success(), "{text}");
        assert_eq!(text.matches("panicked at").count(), 3, "{text}");
        assert_eq!(text.matches("<redacted>").count(), 3, "{text}");
        assert!(text.contains("runtime/src/fault.rs:"), "{text}");
        assert!(!text.contains("Canary"), "{text}");
    }
}
