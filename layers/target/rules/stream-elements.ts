export type StreamForm = 'events' | 'lines';

/**
 * Which kind of stream a content type names.
 *
 * Source: WHATWG HTML §9.2, "Server-sent events"; RFC 7464; the JSON Lines and NDJSON specifications.
 */
export const streamForm = (contentType: string | undefined): StreamForm | undefined => {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return FORMS.get(type.trim().toLowerCase());
};

const FORMS: ReadonlyMap<string, StreamForm> = new Map([
  ['text/event-stream', 'events'],
  ...[
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'application/jsonlines',
    'application/x-jsonlines',
    'application/json-seq',
    'application/stream+json',
  ].map((type) => [type, 'lines'] as const),
]);

/** An event ends with a blank line, everything else with its line. */
const ENDS: Readonly<Record<StreamForm, RegExp>> = {
  events: /\r\n\r\n|\n\n|\r\r|\n\r\n/g,
  lines: /\n/g,
};

/** Behind each whole element of a stream, in their order. Blanks between elements count as part of the next. */
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
