import type { PortsOf } from '../platform/ports.ts';
import type { HttpEvent, RoutedEvent } from '../platform/http/event.ts';
import { type Routes, serve } from '../platform/http/endpoint.ts';
import { json, seeOther } from '../platform/http/reply.ts';
import { RouterRefusal } from '../platform/rules/refusal/router-refusal.ts';
import { type ModelHost, PROTOCOLS } from '../openapi/model-apis/protocols.ts';
import type { ConsoleAssets } from './assets.ts';
import { assetReply, pageReply } from './reply.ts';

const CONSOLE = '/v1/console';

const FIRST_PAGE = `${CONSOLE}/servers`;

/** Routes for paths of every depth that pages have; the console itself tells its pages apart. */
const PAGES = ['{a}', '{a}/{b}', '{a}/{b}/{c}', '{a}/{b}/{c}/{d}', '{a}/{b}/{c}/{d}/{e}'];

/**
 * Serves the console: asset files, one HTML page for every path, and the list of model hosts that the operator allows.
 * It calls no AWS service and reads only the request's path, `Accept`, `Accept-Encoding` and `If-None-Match`.
 * Source: docs/decisions/management.md, "The console".
 */
export const server = (
  ports: PortsOf<typeof serve>,
  files: Promise<ConsoleAssets>,
  modelHosts: readonly ModelHost[],
) => {
  // Building starts before the first request; this keeps a failure from being an unhandled rejection.
  files.catch(() => undefined);
  return serve(ports, routesOf(files, modelHosts));
};

export const routesOf = (
  files: Promise<ConsoleAssets>,
  modelHosts: readonly ModelHost[],
): Routes => {
  const page = {
    GET: async (event: RoutedEvent) =>
      pageReply(event, (await files).page, originFor(event, modelHosts)),
  };
  const entrance = { GET: async (event: RoutedEvent) => enter(event) };
  return {
    '/': entrance,
    '/v1': entrance,
    [CONSOLE]: { GET: async () => seeOther(FIRST_PAGE) },
    [`${CONSOLE}/assets/{file}`]: {
      GET: async (event) => {
        const { assets } = await files;
        const name = event.parameters['file'] ?? '';
        const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
        if (!asset) throw nothingHere();
        return assetReply(event, asset);
      },
    },
    [`${CONSOLE}/model-hosts.json`]: {
      GET: async () => json(200, { hosts: modelHosts }, { 'cache-control': 'no-cache' }),
    },
    ...Object.fromEntries(PAGES.map((path) => [`${CONSOLE}/${path}`, page])),
  };
};

/** Pages of a server that may connect to the model vendor named by the last path segment. */
const ASKING = ['talk', 'cases'];

/** Origin that the page at this path may connect to: that of `{vendor}` in `/servers/{slug}/talk/{vendor}`. */
const originFor = (
  { parameters }: RoutedEvent,
  modelHosts: readonly ModelHost[],
): string | undefined => {
  const { a, c, d = '', e } = parameters;
  if (a !== 'servers' || !ASKING.includes(c ?? '') || e !== undefined) return undefined;
  if (Object.hasOwn(PROTOCOLS, d)) return PROTOCOLS[d]?.url;
  const host = modelHosts.find(({ name }) => name === d);
  return host && new URL(host.url).origin;
};

/** Browsers are redirected to the console; other clients still get the 404 that they got before it existed. */
const enter = (event: HttpEvent) => {
  if (/\btext\/html\b/.test(event.headers['accept'] ?? '')) return seeOther(FIRST_PAGE);
  throw nothingHere();
};

const nothingHere = () =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, 'no such file');
