import { dirname, join } from 'node:path';
import type { Api } from '../api/api.ts';
import { type Json, jsonOf, listOf, stringOf } from '../json.ts';
import { forEach } from './service.ts';
import { stringify } from './yaml.ts';

/** @param out - path of the declaration; all other files are below its folder @throws Failure */
export const exported = async (
  api: Api,
  slugs: readonly string[],
  out: string,
): Promise<ReadonlyMap<string, string | Uint8Array>> => {
  const folder = dirname(out);
  const files = new Map<string, string | Uint8Array>();
  const entries = await forEach(slugs, async (slug): Promise<readonly [string, Json]> => {
    const add = (name: string, content: string | Uint8Array): string => {
      files.set(join(folder, slug, name), content);
      return `${slug}/${name}`;
    };
    const path = { slug };
    const { declaration } = await api.call('GET /deployments/{slug}/declaration', { path });
    const {
      openapi_url: url,
      openapi_sha256: _,
      resources,
      prompts,
      ...members
    } = jsonOf(declaration);
    const openapi =
      url === undefined ? add('openapi.yaml', await descriptionOf(api, slug)) : { url };
    return [
      slug,
      {
        name: members.name,
        openapi,
        ...members,
        ...(await listOfAll(listOf(resources), 'resources', async (one) => {
          const name = stringOf(one.name);
          const found = await api.call('GET /deployments/{slug}/resources/{name}', {
            path: { slug, name },
          });
          const bytes = Buffer.from(found.content, found.encoding === 'base64' ? 'base64' : 'utf8');
          const { sha256: __, encoding: ___, ...rest } = one;
          return { ...rest, file: add(`resources/${name}`, bytes) };
        })),
        ...(await listOfAll(listOf(prompts), 'prompts', async (one) => {
          const name = stringOf(one.name);
          const found = await api.call('GET /deployments/{slug}/prompts/{name}', {
            path: { slug, name },
          });
          const { sha256: __, ...rest } = one;
          return { ...rest, file: add(`prompts/${name}.txt`, found.template) };
        })),
      },
    ];
  });
  const text = stringify({ version: 1, servers: Object.fromEntries(entries) }, { lineWidth: 0 });
  const schema = `# yaml-language-server: $schema=${api.baseUrl}/mcp-management/declaration.schema.json\n`;
  return new Map([[out, schema + text], ...files]);
};

const descriptionOf = (api: Api, slug: string): Promise<Uint8Array> =>
  api.download('GET /deployments/{slug}/openapi', { path: { slug } });

const listOfAll = async (
  contents: readonly Json[],
  name: string,
  written: (one: Json) => Promise<Json>,
): Promise<Json> => {
  const all = await forEach(contents, written);
  return all.length > 0 ? { [name]: all } : {};
};
