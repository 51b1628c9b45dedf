import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** Keywords whose values are of the schema's own type. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum']);
/** What YAML may not take for a text, as long as it has no quotes: nothing that quotes would change. */
const NO_TEXT = /^(?:[-+]?\.?\d[\w.+-]*|true|false)$/i;

/** A list or an object while its events go by. */
interface Collection {
  readonly isMapping: boolean;
  /** Of a mapping, the key whose value comes next: undefined where a key does. Of a list, its keyword. */
  key?: string | undefined;
  /** Where the type and the values belong: a list is part of the schema around it. */
  readonly schema: Schema;
}

/** What of an object counts if it is a schema. */
interface Schema {
  readonly types: string[];
  readonly values: ScalarEvent[];
}

/**
 * Puts quotes around values of schemas of texts, so that `01`, `1.0` and `True` stay as they are written:
 * the API knows them by it. To the events of a YAML document, before it is constructed.
 */
export const preserveScalarText = (source: string, events: readonly Event[]): void => {
  const open: Collection[] = [];
  const sourceText = ({ valueStart, valueEnd }: ScalarEvent) => source.slice(valueStart, valueEnd);

  /** Notes that a node begins. @returns the key that it is the value of, if it is one */
  const begin = (scalar?: ScalarEvent): string | undefined => {
    const parent = open.at(-1);
    if (!parent?.isMapping) return parent?.key;
    const { key } = parent;
    parent.key = key === undefined ? (scalar ? sourceText(scalar) : '') : undefined;
    return key;
  };

  for (const event of events) {
    if (event.type === EVENT_ID.POP) quoteValues(open.pop());
    else if (event.type === EVENT_ID.ALIAS) begin();
    else if (event.type === EVENT_ID.MAPPING) {
      begin();
      open.push({ isMapping: true, schema: noSchema() });
    } else if (event.type === EVENT_ID.SEQUENCE) {
      const schema = open.at(-1)?.schema ?? noSchema();
      const key = begin();
      open.push({ isMapping: false, key: key === 'enum' || key === 'type' ? key : '', schema });
    } else if (event.type === EVENT_ID.SCALAR) {
      const schema = open.at(-1)?.schema;
      const key = begin(event);
      if (key === 'type') schema?.types.push(sourceText(event));
      if (key === undefined || !VALUES.has(key) || event.style !== SCALAR_STYLE.PLAIN) continue;
      if (NO_TEXT.test(sourceText(event))) schema?.values.push(event);
    } else open.push({ isMapping: false, key: '', schema: noSchema() });
  }
};

const noSchema = (): Schema => ({ types: [], values: [] });

const quoteValues = (ended: Collection | undefined): void => {
  if (!ended?.isMapping || !isTextType(ended.schema.types)) return;
  for (const event of ended.schema.values) {
    event.style = SCALAR_STYLE.SINGLE_QUOTED;
    event.fast = false;
  }
};

const isTextType = (types: readonly string[]): boolean =>
  types.includes('string') && types.every((one) => one === 'string' || one === 'null');
