import { isoTime } from '../../platform/rules/time.ts';
import * as z from 'zod';
import { CALL_OUTCOMES } from '../../events/rules/call-outcome.ts';
import { placeOfCall } from '../../events/rules/call-record.ts';
import { since } from './activity.ts';
import { Call, nameField, subjectField } from './calls.ts';
import { answerBudget } from '../../api/answer.ts';
import { jsonBody } from '../../api/body.ts';
import { pageBody, pageOf, pageQuery } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { type Recording, RECORDING_DAYS } from '../../deployments/rules/recording.ts';
import {
  findRecordedCall,
  findRecording,
  listRecordedCalls,
  type NamedRecordedCall,
  recordedCallId,
  removeRecordedCalls,
  startRecording,
  stopRecording,
} from '../steps/recordings.ts';
import type { PortsOf } from '../../platform/ports.ts';
import { bodyOf } from '../../platform/rules/shape.ts';

const LIST = 'recorded-calls';
const RECORDING = '/deployments/{slug}/recording';
const RECORDED = '/deployments/{slug}/recorded-calls';
const tag = 'activity';

const [LEAST_DAYS, MOST_DAYS] = RECORDING_DAYS;

const toolField = nameField.meta({ description: 'Of one tool, or operation in search mode.' });

const NewRecording = z.strictObject({
  days: z.int().min(LEAST_DAYS).max(MOST_DAYS).meta({
    description: 'After so many days recording ends, and all that was recorded is gone.',
  }),
  tool: toolField,
  subject: subjectField,
});

const ShownRecording = z.object({
  on: z.boolean(),
  since: z.iso.datetime().optional(),
  until: z.iso
    .datetime()
    .optional()
    .meta({ description: 'When it ends, and what was recorded is gone.' }),
  tool: z.string().optional(),
  subject: z.string().optional().meta({ description: 'As it was named.' }),
});

const RecordedCall = Call.extend({
  id: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional().meta({
    description: 'As they were sent, `[masked]` in place of what is likely to be a secret.',
  }),
  arguments_text: z.string().optional().meta({
    description:
      'In place of arguments that are too long, or no object: the beginning of their JSON.',
  }),
  answer: z.string().optional().meta({
    description:
      'What the client was told of the answer, or its beginning; with the arguments 32 KB at most.',
  }),
  answer_left_out_bytes: z.int().optional(),
  error: z
    .string()
    .optional()
    .meta({ description: 'What the client was told in place of an answer.' }),
});

/** Source: docs/recordings.md. */
export const recordingRoutes = (ports: PortsOf<typeof startRecording>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: RECORDING,
    operationId: 'getRecording',
    effects: [],
    tag,
    summary: 'Whether calls are recorded with what is sent and answered.',
    answers: { 200: { description: 'What is recorded.', schema: ShownRecording } },
    handle: async ({ user, parameters: { slug } }) =>
      apiReply(200, recordingBody(await findRecording(ports, { ownerId: user.id, slug }))),
  }),
  ownerRoute({
    method: 'PUT',
    path: RECORDING,
    operationId: 'startRecording',
    effects: [],
    whileManaged: () => true,
    tag,
    summary:
      'Has calls recorded with what is sent and answered, from now on; the consent page and the docs page say so.',
    body: jsonBody(NewRecording),
    answers: { 200: { description: 'What is recorded.', schema: ShownRecording } },
    handle: async ({ user, parameters: { slug }, body: { days, tool, subject } }) => {
      const owned = { ownerId: user.id, slug };
      const recording = await startRecording(ports, owned, { days, tool, subject });
      return apiReply(200, recordingBody(recording));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: RECORDING,
    operationId: 'stopRecording',
    effects: ['removal'],
    whileManaged: () => true,
    tag,
    summary: 'Records nothing more. What is recorded stays until its day.',
    answers: { 204: { description: 'Nothing is recorded any more.' } },
    handle: async ({ user, parameters: { slug } }) => {
      await stopRecording(ports, { ownerId: user.id, slug });
      return apiReply(204);
    },
  }),
  ownerRoute({
    method: 'GET',
    path: RECORDED,
    operationId: 'listRecordedCalls',
    effects: [],
    forTokens: 'all',
    tag,
    summary: 'Calls with what was sent and answered, the newest first. Each look is an event.',
    query: pageQuery(LIST).extend({
      since,
      tool: toolField,
      subject: subjectField,
      outcome: z.enum(CALL_OUTCOMES).optional(),
      search: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .meta({ description: 'What stands in what was sent or answered.' }),
    }),
    answers: {
      200: {
        description:
          'A page; one that has fewer calls than wanted may still have another after it.',
        schema: pageOf(RecordedCall),
      },
    },
    handle: async ({ user, parameters: { slug }, query: { cursor: after, ...wanted } }) => {
      const { tool, subject, outcome, search, since: from, limit } = wanted;
      const owned = { ownerId: user.id, slug };
      const asked = { tool, subject, outcome, search, since: from, after, limit };
      const { calls, next } = await listRecordedCalls(ports, owned, asked);
      const items = answerBudget().fitting(calls, recordedBody);
      const last = calls[items.length - 1];
      const isAll = items.length === calls.length || !last;
      return apiReply(200, pageBody(LIST, items, isAll ? next : placeOfCall(last.recorded.call)));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: `${RECORDED}/{id}`,
    operationId: 'getRecordedCall',
    effects: [],
    forTokens: 'all',
    tag,
    summary: 'One call with what was sent and answered. Each look is an event.',
    answers: { 200: { description: 'The call.', schema: RecordedCall } },
    handle: async ({ user, parameters: { slug, id } }) =>
      apiReply(200, recordedBody(await findRecordedCall(ports, { ownerId: user.id, slug }, id))),
  }),
  ownerRoute({
    method: 'DELETE',
    path: RECORDED,
    operationId: 'removeRecordedCalls',
    effects: ['removal'],
    whileManaged: () => true,
    tag,
    summary: 'Removes all that was recorded, and records nothing more.',
    answers: { 204: { description: 'There is none any more.' } },
    handle: async ({ user, parameters: { slug } }) => {
      await removeRecordedCalls(ports, { ownerId: user.id, slug });
      return apiReply(204);
    },
  }),
];

const recordingBody = (recording: Recording | undefined): z.input<typeof ShownRecording> =>
  recording
    ? {
        on: true,
        since: isoTime(recording.since),
        until: isoTime(recording.until),
        ...(recording.tool !== undefined && { tool: recording.tool }),
        ...(recording.subjects && { subject: recording.subjects[0] }),
      }
    : { on: false };

const recordedBody = ({
  recorded,
  email,
  clientName,
}: NamedRecordedCall): z.input<typeof RecordedCall> => {
  const { call, leftOut: answerLeftOutBytes, ...content } = recorded;
  const named = { id: recordedCallId(call), at: isoTime(call.at), email, clientName };
  return bodyOf(RecordedCall, { ...call, ...content, ...named, answerLeftOutBytes });
};
