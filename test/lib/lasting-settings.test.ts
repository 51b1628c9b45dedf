import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import type { Stage } from '../../lib/stage/stage.ts';
import { PROD, synthesized } from '../support/stacks/synthesized.ts';

type Parameters = Readonly<Record<string, string>>;
interface Constrained {
  readonly Parameters: Readonly<Record<string, { readonly Default: string }>>;
  readonly Rules: Readonly<Record<string, { readonly Assertions: readonly Assertion[] }>>;
}
interface Assertion {
  readonly Assert: {
    readonly 'Fn::Contains': readonly [readonly string[], { readonly Ref: string }];
  };
  readonly AssertDescription: string;
}

/**
 * What CloudFormation keeps of a deployment, or says before it touches anything. A parameter that nobody gives
 * has the value of the deployment before, as the CLI of the CDK asks for with `UsePreviousValue`.
 */
const deploy = (template: Template, id: string, before?: Parameters, given: Parameters = {}) => {
  const { Parameters, Rules } = template.toJSON() as Constrained;
  const kept = { [id]: Parameters[id]!.Default, ...before, ...given };
  const [{ Assert, AssertDescription } = {}] = Rules[`${id}IsAsDeployed`]!.Assertions;
  const [allowed, { Ref }] = Assert!['Fn::Contains'];
  return allowed.includes(kept[Ref]!) ? kept : AssertDescription!;
};

describe('the store of credentials of a stage that is deployed', () => {
  const stageOf = (stage: Partial<Stage>, before?: Parameters, given?: Parameters) =>
    deploy(synthesized(stage).data, 'CredentialStore', before, given);
  const first = stageOf({ credentialStore: 'secrets-manager' }) as Parameters;

  test('stays without a word', () => {
    expect(stageOf({ credentialStore: 'secrets-manager' }, first)).toEqual(first);
  });

  test('does not change without the one before, be it by default', () => {
    expect(stageOf({}, first)).toBe(
      'The deployed stage keeps credentials in another store. Write that one as "credential_store_former" into the stage\'s file, or, where hosted-mcp admin move-credentials has said that nothing is left there, deploy with --parameters HostedMcp-prod-Data:CredentialStore=envelope',
    );
  });

  test('changes beside the one before, which goes when that is said', () => {
    const both = { credentialStore: 'envelope', credentialStoreFormer: 'secrets-manager' } as const;
    const during = stageOf(both, first) as Parameters;
    const after = stageOf({}, during, { CredentialStore: 'envelope' }) as Parameters;

    expect(stageOf({}, during)).toMatch(/^The deployed stage keeps credentials in another store/);
    expect(stageOf({}, after)).toEqual(after);
    expect(stageOf({ credentialStore: 'secrets-manager' }, after)).toMatch(/^The deployed stage/);
  });
});

describe('the lock of the vault of a stage that is deployed', () => {
  const locked = (lock: Stage['backupVaultLock'], before?: Parameters, given?: Parameters) =>
    deploy(synthesized({ backupVaultLock: lock }).data, 'BackupVaultLock', before, given);
  const GOVERNANCE = { minRetentionDays: 7 };
  const COMPLIANCE = { minRetentionDays: 7, changeableForDays: 3 };
  const COMPLIANT = 'compliance-7-any-3';
  const changeable = locked(undefined) as Parameters;
  const compliant = locked(COMPLIANCE, changeable, { BackupVaultLock: COMPLIANT }) as Parameters;

  test('comes and goes as long as somebody may take it back', () => {
    expect(locked(GOVERNANCE, changeable)).toEqual(changeable);
    expect(locked(undefined, changeable)).toEqual(changeable);
  });

  test('is made for good only where that is said twice, in a new stage too', () => {
    for (const before of [changeable, undefined]) {
      expect(locked(COMPLIANCE, before)).toBe(
        `"backup_vault_lock" with "changeable_for_days" can be taken back by nobody once these days are over, and not be changed either. Read docs/restore.md, "A locked vault"; if it is meant, deploy with --parameters HostedMcp-prod-Data:BackupVaultLock=${COMPLIANT}`,
      );
    }
    expect(compliant).toEqual({ BackupVaultLock: COMPLIANT });
    expect(locked(COMPLIANCE, compliant)).toEqual(compliant);
  });

  test.each([
    ['is left out', undefined],
    ['could be taken back', GOVERNANCE],
  ])('is not touched where it %s afterwards, unless that is said', (_, next) => {
    const given = { BackupVaultLock: 'changeable' };

    expect(locked(next, compliant)).toMatch(
      /^The vault of the deployed stage is locked for good\. .* --parameters HostedMcp-prod-Data:BackupVaultLock=changeable$/,
    );
    expect(locked(next, compliant, given)).toEqual(given);
  });

  test('is not touched where it is another one', () => {
    const other = { ...COMPLIANCE, minRetentionDays: 35 };

    expect(locked(other, compliant)).toContain('BackupVaultLock=compliance-35-any-3');
  });
});

describe('the address of a stage that is deployed', () => {
  const at = (name: string | undefined, before?: Parameters, given?: Parameters) => {
    const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/1';
    const domain = name && { name, certificateArn, certificateRegion: 'eu-central-1' };
    return deploy(
      synthesized({ ...(domain && { domain }) }, PROD).service,
      'Domain',
      before,
      given,
    );
  };

  test.each([
    ['another one', 'old.acme.com', 'new.acme.com'],
    ['one of its own', undefined, 'new.acme.com'],
    ['none', 'old.acme.com', undefined],
  ])('becomes %s only where that is said', (_, old, next) => {
    const before = at(old) as Parameters;
    const given = { Domain: next ?? 'none' };

    expect(at(old, before)).toEqual(before);
    expect(at(next, before)).toMatch(
      /^The deployed stage serves from another address: .* --parameters HostedMcp-prod-Service:Domain=\S+$/,
    );
    expect(at(next, before, given)).toEqual(given);
  });
});
