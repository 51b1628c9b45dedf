import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  // Tuples of any length are no mistake.
  strictTuples: false,
  validateFormats: false,
  logger: false,
});

/** Compiles in Ajv's strict mode, which refuses whatever has no meaning; formats are only annotations. */
export const strictly = (schema: object): ValidateFunction => {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
};
