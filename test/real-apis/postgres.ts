import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { promisify } from 'node:util';
import { folderIn, freePort, type Started, startProgram } from './real-api.ts';

const BIN = '/usr/lib/postgresql/15/bin';
export const POSTGRES_PACKAGE = 'postgresql-15';

export interface Postgres extends AsyncDisposable {
  readonly port: number;
  /** Whose password is not asked for. */
  readonly user: string;
}

/** PostgreSQL of Debian, with data in a temporary folder. It refuses to run as root, and so runs as its own user then. */
export const startPostgres = async (folder: string): Promise<Postgres> => {
  const port = await freePort();
  const home = await folderIn(folder, 'postgres');
  const data = `${home}/data`;
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ['runuser', '-u', 'postgres', '--'] : [];
  if (isRoot) {
    const { stdout } = await promisify(execFile)('id', ['-u', 'postgres']);
    await chown(home, Number(stdout), -1);
    await chmod(folder, 0o711);
  }
  const [initdb = '', ...initArgs] = [
    ...as,
    `${BIN}/initdb`,
    '-D',
    data,
    '-U',
    'ada',
    '-A',
    'trust',
  ];
  await promisify(execFile)(initdb, initArgs, { cwd: '/' });
  const options = [
    '-D',
    data,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    home,
    '-c',
    'fsync=off',
  ];
  const [command = '', ...args] = [...as, `${BIN}/postgres`, ...options];
  const program: Started = await startProgram(folder, command, args);
  const psql = ['-h', '127.0.0.1', '-p', String(port), '-U', 'ada', 'postgres', '-c', 'select 1'];
  await program.up(async () => {
    await promisify(execFile)('/usr/bin/psql', psql, { cwd: '/' });
    return true;
  });
  return { port, user: 'ada', [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
};
