type Schema = Readonly<Record<string, unknown>>;

/** What a format asks for, with an example. Source: JSON Schema 2020-12, "Vocabularies for Semantic Content With format". */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'Date and time with time zone, such as 2026-11-24T10:00:00Z',
  date: 'Date, such as 2026-11-24',
  time: 'Time, such as 10:00:00Z',
  duration: 'Length of time, such as P1DT2H',
  email: 'E-mail address',
  hostname: 'Host name, such as api.example.com',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  uri: 'Address, such as https://example.com/a',
  uuid: 'UUID, such as 7f4df1a6-1c1f-4b5d-9f1b-2f0d3d1f6a10',
  byte: 'Base64',
  binary: 'Base64',
};

/** Which values an argument takes, in words: format, limits, default and an example; empty if all are. */
export const hintsOf = (schema: Schema): string => {
  const format = schema['format'];
  const [example] = Array.isArray(schema['examples']) ? schema['examples'] : [schema['example']];
  const said = [
    typeof format === 'string' ? FORMATS[format] : undefined,
    rangeOf(numberIn(schema, 'minimum'), numberIn(schema, 'maximum')),
    moreThan(schema),
    withUnit(rangeOf(numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')), 'characters'),
    withUnit(rangeOf(numberIn(schema, 'minItems'), numberIn(schema, 'maxItems')), 'entries'),
    typeof schema['pattern'] === 'string' ? `In the form ${schema['pattern']}` : undefined,
    membersOf(schema),
    example === undefined ? undefined : `For example ${textOf(example)}`,
    schema['default'] === undefined ? undefined : `${textOf(schema['default'])} if left empty`,
  ];
  return said
    .filter((one) => one !== undefined)
    .map((one) => `${one}.`)
    .join(' ');
};

const numberIn = (schema: Schema, name: string): number | undefined =>
  typeof schema[name] === 'number' ? schema[name] : undefined;

const rangeOf = (least: number | undefined, most: number | undefined): string | undefined => {
  if (least !== undefined && most !== undefined) {
    return least === most ? `Exactly ${least}` : `${least} to ${most}`;
  }
  if (least !== undefined) return least === 0 ? undefined : `At least ${least}`;
  return most === undefined ? undefined : `At most ${most}`;
};

const moreThan = (schema: Schema): string | undefined => {
  const above = numberIn(schema, 'exclusiveMinimum');
  const below = numberIn(schema, 'exclusiveMaximum');
  const step = numberIn(schema, 'multipleOf');
  const said = [
    above === undefined ? undefined : `More than ${above}`,
    below === undefined ? undefined : `Less than ${below}`,
    step === undefined ? undefined : `A multiple of ${step}`,
  ].filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join('. ');
};

const withUnit = (range: string | undefined, unit: string): string | undefined =>
  range === undefined ? undefined : `${range} ${unit}`;

const MOST_MEMBERS = 8;

/** Members of an object, or of the objects of a list. */
const membersOf = ({ properties, items, required }: Schema): string | undefined => {
  if (isSchema(items)) return membersOf(items);
  if (!isSchema(properties)) return undefined;
  const needed = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  const shown = names
    .slice(0, MOST_MEMBERS)
    .map((name) => (needed.includes(name) ? `${name} (required)` : name));
  if (shown.length === 0) return undefined;
  return `Members: ${shown.join(', ')}${names.length > MOST_MEMBERS ? ' and more' : ''}`;
};

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST = 80;

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
};
