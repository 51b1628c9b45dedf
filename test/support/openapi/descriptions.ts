/** A description with one operation per name: `GET /<name>`, each with an optional `limit`. */
export const aDescription = (
  operations: readonly string[] = ['listPets', 'getPet'],
  over: object = {},
): Record<string, unknown> => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  paths: Object.fromEntries(
    operations.map((operationId) => [
      `/${operationId}`,
      {
        get: {
          operationId,
          summary: `Calls ${operationId}`,
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok' } },
        },
      },
    ]),
  ),
  ...over,
});

/** One that is exactly so many bytes of JSON. */
export const aDescriptionOf = (bytes: number): string => {
  const text = (padding: string) =>
    JSON.stringify(
      aDescription(['listPets'], { info: { title: 'Pets', version: '1', description: padding } }),
    );
  return text('x'.repeat(bytes - Buffer.byteLength(text(''))));
};
