import { describe, expect, test } from '@jest/globals';
import { openSearch } from '../../layers/search/search.ts';
import { readWish } from '../../layers/search/wish.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';
import { searchIndexOf } from '../support/mcp/searching.ts';

const operation = (summary: string) => anOperation({ summary });

const search = openSearch(
  searchIndexOf(
    JSON.stringify(
      aDescription({
        servers: [{ url: 'https://api.example.com' }],
        paths: {
          '/locations': { get: operation('List the locations') },
          '/vehicles': { get: operation('List the vehicles'), post: operation('Add a vehicle') },
          '/vehicles/{id}/notify': { post: operation('Notification of its keeper') },
          '/vehicles/{id}/similar': { get: operation('What resembles it') },
          '/dues': { get: operation('What one pays') },
          '/geofences': { post: operation('Create a geofence') },
          '/permissions': {
            post: operation('Link an object to a user'),
            delete: operation('Unlink an object from a user'),
          },
          '/records': { delete: operation('Delete a record'), post: operation('Add a record') },
          '/trips/aggregated': { post: operation('List the trips, counted') },
          '/trips': { post: operation('Record a trip') },
        },
      }),
    ),
  ),
);

const first = (text: string): string => {
  const [found] = search({ text });
  return found === undefined ? 'nothing' : `${found.method} ${found.path}`;
};

describe('a wish', () => {
  test.each([
    ['which branches are nearby', 'GET /locations', 'what APIs call what people say'],
    ['which trucks do we own', 'GET /vehicles', 'what APIs call what people say'],
    ['what was paid', 'GET /dues', 'a form that looks unlike its word'],
    ['vehicles like this one', 'GET /vehicles/{id}/similar', 'what words mean together'],
    ['a notification to the keeper', 'POST /vehicles/{id}/notify', 'another form of the word'],
    ['a new fence', 'POST /geofences', 'a compound that ends with the word'],
    ['a new geo fence', 'POST /geofences', 'two words that are one there'],
    ['that record is wrong, delete it', 'DELETE /records', 'what is done, in the second clause'],
    ['I would like to add a record', 'POST /records', 'what is done, behind an introduction'],
    ['let Tom see it', 'POST /permissions', 'that somebody is let do something'],
    ['he may not see it any more', 'DELETE /permissions', 'what is unwanted'],
    ['how many trips were there', 'POST /trips/aggregated', 'a list that is read by POST'],
  ])('"%s" finds %s by %s', (wish, operationFound) => {
    expect(first(wish)).toBe(operationFound);
  });

  test.each([
    ['can you please help me to rename it', 'rename it'],
    ['I want to cancel my order', 'cancel my order'],
    ['Could you show me who joined?', 'show me who joined'],
  ])('"%s" is read as "%s"', (wish, core) => {
    expect(readWish(wish)).toEqual(readWish(core));
  });

  test.each([
    'do we have users that no longer pay',
    'I may not have access, show my roles',
    'we must not forget: list the invoices',
    'I no longer remember which one it was, list them',
  ])('"%s" asks for nothing to end', (wish) => {
    expect(readWish(wish).act).toBe('read');
  });

  test.each(['I do not want to hear of it any more', 'they may not enter', 'we no longer need it'])(
    '"%s" asks that something ends',
    (wish) => {
      expect(readWish(wish).act).toBe('delete');
    },
  );

  test('that is nothing but an introduction is read as it stands', () => {
    expect(search({ text: 'please' })).toBeDefined();
    expect(search({ text: 'how do I' })).toBeDefined();
  });

  test('of which a word is in the API prefers it to what else it may mean', () => {
    // A record may be called a row or a document, and what one records a trip.
    expect(first('add a record')).toBe('POST /records');
  });

  test.each([
    ['show me the vehicle called Ada', true],
    ['a vehicle named Ada', true],
    ['delete the vehicle called Ada', false],
    ['called Ada', false],
  ])('for what has a name is one for a search: %s, %s', (wish, is) => {
    const searches = readWish(wish).concepts.some(({ words }) => words.get('search') === 1);
    expect(searches).toBe(is);
  });

  test('that asks what, where or who leads to no creation', () => {
    expect(readWish('what is on my list').act).toBe('read');
    expect(readWish('where is the truck').act).toBe('read');
  });
});

describe('a wish for what one has', () => {
  const found = (text: string) =>
    openSearch(
      searchIndexOf(
        JSON.stringify(
          aDescription({
            servers: [{ url: 'https://api.example.com' }],
            paths: {
              '/boards': { get: operation('List boards') },
              '/me/boards': { get: operation('List boards') },
            },
          }),
        ),
      ),
    )({ text }).map(({ path }) => path);

  test.each([
    ['which boards do I have', '/me/boards'],
    ['list boards', '/boards'],
  ])('finds the own where it says so: %s', (wish, path) => {
    expect(found(wish)[0]).toBe(path);
  });
});
