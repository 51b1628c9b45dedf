import { member } from '../../platform/rules/json/json.ts';
import type { CredentialKind } from './credential.ts';

/**
 * A member of a credential. With a `value` or without a `label` it is an option of the command line; with a `label`
 * it is a field of the console's form, required unless it is optional.
 */
export interface CredentialField {
  readonly label?: string;
  readonly optional?: true;
  /** Name of the option, where it differs from the member's. */
  readonly option?: string;
  /** Placeholder for its value in the command line's help. */
  readonly value?: string;
  /** Help for field and option; by default the label. */
  readonly help?: string;
  /**
   * How a text becomes the member; by default unchanged. `file`: a path on the command line, the text in the form;
   * `recipe`: a JSON file with several members; `place`: two members.
   */
  readonly as?: 'file' | 'list' | 'number' | 'object' | 'pairs' | 'place' | 'recipe';
  /** The form's word for no choice; absent: the first value is preselected. */
  readonly unsaid?: string;
  /** The only allowed values, with the form's words for them. */
  readonly words?: Readonly<Record<string, string>>;
  /** The member that may be given instead. */
  readonly or?: string;
  /** Initial value in the form. */
  readonly usual?: string;
  /** Can never be read again. */
  readonly secret?: true;
  /** Lines of the form's text area. */
  readonly rows?: number;
  /** Whether it applies, given the other members. */
  readonly where?: (said: Said) => boolean;
}

type Said = Readonly<Record<string, unknown>>;

/** @param asked - completes "the operation wants" @param fields - by the API's names of members */
const form = (
  title: string,
  about: string,
  asked: string,
  fields: Readonly<Record<string, CredentialField>>,
) => ({ title, about, asked, fields });

/** A recipe that many APIs use. */
const RECIPE = {
  algorithm: 'sha256',
  signed: '{timestamp}.{method}.{target}.{body}',
  headers: { 'X-Timestamp': '{timestamp}', 'X-Signature': '{signature}' },
};

const FILE = { value: 'FILE', as: 'file', rows: 3 } as const;
const SECONDS = { value: 'SECONDS', as: 'number' } as const;
const signs = ({ client_auth: by }: Said): boolean => by === 'private_key_jwt';

/** Each member here is an option of `credential set` and a field of the console. */
export const CREDENTIAL_FORMS: Readonly<Record<CredentialKind, ReturnType<typeof form>>> = {
  bearer: form('Bearer token', 'Authorization: Bearer …', 'a bearer token', {
    token: { label: 'Token', secret: true },
  }),
  api_key: form('API key', 'In a header, the query or a cookie', 'a key', {
    name: { label: 'Name of the key', value: 'NAME', usual: 'X-Api-Key' },
    in: {
      label: 'Sent in',
      value: 'PLACE',
      words: { header: 'a header', query: 'the query', cookie: 'a cookie' },
      usual: 'header',
    },
    value: { label: 'Key', secret: true },
  }),
  basic: form('User and password', 'Authorization: Basic …', 'a user name and a password', {
    username: { label: 'User name', value: 'NAME' },
    password: { label: 'Password', secret: true },
  }),
  oauth_client: form('OAuth client', 'Tokens by client credentials, renewed', 'an access token', {
    token_url: {
      label: 'Token endpoint',
      value: 'URL',
      help: 'where tokens are given, without metadata; the secret goes to this host and to no other',
      or: 'issuer',
    },
    issuer: {
      label: 'Or the issuer',
      optional: true,
      value: 'URL',
      help: 'who gives tokens; its metadata name the token endpoint',
    },
    client_auth: {
      label: 'Client authentication',
      value: 'METHOD',
      unsaid: 'its secret, as the server takes it',
      words: {
        basic: 'its secret in Authorization',
        post: 'its secret in the body',
        private_key_jwt: 'a signature (private_key_jwt)',
      },
    },
    client_id: { label: 'Client ID', value: 'ID', help: 'what the client is called there' },
    scopes: {
      label: 'Scopes',
      optional: true,
      option: 'scope',
      value: 'SCOPE',
      help: 'what a token is to allow',
      as: 'list',
    },
    audience: { value: 'TEXT', help: 'whom a token is meant for' },
    resource: { value: 'URI', help: 'the same, by RFC 8707' },
    client_secret: { label: 'Client secret', secret: true, where: (said) => !signs(said) },
    private_jwk: { label: 'Private key (JWK)', as: 'object', secret: true, rows: 3, where: signs },
  }),
  session: form('Login', 'A login operation of the API gives a token, renewed', 'a login', {
    login: {
      label: 'Login operation',
      value: 'OPERATION',
      help: 'the login, as in "POST /sessions"; it is taken out of the tools',
    },
    token: {
      label: 'Token in the answer',
      option: 'token-at',
      value: 'PLACE',
      help: 'where its answer has the token: /data/token, header:Name, cookie:name',
      usual: '/token',
    },
    fields: {
      label: 'What the login wants',
      option: 'field',
      value: 'NAME=VALUE',
      help: 'what it wants, by the names of its arguments',
      as: 'pairs',
      secret: true,
      rows: 3,
    },
    place: {
      label: 'Sent in',
      optional: true,
      value: 'PLACE:NAME',
      help: 'where calls carry it: header:NAME, query:NAME or cookie:NAME; header:Authorization if omitted',
      as: 'place',
    },
    prefix: {
      label: 'Before the token',
      optional: true,
      value: 'TEXT',
      help: 'before the token; "Bearer " in Authorization',
    },
    lifetime_seconds: { ...SECONDS, option: 'lifetime', help: 'how long one lasts' },
    expiry: { value: 'POINTER', help: 'where the answer has its end' },
  }),
  mutual_tls: form(
    'Client certificate',
    'Connections show it (mutual TLS)',
    'a client certificate',
    {
      certificate: {
        label: 'Certificate',
        option: 'certificate-file',
        ...FILE,
        help: 'client certificate and chain, in PEM',
      },
      private_key: {
        label: 'Private key',
        option: 'key-file',
        ...FILE,
        help: 'its private key, in PEM without a passphrase',
        secret: true,
      },
    },
  ),
  hmac: form('Signature', 'An HMAC of each request, by a recipe', 'a signature of each request', {
    recipe: {
      label: 'Recipe',
      option: 'recipe-file',
      value: 'FILE',
      help: 'in JSON: what is signed, and which headers say what; parts of a request stand in braces',
      as: 'recipe',
      usual: JSON.stringify(RECIPE, null, 2),
      rows: 8,
    },
    secret: { label: 'Secret', secret: true },
  }),
  aws: form('AWS role', 'Calls are signed with keys of a role', 'signatures of an AWS role', {
    role_arn: {
      label: 'Role',
      value: 'ARN',
      help: 'the role that calls are signed as; your operator lists which may be assumed, and it has to trust this service',
    },
    region: { label: 'Region', value: 'REGION', help: 'where the API is' },
    service: {
      label: 'Service',
      value: 'NAME',
      help: 'execute-api, lambda, appsync, es, aoss or s3',
      usual: 'execute-api',
    },
    name_user: { help: 'let CloudTrail name who calls' },
    duration_seconds: { ...SECONDS, option: 'duration', help: 'of keys, 900 to 3600 (if omitted)' },
  }),
};

