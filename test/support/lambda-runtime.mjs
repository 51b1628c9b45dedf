// Runs one function's bundle as Lambda does: `node lambda-runtime.mjs BUNDLE`, one event per line of
// standard input as JSON, one answer per line of standard output behind the mark. The environment is the function's.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const started = performance.now();
const { handler } = await import(pathToFileURL(process.argv[2]).href);
process.stdout.write(`@@import ${performance.now() - started}\n`);

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const context = {
    awsRequestId: `request-${(count += 1)}`,
    getRemainingTimeInMillis: () => 29_000,
  };
  const answer = await handler(JSON.parse(line), context).then(
    (value) => ({ value }),
    (error) => ({ error: { name: error.name, message: error.message } }),
  );
  process.stdout.write(`@@answer ${JSON.stringify(answer)}\n`);
}
