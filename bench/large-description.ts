/** Three megabytes of operations with bodies and answers of their own, JSON; 478 are five, the most there may be. */
export const largeDescription = (operations = 300, server = 'https://api.example.com'): string => {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (let index = 0; index < operations; index += 1) {
    schemas[`Thing${index}`] = thing(index);
    const schema = { $ref: `#/components/schemas/Thing${index}` };
    const content = { 'application/json': { schema } };
    paths[`/things${index}/{id}`] = {
      put: {
        operationId: `putThing${index}`,
        summary: `Put thing ${index}`,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content },
        responses: { 200: { description: 'The thing.', content } },
      },
    };
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    servers: [{ url: server }],
    paths,
    components: { schemas },
  });
};

const thing = (index: number): object => ({
  type: 'object',
  required: ['field0', 'field1'],
  properties: Object.fromEntries(
    Array.from({ length: 50 }, (_, field) => [
      `field${field}`,
      {
        type: ['string', 'integer', 'boolean'][(index + field) % 3],
        description: `Field ${field} of thing ${index}, ${'which says a good deal about it. '.repeat(4)}`,
      },
    ]),
  ),
});
