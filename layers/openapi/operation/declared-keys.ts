import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, member, textMember } from '../../platform/rules/json/json.ts';
import { listOf } from '../../platform/rules/json/members.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { valuesOf } from '../json-schema/types.ts';
import { finding } from '../intake/findings.ts';

/** An API key that is declared as a parameter instead of a security scheme. */
export interface DeclaredKey {
  readonly name: string;
  readonly in: 'header' | 'query' | 'cookie';
}

const PLACES: readonly string[] = ['header', 'query', 'cookie'] satisfies DeclaredKey['in'][];

/** Endings of key names, without case and punctuation: `X-RapidAPI-Key`, `DD-APPLICATION-KEY`. */
const ENDINGS: readonly string[] = (
  'accesskey accesstoken adminkey adminsecret apikey apisecret apitoken appkey applicationkey appsecret authkey ' +
  'authorization authtoken bearertoken clientsecret consumerkey consumersecret functionskey masterkey privatetoken ' +
  'secretkey secrettoken servicekey servicetoken sessiontoken subscriptionkey'
).split(' ');

/** Tokens that belong to the request: for paging, against CSRF, or of a device. */
const NO_KEYS =
  /(?:captcha|continuation|csrf|cursor|delta|device|idempotency|next|page|push|refresh|registration|scroll|sequence|skip|sync|upload|xsrf)token$/;

/** Names of keys, unless the operation is about tokens or sessions. */
const PERHAPS: ReadonlySet<string> = new Set(
  'authentication bearer jwt jwttoken session sessionid token'.split(' '),
);
const ABOUT_TOKENS =
  /token|session|verif|confirm|reset|invit|activat|unsubscri|validat|introspect|revoke|log-?in|sign-?in|auth/i;

const LONGEST_NAME = 100;

/** Finds API keys, which no model can know, among parameters that no security scheme declares. */
export const declaredKeys =
  (
    { root }: Pick<Description, 'root'>,
    isCredential: (name: string, location: string) => boolean,
  ): ((found: FoundOperation) => readonly DeclaredKey[]) =>
  ({ operation, pathItem, path }) =>
    [member(operation, 'parameters'), member(pathItem, 'parameters')]
      .flatMap(listOf)
      .map((entry) => resolved(root, entry))
      .filter(isObject)
      .flatMap((parameter) => {
        const name = textMember(parameter, 'name');
        const place = textMember(parameter, 'in');
        if (!PLACES.includes(place) || name.length > LONGEST_NAME) return [];
        const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
        const bare = plain.replace(/^x(?=.)/, '');
        const schema = member(parameter, 'schema');
        const isGiven = [parameter, schema].some((one) => isObject(one) && valuesOf(one));
        const isToken = PERHAPS.has(bare) || (place === 'header' && bare.endsWith('token'));
        const isKey =
          !isGiven &&
          !NO_KEYS.test(bare) &&
          (ENDINGS.some((ending) => bare.endsWith(ending)) ||
            (isToken && !ABOUT_TOKENS.test(path)));
        return isKey && !isCredential(name, place)
          ? [{ name, in: place as DeclaredKey['in'] }]
          : [];
      });

export const keysAsParameters = (
  operations: readonly FoundOperation[],
  keysOf: (found: FoundOperation) => readonly DeclaredKey[],
): readonly Finding[] => {
  const found = new Map<string, { key: DeclaredKey; pointer: string; operations: number }>();
  for (const operation of operations) {
    for (const key of keysOf(operation)) {
      const identity = `${key.in} ${key.name.toLowerCase()}`;
      const known = found.get(identity);
      if (known) known.operations += 1;
      else found.set(identity, { key, pointer: operation.pointer, operations: 1 });
    }
  }
  return [...found.values()].map(({ key, pointer, operations: count }) =>
    finding(
      `${pointer}/parameters`,
      `${key.name} (${key.in}) looks like a key of the API, and no security scheme declares it; ${count === 1 ? '1 operation declares' : `${count} operations declare`} it`,
      `Set it as the credential (\`npx --no-install hosted-mcp credential set\`): it goes with each call then, and is no argument any more. If it is none, nothing has to be done.`,
    ),
  );
};
