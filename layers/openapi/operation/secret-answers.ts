import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';

/** Members that hold a secret wherever they stand. Lower case, without what stands between words. */
const SECRETS = new Set(
  (
    'accesstoken apikey apisecret apitoken authtoken bearertoken clientsecret consumersecret idtoken jwt oauthtoken ' +
    'passphrase password privatekey refreshtoken secret secretaccesskey secretkey sessiontoken sharedsecret signingkey ' +
    'signingsecret webhooksecret'
  ).split(' '),
);
/** Members that hold one where the operation is about secrets; elsewhere they page or name things. */
const PERHAPS = new Set(['key', 'sha1', 'token']);
const ABOUT = new Set(
  'apikey apikeys auth authenticate login session sessions signin token tokens tsigkey tsigkeys webhook webhooks'.split(
    ' ',
  ),
);
/** `/api/keys` is about secrets, `/ssh/keys` has the half that everybody may know. */
const KEYS = new Set(['key', 'keys']);
const BEFORE_KEYS = new Set(['access', 'api', 'auth', 'license', 'secret']);

const MAX_DEPTH = 5;
const MAX_SCHEMAS = 2_000;

/**
 * Which member of a successful answer is a secret: a token, a key or a password.
 *
 * @returns its name as the description writes it, or nothing
 *
 * Source: docs/tools.md, "Tools that give out secrets".
 */
export const secretInAnswer = (
  { dialect, root }: Description,
  { path, operation }: Pick<FoundOperation, 'path' | 'operation'>,
): string | undefined => {
  const responses = member(operation, 'responses');
  if (!isObject(responses)) return undefined;
  const schemas = Object.entries(responses).flatMap(([status, node]) => {
    if (!status.startsWith('2')) return [];
    const response = resolved(root, node);
    if (!isObject(response)) return [];
    if (dialect === 'swagger-2.0') return [member(response, 'schema')];
    const content = member(response, 'content');
    return Object.values(isObject(content) ? content : {}).map((media) => {
      const found = resolved(root, media);
      return isObject(found) ? member(found, 'schema') : undefined;
    });
  });
  return secretIn(root, schemas, isAboutSecrets(path));
};

/** Breadth first, so that the nearest is named; each schema once, since they may refer to each other. */
const secretIn = (
  root: JsonObject,
  schemas: readonly (Json | undefined)[],
  isAbout: boolean,
): string | undefined => {
  const seen = new Set<JsonObject>();
  let level: readonly (Json | undefined)[] = schemas;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: (Json | undefined)[] = [];
    for (const node of level) {
      const schema = resolved(root, node ?? null);
      if (!isObject(schema) || seen.has(schema)) continue;
      if (seen.size >= MAX_SCHEMAS) return undefined;
      seen.add(schema);
      const properties = member(schema, 'properties');
      for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
        const value = resolved(root, property);
        if (isSecret(name, isAbout) && isGivenText(value)) return name;
        next.push(value);
      }
      next.push(member(schema, 'items'));
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
        const parts = member(schema, keyword);
        if (Array.isArray(parts)) next.push(...parts);
      }
    }
    level = next;
  }
  return undefined;
};

const isSecret = (name: string, isAbout: boolean): boolean => {
  const plain = name.replace(/[^a-zA-Z\d]/g, '').toLowerCase();
  return SECRETS.has(plain) || (isAbout && PERHAPS.has(plain));
};

/** A text that answers have: `password` of a form is written only, and `secret: true` says whether. */
const isGivenText = (schema: Json | undefined): boolean => {
  if (!isObject(schema) || member(schema, 'writeOnly') === true) return false;
  const type = member(schema, 'type');
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
};

const isAboutSecrets = (path: string): boolean => {
  const words = path
    .replace(/\{[^{}]*\}/g, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some(
    (word, index) => ABOUT.has(word) || (KEYS.has(word) && BEFORE_KEYS.has(words[index - 1] ?? '')),
  );
};
