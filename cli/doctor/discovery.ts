import { jsonOf, textOf, textsOf } from '../json.ts';
import type { Addresses } from './addresses.ts';
import type { Fault } from './step.ts';
import { statusFault, type Visited } from './visit.ts';

export type Mode = 'none' | 'oauth' | 'jwt';

/** How clients get in, as the discovery document tells; undefined where it does not. */
export const modeOf = ({ json }: Visited): Mode | undefined => {
  const { required, methods } = jsonOf(json?.['authentication']);
  if (required === false) return 'none';
  return (['oauth', 'jwt'] as const).find((mode) => textsOf(methods).includes(mode));
};

/** Source: docs/protocol.md, "Discovery document". */
export const discoveryFault = (
  answer: Visited,
  { messages, slug }: Addresses,
): Fault | undefined => {
  if (answer.status === 404) {
    return {
      what: `there is no server "${slug}"`,
      cause: 'The name is wrong, or the server is paused or removed.',
      hint: 'Its owner sees with npx hosted-mcp ls; npx hosted-mcp resume opens a paused one.',
    };
  }
  const wrongStatus = statusFault(answer, [200]);
  if (wrongStatus) return wrongStatus;
  if (!answer.json) {
    return {
      what: 'the discovery document is no JSON',
      cause: 'Something else answers at this address: a proxy, a login page, another service.',
      hint: 'Open the address in a browser to see what it is.',
    };
  }
  if (!modeOf(answer)) {
    return {
      what: 'the discovery document does not say how clients authenticate',
      cause: 'Another kind of server answers at this address.',
      hint: 'Check the address.',
    };
  }
  const named = textOf(jsonOf(answer.json['endpoints'])['messages']);
  if (named === messages) return undefined;
  return {
    what: `the discovery document names ${named ?? 'no address'} instead of ${messages}`,
    cause: 'The service was set up with another base URL than the one it is reached at.',
    hint: 'Use the address that it names, or set its base URL (domain in config/<stage>.json).',
  };
};
