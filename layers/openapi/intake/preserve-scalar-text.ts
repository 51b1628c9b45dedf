import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** Keywords whose values have the type of the schema. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum']);
/** Unquoted scalars that YAML may parse as number or boolean. */
const NO_TEXT = /^(?:[-+]?\.?\d[\w.+-]*|true|false)$/i;

interface Collection {
  readonly isMapping: boolean;
  /** Key of a mapping whose value comes next; undefined before a key. For a list, the key that it is the value of. */
  key?: string | undefined;
  /** Schema that types and values belong to: for a list, that of the object around it. */
  readonly schema: Schema;
}

interface Schema {
  readonly types: string[];
  readonly values: ScalarEvent[];
}

/** Quotes values in string schemas among the events of a YAML document: `01`, `1.0` and `True` stay as written. */
export const preserveScalarText = (source: string, events: readonly Event[]): void => {
  const open: Collection[] = [];
  const sourceText = ({ valueStart, valueEnd }: ScalarEvent) => source.slice(valueStart, valueEnd);

  /** @returns the key of which this node is the value */
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
