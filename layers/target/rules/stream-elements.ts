import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';

export type StreamForm = 'events' | 'lines';

/** Source: WHATWG HTML §9.2, "Server-sent events"; RFC 7464; the JSON Lines and NDJSON specifications. */
export const streamForm = (contentType: string | undefined): StreamForm | undefined => {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return FORMS.get(type.trim().toLowerCase());
};

/**
 * The form of an answer that was cut. JSON whose first line is a complete object or list is a stream of lines,
 * whatever its type: a single document could not go on. gRPC gateways answer a watch like this.
 */
export const cutForm = ({
  headers,
  body,
  cut,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly cut?: unknown;
}): StreamForm | undefined => {
  const type = headers['content-type'];
  const form = streamForm(type);
  if (form !== undefined || cut === undefined || !isJsonType(type)) return form;
  const end = body.indexOf(NEWLINE);
  const line = end < 0 ? undefined : jsonOrUndefined(Buffer.from(body.subarray(0, end)).toString());
  return typeof line === 'object' && line !== null ? 'lines' : undefined;
};

const isJsonType = (contentType = ''): boolean => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
};

const NEWLINE = 0x0a;

const FORMS: ReadonlyMap<string, StreamForm> = new Map([
  ['text/event-stream', 'events'],
  ...[
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'application/jsonlines',
    'application/x-jsonlines',
    'application/json-lines',
    'application/json-seq',
    'application/geo+json-seq',
    'application/stream+json',
  ].map((type) => [type, 'lines'] as const),
]);

/** An event ends with a blank line, everything else with its line. */
const ENDS: Readonly<Record<StreamForm, RegExp>> = {
  events: /\r\n\r\n|\n\n|\r\r|\n\r\n/g,
  lines: /\n/g,
};

/** Positions after each complete element. Blanks between elements belong to the next one. */
export const elementEnds = (text: string, form: StreamForm): number[] => {
  const ends: number[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(ENDS[form])) {
    const to = index + end.length;
    if (text.slice(start, to).trim() !== '') ends.push(to);
    start = to;
  }
  return ends;
};
