import { isForSlug, type PersonalToken } from '../accounts/rules/personal-token.ts';
import {
  type Effect,
  type NeededScope,
  reaches,
  termsOf,
  TOKEN_SCOPES,
} from '../accounts/rules/token-scopes.ts';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';
import type { ApiRoute } from './route.ts';

type Asked = Pick<ApiRoute, 'effects' | 'forTokens' | 'method'>;

/**
 * The least scope that a personal access token needs for any request of a route. Effects that depend on the request
 * are checked where they are known.
 */
export const scopeFor = ({
  method,
  effects,
  forTokens = method === 'GET' ? 'read' : 'all',
}: Asked): NeededScope => {
  const always = effects.map(termsOf).filter(({ depends }) => !depends);
  const needed = [forTokens, ...always.map(({ needs }) => needs)];
  return TOKEN_SCOPES.find((scope) => needed.every((one) => reaches(scope, one))) ?? 'never';
};

/** Effects of a route that need more than its least scope, with the scope that they need. */
export const mayNeedMore = (route: Asked): readonly (readonly [Effect, NeededScope])[] =>
  route.effects
    .map((effect) => [effect, termsOf(effect).needs] as const)
    .filter(([, needs]) => {
      const least = scopeFor(route);
      return least !== 'never' && !reaches(least, needs);
    });

/**
 * Checks that a personal access token allows a request.
 * @param slug - of the deployment that the request names
 * @throws ApiRefusal token_not_allowed; not_found for a deployment that the token is not for, whether or not it
 *   exists. Source: docs/decisions/accounts.md, "Personal access tokens".
 */
export const checkToken = (
  token: PersonalToken,
  route: Asked & Pick<ApiRoute, 'forSomeSlugs'>,
  slug: string | undefined,
): void => {
  const needed = scopeFor(route);
  if (needed === 'never') {
    throw notAllowed('This is for people who are signed in, and for no personal access token.');
  }
  if (!reaches(token.scope, needed)) {
    throw notAllowed(
      `The personal access token has scope \`${token.scope}\`; this request needs scope \`${needed}\`.`,
    );
  }
  if (token.slugs === undefined || route.forSomeSlugs) return;
  if (slug === undefined) {
    throw notAllowed(
      'The personal access token is for some deployments alone, and this names none.',
    );
  }
  if (!isForSlug(token, slug)) {
    throw new ApiRefusal(
      'not_found',
      'The personal access token is not for a deployment of this name.',
    );
  }
};

const notAllowed = (description: string) => new ApiRefusal('token_not_allowed', description);
