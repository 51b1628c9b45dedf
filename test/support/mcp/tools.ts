import { prepareTool, type PreparedTool } from '../../../layers/tools/prepare-tool.ts';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import type {
  Operation,
  OperationBody,
  OperationParameter,
} from '../../../layers/openapi/tool-index.ts';

/** A tool of `GET https://api.example.com/v1/things`, as publication would have indexed it. */
export const aTool = (
  operation: Partial<Operation> = {},
  inputSchema: Readonly<Record<string, unknown>> = {},
): PreparedTool =>
  prepareTool({
    name: 'things',
    listed: JSON.stringify({ name: 'things', inputSchema: { type: 'object', ...inputSchema } }),
    operation: {
      method: 'GET',
      path: '/things',
      serverUrl: 'https://api.example.com/v1',
      parameters: [],
      accept: [],
      ...operation,
    },
  });

const STYLES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** A parameter with the defaults of OpenAPI, whose argument has its name. */
export const aParameter = (
  place: OperationParameter['in'],
  name: string,
  rest: Partial<OperationParameter> = {},
): OperationParameter => ({
  argument: name,
  name,
  in: place,
  required: place === 'path',
  style: STYLES[place],
  explode: STYLES[place] === 'form',
  allowReserved: false,
  ...rest,
});

/** A body whose properties are the arguments of these names. */
export const aBody = (
  form: OperationBody['form'],
  mediaType: string,
  names: readonly string[],
  rest: Partial<OperationBody> = {},
): OperationBody => ({
  required: true,
  mediaType,
  form,
  source: {
    kind: 'properties',
    properties: names.map((name) => ({ argument: name, name })),
    additional: false,
  },
  ...rest,
});

/** A body that is the argument `body`. */
export const aWholeBody = (form: OperationBody['form'], mediaType: string): OperationBody => ({
  required: true,
  mediaType,
  form,
  source: { kind: 'whole', argument: 'body' },
});

/** The refusal that something ends in: its code and the faults it names. */
export const refusalOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    return { code: error.code, errors: error.data?.['errors'], description: error.description };
  }
  throw new Error('nothing was refused');
};
