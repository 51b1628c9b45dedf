import { describe, expect, test } from '@jest/globals';
import { randomOf } from '../support/random.ts';
import { STAGES, synthesized } from '../support/stacks/synthesized.ts';
import {
  type Edges,
  graphOf,
  resourcesIn,
  stackOutputsIn,
  type TemplateGraph,
} from '../support/stacks/template-graph.ts';

const stages = Object.entries(STAGES).map(
  ([name, stage]) => [name, synthesized({}, stage)] as const,
);
const templates = stages.flatMap(([name, { data, service, firewall, edgeAlarms }]) =>
  Object.entries({
    data,
    service,
    ...(firewall && { firewall }),
    ...(edgeAlarms && { edgeAlarms }),
  }).map(([stack, template]) => [`${stack} of ${name}`, resourcesIn(template)] as const),
);

type Choose = (ready: readonly string[]) => string;

/** CloudFormation starts whatever has all that it waits for; which first is its choice. */
const orderOf = (waits: Edges, choose: Choose): readonly string[] => {
  const order: string[] = [];
  const left = new Map([...waits].map(([id, others]) => [id, others.size]));
  const waiting = reversed(waits);
  while (left.size > 0) {
    const ready = [...left].flatMap(([id, count]) => (count === 0 ? [id] : []));
    if (ready.length === 0) throw new Error(`a circle: ${[...left.keys()].join(', ')}`);
    const next = choose(ready);
    order.push(next);
    left.delete(next);
    for (const id of waiting.get(next)!) left.set(id, left.get(id)! - 1);
  }
  return order;
};

const reversed = (edges: Edges): Edges => {
  const others = new Map([...edges.keys()].map((id) => [id, new Set<string>()]));
  for (const [id, its] of edges) for (const other of its) others.get(other)!.add(id);
  return others;
};

const CHOICES: readonly Choose[] = [
  (ready) => ready.toSorted()[0]!,
  (ready) => ready.toSorted().at(-1)!,
  ...Array.from({ length: 20 }, (_, seed) => {
    const { pick } = randomOf(seed);
    return pick;
  }),
];

/** What is not there when something that needs it is made, in each of many orders. */
const creationFaults = ({ waits, needs }: TemplateGraph): readonly string[] =>
  CHOICES.flatMap((choose) => {
    const made = new Set<string>();
    return orderOf(waits, choose).flatMap((id) => {
      const missing = [...needs.get(id)!].filter((other) => !made.has(other));
      made.add(id);
      return missing.map((other) => `${id} is made before ${other}`);
    });
  });

/** What goes while something that needs it is still there. */
const deletionFaults = ({ waits, needs }: TemplateGraph): readonly string[] =>
  creationFaults({ waits: reversed(waits), needs: reversed(needs) });

/** What a resource needs and does not wait for at all, so that some order makes it first. */
const unordered = ({ waits, needs }: TemplateGraph): readonly string[] => {
  const all = new Map<string, ReadonlySet<string>>();
  for (const id of orderOf(waits, ([first]) => first!)) {
    const before = [...waits.get(id)!];
    all.set(id, new Set(before.flatMap((other) => [other, ...all.get(other)!])));
  }
  return [...needs].flatMap(([id, others]) =>
    [...others].filter((other) => !all.get(id)!.has(other)).map((other) => `${id} → ${other}`),
  );
};

describe('CloudFormation', () => {
  test.each(templates)('makes and removes the stack of %s in any order', (_, resources) => {
    const graph = graphOf(resources);

    expect(creationFaults(graph)).toEqual([]);
    expect(deletionFaults(graph)).toEqual([]);
    expect(unordered(graph)).toEqual([]);
  });

  test.each(stages)('finds each output of another stack that %s reads', (_, synthesis) => {
    const { deployedAfter, data, service, firewall, edgeAlarms } = synthesis;
    const outputs = Object.fromEntries(
      [data, service, firewall, edgeAlarms].flatMap((template, index) => {
        const name = Object.keys(deployedAfter)[index];
        return template && name ? [[name, Object.keys(template.findOutputs('*'))]] : [];
      }),
    );
    const [dataStack = '', serviceStack = ''] = Object.keys(deployedAfter);
    const read = stackOutputsIn(service);

    expect(stackOutputsIn(data)).toEqual([]);
    expect(read.length).toBeGreaterThan(50);
    for (const { StackName, OutputName } of read) {
      expect(deployedAfter[serviceStack]).toContain(StackName);
      expect(outputs[StackName]).toContain(OutputName);
    }
    for (const { StackName, OutputName } of edgeAlarms ? stackOutputsIn(edgeAlarms) : []) {
      expect(StackName).toBe(serviceStack);
      expect(outputs[StackName]).toContain(OutputName);
    }
    expect(deployedAfter[dataStack]).toEqual([]);
  });
});

describe('the replay', () => {
  const [, service] = templates.find(([name]) => name === 'service of prod')!;
  const changed = (type: string, over: object) =>
    graphOf(
      Object.fromEntries(
        Object.entries(service).map(([id, resource]) => [
          id,
          resource.Type === type
            ? { ...resource, Properties: { ...resource.Properties, ...over } }
            : resource,
        ]),
      ),
    );

  test('finds what is configured at an alias before the alias is made', () => {
    const graph = changed('AWS::Lambda::EventInvokeConfig', { Qualifier: 'live' });

    expect(unordered(graph)).toEqual([
      expect.stringMatching(/^SchedulesTallyRetries\w+ → FunctionsTallyLive\w+$/),
      expect.stringMatching(/^MailsRetries\w+ → FunctionsMailsLive\w+$/),
      expect.stringMatching(/^SubscriptionsActivityRetries\w+ → FunctionsActivityLive\w+$/),
    ]);
    expect(creationFaults(graph)).not.toEqual([]);
    expect(deletionFaults(graph)).not.toEqual([]);
  });

  test('finds an alias in the name of a function', () => {
    const [id] = Object.keys(service).filter((one) => one.startsWith('FunctionsActivityFunction'));
    const FunctionName = { 'Fn::Join': [':', [{ 'Fn::GetAtt': [id, 'Arn'] }, 'live']] };

    expect(unordered(changed('AWS::Lambda::EventSourceMapping', { FunctionName }))).toEqual([
      expect.stringMatching(/^SubscriptionsActivityAgain\w* → FunctionsActivityLive\w+$/),
    ]);
  });
});
