const THINGS =
  'customer invoice payment refund product order shipment warehouse supplier contract employee project task ticket report'.split(
    ' ',
  );
const PARTS = 'note attachment comment label reminder address approval event permission'.split(' ');
const ERROR = { description: 'Something is wrong with the request.' };

/**
 * A description as large companies write them: `count` operations (at most 1,500), ten for each of 15
 * things and ten for each part of a thing, tagged, with parameters and bodies of components.
 */
export const aBigDescription = (count = 1000, serverUrl = 'https://api.example.com') => {
  const places = THINGS.flatMap((thing) => [
    { thing, path: `/${thing}s`, noun: thing },
    ...PARTS.map((part) => ({
      thing,
      path: `/${thing}s/{${thing}Id}/${part}s`,
      noun: `${part} of ${articled(thing)}`,
    })),
  ]);
  const operations = places.flatMap((place) => operationsAt(place)).slice(0, count);
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of operations) {
    (paths[path] ??= {})[method] = operation;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Company Suite', version: '1' },
    servers: [{ url: serverUrl }],
    paths,
    components: { schemas: Object.fromEntries(THINGS.map((thing) => [thing, schemaOf(thing)])) },
  };
};

interface Place {
  readonly thing: string;
  readonly path: string;
  readonly noun: string;
}

const operationsAt = ({ thing, path, noun }: Place) => {
  const one = `${path}/{id}`;
  const body = {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${thing}` } } },
  };
  const parent = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => inPath(name ?? ''));
  const operation = (verb: string, summary: string, more: object, own: readonly object[] = []) => ({
    operationId: `${verb}${camel(noun)}`,
    tags: [`${thing}s`],
    summary,
    description: `${summary}. The caller needs the right to see ${thing}s; what was removed is not found.`,
    parameters: [...parent, ...own],
    responses: { 200: { description: 'Done.' }, 400: ERROR },
    ...more,
  });
  const at = (where: string, method: string, made: object) => ({
    path: where,
    method,
    operation: made,
  });
  const id = [inPath('id')];
  const page = [inQuery('limit', 'integer'), inQuery('after', 'string'), inQuery('sort', 'string')];
  return [
    at(path, 'get', operation('list', `List every ${noun}`, {}, page)),
    at(path, 'post', operation('create', `Create ${articled(noun)}`, { requestBody: body })),
    at(one, 'get', operation('get', `Get ${articled(noun)}`, {}, id)),
    at(one, 'put', operation('replace', `Replace ${articled(noun)}`, { requestBody: body }, id)),
    at(one, 'patch', operation('update', `Update ${articled(noun)}`, { requestBody: body }, id)),
    at(one, 'delete', operation('delete', `Delete ${articled(noun)}`, {}, id)),
    at(`${one}/archive`, 'post', operation('archive', `Archive ${articled(noun)}`, {}, id)),
    at(`${one}/history`, 'get', operation('historyOf', `History of ${articled(noun)}`, {}, id)),
    at(`${path}/search`, 'get', operation('find', `Find ${noun} by text`, {}, page)),
    at(`${path}/export`, 'get', operation('export', `Export every ${noun} as CSV`, {})),
  ];
};

const articled = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
const camel = (words: string): string =>
  words.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

const inPath = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', description: `The ${name}.` },
});
const inQuery = (name: string, type: string) => ({
  name,
  in: 'query',
  description: `The ${name} of the page, as the list before it said.`,
  schema: { type },
});

const schemaOf = (thing: string) => ({
  type: 'object',
  properties: {
    title: { type: 'string', description: `What people call the ${thing}.` },
    amount: { type: 'integer', minimum: 0, description: 'In cents.' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['title'],
});
