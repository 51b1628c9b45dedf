import type { FetchedAddress } from '../rules/fetch-terms.ts';
import type { DescriptionSource } from '../steps/descriptions/fetch-description.ts';
import { apiBytes, documentJson, readAs } from '../../platform/http/api-body.ts';
import { type HttpEvent, isGzipType, isJsonType } from '../../platform/http/event.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { descriptionTooLarge } from '../../openapi/intake/parse.ts';
import * as z from 'zod';
import { type BodyReader, schemaOf } from '../../api/body.ts';
import { readQuery } from '../../api/request.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export interface WithDescription<Fields> {
  readonly fields: Fields;
  readonly source: DescriptionSource | undefined;
  /** Addresses and hashes that somebody has reviewed; undefined: whatever they serve now. */
  readonly fetched?: readonly FetchedAddress[] | undefined;
}

type Envelope<Fields> = Fields & {
  readonly openapi?: string | Readonly<Record<string, unknown>> | undefined;
  readonly openapi_url?: string | undefined;
  readonly openapi_headers?: Readonly<Record<string, string>> | undefined;
  readonly fetched?: readonly FetchedAddress[] | undefined;
};

const YAML = /^\s*(?:application|text)\/(?:x-)?yaml\s*(?:;|$)/i;

/** Bytes of JSON around a description, escaping included. */
const ENVELOPE = (maxBytes: number) => 2 * maxBytes + 1024 * 1024;

/**
 * Reads a description with fields: either one JSON object, plain or gzipped, that holds both; or the description itself
 * (`application/yaml`, or JSON with `openapi` or `swagger` at its root), with the fields in the query, as JSON unless
 * they are texts.
 *
 * @param schema - reads the fields and, of the JSON object, the description
 * @param query - reads the fields alone
 * Source: docs/decisions/descriptions.md, "Size and depth".
 */
export const descriptionBody = <Fields>(
  { limits }: LimitsSettings,
  schema: z.ZodType<Envelope<Fields>>,
  query: z.ZodType<Fields>,
): BodyReader<WithDescription<Fields>> => {
  const maxBytes = limits.openapi_max_bytes;
  const tooLarge = () => descriptionTooLarge(`The description is larger than ${maxBytes} bytes.`);
  const raw = (event: HttpEvent, bytes: Uint8Array): WithDescription<Fields> => {
    if (bytes.length > maxBytes) throw tooLarge();
    const mediaType = event.headers['content-type']?.trim() ?? '';
    return { fields: readQuery(event, query) as Fields, source: { sent: bytes, mediaType } };
  };

  const read = (event: HttpEvent): WithDescription<Fields> => {
    if (YAML.test(event.headers['content-type'] ?? '')) {
      return raw(event, apiBytes(event, maxBytes, tooLarge));
    }
    if (!isJsonType(event) && !isGzipType(event)) {
      throw new ApiRefusal(
        'unsupported_media_type',
        'Send application/json or application/yaml; or, if it is large, JSON packed as application/gzip.',
      );
    }
    const bytes = apiBytes(event, ENVELOPE(maxBytes), tooLarge);
    const sent = documentJson(bytes);
    if (isDescription(sent)) return raw(event, bytes);
    readQuery(event);
    const { openapi, openapi_url, openapi_headers, fetched, ...fields } = readAs(schema, sent);
    if (openapi_headers && openapi_url === undefined) throw headersWithoutAddress();
    const source = sourceIn(openapi, openapi_url, openapi_headers);
    return { fields: fields as Fields, source, ...(fetched && { fetched }) };
  };
  return { read, described: describedBody(schema) };
};

/** Unambiguous, so that matching is linear: backtracking over megabytes of digits would take hours. */
const VERSION = /^\d+\.\d\S*$/;

/** Whether a JSON body is itself a description, rather than an object that holds one. */
const isDescription = (sent: unknown): boolean => {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false;
  if (Object.hasOwn(sent, 'swagger')) return true;
  const { openapi } = sent as { openapi?: unknown };
  return typeof openapi === 'string' && VERSION.test(openapi.trim());
};

const headersWithoutAddress = () =>
  new ApiRefusal('invalid_request', 'There is nothing to fetch.', {
    where: '/openapi_headers',
    what: 'headers without an address',
    hint: 'Give `openapi_url` with them.',
  });

const sourceIn = (
  openapi: string | object | undefined,
  url: string | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): DescriptionSource | undefined => {
  if (url !== undefined) return { url, ...(headers && { headers }) };
  if (openapi === undefined) return undefined;
  return { sent: typeof openapi === 'object' ? JSON.stringify(openapi) : openapi };
};

const describedBody = (schema: z.ZodType) => ({
  required: true,
  description:
    'Send what is large packed: the JSON object as `application/gzip`, or a description as `application/yaml` ' +
    '(JSON is YAML too) with `Content-Encoding: gzip`. The gateway takes 6 MB, and what is not text takes a ' +
    'third more on its way.',
  content: {
    'application/json': {
      schema: {
        anyOf: [
          schemaOf(schema, 'input'),
          {
            type: 'object',
            description: 'A description as it is; the other fields stand in the query.',
            properties: { openapi: { type: 'string' }, swagger: { type: 'string' } },
          },
        ],
      },
    },
    'application/gzip': {
      schema: { type: 'string', description: 'The JSON object, packed by gzip.' },
    },
    'application/yaml': {
      schema: {
        type: 'string',
        description: 'A description; the other fields stand in the query.',
      },
    },
  },
});

/** A field of the query that is no text, written as JSON. */
export const jsonText = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return parsedJson(text);
      } catch {
        context.issues.push({ code: 'custom', message: 'Write it as JSON.', input: text });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .optional()
    .meta({ description: 'As JSON.' });
