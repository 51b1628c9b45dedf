import { objectIn, secretIn, UnusableSecret } from '../../layers/credentials/rules/secret-text.ts';
import { member } from '../../layers/platform/rules/json/json.ts';
import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import {
  CREDENTIAL_FORMS,
  type CredentialField,
  fieldsFor,
  isMissing,
  optionOf,
} from '../../layers/target/rules/credential-forms.ts';
import type { OptionFacts } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, stringOf, textsOf } from '../json.ts';

const helpOf = ({ label = '', help = label.toLowerCase() }: CredentialField): string => help;

const optionFacts = (
  kind: string,
  { value, as, words, unsaid = 'the first', ...field }: CredentialField,
): OptionFacts => ({
  ...(value !== undefined && { value }),
  ...((as === 'list' || as === 'pairs') && { multiple: true }),
  help: `${kind}: ${words ? `${Object.keys(words).join(', ')}; ${unsaid} if omitted` : helpOf(field)}`,
});

/** Options for all members that the command does not ask for. */
export const MEMBER_OPTIONS: Readonly<Record<string, OptionFacts>> = Object.fromEntries(
  Object.entries(CREDENTIAL_FORMS).flatMap(([kind, { fields }]) =>
    Object.entries(fields)
      .filter(([, { label, value }]) => label === undefined || value !== undefined)
      .map(([name, field]) => [optionOf(name, field), optionFacts(kind, field)]),
  ),
);

/** @param ask - for members without an option @param read - a file that an option names @throws Failure usage */
export const membersFrom = async (
  kind: CredentialKind,
  given: Json,
  ask: (question: string) => Promise<string>,
  read: (file: string) => Promise<string>,
): Promise<Json> => {
  const { fields } = CREDENTIAL_FORMS[kind];
  refuseOthers(kind, given);
  const said = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      member(given, optionOf(name, field)) ?? (field.words && field.usual),
    ]),
  );
  const members: Record<string, unknown> = {};
  for (const [name, field] of fieldsFor(kind, said)) {
    if (isMissing(name, field, said)) {
      const other = field.or === undefined ? '' : ` or --${field.or}`;
      throw usageFailure(`--${optionOf(name, field)}${other} is missing: ${helpOf(field)}.`);
    }
    Object.assign(members, await memberIn(name, field, member(said, name), { ask, read }));
  }
  return members;
};

/** Refuses options of other kinds, which would be ignored silently. @throws Failure usage */
const refuseOthers = (kind: CredentialKind, given: Json): void => {
  const its = new Set(
    Object.entries(CREDENTIAL_FORMS[kind].fields).map(([name, field]) => optionOf(name, field)),
  );
  const isSaid = (value: unknown) =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  const other = Object.keys(MEMBER_OPTIONS).find(
    (option) => !its.has(option) && isSaid(member(given, option)),
  );
  if (other === undefined) return;
  throw usageFailure(
    `--${other} is not for credentials of type ${kind}.`,
    other === 'prefix' && kind === 'api_key'
      ? 'A key is sent exactly as it is given: write what stands before it into the value, as in "token abc".'
      : `Leave it out, or choose another --type: it is for ${kindsWith(other).join(', ')}.`,
  );
};

const kindsWith = (option: string): readonly string[] =>
  Object.entries(CREDENTIAL_FORMS).flatMap(([kind, { fields }]) =>
    Object.entries(fields).some(([name, field]) => optionOf(name, field) === option) ? [kind] : [],
  );

const memberIn = async (
  name: string,
  field: CredentialField,
  said: unknown,
  { ask, read }: Record<'ask' | 'read', (text: string) => Promise<string>>,
): Promise<Json> => {
  const { label = name, value, as, words, secret } = field;
  if (secret && value === undefined) {
    const text = await ask(label);
    return { [name]: as === 'object' ? readBy(objectIn, text, label) : text };
  }
  if (said === undefined || said === false) return {};
  const [text, texts] = [stringOf(said), textsOf(said)];
  if (words && !Object.hasOwn(words, text)) {
    const option = optionOf(name, field);
    throw usageFailure(
      `--${option} must be one of ${Object.keys(words).join(', ')}, not "${text}".`,
    );
  }
  switch (as) {
    case 'file':
      return { [name]: secretIn(name, await read(text)) };
    case 'list':
      return texts.length > 0 ? { [name]: texts } : {};
    case 'number':
      return { [name]: Number(text) };
    case 'pairs': {
      const pairs = new Map<string, string>();
      for (const one of texts) {
        const [its = '', ...behind] = one.split('=');
        pairs.set(its, behind.length > 0 ? behind.join('=') : await ask(its));
      }
      return { [name]: Object.fromEntries(pairs) };
    }
    case 'place': {
      const [at, its] = text.split(':', 2);
      return { ...(at && { in: at }), ...(its && { name: its }) };
    }
    case 'recipe':
      return readBy(objectIn, await read(text), text);
    default:
      return { [name]: said };
  }
};

/** @param what - was read, for messages @throws Failure usage */
const readBy = (read: typeof objectIn, text: string, what: string): Json => {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof UnusableSecret)) throw error;
    throw usageFailure(
      `${what} cannot be used: ${error.message}.`,
      'A private key is given as a JSON Web Key, a recipe as an object.',
    );
  }
};
