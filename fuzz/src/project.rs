//! A project's folder and a user's, in which a fuzz target writes the files that it reads.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// Folders that are gone with it. Nothing outside of them is looked at for the files of a user.
pub struct Project {
    root: TempDir,
}

impl Project {
    /// Makes the folders, and the user's that of this process.
    pub fn start() -> Self {
        // In memory, where that is to be had.
        let shared_memory = Path::new("/dev/shm");
        let root = match shared_memory.is_dir() {
            true => TempDir::new_in(shared_memory),
            false => TempDir::new(),
        };
        let root = root.expect("a folder");
        let project = Self { root };
        for folder in [project.user(), project.dir()] {
            fs::create_dir_all(folder).expect("a folder");
        }
        for name in ["XDG_CONFIG_HOME", "AGENT_TOOLS_CONFIG", "CODEX_HOME"] {
            // SAFETY: no other thread has been started yet.
            unsafe { env::remove_var(name) };
        }
        for name in ["HOME", "AGENT_TOOLS_CONFIG_DIR", "AGENT_TOOLS_DATA_DIR"] {
            // SAFETY: as above.
            unsafe { env::set_var(name, project.user()) };
        }
        project
    }

    /// Does something with the project's folder as the working folder. Before and after it is the fuzzer's, whose paths may
    /// be relative.
    pub fn enter<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = env::current_dir().expect("there is one");
        env::set_current_dir(self.dir()).expect("the folder is there");
        let done = act();
        env::set_current_dir(before).expect("it is there still");
        done
    }

    /// The user's folder.
    pub fn user(&self) -> PathBuf {
        self.root.path().join("user")
    }

    /// The project's folder.
    pub fn dir(&self) -> PathBuf {
        self.root.path().join("agent-tools-plugin-project")
    }

    /// Writes a file, with the folders above it; without a text there is none.
    pub fn write(path: &Path, text: Option<&str>) {
        match text {
            Some(text) => {
                fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
                fs::write(path, text).expect("it is written");
            }
            None => drop(fs::remove_file(path)),
        }
    }
}
