import { nearestName } from '../../platform/rules/nearest-name.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/**
 * Every limit of the service: one name, one default, this one place.
 * Source: docs/limits.md, "How they are set".
 */
export const DEFAULT_LIMITS = {
  registration_per_hour_per_ip: 20,
  authorize_per_hour_per_ip: 20,
  authorize_per_minute_per_client: 20,
  token_per_minute_per_client: 10,
  /** Signed by clients, right or wrong. A hosted client sends those of all its users from few addresses. */
  client_assertions_per_minute_per_client: 300,
  client_assertions_per_minute_per_ip: 600,
  free_requests_per_hour: 20,
  free_requests_per_month: 1000,
  pro_requests_per_hour: 1000,
  pro_requests_per_month: 50_000,
  active_deployments_per_user: 3,
  endpoints_per_deployment: 50,
  /** In search mode, by the plan; 0: the plan does without the mode. */
  free_searchable_operations: 5000,
  pro_searchable_operations: 5000,
  gallery_per_hour: 5,
  gallery_per_day: 20,
  management_requests_per_minute_per_user: 120,
  console_tokens_per_minute_per_user: 30,
  description_fetches_per_hour_per_user: 20,
  trials_per_hour_per_user: 120,
  trials_at_once_per_user: 2,
  /** Publications, changes of what tools are made of, and looks before either. */
  compilations_at_once_per_user: 2,
  resources_per_deployment: 100,
  resource_max_bytes: 262_144,
  resources_total_max_bytes: 4_194_304,
  prompts_per_deployment: 100,
  /** `main` included. */
  credentials_per_deployment: 5,
  prompt_template_max_bytes: 65_536,
  completion_values_per_argument: 1000,
  /** In UTF-8, of all arguments of a prompt or all variables of a template. */
  completion_values_max_bytes: 32_768,
  public_requests_per_minute_per_ip: 60,
  /** Of a deployment by one instance of the router. */
  credential_retrievals_per_minute: 5,
  /** Of a deployment by all of them: twice as many as an account runs at once unless it asks for more. */
  credential_ceiling_per_minute: 2000,
  /** Tokens asked of others for a deployment, by one instance of the router; by caller where keys name the caller. */
  connection_retrievals_per_minute: 60,
  /** Tokens of a deployment, stored ones too, by all of them; by caller where keys name the caller. */
  connection_ceiling_per_minute: 6000,
  openapi_max_bytes: 5_242_880,
  openapi_max_depth: 20,
  openapi_inline_schema_keys: 8000,
  /** Of a tool, roughly, where its owner chose no other budget. */
  tool_token_budget: 4000,
  /** Of an answer, roughly, where its owner chose no other budget. */
  answer_token_budget: 20_000,
  redirect_uris_per_client: 10,
  redirect_uri_max_length: 500,
  access_token_seconds: 3600,
  refresh_token_seconds: 7_776_000,
  authorization_code_seconds: 600,
  session_seconds: 3600,
  /** At most, of personal access tokens. */
  personal_token_days: 90,
  personal_tokens_per_user: 20,
  trusts_per_user: 20,
  /** Between the publication of a signing key and its first signature. */
  signing_key_notice_seconds: 3600,
  logins_per_minute_per_ip: 20,
  invalid_tokens_per_minute_per_ip: 30,
  account_requests_per_hour_per_ip: 20,
  /** Of all kinds together, whoever asked for them. */
  mails_per_hour_per_recipient: 5,
  mails_per_day_per_recipient: 20,
  email_verification_seconds: 86_400,
  log_retention_days: 90,
  target_timeout_seconds: 25,
  target_response_max_bytes: 4_194_304,
  /** Of one answer, what is shown of it included; 0: nothing is kept. */
  kept_answer_max_bytes: 16_777_216,
  kept_answer_seconds: 600,
  kept_answers_per_hour_per_caller: 60,
} as const;

export type LimitName = keyof typeof DEFAULT_LIMITS;
/** Those that may be 0, which forbids. */
const MAY_FORBID: ReadonlySet<string> = new Set<LimitName>([
  'free_searchable_operations',
  'pro_searchable_operations',
  'kept_answer_max_bytes',
]);

/** Those that more would break: functions end after 29 seconds, and have to answer before. */
const MOST: Partial<Record<LimitName, number>> = { target_timeout_seconds: 25 };

export type LimitValues = Readonly<Record<LimitName, number>>;

/**
 * Reads overrides, a JSON object of limit names to positive integers (0 where that forbids), over the defaults.
 *
 * @throws Error whose message names the unknown limit or the bad value, for an operator to read
 */
export const readLimits = (overrides: string | undefined): LimitValues => {
  if (overrides === undefined || overrides.trim() === '') return DEFAULT_LIMITS;
  const given = parsed(overrides);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      const names = Object.keys(DEFAULT_LIMITS);
      const nearest = nearestName(name, names);
      throw new Error(
        nearest
          ? `unknown limit "${name}"; did you mean "${nearest}"?`
          : `unknown limit "${name}"; the limits are ${names.join(', ')}`,
      );
    }
    const least = MAY_FORBID.has(name) ? 0 : 1;
    if (!Number.isSafeInteger(value) || (value as number) < least) {
      throw new Error(`limit "${name}" must be a whole number of at least ${least}`);
    }
    const most = MOST[name as LimitName] ?? Number.MAX_SAFE_INTEGER;
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
