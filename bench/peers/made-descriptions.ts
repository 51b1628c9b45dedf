/**
 * Descriptions of wanted sizes, of the kind that real APIs have: five operations for each resource, and
 * some 4 KB for each operation, most of it about answers.
 */

/** A description of about so many bytes, never more. */
export const madeDescription = (bytes: number, form: 'json' | 'yaml'): string => {
  const write = form === 'json' ? (of: object) => JSON.stringify(of, null, 2) : yaml;
  const sized = (count: number) => Buffer.byteLength(write(description(count)));
  let operations = Math.ceil(bytes / ((sized(55) - sized(5)) / 50));
  while (operations > 1 && sized(operations) > bytes) operations -= Math.ceil(operations / 500);
  return write(description(operations));
};

const description = (count: number): object => {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = { Error: ERROR };
  for (let index = 0; index * PER_RESOURCE < count; index += 1) {
    const name = `${WORDS[index % WORDS.length]}${index}`;
    schemas[name] = resource(name, index);
    schemas[`${name}List`] = {
      type: 'object',
      properties: { data: { type: 'array', items: ref(name) }, next: { type: 'string' } },
    };
    Object.assign(paths, operations(name, count - index * PER_RESOURCE));
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Made to measure', version: '1.0.0', description: TEXT },
    servers: [{ url: 'https://api.example.com/v1' }],
    paths,
    components: {
      parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
      schemas,
    },
  };
};

const PER_RESOURCE = 5;
const WORDS = ['Invoice', 'Customer', 'Shipment', 'Ticket', 'Project', 'Device', 'Member'];
const TEXT = 'What this is good for, said in a sentence as long as such sentences tend to be.';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const ERROR = { type: 'object', properties: { message: { type: 'string' } } };

const answers = (schema: object) => ({
  '200': { description: 'What was asked for.', content: json(schema) },
  ...Object.fromEntries(['400', '401', '404', '429'].map((status) => [status, problem(status)])),
  default: { description: 'An error.', content: json(ref('Error')) },
});

const problem = (status: string): object => ({
  description: `${TEXT} Then ${status} is answered.`,
  headers: { 'X-Request-Id': { description: TEXT, schema: { type: 'string' } } },
  content: {
    'application/json': {
      schema: ref('Error'),
      example: { message: TEXT, status: Number(status), details: [{ field: 'name', why: TEXT }] },
    },
  },
});

/** @param most - of them */
const operations = (name: string, most: number): Record<string, object> => {
  const tags = [name.replace(/\d+$/, '')];
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const body = { required: true, content: json(ref(name)) };
  const operation = (verb: string, more: object) => ({
    operationId: `${verb}${name}`,
    summary: `${verb} ${name}`,
    description: TEXT,
    tags,
    ...more,
  });
  const parameters = [
    { $ref: '#/components/parameters/Limit' },
    { name: 'order', in: 'query', description: TEXT, schema: STATE },
    { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } },
  ];
  const whole = Object.entries({
    get: operation('list', { parameters, responses: answers(ref(`${name}List`)) }),
    post: operation('create', { requestBody: body, responses: answers(ref(name)) }),
  });
  const single = Object.entries({
    get: operation('get', { responses: answers(ref(name)) }),
    put: operation('update', { requestBody: body, responses: answers(ref(name)) }),
    delete: operation('delete', { responses: answers(ref('Error')) }),
  });
  return {
    [`/${name.toLowerCase()}`]: Object.fromEntries(whole.slice(0, most)),
    [`/${name.toLowerCase()}/{id}`]: {
      parameters: [id],
      ...Object.fromEntries(single.slice(0, Math.max(0, most - whole.length))),
    },
  };
};

const STATE = { type: 'string', enum: ['open', 'closed', 'waiting', 'on hold'], default: 'open' };

const resource = (name: string, index: number): object => ({
  type: 'object',
  description: `${name}: ${TEXT}`,
  required: ['name', 'state'],
  properties: {
    id: { type: 'string', readOnly: true, example: `a-${index}` },
    name: { type: 'string', minLength: 1, maxLength: 200, description: TEXT },
    state: { ...STATE, description: TEXT },
    amount: { type: 'number', minimum: 0, nullable: true },
    tags: { type: 'array', items: { type: 'string' }, description: TEXT },
    owner: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, note: { type: 'string' } },
    },
    created_at: { type: 'string', format: 'date-time', readOnly: true },
  },
});

/** Block style, as people write it. */
const yaml = (value: unknown, indent = ''): string => {
  if (Array.isArray(value)) {
    return value.map((item) => `${indent}- ${yaml(item, `${indent}  `).trimStart()}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, item]) =>
        typeof item === 'object' && item !== null
          ? `${indent}${scalar(key)}:\n${yaml(item, `${indent}  `)}`
          : `${indent}${scalar(key)}: ${scalar(item)}\n`,
      )
      .join('');
  }
  return `${indent}${scalar(value)}\n`;
};

const scalar = (value: unknown): string =>
  (typeof value === 'string' && !/^[A-Za-z/][\w /{}.,:-]*$/.test(value)) ||
  /: |:$/.test(String(value))
    ? `'${String(value).replaceAll("'", "''")}'`
    : String(value);
