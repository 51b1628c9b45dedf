/** One JSON line per record. Callers must not pass secrets, values of arguments, bodies or query strings. */
export interface Log {
  write(record: Readonly<Record<string, unknown>>): void;
}
