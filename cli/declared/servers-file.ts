import { type Document, isMap, isScalar, readYaml } from './yaml.ts';
import { EXIT, Failure, type Finding } from '../failure.ts';
import { isJson, type Json } from '../json.ts';
import { nearest } from '../nearest.ts';

export interface ServersFile {
  readonly path: string;
  /** Entries of servers by slug, with the defaults. */
  readonly servers: ReadonlyMap<string, Json>;
  /** `servers.yaml:12:5`, or the place of the nearest parent that the file has. */
  place(slug: string, path: readonly string[]): string;
}

const MAX_BYTES = 1024 * 1024;
const MAX_SERVERS = 50;
const MEMBERS = ['version', 'defaults', 'servers'];
const SLUG = /^[a-z][a-z0-9-]{1,61}[a-z0-9]$/;

/** @throws Failure with all faults, each with line and column. Source: docs/declarations.md, "The file". */
export const readServersFile = (path: string, text: string): ServersFile => {
  if (Buffer.byteLength(text) > MAX_BYTES) throw unusable(path, [fault(path, TOO_LARGE)]);
  const { document, faults, placeOf } = readYaml(text);
  const at = (offset: number | undefined): string =>
    offset === undefined ? path : `${path}:${placeOf(offset)}`;
  const place = (keys: readonly string[]): string => at(offsetOf(document, keys));

  const findings: Finding[] = faults.map(({ offset, what }) =>
    fault(at(offset), [what, 'Mend the YAML first.']),
  );
  if (findings.length > 0) throw unusable(path, findings);
  const content = plainValue(document, path);
  for (const key of Object.keys(content)) {
    if (!MEMBERS.includes(key)) findings.push(unknownMember(place([key]), key, MEMBERS));
  }
  if (content.version !== 1) {
    findings.push(fault(place(['version']), ['not `version: 1`', 'Write `version: 1`.']));
  }
  const defaults = content.defaults ?? {};
  if (!isJson(defaults)) findings.push(fault(place(['defaults']), NO_MAP));
  const entries = isJson(content.servers) ? Object.entries(content.servers) : [];
  if (!isJson(content.servers)) {
    findings.push(fault(place(['servers']), ['missing', 'List servers by their slugs.']));
  }
  if (entries.length > MAX_SERVERS) {
    findings.push(
      fault(place(['servers']), [`more than ${MAX_SERVERS}`, 'Divide them over several files.']),
    );
  }
  for (const [slug, entry] of entries) {
    if (!SLUG.test(slug)) findings.push(fault(place(['servers', slug]), NO_SLUG));
    if (!isJson(entry)) findings.push(fault(place(['servers', slug]), NO_MAP));
  }
  if (findings.length > 0) throw unusable(path, findings);
  return {
    path,
    servers: new Map(
      entries.map(([slug, entry]) => [slug, withDefaults(defaults as Json, entry as Json)]),
    ),
    place: (slug, keys) =>
      document.hasIn(['servers', slug, ...keys.slice(0, 1)])
        ? place(['servers', slug, ...keys])
        : place(
            document.hasIn(['defaults', ...keys.slice(0, 1)])
              ? ['defaults', ...keys]
              : ['servers', slug],
          ),
  };
};

const TOO_LARGE = [
  `larger than ${MAX_BYTES} bytes`,
  'Put long texts into files of their own.',
] as const;
const NO_MAP = ['no map', 'Write members with their values below it.'] as const;
const NO_SLUG = [
  'no slug',
  'Choose 3 to 63 lower-case letters, digits and hyphens, a letter first.',
] as const;

/** Defaults are merged one level deep: a member of the entry replaces the whole default. */
const withDefaults = (defaults: Json, entry: Json): Json => ({ ...defaults, ...entry });

const plainValue = (document: Document.Parsed, path: string): Json => {
  const value: unknown = document.toJS();
  if (isJson(value)) return value;
  throw unusable(path, [fault(path, ['no declaration', 'Begin with `version: 1`.'])]);
};

/** Offset of a key, or of its nearest parent that exists. */
const offsetOf = ({ contents }: Document.Parsed, keys: readonly string[]): number | undefined => {
  let [node, offset]: [unknown, number | undefined] = [contents, undefined];
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: its }) => isScalar(its) && String(its.value) === key);
      if (!pair) return offset;
      offset = isScalar(pair.key) ? pair.key.range?.[0] : offset;
      node = pair.value;
      continue;
    }
    const items = Reflect.get(Object(node), 'items') as unknown;
    const item: unknown = Array.isArray(items) ? items[Number(key)] : undefined;
    if (typeof item !== 'object' || item === null) return offset;
    offset = (Reflect.get(item, 'range') as readonly number[] | undefined)?.[0] ?? offset;
    node = item;
  }
  return offset;
};

export const fault = (
  where: string,
  [what, hint]: readonly [what: string, hint: string],
): Finding => ({ where, what, hint });

export const unknownMember = (where: string, key: string, known: readonly string[]): Finding => {
  const near = nearest(key, known);
  return {
    where,
    what: `\`${key}\` is unknown`,
    hint: near === undefined ? `There are: ${known.join(', ')}.` : `Did you mean \`${near}\`?`,
  };
};

export const unusable = (path: string, findings: readonly Finding[]): Failure =>
  new Failure(EXIT.refused, 'declaration_refused', `${path} cannot be used; nothing was changed.`, {
    findings,
  });
