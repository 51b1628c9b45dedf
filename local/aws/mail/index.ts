import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { arnOf } from '../account.ts';
import { openFolder, replaceFile } from '../disk.ts';
import type { Wanted } from '../iam/access-control.ts';
import { readInput } from '../wire/input.ts';
import { readJson } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import { restService } from '../wire/rest.ts';
import type { AwsRequest, AwsService } from '../wire/service.ts';
import { arrives, feedbackOn, isSimulator } from './feedback.ts';
import { oneLine, readMailbox } from './header.ts';
import { type Message, writeMessage } from './message.ts';

export interface MailOptions {
  readonly outbox: string;
  readonly region: string;
  readonly identities: readonly string[] | undefined;
  readonly sandbox?: boolean;
  readonly publish: (functionName: string, event: object) => Promise<void>;
}

export interface EmbeddedMail {
  readonly service: AwsService;
  /** @param functionName - invoked with bounces and complaints */
  createConfigurationSet(name: string, functionName: string): void;
}

/** SES v2: SendEmail, into a folder of `.eml` files. The mailbox simulator's feedback invokes a function. */
export const openMail = async (options: MailOptions): Promise<EmbeddedMail> => {
  const { outbox, region, identities, sandbox = false, publish } = options;
  await openFolder(outbox);
  const functionOf = new Map<string, string>();

  const send = async ({ message, configurationSet }: SentEmail): Promise<string> => {
    const { from, to } = message;
    const checked = sandbox ? [from, ...to] : [from];
    checkIdentities(
      checked.map(({ address }) => address),
      identities,
      region,
    );
    const functionName = functionOf.get(configurationSet ?? '');
    if (configurationSet !== undefined && functionName === undefined) {
      const what = `Configuration set <${configurationSet}> does not exist.`;
      throw new AwsError('NotFoundException', what, 404);
    }
    const id = randomUUID();
    const sentAt = new Date();
    if (to.some(arrives)) {
      const name = `${sentAt.toISOString().replace(/[:.]/g, '-')}-${id}.eml`;
      await replaceFile(join(outbox, name), writeMessage(message, id, sentAt));
    }
    if (configurationSet !== undefined && functionName !== undefined) {
      for (const event of feedbackOn({ id, message, sentAt, region, configurationSet })) {
        await publish(functionName, event);
      }
    }
    return id;
  };

  const service = restService({
    signingName: 'ses',
    maxBodyBytes: 16 * 1024 * 1024,
    endpointErrors: {
      denied: ['AccessDeniedException', 403],
      throttled: ['TooManyRequestsException', 429],
    },
    operation: {
      name: 'SendEmail',
      path: /^\/v2\/email\/outbound-emails$/,
      accesses: (request) => accessesOf(emailIn(request), region),
      run: async (request) => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ MessageId: await send(emailIn(request)) }),
      }),
    },
  });
  return {
    service,
    createConfigurationSet: (name, functionName) => void functionOf.set(name, functionName),
  };
};

/**
 * SES requires permission for the identity of the address and for that of its domain, where either is verified. An
 * account may change which of them is: both are required here.
 * Source: Amazon SES Developer Guide, "Identity and access management in Amazon SES"; Service Authorization
 * Reference, "Amazon Simple Email Service v2".
 */
const accessesOf = (
  { message, configurationSet }: SentEmail,
  region: string,
): readonly Wanted[] => {
  const { address } = message.from;
  return [
    `identity/${address}`,
    `identity/${address.slice(address.lastIndexOf('@') + 1)}`,
    ...(configurationSet === undefined ? [] : [`configuration-set/${configurationSet}`]),
  ].map((resource) => ({
    action: 'ses:SendEmail',
    resource: arnOf('ses', region, resource),
    context: { 'ses:FromAddress': address },
  }));
};

interface SentEmail {
  readonly message: Message;
  readonly configurationSet: string | undefined;
}

const Content = z.strictObject({ Data: z.string(), Charset: z.literal('UTF-8').optional() });
const Email = z.strictObject({
  FromEmailAddress: z.string(),
  ConfigurationSetName: z.string().optional(),
  Destination: z.strictObject({ ToAddresses: z.array(z.string()).min(1).max(50) }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: Content,
      Body: z.strictObject({ Text: Content, Html: Content }),
    }),
  }),
});

const emailIn = (request: AwsRequest): SentEmail => {
  try {
    const sent = readInput(Email, readJson(request));
    const { Subject, Body } = sent.Content.Simple;
    const message = {
      from: readMailbox(sent.FromEmailAddress),
      to: sent.Destination.ToAddresses.map(readMailbox),
      subject: oneLine(Subject.Data, 'The subject'),
      text: Body.Text.Data,
      html: Body.Html.Data,
    };
    return { message, configurationSet: sent.ConfigurationSetName };
  } catch (error) {
    // SES has one code for whatever is wrong with a request.
    throw error instanceof AwsError ? new AwsError('BadRequestException', error.message) : error;
  }
};

const checkIdentities = (
  addresses: readonly string[],
  identities: readonly string[] | undefined,
  region: string,
): void => {
  if (!identities) return;
  const verified = new Set(identities.map((identity) => identity.toLowerCase()));
  const failed = addresses.filter((sent) => {
    const address = sent.toLowerCase();
    const domain = address.slice(address.lastIndexOf('@') + 1);
    return !verified.has(address) && !verified.has(domain) && !isSimulator(address);
  });
  if (failed.length > 0) {
    throw new AwsError(
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region ' +
        `${region.toUpperCase()}: ${failed.join(', ')}`,
    );
  }
};
