import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Json, JsonObject } from '../document.ts';

/** Keywords whose values are of the schema's own type. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum']);
/** What YAML may not take for a text, as long as it has no quotes: nothing that quotes would change. */
const NO_TEXT = /^(?:[-+]?\.?\d[\w.+-]*|true|false)$/i;

/**
 * Whether an object is a schema of texts with numbers or truth values among its values: `01`, `1.0` and
 * `True` have lost their spelling then, although the API knows them by it.
 */
export const hasLostSpelling = (object: JsonObject): boolean => {
  if (!isTextType(object['type'])) return false;
  const { enum: values } = object;
  return (
    isPlain(object['default']) ||
    isPlain(object['const']) ||
    (Array.isArray(values) && values.some(isPlain))
  );
};

const isTextType = (type: Json | undefined): boolean =>
  type === 'string' ||
  (Array.isArray(type) &&
    type.includes('string') &&
    type.every((one) => one === 'string' || one === 'null'));

const isPlain = (value: Json | undefined): boolean =>
  typeof value === 'number' || typeof value === 'boolean';

interface Frame {
  readonly isMapping: boolean;
  /** Of a mapping: the key whose value comes next; undefined where a key comes next. */
  key?: string | undefined;
  /** Where the type and the values of a schema belong that a list is part of. */
  readonly schema: Schema;
}

interface Schema {
  readonly types: string[];
  readonly values: ScalarEvent[];
}

/**
 * Puts quotes around values of schemas of texts, so that they stay as they are written: to the events of a
 * YAML document, before it is constructed.
 */
export const keepSpelling = (source: string, events: readonly Event[]): void => {
  const frames: Frame[] = [];
  const textOf = ({ valueStart, valueEnd }: ScalarEvent) => source.slice(valueStart, valueEnd);

  /** Notes that a node begins, and what it is: of `key`, the value, if that has one. */
  const begin = (scalar?: ScalarEvent): string | undefined => {
    const frame = frames.at(-1);
    if (!frame) return undefined;
    if (!frame.isMapping) return frame.key;
    if (frame.key === undefined) {
      frame.key = scalar ? textOf(scalar) : '';
      return undefined;
    }
    const { key } = frame;
    frame.key = undefined;
    return key;
  };

  for (const event of events) {
    if (event.type === EVENT_ID.POP) close(frames.pop());
    else if (event.type === EVENT_ID.ALIAS) begin();
    else if (event.type === EVENT_ID.MAPPING) {
      begin();
      frames.push({ isMapping: true, schema: { types: [], values: [] } });
    } else if (event.type === EVENT_ID.SEQUENCE) {
      const schema = frames.at(-1)?.schema ?? { types: [], values: [] };
      const key = begin();
      const isOfSchema = key === 'enum' || key === 'type';
      frames.push({ isMapping: false, key: isOfSchema ? key : '', schema });
    } else if (event.type === EVENT_ID.SCALAR) {
      const schema = frames.at(-1)?.schema;
      const key = begin(event);
      if (key === 'type') schema?.types.push(textOf(event));
      if (key === undefined || !VALUES.has(key) || event.style !== SCALAR_STYLE.PLAIN) continue;
      if (NO_TEXT.test(textOf(event))) schema?.values.push(event);
    } else frames.push({ isMapping: false, key: '', schema: { types: [], values: [] } });
  }
};

const close = (frame: Frame | undefined): void => {
  if (!frame?.isMapping || !isTextType(frame.schema.types)) return;
  for (const event of frame.schema.values) {
    event.style = SCALAR_STYLE.SINGLE_QUOTED;
    event.fast = false;
  }
};
