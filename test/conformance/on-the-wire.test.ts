import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS } from '../support/mcp/mcp-clients.ts';
import {
  hasRealDescriptions,
  type Publisher,
  REAL_DESCRIPTIONS,
  realDescriptions,
  startPublisher,
} from '../support/service/publisher.ts';
import {
  anHttpServer,
  type ReceivedRequest,
  type TargetServer,
} from '../support/target/target-server.ts';

let publisher: Publisher;
let target: TargetServer;

beforeAll(async () => {
  publisher = await startPublisher({ endpoints_per_deployment: 1000 });
  target = await anHttpServer((_, response) => response.end('fine'));
});

afterAll(async () => {
  await publisher.stop();
  await target[Symbol.asyncDispose]();
});

/** The only request that a call of a tool makes. */
const requestOf = async (description: string, tool: string, args: Record<string, unknown>) => {
  const file = new URL(description, REAL_DESCRIPTIONS);
  const [[, connect]] = CLIENTS;
  const client = await connect(await publisher.publish(file, { apiBaseUrl: `${target.url}/base` }));
  const before = target.requests.length;
  await client.callTool({ name: tool, arguments: args });
  await client.close();
  const made = target.requests.slice(before);
  expect(made).toHaveLength(1);
  const [request] = made as [ReceivedRequest];
  const { method, url, headers } = request;
  return { start: `${method} ${url}`, headers, body: await bodyOf(request) };
};

const bodyOf = async ({ headers, body }: ReceivedRequest): Promise<unknown> => {
  const type = headers['content-type'];
  if (type === undefined) return body;
  if (type === 'application/json') return JSON.parse(body);
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const parts = [...form].map(async ([name, value]) =>
    typeof value === 'string' ? [name, value] : [name, value.name, value.type, await value.text()],
  );
  return Promise.all(parts);
};

const OBJECT = { name: 'n', description: 'd' };
const STYLES = 'readme-parameters-style-31.yaml';
const ALL = { primitive: 'a', array: ['x', 'y'], object: OBJECT };
const LISTS = { array: ['x', 'y'], object: OBJECT };

