import { describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { dataFormats, releases } from '../../lambdas/data-formats.ts';
import { checkDataFormats } from '../../lib/release/data-formats.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { PROD, synthesized } from '../support/stacks/synthesized.ts';

const { service: template } = synthesized();
const { service: atOnce } = synthesized({ releases: 'all_at_once', retainData: false });

type Resources = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

describe('a release', () => {
  test('leaves the versions and layers of former ones, and none of its own if it fails', () => {
    for (const type of ['AWS::Lambda::Version', 'AWS::Lambda::LayerVersion']) {
      template.allResources(type, {
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
      atOnce.allResources(type, { DeletionPolicy: Match.absent() });
    }
  });

  test('freezes code and layer together: another layer alone is another version of every function', () => {
    const versionsIn = (of: Template) => Object.keys(of.findResources('AWS::Lambda::Version'));

    const before = versionsIn(template);
    const after = versionsIn(synthesized({}, PROD, '// another layer').service);

    expect(after).toHaveLength(before.length);
    expect(new Set([...before, ...after]).size).toBe(2 * before.length);
  });

  test('all at once has no deployment group', () => {
    atOnce.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  });
});

describe('a release by canary', () => {
  const IN_THE_WAY = ['Credentials', 'Management', 'Oauth', 'Router'];
  const groups: Resources = template.findResources('AWS::CodeDeploy::DeploymentGroup');

  test('gives a tenth of the requests to the new version of what is in their way', () => {
    expect(Object.keys(groups).map((id) => /^ReleasesOf([A-Z][a-z]+)Group/.exec(id)?.[1])).toEqual(
      expect.arrayContaining(IN_THE_WAY),
    );
    for (const { Properties } of Object.values(groups)) {
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_FAILURE']),
        },
      });
    }
  });

  test.each(IN_THE_WAY)('moves the alias of %s by its own group', (name) => {
    const aliases: Resources = template.findResources('AWS::Lambda::Alias');
    const [, alias] =
      Object.entries(aliases).find(([id]) => id.startsWith(`Functions${name}`)) ?? [];

    expect(alias?.['UpdatePolicy']).toMatchObject({
      CodeDeployLambdaAliasUpdate: {
        DeploymentGroupName: { Ref: expect.stringMatching(`^ReleasesOf${name}Group`) },
      },
    });
  });

  test.each(IN_THE_WAY)('of %s goes back when alarms on the new version alone go off', (name) => {
    const [, group] =
      Object.entries(groups).find(([id]) => id.startsWith(`ReleasesOf${name}`)) ?? [];
    expect(JSON.stringify(group)).toMatch(`"Ref":"ReleasesOf${name}NewErrors`);
    const newest = { 'Fn::GetAtt': [Match.stringLikeRegexp(`^Functions${name}`), 'Version'] };
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Dimensions: Match.arrayWith([{ Name: 'ExecutedVersion', Value: newest }]),
      TreatMissingData: 'notBreaching',
    });
    // The broker answers no requests.
    if (name === 'Credentials') return;
    expect(JSON.stringify(group)).toMatch(`"Ref":"ReleasesOf${name}NewFailures`);
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: name,
      Dimensions: [{ Name: 'Version', Value: newest }],
    });
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      MetricTransformations: [
        Match.objectLike({
          MetricName: name,
          Dimensions: [{ Key: 'Version', Value: '$.function_version' }],
        }),
      ],
    });
  });

  test('lets CodeDeploy move these aliases, and nothing of every function', () => {
    template.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: Match.objectLike({
        Statement: [Match.objectLike({ Principal: { Service: 'codedeploy.amazonaws.com' } })],
      }),
      ManagedPolicyArns: Match.absent(),
    });
    for (const name of IN_THE_WAY) {
      const ownArn = { 'Fn::GetAtt': [Match.stringLikeRegexp(`^Functions${name}`), 'Arn'] };
      template.hasResourceProperties('AWS::IAM::Policy', {
        PolicyDocument: Match.objectLike({
          Statement: Match.arrayWith([
            // Lambda asks for these on the function, and not on its alias.
            Match.objectLike({
              Sid: 'MoveAlias',
              Action: ['lambda:GetAlias', 'lambda:UpdateAlias'],
              Resource: ownArn,
            }),
            Match.objectLike({
              Sid: 'WaitForInstances',
              Action: 'lambda:GetProvisionedConcurrencyConfig',
              Resource: { 'Fn::Join': ['', [ownArn, ':live']] },
            }),
          ]),
        }),
      });
    }
  });

  test('has nothing that waits for itself, what aliases wait for when they move included', () => {
    expect(circleIn(template)).toEqual([]);
  });
});

