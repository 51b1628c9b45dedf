/** More than an HTTP API hands to a function without care, and than many proxies let through. */
const LARGE_BYTES = 3 * 1024 * 1024;

const PAGE = 'What a description of a grown API says of one field, and then of the next. '.repeat(
  20,
);

/**
 * A description of 3 MB with one operation, `getPage`: what makes it large is what schemas say.
 *
 * @param target - the address that the operation reads
 */
export const largeDescription = (target: URL): string => {
  const schemas: Record<string, object> = {};
  for (let bytes = 0; bytes < LARGE_BYTES; bytes += PAGE.length) {
    schemas[`S${Object.keys(schemas).length}`] = { type: 'string', description: PAGE };
  }
  const operation = {
    operationId: 'getPage',
    summary: 'Reads the page that the smoke run was given',
    responses: { '200': { description: 'The page' } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Smoke', version: '1' },
    servers: [{ url: target.origin }],
    paths: { [target.pathname]: { get: operation } },
    components: { schemas },
  });
};
