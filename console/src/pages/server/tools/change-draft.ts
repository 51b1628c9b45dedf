import { filledLines } from '../../../kit/words.ts';
import { ownText } from './own-text.ts';
import type { Override, Tool } from './tool.ts';
import { readJson } from './tool-arguments.ts';

export const HINTS = [
  ['read_only_hint', 'Only reads'],
  ['destructive_hint', 'May destroy'],
  ['idempotent_hint', 'Repeating it changes nothing more'],
  ['open_world_hint', 'May affect other systems'],
] as const;

export interface ArgumentChange {
  readonly as: 'offered' | 'hidden' | 'fixed';
  /** As typed, so it may be invalid JSON. */
  readonly value: string;
}

export interface ChangeDraft {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON pointers, one per line. */
  readonly answerFields: string;
  /** Names of headers, one per line; `none` for none. */
  readonly answerHeaders: string;
  /** Words for search mode, one per line. */
  readonly keywords: string;
  /** Empty for the server's setting. */
  readonly argumentChecks: '' | 'strict' | 'lenient';
  /** Whether clients that defer tools load it from the start. */
  readonly alwaysLoad: '' | 'true' | 'false';
  readonly hints: Readonly<Record<string, '' | 'true' | 'false'>>;
  readonly arguments: Readonly<Record<string, ArgumentChange>>;
}

const NONE = 'none';

/** Texts that the served tool has. */
export type ShownTexts = Pick<Partial<Tool>, 'description' | 'name' | 'title'>;

/** @param shown - texts for the fields that the override leaves alone */
export const draftOf = (override: Override, shown: ShownTexts = {}): ChangeDraft => ({
  name: override.name ?? shown.name ?? '',
  title: override.title ?? shown.title ?? '',
  description: override.description ?? shown.description ?? '',
  answerFields: (override.answer_fields ?? []).join('\n'),
  answerHeaders:
    override.answer_headers?.length === 0 ? NONE : (override.answer_headers ?? []).join('\n'),
  keywords: (override.keywords ?? []).join('\n'),
  argumentChecks: override.argument_checks ?? '',
  alwaysLoad: override.always_load === undefined ? '' : override.always_load ? 'true' : 'false',
  hints: Object.fromEntries(
    Object.entries(override.annotations ?? {}).map(([hint, value]) => [
      hint,
      value === undefined ? '' : value ? 'true' : 'false',
    ]),
  ),
  arguments: Object.fromEntries(
    Object.entries(override.arguments ?? {}).map(([name, one]) => [
      name,
      one['hidden'] === true
        ? { as: 'hidden', value: '' }
        : { as: 'fixed', value: JSON.stringify(one['value']) },
    ]),
  ),
});

/** The form's override; null if it changes nothing. @param before - members that the form lacks are kept */
export const overrideFrom = (
  draft: ChangeDraft,
  before: Override = {},
  shown: ShownTexts = {},
): { readonly override: Override | null; readonly faults: Readonly<Record<string, string>> } => {
  const faults = new Map<string, string>();
  const fixed = new Map<string, Record<string, unknown>>();
  for (const [name, { as, value }] of Object.entries(draft.arguments)) {
    if (as === 'hidden') fixed.set(name, { hidden: true });
    if (as !== 'fixed') continue;
    const read = readJson(value);
    if (read.fault === undefined) fixed.set(name, { value: read.value });
    else faults.set(name, 'Write the value as JSON, with text in double quotes.');
  }
  const annotations = Object.fromEntries(
    Object.entries(draft.hints).flatMap(([hint, value]) =>
      value === '' ? [] : [[hint, value === 'true']],
    ),
  );
  const answerFields = filledLines(draft.answerFields);
  const answerHeaders = filledLines(draft.answerHeaders);
  const keywords = filledLines(draft.keywords);
  if (keywords.length > 20 || keywords.some(({ length }) => length > 60)) {
    faults.set('keywords', 'Give at most 20, of up to 60 characters each.');
  }
  const unsound = answerFields.find((pointer) => !pointer.startsWith('/'));
  if (unsound !== undefined) {
    faults.set(
      'answerFields',
      `Begin each line with a slash, as in /items/*/id: not "${unsound}".`,
    );
  }
  const override: Override = {
    ...(keywords.length > 0 && { keywords }),
    ...(before.structured_output && { structured_output: before.structured_output }),
    ...(draft.alwaysLoad !== '' && { always_load: draft.alwaysLoad === 'true' }),
    ...(draft.argumentChecks !== '' && { argument_checks: draft.argumentChecks }),
    ...(before.answer_token_budget !== undefined && {
      answer_token_budget: before.answer_token_budget,
    }),
    ...(answerFields.length > 0 && { answer_fields: answerFields }),
    ...(answerHeaders.length > 0 && {
      answer_headers: answerHeaders.join('') === NONE ? [] : answerHeaders,
    }),
    ...textsOf(draft, before, shown),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(fixed.size > 0 && { arguments: Object.fromEntries(fixed) }),
  };
  return {
    override: Object.keys(override).length > 0 ? override : null,
    faults: Object.fromEntries(faults),
  };
};

const textsOf = (draft: ChangeDraft, before: Override, shown: ShownTexts): Override =>
  Object.fromEntries(
    (['name', 'title', 'description'] as const).flatMap((text) => {
      const own = ownText(draft[text], before[text], shown[text])?.trim() ?? '';
      return own === '' ? [] : [[text, own]];
    }),
  );
