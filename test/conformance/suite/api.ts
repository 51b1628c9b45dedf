import type { Content } from '../../support/aws/data-folder.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

/** The smallest picture, and a sound of no samples. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

interface Operation {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** What the suite's scenarios call, as far as one answer of an HTTP API can be what they expect. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  test_simple_text: { type: 'text/plain', body: 'This is a simple text response for testing.' },
  test_image_content: { type: 'image/png', body: Buffer.from(PNG, 'base64') },
  test_audio_content: { type: 'audio/wav', body: Buffer.from(WAV, 'base64') },
  test_embedded_resource: { type: 'application/zip', body: Buffer.from('504b050600f5', 'hex') },
  // Called to see that nothing is asked of the client, and nothing logged to it.
  test_streaming_elicitation: { type: 'text/plain', body: 'Nothing was asked.' },
  test_logging_tool: { type: 'text/plain', body: 'Nothing was logged.' },
  test_error_handling: {
    status: 500,
    type: 'text/plain',
    body: 'This tool intentionally returns an error for testing',
  },
};

export const startSuiteApi = (): Promise<TargetServer> =>
  anHttpServer(({ url = '' }, response) => {
    const none = { status: 404, type: 'text/plain', body: '' };
    const { status = 200, type, body } = OPERATIONS[url.slice(1)] ?? none;
    response.writeHead(status, { 'content-type': type }).end(body);
  });

export const SUITE_DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'What the conformance suite calls', version: '1' },
  servers: [{ url: 'https://replaced.example.com' }],
  paths: Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, { status = 200, type }]) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          summary: `Answers as the suite expects of ${name}`,
          responses: { [status]: { description: 'That', content: { [type]: {} } } },
        },
      },
    ]),
  ),
});

export const SUITE_CONTENT: Content = {
  resources: [
    {
      name: 'static-text',
      uri: 'test://static-text',
      description: 'A text',
      mimeType: 'text/plain',
      content: 'This is the content of the static text resource.',
      encoding: 'text',
    },
    {
      name: 'static-binary',
      uri: 'test://static-binary',
      description: 'A picture',
      mimeType: 'image/png',
      content: PNG,
      encoding: 'base64',
    },
    {
      name: 'template',
      uri: 'test://template/{id}/data',
      description: 'A template',
      mimeType: 'application/json',
      content: '{"id":"{{id}}","templateTest":true}',
      encoding: 'text',
    },
  ],
  prompts: [
    {
      name: 'test_simple_prompt',
      description: 'Without arguments',
      arguments: [],
      template: 'This is a simple prompt for testing.',
    },
    {
      name: 'test_prompt_with_arguments',
      description: 'With two arguments',
      arguments: [
        { name: 'arg1', required: true, values: ['test1', 'test2'] },
        { name: 'arg2', required: true },
      ],
      template: "Prompt with arguments: arg1='{{arg1}}', arg2='{{arg2}}'",
    },
  ],
};
