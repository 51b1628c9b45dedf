interface RefreshingClients {
  /** As people call them, several in one row. */
  readonly clients: string;
  /** Whether they get a new access token when theirs ends, without asking anybody. */
  readonly refresh: 'yes' | 'unreliably';
  /** A test here, or a report of others with the month that it was read in. */
  readonly source: string;
}

/**
 * Which clients stay signed in, as far as anybody has recorded it. The console has it from here, and the table of the
 * documentation says the same; it imports nothing, so that browsers can load it.
 *
 * Source: docs/access.md, "How long somebody stays signed in".
 */
export const REFRESHING_CLIENTS: readonly RefreshingClients[] = [
  {
    clients:
      'official clients 1.x and 2.x, and what is made of them (Inspector, mcp-remote, mcporter)',
    refresh: 'yes',
    source: '`test/conformance/sdk-clients-oauth.test.ts`, November 2026',
  },
  {
    clients: 'Claude Code',
    refresh: 'unreliably',
    source: 'anthropics/claude-code#65036, read in November 2026',
  },
  {
    clients: 'Claude (web and desktop)',
    refresh: 'unreliably',
    source: 'anthropics/claude-ai-mcp#228, read in November 2026',
  },
];

const clientsThat = (how: RefreshingClients['refresh']): string =>
  REFRESHING_CLIENTS.filter(({ refresh }) => refresh === how)
    .map(({ clients }) => clients)
    .join(' and ');

/** The same in one sentence, for whoever connects one. */
export const refreshingInWords = (): string =>
  `Once signed in, ${clientsThat('yes')} refresh their access by themselves; ${clientsThat('unreliably')} do not reliably, and ask people to sign in again when it ends; of all others it is not known.`;
