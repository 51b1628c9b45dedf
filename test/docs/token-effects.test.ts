import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EFFECTS, type Effect, SCOPE_TEXTS } from '../../layers/accounts/rules/token-scopes.ts';
import {
  accountRouteDescriptions,
  consoleRouteDescriptions,
} from '../../layers/management/routes/account-routes.ts';
import { routesOf } from '../../layers/management/routes/server.ts';
import { aManagementService, type TestManagement } from '../support/service/management.ts';

const PAGE = readFileSync(new URL('../../docs/decisions/accounts.md', import.meta.url), 'utf8');

let service: TestManagement;
beforeAll(async () => {
  service = await aManagementService();
});
afterAll(() => service.stop());

/** The rows below a heading. */
const rowsBelow = (heading: string): readonly string[] => {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return own.split('\n').filter((line) => line.startsWith('| '));
};

const NEEDS = { never: 'people alone' } as Readonly<Record<string, string>>;

describe('the page about tokens for programs', () => {
  test('says of each effect the scope that it needs, and the operations that may have it', () => {
    const routes = [
      ...routesOf(service.ports),
      ...accountRouteDescriptions,
      ...consoleRouteDescriptions,
    ].filter((route) => !('isHidden' in route));
    const expected = Object.entries(EFFECTS).map(([effect, { does, needs }]) => {
      const its = routes.filter(({ effects }) => effects.includes(effect as Effect));
      const names = its.map(({ operationId }) => `\`${operationId}\``).toSorted();
      return `| ${does} | ${NEEDS[needs] ?? `\`${needs}\``} | ${names.join(', ') || 'none'} |`;
    });

    expect(rowsBelow('What a token may cause').slice(1)).toEqual(expected);
  });

  test('names each scope', () => {
    const [, section = ''] = PAGE.split('\n## Personal access tokens\n');
    const [line = ''] = /^- Scopes:.*$/m.exec(section) ?? [];
    for (const scope of Object.keys(SCOPE_TEXTS)) expect(line).toContain(`\`${scope}\``);
  });
});

describe('a route', () => {
  test('that removes by its method says that it does, unless nothing is lost', () => {
    const silent = routesOf(service.ports).filter(
      ({ method, effects }) => method === 'DELETE' && !effects.includes('removal'),
    );

    expect(silent.map(({ operationId }) => operationId)).toEqual([
      'releaseFromDeclaration',
      'liftBlocks',
    ]);
  });

  test('that only reads causes nothing', () => {
    const causing = routesOf(service.ports).filter(
      ({ method, effects }) => method === 'GET' && effects.length > 0,
    );

    expect(causing).toEqual([]);
  });
});
