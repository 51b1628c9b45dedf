import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { PersonalToken } from './personal-token.ts';
import { type Effect, reaches, termsOf, TOKEN_SCOPES, type TokenScope } from './token-scopes.ts';

const made = Symbol('permission');

/** What is about to happen, and what to do where it may not. */
export interface Act {
  /** As in "This would …": `fetch https://api.example/openapi.json`. */
  readonly doing: string;
  readonly instead?: string;
}

/**
 * What a request may cause, of the effects that its route names. Whoever causes one takes it as an argument and asks
 * it first, so that a route whose row does not name an effect cannot be written to have it.
 *
 * Source: docs/decisions/accounts.md, "What a token may cause".
 */
export interface Permission<Kind extends Effect> {
  /** @throws ApiRefusal token_not_allowed */
  readonly check: (effect: Kind, act: Act) => void;
  readonly allows: (effect: Kind) => boolean;
  readonly [made]: true;
}

/** Of a person who is signed in, who may cause whatever can be asked for; and of commands of operators. */
export const PERSONS: Permission<Effect> = {
  check: () => undefined,
  allows: () => true,
  [made]: true,
};

/** Of a token for programs. */
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

/** What the service does by itself, time and again, after its owner has chosen it once: what every token may. */
export const SERVICES: Permission<Effect> = permissionOf({ scope: 'read' });

/** A refusal that says what would happen, who may have it happen, and what else can be done. */
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
