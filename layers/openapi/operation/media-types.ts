import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { OperationBody } from '../tool-index.ts';

type Form = OperationBody['form'];

/** What a media type is written as; by its name without parameters. */
export const formOf = (mediaType: string): Form => {
  const type = bare(oneOf(mediaType));
  if (isJson(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.startsWith('text/') || isXml(type) || TEXTS.has(type)) return 'text';
  return 'binary';
};

/**
 * The media type to send, of those a description offers: JSON if it can be, then forms, then text.
 *
 * Source: docs/tools.md, "Bodies".
 */
export const preferredMediaType = (mediaTypes: readonly string[]): string | undefined =>
  withinLimit(mediaTypes).toSorted((a, b) => rank(a) - rank(b))[0];

/**
 * The media type that a body is to be sent in whatever else is described: `x-media-type` of the body or of its
 * operation, for APIs that describe JSON where they read forms.
 */
export const wantedMediaType = (...places: readonly JsonObject[]): string | undefined =>
  places
    .map((place) => member(place, 'x-media-type'))
    .find((type) => typeof type === 'string' && /^\w[\w.+-]*\/\w[\w.+-]*$/.test(type)) as
    string | undefined;

/** Thousands of operations may share one list of them; no honest one is longer. */
const MOST_TYPES = 100;

/** As many of the media types that a description lists as are looked at. */
export const withinLimit = (mediaTypes: readonly string[]): readonly string[] =>
  mediaTypes.slice(0, MOST_TYPES);

/**
 * The type to be sent for a range such as `image/*`, and whether that was a choice of ours.
 *
 * @param content - what the schema says of a body that is no JSON in any case: a string is its own text, and
 *   quotes around it would be part of what the API stores
 */
export const concreteMediaType = (
  mediaType: string,
  content?: 'text' | 'bytes',
): { mediaType: string; isGuess: boolean } => {
  const one = oneOf(mediaType);
  const type = bare(one);
  if (NO_TYPE_OF_JSON.test(type)) return { mediaType: 'application/json', isGuess: true };
  if (!type.includes('*')) return { mediaType: one.trim(), isGuess: false };
  if (isJson(type) && content === 'bytes') return { mediaType: BYTES, isGuess: true };
  if (type === '*/*' && content === 'text') return { mediaType: 'text/plain', isGuess: true };
  if (isJson(type)) return { mediaType: 'application/json', isGuess: type !== '*/*' };
  if (type === 'text/*') return { mediaType: 'text/plain', isGuess: true };
  if (type === 'multipart/*') return { mediaType: 'multipart/form-data', isGuess: true };
  return { mediaType: BYTES, isGuess: true };
};

const BYTES = 'application/octet-stream';

export const isXml = (mediaType: string): boolean => /[/+]xml$/.test(bare(oneOf(mediaType)));

export const isJson = (mediaType: string): boolean => {
  const type = bare(mediaType);
  return (
    /[/+]json$/.test(type) ||
    type === '*/*' ||
    type === 'application/*' ||
    NO_TYPE_OF_JSON.test(type)
  );
};

/** `json`, or `applicationjson`: no media type at all, and no doubt about what is meant. */
const NO_TYPE_OF_JSON = /^[^/+]*json$/;

/** Of several that stand in one text (`application/json, application/xml`), the one that suits best. */
const oneOf = (mediaType: string): string =>
  mediaType.includes(',') && !mediaType.includes('"')
    ? (preferredMediaType(mediaType.split(',')) ?? mediaType)
    : mediaType;

const bare = (mediaType: string): string => mediaType.split(';', 1).join().trim().toLowerCase();

/** Text, though the name does not say so. */
const TEXTS: ReadonlySet<string> = new Set(
  'application/jsonl application/x-ndjson application/x-jsonlines application/json-seq application/geo+json-seq application/jsonlines application/yaml application/x-yaml application/toml application/graphql application/sql application/sdp application/javascript application/x-javascript application/xml-dtd application/rtf application/x-sh application/ld+turtle'.split(
    ' ',
  ),
);

const ORDER: readonly Form[] = ['json', 'form', 'multipart', 'text', 'binary'];

const rank = (mediaType: string): number => {
  const type = bare(oneOf(mediaType));
  const isPlainJson = type === 'application/json' ? 0 : 1;
  return ORDER.indexOf(formOf(type)) * 4 + (type.includes('*') ? 2 : 0) + isPlainJson;
};
