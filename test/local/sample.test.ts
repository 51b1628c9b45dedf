import { crc32, inflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startSampleApi } from '../../local/sample/index.ts';

const api = await startSampleApi(0);
afterAll(() => api.close());

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const received = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    type,
    bytes: received,
    json: type?.endsWith('json') ? JSON.parse(received.toString()) : undefined,
  };
};

const titles = async (query: string) => {
  const { json } = await call('GET', `/books${query}`);
  return json.books.map(({ title }: { title: string }) => title);
};

const A_BOOK = { title: 'Emma', author: 'Jane Austen', genre: 'adventure', price: 8, copies: 1 };

describe('the sample bookshop', () => {
  test('lists the same books after every start, cheapest first', async () => {
    const other = await startSampleApi(0);
    const [one, two] = await Promise.all(
      [api, other].map(async ({ url }) => (await fetch(`${url}/books`)).text()),
    );
    await other.close();

    expect(one).toBe(two);
    expect(JSON.parse(one ?? '')).toMatchObject({
      total: 12,
      books: { length: 10, 0: { title: 'The Murders in the Rue Morgue', price: 5 } },
    });
  });

  test.each([
    ['?genre=fantasy&in_stock=true', ["Alice's Adventures in Wonderland"]],
    ['?author=verne&max_price=8', ['Around the World in Eighty Days']],
    ['?genre=mystery&in_stock=false', ['The Murders in the Rue Morgue']],
    ['?genre=mystery&limit=1', ['The Murders in the Rue Morgue']],
    ['?genre=poetry', []],
  ])('filters the list by %s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('adds, replaces and removes a book', async () => {
    const added = await call('POST', '/books', A_BOOK);
    const path = `/books/${added.json.id}`;
    const replaced = await call('PUT', path, { ...A_BOOK, price: 9 });
    const removed = await call('DELETE', path);

    expect(added).toMatchObject({ status: 201, json: { id: 13, ...A_BOOK } });
    expect(replaced).toMatchObject({ status: 200, json: { id: 13, ...A_BOOK, price: 9 } });
    expect(removed).toMatchObject({ status: 204, type: null });
    expect(await call('GET', path)).toMatchObject({ status: 404 });
  });

  test('sells only books that are in stock', async () => {
    expect(await call('POST', '/orders', { book_id: 7, copies: 2 })).toMatchObject({
      status: 201,
      json: { id: 1, book_id: 7, copies: 2, price: 29 },
    });
    expect(await call('POST', '/orders', { book_id: 7 })).toMatchObject({
      status: 409,
      type: 'application/problem+json',
      json: {
        title: 'Conflict',
        status: 409,
        detail: 'Only 0 of "The Count of Monte Cristo" in stock.',
      },
    });
  });

  test('serves covers as PNG', async () => {
    const { type, bytes } = await call('GET', '/books/1/cover');
    const data = bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8);

    expect(type).toBe('image/png');
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(inflateSync(data)).toHaveLength((48 * 3 + 1) * 72);
    expect(bytes.readUInt32BE(bytes.indexOf('IEND') + 4)).toBe(crc32('IEND'));
  });

  test.each([
    ['GET', '/books?limit=0', undefined, 400],
    ['GET', '/books?limit=many', undefined, 400],
    ['GET', '/books?max_price=cheap', undefined, 400],
    ['POST', '/books', { ...A_BOOK, genre: 'poetry' }, 400],
    ['POST', '/books', 'no object', 400],
    ['POST', '/books', undefined, 400],
    ['PUT', '/books/1', { title: 'Only a title' }, 400],
    ['GET', '/books/99', undefined, 404],
    ['GET', '/books/1/back', undefined, 404],
    ['GET', '/elsewhere', undefined, 404],
    ['POST', '/orders', { book_id: 99 }, 404],
    ['POST', '/orders', { book_id: 1, copies: 0 }, 400],
    ['PATCH', '/books/1', {}, 405],
  ])('answers %s %s %j with problem details', async (method, path, body, status) => {
    expect(await call(method, path, body)).toMatchObject({
      status,
      type: 'application/problem+json',
      json: { status },
    });
  });

  test('listens on another port when the preferred one is taken', async () => {
    const other = await startSampleApi(Number(new URL(api.url).port));
    const { status } = await fetch(`${other.url}/books`);
    await other.close();

    expect(other.url).not.toBe(api.url);
    expect(status).toBe(200);
  });
});
