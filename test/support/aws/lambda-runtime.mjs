// What Lambda's runtime for Node 24 does with a bundle, as far as a handler notices: it finds the handler,
// asks the runtime API for one event after the other, and sends back what the handler returns or throws.
// AWS's own client does the same in this place (docs/testing.md, "Bundles under AWS's own runtime client").
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { AWS_LAMBDA_RUNTIME_API, LAMBDA_TASK_ROOT, _HANDLER } = process.env;

const ask = (method, path, body) =>
  new Promise((done, failed) => {
    const url = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${path}`;
    const sent = request(url, { method }, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      done({ headers: answer.headers, text });
    });
    sent.on('error', failed);
    sent.end(body);
  });

const errorBody = (error) => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') });
};

const load = async () => {
  const dot = _HANDLER.lastIndexOf('.');
  const root = resolve(LAMBDA_TASK_ROOT, _HANDLER.slice(0, dot));
  const path = ['.js', '.mjs', '.cjs'].map((ending) => root + ending).find(existsSync);
  if (!path) throw new Error(`Cannot find module '${root}'`);
  const handler = (await import(pathToFileURL(path).href))[_HANDLER.slice(dot + 1)];
  if (typeof handler !== 'function') throw new Error(`${_HANDLER} is undefined or not exported`);
  // Node 24 on Lambda knows no callbacks any more.
  if (handler.length >= 3) throw new Error(`${_HANDLER} takes a callback`);
  return handler;
};

const contextOf = ({ headers }) => {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
};

const handler = await load().catch(async (error) => {
  await ask('POST', 'init/error', errorBody(error));
  throw error;
});
for (;;) {
  const event = await ask('GET', 'invocation/next');
  const context = contextOf(event);
  const path = `invocation/${context.awsRequestId}`;
  try {
    const value = await handler(JSON.parse(event.text), context);
    await ask('POST', `${path}/response`, JSON.stringify(value === undefined ? null : value));
  } catch (error) {
    await ask('POST', `${path}/error`, errorBody(error));
  }
}
