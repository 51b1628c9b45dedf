/**
 * Formats that every model API accepts in tool schemas. Not `uri`: OpenAI's strict functions answer "'uri' is not a
 * valid format".
 * Source: OpenAI, "Structured model outputs", Supported properties; Claude API, "Structured outputs", JSON Schema
 * limitations.
 */
export const PORTABLE_FORMATS: ReadonlySet<string> = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uuid'.split(' '),
);

/** Internal format of a file's text; the description says in words that it is base64. */
export const BASE64_OF_FILE = 'base64 of a file';

export interface CheckedFormat {
  readonly matches: (text: string) => boolean;
  readonly meaning: string;
}

/** Formats that are validated; others are only descriptive. Source: JSON Schema 2020-12 Validation §7.3. */
export const checkedFormat = (name: unknown): CheckedFormat | undefined =>
  CHECKED.get(name as string);

/** Source: RFC 3339 §5.6. */
const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const start = Date.parse(`${text}T00:00:00Z`);
  // `Date.parse` turns 30 February into a day of March.
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
};

const DATE_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)[t\s](?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d|60)(?:\.\d+)?)?(?:z|(?<zone>[+-](?:[01]\d|2[0-3]))(?::?(?<zoneMinute>[0-5]\d))?)?$/i;

/**
 * The time zone is optional, since local times of Java and .NET have none, and a blank may replace `T`.
 * Source: RFC 3339 §5.6, §5.7; ISO 8601 for what is shorter.
 */
const isDateTime = (text: string): boolean => {
  const {
    date = '',
    hour,
    minute,
    second,
    zone = '+0',
    zoneMinute = '0',
  } = DATE_TIME.exec(text)?.groups ?? {};
  if (!isDate(date)) return false;
  if (second !== '60') return true;
  // A leap second ends a day in UTC.
  const offset = Number(zone) * 60 + Number(`${zone.charAt(0)}${zoneMinute}`);
  return (Number(hour) * 60 + Number(minute) - offset + 1441) % 1440 === 0;
};

/** With hyphens or without any, as Python and .NET write it; in braces as on Windows, or as the URN of RFC 9562 §4. */
const UUID =
  /^(?:(?:urn:uuid:)?(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})|\{[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\})$/i;

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)(?:\.(?!$)|$)){4}$/;

/** Source: RFC 4291 §2.2, as URLs have it: WHATWG URL, "IPv6 parser". */
const isIpv6 = (text: string): boolean =>
  /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`);

const MAILBOX =
  /^(?<local>"(?:[ !#-[\]-~]|\\[ -~])*"|[\w.!#$%&'*+/=?^`{|}~-]{1,64})@(?<domain>.{1,253})$/;
const HOSTNAME = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Source: RFC 5321 §4.1.2. */
const isEmail = (text: string): boolean => {
  const { local = '', domain = '' } = MAILBOX.exec(text)?.groups ?? {};
  if (local === '' || local.length > 64) return false;
  if (/^\.|\.$|\.\./.test(local) && !local.startsWith('"')) return false;
  const [, address] = /^\[(.*)\]$/.exec(domain) ?? [];
  if (address === undefined) return HOSTNAME.test(domain);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : IPV4.test(address);
};

const CHECKED: ReadonlyMap<string, CheckedFormat> = new Map([
  ['date-time', { matches: isDateTime, meaning: 'a date and time, such as 2030-01-31T12:00:00Z' }],
  ['date', { matches: isDate, meaning: 'a date, such as 2030-01-31' }],
  ['uuid', { matches: (text) => UUID.test(text), meaning: 'a UUID' }],
  ['ipv4', { matches: (text) => IPV4.test(text), meaning: 'an IPv4 address' }],
  ['ipv6', { matches: isIpv6, meaning: 'an IPv6 address' }],
  ['email', { matches: isEmail, meaning: 'an e-mail address' }],
]);
