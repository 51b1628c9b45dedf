import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { PersonalToken } from './personal-token.ts';
import { type Effect, reaches, termsOf, TOKEN_SCOPES, type TokenScope } from './token-scopes.ts';

const made = Symbol('permission');

/** What is about to happen, and the alternative to suggest if it is refused. */
export interface Act {
  /** Completes "This would …": `fetch https://api.example/openapi.json`. */
  readonly doing: string;
  readonly instead?: string;
}

/**
 * Which effects a request may cause. Functions that cause an effect require a `Permission` of it as an argument and
 * check it first, so that a route whose row does not declare the effect does not compile.
 * Source: docs/decisions/accounts.md, "What a token may cause".
 */
export interface Permission<Kind extends Effect> {
  /** @throws ApiRefusal token_not_allowed */
  readonly check: (effect: Kind, act: Act) => void;
  readonly allows: (effect: Kind) => boolean;
  readonly [made]: true;
}

/** Permission of signed-in people and operators' commands: allows every effect. */
export const PERSONS: Permission<Effect> = {
  check: () => undefined,
  allows: () => true,
  [made]: true,
};

export const permissionOf = ({ scope }: Pick<PersonalToken, 'scope'>): Permission<Effect> => {
  const allows = (effect: Effect) => reaches(scope, termsOf(effect).needs);
  return {
    allows,
    check: (effect, act) => {
      if (!allows(effect)) throw notAllowed(scope, effect, act);
    },
    [made]: true,
  };
};

/** Permission of the service's scheduled work: allows only what every token may do. */
export const SERVICES: Permission<Effect> = permissionOf({ scope: 'read' });

export const notAllowed = (
  scope: TokenScope,
  effect: Effect,
  { doing, instead = '' }: Act,
): ApiRefusal => {
  const { needs } = termsOf(effect);
  const able = TOKEN_SCOPES.filter((one) => reaches(one, needs)).map((one) => `\`${one}\``);
  const who =
    able.length > 0
      ? `this needs scope ${able.join(' or ')}`
      : 'this needs a person who is signed in';
  return new ApiRefusal(
    'token_not_allowed',
    `This would ${doing}. The personal access token has scope \`${scope}\`; ${who}. ${instead}`.trim(),
  );
};
