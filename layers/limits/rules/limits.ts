import { nearestName } from '../../platform/rules/nearest-name.ts';
import { DAY, HOUR, MINUTE } from '../../platform/rules/time.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Default of a limit, or its properties; its least value is 1 unless `least` is set. */
type Row =
  | number
  | {
      readonly default: number;
      /** Length of the counting windows, which are fixed in UTC, in seconds. */
      readonly window?: number;
      /** Set if 0 is allowed, which switches the thing off. */
      readonly least?: 0;
      readonly most?: number;
    };

/** Every limit of the service with its default. Source: docs/limits.md, "How they are set". */
const LIMITS = {
  registration_per_hour_per_ip: { default: 20, window: HOUR },
  /** Registrations of known hosted clients, which register for all users from few addresses. */
  hosted_registration_per_hour_per_ip: { default: 600, window: HOUR },
  /** High, since all people of a company sign in from one address in the morning. */
  authorize_per_hour_per_ip: { default: 300, window: HOUR },
  authorize_per_minute_per_client: { default: 20, window: MINUTE },
  token_per_minute_per_client: { default: 10, window: MINUTE },
  /** Signed requests, valid or not. A hosted client sends those of all its users from few addresses. */
  client_assertions_per_minute_per_client: { default: 600, window: MINUTE },
  client_assertions_per_minute_per_ip: { default: 1200, window: MINUTE },
  free_requests_per_hour: 20,
  free_requests_per_month: 1000,
  pro_requests_per_hour: 1000,
  pro_requests_per_month: 50_000,
  /** For all callers of an owner's external issuers together; each caller also has the plan's limit. */
  free_issuer_requests_per_hour: 20,
  free_issuer_requests_per_month: 1000,
  pro_issuer_requests_per_hour: 20_000,
  pro_issuer_requests_per_month: 1_000_000,
  active_deployments_per_user: 3,
  endpoints_per_deployment: 50,
  /** Operations in search mode, by plan; 0: not in the plan. */
  free_searchable_operations: { default: 5000, least: 0 },
  pro_searchable_operations: { default: 5000, least: 0 },
  gallery_per_hour: { default: 5, window: HOUR },
  gallery_per_day: { default: 20, window: DAY },
  management_requests_per_minute_per_user: { default: 120, window: MINUTE },
  console_tokens_per_minute_per_user: { default: 30, window: MINUTE },
  description_fetches_per_hour_per_user: { default: 20, window: HOUR },
  /** Invitations to servers; each recipient has limits, too. */
  invitations_per_day_per_user: { default: 50, window: DAY },
  trials_per_hour_per_user: { default: 120, window: HOUR },
  trials_at_once_per_user: 2,
  /** Publications, changes that recompile tools, and previews of both. */
  compilations_at_once_per_user: 2,
  resources_per_deployment: 100,
  resource_max_bytes: 262_144,
  resources_total_max_bytes: 4_194_304,
  prompts_per_deployment: 100,
  /** `main` included. */
  credentials_per_deployment: 5,
  prompt_template_max_bytes: 65_536,
  completion_values_per_argument: 1000,
  /** UTF-8 bytes of all arguments of a prompt, or all variables of a template. */
  completion_values_max_bytes: 32_768,
  public_requests_per_minute_per_ip: { default: 60, window: MINUTE },
  /** Per deployment and instance of the router. */
  credential_retrievals_per_minute: { default: 5, window: MINUTE },
  /** Per deployment, over all instances: twice an AWS account's default concurrency. */
  credential_ceiling_per_minute: { default: 2000, window: MINUTE },
  /** Tokens requested from others, per deployment and instance of the router; per caller where keys name the caller. */
  connection_retrievals_per_minute: { default: 60, window: MINUTE },
  /** Tokens read, including stored ones, per deployment over all instances; per caller where keys name the caller. */
  connection_ceiling_per_minute: { default: 6000, window: MINUTE },
  openapi_max_bytes: 5_242_880,
  openapi_max_depth: 20,
  openapi_inline_schema_keys: 8000,
  /** Estimated tokens of a tool's text, unless its owner set another budget. */
  tool_token_budget: 4000,
  /** Estimated tokens of an answer, unless its owner set another budget. */
  answer_token_budget: 20_000,
  redirect_uris_per_client: 10,
  redirect_uri_max_length: 500,
  access_token_seconds: 3600,
  refresh_token_seconds: 7_776_000,
  authorization_code_seconds: 600,
  session_seconds: 3600,
  /** Longest life of personal access tokens. */
  personal_token_days: 90,
  personal_tokens_per_user: 20,
  trusts_per_user: 20,
  /** Between the publication of a signing key and its first signature. */
  signing_key_notice_seconds: 3600,
  /** High, since a whole company has one address. */
  company_sign_ins_per_minute_per_ip: { default: 300, window: MINUTE },
  logins_per_minute_per_ip: { default: 20, window: MINUTE },
  invalid_tokens_per_minute_per_ip: { default: 30, window: MINUTE },
  account_requests_per_hour_per_ip: { default: 20, window: HOUR },
  /** All kinds of mails, whoever requested them. */
  mails_per_hour_per_recipient: { default: 5, window: HOUR },
  mails_per_day_per_recipient: { default: 20, window: DAY },
  email_verification_seconds: 86_400,
  log_retention_days: 90,
  /** Functions end after 29 seconds, and must answer before. */
  target_timeout_seconds: { default: 25, most: 25 },
  target_response_max_bytes: 4_194_304,
  /** Of one answer, including the part that is shown; 0: nothing is stored. */
  kept_answer_max_bytes: { default: 16_777_216, least: 0 },
  kept_answer_seconds: 600,
  kept_answers_per_hour_per_caller: { default: 60, window: HOUR },
} as const satisfies Readonly<Record<string, Row>>;

