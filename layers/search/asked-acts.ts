import type { Act } from './acts.ts';

/**
 * Verbs at the beginning of a wish, by the act they ask for. Names of operations are not read by them, since there many
 * are nouns: `/offers`, `/tags`.
 */
const ASKED: readonly (readonly [Act, string])[] = [
  [
    'create',
    ' announce apply award bill broadcast compile declare deposit dispatch donate email establish introduce lend log ' +
      'message nominate phone place propose publish purchase reply respond request ship snap text vote welcome dial ' +
      'host initiate install recruit print claim loan rent lease trade invest answer ask comment react rate like ' +
      'star follow praise produce provide provision deploy launch hand pass offer grant call ring say pin ' +
      'tag label mention sponsor capture ',
  ],
  [
    'delete',
    ' sack fire evict expel eject dump trash toss scrap retire retract decommission untag unset unblock annul void strip ',
  ],
  [
    'do',
    ' accept approve reject decline deny refuse confirm complete close connect merge combine split swap fix ' +
      'repair solve resolve release restrict restore recover reverse revert undo redo rotate renew sort reorder ' +
      'redirect forward reassign postpone delay allow authorize permit block ban prevent protect hide reveal archive ' +
      'unarchive reduce limit cut shrink expand grow lengthen shorten tune improve refresh sync reload rebuild ' +
      'recharge settle redeem cash transfer flag skip join enter fill finish silence verify validate test ' +
      'calculate translate transcribe summarize detect scan simulate optimize enforce format crop compress encrypt ' +
      'decrypt link hold park push pull play ignore forgive ',
  ],
];

/** Words that follow a noun and no verb: `tags of the image`. */
const AFTER_THINGS = new Set(['of', 'in', 'is', 'are', 'was', 'has']);

/**
 * Act of a wish by the verb it begins with.
 *
 * @param next - the word after the verb, `''` if there is none
 */
export const askedAct = (word: string, next: string): Act | undefined =>
  AFTER_THINGS.has(next) ? undefined : ASKED.find(([, verbs]) => verbs.includes(` ${word} `))?.[0];
