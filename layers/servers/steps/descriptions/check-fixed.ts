import { overrideOf } from '../../rules/apply-overrides.ts';
import type { ToolOverrides } from '../../rules/publication.ts';
import { escapeToken, unescapeToken } from '../../../platform/rules/json/pointer.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { type CompiledTool, toIndexedTool } from '../../../openapi/tool-index.ts';
import { type Budget, fullBudget } from '../../../tools/arguments/budget.ts';
import { prepareTool } from '../../../tools/prepare-tool.ts';
import { readArguments } from '../../../tools/arguments/read-arguments.ts';

/**
 * Whether the values that an owner fixed are such as the description wants.
 *
 * All of them together may take what those of one call may: there may be thousands of tools.
 *
 * @param overrides - with which the tools were published
 * @param described - the tools before the owner's overrides, `published` after them
 * @throws ApiRefusal invalid_request
 */
export const checkFixed = (
  described: readonly CompiledTool[],
  published: readonly CompiledTool[],
  overrides: ToolOverrides = {},
): void => {
  const budget = fullBudget();
  const originals = new Map(described.map((tool) => [keyOf(tool), tool]));
  const findings = published.flatMap((tool) => {
    const original = originals.get(keyOf(tool));
    return tool.fixed && original ? faultsOf(original, tool.fixed, overrides, budget) : [];
  });
  if (findings.length === 0) return;
  throw new ApiRefusal(
    'invalid_request',
    'Some fixed arguments do not fit the description.',
    findings,
  );
};

const keyOf = ({ operation: { method, path } }: CompiledTool): string => `${method} ${path}`;

/** Of the fixed arguments alone: what a call adds to them is not known. */
const faultsOf = (
  tool: CompiledTool,
  fixed: object,
  overrides: ToolOverrides,
  budget: Budget,
): readonly Finding[] => {
  const own = overrideOf(tool, overrides)?.override.arguments ?? {};
  const where = `/overrides/${escapeToken(keyOf(tool))}/arguments`;
  try {
    readArguments(prepareTool(toIndexedTool(tool)), fixed, { budget });
    return [];
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    if (Object.values(budget).some((left) => left < 0)) throw tooMuch(where);
    const names = new Set(Object.keys(fixed).map(escapeToken));
    return errorsIn(error)
      .filter(({ path }) => names.has(path.split('/', 2)[1] ?? ''))
      .map(({ path, message }) =>
        Object.hasOwn(own, unescapeToken(path.split('/', 2)[1] ?? ''))
          ? { where: `${where}${path}`, what: message, hint: 'Fix another value.' }
          : {
              where: `/overrides/*/arguments${path}`,
              what: `${message} (in ${keyOf(tool)})`,
              hint: 'Fix another value, or one for this operation in an override of its own.',
            },
      );
  }
};

const tooMuch = (where: string): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The fixed arguments take too long to be checked.', [
    {
      where,
      what: 'up to here there is too much to check',
      hint: 'Fix fewer arguments, or smaller values.',
    },
  ]);

const errorsIn = ({ data }: RpcRefusal) =>
  (data?.['errors'] ?? []) as readonly { readonly path: string; readonly message: string }[];
