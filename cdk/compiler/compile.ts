import { readDeclaration } from '../../layers/declarations/routes/declaration-body.ts';
import { SERVICES } from '../../layers/accounts/rules/permission.ts';
import { asItIs } from '../../layers/servers/rules/fetch-terms.ts';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import type { IndexedTool, ListedTool } from '../../layers/openapi/tool-index.ts';
import { ApiRefusal } from '../../layers/platform/rules/refusal/api-refusal.ts';
import { changedPublication } from '../../layers/deployments/rules/publication.ts';
import { compileDescription } from '../../layers/servers/steps/descriptions/compile-description.ts';
import { toolTokens } from '../../layers/openapi/model-apis/token-estimate.ts';
import type { Compilation, CompiledTool } from '../src/compilation.ts';
import { checkSlug } from '../../layers/platform/rules/addresses.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface Asked {
  readonly slug: string;
  /** Body for the management API, with the description as text. */
  readonly declaration: object;
}

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
      settings: { limits: DEFAULT_LIMITS } as never,
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
      warnings: compiled.warnings,
    };
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return { problem: error.description, findings: error.findings };
  }
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
