export interface Call {
  readonly caller: string;
  /** Name in a credential scope: `dynamodb`, `s3`, `kms`, `secretsmanager`, `ses`, `lambda`. */
  readonly service: string;
  readonly operation: string;
}

/** Counts what callers asked of AWS, whether it succeeded or not. */
export interface CallCounter {
  count(filter?: Partial<Call>): number;
  list(): readonly (Call & { readonly times: number })[];
  reset(): void;
}

export interface CallLog extends CallCounter {
  record(call: Call): void;
}

export const openCallLog = (): CallLog => {
  const calls = new Map<string, Call & { times: number }>();
  return {
    record: (call) => {
      const key = `${call.service} ${call.operation} ${call.caller}`;
      const known = calls.get(key);
      if (known) known.times += 1;
      else calls.set(key, { ...call, times: 1 });
    },
    count: (filter = {}) =>
      [...calls.values()]
        .filter((call) => matches(call, filter))
        .reduce((sum, { times }) => sum + times, 0),
    list: () => [...calls.values()].map((call) => ({ ...call })),
    reset: () => calls.clear(),
  };
};

export const matches = (call: Call, filter: Partial<Call>): boolean =>
  (filter.caller ?? call.caller) === call.caller &&
  (filter.service ?? call.service) === call.service &&
  (filter.operation ?? call.operation) === call.operation;
