import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../layers/platform/rules/json/json.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';
import { onlyOf, toolsOf } from '../support/openapi/compile.ts';

const hintsOf = (path: string, method: string, operation: Readonly<Record<string, Json>>) => {
  const paths = { [path]: { [method]: anOperation(operation) } };
  const { readOnlyHint, destructiveHint } = onlyOf(toolsOf(aDescription({ paths }))).annotations;
  return { readOnlyHint, destructiveHint };
};

describe('the hints of a POST', () => {
  test.each([
    ['/volumes/prune', { operationId: 'VolumePrune' }],
    ['/containers/{id}/kill', {}],
    ['/features/bulk', { operationId: 'deleteFeatures' }],
    ['/features', { summary: 'Deletes a list of features' }],
    ['/features/{id}/off', { operationId: 'toggleFeatureEnvironmentOff' }],
    ['/swarm/leave', { operationId: 'SwarmLeave' }],
    ['/state', { operationId: 'importToggles' }],
    ['/variables', { summary: 'Create/modify/delete variables' }],
    ['/limit', { summary: 'Create or replace the limit. Others stay.' }],
    ['/jobs/{id}/stopping', { summary: 'The job' }],
  ])('say of %s %j that it destroys', (path, operation) => {
    expect(hintsOf(path, 'post', operation)).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  test.each<[string, Readonly<Record<string, Json>>]>([
    ['/pets', { summary: 'Add a pet' }],
    ['/stops', { operationId: 'createStop' }],
    ['/archives', { summary: 'Create archive' }],
    ['/uploads', { summary: 'Creates an upload. It expires after an hour.' }],
    ['/search', { operationId: 'searchIssues' }],
    [
      '/orders',
      { responses: { 201: { description: 'Made.', headers: { location: { schema: {} } } } } },
    ],
    [
      '/orders',
      {
        responses: {
          201: {
            description: 'Made.',
            content: { 'application/json': { schema: { properties: { id: { type: 'string' } } } } },
          },
        },
      },
    ],
  ])('say of %s %j that it only adds', (path, operation) => {
    expect(hintsOf(path, 'post', operation)).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
    });
  });

  test.each([
    ['/pets', {}],
    ['/containers/{id}/rename', { summary: 'Rename a container' }],
    ['/hubs/{id}/items', { operationId: 'post_hubs_id_items' }],
    ['/orders', { responses: { 201: { description: 'Perhaps changed.' } } }],
  ])('say nothing of %s %j, of which nothing is known', (path, operation) => {
    expect(hintsOf(path, 'post', operation)).toEqual({
      readOnlyHint: false,
      destructiveHint: undefined,
    });
  });
});

describe('the hints of a GET', () => {
  const parameter = (values: string[]) => ({
    parameters: [{ name: 'cmd', in: 'query', schema: { type: 'string', enum: values } }],
  });

  test.each<[string, Readonly<Record<string, Json>>]>([
    ['/apps.uninstall', {}],
    ['/user/logout', {}],
    ['/health', parameter(['LIST', 'DISABLE ALL', 'RESET'])],
  ])('do not say of %s that it only reads', (path, operation) => {
    expect(hintsOf(path, 'get', operation)).toEqual({ readOnlyHint: false, destructiveHint: true });
  });

  test.each([
    ['/api/1/createPad', false],
    ['/api/1/appendText', false],
    ['/sendMessage', false],
    ['/api/1/setText', true],
  ])('say of %s, which is named as a function is, that it writes', (path, destructiveHint) => {
    expect(hintsOf(path, 'get', { operationId: 'createPadUsingGET' })).toEqual({
      readOnlyHint: false,
      destructiveHint,
    });
  });

  test.each<[string, Readonly<Record<string, Json>>]>([
    ['/pets', {}],
    ['/updates', {}],
    ['/update-history', {}],
    ['/setting', {}],
    ['/getUpdates', {}],
    ['/addresses', {}],
    ['/prune', { operationId: 'previewPrune' }],
    ['/deleted-items', {}],
    ['/jobs', parameter(['disabled', 'stopped'])],
    ['/events', parameter(['create', 'update', 'delete'])],
  ])('say of %s %j that it only reads', (path, operation) => {
    expect(hintsOf(path, 'get', operation)).toEqual({ readOnlyHint: true, destructiveHint: false });
  });
});
