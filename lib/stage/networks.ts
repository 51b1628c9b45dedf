import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import {
  isForbiddenRange,
  isHostPattern,
  MOST_HOSTS,
  MOST_NETWORKS,
  MOST_RANGES,
  type Network,
  type NetworkUsers,
  rangeFault,
} from '../../layers/target/rules/network.ts';
import { NetworkExecutions, UNRESERVED } from './executions.ts';
import { NETWORK_NAME } from '../../layers/target/rules/network-name.ts';
import { type Placement, placement, some } from './placement.ts';

/** A private network in which deployments may call their APIs. Source: docs/networks.md. */
export interface StageNetwork extends Network, NetworkUsers, Placement {
  /** Executions reserved for its function, which are also its maximum; if absent it shares unreserved ones. */
  readonly executions?: number | undefined;
}

const Range = z.string().superRefine((text, context) => {
  const message =
    rangeFault(text) ??
    (isForbiddenRange(text)
      ? 'leave it out: no call ever goes there (loopback, link-local, metadata, multicast, reserved)'
      : undefined);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const Authority = z.string().superRefine((text, context) => {
  const message = 'write one certificate of an authority in PEM, from -----BEGIN CERTIFICATE-----';
  try {
    const { length } = text.match(/-----BEGIN CERTIFICATE-----/g) ?? [];
    if (length === 1 && new X509Certificate(text).ca) return;
  } catch {
    // OpenSSL's own messages help nobody.
  }
  context.addIssue({ code: 'custom', message });
});

const StageNetworkFile = z
  .strictObject({
    name: z.string().regex(NETWORK_NAME, 'write up to 32 lower-case letters, digits and hyphens'),
    ...placement,
    hosts: some(
      z
        .string()
        .refine(
          isHostPattern,
          'write a host in lower case (orders.internal), an IP address, or *.internal for all names below it',
        ),
      MOST_HOSTS,
    ),
    ranges: some(Range, MOST_RANGES),
    http: z.boolean().default(false),
    executions: NetworkExecutions.default(50),
    emails: some(
      z.email('write an e-mail address').transform((email) => email.toLowerCase()),
      50,
    ).optional(),
    domains: some(
      z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/, 'write a domain in lower case'),
      50,
    ).optional(),
    certificate_authorities: some(Authority, 3).default([]),
  })
  .transform(
    ({
      security_groups: securityGroups,
      certificate_authorities: certificateAuthorities,
      emails,
      domains,
      executions,
      ...network
    }): StageNetwork => ({
      ...network,
      ...(executions !== UNRESERVED && { executions }),
      securityGroups,
      certificateAuthorities,
      ...(emails && { emails }),
      ...(domains && { domains }),
    }),
  );

export const Networks = z
  .array(StageNetworkFile)
  .max(MOST_NETWORKS, `write at most ${MOST_NETWORKS}`)
  .superRefine((networks, context) => {
    for (const [index, { name }] of networks.entries()) {
      if (networks.findIndex((one) => one.name === name) === index) continue;
      const message = 'another network has this name';
      context.addIssue({ code: 'custom', path: [index, 'name'], message });
    }
  });

export const offeredNetworks = (networks: readonly (Network & NetworkUsers)[]): string =>
  networks.length === 0
    ? ''
    : JSON.stringify(networks, ['name', 'hosts', 'http', 'emails', 'domains']);
