//! The sections of `agent-tools.json`.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    ConfigEntry, ConfiguredPlugin,
    entry::{CliEntry, McpEntry, OpenApiEntry},
};
use crate::{
    audit::{AuditSettings, TelemetrySettings},
    config::{
        ChosenBy, Deadlines, ProjectKeys, RepeatLimits,
        jsonc::{self, Dialect},
        keys::{keys_of, unknown_key, with_suggestion},
    },
    network::NetworkSettings,
    plugin::{find::package_folder, manifest::PluginSettings},
    policy::PolicyKeys,
    secrets::{Definitions, SecretDefinition},
    text_file::read_text,
    trust::TrustSettings,
    view::ViewKind,
};

/// Entries by name.
type Entries = IndexMap<String, Map<String, Value>>;

/// One file, read.
pub(super) struct ConfigFile {
    pub path: PathBuf,
    /// Where relative paths start.
    pub dir: PathBuf,
    pub keys: ConfigKeys,
}

/// The keys of the file.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ConfigKeys {
    /// The address of this schema, for editors.
    #[serde(default, rename = "$schema")]
    _schema: Option<String>,
    /// MCP servers by prefix, in the form that most clients use.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, McpEntry>")]
    pub mcp_servers: Entries,
    /// HTTP services by prefix, each described by an OpenAPI or Swagger document.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, OpenApiEntry>")]
    pub openapi: Entries,
    /// Command-line programs by prefix.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, CliEntry>")]
    pub cli: Entries,
    /// Plugin folders: a path, the name of an npm package, or an object with either and what replaces keys of its manifest.
    #[serde(default)]
    #[schemars(with = "Vec<FolderItem>")]
    pub plugins: Vec<Value>,
    /// Other clients whose MCP servers are used too, by name or by the path of their file.
    #[serde(default)]
    pub import: Vec<String>,
    /// What may be called, what the user is asked about, and what is not to be had.
    #[serde(default)]
    pub policy: Option<PolicyKeys>,
    /// Time limits, in milliseconds.
    #[serde(default)]
    pub deadlines: Option<Deadlines>,
    /// When repeated failures are explained, and when they are refused.
    #[serde(default)]
    pub repeats: Option<RepeatLimits>,
    /// Where services may lead to besides the public internet. Counts in the user's own file alone.
    #[serde(default)]
    pub network: Option<NetworkSettings>,
    /// Which tools the commands `mcp` and `http` show; `auto` when absent.
    #[serde(default)]
    pub view: Option<ViewKind>,
    /// The call log.
    #[serde(default)]
    pub audit: AuditSettings,
    /// Where spans of calls are sent.
    #[serde(default)]
    pub telemetry: TelemetrySettings,
    /// Tools and skills shown directly beside `discover` and `call`: globs of `<prefix>/<name>`.
    #[serde(default)]
    pub pin: Option<Vec<String>>,
    /// What the files of projects may do; in the user's own file only.
    #[serde(default)]
    pub projects: Option<ProjectKeys>,
    /// Secrets by name, which entries name as `${secret:NAME}`, and where each is kept.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, SecretDefinition>")]
    pub secrets: Definitions,
    /// How much is asked of what services say about their tools. A project's file may only ask for more than the user's own.
    #[serde(default)]
    pub trust: Option<TrustSettings>,
}

impl ConfigFile {
    /// The error is the end of a sentence that begins with the path.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let root = jsonc::parse(&read_text(path)?, Dialect::WithComments)?;
        // A list would be read as the values of the keys, in their order.
        let Value::Object(keys) = &root else {
            return Err("it must hold an object, as {\"mcpServers\": {}}".into());
        };
        let keys = read_keys(keys).map_err(|error| explained(error, &root))?;
        Ok(Self {
            dir: path.parent().unwrap_or(Path::new("")).to_owned(),
            path: path.to_owned(),
            keys,
        })
    }
}

