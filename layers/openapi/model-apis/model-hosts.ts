import { type ModelHost, PROTOCOLS } from './protocols.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Name in the URL of a page and in stored runs: `ours/llama-4`. */
const NAME = /^[a-z][a-z0-9-]{0,30}$/;
/** No IP addresses but 127.0.0.1: a browser's policy cannot match others. Source: CSP Level 3, "host-part matches". */
const LABEL = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const SEGMENT = /^[A-Za-z0-9._~-]+$/;
const MOST_LABEL = 63;
const MOST_URL = 200;
const MOST_HOSTS = 20;
const USUAL_PATH = '/v1';

/**
 * Hosts of models that an operator configured: `text` is the JSON of `model_hosts` in `config/<stage>.json`.
 * @throws Error with a message for the operator
 */
export const readModelHosts = (text = ''): readonly ModelHost[] => hostsIn(text, () => false);

/** As `readModelHosts`, for the local service: loopback hosts need no TLS. */
export const readLocalModelHosts = (text = ''): readonly ModelHost[] => hostsIn(text, isLoopback);

const hostsIn = (text: string, mayLackTls: (host: string) => boolean): readonly ModelHost[] => {
  if (text.trim() === '') return [];
  let sent: unknown;
  try {
    sent = parsedJson(text);
  } catch {
    throw malformed();
  }
  if (!Array.isArray(sent)) throw malformed();
  if (sent.length > MOST_HOSTS) throw new Error(`there may be ${MOST_HOSTS} hosts at most`);
  const hosts = sent.map((one: unknown) => hostIn(one, mayLackTls));
  const twice = hosts.find(({ name }, at) => hosts.findIndex((one) => one.name === name) !== at);
  if (twice) throw new Error(`the name "${twice.name}" is there twice`);
  return hosts;
};

const hostIn = (sent: unknown, mayLackTls: (host: string) => boolean): ModelHost => {
  if (typeof sent !== 'object' || sent === null) throw malformed();
  const { name, url, ...others } = sent as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof url !== 'string') throw malformed();
  if (Object.keys(others).length > 0) throw malformed();
  if (!NAME.test(name)) {
    throw new Error('a name is up to 31 lower-case letters, digits and hyphens, a letter first');
  }
  if (Object.hasOwn(PROTOCOLS, name)) {
    throw new Error(`"${name}" is offered in any case; give the host another name`);
  }
  const address = addressIn(url, mayLackTls);
  if (address !== undefined) return { name, url: address };
  throw new Error(
    `the url of "${name}" must be https, a host name in lower case, and perhaps a port and a path, as in https://llm.example.com/v1`,
  );
};

/** Accepts only the form that browsers serialize: nothing in it can end their Content Security Policy. */
const addressIn = (text: string, mayLackTls: (host: string) => boolean): string | undefined => {
  const url = text.length > MOST_URL ? null : URL.parse(text);
  if (!url || (url.protocol !== 'https:' && !mayLackTls(url.hostname))) return undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const path = url.pathname.replace(/\/$/, '');
  if (!isHost(url.hostname) || !path.split('/').slice(1).every(isSegment)) return undefined;
  const plain = url.origin + path;
  if (text !== plain && text !== `${plain}/`) return undefined;
  return path === '' ? url.origin + USUAL_PATH : plain;
};

const isHost = (host: string): boolean =>
  host === '127.0.0.1' ||
  (host.split('.').every((label) => LABEL.test(label) && label.length <= MOST_LABEL) &&
    // A numeric last label makes it an IPv4 address.
    !/^\d/.test(host.split('.').at(-1) ?? ''));
const isSegment = (segment: string): boolean => SEGMENT.test(segment);
const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === 'localhost';

const malformed = (): Error =>
  new Error('it must be a list such as [{"name": "ours", "url": "https://llm.example.com/v1"}]');
