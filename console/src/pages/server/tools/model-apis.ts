/** Model APIs whose rules tools are held to, as people call them. */
export const MODEL_APIS = {
  claude: 'Claude',
  openai: 'OpenAI',
  gemini: 'Gemini',
  bedrock: 'Bedrock',
} as const;

export type ModelApi = keyof typeof MODEL_APIS;
