import { describe, expect, test } from '@jest/globals';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../layers/target/rules/credential.ts';
import { CREDENTIAL_FORMS, commandOptions } from '../../../layers/target/rules/credential-forms.ts';

/** Members of a kind that nobody is asked for: what the service finds out, and parts of what is given in one piece. */
const NOT_ASKED: Readonly<Record<string, readonly string[]>> = {
  hmac: ['algorithm', 'signed', 'headers', 'encoding', 'key_id'],
  mutual_tls: ['not_after'],
  oauth_client: ['extra', 'token_origin'],
  session: ['in', 'name', 'request'],
};
const PIECES: Record<string, readonly string[]> = { hmac: ['recipe'], session: ['place'] };

const KINDS = Object.keys(CREDENTIAL_KINDS) as CredentialKind[];

const named = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('the forms of credentials', () => {
  test.each(KINDS)('ask for each member of %s', (kind) => {
    const { open, sealed } = CREDENTIAL_KINDS[kind];
    const asked = Object.keys(CREDENTIAL_FORMS[kind].fields);
    const members = Object.keys({ ...open, ...sealed }).map(named);
    const pieces = PIECES[kind] ?? [];

    expect(asked.toSorted()).toEqual(
      [...members.filter((one) => !NOT_ASKED[kind]?.includes(one)), ...pieces].toSorted(),
    );
  });

  test.each([
    ['bearer', {}, ''],
    ['api_key', { name: "k'", in: 'query' }, `--name <k'> --in <query>`],
    ['basic', {}, '--username <NAME>'],
    ['oauth_client', {}, '--token-url <URL> --client-id <ID>'],
    [
      'oauth_client',
      { issuer: 'i', client_id: 'me', client_auth: 'post', scopes: 'a b' },
      '--issuer <i> --client-auth <post> --client-id <me> --scope <a> --scope <b>',
    ],
    [
      'session',
      { login: 'in' },
      '--login <in> --token-at </token> --field <username> --field <password>',
    ],
    ['mutual_tls', { certificate: 'x' }, '--certificate-file FILE --key-file FILE'],
    ['hmac', { recipe: '{}' }, '--recipe-file FILE'],
    ['aws', {}, '--role-arn <ARN> --region <REGION> --service <execute-api>'],
  ] as const)('of %s show, of %j, the options %s', (kind, said, options) => {
    expect(commandOptions(kind, said, (word) => `<${word}>`).join(' ')).toBe(options);
  });
});
