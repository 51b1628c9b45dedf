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

/** Addresses of pages, which the console itself tells apart: as many segments as the longest of them. */
const PAGES = ['{a}', '{a}/{b}', '{a}/{b}/{c}', '{a}/{b}/{c}/{d}', '{a}/{b}/{c}/{d}/{e}'];

/**
 * The console: files, one page for every address, and the hosts of models that the operator lists. It asks nothing of
 * AWS and reads nothing of a request but its address and what encodings and media types it takes.
 *
 * Source: docs/decisions/management.md, "The console".
 */
export const server = (
  ports: PortsOf<typeof serve>,
  files: Promise<ConsoleAssets>,
  modelHosts: readonly ModelHost[],
) => {
  // Made ready before anybody asks; whoever asks is told if it failed.
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

/** Pages below a server that may send to the vendor of models that their last part names. */
const ASKING = ['talk', 'cases'];

/** Where the page of an address may send to besides this service: `/servers/{slug}/talk/{vendor}`, to that vendor. */
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

/** People are led on; programs that guess are told what they were told before: there is nothing. */
const enter = (event: HttpEvent) => {
  if (/\btext\/html\b/.test(event.headers['accept'] ?? '')) return seeOther(FIRST_PAGE);
  throw nothingHere();
};

const nothingHere = () =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, 'no such file');
