export const GENRES = ['adventure', 'fantasy', 'mystery', 'science-fiction'] as const;

export interface NewBook {
  readonly title: string;
  readonly author: string;
  readonly genre: (typeof GENRES)[number];
  readonly year?: number;
  readonly price: number;
  readonly copies: number;
}

export interface Book extends NewBook {
  readonly id: number;
}

const ADVENTURE = 'adventure';
const FANTASY = 'fantasy';
const MYSTERY = 'mystery';
const SCIENCE_FICTION = 'science-fiction';

const SHELVES = [
  ['The Hound of the Baskervilles', 'Arthur Conan Doyle', MYSTERY, 1902, 8.5, 12],
  ['The Moonstone', 'Wilkie Collins', MYSTERY, 1868, 9.9, 4],
  ['The Murders in the Rue Morgue', 'Edgar Allan Poe', MYSTERY, 1841, 5, 0],
  ['The Mysterious Affair at Styles', 'Agatha Christie', MYSTERY, 1920, 7.25, 7],
  ['Treasure Island', 'Robert Louis Stevenson', ADVENTURE, 1883, 6.4, 15],
  ['Around the World in Eighty Days', 'Jules Verne', ADVENTURE, 1872, 7.8, 3],
  ['The Count of Monte Cristo', 'Alexandre Dumas', ADVENTURE, 1846, 14.5, 2],
  ['Twenty Thousand Leagues under the Sea', 'Jules Verne', SCIENCE_FICTION, 1870, 8.2, 6],
  ['The Time Machine', 'H. G. Wells', SCIENCE_FICTION, 1895, 6.1, 9],
  ['Frankenstein', 'Mary Shelley', SCIENCE_FICTION, 1818, 7.5, 11],
  ["Alice's Adventures in Wonderland", 'Lewis Carroll', FANTASY, 1865, 6.9, 8],
  ['The Wonderful Wizard of Oz', 'L. Frank Baum', FANTASY, 1900, 7.1, 0],
] as const;

export const firstBooks = (): Map<number, Book> =>
  new Map(
    SHELVES.map(([title, author, genre, year, price, copies], at) => {
      const id = at + 1;
      return [id, { id, title, author, genre, year, price, copies }];
    }),
  );
