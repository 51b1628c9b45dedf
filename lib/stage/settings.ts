import * as z from 'zod';
import { readSignUpPolicy, SignUp } from '../../layers/accounts/rules/sign-up-policy.ts';
import { readAssumableRoles } from '../../layers/credentials/rules/aws-role.ts';
import {
  CREDENTIAL_STORES,
  readCredentialStore,
  readFormerCredentialStore,
} from '../../layers/credentials/rules/credential-stores.ts';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import { PLANS, readPlan } from '../../layers/limits/rules/plan.ts';
import { readClientDocumentHosts } from '../../layers/oauth/rules/clients/client-document-hosts.ts';
import {
  PrivateUseUris,
  readPrivateUseUris,
} from '../../layers/oauth/rules/clients/private-use-uris.ts';
import { readModelHosts } from '../../layers/openapi/model-apis/model-hosts.ts';
import { LOG_LEVELS, readLogLevel } from '../../layers/platform/rules/log-level.ts';
import {
  DEFAULT_VERSION,
  PROTOCOL_VERSIONS,
  readProtocolVersions,
} from '../../layers/platform/rules/protocol-versions.ts';
import { readSwitch } from '../../layers/platform/rules/switch.ts';
import { readOfferedNetworks } from '../../layers/target/rules/network.ts';
import { VaultLockSetting } from '../data/vault-lock.ts';
import { EdgeSetting } from '../edge/setting.ts';
import { EgressSetting } from './egress.ts';
import {
  Account,
  BackupVault,
  Budget,
  Canary,
  Concurrency,
  Domain,
  Limits,
  Mail,
  Region,
  ResourceTags,
  Topic,
} from './fields.ts';
import { Networks, offeredNetworks } from './networks.ts';
import type { Setting } from './setting.ts';
import { StreamSetting } from './stream.ts';