(hasRealDescriptions ? describe : describe.skip)(realDescriptions('a tool request'), () => {
  test.each([
    ['simple', 'paths_standard', 'GET', '/path/a/x,y/name,n,description,d'],
    [
      'simple, exploded',
      'paths_simple_exploded',
      'POST',
      '/path/simple/a/x,y/name=n,description=d',
    ],
    [
      'matrix',
      'paths_matrix_nonExploded',
      'GET',
      '/path/matrix/;primitive=a/;array=x,y/;object=name,n,description,d',
    ],
    [
      'matrix, exploded',
      'paths_matrix_exploded',
      'POST',
      '/path/matrix/;primitive=a/;array=x;array=y/;name=n;description=d',
    ],
    ['label', 'paths_label_nonExploded', 'GET', '/path/label/.a/.x,y/.name,n,description,d'],
    [
      'label, exploded',
      'paths_label_exploded',
      'POST',
      '/path/label/.a/.x.y/.name=n.description=d',
    ],
    [
      'form',
      'query_form_nonExploded',
      'GET',
      '/query/form?primitive=a&array=x,y&object=name,n,description,d',
    ],
    [
      'form, exploded',
      'query_form_exploded',
      'POST',
      '/query/form?primitive=a&array=x&array=y&name=n&description=d',
    ],
  ])('has path arguments in the style %s', async (_, tool, method, path) => {
    const { start } = await requestOf(STYLES, tool, ALL);
    expect(start).toBe(`${method} /base/anything${path}`);
  });

  test.each([
    [
      'spaceDelimited',
      'query_spaceDelimited_nonExploded',
      LISTS,
      'array=x%20y&object=name%20n%20description%20d',
    ],
    [
      'pipeDelimited',
      'query_pipeDelimited_nonExploded',
      LISTS,
      'array=x%7Cy&object=name%7Cn%7Cdescription%7Cd',
    ],
    [
      'deepObject',
      'query_deepObject_nonExploded',
      { object: OBJECT },
      'object%5Bname%5D=n&object%5Bdescription%5D=d',
    ],
  ])('has query arguments in the style %s', async (style, tool, args, query) => {
    const { start } = await requestOf(STYLES, tool, args);
    expect(start).toBe(`GET /base/anything/query/${style}?${query}`);
  });

  test.each([
    ['simple', 'headers_simple_nonExploded', 'name,n,description,d'],
    ['simple, exploded', 'headers_simple_exploded', 'name=n,description=d'],
  ])('has header arguments in the style %s', async (_, tool, object) => {
    const { headers } = await requestOf(STYLES, tool, ALL);
    expect(headers).toMatchObject({ primitive: 'a', array: 'x,y', object });
  });

  test('has cookie arguments', async () => {
    const { headers } = await requestOf(STYLES, 'cookies_form_nonExploded', ALL);
    expect(headers.cookie).toBe('primitive=a; array=x,y; object=name,n,description,d');
  });

  test.each<[string, string, string, Record<string, unknown>, string, object, unknown]>([
    [
      'a form',
      'slack.json',
      'chat_postMessage',
      { token: 'xoxb-1', channel: 'C 1&2', text: 'Grüße = 50%', link_names: true },
      'POST /base/chat.postMessage',
      { token: 'xoxb-1', 'content-type': 'application/x-www-form-urlencoded' },
      [
        ['channel', 'C 1&2'],
        ['link_names', 'true'],
        ['text', 'Grüße = 50%'],
      ],
    ],
    [
      'a query without arguments and defaults that were not given',
      'slack.json',
      'conversations_list',
      { exclude_archived: false, types: 'public_channel,im' },
      'GET /base/conversations.list?exclude_archived=false&types=public_channel%2Cim',
      {},
      '',
    ],
    [
      'a repeated query parameter',
      'readme-petstore-20.json',
      'findPetsByStatus',
      { status: ['available', 'sold'] },
      'GET /base/pet/findByStatus?status=available&status=sold',
      { accept: expect.stringContaining('application/json') },
      '',
    ],
    [
      'a form and a path argument',
      'readme-petstore-20.json',
      'updatePetWithForm',
      { petId: 7, name: 'Rex II', status: 'sold' },
      'POST /base/pet/7',
      { 'content-type': 'application/x-www-form-urlencoded' },
      [
        ['name', 'Rex II'],
        ['status', 'sold'],
      ],
    ],
    [
      'an array as its JSON body',
      'readme-petstore-20.json',
      'createUsersWithArrayInput',
      { body: [{ id: 1, username: 'ann' }] },
      'POST /base/user/createWithArray',
      { 'content-type': 'application/json' },
      [{ id: 1, username: 'ann' }],
    ],
    [
      'a file in a form',
      'readme-petstore-20.json',
      'uploadFile',
      {
        petId: 7,
        additionalMetadata: 'from above',
        file: { data: 'aGVsbG8=', filename: 'pet.txt', contentType: 'text/plain' },
      },
      'POST /base/pet/7/uploadImage',
      { 'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) },
      [
        ['additionalMetadata', 'from above'],
        ['file', 'pet.txt', 'text/plain', 'hello'],
      ],
    ],
    [
      'a date-time in its query',
      'readme-train-travel-31.json',
      'get-trips',
      {
        origin: 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e',
        destination: 'b2e783e1-c824-4d63-b37a-d8d698862f1d',
        date: '2024-02-01T09:00:00Z',
        dogs: true,
      },
      'GET /base/trips?origin=efdbb9d1-02c2-4bc3-afb7-6788d8782b1e&destination=b2e783e1-c824-4d63-b37a-d8d698862f1d&date=2024-02-01T09%3A00%3A00Z&dogs=true',
      {},
      '',
    ],
    [
      'a JSON body',
      'readme-train-travel-31.json',
      'create-booking',
      {
        trip_id: '4f4e4e1c-c824-4d63-b37a-d8d698862f1d',
        passenger_name: 'Jöhn Doe',
        has_dog: false,
      },
      'POST /base/bookings',
      { 'content-type': 'application/json', accept: expect.stringContaining('application/json') },
      {
        trip_id: '4f4e4e1c-c824-4d63-b37a-d8d698862f1d',
        passenger_name: 'Jöhn Doe',
        has_dog: false,
      },
    ],
    [
      'a query of referenced parameters',
      'redocly-museum-31.yaml',
      'getMuseumHours',
      { startDate: '2023-02-23', limit: 15 },
      'GET /base/museum-hours?startDate=2023-02-23&limit=15',
      {},
      '',
    ],
    [
      'a JSON body and a path argument',
      'figshare.yaml',
      'private_article_upload_initiate',
      { article_id: 12, name: 'data.csv', size: 3 },
      'POST /base/account/articles/12/files',
      { 'content-type': 'application/json' },
      { name: 'data.csv', size: 3 },
    ],
    [
      'the header with a single allowed value',
      'amazonaws-dynamodb.yaml',
      'ListTables',
      { body: { Limit: 1 } },
      'POST /base/',
      { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      { Limit: 1 },
    ],
    [
      'two path arguments',
      'figshare.yaml',
      'private_article_file_delete',
      { article_id: 12, file_id: 34 },
      'DELETE /base/account/articles/12/files/34',
      {},
      '',
    ],
  ])('has %s: %s %s', async (_, description, tool, args, start, headers, body) => {
    const request = await requestOf(description, tool, args);

    expect(request).toMatchObject({ start, headers });
    expect(request.body).toEqual(body);
  });
});
