import { type CasesFile, casesIn } from '../../layers/openapi/model-apis/cases.ts';
import { NotYaml, yamlValue } from '../declared/yaml.ts';
import { EXIT, Failure, type Finding } from '../failure.ts';

/** @param path - for messages @param least - number of cases required @throws Failure with all faults */
export const readCases = (path: string, text: string, least = 1): CasesFile => {
  const read = casesIn(parsedFile(path, text), least);
  if (read.faults.length === 0) return read;
  throw unusable(
    path,
    read.faults.map(({ where, ...fault }) => ({ where: `${path} ${where}`.trim(), ...fault })),
  );
};

const parsedFile = (path: string, text: string): unknown => {
  try {
    return yamlValue(text);
  } catch (error) {
    if (!(error instanceof NotYaml)) throw error;
    throw unusable(path, [{ where: path, what: `no YAML: ${error.message}`, hint: 'Mend it.' }]);
  }
};

const unusable = (path: string, findings: readonly Finding[]): Failure =>
  new Failure(EXIT.refused, 'cases_refused', `${path} cannot be used.`, { findings });
