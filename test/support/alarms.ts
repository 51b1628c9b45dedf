import { expect } from '@jest/globals';
import { synthesized, type Synthesized } from './synthesized.ts';
import type { Datum, MetricFilterProperties } from './cloudwatch.ts';
import { type AlarmProperties, stateOf } from './cloudwatch-alarms.ts';

/** Of an alarm by its name in `lib`: what the template says. */
export const alarmsIn = ({ service }: Synthesized): ReadonlyMap<string, AlarmProperties> =>
  new Map(
    Object.entries(service.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [
      id.replace(/^Alarms/, '').replace(/[0-9A-F]{8}$/, ''),
      Properties as AlarmProperties,
    ]),
  );

/** The filters of a stage, with the placeholder of the log group that each reads. */
export const filtersIn = ({ service }: Synthesized) =>
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
    [];
  if (id === undefined) throw new Error(text);
  return id;
};

export const stage = (): Synthesized => synthesized();

/** That an alarm is off after some data, and on after others, and tells of itself and of what to do. */
export const expectFiredBy = (
  name: string,
  { fine, fired, atMs }: { fine: readonly Datum[]; fired: readonly Datum[]; atMs: number },
): void => {
  const alarm = alarmsIn(stage()).get(name);
  if (!alarm) throw new Error(`there is no alarm ${name}`);
  expect([name, stateOf(alarm, fine, atMs, placeholderOf)]).toEqual([name, 'OK']);
  expect([name, stateOf(alarm, fired, atMs, placeholderOf)]).toEqual([name, 'ALARM']);
};
