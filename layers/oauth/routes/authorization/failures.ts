import { apiFailure } from '../../../platform/http/failures/api-failure.ts';
import { type Failure, failure } from '../../../platform/http/errors.ts';
import type { Headers, HttpReply } from '../../../platform/http/reply.ts';
import type { HttpEvent } from '../../../platform/http/event.ts';
import type { Translate } from '../../../platform/http/endpoint.ts';
import { PageRefusal } from '../../../platform/rules/refusal/page-refusal.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { companyNotice, refusalNotice, returnNotice } from './refusal-notice.ts';
import { serverIn, wantedIn } from '../../../accounts/routes/after-sign-in.ts';
import { show, type Site } from '../../../accounts/routes/site.ts';

/**
 * Errors in the caller's format: a page for people, problem documents for the management API and the console, OAuth
 * errors for the rest.
 * @param pages - paths of the pages for people
 */
export const failures =
  (site: Site, pages: readonly string[]): Translate =>
  async (error, event) => {
    const failed = failure(error);
    if (failed.reply.statusCode === 303) return failed;
    if (isPage(pages, event)) {
      return { ...failed, reply: await noticeOf(site, failed, event, waysOf(site, error, event)) };
    }
    return PROBLEM_PATHS.test(event.rawPath) ? apiFailure(error) : failed;
  };

/** The management API, and what scripts of the console call. */
const PROBLEM_PATHS = /^\/v1\/(?:mcp-management|mcp-oauth-server\/console)\//;

const isPage = (pages: readonly string[], { rawPath, requestContext }: HttpEvent): boolean =>
  pages.some((page) => isAt(page, rawPath.replace(/\/$/, ''))) ||
  (rawPath.startsWith('/v1/mcp-management/accounts/verify') &&
    requestContext.http.method === 'GET');

/** Whether a path matches a route with `{parameters}`. */
const isAt = (route: string, path: string): boolean => {
  const [places, parts] = [route.split('/'), path.split('/')];
  return (
    places.length === parts.length &&
    places.every((place, index) => place.startsWith('{') || place === parts[index])
  );
};

/** Links by which a person can go on after an error. */
const waysOf = (
  site: Site,
  error: unknown,
  event: HttpEvent,
): Partial<ReturnType<typeof refusalNotice>> => {
  if (error instanceof PageRefusal && error.wayBack !== undefined)
    return returnNotice(error.wayBack);
  if (error instanceof ApiRefusal && error.details.signInAt !== undefined) {
    const server = serverIn(new URLSearchParams(event.rawQueryString).get('server') ?? '');
    return companyNotice(site, error.details.signInAt, wantedIn(site, event), server);
  }
  return {};
};

const noticeOf = (
  site: Site,
  failed: Failure,
  event: HttpEvent,
  ways: Partial<ReturnType<typeof refusalNotice>>,
): Promise<HttpReply> => {
  const { statusCode, headers } = failed.reply;
  const view = {
    ...site.basics,
    ...refusalNotice(site, failed, event.rawPath),
    ...ways,
  };
  return show(statusCode, (pages) => pages.noticePage(view), kept(headers));
};

const KEPT = ['retry-after', 'allow', 'www-authenticate', 'x-mcp-challenge'];

const kept = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.includes(name)));
