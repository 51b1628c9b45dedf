import { type Json, isObject, member } from '../../platform/rules/json/json.ts';
import type { ToolAnnotations } from '../tool-index.ts';
import type { Change } from '../tool-note.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { tidyText } from '../schema/texts.ts';
import type { Parameter } from './encodings.ts';

export interface Hints {
  readonly annotations: ToolAnnotations;
  /** Reasons for hints that words decided instead of the method, for the owner. */
  readonly reasons: readonly Change[];
}

/** Verbs that remove or overwrite something. */
const RUINING = new Set(
  (
    'abort clear deactivate deauthorize decommission delete demote deprovision destroy detach disable discard ' +
    'disconnect drop empty erase evict expire flush invalidate kill logout off overwrite prune purge quit reboot ' +
    'reinstall reject remove replace reset restart revert revoke rollback rotate shutdown suspend terminate truncate ' +
    'unassign undeploy uninstall unlink unpublish unregister unsubscribe void wipe withdraw'
  ).split(' '),
);
/** Verbs that remove or overwrite, but are also nouns: only where they stand for the action. */
const RUINING_OR_NAME = new Set(
  'apply archive ban block cancel close import leave lock merge migrate patch put stop sync transfer'.split(
    ' ',
  ),
);
const CREATING = new Set(
  (
    'add append calculate check comment compare compute count create duplicate estimate export find generate get ' +
    'insert invite list lookup notify ping preview publish query read register render report request search ' +
    'send subscribe suggest test translate upload validate verify'
  ).split(' '),
);
/** First words of a path's end that is named as a function is, `/createPad`: such a GET does what it says. */
const WRITING = new Set('add append create insert send set update write'.split(' '));
/** Kinds of events, beside deletions, that a filter of an event log lists. */
const CHANGES = new Set(['add', 'create', 'insert', 'update']);
const READING = new Set(['GET', 'HEAD', 'QUERY']);
const IDEMPOTENT = new Set([...READING, 'PUT', 'DELETE']);

/**
 * Annotations about the effect of a call. Unknown hints are omitted, since clients then assume the worse case.
 * Source: MCP 2025-03-26, "ToolAnnotations"; RFC 9110 §9.2; docs/tools.md, "Descriptions and annotations".
 */
export const hintsOf = (
  description: Description,
  found: FoundOperation,
  parameters: readonly Parameter[],
): Hints => {
  const { method } = found;
  if (READING.has(method)) return readingHints(found, parameters);
  const hints = {
    readOnlyHint: false,
    idempotentHint: IDEMPOTENT.has(method),
    openWorldHint: true,
  };
  if (['OPTIONS', 'TRACE'].includes(method)) {
    return { annotations: { ...hints, destructiveHint: false }, reasons: [] };
  }
  if (method !== 'POST') return { annotations: { ...hints, destructiveHint: true }, reasons: [] };

  const ruining = ruiningWord(found);
  if (ruining !== undefined) {
    const reasons = [{ what: 'marked as destructive', why: `it says "${ruining}"` }];
    return { annotations: { ...hints, destructiveHint: true }, reasons };
  }
  if (beginsCreating(found) || answersWithNew(description, found)) {
    return { annotations: { ...hints, destructiveHint: false }, reasons: [] };
  }
  return { annotations: hints, reasons: [] };
};

const readingHints = (found: FoundOperation, parameters: readonly Parameter[]): Hints => {
  const end = lastSegment(found.path);
  const [verb = ''] = /^[a-z]+[A-Z]/.test(end) ? wordsOf(end) : [];
  if (WRITING.has(verb)) {
    const annotations = {
      readOnlyHint: false,
      destructiveHint: !CREATING.has(verb),
      idempotentHint: false,
      openWorldHint: true,
    };
    return { annotations, reasons: [{ what: NOT_READING, why: `it is called "${end}"` }] };
  }
  const word = beginsCreating(found) ? undefined : wordsOf(end).find((one) => RUINING.has(one));
  const command = word ?? parameters.map(commandAmong).find((one) => one !== undefined);
  const reads = command === undefined;
  return {
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads,
      idempotentHint: reads,
      openWorldHint: true,
    },
    reasons: reads ? [] : [{ what: NOT_READING, why: `it can be told to "${command}"` }],
  };
};

