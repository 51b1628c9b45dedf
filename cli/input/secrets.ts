import type { Ask } from './ask.ts';
import { usageFailure } from '../failure.ts';

/**
 * A secret, asked for or from standard input; never from the command line, which others can see.
 *
 * @param option - the switch that says that it comes from standard input
 * @throws Failure usage
 */
export const secretFrom = async (
  ask: Ask,
  fromInput: boolean,
  option: string,
  question: string,
): Promise<string> => {
  if (fromInput) return ask.secretInput();
  if (!ask.isPossible) {
    throw usageFailure(`There is no terminal to ask for it: send it to ${option}.`);
  }
  const secret = await ask.hidden(question);
  if (secret === '') throw usageFailure('Nothing was typed.');
  return secret;
};

/** A new secret: typed twice, since nobody sees it. */
export const newSecretFrom = async (
  ask: Ask,
  fromInput: boolean,
  option: string,
  question: string,
): Promise<string> => {
  const secret = await secretFrom(ask, fromInput, option, question);
  if (fromInput || (await ask.hidden(`${question} again`)) === secret) return secret;
  throw usageFailure('The two are not the same.');
};
