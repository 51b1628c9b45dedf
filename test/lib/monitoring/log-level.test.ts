import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { embeddedMetrics } from '../../../layers/platform/log/embedded-metrics.ts';
import { stdoutLog } from '../../../layers/platform/log/stdout-log.ts';
import { LOG_LEVELS, type LogLevel } from '../../../layers/platform/rules/log-level.ts';
import { metricsNamespace } from '../../../lib/monitoring/namespace.ts';
import { SETTINGS } from '../../../lib/stage/settings.ts';
import { embeddedIn, filteredFrom } from '../../support/aws/cloudwatch.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { filtersIn, stage } from '../../support/stacks/alarms.ts';
import { PROD, synthesized } from '../../support/stacks/synthesized.ts';

type LogRecord = Readonly<Record<string, unknown>>;

let router: TestRouter;
beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  await router.publish('login', { authMethod: 'oauth' });
  for (const event of [
    post(at('pets', '/messages'), rpc('tools/list')),
    post(at('pets', '/messages'), rpc('tools/call', { name: 'getPet', arguments: { id: 1 } })),
    post(at('login', '/messages'), rpc('ping')),
    post(at('pets', '/messages'), rpc('ping'), { origin: 'x' }),
    get(at('nobody')),
  ]) {
    await router.send(event);
  }
});
afterAll(() => router.stop());

const isRecord = ({ level }: LogRecord) => level === undefined;

/** Lines of the router at a level, with the metrics of a stage. */
const linesAt = (level: LogLevel): readonly string[] => {
  const lines: string[] = [];
  const out = { write: (line: string) => void lines.push(line) };
  const log = stdoutLog(router.clock, out, embeddedMetrics(metricsNamespace(PROD)), level);
  for (const record of router.lines) log.write(record);
  return lines;
};

describe.each(LOG_LEVELS)('at the level %s', (level) => {
  test('metrics and alarms read what they read at any other', () => {
    const measured = (lines: readonly string[]) =>
      lines.flatMap((line) => [
        ...embeddedIn(line),
        ...filtersIn(stage())
          .filter(({ logGroup }) => logGroup === 'LogsRouter')
          .flatMap((filter) => filteredFrom(line, router.clock.time * 1000, filter)),
      ]);
    const expected = measured(linesAt('info'));

    expect(expected.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Latency', 'McpRequests', 'ToolCalls', 'TargetLatency']),
    );
    expect(measured(linesAt(level))).toEqual(expected);
  });

  test('calls and events are on record as at any other', () => {
    const recordsAt = (of: LogLevel) =>
      linesAt(of)
        .map((line) => JSON.parse(line) as LogRecord)
        .filter(isRecord);

    expect(recordsAt('info').map(({ message }) => message)).toContain('tool_call');
    expect(recordsAt(level)).toEqual(recordsAt('info'));
  });
});

test('functions whose lines say what was changed have no level, since a restore reads them', () => {
  expect(SETTINGS.log_level.functions).toEqual(['router', 'console']);
  const { service } = synthesized({ logLevel: 'error' });
  const levels = Object.values(service.findResources('AWS::Lambda::Function')).flatMap(
    ({ Properties }) => Properties.Environment?.Variables?.LOG_LEVEL ?? [],
  );
  expect(levels).toEqual(['error', 'error']);
});
