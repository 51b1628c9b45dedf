import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import { buildSearchIndex } from '../../../layers/search/build-index.ts';
import type { SearchIndex } from '../../../layers/search/search-index.ts';
import type { CompiledTool } from '../../../layers/openapi/tool-index.ts';
import { readText } from '../openapi/intake.ts';

/** What publication in search mode makes of all operations of a description. */
export const searchIndexOf = (text: string | Uint8Array): SearchIndex => {
  const description = readText(text);
  const { tools } = compileTools(description, description.operations, {
    toolMode: 'search',
    serverBase: { apiBaseUrl: 'https://api.example.com' },
  });
  return buildSearchIndex(
    tools.map((tool) => ({
      tool,
      tags: description.operations.find((one) => isOf(tool, one))?.tags ?? [],
    })),
  );
};

const isOf = (
  { operation }: CompiledTool,
  { method, path }: { readonly method: string; readonly path: string },
): boolean => operation.method === method && operation.path === path;
