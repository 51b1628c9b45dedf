import type { BrokenLimit } from '../../openapi/model-apis/client-limits.ts';

/** A step of the doctor: whether every model API takes the tools. */
export const examinedModels = (refused: readonly string[]) => {
  const step = 'Model APIs';
  if (refused.length === 0) {
    return { step, outcome: 'ok' as const, what: 'All of them take every tool.' };
  }
  return {
    step,
    outcome: 'warning' as const,
    what: `Some would refuse ${refused.length} of the tools: ${firstOf(refused)}.`,
    hint: 'One such tool makes a model API refuse the whole list: hide it, or shorten it.',
  };
};

/** Another one: it is about those who use that client alone, so it is no fault of the server. */
export const examinedClient = ({ client, outcome, tools, why, hint }: BrokenLimit) => {
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const what = `${client} ${outcome} ${count} (${firstOf(tools)}): ${why}. ${hint}`;
  return { step: 'Clients', outcome: 'ok' as const, what };
};

const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', ...' : ''}`;
