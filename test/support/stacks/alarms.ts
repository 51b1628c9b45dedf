import { expect } from '@jest/globals';
import { AT_THE_EDGE, synthesized, type Synthesized } from './synthesized.ts';
import type { Datum, MetricFilterProperties } from '../aws/cloudwatch.ts';
import { type AlarmProperties, stateOf } from './cloudwatch-alarms.ts';

const backupCopyTo = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';

const stream = { to: 'own', calls: true } as const;

/** `config/prod.json` behind CloudFront, with copies of backups and a stream: a stage with every alarm that there is. */
export const stage = (): Synthesized => synthesized({ backupCopyTo, stream }, AT_THE_EDGE);

/** Of an alarm by its name in `lib`: what the templates say. */
export const alarmsIn = ({
  service,
  edgeAlarms,
}: Synthesized): ReadonlyMap<string, AlarmProperties> =>
  new Map(
    [service, ...(edgeAlarms ? [edgeAlarms] : [])].flatMap((template) =>
      Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, resource]) => [
        id.replace(/^Alarms/, '').replace(/[0-9A-F]{8}$/, ''),
        resource['Properties'] as AlarmProperties,
      ]),
    ),
  );

/** The filters of a stage, with the placeholder of the log group that each reads. */
export const filtersIn = ({ service }: Pick<Synthesized, 'service'>) =>
  Object.values(service.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) => ({
    ...(Properties as MetricFilterProperties),
    logGroup: placeholderOf(Properties.LogGroupName),
  }));

/**
 * A value that CloudFormation fills in, by the logical id that it comes from without its hash.
 * @throws Error if it is none
 */
export const placeholderOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  const [, id] =
    /"OutputName":"PublishOutput(?:Ref|FnGetAtt)(\w+?)[0-9A-F]{8}/.exec(text) ??
    /"(?:Ref|Fn::GetAtt)":\[?"(\w+?)[0-9A-F]{8}"/.exec(text) ??
    /"OutputName":"(\w+)"/.exec(text) ??
    [];
  if (id === undefined) throw new Error(text);
  return id;
};

/**
 * That an alarm is off after some data, on after others, and off again when all is well: after what is given as `over`,
 * or where nothing more is measured.
 */
export const expectFiredBy = (
  name: string,
  given: {
    readonly fine: readonly Datum[];
    readonly fired: readonly Datum[];
    readonly over?: readonly Datum[];
    readonly atMs: number;
  },
): void => {
  const { fine, fired, over = [], atMs } = given;
  const alarm = alarmsIn(stage()).get(name);
  if (!alarm) throw new Error(`there is no alarm ${name}`);
  const state = (data: readonly Datum[], ms: number) => stateOf(alarm, data, ms, placeholderOf);
  const later = over.length > 0 ? Math.max(...over.map((each) => each.atMs)) : atMs + 7 * DAY_MS;

  expect([name, state(fine, atMs)]).toEqual([name, 'OK']);
  expect([name, state(fired, atMs)]).toEqual([name, 'ALARM']);
  expect([name, state([...fired, ...over], later)]).toEqual([name, 'OK']);
};

const DAY_MS = 86_400_000;
