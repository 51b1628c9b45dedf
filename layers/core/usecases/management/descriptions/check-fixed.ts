import { escapeToken } from '../../../domain/json-schema/pointer.ts';
import { ApiRefusal, type Finding, RpcRefusal } from '../../../domain/refusal.ts';
import { type CompiledTool, toIndexedTool } from '../../../domain/tool-index.ts';
import { prepareTool, readArguments } from '../../../domain/tools/index.ts';

/**
 * Whether the values that an owner fixed are such as the description wants.
 *
 * @param described - the tools before the owner's overrides, `published` after them
 * @throws ApiRefusal invalid_request
 */
export const checkFixed = (
  described: readonly CompiledTool[],
  published: readonly CompiledTool[],
): void => {
  const originals = new Map(described.map((tool) => [keyOf(tool), tool]));
  const findings = published.flatMap((tool) => {
    const original = originals.get(keyOf(tool));
    return tool.fixed && original ? faultsOf(original, tool.fixed) : [];
  });
  if (findings.length === 0) return;
  throw new ApiRefusal(
    'invalid_request',
    'Some fixed arguments do not fit the description.',
    findings.slice(0, 20),
  );
};

const keyOf = ({ operation: { method, path } }: CompiledTool): string => `${method} ${path}`;

/** Of the fixed arguments alone: what a call adds to them is not known. */
const faultsOf = (tool: CompiledTool, fixed: object): readonly Finding[] => {
  try {
    readArguments(prepareTool(toIndexedTool(tool)), fixed);
    return [];
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    return errorsIn(error).flatMap(({ path, message }) =>
      Object.keys(fixed).some(
        (name) => path === pointer(name) || path.startsWith(`${pointer(name)}/`),
      )
        ? [
            {
              where: `/overrides/${escapeToken(keyOf(tool))}/arguments${path}`,
              what: message,
              hint: 'Fix another value.',
            },
          ]
        : [],
    );
  }
};

const errorsIn = ({ data }: RpcRefusal) =>
  (data?.['errors'] ?? []) as readonly { readonly path: string; readonly message: string }[];

const pointer = (name: string): string => `/${escapeToken(name)}`;