/** A row is all that file, deployment, `npm start` and documents need; the compiler asks for its reader. */
export const SETTINGS = {
  account: {
    schema: Account,
    isFree: true,
    description:
      'twelve digits: the AWS account of the stage. A shell that is signed in to another is refused',
  },
  region: {
    schema: Region,
    defaultInWords: 'required with `retain_data` and with `edge`, otherwise none',
    description:
      'the region of the stage. A shell that says another is refused, since the same stage there would be a second one, and empty; one that says none (no `AWS_REGION`) deploys to this one',
  },
  tags: {
    schema: ResourceTags,
    default: {},
    isFree: true,
    description:
      'tags of every resource, such as `{"cost-center": "42"}`, beside `Application` and `Stage`',
  },
  permissions_boundary: {
    schema: z
      .string()
      .regex(/^[\w+=,.@-]{1,128}$/, 'write the name of a policy of the account, not its ARN'),
    isFree: true,
    description:
      'name of a managed policy of the account that bounds every role of the stage; [deployment from CI](continuous-deployment.md#what-cloudformation-may-do) needs it',
  },
  retain_data: {
    schema: z.boolean(),
    needed: true,
    description:
      'keep tables, buckets, keys and log groups when the data stack is deleted, refuse to delete the tables, and protect all stacks from deletion',
  },
  backup: {
    schema: z.boolean(),
    default: false,
    retained: true,
    description:
      'back up [most data](restore.md#what-there-is-to-restore-from) each night, in a vault that outlives the stage ([backup and restore](restore.md))',
  },
  backup_copy_to: {
    schema: BackupVault,
    description:
      'ARN of a vault of another region or account that gets a copy of each backup ([copies elsewhere](restore.md#copies-elsewhere))',
  },
  backup_vault_lock: {
    schema: VaultLockSetting,
    lasting: 'with `changeable_for_days`',
    description:
      '`{"min_retention_days", "max_retention_days", "changeable_for_days"}`: AWS Backup Vault Lock on that vault. With `changeable_for_days` **nobody can ever remove it**, AWS included ([a locked vault](restore.md#a-locked-vault))',
  },
  limits: {
    schema: Limits,
    default: {},
    read: readLimits,
    functions: [
      'router',
      'oauth',
      'identity',
      'mails',
      'management',
      'maintenance',
      'credentials',
      'connections',
      'activity',
      'tally',
      'network',
    ],
    isLong: true,
    localDefault: '{"active_deployments_per_user":100}',
    localDescription:
      'a JSON object of [limits](limits.md) other than the defaults, such as `{"endpoints_per_deployment": 100}`; an account may have 100 servers here, unless the object sets another number',
    description: 'overrides of [limits](limits.md) by name',
  },
  credential_store: {
    schema: z.enum(CREDENTIAL_STORES),
    default: CREDENTIAL_STORES[0],
    read: readCredentialStore,
    functions: ['management', 'maintenance', 'credentials', 'connections'],
    lasting: 'without the next one',
    localDescription:
      'the store of credentials, `envelope` or `secrets-manager`. A start that would leave some in a store that nothing reads is refused',
    description:
      'where credentials are: `envelope`, in a table, or `secrets-manager`, at 0.40 dollars a month each ([why](decisions/credentials.md#credentials))',
  },
  credential_store_former: {
    schema: z.enum(CREDENTIAL_STORES),
    read: readFormerCredentialStore,
    functions: ['management', 'maintenance', 'credentials', 'connections'],
    localDescription:
      'the [former store](aws.md#another-store-of-credentials) of credentials, if some are still there',
    description:
      'the former store, as long as credentials are still there ([another store of credentials](#another-store-of-credentials))',
  },
  mail: {
    schema: Mail,
    needed: true,
    description:
      '`{"from", "identity"}`: a verified SES identity, and its address that mails come from',
  },
  sign_up: {
    schema: SignUp,
    default: 'open',
    retained: 'closed',
    read: readSignUpPolicy,
    functions: ['oauth', 'management'],
    isLong: true,
    isFree: true,
    description:
      'who may create an account without an operator: `open` (everybody), `closed` (nobody: operators create accounts, `hosted-mcp admin account`), or `{"domains": ["example.com"]}` (addresses of these domains)',
  },
  new_account_plan: {
    schema: z.enum(PLANS),
    default: 'free',
    read: readPlan,
    functions: ['oauth'],
    isFree: true,
    localDefault: 'pro',
    localDescription: 'the plan of accounts that people make themselves, `free` or `pro`',
    description:
      'the plan of accounts that people create themselves: `free` or `pro`; `hosted-mcp admin plan EMAIL PLAN` changes that of one account',
  },
  alarm_topic_arn: {
    schema: Topic,
    description:
      'an SNS topic in the same account and region for [pages](operations.md#alarms); [its policy and key must admit AWS](#a-topic-of-your-own). Without it the stack creates a topic to subscribe to, the output `AlarmTopic`',
  },
  notice_topic_arn: {
    schema: Topic,
    description:
      'another topic for notices, which can wait for the next working day; without it they go to the topic of pages',
  },
  reserved_concurrency: {
    schema: Concurrency,
    default: {},
    description:
      'executions that each function has to itself, and may not exceed, `{"router": 500}`; `prod.json` has [numbers for an account of 1,000](#reserved-concurrency)',
  },
  provisioned_concurrency: {
    schema: Concurrency,
    default: {},
    description:
      'instances of a function that are always started, `{"router": 5}`, if you cannot wait for a cold start ([what it costs](costs.md#provisioned-concurrency))',
  },
  account_concurrency: {
    schema: z
      .int()
      .min(
        1,
        'write how many executions the account may run at once, 1,000 if AWS was asked for no more',
      ),
    default: 1000,
    isFree: true,
    description:
      'how many executions the account may run at once; [all but a hundred can be reserved](#reserved-concurrency)',
  },
  signing_keys: {
    schema: z
      .array(z.int().min(1))
      .min(1)
      .max(5)
      .refine((numbers) => new Set(numbers).size === numbers.length, 'a number is there twice'),
    default: [1, 2],
    description:
      'numbers of the KMS keys that sign JWTs, one after the other; each number is a key for sessions and one for minted tokens. Removing a number ends what its keys have signed ([rotation](#rotating-the-signing-key))',
  },
  domain: {
    schema: Domain,
    lasting: "since a change ends every token and every client's configuration",
    description:
      '`{"name", "certificate_arn"}`: serve from this name only. Point its DNS record to the output `DomainTarget`; the ACM certificate is in the same region, with `edge` in us-east-1. Without it, the API\'s own address is the base',
  },
  edge: {
    schema: EdgeSetting,
    default: false,
    description:
      '[the edge](edge.md): CloudFront with a web ACL before the API. `true`, or an object with a rate, [managed rules](edge.md#managed-rules) or [a log of the firewall](edge.md#the-log-of-the-firewall). It needs a `domain` with a certificate in us-east-1; [switching it](edge.md#switch-it-on-or-off-later) needs a new DNS record',
  },
  allowed_redirect_uris: {
    schema: PrivateUseUris,
    default: [],
    read: readPrivateUseUris,
    functions: ['oauth'],
    isLong: true,
    isFree: true,
    localDefault: '["cursor://anysphere.cursor-mcp/oauth/callback"]',
    localDescription:
      'a JSON list of exact redirect URIs with private schemes that OAuth clients may register, such as `["app:/callback"]`; if it is not set, that of Cursor; `[]` for none',
    description:
      'exact redirect URIs with app-specific schemes, such as `com.example.app:/callback`, that OAuth clients may register. `config/` lists the one that [Cursor needs](decisions/oauth.md#redirect-uris)',
  },
  root_authorization_server: {
    schema: z.boolean(),
    default: true,
    read: readSwitch,
    functions: ['oauth'],
    isFree: true,
    description:
      "serve the authorization server's metadata at the origin's root as well, since some clients look only there; `false` on a domain that serves other things",
  },
  protocol_versions: {
    schema: z
      .array(z.enum(PROTOCOL_VERSIONS, `write versions among ${PROTOCOL_VERSIONS.join(', ')}`))
      .refine((versions) => versions.includes(DEFAULT_VERSION), {
        message: `leave ${DEFAULT_VERSION} in: it is what clients without a version speak`,
      }),
    default: PROTOCOL_VERSIONS,
    defaultInWords: 'all',
    read: readProtocolVersions,
    text: (versions: readonly string[]) => versions.join(','),
    functions: ['router', 'management'],
    isFree: true,
    localDescription:
      'the served [versions of MCP](decisions/mcp.md#protocol-versions), separated by commas, such as `2025-06-18,2025-03-26`',
    description:
      '[versions of MCP](decisions/mcp.md#protocol-versions) that are served. Any but `2025-03-26` can be withdrawn without a release',
  },
  assumable_roles: {
    schema: z.array(z.string()),
    default: [],
    read: readAssumableRoles,
    functions: ['management', 'connections'],
    isLong: true,
    description:
      '[AWS roles](decisions/credentials.md#roles-of-aws) with which owners may have calls signed: ARNs, or `arn:aws:iam::ACCOUNT:role/PATH/*`; with `permissions_boundary`, [below `/hosted-mcp/`](continuous-deployment.md#what-cloudformation-may-do)',
  },
  model_hosts: {
    schema: z.array(z.unknown()),
    read: readModelHosts,
    functions: ['console'],
    isLong: true,
    localOption: ['model-host', 'NAME=URL'],
    localDescription:
      "a host of models that the console offers, in OpenAI's protocol, as in `ours=https://llm.example.com/v1`; on this machine http will do; may be repeated",
    description:
      '[hosts of models](evaluation.md#a-model-of-your-company) that the console offers beside Anthropic, OpenAI and Google, `[{"name": "ours", "url": "https://llm.example.com/v1"}]`',
  },
  client_document_hosts: {
    schema: z.looseObject({}),
    defaultInWords: 'all',
    read: readClientDocumentHosts,
    functions: ['oauth'],
    isLong: true,
    isFree: true,
    localDescription:
      'hosts whose [client metadata documents](decisions/oauth.md#client-metadata-documents) are accepted, such as `{"allow": ["*.example.com"]}`',
    description:
      'hosts whose [client metadata documents](decisions/oauth.md#client-metadata-documents) are accepted: `{"allow": [...]}` or `{"deny": [...]}`',
  },
  server_cards: {
    schema: z.boolean(),
    default: false,
    read: readSwitch,
    functions: ['router'],
    isFree: true,
    localDescription:
      '`true`: servers have a [card](decisions/mcp.md#registries-and-cards) at `/server-card` of their address',
    description:
      'whether deployments have a [card](decisions/mcp.md#registries-and-cards) that clients may read before they connect',
  },
  challenge_mapping: {
    schema: z.boolean(),
    default: true,
    isFree: true,
    description:
      'have the API copy `X-Mcp-Challenge` to `WWW-Authenticate`, which gateways are reported to rename; clients read there which scope a call lacks',
  },
  metrics: {
    schema: z.union([z.boolean(), z.literal('few')], 'write true, "few" or false'),
    default: true,
    description:
      'create [metrics](operations.md#metrics) from log lines, and alarms on them. `false`: only alarms on what AWS measures by itself. `"few"`: of those, only [the most important](operations.md#alarms), for a stage that should [cost little](costs.md#what-a-stage-costs-each-month)',
  },
  budget: {
    schema: Budget,
    isFree: true,
    description:
      '`{"monthly_dollars": 50}`: an AWS budget for everything that the account spends in a month. It notifies the topic of notices when the forecast exceeds it, and when four fifths and all of it are spent',
  },
  stream: {
    schema: StreamSetting,
    description:
      '`{"to": "own", "calls": true, "keep_days": 90}`: [send every call and event](stream.md) as it is logged, into a bucket of the stack, or to the ARN of a stream or destination of yours',
  },
  log_level: {
    schema: z.enum(
      LOG_LEVELS,
      'write "info", "warn" or "error": what a level below would write must not be in a log',
    ),
    default: 'info',
    read: readLogLevel,
    functions: ['router', 'console'],
    localDescription:
      'which lines of requests the router and the console [log](operations.md#the-level-of-the-log): `info`, `warn` or `error`',
    description:
      'which requests to servers and to the console are logged: `info`, all; `warn`, those that were refused or failed; `error`, those that failed. Calls, events, metrics and alarms are the same at each level ([the level of the log](operations.md#the-level-of-the-log))',
  },
  traces: {
    schema: z.enum(['off', 'xray']),
    default: 'off',
    description: '`xray` sends [traces](operations.md#traces) of invocations',
  },
  canary: {
    schema: Canary,
    description:
      '`{"slug", "tool", "arguments"}`: have a function [walk from discovery to the call of that tool](operations.md#the-canary) every five minutes',
  },
  networks: {
    schema: Networks,
    default: [],
    read: readOfferedNetworks,
    text: offeredNetworks,
    functions: ['management'],
    isLong: true,
    localOption: ['network', 'NAME=LIST'],
    localDescription:
      'a private network that servers may be in, here address ranges and hosts, as in `orders=127.0.0.2/32,orders.test`; may be repeated',
    description: '[private networks](networks.md) that deployments may call their APIs in',
  },
  egress: {
    schema: EgressSetting,
    description:
      '[your subnets](egress.md), through which functions call APIs: with fixed addresses, and through your firewall',
  },
  releases: {
    schema: z.enum(['all_at_once', 'canary']),
    default: 'all_at_once',
    retained: 'canary',
    description:
      'how a new version replaces the former one: `all_at_once`, or `canary`, which goes back by alarm ([releases](releases.md))',
  },
  deployed_release: {
    schema: z.string(),
    defaultInWords: 'the one before',
    isFree: true,
    description:
      "the oldest release that may still serve on the stage's data, if releases were skipped ([a change of stored data](releases.md#a-change-of-stored-data))",
  },
  requests_per_second: {
    schema: z.int().min(1),
    default: 1000,
    description:
      'requests a second that the gateway lets through to each route of calls, sign-in and management ([throttles](#throttles))',
  },
  burst: {
    schema: z.int().min(1),
    default: 2000,
    description: 'how many of these requests may come at once',
  },
} as const satisfies Readonly<Record<string, Setting>>;
