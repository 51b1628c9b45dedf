import { codeOf } from '../text/words.ts';
import { DescriptionFault } from './description-fault.ts';

/** The library is loaded on demand, since it takes as long as all else. @throws DescriptionFault if not installed */
export const swaggerParser = async () => {
  try {
    return await import('@apidevtools/swagger-parser');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new DescriptionFault('Packages are missing. Run "npm ci" where Hosted MCP is installed.');
  }
};
