export {
  type ListedTool,
  MODEL_APIS,
  subschemas,
} from '../../layers/core/domain/model-apis/index.ts';
