import { Failure } from '../failure.ts';
import { type Json, listOf } from '../json.ts';
import type { Output } from '../output.ts';

const CODE = 'too_many_operations';

/**
 * Sends choices again in search mode where there are too many operations for a list of tools, unless operations or a
 * mode were chosen. Source: docs/search-mode.md, "Large descriptions".
 * @throws Failure as `send` does, the first one where search mode does not help
 */
export const searchedIfTooLarge = async <Answer extends Json>(
  output: Pick<Output, 'note'>,
  choices: Json,
  send: (choices: Json) => Promise<Answer>,
): Promise<Answer> => {
  const isChosen = choices.tool_mode !== undefined || choices.operations !== undefined;
  if (isChosen) return send(choices);
  const [first, failure] = await send(choices).then(
    (answer) => [answer, undefined] as const,
    (error: unknown) => [undefined, error] as const,
  );
  if (first !== undefined && !listOf(first.problems).some(({ code }) => code === CODE)) {
    return first;
  }
  if (first === undefined && !(failure instanceof Failure && failure.code === CODE)) throw failure;
  const searched = await send({ ...choices, tool_mode: 'search' }).catch((error: unknown) => {
    if (first !== undefined) return first;
    throw failure ?? error;
  });
  if (searched !== first) output.note(SEARCHED);
  return searched;
};

const SEARCHED = [
  'These are more operations than a list of tools may have: clients get three tools that search, describe and call them.',
  'To list tools instead, choose operations with --include or --exclude, and say --tool-mode operations.',
].join('\n');
