import type { Credential, TargetAnswer } from '../../target/target.ts';

const MASK = '[masked]';

/** Shorter secrets are masked only where they stand alone; shorter than that, never: they are everywhere. */
const SHORTEST_ANYWHERE = 6;
const SHORTEST = 4;

/**
 * A text without the credential's secret, in any form that a target may echo it in: as it is,
 * percent-encoded, escaped as JSON or HTML, as base64 alone or within a longer text.
 */
export const maskSecrets = (text: string, credential: Credential | undefined): string =>
  formsOf(credential).reduce((masked, form) => maskText(masked, form), text);

/**
 * An answer without the credential's secret in body and headers, for results and everything made of
 * them. Masked before anything is cut, so that no part of a secret is left at a cut.
 *
 * Source: docs/outgoing-calls.md, "Secrets in answers".
 */
export const maskAnswer = (
  answer: TargetAnswer,
  credential: Credential | undefined,
): TargetAnswer => {
  const forms = formsOf(credential);
  if (forms.length === 0) return answer;
  const mask = (text: string) => forms.reduce(maskText, text);
  return {
    ...answer,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, mask(value)]),
    ),
    body: maskBytes(answer.body, forms, answer.cut !== undefined),
  };
};

const maskText = (text: string, form: string): string => {
  if (!text.includes(form)) return text;
  if (form.length >= SHORTEST_ANYWHERE) return text.replaceAll(form, MASK);
  const [first = '', ...rests] = text.split(form);
  const pieces = [first];
  // Of pieces, not of the text so far: to look at the end of that, it would be copied each time.
  let before = first.at(-1);
  for (const rest of rests) {
    const between = isLetter(before) || isLetter(rest.at(0)) ? form : MASK;
    pieces.push(between, rest);
    before = (rest || between).at(-1);
  }
  return pieces.join('');
};

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Bytes are searched as Latin-1, in which every byte is one character, in UTF-8 and both UTF-16. */
const maskBytes = (body: Uint8Array, forms: readonly string[], isCut: boolean): Uint8Array => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Text without a NUL is not UTF-16, as far as secrets go.
  const encodings = bytes.includes(0) ? [utf8, ...UTF_16] : [utf8];
  const encoded = forms.flatMap((form) => encodings.map((encode) => encode(form)));
  const found = encoded.filter((form) => bytes.includes(form, 0, 'latin1'));
  const tail = isCut ? secretTail(bytes, encoded) : 0;
  if (found.length === 0 && tail === 0) return body;
  const text = bytes.toString('latin1', 0, bytes.length - tail);
  return Buffer.from(found.reduce(maskText, text), 'latin1');
};

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const UTF_16: readonly ((text: string) => string)[] = [
  (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1'),
];

/** How many bytes at the end of a cut body are the beginning of a secret. */
const secretTail = (bytes: Buffer, forms: readonly string[]): number => {
  const longest = Math.max(...forms.map((form) => form.length));
  const end = bytes.toString('latin1', Math.max(0, bytes.length - longest));
  for (let length = end.length; length >= SHORTEST; length -= 1) {
    const tail = end.slice(end.length - length);
    if (forms.some((form) => form.length > length && form.startsWith(tail))) return length;
  }
  return 0;
};

/** Longest first, so that a form within another does not break it up. */
const formsOf = (credential: Credential | undefined): readonly string[] =>
  [...new Set(secretsOf(credential).flatMap(writtenForms))]
    .filter((form) => form.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);

const secretsOf = (credential: Credential | undefined): readonly string[] => {
  switch (credential?.type) {
    case undefined:
      return [];
    case 'bearer':
      return [credential.token];
    case 'api_key':
      return [credential.value];
    case 'basic': {
      const { username, password } = credential;
      const pair = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
      // Where there is no real password, the user name is the key.
      return password.length >= SHORTEST_ANYWHERE ? [password, pair] : [username, password, pair];
    }
  }
};

const writtenForms = (secret: string): readonly string[] => {
  if (secret.length < SHORTEST) return [];
  const percent = encodeURIComponent(secret.toWellFormed());
  const strict = percent.replace(/[!'()*]/g, (c) =>
    `%${c.charCodeAt(0).toString(16)}`.toUpperCase(),
  );
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    ...[percent, strict].flatMap((form) => [
      form,
      form.replaceAll('%20', '+'),
      form.replaceAll(/%../g, (triple) => triple.toLowerCase()),
    ]),
    json,
    json.replaceAll('/', '\\/'),
    escapedAs(json, (code) => code),
    escapedAs(json, (code) => code.toUpperCase()),
    secret.replaceAll(/[&<>"']/g, (character) => HTML[character] ?? character),
    ...base64Forms(secret),
  ];
};

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As serializers write that escape all that HTML or ASCII cannot hold. */
const escapedAs = (json: string, digits: (code: string) => string): string =>
  json.replaceAll(
    /[<>&'+`]|[^\x20-\x7e]/g,
    (character) => `\\u${digits(character.charCodeAt(0).toString(16).padStart(4, '0'))}`,
  );

/** The digits that a secret makes at each of the three places it can have within encoded bytes. */
const base64Forms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < SHORTEST_ANYWHERE) return [];
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const own = digits.slice(Math.ceil((before * 8) / 6), whole);
    return [own, own.replaceAll('-', '+').replaceAll('_', '/')];
  });
};
