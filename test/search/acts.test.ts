import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../layers/platform/rules/json/json.ts';
import { actFits, operationAct } from '../../layers/search/acts.ts';
import { openSearch } from '../../layers/search/search.ts';
import { readWish } from '../../layers/search/wish.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';
import { searchIndexOf } from '../support/mcp/searching.ts';

const named = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

const operation = (summary: string, parameters: readonly Json[] = [], body?: Json) =>
  anOperation({
    summary,
    parameters,
    ...(body !== undefined && {
      requestBody: { content: { 'application/json': { schema: body } } },
    }),
  });

const STATE = {
  type: 'object',
  properties: {
    action: { type: 'string', description: 'What to do (start, stop, restart, freeze)' },
    force: { type: 'boolean' },
  },
};
const QUERY = {
  type: 'object',
  properties: {
    level: { type: 'string', description: 'Whether patients or visits are looked for' },
    query: { type: 'object', properties: { order: { type: 'string', enum: ['birthday'] } } },
  },
};

const search = openSearch(
  searchIndexOf(
    JSON.stringify(
      aDescription({
        servers: [{ url: 'https://api.example.com' }],
        paths: {
          '/instances': { get: operation('Get the instances'), post: operation('Add an instance') },
          '/instances/{name}': {
            get: operation('Get the instance', [named('name')]),
            delete: operation('Delete the instance', [named('name')]),
          },
          '/instances/{name}/state': {
            put: operation('Change the state', [named('name')], STATE),
          },
          '/instances/{name}/backups/{backup}': {
            delete: operation('Delete the backup of an instance', [named('name'), named('backup')]),
          },
          '/tools/find': { post: operation('Look for local resources', [], QUERY) },
          '/people/{name}/follow': {
            delete: operation('Unfollow somebody', [named('name')]),
            put: operation('Follow somebody', [named('name')]),
          },
        },
      }),
    ),
  ),
);

const found = (text: string) => search({ text }).map(({ method, path }) => `${method} ${path}`);

describe('a wish to control what runs', () => {
  test.each(['stop an instance', 'restart the instance web', 'freeze an instance'])(
    'finds the operation whose argument says so, and no deletion before it: %s',
    (text) => {
      const all = found(text);

      expect(all.slice(0, 3)).toContain('PUT /instances/{name}/state');
      const first = all.findIndex((one) => one.startsWith('DELETE'));
      expect(first === -1 || first > all.indexOf('PUT /instances/{name}/state')).toBe(true);
    },
  );

  test('is one to delete where something done is to be stopped', () => {
    expect(found('stop following ada')[0]).toBe('DELETE /people/{name}/follow');
  });
});

describe('a wish', () => {
  test.each(['delete the instance', 'remove an instance', 'forget that instance'])(
    'that says so finds the deletion first: %s',
    (text) => {
      expect(found(text)[0]).toBe('DELETE /instances/{name}');
    },
  );

  test('that says nothing of it finds deletions after the rest', () => {
    expect(found('the backup of an instance')[0]).toMatch(
      /^(?:DELETE \/instances\/\{name\}\/backups|GET)/,
    );
    expect(found('instance web')[0]).not.toMatch(/^DELETE/);
  });

  test.each([
    ['find the patient called Smith', 'POST /tools/find'],
    ['which containers are there', 'GET /instances'],
    ['order by birthday', 'POST /tools/find'],
  ])('finds what arguments, their values and members say: %s', (text, operationFound) => {
    expect(found(text).slice(0, 3)).toContain(operationFound);
  });
});

describe('a wish', () => {
  test.each([
    ['leave feedback on a design', 'create'],
    ['leave the team', 'delete'],
    ['take a snapshot before the update', 'create'],
    ['take the tag away', 'delete'],
    ['back up a container', 'create'],
    ['start a container', 'do'],
    ['my job hangs, cancel it', 'delete'],
    ['give me the log', 'read'],
    ['send us all photos', 'read'],
    ['give me something', undefined],
    ['give her access', 'update'],
    ['do not show this again', 'do'],
    ['never send it on Sundays', 'do'],
    ['a new driver joins us', 'create'],
    ['our new office', 'create'],
    ['our office', undefined],
    ['more drivers', 'create'],
    ['vote for the best photo', 'create'],
    ['offers of the week', undefined],
    ['offer of the week', undefined],
    ['sack the driver', 'delete'],
    ['approve the leave', 'do'],
  ])('%s: %s', (text, act) => {
    expect(readWish(text).act).toBe(act);
  });

  test('to be told of what happens is one for a subscription', () => {
    const { act, concepts } = readWish('tell my server when a file changes');
    expect(act).toBe('create');
    expect([...(concepts[0]?.words.keys() ?? [])]).toContain('webhook');
    expect(readWish('tell me the price').act).not.toBe('create');
  });
});

describe('an operation whose path ends with a verb', () => {
  test.each(['create', 'update', 'do', undefined] as const)('fits a wish to %s better', (act) => {
    const asked = { act, wantsMany: false };
    const its = { act: 'delete', isList: false } as const;
    expect(actFits(asked, { ...its, endsWithVerb: true })).toBeGreaterThan(actFits(asked, its));
  });

  test('fits a wish for what it is no worse', () => {
    const its = { act: 'delete', isList: false } as const;
    const asked = { act: 'delete', wantsMany: false } as const;
    expect(actFits(asked, { ...its, endsWithVerb: true })).toBe(actFits(asked, its));
  });

  test.each([
    ['/orders/{id}/cancel', 'POST', true],
    ['/orders/{id}/lock', 'PUT', true],
    ['/orders/{id}/items', 'POST', undefined],
    ['/orders/{cancel}', 'PUT', undefined],
    ['/orders/cancel', 'POST', undefined],
    ['/orders/{id}/cancel', 'DELETE', undefined],
  ])('%s with %s: %s', (path, method, is) => {
    const one = { name: 'o', method, path, summary: '', areas: [] };
    expect(operationAct(one).endsWithVerb).toBe(is);
  });
});

describe('of two operations that fit alike', () => {
  test('the one with fewer variables in its path comes first', () => {
    const lists = (operationId: string, parameters: readonly Json[] = []) =>
      anOperation({ summary: 'List devices', operationId, parameters });
    const paths = {
      '/{name}/devices': { get: lists('devicesA', [named('name')]) },
      '/devices': { get: lists('devicesB') },
    };
    const text = JSON.stringify(
      aDescription({ servers: [{ url: 'https://api.example.com' }], paths }),
    );
    const [first] = openSearch(searchIndexOf(text))({ text: 'which devices are there' });
    expect(first?.path).toBe('/devices');
  });
});

describe('a word that an API has', () => {
  test('counts no less than a rarer one that may stand for it', () => {
    const paths = {
      '/repos': { get: operation('Repo of a team') },
      '/repos/files': { get: operation('Files of a repo') },
      '/repository': { get: operation('Inventory') },
    };
    const text = JSON.stringify(
      aDescription({ servers: [{ url: 'https://api.example.com' }], paths }),
    );
    const [first] = openSearch(searchIndexOf(text))({ text: 'repo of a team' });
    expect(first?.path).toBe('/repos');
  });
});
