import { readLimits } from '../../layers/limits/rules/limits.ts';
import type { ReadersOf } from '../../lib/stage/variables.ts';
import * as z from 'zod/mini';
import { dynamoEmails } from '../../layers/accounts/store/emails.ts';
import { dynamoUndeliverables } from '../../layers/accounts/store/undeliverables.ts';
import { dynamoMailTokens } from '../../layers/accounts/store/mail-tokens.ts';
import { dynamoMailCounts } from '../../layers/accounts/store/mail-counts.ts';
import { dynamoSentMails } from '../../layers/accounts/store/sent-mails.ts';
import { sesMailer } from '../../layers/accounts/mails/ses-mailer.ts';
import {
  bare,
  basic,
  counting,
  type Environment,
  readEnvironment,
  texts,
  url,
} from '../wiring/environment.ts';
import { commonPorts, awsClientOptions } from '../wiring/common-ports.ts';
import { eventsIn } from '../wiring/events.ts';

const variables = {
  ...bare,
  ...counting,
  ...texts('USERS_TABLE', 'MAIL_FROM', 'MAIL_CONFIGURATION_SET'),
  BASE_URL: basic.BASE_URL,
  AWS_ENDPOINT_URL_SESV2: z.optional(url),
};

const readers = { limits: readLimits } satisfies ReadersOf<'mails'>;

export const wireMails = (given: Environment) => {
  const { environment, settings } = readEnvironment(variables, readers, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { BASE_URL: baseUrl, USERS_TABLE: users } = environment;
  const { limits } = settings;
  return {
    clock,
    timeLeft,
    log,
    random,
    settings: { ...settings, baseUrl },
    emails: dynamoEmails(dynamo, users),
    mailTokens: dynamoMailTokens(dynamo, users, random),
    mailCounts: dynamoMailCounts(dynamo, environment.LIMITS_TABLE, limits),
    sentMails: dynamoSentMails(dynamo, environment.LIMITS_TABLE, random),
    mailer: sesMailer(awsClientOptions(environment, timeLeft, environment.AWS_ENDPOINT_URL_SESV2), {
      from: environment.MAIL_FROM,
      configurationSet: environment.MAIL_CONFIGURATION_SET,
    }),
    configurationSet: environment.MAIL_CONFIGURATION_SET,
    undeliverables: dynamoUndeliverables(dynamo, users),
    events: eventsIn(environment, { clock, dynamo, log, random }, limits.log_retention_days),
  };
};
