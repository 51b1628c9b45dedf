import {
  CREDENTIAL_FORMS,
  type CredentialField,
  fieldsFor,
  fieldTexts,
} from '../../../../layers/target/rules/credential-forms.ts';
import type { ComponentChildren } from 'preact';
import type { BodyOf } from '../../api/operation.ts';
import { findingsAt, type Problem } from '../../api/problem.ts';
import { type fieldsOf, Select, TextArea, TextField } from '../../kit/form.tsx';
import { member } from '../../../../layers/platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../../../layers/platform/rules/json/parsed-json.ts';
import { linesOf } from '../../kit/words.ts';

type Sent = BodyOf<'PUT /deployments/{slug}/credential'>;
type Kind = Sent['type'];

/** Fields of the form that credentials of every type have. */
export interface CredentialDraft {
  readonly type: Kind;
  /** Names of security schemes in the description, separated by spaces. */
  readonly schemes: string;
  readonly origins: string;
  /** Checked ones of the other hosts that the description names. */
  readonly others: readonly string[];
}

/** Texts that were typed into the fields of each type, except secrets. */
export type Said = Readonly<Record<string, string>>;

const FORMS = Object.entries(CREDENTIAL_FORMS) as readonly [
  Kind,
  (typeof CREDENTIAL_FORMS)[Kind],
][];
const FIELDS = FORMS.flatMap(([, { fields }]) => Object.entries(fields));

export const KINDS = Object.fromEntries(
  FORMS.map(([kind, { title, about }]) => [kind, [title, about]]),
) as unknown as Readonly<Record<Kind, readonly [title: string, about: string]>>;

const USUAL: Said = Object.fromEntries(
  FIELDS.map(([name, { usual, unsaid, words = {} }]) => [
    name,
    usual ?? (unsaid === undefined ? (Object.keys(words)[0] ?? '') : ''),
  ]),
);

/** First values of the form. @param known - credentials by the API's members; the first one of this kind counts */
export const saidOf = (kind: Kind, known: readonly { readonly type: Kind }[]): Said => ({
  ...USUAL,
  ...known.filter(({ type }) => type === kind).map((one) => fieldTexts(kind, { ...one }))[0],
});

/** JSON pointers of the form's fields, which show their findings themselves. */
export const SHOWN = [...FIELDS.map(([name]) => `/${name}`), '/signed', '/origins'];

const fieldsIn = (kind: Kind, said: Said) =>
  fieldsFor(kind, said).filter(([, { label }]) => label !== undefined);

/** Members of a stored credential, by their labels. */
export const membersOf = (
  kind: Kind,
  credential: object,
): Readonly<Record<string, ComponentChildren>> =>
  Object.fromEntries(
    fieldsIn(kind, {}).flatMap(([name, { label = '', words, as }]) => {
      const text = member(fieldTexts(kind, { ...credential }), name) ?? '';
      if (text === '' || as === 'recipe') return [];
      return [[label, member(words ?? {}, text) ?? <code>{text}</code>]];
    }),
  );

export const KindFields = ({
  kind,
  said,
  field,
  secret,
  isSet,
  problem,
}: {
  readonly kind: Kind;
  /** A credential of this kind is stored already; nobody can read its secret. */
  readonly isSet: boolean;
  readonly said: Said;
  readonly field: ReturnType<typeof fieldsOf<Said>>;
  readonly secret: { readonly value: string; readonly onValue: (value: string) => void };
  readonly problem: Problem | undefined;
}) =>
  fieldsIn(kind, said).map(([name, one]) => {
    const { label, words, rows, or = '', optional = false } = one;
    const wired = one.secret
      ? { ...secret, faults: findingsAt(problem, `/${name}`) }
      : {
          ...field(name, one.as === 'recipe' ? '/signed' : undefined),
          value: member(said, name) ?? '',
        };
    const about = { key: name, label, hint: hintOf(one, isSet), ...wired };
    const required = !optional && (member(said, or) ?? '') === '';
    if (words) {
      const { unsaid } = one;
      const options = unsaid === undefined ? words : { '': unsaid, ...words };
      return <Select {...about} options={options} />;
    }
    if (rows) return <TextArea {...about} {...{ rows, required }} />;
    return <TextField {...about} type={one.secret ? 'password' : 'text'} required={required} />;
  });

const KEPT = 'It is stored encrypted. Nobody can read it again, not even you.';
const AGAIN =
  'Nobody can read the stored one, this form neither: whatever you change, enter it again.';

const hintOf = ({ help, as, secret }: CredentialField, isSet: boolean): string | undefined => {
  const hint = help && `${help[0]?.toUpperCase()}${help.slice(1)}.`;
  const lines = as === 'pairs' && 'One per line, as name=value.';
  return [hint, lines, secret && (isSet ? AGAIN : KEPT)].filter(Boolean).join(' ') || undefined;
};

export const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');

/** The credential as the API takes it. @param secret - a value, or lines of `name=value` for a login */
export const credentialOf = (type: Kind, said: Said, secret: string): Sent =>
  Object.assign(
    { type },
    ...fieldsIn(type, said).map(([name, field]) =>
      memberOf(name, field, field.secret ? secret : (member(said, name) ?? '')),
    ),
  );

const memberOf = (name: string, { as }: CredentialField, text: string): object => {
  if (text === '') return {};
  if (as === 'recipe') return objectIn(text);
  if (as === 'place') {
    const [place = '', its = ''] = text.split(':', 2);
    return { in: place.trim(), name: its.trim() };
  }
  if (as === 'list') return { [name]: wordsOf(text) };
  if (as === 'object') return { [name]: objectIn(text) };
  return { [name]: as === 'pairs' ? pairsIn(text) : text };
};

/** Text that is no JSON becomes an empty object, which the API refuses. */
const objectIn = (text: string): object => (jsonOrUndefined(text) ?? {}) as object;

const pairsIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    linesOf(lines).map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name.trim(), value.join('=')];
    }),
  );
