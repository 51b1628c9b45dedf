const { createRequire, registerHooks } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { ModuleMocker } = require('jest-mock');
const { giveGlobals } = require('./globals.mjs');

const GLOBALS = pathToFileURL(join(__dirname, 'globals.mjs')).href;
const TESTS = pathToFileURL(join(__dirname, '../../', '/')).href;
let filesBegun = 0;

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
    const resolved = next(specifier, context);
    const isOfTests = resolved.url.startsWith(TESTS) && resolved.url.endsWith('.ts');
    return isOfTests ? { ...resolved, url: `${resolved.url}?${filesBegun}` } : resolved;
  },
});

/**
 * Loads test files as plain Node loads modules. The service and its packages hold no state of their own, so that their
 * modules stay from one test file to the next; what is in `test` is loaded anew for each of them.
 *
 * In contexts of their own, as Jest's own runtime has them, test files took more than half as much processor time again.
 */
module.exports = class {
  #mocker = new ModuleMocker(globalThis);

  constructor() {
    filesBegun += 1;
  }

  /** Jest's parts that run the tests of one file; they keep what they know of it in global variables. */
  requireInternalModule(path) {
    const requireAnew = createRequire(__filename);
    delete requireAnew.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return requireAnew(path);
  }

  setGlobalsForRuntime(globals) {
    const jest = {
      spyOn: this.#mocker.spyOn.bind(this.#mocker),
      restoreAllMocks: this.#mocker.restoreAllMocks.bind(this.#mocker),
    };
    giveGlobals({ ...globals, jest });
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await import(pathToFileURL(path).href);
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return null;
  }

  getAllCoverageInfoCopy() {
    return {};
  }

  teardown() {
    this.#mocker.restoreAllMocks();
    for (const name of Object.getOwnPropertySymbols(globalThis)) {
      // It holds all tests of the file.
      if (name.description === 'JEST_STATE_SYMBOL') delete globalThis[name];
    }
  }
};
