import { STATUS_CODES } from 'node:http';
import { type Book, firstBooks, GENRES, type NewBook } from './books.ts';
import { coverOf } from './cover.ts';

export interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined if there is none, or if it is not JSON. */
  readonly body: unknown;
}

export interface ShopAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Buffer;
}

/** The sample target API, described by `openapi.yaml`. It forgets all changes when it ends. */
export const openBookshop = () => {
  const books = firstBooks();
  let lastOrder = 0;

  const listBooks = (query: URLSearchParams): ShopAnswer => {
    const limit = Number(query.get('limit') ?? 10);
    const maxPrice = Number(query.get('max_price') ?? Infinity);
    const genre = query.get('genre');
    const author = query.get('author')?.toLowerCase() ?? '';
    const inStock = query.get('in_stock');
    if (!Number.isInteger(limit) || limit < 1 || limit > 50) return problem(400, BAD_LIMIT);
    if (Number.isNaN(maxPrice)) return problem(400, 'max_price is a number.');

    const found = [...books.values()]
      .filter((book) => genre === null || book.genre === genre)
      .filter((book) => book.author.toLowerCase().includes(author))
      .filter((book) => book.price <= maxPrice)
      .filter((book) => inStock === null || String(book.copies > 0) === inStock)
      .sort((one, other) => one.price - other.price || one.id - other.id);
    return json(200, { total: found.length, books: found.slice(0, limit) });
  };

  const addBook = (sent: unknown): ShopAnswer => {
    const book = readBook(sent);
    if (!book) return problem(400, BAD_BOOK);
    const id = Math.max(0, ...books.keys()) + 1;
    books.set(id, { id, ...book });
    return json(201, books.get(id));
  };

  const replaceBook = ({ id }: Book, sent: unknown): ShopAnswer => {
    const book = readBook(sent);
    if (!book) return problem(400, BAD_BOOK);
    books.set(id, { id, ...book });
    return json(200, books.get(id));
  };

  const removeBook = ({ id }: Book): ShopAnswer => {
    books.delete(id);
    return { status: 204 };
  };

  const placeOrder = (sent: unknown): ShopAnswer => {
    const { book_id: id, copies = 1 } = fieldsOf(sent);
    const book = books.get(Number(id));
    if (!book) return problem(404, NO_BOOK);
    if (!isCount(copies) || copies < 1) return problem(400, 'copies is a whole number from 1 on.');
    if (copies > book.copies) {
      return problem(409, `Only ${book.copies} of "${book.title}" in stock.`);
    }
    books.set(book.id, { ...book, copies: book.copies - copies });
    lastOrder += 1;
    const price = Math.round(book.price * copies * 100) / 100;
    return json(201, { id: lastOrder, book_id: book.id, copies, price });
  };

  return ({ method, path, query, body }: ShopRequest): ShopAnswer => {
    const [, collection, id, part, ...rest] = path.split('/');
    if (path === '/orders' && method === 'POST') return placeOrder(body);
    if (path === '/books' && method === 'GET') return listBooks(query);
    if (path === '/books' && method === 'POST') return addBook(body);
    if (collection !== 'books' || rest.length > 0) return problem(404, 'There is nothing here.');

    const book = books.get(Number(id));
    if (!book) return problem(404, NO_BOOK);
    if (part === 'cover' && method === 'GET') {
      return { status: 200, type: 'image/png', body: coverOf(book.id) };
    }
    if (part !== undefined) return problem(404, 'There is nothing here.');
    if (method === 'GET') return json(200, book);
    if (method === 'PUT') return replaceBook(book, body);
    if (method === 'DELETE') return removeBook(book);
    return problem(405, `${method} is not possible here.`);
  };
};

const BAD_LIMIT = 'limit is a whole number from 1 to 50.';
const BAD_BOOK = 'A book has a title, an author, one of the genres, a price and perhaps copies.';
const NO_BOOK = 'There is no such book.';

const json = (status: number, body: unknown): ShopAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

const problem = (status: number, detail: string): ShopAnswer => ({
  ...json(status, { title: STATUS_CODES[status], status, detail }),
  type: 'application/problem+json',
});

const readBook = (sent: unknown): NewBook | undefined => {
  const { title, author, genre, year, price, copies = 0 } = fieldsOf(sent);
  const known = GENRES.find((name) => name === genre);
  if (typeof title !== 'string' || typeof author !== 'string' || !known) return undefined;
  if (typeof price !== 'number' || price < 0 || !isCount(copies)) return undefined;
  return { title, author, genre: known, ...(isCount(year) && { year }), price, copies };
};

const fieldsOf = (sent: unknown): Record<string, unknown> =>
  typeof sent === 'object' && sent !== null ? { ...sent } : {};

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;
