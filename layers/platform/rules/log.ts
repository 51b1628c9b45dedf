/** One line of JSON per record. Never given a secret, an argument's value, a body or a query string. */
export interface Log {
  write(record: Readonly<Record<string, unknown>>): void;
}
