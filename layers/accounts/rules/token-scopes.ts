/** Prefix of personal access tokens, by which secret scanners recognize them anywhere. */
export const PERSONAL_TOKEN_PREFIX = 'hmt_';

/** Scopes of personal access tokens. They are not a ladder: `HOLDS` lists what each includes. */
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

/** `never`: only signed-in people may do it. */
export type NeededScope = TokenScope | 'never';

/** Whether a token of this scope may do what needs the other. */
export const reaches = (scope: TokenScope, needed: NeededScope): boolean =>
  needed !== 'never' && (scope === needed || HOLDS[scope].includes(needed));

interface EffectTerms {
  /** Completes "This …" about a request. */
  readonly does: string;
  readonly needs: NeededScope;
  /** Only some requests cause it: a `Permission` is checked at the place where it would happen. */
  readonly depends?: true;
}

/**
 * What requests do beyond reading and writing the sender's own data, or irreversibly. Each route declares its effects;
 * what tokens may do is derived from them.
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

/** @returns the row, typed as the table's general type */
export const termsOf = (effect: Effect): EffectTerms => EFFECTS[effect];
