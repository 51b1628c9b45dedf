/**
 * The most memory that each function has held, beside what it is given: its bundle, as it is deployed, in a
 * process of its own against the runtime API of Lambda, with the heaviest of its work: descriptions of 5 MB,
 * more of them than the router keeps, and answers of the greatest size. AWS's own runtime adds some megabytes.
 *
 * Goal: three quarters of what it is given.
 */
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { CALL, SEARCH } from '../layers/search/tool-names.ts';
import { stdoutCallLog } from '../layers/events/store/events.ts';
import { startTestAws } from '../test/support/aws/aws.ts';
import { type RunningLambda, startLambda, withLoopback } from '../test/support/aws/lambda.ts';
import { logEventOf } from '../test/support/aws/log-event.ts';
import { aCall } from '../test/support/aws/replayed-calls.ts';
import { at, get, post, rpc } from '../test/support/mcp/router-events.ts';
import { anHttpServer } from '../test/support/target/target-server.ts';
import { environmentOf } from '../test/lambdas/wiring/environments.ts';
import { openBundles } from './bundles.ts';
import { mb, printTable, type Row } from './table.ts';

export const bench = async (): Promise<void> => {
  const rows = Object.entries(await peaks()).map(([name, peak]): Row => {
    const given = functions[name as FunctionName].memoryMb * 1024 * 1024;
    return [name, mb(peak), mb(given), `${((100 * peak) / given).toFixed(0)} %`];
  });
  printTable('Memory of functions', ['most', 'given', ''], rows, ['goal: at most 75 %']);
};

/** The most bytes that each function has held. */
export const peaks = async (): Promise<Readonly<Record<string, number>>> => {
  await using closing = new AsyncDisposableStack();
  const bundles = closing.use(await openBundles());
  const aws = await startTestAws();
  closing.defer(aws.stop);
  const target = closing.use(
    await anHttpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER),
    ),
  );
  const running = new Map<FunctionName, RunningLambda>();
  for (const name of Object.keys(functions) as FunctionName[]) {
    const environment = {
      ...environmentOf(aws, name),
      BASE_URL: 'https://mcp.example.com/v1',
      LIMITS: '{"public_requests_per_minute_per_ip": 1000000, "endpoints_per_deployment": 1000}',
    };
    const bundled = bundles.functions[name];
    const entry = ['router', 'management'].includes(name) ? await withLoopback(bundled) : bundled;
    const lambda = await startLambda(entry, environment, { name, ...functions[name] });
    closing.defer(lambda.close);
    running.set(name, lambda);
  }
  await work(async (name, event) => running.get(name)?.invoke(event), target.url);
  return Object.fromEntries([...running].map(([name, lambda]) => [name, lambda.peakBytes()]));
};

/** The largest answer that a call takes (`target_response_max_bytes`). */
const ANSWER = JSON.stringify({
  items: Array.from({ length: 13_000 }, (_, id) => ({ id, text: 'an item '.repeat(36) })),
});

const TOOL = { name: 'putThing7', arguments: { id: '7', field0: 7, field1: true } };
const QUERY = { name: SEARCH, arguments: { query: 'put thing' } };

/** More of the largest than the router keeps, so that it reads them again and again; half of them in search mode. */
const DEPLOYMENTS = [0, 1, 2, 3, 4, 5].map((number) =>
  number < 3
    ? {
        slug: `search-${number}`,
        toolMode: 'search',
        bodies: [rpc('tools/call', QUERY), rpc('tools/call', { name: CALL, arguments: TOOL })],
      }
    : { slug: `large-${number}`, bodies: [rpc('tools/list'), rpc('tools/call', TOOL)] },
);

const work = async (
  invoke: (name: FunctionName, event: unknown) => Promise<unknown>,
  targetUrl: string,
): Promise<void> => {
  const openapi = largeDescription(targetUrl);
  for (const { slug, toolMode } of DEPLOYMENTS) {
    const deployment = { ownerId: 'bench', slug, authMethod: 'none', toolMode, openapi };
    const answer = await invoke('management', { operator: 'publish', ...deployment });
    if ((answer as { ok?: boolean }).ok !== true) throw new Error(JSON.stringify(answer));
  }
  for (let count = 0; count < 4; count += 1) {
    for (const { slug, bodies } of DEPLOYMENTS) {
      let answer: unknown;
      for (const body of bodies) answer = await invoke('router', post(at(slug, '/messages'), body));
      if (!JSON.stringify(answer).includes('an item')) throw new Error(JSON.stringify(answer));
    }
  }
  const account = { email: 'ada@example.com', password: 'a password of some length' };
  await invoke('oauth', { operator: 'provision-account', plan: 'pro', name: 'Ada', ...account });
  for (let count = 0; count < 8; count += 1) {
    await invoke('oauth', post('/v1/mcp-management/sessions', account));
  }
  await invoke('mails', { id: 'one', purpose: 'sign_up', email: 'ada@example.com' });
  await invoke('maintenance', { operator: 'sweep' });
  await invoke('activity', logEventOf(Array.from({ length: 2000 }, (_, index) => aLine(index))));
  await invoke('tally', { tally: 'now' });
  await invoke('console', get('/v1/console/servers'));
  // Somebody whose tokens nobody has asked for yet, and whose client is in no store.
  await invoke('connections', {
    deployment_id: 'dep-1',
    owner_id: 'user-1',
    name: 'main',
    version: '00000000-0000-4000-8000-000000000000',
    kind: 'oauth_client',
    instance: 'router-1',
    caller: { user: 'user-1', ip: '192.0.2.1', request_id: 'request-1' },
  });
};

/** Five megabytes, the most there may be: 478 operations with bodies and answers of their own. */
const largeDescription = (url: string): string => {
  const indexes = Array.from({ length: 478 }, (_, index) => index);
  const operationOf = (index: number) => {
    const schema = { $ref: `#/components/schemas/Thing${index}` };
    const content = { 'application/json': { schema } };
    return {
      operationId: `putThing${index}`,
      summary: `Put thing ${index}`,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: { required: true, content },
      responses: { 200: { description: 'The thing.', content } },
    };
  };
  const fieldOf = (field: number, index: number) => ({
    type: ['string', 'integer', 'boolean'][(index + field) % 3],
    description: `Field ${field} of thing ${index}, ${'which says a good deal about it. '.repeat(4)}`,
  });
  const fields = indexes.slice(0, 50);
  const schemaOf = (index: number) => ({
    type: 'object',
    required: ['field0', 'field1'],
    properties: Object.fromEntries(fields.map((one) => [`field${one}`, fieldOf(one, index)])),
  });
  const paths = indexes.map((index) => [`/things${index}/{id}`, { put: operationOf(index) }]);
  const schemas = indexes.map((index) => [`Thing${index}`, schemaOf(index)]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    servers: [{ url }],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  });
};

/** A call, as the router writes it. */
const aLine = (index: number) => {
  let message = '';
  const log = stdoutCallLog({ write: (line) => void (message = line) });
  const call = { at: 1_795_176_000, requestId: `request-${index}`, deploymentId: 'dep-1' };
  log.write({ ...aCall(call, () => 0.5), slug: 'large-3' });
  return { message };
};
