import { isIP } from 'node:net';
import {
  isForbiddenRange,
  isHostPattern,
  type Network,
  rangeFault,
} from '../../layers/target/rules/network.ts';
import { NETWORK_NAME } from '../../layers/target/rules/network-name.ts';
import { networkFunction } from '../../lambdas/manifest.ts';
import { settingsOf, textsOf } from '../../lib/stage/variables.ts';
import type { LocalSettings } from './settings.ts';
import { StartRefused } from './start-refused.ts';

export const functionOfNetwork = ({ name }: Network): string => `network-${name}`;

/** Networks as `orders=127.0.0.2/32,orders.test`; a range of one address is a host, too. @throws StartRefused */
export const networksFrom = (texts: readonly string[] = []): readonly Network[] => {
  const networks = texts.map(networkFrom);
  const twice = networks.find(
    ({ name }, index) => networks.findIndex((one) => one.name === name) !== index,
  );
  if (twice) throw unusableNetwork(`the name "${twice.name}" is there twice`);
  return networks;
};

const networkFrom = (text: string): Network => {
  const [, name = '', list = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (!NETWORK_NAME.test(name)) throw unusableNetwork(`"${text}" is none`);
  const entries = list.split(',').map((entry) => entry.trim());
  const ranges = entries.filter((entry) => entry.includes('/'));
  for (const range of ranges) checkRange(range);
  if (ranges.length === 0) throw unusableNetwork(`"${text}" has no range`);
  const hosts = [
    ...entries.filter((entry) => !entry.includes('/')),
    ...ranges.flatMap((range) => {
      const [address = '', bits] = range.split('/');
      return Number(bits) === (isIP(address) === 6 ? 128 : 32) ? [address] : [];
    }),
  ];
  const wrong = hosts.find((host) => !isHostPattern(host));
  if (wrong !== undefined) throw unusableNetwork(`"${wrong}" is no host`);
  if (hosts.length === 0) throw unusableNetwork(`"${text}" has no host`);
  // Requests to networks of this machine may go without TLS.
  return { name, hosts, ranges, http: true, certificateAuthorities: [] };
};

const checkRange = (range: string): void => {
  const fault = rangeFault(range);
  if (fault !== undefined) throw unusableNetwork(`"${range}": ${fault}`);
  const [address = ''] = range.split('/');
  // Only in the local run: each address of 127.0.0.0/8 can stand for a machine.
  if (isForbiddenRange(range) && !/^(?:127\.|::1$)/.test(address)) {
    throw unusableNetwork(`"${range}": no request ever goes there`);
  }
};

const unusableNetwork = (why: string): StartRefused =>
  new StartRefused(
    `--network must be a name, ranges and hosts, as in orders=127.0.0.2/32,orders.test: ${why}.`,
  );

interface NetworkSettings {
  readonly settings?: LocalSettings;
  /** PEM certificates that are trusted besides the public ones. */
  readonly certificateAuthorities?: readonly string[];
}

export const networkFunctionOf = (
  network: Network,
  { settings = {}, certificateAuthorities = [] }: NetworkSettings,
  exceptPorts: Promise<readonly number[]>,
) => {
  const { entry, memoryMb, timeoutSeconds } = networkFunction;
  const given = settingsOf('network', { ...textsOf({}), ...settings }, true);
  const environment = { ...given, NETWORK: JSON.stringify(network) };
  const start = exceptPorts.then((ports) => ({
    environment,
    options: { targets: { loopback: { exceptPorts: ports, certificateAuthorities } } },
  }));
  return { name: functionOfNetwork(network), entry, memoryMb, timeoutSeconds, start };
};
