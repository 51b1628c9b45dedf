import type { Reason } from '../rules/reason.ts';
import type { Stage } from '../stage/stage.ts';

/** Reviewers' rules that the edge does not follow, with reasons. Source: docs/aws.md, "Rules of reviewers". */
export const edgeReasons = ({ edge }: Pick<Stage, 'edge'>): readonly Reason[] => [
  ...(edge?.firewallLog === true
    ? []
    : [
        {
          rules: ['NIST.800.53.R5-WAFv2LoggingEnabled'],
          type: 'AWS::WAFv2::WebACL',
          reason:
            'A log of it is an option, `firewall_log`: it keeps addresses and headers of clients in one more place. The metric of the rule says how many were blocked, and `aws wafv2 get-rate-based-statement-managed-keys` which addresses are.',
        },
      ]),
  {
    rules: ['AwsSolutions-CFR3'],
    type: 'AWS::CloudFront::Distribution',
    reason:
      'Its log would have query strings, codes of authorization among them. The API behind it logs each request without them.',
  },
  {
    rules: ['AwsSolutions-CFR1'],
    type: 'AWS::CloudFront::Distribution',
    reason: 'Who may use the service is decided by accounts, not by countries.',
  },
  {
    rules: ['AwsSolutions-SMG4', 'NIST.800.53.R5-SecretsManagerRotationEnabled'],
    type: 'AWS::SecretsManager::Secret',
    path: /\/OriginSecrets\//,
    reason:
      'A secret of the origin never changes: another number takes its place in two deployments, between which the functions take both.',
  },
  {
    rules: ['NIST.800.53.R5-SecretsManagerUsingKMSKey'],
    type: 'AWS::SecretsManager::Secret',
    path: /\/OriginSecrets\//,
    reason:
      'Its value stands in the configuration of the distribution and of the functions as well, where no key of ours could encrypt it. It opens nothing but what everybody may ask of the distribution.',
  },
];