export const optionOf = (name: string, { option }: CredentialField): string =>
  option ?? name.replaceAll('_', '-');

/** The members of a kind that apply. @param said - the members so far */
export const fieldsFor = (kind: CredentialKind, said: Said) =>
  Object.entries(CREDENTIAL_FORMS[kind].fields).filter(([, { where }]) => where?.(said) ?? true);

/** Whether a required option is not given yet. */
export const isMissing = (name: string, field: CredentialField, said: Said): boolean =>
  field.label !== undefined &&
  field.value !== undefined &&
  !(field.optional || field.words || field.as === 'pairs') &&
  [name, field.or ?? name].every((one) => member(said, one) === undefined);

/**
 * Options of the command that sets such a credential, with placeholders for missing ones.
 * @param loginFields - names of the login's arguments, where the description has them
 */
export const commandOptions = (
  kind: CredentialKind,
  said: Said,
  quoted: (word: string) => string,
  loginFields: readonly string[] = USUAL_FIELDS,
): readonly string[] =>
  fieldsFor(kind, said).flatMap(([name, field]) => {
    const { value = '', as, usual = value, label } = field;
    const option = `--${optionOf(name, field)}`;
    if (value === '' || label === undefined) return [];
    if (as === 'pairs') return loginFields.map((its) => `${option} ${quoted(its)}`);
    if (as === 'file' || as === 'recipe') return [`${option} ${value}`];
    const given = isMissing(name, field, said) ? usual : String(member(said, name) ?? '');
    const words = as === 'list' ? given.split(/\s/) : [given];
    return words.filter((word) => word !== '').map((word) => `${option} ${quoted(word)}`);
  });

const USUAL_FIELDS = ['username', 'password'];

/**
 * The members of a set or proposed credential as texts, without secrets and absent ones.
 * @param credential - by the API's names of members
 */
export const fieldTexts = (
  kind: CredentialKind,
  credential: Said,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(CREDENTIAL_FORMS[kind].fields)
      .map(([name, field]) => [name, fieldText(name, field, credential)] as const)
      .filter(([, text]) => text !== ''),
  );

const RECIPE_MEMBERS = ['algorithm', 'signed', 'headers', 'encoding', 'key_id'] as const;

const fieldText = (name: string, { as, secret }: CredentialField, credential: Said): string => {
  const its = (one: string): unknown => member(credential, one);
  if (secret) return '';
  if (as === 'place')
    return its('in') && its('name') ? `${String(its('in'))}:${String(its('name'))}` : '';
  if (as === 'recipe') {
    const said = RECIPE_MEMBERS.filter((one) => its(one) !== undefined);
    const recipe = Object.fromEntries(said.map((one) => [one, its(one)]));
    return said.length > 0 ? JSON.stringify(recipe, null, 2) : '';
  }
  return [its(name) ?? ''].flat().join(' ');
};

export const askedText = (way: {
  readonly type: CredentialKind;
  readonly name?: unknown;
  readonly in?: unknown;
}): string =>
  way.type === 'api_key'
    ? `a key in the ${way.in === 'query' ? 'query parameter' : String(way.in)} ${String(way.name)}`
    : CREDENTIAL_FORMS[way.type].asked;
