//! The user's folders for what the runtime keeps: settings, data, and what may be thrown away.
//!
//! Each is `agent-tools` below the system's own place for such files (`AppData` on Windows, the XDG
//! folders elsewhere, `~/.config` for example), unless a variable names it in full.

use std::path::{Path, PathBuf};

use etcetera::{AppStrategy, AppStrategyArgs, app_strategy, choose_app_strategy};

/// Settings that the user writes; `AGENT_TOOLS_CONFIG_DIR`.
pub(crate) fn config_dir() -> Option<PathBuf> {
    folder("AGENT_TOOLS_CONFIG_DIR", |ours| ours.config_dir())
}

/// What must not get lost; `AGENT_TOOLS_DATA_DIR`.
pub(crate) fn data_dir() -> Option<PathBuf> {
    folder("AGENT_TOOLS_DATA_DIR", |ours| ours.data_dir())
}

/// What was done; `AGENT_TOOLS_STATE_DIR`. Systems without such a place have it among the data.
pub(crate) fn state_dir() -> Option<PathBuf> {
    folder("AGENT_TOOLS_STATE_DIR", |ours| {
        ours.state_dir().unwrap_or_else(|| ours.data_dir())
    })
}

/// What can be made again; `AGENT_TOOLS_CACHE_DIR`.
pub(crate) fn cache_dir() -> Option<PathBuf> {
    folder("AGENT_TOOLS_CACHE_DIR", |ours| ours.cache_dir())
}

#[cfg(windows)]
type Ours = app_strategy::Windows;
#[cfg(not(windows))]
type Ours = app_strategy::Xdg;

/// A path that begins with `~/` as one below the user's home folder; any other as it is.
pub(crate) fn from_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// `None` where no home folder is known.
fn folder(variable: &str, native: impl Fn(Ours) -> PathBuf) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
        return Some(named.into());
    }
    let strategy = choose_app_strategy(AppStrategyArgs {
        top_level_domain: "dev".into(),
        author: "agent-tools-runtime".into(),
        app_name: "agent-tools".into(),
    });
    strategy.ok().map(native)
}
