import { describe, expect, test } from '@jest/globals';
import { PROTOCOL_VERSIONS } from '../../../../layers/platform/rules/protocol-versions.ts';
import { sentBody } from '../../../../layers/mcp/rules/message.ts';
import { readModern } from '../../../../layers/mcp/rules/modern-message.ts';
import {
  spokenByLegacy,
  spokenByModern,
  type SpokenProtocol,
} from '../../../../layers/mcp/rules/versions.ts';
import { modernRpc } from '../../../support/mcp/modern-requests.ts';
import { rpc } from '../../../support/mcp/router-events.ts';

const MODERN = ['2026-07-28'] as const;
const bodyOf = (sent: unknown) => sentBody(JSON.stringify(sent)).messages();
const legacy = (sent: unknown) => spokenByLegacy(bodyOf(sent), '2025-06-18', PROTOCOL_VERSIONS);
const initialize = (params: unknown) => legacy(rpc('initialize', params));
const modern = (sent: unknown, header: string | undefined = MODERN[0]) => {
  const headers = { version: header, method: 'tools/list', name: undefined };
  const message = readModern(bodyOf(sent), headers, MODERN);
  return message && spokenByModern(message, MODERN);
};

describe('what a request spoke', () => {
  test.each<[string, SpokenProtocol | undefined, SpokenProtocol]>([
    [
      'a handshake: the version that it is answered, and who came',
      initialize({ protocolVersion: '2025-11-25', clientInfo: { name: 'codex', version: '1' } }),
      { era: 'legacy', version: '2025-11-25', client: 'codex' },
    ],
    [
      'a handshake for a version that is not served in one',
      initialize({ protocolVersion: '2026-07-28', clientInfo: { name: 'codex' } }),
      { era: 'legacy', version: '2025-03-26', client: 'codex' },
    ],
    [
      'a handshake that says nothing of use',
      initialize({ protocolVersion: 7, clientInfo: 'codex' }),
      { era: 'legacy', version: '2025-03-26' },
    ],
    ['a handshake without params', initialize([]), { era: 'legacy', version: '2025-06-18' }],
    [
      'another method: the header, and no name, whoever claims one',
      legacy(rpc('tools/list', { clientInfo: { name: 'codex' } })),
      { era: 'legacy', version: '2025-06-18' },
    ],
    [
      'a batch',
      legacy([rpc('initialize', { protocolVersion: '2025-11-25' })]),
      { era: 'legacy', version: '2025-06-18' },
    ],
    ['no JSON', legacy(undefined), { era: 'legacy', version: '2025-06-18' }],
    [
      'a request without a handshake',
      modern(modernRpc('tools/list')),
      { era: 'modern', version: '2026-07-28', client: 'probe' },
    ],
    [
      'a notification behind its header',
      modern({ jsonrpc: '2.0', method: 'x' }),
      { era: 'modern' },
    ],
    [
      'a version that nobody knows',
      modern(
        modernRpc('tools/list', {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': 'v999',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
      ),
      { era: 'modern' },
    ],
  ])('is told of %s', (_, spoken, expected) => {
    expect(spoken).toEqual(expected);
  });

  test.each([
    ['x'.repeat(65), 'x'.repeat(64)],
    ['a\u001b[31mb\u202ec\nd', 'a?[31mb?c?d'],
    ['', undefined],
  ])('has names without what could command a terminal: %j', (name, client) => {
    expect(initialize({ protocolVersion: '2025-03-26', clientInfo: { name } }).client).toBe(client);
  });
});
