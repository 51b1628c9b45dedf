import { isoTime } from '../../platform/rules/time.ts';
import { apiReply, fileReply } from '../../platform/http/reply.ts';
import {
  listVersions,
  readUploadedDescription,
  rollBack,
  versionDifference,
  type VersionPorts,
  type VersionView,
} from '../steps/deployments/versions.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import * as z from 'zod';
import {
  Difference,
  differenceBody,
  RevisedDeployment,
  fullDeployment,
} from './deployment-body.ts';
import { jsonBody } from '../../api/body.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { revisionTag } from '../../deployments/rules/revision.ts';
import { pageBody, pageOf, pageQuery, pageWithin } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';

const Version = z.object({
  version: z.int(),
  served: z.boolean(),
  tool_count: z.int(),
  warning_count: z.int(),
  created_at: z.iso.datetime(),
  created_by: z.enum(['owner', 'operator', 'refresh']).optional().meta({
    description:
      '`refresh`: the service itself, from a description that it fetched again. Absent of versions that were made before this was noted.',
  }),
  comment: z.string().optional(),
});

const uploaded = {
  200: {
    description: 'Its bytes, and the media type that they came with, whatever that is.',
    schema: z.string(),
    mediaType: '*/*',
  },
};

const numberOf = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);

const LIST = 'versions';
const tag = 'versions';

/** Source: docs/decisions/descriptions.md, "Versions and overrides". */
export const versionRoutes = (
  ports: VersionPorts & { readonly settings: PlatformSettings & LimitsSettings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/versions',
    operationId: 'listVersions',
    effects: [],
    tag,
    summary: 'The versions that can be returned to, the latest first.',
    query: pageQuery(LIST),
    answers: { 200: { description: 'A page of them.', schema: pageOf(Version) } },
    handle: async ({ user, parameters: { slug }, query }) => {
      const versions = await listVersions(ports, { ownerId: user.id, slug });
      const { items, next } = pageWithin(versions, query, versionBody);
      return apiReply(200, pageBody(LIST, items, next));
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/openapi',
    operationId: 'readDescription',
    effects: [],
    tag,
    summary: 'The description that is served, as it was uploaded.',
    answers: uploaded,
    handle: async ({ user, parameters: { slug } }) =>
      fileReply(await readUploadedDescription(ports, { ownerId: user.id, slug })),
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/versions/{version}/openapi',
    operationId: 'readDescriptionOfVersion',
    effects: [],
    tag,
    summary: 'The description of a version that can be returned to, as it was uploaded.',
    answers: uploaded,
    handle: async ({ user, parameters: { slug, version } }) => {
      const owned = { ownerId: user.id, slug };
      return fileReply(await readUploadedDescription(ports, owned, numberOf(version)));
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/versions/{version}/difference',
    operationId: 'compareVersions',
    effects: [],
    tag,
    summary: 'How the tools of a version differ from those of another, whichever is served.',
    query: z.object({
      from: z.string().max(20).meta({ description: 'The version that it is compared with.' }),
    }),
    answers: { 200: { description: 'What came, went and changed.', schema: Difference } },
    handle: async ({ user, parameters: { slug, version }, query: { from } }) => {
      const owned = { ownerId: user.id, slug };
      const wanted = { before: numberOf(from), after: numberOf(version) };
      return apiReply(200, differenceBody(await versionDifference(ports, owned, wanted)));
    },
  }),

  ownerRoute({
    method: 'POST',
    path: '/deployments/{slug}/rollback',
    operationId: 'rollBack',
    effects: [],
    tag,
    summary: 'Serves another version again, with all that it was made with.',
    conditional: true,
    body: jsonBody(z.strictObject({ version: z.int().min(1) })),
    answers: { 200: { description: 'As it is now.', schema: RevisedDeployment } },
    handle: async ({ event, user, parameters: { slug }, body: { version } }) => {
      const owned = { ownerId: user.id, slug, revisions: ifMatch(event) };
      const { deployment, warnings, tools } = await rollBack(ports, owned, version);
      const whole = fullDeployment(ports.settings, deployment, warnings);
      const body = { ...whole, tools: differenceBody(tools) };
      return apiReply(200, body, etag(revisionTag(deployment)));
    },
  }),
];

const versionBody = ({ version, isServed, notes }: VersionView): z.input<typeof Version> => ({
  version,
  served: isServed,
  tool_count: notes.toolCount,
  warning_count: notes.warnings.length,
  created_at: isoTime(notes.createdAt),
  ...(notes.origin && { created_by: notes.origin.by }),
  ...(notes.origin?.comment !== undefined && { comment: notes.origin.comment }),
});
