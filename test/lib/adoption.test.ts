import { describe, expect, test } from '@jest/globals';
import { adoptionOf, type FormerStack } from '../../lib/data/adoption.ts';
import { deployedWith, STAGES, synthesized } from '../support/stacks/synthesized.ts';
import { resourcesIn } from '../support/stacks/template-graph.ts';

const HOLDS_DATA = /^AWS::(?:DynamoDB::Table|KMS::Key|S3::Bucket|S3::BucketPolicy)$/;

const templateOf = (stage = STAGES['prod']!) => ({
  Resources: resourcesIn(synthesized({}, stage).data),
});

/** As CloudFormation tells of the stack of data that was deleted with `retain_data`. */
const formerStack = (resources = templateOf().Resources): FormerStack => ({
  StackResourceSummaries: Object.entries(resources).map(([id, { Type, DeletionPolicy }]) => ({
    LogicalResourceId: id,
    PhysicalResourceId: `physical-${id}`,
    ResourceType: Type,
    ResourceStatus: String(DeletionPolicy).startsWith('Retain')
      ? 'DELETE_SKIPPED'
      : 'DELETE_COMPLETE',
  })),
});

/** The policy of the bucket of lines names a role. */
const STREAMING = deployedWith({ stream: { to: 'own' } });

describe('what a deleted stack of data has left', () => {
  // Others leave nothing behind.
  test.each([
    ...Object.entries(STAGES).filter(([, { retainData }]) => retainData),
    ['prod with a stream', STREAMING] as const,
  ])(
    'is imported whole into a new one of %s, with nothing that is still to be made',
    (_, stage) => {
      const { Resources } = templateOf(stage);
      const { template, resourcesToImport } = adoptionOf({ Resources }, formerStack(Resources));
      const holding = Object.keys(Resources).filter((id) => HOLDS_DATA.test(Resources[id]!.Type));

      expect(Object.keys(template.Resources).toSorted()).toEqual(holding.toSorted());
      expect(resourcesToImport.map((one) => one.LogicalResourceId)).toEqual(holding);
      for (const [id, resource] of Object.entries(template.Resources)) {
        expect(resource).toMatchObject({ Type: Resources[id]!.Type, DeletionPolicy: 'Retain' });
        expect(resource).not.toHaveProperty('DependsOn');
      }
      const text = JSON.stringify(template);
      const references = [...text.matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([\w:]+)"/g)].map(
        ([, id]) => id,
      );
      const known = (id: string | undefined) =>
        holding.includes(id ?? '') || id?.startsWith('AWS::');
      expect(references.filter((id) => !known(id))).toEqual([]);
      // What the AWS CLI takes as an argument. Source: AWS CloudFormation, "CloudFormation quotas".
      expect(text.length).toBeLessThanOrEqual(51_200);
    },
  );

  test('has the statements of its policies that name nothing else', () => {
    const { Resources } = templateOf(STREAMING);
    const { template } = adoptionOf({ Resources }, formerStack(Resources));
    const [[, policy] = []] = Object.entries(template.Resources).filter(([id]) =>
      id.startsWith('StreamLinesPolicy'),
    );

    expect(JSON.stringify(policy)).toContain('NobodyDeletes');
    expect(JSON.stringify(policy)).not.toContain('FirehoseAloneWrites');
  });

  test('is known by the name of its kind', () => {
    const { Resources } = templateOf();
    const { resourcesToImport } = adoptionOf({ Resources }, formerStack());
    const identifierOf = (prefix: string) =>
      resourcesToImport.find((one) => one.LogicalResourceId.startsWith(prefix))?.ResourceIdentifier;

    expect(identifierOf('DataUsers')).toEqual({
      TableName: expect.stringMatching(/^physical-DataUsers/),
    });
    expect(identifierOf('DataDescriptions')).toHaveProperty('BucketName');
    // By its bucket, which has the name that the policy is found by.
    expect(identifierOf('DataDescriptionsPolicy')).toEqual({
      Bucket: expect.stringMatching(/^physical-DataDescriptions(?!Policy)/),
    });
    expect(identifierOf('KeysCredentials')).toHaveProperty('KeyId');
  });

  test('is refused if the template has no place for it', () => {
    const { Resources } = templateOf();
    const [users = ''] = Object.keys(Resources).filter((id) => id.startsWith('DataUsers'));
    const { [users]: _, ...others } = Resources;

    expect(() => adoptionOf({ Resources: others }, formerStack())).toThrow(
      `${users}: the template has no place for it`,
    );
  });

  test('is refused if it is nothing', () => {
    const dev = templateOf(STAGES['dev']).Resources;

    expect(() => adoptionOf(templateOf(), formerStack(dev))).toThrow('has left no table');
  });
});
