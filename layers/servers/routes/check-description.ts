import { apiReply } from '../../platform/http/reply.ts';
import { checkDescription } from '../steps/descriptions/check-description.ts';
import { checkNetwork } from '../rules/networks.ts';
import type { TargetSettings } from '../../target/ports.ts';
import * as z from 'zod';
import { descriptionBody } from './description-body.ts';
import { DescriptionReport, reportBody } from './description-report.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import {
  choicesOf,
  fields,
  type Fields,
  publicationChangesOf,
  QueryFields,
  source,
} from './sent-deployment.ts';
import type { PortsOf } from '../../platform/ports.ts';

const also = {
  gallery_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'In place of a description: an entry of the gallery.' }),
  deployment: z.string().max(200).optional().meta({
    description:
      'One of yours: what would its next version be? Its description and settings hold where none are sent.',
  }),
};

type Also = z.output<z.ZodObject<typeof also>>;

const Check = z.strictObject({ ...source, ...fields, ...also }).refine(
  ({ openapi, openapi_url, gallery_id, deployment }) => {
    const named = [openapi, openapi_url, gallery_id].filter((one) => one !== undefined).length;
    return named === 1 || (named === 0 && deployment !== undefined);
  },
  { error: 'Give one of openapi, openapi_url and gallery_id.', path: ['openapi'] },
);
const CheckQuery = QueryFields.extend(also);

/** Source: docs/decisions/descriptions.md, "A look before publication". */
export const checkRoutes = (
  ports: PortsOf<typeof checkDescription> & { readonly settings: TargetSettings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'POST',
    path: '/descriptions',
    operationId: 'checkDescription',
    forTokens: 'read',
    effects: ['fetch', 'privileged_fetch'],
    tag: 'descriptions',
    summary: 'What publication would make of a description. Nothing is stored.',
    query: CheckQuery,
    body: descriptionBody<Fields & Also>(ports.settings, Check, CheckQuery),
    answers: { 200: { description: 'The report.', schema: DescriptionReport } },
    compiles: () => true,
    handle: async ({ user, may, body: { fields: sent, source, fetched } }) => {
      const { gallery_id: galleryId, deployment, ...settings } = sent;
      checkNetwork(ports.settings.networks, settings.network, user.email);
      const wanted = {
        source: galleryId === undefined ? source : { galleryId },
        deployment,
        slug: settings.slug,
        fetched,
        publication: publicationChangesOf(settings),
        choices: choicesOf(settings),
      };
      return apiReply(200, reportBody(await checkDescription(ports, user, may, wanted)));
    },
  }),
];
