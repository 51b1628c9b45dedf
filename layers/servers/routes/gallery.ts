import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { deployFromGallery } from '../steps/deployments/deploy-from-gallery.ts';
import { checkNetwork } from '../rules/networks.ts';
import { GALLERY } from '../gallery/gallery.ts';
import type { GalleryEntry } from '../gallery/entry.ts';
import { asItIs } from '../rules/fetch-terms.ts';
import * as z from 'zod';
import { FullDeployment, fullDeployment } from './deployment-body.ts';
import { type BodyReader, jsonBody } from '../../api/body.ts';
import { etag } from '../../api/request.ts';
import { revisionTag } from '../../deployments/rules/revision.ts';
import { type ApiRoute, ownerRoute, publicRoute } from '../../api/route.ts';
import { choicesOf, fields, publicationChangesOf } from './sent-deployment.ts';

export const Entry = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  base_url: z.string(),
  documentation_url: z.string(),
  credential: z.enum(['none', 'optional', 'required']),
  credential_help: z.string().optional(),
});

/** The entry decides the API's address and its tools. */
const { api_base_url: _, overrides: __, ...chosen } = fields;
const Order = z.strictObject(chosen);

const json = jsonBody(Order);
/** The body is optional. */
const order: BodyReader<z.output<typeof Order>> = {
  read: (event) => ((event.body ?? '') === '' ? {} : json.read(event)),
  described: { ...json.described, required: false },
};

export const galleryRoutes = (
  ports: PortsOf<typeof deployFromGallery> & { readonly settings: PlatformSettings },
): readonly ApiRoute[] => [
  publicRoute({
    method: 'GET',
    path: '/gallery',
    operationId: 'listGallery',
    tag: 'gallery',
    summary: 'Ready descriptions of public APIs.',
    answers: { 200: { description: 'All of them.', schema: z.object({ items: z.array(Entry) }) } },
    handle: () => apiReply(200, { items: GALLERY.map(entryBody) }),
  }),
  ownerRoute({
    method: 'POST',
    path: '/gallery/{id}/deployments',
    operationId: 'deployFromGallery',
    // Overlays may be given by address.
    effects: ['fetch', 'privileged_fetch'],
    tag: 'gallery',
    summary: 'Turns an entry into an MCP server.',
    idempotent: true,
    body: order,
    compiles: () => true,
    answers: {
      201: {
        description: 'The deployment, and what its API requires of callers.',
        schema: FullDeployment.extend({ gallery: Entry }),
        headers: {
          ETag: 'The revision, for If-Match.',
          Location: 'Where the deployment is managed.',
        },
      },
    },
    handle: async ({ user, may, parameters: { id }, body: sent, attempt }) => {
      const { settings } = ports;
      checkNetwork(settings.networks, sent.network, user.email);
      const wanted = {
        id,
        slug: sent.slug,
        choices: choicesOf(sent),
        publication: publicationChangesOf(sent),
        comment: sent.comment,
      };
      const terms = asItIs(may);
      const made = await deployFromGallery(ports, user, terms, wanted, attempt);
      const { deployment, warnings, entry } = made;
      const body = { ...fullDeployment(settings, deployment, warnings), gallery: entryBody(entry) };
      return apiReply(201, body, {
        ...etag(revisionTag(deployment)),
        location: `${settings.baseUrl}/mcp-management/deployments/${deployment.slug}`,
      });
    },
  }),
];

export const entryBody = ({ credential, ...entry }: GalleryEntry): z.input<typeof Entry> => ({
  id: entry.id,
  name: entry.name,
  description: entry.description,
  base_url: entry.baseUrl,
  documentation_url: entry.documentationUrl,
  credential: credential.need,
  ...(credential.need !== 'none' && { credential_help: credential.help }),
});
