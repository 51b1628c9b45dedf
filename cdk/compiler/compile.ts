import { readDeclaration } from '../../layers/declarations/routes/declaration-body.ts';
import { SERVICES } from '../../layers/accounts/rules/permission.ts';
import { asItIs } from '../../layers/servers/rules/fetch-terms.ts';
import { DEFAULT_LIMITS, type LimitValues } from '../../layers/limits/rules/limits.ts';
import type { IndexedTool, ListedTool } from '../../layers/openapi/tool-index.ts';
import { ApiRefusal, type Finding } from '../../layers/platform/rules/refusal/api-refusal.ts';
import {
  changedPublication,
  type PublicationSettings,
} from '../../layers/deployments/rules/publication.ts';
import {
  type CompiledDescription,
  compileDescription,
} from '../../layers/servers/steps/descriptions/compile-description.ts';
import { toolTokens } from '../../layers/openapi/model-apis/token-estimate.ts';
import type { Compilation, CompiledTool } from '../src/compilation.ts';
import { checkSlug } from '../../layers/platform/rules/addresses.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface Asked {
  readonly slug: string;
  /** Body for the management API, with the description as text. */
  readonly declaration: object;
}

/** Limits that an operator may have raised: a synth does not know by how much, and the service checks them anyway. */
const LIMITS: LimitValues = {
  ...DEFAULT_LIMITS,
  endpoints_per_deployment: Number.MAX_SAFE_INTEGER,
  pro_searchable_operations: Number.MAX_SAFE_INTEGER,
  openapi_max_bytes: 4 * DEFAULT_LIMITS.openapi_max_bytes,
};

const NOTHING_FETCHED = asItIs(SERVICES);
const never = () => {
  throw new Error('nothing is fetched at synth');
};

/** Compiles a declaration as the service would; a refusal comes back as `problem`. */
export const compile = async ({ slug, declaration }: Asked): Promise<Compilation> => {
  try {
    checkSlug(slug);
    const { description, publication } = readDeclaration(declaration);
    if (!('text' in description)) throw new Error('a description is a text');
    const ports = {
      settings: { limits: LIMITS } as never,
      web: { fetch: never, fetchWith: never } as never,
      descriptionFetches: { fetch: never } as never,
    };
    const settings = changedPublication({}, publication);
    const compiled = await compileDescription(
      ports,
      NOTHING_FETCHED,
      { sent: description.text },
      settings,
      'pro',
    );
    const listed = compiled.index.tools.map((tool) => parsedJson(tool.listed) as ListedTool);
    return {
      tools: compiled.index.tools.map(toolOf),
      tokens: listed.reduce((sum, tool) => sum + toolTokens(tool), 0),
      warnings: [...beyondDefault(compiled, settings), ...compiled.warnings],
    };
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return { problem: error.description, findings: error.findings };
  }
};

/** A service with the limits of a new one refuses what this warns of. */
const beyondDefault = (
  { index: { tools }, text }: CompiledDescription,
  { toolMode }: PublicationSettings,
): readonly Finding[] => {
  const operations =
    toolMode === 'search' ? 'pro_searchable_operations' : 'endpoints_per_deployment';
  return (
    [
      [operations, tools.length, 'operations'],
      ['openapi_max_bytes', Buffer.byteLength(text), 'bytes of a description'],
    ] as const
  ).flatMap(([limit, given, what]) =>
    given <= DEFAULT_LIMITS[limit]
      ? []
      : [
          {
            where: '',
            what: `${given} ${what}, of which a service takes ${DEFAULT_LIMITS[limit]}, unless its operator allows more`,
            hint: `Ask the operator for the limit ${limit}, or choose fewer operations.`,
          },
        ],
  );
};

const toolOf = ({ name, listed, operation }: IndexedTool): CompiledTool => {
  const { annotations } = parsedJson(listed) as ListedTool;
  const { readOnlyHint = false, destructiveHint = true } = annotations;
  return {
    name,
    method: operation.method,
    path: operation.path,
    effect: readOnlyHint ? 'reads' : destructiveHint ? 'destroys' : 'writes',
  };
};
