/**
 * @typedef {object} Schema a JSON schema as schemars writes it
 * @property {string} [title]
 * @property {string} [description]
 * @property {string | string[]} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema} [items]
 * @property {unknown[]} [enum]
 * @property {unknown} [const]
 * @property {unknown} [default]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema | boolean} [additionalProperties]
 * @property {Record<string, Schema>} [$defs]
 */

/** Where a type stands in the schemas. */
const DEFINITION = "#/$defs/";

/**
 * What the schema says, as Markdown: a section for the file, and one for each type that it uses.
 *
 * @param {Schema} schema
 * @param {string} title of the first section
 */
export function reference(schema, title) {
	const types = Object.entries(schema.$defs ?? {});
	const sections = types.filter(([, type]) => type.properties || forms(type).length > 1);
	const context = { types: new Map(types), linked: new Set(sections.map(([name]) => name)) };
	return [
		`## ${title}`,
		"",
		...section(schema, context),
		...sections.flatMap(([name, type]) => ["", `## ${name}`, "", ...section(type, context)]),
		"",
	].join("\n");
}

/** @typedef {{types: Map<string, Schema>, linked: Set<string>}} Context `linked`: the types that have a section */

/**
 * @param {Schema} type
 * @param {Context} context
 */
function section(type, context) {
	const text = type.description ? [type.description.trim(), ""] : [];
	const keys = type.properties ? table(type, context) : [];
	const choice = forms(type).filter((form) => form.type !== "null");
	if (choice.length === 0) return [...text, ...keys];
	const rows = choice.map((form) => `| ${typeText(form, context)} | ${meaning(form, context)} |`);
	return [...text, ...keys, ...(keys.length > 0 ? [""] : []), "| value | what it means |", "|---|---|", ...rows];
}

/** @param {Schema} type */
function forms(type) {
	return type.oneOf ?? type.anyOf ?? [];
}

/**
 * @param {Schema} form
 * @param {Context} context
 */
function meaning(form, context) {
	const keys = Object.entries(form.properties ?? {}).map(([key, value]) => `\`${key}\`: ${typeText(value, context)}`);
	return [oneLine(form.description), ...(keys.length > 0 ? [`(${keys.join("; ")})`] : [])].join(" ");
}

/**
 * @param {Schema} type
 * @param {Context} context
 */
function table({ properties = {}, required = [] }, context) {
	return [
		"| key | value | what it is |",
		"|---|---|---|",
		...Object.entries(properties).map(([key, value]) => {
			const must = required.includes(key) ? " Required." : "";
			return `| \`${key}\` | ${typeText(value, context)} | ${oneLine(value.description)}${must}${defaultText(value)} |`;
		}),
	];
}

/**
 * @param {Schema} type
 * @param {Context} context
 * @returns {string}
 */
function typeText(type, context) {
	if (type.$ref) return named(type.$ref.slice(DEFINITION.length), context);
	if (type.const !== undefined) return `\`${JSON.stringify(type.const)}\``;
	if (type.enum) return type.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
	const choice = forms(type).filter((form) => form.type !== "null");
	if (choice.length > 0) return [...new Set(choice.map((form) => typeText(form, context)))].join(" or ");
	const kinds = [type.type ?? "anything"].flat().filter((kind) => kind !== "null");
	return kinds.map((kind) => kindText(kind, type, context)).join(" or ");
}

/**
 * @param {string} kind
 * @param {Schema} type
 * @param {Context} context
 */
function kindText(kind, { items, additionalProperties, minimum, maximum }, context) {
	if (kind === "array") return items ? `list of ${typeText(items, context)}` : "list";
	if (kind === "object") {
		return typeof additionalProperties === "object" ? `object of ${typeText(additionalProperties, context)}` : "object";
	}
	if (kind !== "integer" && kind !== "number") return kind;
	if (maximum !== undefined) return `${kind}, ${minimum ?? 0} to ${maximum}`;
	return minimum ? `${kind}, at least ${minimum}` : kind;
}

/**
 * @param {string} name
 * @param {Context} context
 */
function named(name, context) {
	if (context.linked.has(name)) return `[${name}](#${name.toLowerCase()})`;
	return typeText(context.types.get(name) ?? {}, context);
}

/** @param {Schema} schema */
function defaultText({ default: value }) {
	const isNone = value === undefined || value === null || value === "" || value === false;
	if (isNone || (typeof value === "object" && Object.keys(value).length === 0)) return "";
	return ` Default: \`${JSON.stringify(value)}\`.`;
}

/** For a cell of a table. */
function oneLine(text = "") {
	return text
		.replace(/\s*\n\s*/g, " ")
		.replaceAll("|", "\\|")
		.trim();
}
