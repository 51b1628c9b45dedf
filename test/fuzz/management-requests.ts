import { allArguments } from '../support/openapi/sample-arguments.ts';
import type { Person, WholeService } from '../support/service/whole-service.ts';
import type { Seed } from './endpoints.ts';

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
}

const MANAGEMENT = '/mcp-management';
/** A description with a little of everything that publication looks at. */
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Fuzzed', version: '1' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/a/{b}': {
      get: {
        operationId: 'a',
        parameters: [{ name: 'b', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  },
};

/**
 * A right request for each operation of the management API that takes a JSON body, as the API's own
 * description has them, sent by the owner of the deployment that they name.
 */
export const managementRequests = async (
  service: WholeService,
  person: Person,
): Promise<readonly Seed[]> => {
  const { baseUrl, fetch: send } = service;
  const { slug } = await service.publish(person, { authMethod: 'jwt' });
  const headers = { authorization: `Bearer ${await sessionOf(service, person)}` };
  const answer = await send(`${baseUrl}${MANAGEMENT}/openapi.json`);
  const { paths } = (await answer.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/accounts') && !path.startsWith('/sessions'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]): readonly Seed[] => {
        const schema = requestBody?.content['application/json']?.schema;
        if (schema === undefined) return [];
        const seed = {
          method: method.toUpperCase(),
          path: `${MANAGEMENT}${path.replace('{slug}', slug).replace('{name}', 'listBooks').replace('{id}', 'xkcd')}`,
          as: 'json' as const,
          headers,
        };
        return alternatives(schema).map((one) => ({ ...seed, fields: fieldsOf(one) }));
      }),
    );
};

const alternatives = (schema: unknown): readonly unknown[] => {
  const { oneOf, anyOf } = schema as { readonly oneOf?: unknown[]; readonly anyOf?: unknown[] };
  return oneOf ?? anyOf ?? [schema];
};

const fieldsOf = (schema: unknown): object => {
  const fields = allArguments(schema);
  return 'openapi' in fields ? { ...fields, openapi: DESCRIPTION } : fields;
};

const sessionOf = async ({ baseUrl, fetch: send }: WholeService, person: Person) => {
  const { email, password } = person;
  const answer = await send(`${baseUrl}${MANAGEMENT}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  return access_token;
};
