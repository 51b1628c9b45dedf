/** A schema that is an object, not a boolean. Source: JSON Schema 2020-12, "JSON Schema Objects and Keywords". */
export type Schema = Readonly<Record<string, unknown>>;
