//! A sandbox for a child: which folders it may read and write, and whether it has a network.
//!
//! Linux has Landlock for files and seccomp for the network, which need neither privileges nor other programs; where the
//! kernel has no Landlock, bubblewrap does both if it is installed. macOS has `sandbox-exec`. Windows has nothing here.

#[cfg(target_os = "linux")]
mod landlock;
mod roots;
mod wrapper;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

use crate::{
    adapter::program::ChildCommand,
    private_folder::private_folder,
    reply::{Code, Failure},
};
use roots::Roots;

/// What a child may reach.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum SandboxSettings {
    /// `true`: the files that a program needs to run and its own folders to read, a temporary folder to write, the network.
    Switch(bool),
    /// `"required"`: the same, and the program is not started where the system has no sandbox.
    Word(Required),
    /// Said in detail.
    Detailed(SandboxKeys),
}

/// The word `required`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Required {
    /// The program is not started without a sandbox.
    Required,
}

/// A sandbox in detail.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SandboxKeys {
    /// Which folders and files it may use beside what every program needs.
    pub files: SandboxFiles,
    /// Whether it may use the network; true when absent.
    pub network: Option<bool>,
    /// Whether the program is not started where the system cannot do all of this; otherwise there is a warning.
    pub required: bool,
}

/// Paths start from the plugin's folder; `~/` is the home folder, and `${VAR}` expands. What does not exist cannot be used.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SandboxFiles {
    /// What it may read, beside the system's programs and libraries, its own program, the plugin's folder and the one that it
    /// works in; instead of those two where given.
    pub read: Option<Vec<PathBuf>>,
    /// What it may read and write, beside a temporary folder of its own.
    pub write: Vec<PathBuf>,
}

/// By hand, so that a misspelt key is named.
impl<'de> Deserialize<'de> for SandboxSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let wrong = |error: serde_json::Error| D::Error::custom(format!("`sandbox`: {error}"));
        Ok(match value {
            Value::Bool(on) => Self::Switch(on),
            Value::Object(_) => Self::Detailed(serde_json::from_value(value).map_err(wrong)?),
            word => Self::Word(serde_json::from_value(word).map_err(wrong)?),
        })
    }
}

/// How the sandbox of a child is made. Windows has no way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    #[cfg(target_os = "linux")]
    Landlock,
    #[cfg(target_os = "linux")]
    Bubblewrap,
    #[cfg(target_os = "macos")]
    SandboxExec,
}

/// A sandbox that the thread enters which starts the child.
pub(in crate::adapter) struct Jail {
    /// What the kernel keeps; `None` where another program makes the sandbox.
    #[cfg(target_os = "linux")]
    rules: Option<landlock::Rules>,
    /// The child's own temporary folder, as long as it lives.
    temporary: tempfile::TempDir,
}

impl SandboxSettings {
    /// Whether there is to be one.
    pub(super) fn is_on(&self) -> bool {
        *self != Self::Switch(false)
    }

    fn keys(&self) -> SandboxKeys {
        match self {
            Self::Switch(_) => SandboxKeys::default(),
            Self::Word(Required::Required) => SandboxKeys {
                required: true,
                ..SandboxKeys::default()
            },
            Self::Detailed(keys) => keys.clone(),
        }
    }

    /// What the system cannot do of it.
    pub(super) fn shortfall(&self) -> Option<String> {
        if !self.is_on() || means().is_some() {
            return None;
        }
        let what_happens = match self.keys().required {
            true => "its program is not started",
            false => "its program runs without one",
        };
        Some(format!("{NO_MEANS}: {what_happens}"))
    }

