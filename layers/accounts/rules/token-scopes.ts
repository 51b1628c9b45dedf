/** What a personal access token begins with, so that scanners of secrets know one wherever it lies. */
export const PERSONAL_TOKEN_PREFIX = 'hmt_';

/** What a token for programs may do. Not a ladder: what each holds besides itself, `HOLDS` says. */
export const TOKEN_SCOPES = ['read', 'logs', 'declare', 'all'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const HOLDS: Readonly<Record<TokenScope, readonly TokenScope[]>> = {
  read: [],
  logs: ['read'],
  declare: ['read'],
  all: TOKEN_SCOPES,
};

export const SCOPE_TEXTS: Readonly<Record<TokenScope, string>> = {
  read: 'look, plan and check',
  logs: 'read calls and events too',
  declare: 'apply declarations too',
  all: 'whatever you may do with servers',
};

/** What only people may do who are signed in. */
export type NeededScope = TokenScope | 'never';

/** Whether a token of one scope may do what needs another. */
export const reaches = (scope: TokenScope, needed: NeededScope): boolean =>
  needed !== 'never' && (scope === needed || HOLDS[scope].includes(needed));

interface EffectTerms {
  /** As a sentence says it of a request: "This … ". */
  readonly does: string;
  /** The least scope of a token for programs that may do it. */
  readonly needs: NeededScope;
  /** It depends on the request: whether it happens is known, and asked of a `Permission`, where it is to happen. */
  readonly depends?: true;
}

/**
 * What requests do beyond reading and writing what the service stores of their sender, or that cannot be undone. Each
 * route names its own, and what a token for programs may do derives from here.
 *
 * Source: docs/decisions/accounts.md, "What a token may cause".
 */
export const EFFECTS = {
  fetch: {
    does: 'fetches an address over the internet, without a credential',
    needs: 'declare',
    depends: true,
  },
  privileged_fetch: {
    does: "fetches an address with a deployment's credential, or in its private network",
    needs: 'declare',
    depends: true,
  },
  call: { does: 'calls an API, or asks for a token, with a credential', needs: 'all' },
  mail: { does: 'sends a mail', needs: 'all' },
  managed_removal: {
    does: 'removes for good what the declaration that manages a deployment has made',
    needs: 'declare',
    depends: true,
  },
  removal: { does: 'removes something for good', needs: 'all', depends: true },
  minting: { does: 'makes a token, a session, or a trust by which others sign in', needs: 'never' },
} as const satisfies Readonly<Record<string, EffectTerms>>;
export type Effect = keyof typeof EFFECTS;

/** @returns the same, as wide as the table is */
export const termsOf = (effect: Effect): EffectTerms => EFFECTS[effect];
