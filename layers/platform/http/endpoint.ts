import middy from '@middy/core';
import type { Settings } from '../../ports.ts';
import { cors } from './cors.ts';
import { answerErrors, edge, type EdgePorts, type Translate } from './edge.ts';
import type { HttpEvent, LoggedEvent, RoutedEvent } from './event.ts';
import type { HttpReply } from './reply.ts';
import { type Endpoint, router, type Routes } from './router.ts';
import { asViewed } from './viewer.ts';

/** What is done before a handler; what it finds is added to the event. Refuses by throwing. */
export type Step<Event> = (event: Event) => Promise<object> | object;

/** A handler behind its steps, in their order; the handler's type says what the steps must find. */
export const endpoint = <Event extends RoutedEvent>(
  steps: readonly Step<Event>[],
  handler: (event: Event) => Promise<HttpReply>,
): Endpoint => {
  const stack = middy<Event, HttpReply>(handler).use(steps.map(before));
  return (event) => stack(event as Event, NO_CONTEXT);
};

/** A function without settings serves nothing but what everybody may have, by whichever way it is asked. */
export type ServePorts = EdgePorts & { readonly settings?: Pick<Settings, 'originSecrets'> };

/** A function on its routes, behind the steps that all functions have. */
export const serve = (ports: ServePorts, routes: Routes, translate?: Translate) => {
  const route = router(routes);
  const inTime = (event: LoggedEvent) =>
    ports.timeLeft.orGiveUp(async () => route(asViewed(event, ports.settings?.originSecrets)));
  const stack = middy<LoggedEvent, HttpReply>(inTime).use([
    edge(ports),
    cors(),
    answerErrors(translate),
  ]);
  return (event: HttpEvent): Promise<HttpReply> => stack(event as LoggedEvent, NO_CONTEXT);
};

const before = <Event>(step: Step<Event>) => ({
  before: async (request: middy.Request<Event>): Promise<void> => {
    request.event = { ...request.event, ...(await step(request.event)) };
  },
});

/** Nothing here reads Lambda's context; events carry the correlation id. */
const NO_CONTEXT = {} as middy.Request['context'];
