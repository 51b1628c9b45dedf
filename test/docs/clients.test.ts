import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { MCP_CLIENTS, type McpClient } from '../../layers/platform/rules/mcp-clients.ts';

const CLIENTS: readonly McpClient[] = MCP_CLIENTS;
const REFRESHES = { yes: 'yes', unreliably: 'not reliably' };

const list = (values: readonly string[]): string =>
  values.map((value) => `\`${value}\``).join(', ');

/** What a row says beside names and versions, each with its source and its month. */
const knownOf = ({ refreshes, names, lists, hosted, adds, schemas, results }: McpClient) => [
  refreshes && { ...refreshes, what: `refreshes: ${REFRESHES[refreshes.how]}` },
  names && {
    ...names,
    what: `${names.outcome} a tool that is more than ${names.most} characters as \`${names.joined('SERVER', 'TOOL')}\``,
  },
  lists && { ...lists, what: `takes ${lists.most} tools at once, of all servers together` },
  hosted && { ...hosted, what: `people come back to ${list(hosted.redirectUris)}` },
  adds && { ...adds, what: `adds ${list(adds.members)} to arguments` },
  schemas && { ...schemas, what: `does not take ${schemas.refused}` },
  results && { ...results, what: `shows models \`${results.shown}\` alone, where there is one` },
];

const LINES = CLIENTS.flatMap((client) =>
  knownOf(client).flatMap((known) =>
    known
      ? [
          `| ${client.name} | ${known.what} | ${known.source.startsWith('https:') ? known.source : `\`${known.source}\``}, ${known.asOf} |`,
        ]
      : [],
  ),
);

test('what is known of clients stands in the documentation as the service knows it, with source and month', () => {
  const document = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
  const [, below = ''] = document.split('| Client | What is known | Source |\n|---|---|---|\n');

  expect(below.split('\n\n')[0]?.split('\n')).toEqual(LINES);
});

test('a client is in the table once, by either of its names', () => {
  for (const key of ['client', 'name'] as const) {
    const names = CLIENTS.map((one) => one[key].toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  }
});
