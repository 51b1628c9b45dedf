import { failure } from '../../platform/http/errors.ts';
import { modernFailure } from '../../platform/http/failures/modern-failure.ts';
import { type Routes, serve } from '../../platform/http/endpoint.ts';
import { modernVersions } from '../../platform/rules/protocol-versions.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { base, messages, stream } from './messages.ts';
import { countingMethods } from './admission.ts';
import {
  appendedProtectedResource,
  authorizationServer,
  card,
  discovery,
  health,
  protectedResource,
} from './documents.ts';
import { docs } from './docs.ts';
import { tool } from './tool.ts';

const DEPLOYMENT = '/v1/mcp-router/{slug}';
const RESOURCE = `/.well-known/oauth-protected-resource${DEPLOYMENT}`;
const SERVER = `/.well-known/oauth-authorization-server${DEPLOYMENT}`;

/** Source: docs/addresses.md, "Addresses of a server"; docs/decisions/oauth.md, "Metadata routes". */
export const server = (ports: RouterPorts) =>
  serve(
    ports,
    routesOf(ports),
    modernVersions(ports.settings).length > 0 ? modernFailure : failure,
  );

export const routesOf = (ports: RouterPorts): Routes => ({
  [`${DEPLOYMENT}/messages`]: countingMethods(ports, {
    POST: messages(ports, 'messages'),
    GET: stream(ports, 'messages'),
  }),
  [DEPLOYMENT]: countingMethods(ports, base(ports)),
  [`${DEPLOYMENT}/.well-known/mcp-server`]: { GET: discovery(ports) },
  [`${DEPLOYMENT}/.well-known/oauth-protected-resource`]: {
    GET: appendedProtectedResource(ports),
  },
  ...(ports.settings.serverCards && {
    [`${DEPLOYMENT}/messages/server-card`]: { GET: card(ports) },
    [`${DEPLOYMENT}/server-card`]: { GET: card(ports) },
  }),
  [`${DEPLOYMENT}/health`]: { GET: health(ports) },
  [`${DEPLOYMENT}/docs`]: { GET: docs(ports) },
  [`${DEPLOYMENT}/tool`]: countingMethods(ports, tool(ports)),
  [`${RESOURCE}/messages`]: { GET: protectedResource(ports, 'messages') },
  [RESOURCE]: { GET: protectedResource(ports, 'base') },
  [`${SERVER}/messages`]: { GET: authorizationServer(ports) },
  [SERVER]: { GET: authorizationServer(ports) },
});
