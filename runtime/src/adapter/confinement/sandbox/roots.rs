//! Which folders a child in a sandbox may read and write.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::SandboxFiles;
use crate::{
    adapter::{
        environment::{expand, from_process},
        program::ChildCommand,
    },
    folders::from_home,
    reply::Failure,
};

/// What programs need of the system: libraries, programs, settings for all users, what the kernel tells.
const SYSTEM: &[&str] = &[
    "/bin",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/etc",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/opt",
    "/proc",
    "/run/systemd/resolve",
    "/sbin",
    "/snap",
    "/sys",
    "/usr",
    "/var/lib/ca-certificates",
];
/// Devices that hold nothing.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero"];

/// Folders and files by their real paths; what does not exist is not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Roots {
    /// May be read, and programs in them run.
    pub read: BTreeSet<PathBuf>,
    /// May be read and written.
    pub write: BTreeSet<PathBuf>,
}

impl Roots {
    /// For a command of the plugin in `home`, which has a temporary folder of its own.
    pub(super) fn of(
        files: &SandboxFiles,
        command: &ChildCommand,
        home: &Path,
        temporary: &Path,
    ) -> Result<Self, Failure> {
        let named = |paths: &[PathBuf]| {
            let each = paths.iter().map(|path| named(path, home));
            each.collect::<Result<Vec<_>, _>>()
        };
        let mut read: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        read.extend(programs(command));
        match &files.read {
            Some(paths) => read.extend(named(paths)?),
            None => read.extend([home.to_owned(), command.folder()]),
        }
        let mut write: Vec<PathBuf> = DEVICES.iter().map(PathBuf::from).collect();
        write.push(temporary.to_owned());
        write.extend(named(&files.write)?);
        Ok(Self {
            read: real(read),
            write: real(write),
        })
    }
}

/// A path of the settings.
fn named(path: &Path, home: &Path) -> Result<PathBuf, Failure> {
    let expanded = PathBuf::from(expand(&path.to_string_lossy(), from_process)?);
    Ok(home.join(from_home(&expanded)))
}

/// Where the command's program and those of its `PATH` are installed: `/x` for `/x/bin/program`.
fn programs(command: &ChildCommand) -> Vec<PathBuf> {
    let program = command.program();
    let real_program = program.canonicalize().unwrap_or_else(|_| program.clone());
    let path = command.variable("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let own = [&program, &real_program]
        .into_iter()
        .filter_map(|file| file.parent());
    let mut found: Vec<PathBuf> = own.map(Path::to_owned).chain(folders).collect();
    let installations: Vec<PathBuf> = found
        .iter()
        .filter_map(|folder| installation(folder))
        .collect();
    found.extend(installations);
    found.extend([program, real_program]);
    found
}

/// The folder above `bin`, unless that is one in which a user keeps other things too.
fn installation(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let above = folder.parent().filter(|_| folder.ends_with("bin"))?;
    let home = user_home();
    let keeps_more = home.is_some_and(|home| {
        let home = home.canonicalize().unwrap_or(home);
        home.starts_with(above) || above == home.join(".local")
    });
    (!keeps_more && above != Path::new("/")).then(|| above.to_owned())
}

fn user_home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

fn real(paths: Vec<PathBuf>) -> BTreeSet<PathBuf> {
    paths
        .into_iter()
        .filter(|path| !path.as_os_str().is_empty())
        .filter_map(|path| path.canonicalize().ok())
        .collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_what_it_needs_its_own_folders_and_what_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for folder in [
            "home",
            "work",
            "tmp",
            "out",
            "tools/bin",
            "tools/lib",
            "data",
        ] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::fs::write(root.join("tools/bin/tool"), "").unwrap();
        let mut command = tokio::process::Command::new(root.join("tools/bin/tool"));
        command
            .env("PATH", "/usr/bin:relative")
            .current_dir(root.join("work"));
        let command = ChildCommand::from(command);
        let of = |files: &SandboxFiles| {
            Roots::of(files, &command, &root.join("home"), &root.join("tmp")).unwrap()
        };
        let roots = of(&SandboxFiles::default());
        for allowed in ["home", "work", "tools", "tools/bin"] {
            assert!(roots.read.contains(&root.join(allowed)), "{allowed}");
        }
        assert!(roots.read.contains(Path::new("/usr")));
        assert!(!roots.read.iter().any(|path| root.starts_with(path)));
        let own: Vec<_> = roots
            .write
            .iter()
            .filter(|path| path.starts_with(&root))
            .collect();
        assert_eq!(own, [&root.join("tmp")]);

        let named = of(&SandboxFiles {
            read: Some(vec!["../data".into(), "../gone".into()]),
            write: vec![root.join("out")],
        });
        assert!(
            named.read.contains(&root.join("data")) && !named.read.contains(&root.join("work"))
        );
        assert!(named.write.contains(&root.join("out")));
    }

    #[test]
    fn an_installation_is_the_folder_above_bin() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("node/bin")).unwrap();
        assert_eq!(
            installation(&root.join("node/bin")),
            Some(root.join("node"))
        );
        assert_eq!(installation(&root.join("node")), None);
        let home = user_home().unwrap();
        for folder in ["/bin", "/sbin"]
            .map(PathBuf::from)
            .into_iter()
            .chain([home.join("bin"), home.join(".local/bin")])
        {
            let opened = installation(&folder);
            assert!(
                opened.is_none_or(|above| !home.starts_with(&above)),
                "{folder:?}"
            );
        }
    }
}