    /// Has the command run in the sandbox.
    pub(super) fn apply(
        &self,
        command: ChildCommand,
        home: &Path,
    ) -> Result<ChildCommand, Failure> {
        let keys = self.keys();
        let Some(means) = means() else {
            if keys.required {
                return Err(Failure::new(Code::PluginUnavailable, NO_MEANS).with_hint(
                    "Install bubblewrap (bwrap), use a kernel with Landlock (Linux 5.13), or leave `required` out of `sandbox` to run the program without one.",
                ));
            }
            tracing::warn!("{NO_MEANS}; a program that is to be in one runs without");
            return Ok(command);
        };
        let temporary = private_folder("agent-tools-child-")
            .map_err(|error| failed(&format!("it has no temporary folder: {error}")))?;
        let roots = Roots::of(&keys.files, &command, home, temporary.path())?;
        let network = keys.network.unwrap_or(true);
        let command = command.with_temporary_folder(temporary.path());
        Ok(enclose(means, command, roots, network, temporary))
    }
}

const NO_MEANS: &str = "this system has no sandbox (neither Landlock nor bubblewrap)";

fn failed(why: &str) -> Failure {
    Failure::new(
        Code::PluginUnavailable,
        format!("the sandbox could not be made: {why}"),
    )
    .with_hint("Correct `sandbox` of the entry.")
}

#[cfg(target_os = "linux")]
fn means() -> Option<Means> {
    use std::sync::LazyLock;
    static MEANS: LazyLock<Option<Means>> = LazyLock::new(|| {
        let landlock = landlock::is_there().then_some(Means::Landlock);
        landlock.or_else(|| wrapper::bubblewrap_works().then_some(Means::Bubblewrap))
    });
    *MEANS
}

#[cfg(target_os = "macos")]
fn means() -> Option<Means> {
    Path::new(wrapper::SANDBOX_EXEC)
        .is_file()
        .then_some(Means::SandboxExec)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn means() -> Option<Means> {
    None
}

#[cfg(target_os = "linux")]
fn enclose(
    means: Means,
    command: ChildCommand,
    roots: Roots,
    network: bool,
    temporary: tempfile::TempDir,
) -> ChildCommand {
    let (command, rules) = match means {
        Means::Landlock => (command, Some(landlock::Rules { roots, network })),
        Means::Bubblewrap => {
            let arguments = wrapper::bubblewrap_arguments(&roots, network, &command.folder());
            (command.through(wrapper::BUBBLEWRAP, arguments), None)
        }
    };
    ChildCommand {
        jail: Some(Jail { rules, temporary }),
        ..command
    }
}

#[cfg(target_os = "macos")]
fn enclose(
    means: Means,
    command: ChildCommand,
    roots: Roots,
    network: bool,
    temporary: tempfile::TempDir,
) -> ChildCommand {
    let Means::SandboxExec = means;
    let arguments = wrapper::sandbox_exec_arguments(&roots, network);
    ChildCommand {
        jail: Some(Jail { temporary }),
        ..command.through(wrapper::SANDBOX_EXEC, arguments)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn enclose(
    means: Means,
    _command: ChildCommand,
    _roots: Roots,
    _network: bool,
    _temporary: tempfile::TempDir,
) -> ChildCommand {
    match means {}
}

impl Jail {
    /// Starts something in the jail. What the kernel is to keep is put on a thread of its own, which ends with this: the
    /// rules of a thread go to what it starts and cannot be taken back. No child depends on the life of that thread.
    pub(in crate::adapter) fn start<T: Send>(
        &self,
        spawn: impl FnOnce() -> std::io::Result<T> + Send,
    ) -> std::io::Result<T> {
        #[cfg(target_os = "linux")]
        if let Some(rules) = &self.rules {
            let runtime = tokio::runtime::Handle::try_current().map_err(std::io::Error::other)?;
            let confined = || {
                rules.enforce().map_err(|why| {
                    std::io::Error::other(format!("the sandbox could not be made: {why}"))
                })?;
                let _entered = runtime.enter();
                spawn()
            };
            return std::thread::scope(|scope| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, confined)?;
                let ended = thread.join();
                ended.unwrap_or_else(|_| Err(std::io::Error::other("the starting thread panicked")))
            });
        }
        spawn()
    }

    /// What is to live as long as the child.
    pub(in crate::adapter) fn into_temporary_folder(self) -> tempfile::TempDir {
        self.temporary
    }
}
