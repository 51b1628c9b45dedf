import type { RoutedEvent, Step } from '@hosted-mcp/core/http';
import {
  type Ahead,
  authenticate,
  type Caller,
  checkOffersLogin,
  checkOrigin,
  findDeployment,
  readAhead,
  type ResourceForm,
  type RouterPorts,
  type Sender,
} from '@hosted-mcp/core/router';

type Deployment = Awaited<ReturnType<typeof findDeployment>>;

/** A request to a deployment that is there. */
export interface ServedEvent extends RoutedEvent {
  readonly deployment: Deployment;
}

/** A request whose sender is known. */
export interface AdmittedEvent extends ServedEvent {
  readonly ahead: Ahead;
  readonly caller: Caller;
  readonly sender: Sender;
}

/** The steps of what anybody may see. */
export const open = (ports: RouterPorts): readonly Step<ServedEvent>[] => [
  async ({ parameters, notes }: RoutedEvent) => {
    const deployment = await findDeployment(ports, parameters['slug'] ?? '');
    notes.slug = deployment.slug;
    return { deployment };
  },
];

/** The steps of what a deployment protects, each in its own mode. */
export const guarded = (ports: RouterPorts, form: ResourceForm): readonly Step<AdmittedEvent>[] => [
  ({ headers, parameters }: RoutedEvent) => ({
    ahead: readAhead(ports, parameters['slug'] ?? '', headers['authorization']),
  }),
  ...open(ports),
  ({ headers, deployment }: ServedEvent) => {
    checkOrigin(headers['origin'], deployment.allowedOrigins);
    return {};
  },
  async ({ headers, requestContext, deployment, ahead }: AdmittedEvent) => {
    const { authorization } = headers;
    const { sourceIp } = requestContext.http;
    const presented = { deployment, authorization, sourceIp, form, ahead };
    const { requestId } = requestContext;
    const sender: Sender = { ip: sourceIp, userAgent: headers['user-agent'], requestId };
    return { caller: await authenticate(ports, presented), sender };
  },
];

/** The steps of what only `oauth` deployments have: some clients start a login wherever they find such a document (D2). */
export const oauthOnly = (ports: RouterPorts): readonly Step<ServedEvent>[] => [
  ...open(ports),
  ({ deployment }: ServedEvent) => {
    checkOffersLogin(deployment);
    return {};
  },
];
