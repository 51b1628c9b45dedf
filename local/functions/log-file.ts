import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export type LogFile = ReturnType<typeof openLogFile>;

export interface LogSettings {
  readonly folder: string;
  readonly name: string;
  readonly retentionDays: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

const DAY_MS = 86_400_000;

/** Appends to one file per UTC day, and removes those that are too old: now, and once a day. */
export const openLogFile = (settings: LogSettings) => {
  const { folder, name, now = Date.now } = settings;
  mkdirSync(folder, { recursive: true });
  let day = dayOf(now());
  let file = openDay(folder, name, day);
  let open = true;

  const remove = () => removeOldLogs(settings, now());
  remove();
  const daily = setInterval(remove, DAY_MS).unref();

  return {
    /** When this returns, the operating system has the bytes: no end of this process loses them. */
    write: (chunk: string | Uint8Array): void => {
      // A thread may still write after its end was asked for.
      if (!open) return;
      try {
        const today = dayOf(now());
        if (today > day) {
          closeSync(file);
          file = openDay(folder, name, today);
          day = today;
        }
        if (typeof chunk === 'string') writeSync(file, chunk);
        else writeSync(file, chunk);
      } catch {
        // A full disk costs the lines, not the service.
      }
    },
    close: (): void => {
      if (open) closeSync(file);
      open = false;
      clearInterval(daily);
    },
  };
};

export const logFilesOf = (folder: string, name: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => dayIn(name, file) !== undefined)
    .toSorted();

/** The days of retention count from the end of a file's own day. */
const removeOldLogs = ({ folder, name, retentionDays }: LogSettings, nowMs: number): void => {
  for (const file of logFilesOf(folder, name)) {
    const endsMs = Date.parse(`${dayIn(name, file)}T00:00:00Z`) + DAY_MS;
    if (endsMs + retentionDays * DAY_MS <= nowMs) rmSync(join(folder, file), { force: true });
  }
};

const dayIn = (name: string, file: string): string | undefined =>
  file.startsWith(`${name}-`)
    ? /^(\d{4}-\d\d-\d\d)\.log$/.exec(file.slice(name.length + 1))?.[1]
    : undefined;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Opens the file of a day. A line that a crash has cut short is ended, so that the next one stands by itself. */
const openDay = (folder: string, name: string, day: string): number => {
  const file = openSync(join(folder, `${name}-${day}.log`), 'a+', 0o600);
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE) {
    writeSync(file, '\n');
  }
  return file;
};

const NEWLINE = 0x0a;
