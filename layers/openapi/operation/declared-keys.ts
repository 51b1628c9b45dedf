import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, member, textMember } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { valuesOf } from '../json-schema/types.ts';
import { finding } from '../intake/findings.ts';

/** A key of an API that its description declares as a parameter, and by no security scheme. */
export interface DeclaredKey {
  readonly name: string;
  readonly in: 'header' | 'query' | 'cookie';
}

const PLACES: readonly string[] = ['header', 'query', 'cookie'] satisfies DeclaredKey['in'][];

/** How names of keys end, without case and marks: `X-RapidAPI-Key`, `DD-APPLICATION-KEY`. */
const ENDINGS: readonly string[] = (
  'accesskey accesstoken adminkey adminsecret apikey apisecret apitoken appkey applicationkey appsecret authkey ' +
  'authorization authtoken bearertoken clientsecret consumerkey consumersecret functionskey masterkey privatetoken ' +
  'secretkey secrettoken servicekey servicetoken sessiontoken subscriptionkey'
).split(' ');

/** Tokens in headers that belong to the request: they page, prove where a form came from, or name a device. */
const NO_KEYS =
  /(?:captcha|continuation|csrf|cursor|delta|device|idempotency|next|page|push|refresh|registration|scroll|sequence|skip|sync|upload|xsrf)token$/;

/** These are keys as well, unless the operation is about what they are of. */
const PERHAPS: ReadonlySet<string> = new Set(
  'authentication bearer jwt jwttoken session sessionid token'.split(' '),
);
const ABOUT_TOKENS =
  /token|session|verif|confirm|reset|invit|activat|unsubscri|validat|introspect|revoke|log-?in|sign-?in|auth/i;

const LONGEST_NAME = 100;

/**
 * Finds the keys among the parameters of operations: no model knows them, whatever it is asked for.
 *
 * @param isCredential - whether a security scheme has such a parameter
 */
export const declaredKeys =
  (
    { root }: Pick<Description, 'root'>,
    isCredential: (name: string, location: string) => boolean,
  ): ((found: FoundOperation) => readonly DeclaredKey[]) =>
  ({ operation, pathItem, path }) =>
    [member(operation, 'parameters'), member(pathItem, 'parameters')]
      .flatMap((list) => (Array.isArray(list) ? list : []))
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

/** Warns once of each, with what takes it from the models. */
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
