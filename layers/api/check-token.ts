import { isForSlug, type PersonalToken, reaches } from '../accounts/rules/personal-token.ts';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';
import type { ApiRoute } from './route.ts';

/**
 * Whether a personal access token is for a request.
 *
 * @param slug - of the deployment that the request names
 * @throws ApiRefusal token_not_allowed; not_found for a deployment that it is not for, whether there is one or not
 *
 * Source: docs/decisions/accounts.md, "Personal access tokens".
 */
export const checkToken = (
  token: PersonalToken,
  { method, forTokens = method === 'GET' ? 'read' : 'all', forSomeSlugs }: ApiRoute,
  slug: string | undefined,
): void => {
  if (forTokens === 'never') {
    throw notAllowed('This is for people who are signed in, and for no personal access token.');
  }
  if (!reaches(token.scope, forTokens)) {
    throw notAllowed(
      `The personal access token may \`${token.scope}\`, and this needs one that may \`${forTokens}\`.`,
    );
  }
  if (token.slugs === undefined || forSomeSlugs) return;
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
