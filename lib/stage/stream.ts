import * as z from 'zod';

/** Destination for lines of calls and events. Source: docs/stream.md. */
export interface Stream {
  /** `own` for a bucket of the stack; otherwise an ARN. */
  readonly to: string;
  /** Whether calls are sent, too, or events alone. */
  readonly calls: boolean;
  /** Days that the stack's bucket keeps files; as long as logs if omitted. */
  readonly keepDays?: number;
}

/** Destinations of subscription filters besides functions. Source: CloudWatch Logs API, "PutSubscriptionFilter". */
const DESTINATIONS = {
  firehose: /^arn:aws[\w-]*:firehose:[a-z0-9-]+:\d{12}:deliverystream\/[\w.-]{1,64}$/,
  kinesis: /^arn:aws[\w-]*:kinesis:[a-z0-9-]+:\d{12}:stream\/[\w.-]{1,128}$/,
  logs: /^arn:aws[\w-]*:logs:[a-z0-9-]+:\d{12}:destination:[^:*\s]{1,512}$/,
} as const;

export type Destination = keyof typeof DESTINATIONS;

/** Service of a destination's ARN; undefined for other ARNs. */
export const destinationOf = (to: string): Destination | undefined =>
  (Object.keys(DESTINATIONS) as Destination[]).find((name) => DESTINATIONS[name].test(to));

const TO =
  'write "own", or the ARN of a stream of Firehose, a stream of Kinesis or a destination of CloudWatch Logs';
const DAYS = 'write how many days the lines are kept, 1 or more';

export const StreamSetting = z
  .strictObject({
    to: z.string(TO).refine((to) => to === 'own' || destinationOf(to) !== undefined, TO),
    calls: z.boolean('write true, or false for events alone').default(true),
    keep_days: z.int(DAYS).min(1, DAYS).max(36_500, DAYS).optional(),
  })
  .refine(({ to, keep_days: days }) => to === 'own' || days === undefined, {
    path: ['keep_days'],
    message: 'leave it out: how long others keep the lines is for them to say',
  })
  .transform(({ keep_days: keepDays, ...stream }): Stream => ({
    ...stream,
    ...(keepDays !== undefined && { keepDays }),
  }));
