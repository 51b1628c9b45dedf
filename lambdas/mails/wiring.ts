import * as z from 'zod/mini';
import { dynamoEmails } from '../../layers/accounts/store/emails.ts';
import { dynamoUndeliverables } from '../../layers/accounts/store/undeliverables.ts';
import { dynamoEvents } from '../../layers/events/store/events.ts';
import { dynamoMailTokens } from '../../layers/accounts/store/mail-tokens.ts';
import { dynamoMailCounts } from '../../layers/accounts/store/mail-counts.ts';
import { dynamoSentMails } from '../../layers/accounts/store/sent-mails.ts';
import { sesMailer } from '../../layers/accounts/mails/ses-mailer.ts';
import {
  bare,
  basic,
  type Environment,
  readEnvironment,
  text,
  url,
} from '../wiring/environment.ts';
import { at, commonPorts, awsClientOptions } from '../wiring/common-ports.ts';

const variables = {
  ...bare,
  BASE_URL: basic.BASE_URL,
  USERS_TABLE: text,
  LIMITS_TABLE: text,
  SECURITY_EVENTS_TABLE: text,
  MAIL_FROM: text,
  MAIL_CONFIGURATION_SET: text,
  AWS_ENDPOINT_URL_SESV2: z.optional(url),
};

/** All that sends mails. @throws Error that names what the environment lacks */
export const wireMails = (given: Environment) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, log, random, timeLeft } = commonPorts(environment);
  const { BASE_URL: baseUrl, LIMITS: limits, USERS_TABLE: users } = environment;
  return {
    clock,
    timeLeft,
    log,
    random,
    settings: { baseUrl, limits },
    emails: dynamoEmails(dynamo, users),
    mailTokens: dynamoMailTokens(dynamo, users, random),
    mailCounts: dynamoMailCounts(dynamo, environment.LIMITS_TABLE, limits),
    sentMails: dynamoSentMails(dynamo, environment.LIMITS_TABLE, random),
    mailer: sesMailer(
      { ...awsClientOptions(environment, timeLeft), ...at(environment.AWS_ENDPOINT_URL_SESV2) },
      {
        from: environment.MAIL_FROM,
        configurationSet: environment.MAIL_CONFIGURATION_SET,
      },
    ),
    configurationSet: environment.MAIL_CONFIGURATION_SET,
    undeliverables: dynamoUndeliverables(dynamo, users),
    events: dynamoEvents(
      { clock, log, random },
      dynamo,
      environment.SECURITY_EVENTS_TABLE,
      limits.log_retention_days,
    ),
  };
};
