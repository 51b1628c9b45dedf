import { AwsError } from '../wire/aws-error.ts';

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** @throws AwsError for more than one address, and for line breaks, which could add headers (header injection) */
export const readMailbox = (text: string): Mailbox => {
  const [, quoted = '', inBrackets, bare] =
    /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(oneLine(text, 'An address').trim()) ?? [];
  const address = inBrackets ?? bare ?? '';
  if (!ADDRESS.test(address) || address.indexOf('@') > 64 || address.length > 320)
    throw invalid('An address is not valid.');
  const name = quoted
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/\\(.)/g, '$1');
  return { name, address };
};

/**
 * An RFC 5322 dot-atom, and a domain of two labels, or `localhost`, where the local service is. Source: Amazon SES API
 * v2, "SendEmail"; its messages are those of JavaMail, `InternetAddress.checkAddress`.
 */
const ADDRESS =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)$/;

export const writeMailbox = ({ name, address }: Mailbox): string => {
  if (name === '') return address;
  const written = isPlain(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name);
  return `${written} <${address}>`;
};

/** Text of a header such as the subject: printable ASCII as it is, other text in encoded words. */
export const writeText = (text: string): string => (isPlain(text) ? text : encodedWords(text));

/** @throws AwsError if the text has a control character, line breaks above all */
export const oneLine = (text: string, what: string): string => {
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(text)) {
    throw invalid(`${what} contains a control character.`);
  }
  return text;
};

const isPlain = (text: string): boolean =>
  /^[\x20-\x7e]*$/.test(text) && text.length < 900 && !text.includes('=?');

/** Words of at most 75 characters that hold whole characters, one per line. Source: RFC 2047 §2. */
const encodedWords = (text: string): string => {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > 45) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join('\r\n ');
};

const invalid = (message: string) => new AwsError('BadRequestException', message);
