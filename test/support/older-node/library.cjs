// What Node 24 has of the standard library and Node 20.0 lacks. Required before a program (`node --require`), this takes
// all of it away, so that the program finds what it would find there.

/** Functions that are called by these names. */
const STATIC = [
  'Array.fromAsync',
  'Error.isError',
  'JSON.isRawJSON',
  'JSON.rawJSON',
  'Map.groupBy',
  'Math.f16round',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  'URL.parse',
];

const GLOBAL = ['Float16Array', 'Iterator', 'WebSocket', 'navigator'];

const OF_SETS = [
  'difference',
  'intersection',
  'isDisjointFrom',
  'isSubsetOf',
  'isSupersetOf',
  'symmetricDifference',
  'union',
];

const takeAway = () => {
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  for (const name of Object.getOwnPropertyNames(iterators)) {
    if (name !== 'constructor') delete iterators[name];
  }
  for (const name of OF_SETS) delete Set.prototype[name];
  for (const name of STATIC) {
    const [owner, member] = name.split('.');
    delete globalThis[owner][member];
  }
  for (const name of GLOBAL) delete globalThis[name];
};

if (process.execArgv.some((one) => one.includes('older-node'))) takeAway();

module.exports = { STATIC };
