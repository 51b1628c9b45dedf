import type { RoutedEvent } from '../../platform/http/event.ts';
import type { Step } from '../../platform/http/endpoint.ts';
import { checkLocalOrigin } from '../../platform/rules/origin.ts';
import { findDeployment } from '../steps/find-deployment.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { ofAllowedPages } from './allowed-pages.ts';

type Deployment = Awaited<ReturnType<typeof findDeployment>>;

/** A request to a deployment that is there. */
export interface ServedEvent extends RoutedEvent {
  readonly deployment: Deployment;
}

/** The steps of what anybody may see. */
export const open = (ports: RouterPorts): readonly Step<ServedEvent>[] => [
  async ({ parameters, logged }: RoutedEvent) => {
    const deployment = await findDeployment(ports, parameters['slug'] ?? '');
    logged.slug = deployment.slug;
    return { deployment };
  },
  async (event: ServedEvent) => {
    const { localOrigins } = ports.settings;
    if (event.deployment.authMethod !== 'none' || !localOrigins) return {};
    return ofAllowedPages(ports, event, (origin, allowed) =>
      checkLocalOrigin(origin, [...localOrigins, ...allowed]),
    );
  },
];