const NOT_READING = 'not marked as reading only';

/** Parameter value that is a destructive command, unless others name creations or changes: those filter events. */
const commandAmong = ({ schema }: Parameter): string | undefined => {
  const values = enumOf(schema).map(wordsOf);
  if (values.some(([first = '']) => CHANGES.has(first))) return undefined;
  return values.find(([first = '']) => RUINING.has(first))?.join(' ');
};

const enumOf = (schema: Json | undefined): readonly string[] => {
  if (!isObject(schema)) return [];
  const values = member(schema, 'enum');
  if (Array.isArray(values))
    return values.filter((value) => typeof value === 'string').slice(0, 200);
  const items = member(schema, 'items');
  return isObject(items) && items !== schema ? enumOf(items) : [];
};

/** A destructive word in the last path segment, the operationId or the summary. */
const ruiningWord = (found: FoundOperation): string | undefined => {
  const { path, operationId = '', operation } = found;
  const names = [...wordsOf(lastSegment(path)), ...wordsOf(operationId)];
  // Further sentences may be about other operations.
  const [sentence = ''] = (tidyText(operation, 'summary') ?? '').split(/[.!?\n]/, 1);
  const summary = wordsOf(sentence);
  const clear = [...names, ...summary].find((word) =>
    formsOf(word).some((one) => RUINING.has(one)),
  );
  if (clear !== undefined || beginsCreating(found)) return clear;
  // A verb as in "Stop the container", not a noun as in "The next stop".
  return [...names, ...summary.slice(0, 1)].find((word) =>
    formsOf(word).some((one) => RUINING_OR_NAME.has(one)),
  );
};

const beginsCreating = ({ operationId = '', operation }: FoundOperation): boolean =>
  [operationId, tidyText(operation, 'summary') ?? ''].some((text) => {
    const [first = ''] = wordsOf(text);
    return formsOf(first).some((one) => CREATING.has(one));
  });

/** Whether status 201 has a `Location` header, or an id in its body. Source: RFC 9110 §15.3.2. */
const answersWithNew = ({ root }: Description, { operation }: FoundOperation): boolean => {
  const responses = member(operation, 'responses');
  const created = isObject(responses)
    ? resolved(root, member(responses, '201') ?? null)
    : undefined;
  if (!isObject(created)) return false;
  const headers = member(created, 'headers');
  if (isObject(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'location')) {
    return true;
  }
  const content = member(created, 'content');
  const bodies = isObject(content) ? Object.values(content) : [created];
  return bodies.some((body) => {
    const schema = isObject(body) ? resolved(root, member(body, 'schema') ?? null) : undefined;
    const properties = isObject(schema) ? member(schema, 'properties') : undefined;
    return (
      isObject(properties) && Object.keys(properties).some((name) => /^_?(?:uu)?id$/i.test(name))
    );
  });
};

/** Last path segment that is no variable: `prune` of `/volumes/prune`. */
const lastSegment = (path: string): string => {
  const [plain = ''] = path.split('?', 1);
  return plain.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
};

/** Lower-case words: `pruneAll_volumes-now` has four. */
const wordsOf = (text: string): readonly string[] =>
  text
    .slice(0, 500)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** Possible base forms: `delete` of `deletes`, `stop` of `stopping`. */
const formsOf = (word: string): readonly string[] => {
  const [, stem = ''] = /^(.+?)(?:ing|ed|es|s)$/.exec(word) ?? [];
  if (stem.length < 3) return [word];
  const single = stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : [];
  return [word, stem, `${stem}e`, ...single];
};
