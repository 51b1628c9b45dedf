import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** What all kinds of Ajv inherit from, also that of swagger-parser. */
const ajv = Object.getPrototypeOf(Ajv2020.prototype) as Validating;

interface Validating {
  validate(schema: unknown, data: unknown): boolean | Promise<unknown>;
  compile(schema: object): ValidateFunction;
  errors?: ValidateFunction['errors'];
  readonly opts: object;
  [REMEMBERS]?: true;
}

const REMEMBERS = Symbol.for('hosted-mcp compiled schemas');

/**
 * Keeps what Ajv compiles, for all commands of this process. swagger-parser has a new Ajv for each description that it
 * checks, so that each command would compile the schema of OpenAPI anew, which takes more time than all else that it does.
 */
export const rememberCompiledSchemas = (): void => {
  // This module is loaded anew for each test file, and Ajv is not.
  if (ajv[REMEMBERS]) return;
  ajv[REMEMBERS] = true;
  const validate = ajv.validate;
  const compiled = new WeakMap<object, Map<string, ValidateFunction>>();
  ajv.validate = function (schema, data) {
    if (typeof schema !== 'object' || schema === null) return validate.call(this, schema, data);
    const ofSchema = compiled.get(schema) ?? new Map<string, ValidateFunction>();
    compiled.set(schema, ofSchema);
    const key = `${this.constructor.name} ${Object.entries(this.opts)
      .filter(([, value]) => typeof value !== 'object')
      .join()}`;
    const known = ofSchema.get(key) ?? this.compile(schema);
    ofSchema.set(key, known);
    const isValid = known(data);
    this.errors = known.errors;
    return isValid;
  };
};
