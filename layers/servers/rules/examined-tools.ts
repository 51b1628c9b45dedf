import type { BrokenLimit } from '../../openapi/model-apis/client-limits.ts';

/** Step of the doctor: whether all model APIs accept the tools. */
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

/** Doctor's step about a limit of one client. Never a failure, since only that client's users are affected. */
export const examinedClient = ({ client, outcome, tools, why, hint }: BrokenLimit) => {
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const what = `${client} ${outcome} ${count} (${firstOf(tools)}): ${why}. ${hint}`;
  return { step: 'Clients', outcome: 'ok' as const, what };
};

const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', ...' : ''}`;
