import type { AnswerOf } from '../../api/operation.ts';
import { selected, type Selection } from '../operations/selection.ts';
import { MODEL_APIS, type ModelApi } from '../server/tools/model-apis.ts';

type Report = AnswerOf<'POST /descriptions'>;

/** Preview of a narrower choice, until the service answers. @returns undefined if the wider one lacks a tool of it */
export const narrowed = (
  whole: Report,
  selection: Selection,
  toolMode: Report['tool_mode'],
): Report | undefined => {
  const chosen = selected(whole.operations, selection);
  const isChosen = new Set([...chosen].map(nameOf));
  const tools = whole.tools.filter((tool) => isChosen.has(nameOf(tool)));
  if (whole.tools_left_out > 0 || tools.length < isChosen.size) return undefined;
  const acceptedBy = (api: ModelApi) =>
    tools.filter((tool) => tool.accepted_by.includes(api)).length;
  return {
    ...whole,
    tool_mode: toolMode,
    problems: [],
    operations: whole.operations.map((one) => ({ ...one, chosen: chosen.has(one) })),
    tools,
    warnings: whole.warnings.filter(({ where }) => {
      const operation = operationAt(where);
      return operation === undefined || isChosen.has(operation);
    }),
    totals: {
      tools: tools.length,
      tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
      accepted_by: Object.fromEntries(
        (Object.keys(MODEL_APIS) as ModelApi[]).map((api) => [api, acceptedBy(api)]),
      ) as Report['totals']['accepted_by'],
    },
  };
};

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method.toUpperCase()} ${path}`;

/** `GET /orders` for a JSON pointer into that operation, such as `/paths/~1orders/get/responses`. */
const operationAt = (where: string): string | undefined => {
  const [, path = '', method = ''] = /^\/paths\/([^/]+)\/([a-z]+)(?:\/|$)/.exec(where) ?? [];
  if (method === '' || method === 'parameters') return undefined;
  return nameOf({ method, path: path.replaceAll('~1', '/').replaceAll('~0', '~') });
};
