import type { Owner } from './data-folder.ts';
import type { Service } from './service.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/**
 * Makes sure that the owner has a verified account, on the plan `pro` and with an operator's rights: whoever owns
 * the machine may invoke every function anyway.
 * Source: docs/local-run.md, "The local owner".
 * @returns id of the account, which owns everything that the command line publishes
 */
export const provisionOwner = async (
  service: Service,
  { email, password }: Owner,
): Promise<string> => {
  const command = { operator: 'provision-account', email, password, name: 'Owner', plan: 'pro' };
  const answer = (await service.invoke('oauth', command)) as { account: { id: string } };
  await service.invoke('oauth', { operator: 'make-operator', email });
  return answer.account.id;
};

/** Calls the management API as the owner, and returns the answer whatever its status. */
export type OwnerApi = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<OwnerAnswer>;

export interface OwnerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Signs the owner in with the password, like anybody. @returns undefined if the owner has chosen another one */
export const signInOwner = async (baseUrl: string, owner: Owner): Promise<OwnerApi | undefined> => {
  const token = await ownerToken(baseUrl, owner);
  return token === undefined ? undefined : apiWith(baseUrl, { authorization: `Bearer ${token}` });
};

/** Token of a session of an hour; undefined if the owner has chosen another password. */
export const ownerToken = async (
  baseUrl: string,
  { email, password }: Owner,
): Promise<string | undefined> => {
  const answer = await apiWith(baseUrl, { 'user-agent': 'npm start' })('POST', '/sessions', {
    email,
    password,
  });
  return (answer.body as { readonly access_token?: string }).access_token;
};

const apiWith =
  (baseUrl: string, headers: Readonly<Record<string, string>>): OwnerApi =>
  async (method, path, body) => {
    const answer = await fetch(`${baseUrl}/mcp-management${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : parsedJson(text) };
  };
