import { member } from '../../../platform/rules/json/json.ts';
import { gzipSync } from 'node:zlib';
import { apiReply, type HttpReply } from '../../../platform/http/reply.ts';
import type { RoutedEvent } from '../../../platform/http/event.ts';
import { ownCalls, type OwnCallsPorts } from '../../../activity/steps/own-calls.ts';
import { SERVICES } from '../../../accounts/rules/permission.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import * as z from 'zod';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import { pageBody, pageOf, pageQuery } from '../../../api/page.ts';
import { callBody } from '../../../activity/routes/calls.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

const LIST = 'account-export';

const Answer = z.object({
  path: z.string().meta({ description: 'Of this API, which answers the same at it.' }),
  body: z.looseObject({}).optional(),
  media_type: z.string().optional().meta({ description: 'Of a file, in place of a body.' }),
  content: z.string().optional().meta({ description: 'The file: gzip, as base64.' }),
});
type Exported = z.input<typeof Answer>;

/** A part of the export, in one or more pages; nothing is read until `page` is called. */
interface Part {
  readonly path: string;
  page(cursor: string | undefined): Promise<{ readonly answer?: Exported; readonly next?: string }>;
}

/** GET routes that the export omits, with the reason. A test checks that every GET route is exported or listed here. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  '/account/calls': 'sums of calls, others among them',
  '/account/tokens':
    'for people who are signed in alone; how they were made is told by the activity',
  '/account/trusts':
    'for people who are signed in alone; how they were made is told by the activity',
  '/deployments/{slug}/activity': 'what others did there; what concerns the account is told',
  '/deployments/{slug}/callers': 'other people',
  '/deployments/{slug}/recorded-calls': 'what others sent',
  '/deployments/{slug}/recorded-calls/{id}': 'what others sent',
  '/deployments/{slug}/recording': 'says what is told of the deployment',
  '/deployments/{slug}/problems': 'sums of calls, others among them',
  '/deployments/{slug}/grants': 'other people',
  '/deployments/{slug}/openapi': 'the description of a version that is told',
  '/deployments/{slug}/server.json': 'made of what is told',
  '/deployments/{slug}/tools': 'made of the description',
  '/deployments/{slug}/search-tools': 'made of the description',
  '/deployments/{slug}/credential': 'told among all credentials',
  '/deployments/{slug}/credential/origins': 'made of the description',
  '/deployments/{slug}/credentials/{name}': 'told among all credentials',
  '/deployments/{slug}/clients': 'made of its address',
  '/deployments/{slug}/declaration': 'made of what is told',
  '/deployments/{slug}/doctor': 'made of the description',
  '/deployments/{slug}/versions/{version}/difference': 'made of versions that are told',
  '/networks': 'the configuration of the service',
};

/** Limits of a page; a single large part may exceed the first. */
const ENOUGH_BYTES = 400_000;
const ENOUGH_MS = 8000;

/** Exports everything that this API shows users about themselves and what they made, in pages. */
export const exportRoute = (ports: OwnCallsPorts, routes: readonly ApiRoute[]): ApiRoute =>
  ownerRoute({
    method: 'GET',
    path: '/account/export',
    operationId: 'exportAccount',
    effects: [],
    forTokens: 'never',
    tag: 'account',
    summary:
      'All that this API tells of the account and what it owns, in one list; no secret is in it. Where it is signed in, GET /sessions tells.',
    query: pageQuery(LIST).omit({ limit: true }),
    answers: {
      200: { description: 'A page, as large as one answer may be.', schema: pageOf(Answer) },
    },
    handle: async ({ user, query: { cursor } }) => {
      const { items, next } = await exportPage(ports, routes, user, cursor);
      return apiReply(200, pageBody(LIST, items, next));
    },
  });

/**
 * @param position - `next` of the page before
 * @throws ApiRefusal conflict where the part to continue with no longer exists
 */
export const exportPage = async (
  ports: OwnCallsPorts,
  routes: readonly ApiRoute[],
  user: User,
  position?: string,
): Promise<{ readonly items: readonly Exported[]; readonly next?: string }> => {
  const startedMs = ports.clock.elapsedMs();
  const items: Exported[] = [];
  let bytes = 0;
  const place = position === undefined ? undefined : placeIn(position);
  let { path, cursor } = place ?? {};
  const pages = new Map(Object.entries(place?.pages ?? {}));
  for await (const part of partsOf(ports, readerOf(routes, user), user, { pages, path })) {
    if (path !== undefined && part.path !== path) continue;
    path = undefined;
    do {
      const isEnough = bytes >= ENOUGH_BYTES || ports.clock.elapsedMs() - startedMs > ENOUGH_MS;
      if (items.length > 0 && isEnough) {
        return {
          items,
          next: JSON.stringify([part.path, cursor ?? null, Object.fromEntries(pages)]),
        };
      }
      const { answer, next } = await part.page(cursor);
      if (answer) {
        items.push(answer);
        bytes += JSON.stringify(answer).length;
      }
      cursor = next;
    } while (cursor !== undefined);
  }
  if (path === undefined) return { items };
  throw new ApiRefusal('conflict', 'What is exported has changed meanwhile: begin again.');
};

const Place = z.tuple([
  z.string(),
  z.string().nullable(),
  z.record(z.string(), z.string()).optional(),
]);

/** Next part, cursor within it, and the cursor of each list page that led to it. */
const placeIn = (position: string) => {
  try {
    const [path, cursor, pages] = Place.parse(parsedJson(position));
    return { path, cursor: cursor ?? undefined, pages };
  } catch {
    return { path: '' };
  }
};

