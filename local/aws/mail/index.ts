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
import { oneLine, readMailbox } from './header.ts';
import { type Message, writeMessage } from './message.ts';

export interface MailOptions {
  readonly outbox: string;
  readonly region: string;
  /** Addresses and domains that may send; without it, anyone may. */
  readonly identities: readonly string[] | undefined;
}

/** SES v2: SendEmail, which delivers into a folder of `.eml` files named by their time. */
export const openMail = async ({
  outbox,
  region,
  identities,
}: MailOptions): Promise<AwsService> => {
  await openFolder(outbox);

  const send = async (message: Message): Promise<string> => {
    checkIdentity(message.from.address, identities, region);
    const id = randomUUID();
    const now = new Date();
    const name = `${now.toISOString().replace(/[:.]/g, '-')}-${id}.eml`;
    await replaceFile(join(outbox, name), writeMessage(message, id, now));
    return id;
  };

  return restService({
    signingName: 'ses',
    maxBodyBytes: 16 * 1024 * 1024,
    endpointErrors: {
      denied: ['AccessDeniedException', 403],
      throttled: ['TooManyRequestsException', 429],
    },
    operation: {
      name: 'SendEmail',
      path: /^\/v2\/email\/outbound-emails$/,
      accesses: (request) => accessesOf(messageIn(request), configurationSetIn(request), region),
      run: async (request) => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ MessageId: await send(messageIn(request)) }),
      }),
    },
  });
};

/**
 * SES asks for the identity of the address and for that of its domain, where either is verified. Which of
 * them is, an account may change at any time: both are asked for here.
 *
 * Source: Amazon SES Developer Guide, "Identity and access management in Amazon SES"; Service Authorization
 * Reference, "Amazon Simple Email Service v2".
 */
const accessesOf = (
  { from: { address } }: Message,
  configurationSet: string | undefined,
  region: string,
): readonly Wanted[] =>
  [
    `identity/${address}`,
    `identity/${address.slice(address.lastIndexOf('@') + 1)}`,
    ...(configurationSet === undefined ? [] : [`configuration-set/${configurationSet}`]),
  ].map((resource) => ({
    action: 'ses:SendEmail',
    resource: arnOf('ses', region, resource),
    context: { 'ses:FromAddress': address },
  }));

const configurationSetIn = (request: AwsRequest): string | undefined => {
  const { ConfigurationSetName: name } = readJson(request);
  return typeof name === 'string' ? name : undefined;
};

const Content = z.strictObject({ Data: z.string(), Charset: z.literal('UTF-8').optional() });
const Email = z.strictObject({
  FromEmailAddress: z.string(),
  /** What becomes of events is not for this machine. */
  ConfigurationSetName: z.string().optional(),
  Destination: z.strictObject({ ToAddresses: z.array(z.string()).min(1).max(50) }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: Content,
      Body: z.strictObject({ Text: Content, Html: Content }),
    }),
  }),
});

/** @throws AwsError */
const messageIn = (request: AwsRequest): Message => {
  try {
    const { FromEmailAddress, Destination, Content } = readInput(Email, readJson(request));
    const { Subject, Body } = Content.Simple;
    return {
      from: readMailbox(FromEmailAddress),
      to: Destination.ToAddresses.map(readMailbox),
      subject: oneLine(Subject.Data, 'The subject'),
      text: Body.Text.Data,
      html: Body.Html.Data,
    };
  } catch (error) {
    // SES has one code for whatever is wrong with a request.
    throw error instanceof AwsError ? new AwsError('BadRequestException', error.message) : error;
  }
};

const checkIdentity = (
  sender: string,
  identities: readonly string[] | undefined,
  region: string,
): void => {
  const address = sender.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const verified = identities?.some((identity) =>
    [address, domain].includes(identity.toLowerCase()),
  );
  if (verified === false) {
    throw new AwsError(
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region ' +
        `${region.toUpperCase()}: ${sender}`,
    );
  }
};
