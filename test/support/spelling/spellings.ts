/** How programs write a text: of each kind the way of a serializer that is in use, and ways that none takes. */
export interface Spelling {
  readonly name: string;
  readonly encode: (text: string) => string;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const units = (text: string): readonly number[] =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
const each = (text: string, write: (character: string, codePoint: number) => string): string =>
  [...text].map((character) => write(character, character.codePointAt(0) ?? 0)).join('');
const bytesOf = (text: string): readonly number[] => [...Buffer.from(text, 'utf8')];

const unicodeEscaped = (text: string): string =>
  units(text)
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join('');
const upperDigits = (text: string): string =>
  text.replace(/(\\u|\\x|%|&#x)([\da-f]+)/g, (_, begin: string, digits: string) =>
    begin.concat(digits.toUpperCase()),
  );
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const jsonEscaping = (characters: RegExp) => (text: string) =>
  json(text).replace(characters, unicodeEscaped);
const BEYOND_ASCII = /[^\x20-\x7e]/g;
const gson = jsonEscaping(/[<>&='\u2028\u2029]/g);
const goJson = jsonEscaping(/[<>&\u2028\u2029]/g);
const dotNet = (text: string): string =>
  text
    .replace(/["&'+<>`]|[^\x20-\x7e]/g, (found) => upperDigits(unicodeEscaped(found)))
    .replace(/\\(?!u[\dA-F]{4})/g, '\\\\');
const phpJson = (text: string): string =>
  json(text).replaceAll('/', '\\/').replace(BEYOND_ASCII, unicodeEscaped);

const percent = (text: string): string => encodeURIComponent(text);
const percentAll = (text: string): string =>
  bytesOf(text)
    .map((byte) => `%${hex(byte, 2)}`)
    .join('');
const strict = (text: string): string =>
  percent(text).replace(/[!'()*]/g, (found) => upperDigits(percentAll(found)));

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const html =
  (apostrophe: string, quote = '&quot;') =>
  (text: string) =>
    text.replace(/[&<>"']/g, (found) =>
      found === "'" ? apostrophe : found === '"' ? quote : (named[found] ?? found),
    );
const PUNCTUATION: Readonly<Record<string, string>> = {
  ...named,
  "'": '&apos;',
  '+': '&plus;',
  '=': '&equals;',
  '/': '&sol;',
  ':': '&colon;',
  '.': '&period;',
  _: '&lowbar;',
  '\\': '&bsol;',
  ö: '&ouml;',
  ß: '&szlig;',
};
const htmlNamed = (text: string): string => each(text, (found) => PUNCTUATION[found] ?? found);

const scriptEscaped = (text: string): string =>
  units(text)
    .map((unit) => (unit < 256 ? `\\x${hex(unit, 2)}` : `\\u${hex(unit, 4)}`))
    .join('');
const backslashed = (text: string): string => text.replace(/[\x20-\x2f:-@[-`{-~]/g, '\\$&');

const base64 =
  (encoding: 'base64' | 'base64url', before: string, behind = '') =>
  (text: string) =>
    Buffer.from(`${before}${text}${behind}`, 'utf8').toString(encoding);
const wrapped = (text: string, end: string): string => text.replace(/.{76}/g, `$&${end}`);
const LONG = 'x'.repeat(50);

const spelling = (name: string, ...encoders: readonly ((text: string) => string)[]): Spelling => ({
  name,
  encode: (text) => encoders.reduce((written, encode) => encode(written), text),
});

/** What a whole text may be written in before it comes to a client, whatever it holds already. */
export const ENCODERS: readonly Spelling[] = [
  spelling('JSON', json),
  spelling('JSON of Gson', gson),
  spelling('JSON of .NET', dotNet),
  spelling('JSON of PHP', phpJson),
  spelling('an address', percent),
  spelling('HTML', html('&#39;')),
  spelling('HTML of Go', html('&#39;', '&#34;')),
];

/** Whole texts, each spelling the same for all of its characters. */
export const SPELLINGS: readonly Spelling[] = [
  spelling('as it is'),
  spelling('JSON', json),
  spelling('JSON in ASCII', json, (text) => text.replace(BEYOND_ASCII, unicodeEscaped)),
  spelling('JSON of Gson', gson),
  spelling('JSON of Go', goJson),
  spelling('JSON of .NET', dotNet),
  spelling('JSON of PHP', phpJson),
  spelling('JSON, all escaped', unicodeEscaped),
  spelling('JSON, all escaped in capitals', unicodeEscaped, upperDigits),
  spelling('JSON in JSON', json, json),
  spelling('JSON of Gson in JSON', gson, json),
  spelling('JSON of .NET in JSON of Gson', dotNet, gson),
  spelling('JSON in JSON in JSON', json, json, json),
  spelling('JSON, all escaped, in JSON', unicodeEscaped, json),
  spelling('percent', percent),
  spelling('percent, small letters', percent, (text) =>
    text.replace(/%../g, (found) => found.toLowerCase()),
  ),
  spelling('percent, strict', strict),
  spelling('percent, as a form', strict, (text) => text.replaceAll('%20', '+')),
  spelling('percent, all', percentAll),
  spelling('percent, all in capitals', percentAll, upperDigits),
  spelling('percent twice', percent, percent),
  spelling('percent, all, twice', percentAll, percent),
  spelling('percent, all, all twice', percentAll, percentAll),
  spelling('percent in JSON of Gson', percent, gson),
  spelling('percent in HTML', percent, html('&#39;')),
  spelling('HTML', html('&#39;')),
  spelling('HTML of Go', html('&#39;', '&#34;')),
  spelling('HTML of PHP', html('&#039;')),
  spelling('HTML of Python', html('&#x27;')),
  spelling('HTML of Handlebars', html('&#x27;'), (text) =>
    text.replaceAll('=', '&#x3D;').replaceAll('`', '&#x60;'),
  ),
  spelling('HTML, all by name', htmlNamed),
  spelling('HTML, all decimal', (text) => each(text, (_, code) => `&#${code};`)),
  spelling('HTML, all decimal with zeros', (text) =>
    each(text, (_, code) => `&#${String(code).padStart(8, '0')};`),
  ),
  spelling('HTML, all hexadecimal', (text) => each(text, (_, code) => `&#x${hex(code, 1)};`)),
  spelling('HTML, all hexadecimal in capitals', (text) =>
    each(text, (_, code) => `&#X${hex(code, 1).toUpperCase()};`),
  ),
  spelling('HTML, all hexadecimal with zeros', (text) =>
    each(text, (_, code) => `&#x${hex(code, 8)};`),
  ),
  spelling('HTML twice', html('&#39;'), html('&#39;')),
  spelling(
    'HTML, all decimal, in HTML',
    (text) => each(text, (_, code) => `&#${code};`),
    html('&#39;'),
  ),
  spelling('HTML in JSON of Go', html('&#39;', '&#34;'), goJson),
  spelling(
    'HTML, all decimal, in JSON of Gson',
    (text) => each(text, (_, code) => `&#${code};`),
    gson,
  ),
  spelling('HTML in percent', html('&#39;'), percent),
  spelling('JSON in HTML', json, html('&#39;')),
  spelling('JSON of Gson in HTML', gson, html('&#39;')),
  spelling('JSON in percent', json, percent),
  spelling('JSON, all escaped, in percent', unicodeEscaped, percent),
  spelling('JavaScript', scriptEscaped),
  spelling('JavaScript in capitals', scriptEscaped, upperDigits),
  spelling('JavaScript in JSON', scriptEscaped, json),
  spelling('JavaScript, but letters and digits', (text) =>
    text.replace(/[^A-Za-z0-9]/g, scriptEscaped),
  ),
  spelling('backslashes before all but letters and digits', backslashed),
  spelling('backslashes in JSON', backslashed, json),
  spelling('base64', base64('base64', '')),
  spelling('base64 behind one byte', base64('base64', ':', ' and more')),
  spelling('base64 behind two bytes', base64('base64', 'a:', ' and more')),
  spelling('base64url', base64('base64url', '')),
  spelling('base64url behind one byte', base64('base64url', ':', ' and more')),
  spelling('base64url behind two bytes', base64('base64url', 'a:', ' and more')),
  spelling('base64 of JSON', (text) => JSON.stringify({ text }), base64('base64', '')),
  spelling('base64 in lines', base64('base64', LONG, LONG), (text) => wrapped(text, '\n')),
  spelling('base64 in lines of mails', base64('base64', `${LONG}x`, LONG), (text) =>
    wrapped(text, '\r\n'),
  ),
  spelling('base64url in lines', base64('base64url', `${LONG}xx`, LONG), (text) =>
    wrapped(text, '\n'),
  ),
  spelling(
    'base64 in lines in JSON',
    base64('base64', LONG, LONG),
    (text) => wrapped(text, '\n'),
    json,
  ),
  spelling(
    'base64 in lines of mails in JSON in JSON',
    base64('base64', LONG),
    (text) => wrapped(text, '\r\n'),
    json,
    json,
  ),
  spelling('base64 in JSON of PHP', base64('base64', ''), phpJson),
  spelling('base64 in percent', base64('base64', ''), percent),
  spelling('base64 in JSON of Gson', base64('base64', ''), gson),
  spelling('hexadecimal', (text) => Buffer.from(text, 'utf8').toString('hex')),
  spelling('hexadecimal in capitals', (text) =>
    Buffer.from(text, 'utf8').toString('hex').toUpperCase(),
  ),
  spelling('hexadecimal within more', (text) => Buffer.from(`a ${text} b`, 'utf8').toString('hex')),
];

/** Names of HTML for what begins other escapes are left out: nobody writes a letter with one. */
const NAMED_ALONE = ['%', '#', '\\'];

/**
 * A text with each character spelled in a way of its own.
 *
 * @param next - 0 or more, below 1
 */
export const spelledAtRandom = (text: string, next: () => number): string =>
  each(text, (character, code) => {
    const ways = [
      character,
      unicodeEscaped(character),
      upperDigits(unicodeEscaped(character)),
      percentAll(character),
      upperDigits(percentAll(character)),
      percent(percentAll(character)),
      `&#${'0'.repeat(Math.floor(next() * 4))}${code};`,
      `&#x${hex(code, 1 + Math.floor(next() * 6))};`,
      ...(code < 256 ? [scriptEscaped(character)] : []),
      ...(/[\x21-\x2f:-@[-`{-~]/.test(character) ? [`\\${character}`] : []),
      ...(NAMED_ALONE.includes(character) ? [] : [htmlNamed(character)]),
    ];
    return ways[Math.floor(next() * ways.length)] ?? character;
  });