export type LimitName = keyof typeof LIMITS;

export type WindowLimit = {
  [Name in LimitName]: (typeof LIMITS)[Name] extends { readonly window: number } ? Name : never;
}[LimitName];

export const windowSecondsOf = (limit: WindowLimit): number => LIMITS[limit].window;

export type LimitValues = Readonly<Record<LimitName, number>>;

const rowOf = (name: LimitName): Exclude<Row, number> => {
  const row: Row = LIMITS[name];
  return typeof row === 'number' ? { default: row } : row;
};

const NAMES = Object.keys(LIMITS) as readonly LimitName[];

export const DEFAULT_LIMITS = Object.fromEntries(
  NAMES.map((name) => [name, rowOf(name).default]),
) as unknown as LimitValues;

/**
 * Reads overrides over the defaults.
 * @param overrides - JSON object of limit names and positive integers, or 0 where that is allowed
 * @throws Error for the operator, which names the unknown limit or the bad value
 */
export const readLimits = (overrides: string | undefined): LimitValues => {
  if (overrides === undefined || overrides.trim() === '') return DEFAULT_LIMITS;
  const given = parsed(overrides);
  for (const [name, value] of Object.entries(given)) {
    const known = NAMES.find((one) => one === name);
    if (known === undefined) {
      const nearest = nearestName(name, NAMES);
      throw new Error(
        nearest
          ? `unknown limit "${name}"; did you mean "${nearest}"?`
          : `unknown limit "${name}"; the limits are ${NAMES.join(', ')}`,
      );
    }
    const { least = 1, most = Number.MAX_SAFE_INTEGER } = rowOf(known);
    if (!Number.isSafeInteger(value) || (value as number) < least) {
      throw new Error(`limit "${name}" must be a whole number of at least ${least}`);
    }
    if ((value as number) > most) {
      throw new Error(`limit "${name}" may be ${most} at most: functions end after 29 seconds`);
    }
  }
  return { ...DEFAULT_LIMITS, ...(given as Partial<LimitValues>) };
};

const parsed = (text: string): object => {
  let value: unknown;
  try {
    value = parsedJson(text);
  } catch {
    throw new Error('the limits are not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the limits must be a JSON object of names and numbers');
  }
  return value;
};