/** The first resources that wait for each other in a circle. */
const circleIn = (of: Template): readonly string[] => {
  const resources = of.toJSON()['Resources'] as Resources;
  const done = new Set<string>();
  const walk = (id: string, path: readonly string[]): readonly string[] => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (done.has(id) || !Object.hasOwn(resources, id)) return [];
    for (const next of referencesIn(resources[id])) {
      const circle = walk(next, [...path, id]);
      if (circle.length > 0) return circle;
    }
    done.add(id);
    return [];
  };
  return (
    Object.keys(resources)
      .map((id) => walk(id, []))
      .find(({ length }) => length > 0) ?? []
  );
};

const referencesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'Ref') return [part as string];
    if (name === 'Fn::GetAtt') return [(part as string[])[0] ?? ''];
    if (name === 'DependsOn') return [part as string | string[]].flat();
    return referencesIn(part);
  });
};

describe('the record of releases', () => {
  test('ends with the version of the package', () => {
    expect(releases.at(-1)).toBe(packageFile.version);
  });

  test('lets this release take over from the one before, and names releases only that there are', () => {
    expect(() =>
      checkDataFormats({ file: 'config/prod.json' }, { releases, dataFormats }),
    ).not.toThrow();
    for (const { readSince, writtenSince = readSince } of dataFormats) {
      expect(releases).toEqual(expect.arrayContaining([readSince, writtenSince]));
    }
  });
});

describe('a change of stored data', () => {
  const FIRST = { number: 1, what: 'the first', readSince: '1.0.0', writtenSince: '1.0.0' };
  const SECOND = { number: 2, what: 'names as lists', readSince: '1.1.0', writtenSince: '1.2.0' };
  const check = (upTo: string, deployedRelease: string | undefined, formats = [FIRST, SECOND]) => {
    const all = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'];
    const stage = { file: 'config/prod.json', deployedRelease };
    const known = all.slice(0, all.indexOf(upTo) + 1);
    // A release knows what is written by then, and no more.
    const dataFormats = formats.map(({ writtenSince, ...format }) =>
      known.includes(writtenSince) ? { ...format, writtenSince } : format,
    );
    return () => checkDataFormats(stage, { releases: known, dataFormats });
  };

  test.each<[string, string | undefined]>([
    ['1.0.0', undefined],
    ['1.1.0', undefined],
    ['1.1.0', '1.0.0'],
    ['1.2.0', undefined],
    ['1.2.0', '1.1.0'],
    ['1.3.0', '1.1.0'],
  ])('may be released with %s after %s', (release, before) => {
    expect(check(release, before)).not.toThrow();
  });

  test.each([
    ['1.2.0', '1.0.0'],
    ['1.3.0', '1.0.0'],
  ])('may not be released with %s after %s, which is told the step between', (release, before) => {
    expect(check(release, before)).toThrow(
      `config/prod.json: ${release} writes data of format 2 (names as lists), which 1.0.0 cannot read; deploy 1.1.0 first, which reads it and does not write it yet`,
    );
  });

  test('may not be released at once with the code that reads it', () => {
    const atOnceToo = { ...SECOND, readSince: '1.2.0' };

    expect(check('1.2.0', undefined, [FIRST, atOnceToo])).toThrow(
      '1.2.0 writes data of format 2 (names as lists), which 1.1.0 cannot read; no release reads it without writing it',
    );
  });

  test('needs a release that there is', () => {
    expect(check('1.2.0', '0.9.0')).toThrow(
      'config/prod.json: `deployed_release`: "0.9.0" is none of 1.0.0, 1.1.0, 1.2.0',
    );
  });
});
