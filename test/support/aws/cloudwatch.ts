/**
 * CloudWatch, as far as metrics in log lines, metric filters and alarms go. What it does not know it
 * refuses: an alarm that is not evaluated here is an alarm that no test has seen.
 *
 * Sources: Amazon CloudWatch User Guide, "Specification: Embedded metric format", "Alarm evaluation" and
 * "Configuring how CloudWatch alarms treat missing data"; Amazon CloudWatch Logs User Guide, "Filter
 * pattern syntax for metric filters".
 */

/** One measured value. */
export interface Datum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

type Json = Readonly<Record<string, unknown>>;

const MAX_DIMENSIONS = 30;
const MAX_METRICS = 100;
const UNITS = new Set(['Milliseconds', 'Count']);

/** What CloudWatch makes of a line. @throws Error where it would count a faulty line */
export const embeddedIn = (line: string): readonly Datum[] => {
  const root = JSON.parse(line) as Json;
  if (!('_aws' in root)) return [];
  const { Timestamp: atMs, CloudWatchMetrics: directives } = root['_aws'] as Json;
  if (!Number.isInteger(atMs) || !Array.isArray(directives)) throw new Error('no metadata object');
  return directives.flatMap((directive: Json) => directed(root, directive, atMs as number));
};

const directed = (root: Json, directive: Json, atMs: number): readonly Datum[] => {
  const { Namespace: namespace, Dimensions: sets, Metrics: metrics } = directive;
  if (typeof namespace !== 'string' || !/^[^:].{0,254}$/.test(namespace))
    throw new Error('namespace');
  if (!Array.isArray(sets) || !Array.isArray(metrics)) throw new Error('directive');
  if (metrics.length === 0 || metrics.length > MAX_METRICS) throw new Error('metrics');
  return sets.flatMap((set: readonly string[]) => {
    if (set.length > MAX_DIMENSIONS) throw new Error('dimensions');
    const dimensions = Object.fromEntries(
      set.map((name) => {
        const value = root[name];
        if (typeof value !== 'string' || !/^[\x20-\x7e]{1,1024}$/.test(value)) {
          throw new Error(`dimension ${name}`);
        }
        return [name, value];
      }),
    );
    return metrics.map(({ Name, Unit }: Json) => {
      const value = root[String(Name)];
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`value of ${Name}`);
      if (!UNITS.has(String(Unit))) throw new Error(`unit of ${Name}`);
      return { namespace, name: String(Name), dimensions, value, atMs };
    });
  });
};

/** A metric filter's properties in the template. */
export interface MetricFilterProperties {
  readonly FilterPattern: string;
  readonly MetricTransformations: readonly {
    readonly MetricName: string;
    readonly MetricNamespace: string;
    readonly MetricValue: string;
    readonly Dimensions?: readonly { readonly Key: string; readonly Value: string }[];
  }[];
}

/** What a metric filter makes of a line. */
export const filteredFrom = (
  line: string,
  atMs: number,
  { FilterPattern, MetricTransformations }: MetricFilterProperties,
): readonly Datum[] => {
  if (!matchesFilter(FilterPattern, line)) return [];
  const read = (selector: string) => fieldOf(JSON.parse(line) as Json, selector);
  return MetricTransformations.map((transformation) => {
    const { MetricName: name, MetricNamespace: namespace, MetricValue } = transformation;
    const value = MetricValue.startsWith('$') ? Number(read(MetricValue)) : Number(MetricValue);
    const { Dimensions = [] } = transformation;
    const dimensions = Object.fromEntries(
      Dimensions.map(({ Key, Value }) => [Key, String(read(Value))]),
    );
    return { namespace, name, dimensions, value, atMs };
  });
};

/** Conditions on a line of JSON. Terms, which would be looked for in all of a line, are none that the service has. */
export const matchesFilter = (pattern: string, line: string): boolean => {
  const condition = /^\{ (.*) \}$/s.exec(pattern)?.[1];
  if (condition === undefined) throw new Error(pattern);
  let record: Json;
  try {
    record = JSON.parse(line) as Json;
  } catch {
    return false;
  }
  return holds(condition, record);
};

const holds = (condition: string, record: Json): boolean => {
  const ands = splitTop(condition, '&&');
  if (ands.length > 1) return ands.every((each) => holds(each, record));
  const ors = splitTop(condition, '||');
  if (ors.length > 1) return ors.some((each) => holds(each, record));
  const inner = /^\((.*)\)$/s.exec(condition)?.[1];
  if (inner !== undefined) return holds(inner.trim(), record);
  const [, present] = /^(\$(?:\.\w+)+) = \*$/.exec(condition) ?? [];
  if (present !== undefined) return fieldOf(record, present) !== undefined;
  const [, selector = '', operator, text, number] =
    /^(\$(?:\.\w+)+) (!?=) (?:"([^"]*)"|(\d+))$/.exec(condition) ?? [];
  if (operator === undefined) throw new Error(`no condition: ${condition}`);
  const found = fieldOf(record, selector);
  // A field that is not there compares as neither equal nor different.
  if (found === undefined) return false;
  const equal = text === undefined ? found === Number(number) : isLike(text, found);
  return operator === '=' ? equal : !equal;
};

/** `*` stands for any characters. */
const isLike = (text: string, found: unknown): boolean => {
  const [start = '', end] = text.split('*');
  if (end === undefined) return found === text;
  return `${found}`.startsWith(start) && `${found}`.endsWith(end);
};

const splitTop = (text: string, by: string): readonly string[] => {
  const parts: string[] = [''];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (depth === 0 && text.startsWith(by, at)) {
      parts.push('');
      at += by.length - 1;
      continue;
    }
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    parts.push(`${parts.pop() ?? ''}${text[at]}`);
  }
  return parts.map((part) => part.trim());
};

const fieldOf = (record: Json, selector: string): unknown =>
  selector
    .replace(/^\$\./, '')
    .split('.')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], record);
