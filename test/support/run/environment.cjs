/**
 * Tests run in the process itself and not in a context of their own, which would load all modules anew for each file.
 * What a file has changed of the process is put back when it has ended: no test depends on which ran before.
 */
module.exports = class {
  global = globalThis;
  #console = globalThis.console;
  #exit = process.exit;
  #errors = { prepareStackTrace: Error.prepareStackTrace, stackTraceLimit: Error.stackTraceLimit };
  #variables = { ...process.env };
  #folder = process.cwd();

  async setup() {
    // Jest has by now set its own, with which each error of the service would carry a hundred frames.
    Object.assign(Error, this.#errors);
  }

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    process.chdir(this.#folder);
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#variables)) delete process.env[name];
    }
    Object.assign(process.env, this.#variables);
    Object.assign(Error, this.#errors);
  }

  getVmContext() {
    return null;
  }
};
