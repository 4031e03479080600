//! Whose choice a plugin is.

/// Who decided that something is used. A cloned repository may carry a configuration of its own; what stands in it was
/// written by others, and gets less trust than what the user has written or the embedding program has asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ChosenBy {
    /// The user's own file, the file that `AGENT_TOOLS_CONFIG`, `--config` or the option `config` names, the options of the
    /// embedding program, and what is installed beside it.
    #[default]
    User,
    /// The `agent-tools.json` of the nearest folder, what it imports, the plugin folders it names, and the files that
    /// other clients keep in a project, whoever imports them.
    Project,
}