/// The error names the key whose value is wrong.
fn read_keys(keys: &Map<String, Value>) -> Result<ConfigKeys, String> {
    let error = match serde_json::from_value(Value::Object(keys.clone())) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    let wrong = keys.iter().find_map(|(key, value)| {
        let alone = json!({ key: value });
        let error = serde_json::from_value::<ConfigKeys>(alone)
            .err()?
            .to_string();
        Some(match error.starts_with("unknown field") {
            true => error,
            false => format!("`{key}`: {}", with_suggestion(error)),
        })
    });
    Err(wrong.unwrap_or_else(|| error.to_string()))
}

fn explained(error: String, root: &Value) -> String {
    let foreign = ["servers", "context_servers", "inputs", "projects", "mcp"];
    if foreign.iter().any(|key| root.get(key).is_some()) {
        return format!(
            "{error}. It looks like another client's file: name it in `import` of an agent-tools.json"
        );
    }
    with_suggestion(error)
}

/// An item of `plugins` in the published schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum FolderItem {
    /// A path that begins with `./`, `../` or `/`, or the name of an npm package.
    Place(String),
    /// The same with changes.
    Folder(Box<FolderKeys>),
}

/// An item of `plugins` that is an object.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(extend("additionalProperties" = false))]
pub(crate) struct FolderKeys {
    /// The plugin's folder, relative to the file.
    path: Option<String>,
    /// An npm package that is installed in `node_modules` beside the file or above it, instead of `path`.
    package: Option<String>,
    /// Whether the plugin is loaded; true when absent.
    enabled: Option<bool>,
    /// Part of every tool's name, instead of the manifest's own.
    #[serde(rename = "prefix")]
    _prefix: Option<String>,
    /// Variables for the plugin's program or modules; `${VAR}` expands.
    #[serde(rename = "env")]
    _env: IndexMap<String, String>,
    #[serde(flatten)]
    _settings: PluginSettings,
}

/// Reads an item of `plugins` of the file `file`.
pub(super) fn folder_plugin(
    entry: &Value,
    file: &Path,
    chosen_by: ChosenBy,
) -> Result<ConfiguredPlugin, String> {
    let base = file.parent().unwrap_or(Path::new(""));
    let entry = match entry {
        Value::String(place) if is_path(place) => json!({ "path": place }),
        Value::String(package) => json!({ "package": package }),
        other => other.clone(),
    };
    let Value::Object(mut changes) = entry.clone() else {
        return Err(format!(
            "{entry} is neither a path, the name of a package nor an object"
        ));
    };
    if let Some(wrong) = unknown_key(&changes, &keys_of::<FolderKeys>()) {
        return Err(wrong);
    }
    let keys: FolderKeys =
        serde_json::from_value(entry).map_err(|error| with_suggestion(error.to_string()))?;
    let dir = match (keys.path, keys.package) {
        (Some(path), None) => {
            let dir = base.join(&path);
            if !dir.join("plugin.json").is_file() {
                return Err(format!("{path:?} has no plugin.json (looked in {})", dir.display()));
            }
            dir
        }
        (None, Some(package)) => package_folder(base, &package).ok_or_else(|| {
            let base = base.display();
            format!(
                "the package {package:?} is not installed here or above; run: npm install --prefix {base} {package} \
                 (a path begins with ./)"
            )
        })?,
        _ => return Err("an item needs exactly one of `path` and `package`".into()),
    };
    if keys.enabled == Some(false) {
        return Ok(ConfiguredPlugin::Disabled(dir));
    }
    for key in ["path", "package", "enabled"] {
        changes.shift_remove(key);
    }
    Ok(ConfiguredPlugin::Folder {
        dir,
        changes,
        entry: ConfigEntry::of_folder(file),
        chosen_by,
    })
}

/// `./x`, `../x`, `/x` and `C:\x` are paths; all else is a package.
fn is_path(text: &str) -> bool {
    text.starts_with('.') || Path::new(text).is_absolute() || text.contains('\\')
}
