import { readFile } from 'node:fs/promises';
import type { CredentialKind } from '../../layers/target/rules/credential.ts';
import { usageFailure } from '../failure.ts';
import type { Json } from '../json.ts';
import { objectIn, secretIn, UnusableSecret } from '../../layers/credentials/rules/secret-text.ts';

const PLACES = ['header', 'query', 'cookie'];

/** What is said of a credential on the command line. */
export interface Given {
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly place: string;
  readonly client: OAuthClient;
  readonly role: AwsRole;
  readonly session: Session;
  readonly files: CredentialFiles;
  readonly value: (question: string) => Promise<string>;
}

/** What is said of a client of an authorization server, beside its secret. */
interface OAuthClient {
  readonly issuer: string | undefined;
  readonly token_url: string | undefined;
  readonly client_id: string | undefined;
  readonly client_auth: string | undefined;
  readonly scopes: readonly string[];
  readonly audience: string | undefined;
  readonly resource: string | undefined;
}

/** A role of AWS that calls are signed as. */
interface AwsRole {
  readonly role_arn: string | undefined;
  readonly region: string | undefined;
  readonly service: string | undefined;
  readonly name_user: boolean;
  readonly duration: string | undefined;
}

/** A login of the API itself. */
interface Session {
  readonly login: string | undefined;
  readonly token: string | undefined;
  readonly place: string | undefined;
  readonly prefix: string | undefined;
  readonly lifetime: string | undefined;
  readonly expiry: string | undefined;
  /** `name=value`, or a name alone, whose value is asked for. */
  readonly field: readonly string[];
}

/** Paths of files: of certificates and keys in PEM. */
interface CredentialFiles {
  /** JSON. */
  readonly recipe: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** What a credential of each kind consists of, as the management API takes it. */
export const MEMBERS: Readonly<Record<CredentialKind, (given: Given) => Promise<Json>>> = {
  bearer: async ({ value }) => ({ token: await value('Token') }),
  api_key: async ({ name, place, value }) => {
    if (!name) throw usageFailure('--name is missing: of the header, parameter or cookie.');
    if (!PLACES.includes(place)) {
      throw usageFailure(`--in must be one of ${PLACES.join(', ')}, not "${place}".`);
    }
    return { name, in: place, value: await value('Key') };
  },
  basic: async ({ username, value }) => {
    if (username === undefined) throw usageFailure('--username is missing.');
    return { username, password: await value('Password') };
  },
  oauth_client: async ({ client: { scopes, ...client }, value }) => {
    if (!client.client_id) throw usageFailure('--client-id is missing.');
    if (!client.issuer && !client.token_url) {
      throw usageFailure('--issuer or --token-url is missing: who gives tokens to this client.');
    }
    const said = { ...client, ...(scopes.length > 0 && { scopes }) };
    return client.client_auth === 'private_key_jwt'
      ? { ...said, private_jwk: readBy(jwkIn, await value('Private key (JWK)'), 'The private key') }
      : { ...said, client_secret: await value('Client secret') };
  },
  hmac: async ({ files: { recipe }, value }) => {
    if (!recipe)
      throw usageFailure('--recipe-file is missing: a file of JSON that says what is signed.');
    return { ...readBy(objectIn, await textIn(recipe), recipe), secret: await value('Secret') };
  },
  mutual_tls: async ({ files: { certificate, key } }) => {
    if (!certificate || !key) {
      throw usageFailure('--certificate-file and --key-file are missing: files in PEM.');
    }
    return {
      certificate: secretIn('certificate', await textIn(certificate)),
      private_key: secretIn('private_key', await textIn(key)),
    };
  },
  session: async ({ session: { login, token, place, prefix, lifetime, expiry, field }, value }) => {
    if (!login)
      throw usageFailure('--login is missing: "POST /sessions", as the description has it.');
    if (!token)
      throw usageFailure('--token-at is missing: where the answer has it, such as /token.');
    const [at, name] = place?.split(':', 2) ?? [];
    const fields = new Map<string, string>();
    for (const one of field) {
      const [its = '', ...given] = one.split('=');
      fields.set(its, given.length > 0 ? given.join('=') : await value(its));
    }
    return {
      login,
      token,
      ...(at && { in: at }),
      ...(name && { name }),
      ...(prefix !== undefined && { prefix }),
      ...(lifetime !== undefined && { lifetime_seconds: Number(lifetime) }),
      ...(expiry !== undefined && { expiry }),
      fields: Object.fromEntries(fields),
    };
  },
  aws: async ({ role: { name_user, duration, ...role } }) => {
    for (const [name, given] of Object.entries(role)) {
      if (!given) throw usageFailure(`--${name.replace('_', '-')} is missing.`);
    }
    return {
      ...role,
      ...(name_user && { name_user: true }),
      ...(duration !== undefined && { duration_seconds: Number(duration) }),
    };
  },
};

const textIn = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw usageFailure(`${path} cannot be read.`);
  });

/** What a reader makes of a text. @param what - was given, for its refusal @throws Failure usage */
const readBy = <Value>(read: (text: string) => Value, text: string, what: string): Value => {
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

const jwkIn = (text: string): unknown => secretIn('private_jwk', text);
