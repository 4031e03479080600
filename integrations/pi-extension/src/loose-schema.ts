type Schema = Record<string, unknown>;

/**
 * Pi checks a call against the declared schema before the core sees it, and its complaint has neither a code nor a next
 * step. The core repairs a shape that has one reading, and explains every other; so Pi is given a schema that lets wrong
 * shapes through, and what it no longer demands is said to the model in words.
 */
export function looseSchema({ required, additionalProperties: _, ...schema }: Schema): Schema {
	const needed = Array.isArray(required) ? required : [];
	const properties = Object.entries(Object(schema.properties) as Record<string, Schema>);
	return {
		...schema,
		properties: Object.fromEntries(
			properties.map(([name, property]) => [name, looseProperty(property, needed.includes(name))]),
		),
	};
}

function looseProperty({ type, description, ...property }: Schema, needed: boolean): Schema {
	const isObject = type === "object";
	const words = [needed && "Required.", isObject && "An object.", description].filter(Boolean).join(" ");
	return {
		...(isObject || type === undefined ? {} : { type }),
		...(words ? { description: words } : {}),
		...property,
	};
}
