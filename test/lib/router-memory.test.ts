import { expect, test } from '@jest/globals';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { startTestAws } from '../support/aws/aws.ts';
import { bundlesAsDeployed } from '../support/aws/bundles.ts';
import { startLambda, withLoopback } from '../support/aws/lambda.ts';
import { at, post } from '../support/mcp/router-events.ts';
import { anHttpServer } from '../support/target/target-server.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';

/** The longest that is read: `kept_answer_max_bytes`. */
const ANSWER = JSON.stringify(
  Array.from({ length: 54_000 }, (_, id) => ({ id, text: 'an item '.repeat(36) })),
);
/** As many as a batch has under way at once. */
const CALLS = 5;

test('a batch of the longest answers fits into the memory of the router', async () => {
  const aws = await startTestAws();
  await using target = await anHttpServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER),
  );
  const bundles = await bundlesAsDeployed();
  const start = async (name: FunctionName) => {
    const environment = { ...environmentOf(aws, name), BASE_URL: 'https://mcp.example.com/v1' };
    const settings = { name, ...functions[name] };
    return startLambda(await withLoopback(bundles.functions[name]), environment, settings);
  };
  const management = await start('management');
  await management.invoke({
    operator: 'publish',
    ownerId: 'owner-1',
    slug: 'long',
    authMethod: 'none',
    openapi: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Long', version: '1' },
      servers: [{ url: target.url }],
      paths: { '/things': { get: { operationId: 'listThings', responses: {} } } },
    }),
  });
  const router = await start('router');
  const params = { name: 'listThings', arguments: {} };
  const batch = Array.from({ length: CALLS }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params,
  }));

  for (let times = 0; times < 2; times += 1) {
    const answer = (await router.invoke(post(at('long', '/messages'), batch))) as { body: string };
    const results = JSON.parse(answer.body) as readonly { readonly result: object }[];
    expect(results).toHaveLength(CALLS);
    for (const { result } of results) expect(JSON.stringify(result)).toContain('kept-answer');
  }
  const peak = router.peakBytes();
  for (const one of [router, management]) one.close();
  await aws.stop();

  // AWS's own runtime adds some 25 megabytes, and tools of large descriptions may be there, too.
  expect(peak / 2 ** 20).toBeLessThan(0.85 * functions.router.memoryMb);
});