interface Progress {
  /** Cursor of the page being walked, by the path of its list; absent for first pages. */
  readonly pages: Map<string, string>;
  /** Path of the next part; earlier parts need not be read again. */
  readonly path: string | undefined;
}

/** Calls the GET route of a path template as this user; undefined for 404. */
type Read = (
  template: string,
  parameters?: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string>>,
) => Promise<HttpReply | undefined>;

const readerOf =
  (routes: readonly ApiRoute[], user: User): Read =>
  async (template, parameters = {}, query = {}) => {
    const route = routes.find(({ method, path }) => method === 'GET' && path === template);
    if (!route) throw new Error(`there is no GET ${template}`);
    try {
      return await route.handle({
        event: { headers: {} } as RoutedEvent,
        user,
        may: SERVICES,
        parameters,
        query: route.query?.parse(query),
        body: undefined,
        attempt: '',
      });
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === 'not_found') return undefined;
      throw error;
    }
  };

const LISTED = z.looseObject({
  items: z.array(z.looseObject({})),
  next_cursor: z.string().optional(),
});

async function* partsOf(
  ports: OwnCallsPorts,
  read: Read,
  user: User,
  { pages, path }: Progress,
): AsyncIterable<Part> {
  yield whole(read, '/account');
  yield* list(read, '/account/grants');
  yield whole(read, '/account/shared');
  yield* list(read, '/account/activity');
  // Calls follow all deployments.
  const isAtCalls = /^\/deployments\/[^/]+\/calls$/.test(path ?? '');
  let resumed = isAtCalls ? '' : path?.match(/^\/deployments\/[^/]+/)?.[0];
  for await (const { slug } of listed(read, pages, '/deployments')) {
    if (resumed !== undefined && resumed !== `/deployments/${String(slug)}`) continue;
    resumed = undefined;
    const own = { slug: String(slug) };
    const below = '/deployments/{slug}';
    yield whole(read, below, own);
    yield whole(read, `${below}/credentials`, own);
    yield whole(read, `${below}/jwt-issuer`, own);
    yield whole(read, `${below}/cases`, own);
    yield whole(read, `${below}/case-runs`, own);
    yield* list(read, `${below}/tokens`, own);
    yield* list(read, `${below}/versions`, own);
    for await (const { version } of listed(read, pages, `${below}/versions`, own)) {
      const parameters = { ...own, version: String(version) };
      yield whole(read, `${below}/versions/{version}/openapi`, parameters);
    }
    for (const kind of ['resources', 'prompts']) {
      for await (const { name } of listed(read, pages, `${below}/${kind}`, own)) {
        yield whole(read, `${below}/${kind}/{name}`, { ...own, name: String(name) });
      }
    }
  }
  yield* callsOf(ports, user);
}

const whole = (
  read: Read,
  template: string,
  parameters: Readonly<Record<string, string>> = {},
): Part => {
  const path = filled(template, parameters);
  return {
    path,
    page: async () => {
      const reply = await read(template, parameters);
      return reply ? { answer: exported(path, reply) } : {};
    },
  };
};

async function* list(
  read: Read,
  template: string,
  parameters: Readonly<Record<string, string>> = {},
): AsyncIterable<Part> {
  const path = filled(template, parameters);
  yield {
    path,
    page: async (cursor) => {
      const { body, next } = await pageAt(read, template, parameters, cursor);
      return { answer: { path, body: { items: body.items } }, ...(next !== undefined && { next }) };
    },
  };
}

/** Items of a list, from the page that the export has reached. */
async function* listed(
  read: Read,
  pages: Map<string, string>,
  template: string,
  parameters: Readonly<Record<string, string>> = {},
): AsyncIterable<Readonly<Record<string, unknown>>> {
  const path = filled(template, parameters);
  let cursor = pages.get(path);
  do {
    const { body, next } = await pageAt(read, template, parameters, cursor);
    if (cursor !== undefined) pages.set(path, cursor);
    yield* body.items;
    cursor = next;
  } while (cursor !== undefined);
  pages.delete(path);
}

const pageAt = async (
  read: Read,
  template: string,
  parameters: Readonly<Record<string, string>>,
  cursor: string | undefined,
) => {
  const reply = await read(template, parameters, cursor === undefined ? {} : { cursor });
  const body = LISTED.parse(reply ? parsedJson(reply.body) : { items: [] });
  return { body, next: body.next_cursor };
};

async function* callsOf(ports: OwnCallsPorts, user: User): AsyncIterable<Part> {
  for await (const { slug, page } of ownCalls(ports, user)) {
    const path = `/deployments/${slug}/calls`;
    yield {
      path,
      page: async (cursor) => {
        const { calls, next } = await page(cursor);
        const items = calls.map((call) =>
          callBody({ call, email: user.email, clientName: undefined }),
        );
        return { answer: { path, body: { items } }, ...(next !== undefined && { next }) };
      },
    };
  }
}

const exported = (path: string, { headers, body, isBase64Encoded }: HttpReply): Exported => {
  if (!isBase64Encoded) return { path, body: parsedJson(body) as Record<string, unknown> };
  // Large files are compressed already.
  const content =
    headers['content-encoding'] === 'gzip'
      ? body
      : gzipSync(Buffer.from(body, 'base64')).toString('base64');
  return { path, media_type: headers['content-type'] ?? '', content };
};

const filled = (template: string, parameters: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(member(parameters, name) ?? ''),
  );
