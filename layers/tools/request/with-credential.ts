import type { StoredCredential } from '../../target/rules/credential.ts';
import type { TargetRequest } from '../../target/rules/target.ts';
import { percentEncode } from './percent-encode.ts';
import { placeCredential } from './place-credential.ts';

/**
 * A request without a body, with a credential in its place: for what is no call of a tool.
 *
 * @throws RpcRefusal `server_error` if the secret holds what a header cannot
 */
export const withCredential = (
  { method, url, headers }: Pick<TargetRequest, 'headers' | 'method' | 'url'>,
  credential: StoredCredential,
): TargetRequest => {
  const placed = placeCredential(credential);
  const query = placed.query.map((pair) => pair.map((text) => percentEncode(text)).join('='));
  const [address = ''] = url.split('#', 1);
  const joint = address.includes('?') ? '&' : '?';
  const cookies = placed.cookies.map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    method,
    url: query.length > 0 ? `${address}${joint}${query.join('&')}` : address,
    headers: { ...headers, ...(cookies !== '' && { cookie: cookies }), ...placed.headers },
    credentialOrigins: credential.origins,
  };
};
