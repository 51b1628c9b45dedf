export const MODEL_APIS = {
  claude: 'Claude',
  openai: 'OpenAI',
  gemini: 'Gemini',
  bedrock: 'Bedrock',
} as const;

export type ModelApi = keyof typeof MODEL_APIS;
