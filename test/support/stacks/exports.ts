type Template = Readonly<Record<string, unknown>>;
type Templates = Readonly<Record<string, Template>>;

/**
 * What CloudFormation refuses when the stacks of an app are deployed in one state after the other, stack by stack: an
 * export that another stack imports neither changes nor goes.
 *
 * @param steps - the templates of each state by the names of their stacks
 * @param order - in which `cdk deploy` updates the stacks
 *
 * Source: AWS CloudFormation User Guide, "Get exported outputs from a deployed CloudFormation stack".
 */
export const exportFaults = (
  steps: readonly Templates[],
  order: readonly string[],
): readonly string[] => {
  const [first = {}, ...later] = steps;
  const deployed: Record<string, Template> = { ...first };
  const faults: string[] = [];
  for (const step of later) {
    for (const name of order) {
      const [before, after] = [exportsOf(deployed[name]), exportsOf(step[name])];
      for (const [exported, value] of before) {
        if (after.get(exported) === value) continue;
        const users = Object.keys(deployed).filter((one) =>
          importsOf(deployed[one]).includes(exported),
        );
        if (users.length === 0) continue;
        const end = after.has(exported) ? 'change' : 'go';
        faults.push(
          `${name}: the export ${exported} is in use by ${users.join()} and would ${end}`,
        );
      }
      deployed[name] = step[name] ?? {};
    }
  }
  return faults;
};

interface Output {
  readonly Value: unknown;
  readonly Export?: { readonly Name: unknown };
}

const exportsOf = ({ Outputs = {} }: Template = {}): ReadonlyMap<string, string> =>
  new Map(
    Object.values(Outputs as Readonly<Record<string, Output>>).flatMap(({ Value, Export }) =>
      Export ? [[textOf(Export.Name), JSON.stringify(Value)] as const] : [],
    ),
  );

const importsOf = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) =>
        key === 'Fn::ImportValue' ? [textOf(one)] : importsOf(one),
      );

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
